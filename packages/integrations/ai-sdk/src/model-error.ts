import { isToolkitError, requestSecrets } from '@x/core-model'
import { ModelCallError, type ModelCallErrorKind, modelCallErrorFrom } from '@x/llm'

/** The kinds of the AI SDK's own errors and of a connection that breaks, by their names and messages; the first match counts. */
const kinds: readonly (readonly [form: RegExp, kind: ModelCallErrorKind])[] = [
  [/^TypeError: (?:terminated|network error|Error in input stream|Load failed)$|stream ended without/, 'connection'],
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

/** What the message of an error needs: a model of the AI SDK, and the headers of the call. */
interface Request {
  model: { readonly provider: string; readonly modelId: string }
  headers?: Readonly<Record<string, string>> | undefined
}

/** Returns the {@link ModelCallError} for an error of the AI SDK, without the secrets of the request, and any other error unchanged. */
export function modelError(request: Request, error: unknown): unknown {
  if (!(error instanceof Error) || isToolkitError(error)) return error
  if (error.name === 'AI_APICallError') return apiCallError(request, error)
  const kind = kindOf(error)
  return kind ? modelCallError(request, error.message, kind, error) : error
}

function kindOf(error: unknown): ModelCallErrorKind | undefined {
  return kinds.find(([form]) => form.test(String(error)))?.[1]
}

/** Returns an error without the secrets of the request. */
export function modelCallError(
  request: Request,
  message: string,
  kind: ModelCallErrorKind,
  cause?: unknown,
): ModelCallError {
  return new ModelCallError(`${nameOf(request)}: ${message}`, { kind, cause, secrets: secretsOf(request) })
}

function apiCallError(request: Request, error: ApiCallError): ModelCallError {
  const { statusCode: status, responseHeaders = {}, responseBody, message } = error
  const isBroken = !status || (status < 400 && kindOf(error.cause) === 'connection')
  if (isBroken) return modelCallError(request, message, 'connection', error)
  const headers = new Headers(responseHeaders)
  const secrets = secretsOf(request)
  const code = codeIn(responseBody)
  return modelCallErrorFrom(nameOf(request), { status, message, code, headers, cause: error, secrets })
}

function nameOf({ model }: Request): string {
  return `${model.provider}/${model.modelId}`
}

/** Returns the secrets of a request: the headers of the call and, for the AI SDK's own providers, those of the model. */
function secretsOf({ model, headers = {} }: Request): string[] {
  return requestSecrets({ ...headersOf(model), ...headers })
}

function headersOf(model: object): Readonly<Record<string, string>> {
  const { headers } = Object(Reflect.get(model, 'config')) as { headers?: unknown }
  try {
    const own: unknown = typeof headers === 'function' ? headers() : headers
    // Headers that must be requested first are not known here.
    if (own instanceof Promise) own.catch(() => {})
    const entries = Object.entries(Object(own) as Record<string, string>)
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
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
