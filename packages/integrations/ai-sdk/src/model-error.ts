import { isToolkitError, ModelCallError, type ModelCallErrorKind, modelCallErrorFrom } from '@x/core-model'

/** The kinds of the AI SDK's own errors, by their names; the first match counts. */
const kinds: readonly (readonly [name: RegExp, kind: ModelCallErrorKind])[] = [
  [/^AI_LoadAPIKey/, 'auth'],
  [/^AI_(?:EmptyResponse|InvalidResponse|JSONParse|NoContent|TypeValidation)/, 'bad_response'],
  [/^AI_/, 'bad_request'],
]

/** The properties of the AI SDK's `APICallError`. */
interface ApiCallError extends Error {
  statusCode?: number
  responseHeaders?: Record<string, string>
  responseBody?: string
}

/**
 * Returns the {@link ModelCallError} for an error of the AI SDK, and any other error unchanged.
 * @param where - the provider and the model, which the message starts with.
 */
export function modelError(where: string, error: unknown): unknown {
  if (!(error instanceof Error) || isToolkitError(error)) return error
  if (error.name === 'AI_APICallError') return apiCallError(where, error)
  const kind = kinds.find(([name]) => name.test(error.name))?.[1]
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
