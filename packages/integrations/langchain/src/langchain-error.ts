/**
 * @module
 * Errors of LangChain and of the clients that its models use, as model call errors.
 */
import { isToolkitError, requestSecrets } from '@x/core-model'
import { ModelCallError, type ModelCallErrorKind, modelCallErrorFrom } from '@x/llm'

/** The properties of errors of LangChain, of vendors' clients and of `fetch`. */
interface ForeignError extends Error {
  status?: unknown
  statusCode?: unknown
  code?: unknown
  headers?: unknown
  lc_error_code?: unknown
}

/** The kinds of errors without a status, by LangChain's code and by the name of the error; the first match counts. */
const kinds: readonly (readonly [word: RegExp, kind: ModelCallErrorKind])[] = [
  [/CONTEXT_OVERFLOW|ContextOverflow/, 'context_length'],
  [/MODEL_AUTHENTICATION/, 'auth'],
  [/MODEL_RATE_LIMIT/, 'rate_limit'],
  [/OUTPUT_PARSING/, 'bad_response'],
  [/MODEL_NOT_FOUND|INVALID_|MESSAGE_COERCION/, 'bad_request'],
  [/TimeoutError/, 'timeout'],
  [/APIConnection/, 'connection'],
]

/** Messages of `fetch` when a connection fails or breaks. */
const connectionFailure = /^(?:fetch failed|terminated|network error|failed to fetch|load failed)$/i

/**
 * Returns the {@link ModelCallError} for an error of a LangChain model, and any other error unchanged.
 * @param where - the name of the model, which the message starts with.
 * @param model - the model, whose secrets the error does not contain.
 */
export function modelError(where: string, model: object, error: unknown): unknown {
  if (!(error instanceof Error) || isToolkitError(error)) return error
  const foreign = error as ForeignError
  const kind = kindOf(foreign)
  const secrets = secretsOf(model)
  // A request that is too long has the same status as any other bad request.
  if (kind === 'context_length')
    return new ModelCallError(`${where}: ${error.message}`, { kind, cause: error, secrets })
  const status = foreign.status ?? foreign.statusCode
  if (typeof status === 'number')
    return modelCallErrorFrom(where, {
      status,
      message: error.message,
      code: typeof foreign.code === 'string' ? foreign.code : null,
      headers: headersOf(foreign.headers),
      cause: error,
      secrets,
    })
  return kind ? new ModelCallError(`${where}: ${error.message}`, { kind, cause: error, secrets }) : error
}

/** Returns the values of the fields that LangChain declares as secrets of a model, and its `apiKey`. */
function secretsOf(model: object): string[] {
  const declared = Object.keys(Object(Reflect.get(model, 'lc_secrets')))
  const values = [...declared, 'apiKey'].map((name) => [`${name} key`, Reflect.get(model, name)] as const)
  return requestSecrets(Object.fromEntries(values.filter(([, value]) => typeof value === 'string')))
}

function kindOf({ lc_error_code: code, name, message }: ForeignError): ModelCallErrorKind | null {
  const words = `${code} ${name}`
  return kinds.find(([word]) => word.test(words))?.[1] ?? (connectionFailure.test(message) ? 'connection' : null)
}

/** Returns headers that are a `Headers` object or a record. */
function headersOf(headers: unknown): { get(name: string): string | null } | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  if ('get' in headers && typeof headers.get === 'function') return headers as { get(name: string): string | null }
  const record = headers as Record<string, unknown>
  return { get: (name) => (typeof record[name] === 'string' ? record[name] : null) }
}
