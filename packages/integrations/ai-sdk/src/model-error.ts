import { isToolkitError, ModelCallError, type ModelCallErrorKind, modelCallErrorFrom } from '@x/core-model'

/** The kinds of the AI SDK's own errors, by their names. */
const kinds: Readonly<Record<string, ModelCallErrorKind>> = {
  AI_LoadAPIKeyError: 'auth',
  AI_LoadSettingError: 'bad_request',
  AI_InvalidPromptError: 'bad_request',
  AI_InvalidArgumentError: 'bad_request',
  AI_UnsupportedFunctionalityError: 'bad_request',
  AI_NoSuchModelError: 'bad_request',
  AI_TooManyEmbeddingValuesForCallError: 'bad_request',
  AI_EmptyResponseBodyError: 'bad_response',
  AI_InvalidResponseDataError: 'bad_response',
  AI_JSONParseError: 'bad_response',
  AI_NoContentGeneratedError: 'bad_response',
  AI_TypeValidationError: 'bad_response',
}

/** The properties of the AI SDK's `APICallError`. */
interface ApiCallError extends Error {
  statusCode?: number
  responseHeaders?: Record<string, string>
  responseBody?: string
}

/**
 * The {@link ModelCallError} for an error of the AI SDK; other errors stay as they are.
 * @param where - the provider and the model, as the message starts.
 */
export function modelError(where: string, error: unknown): unknown {
  if (!(error instanceof Error) || isToolkitError(error)) return error
  if (error.name === 'AI_APICallError') return apiCallError(where, error)
  const kind = Object.hasOwn(kinds, error.name) ? kinds[error.name] : undefined
  return kind ? new ModelCallError(`${where}: ${error.message}`, { kind, cause: error }) : error
}

function apiCallError(where: string, error: ApiCallError): ModelCallError {
  const { statusCode, responseHeaders = {}, responseBody, message } = error
  if (statusCode === undefined) return new ModelCallError(`${where}: ${message}`, { kind: 'connection', cause: error })
  const headers = new Headers(responseHeaders)
  return modelCallErrorFrom(where, { status: statusCode, message, code: codeIn(responseBody), headers, cause: error })
}

/** The provider's code of an error: `error.code` or `error.type` in a JSON body. */
function codeIn(body: string | undefined): string | null {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: { code?: unknown; type?: unknown } }
    const code = error?.code ?? error?.type
    return typeof code === 'string' ? code : null
  } catch {
    return null
  }
}
