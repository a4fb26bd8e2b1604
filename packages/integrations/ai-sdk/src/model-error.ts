/**
 * @module
 * What the errors of the AI SDK do not say by themselves.
 */
import { requestSecrets } from '@x/core-model'
import type { ModelCallErrorKind, ModelErrorFacts } from '@x/llm'

/** The kinds of the AI SDK's own errors, by their names and messages; the first match counts. */
const kinds: readonly (readonly [form: RegExp, kind: ModelCallErrorKind])[] = [
  [/stream ended without/, 'connection'],
  [/^AI_LoadAPIKey/, 'auth'],
  [/^AI_(?:EmptyResponse|InvalidResponse|JSONParse|NoContent|TypeValidation)/, 'bad_response'],
  [/^AI_(?!APICall)/, 'bad_request'],
]

/** Returns the kind of an error of the AI SDK, and the name and the secrets of its model. */
export function errorFacts(
  model: { readonly provider: string; readonly modelId: string },
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): ModelErrorFacts & { where: string } {
  const { statusCode, responseBody } = Object(error) as { statusCode?: number; responseBody?: string }
  const isUnanswered = String(error).startsWith('AI_APICall') && !statusCode && !responseBody
  return {
    where: `${model.provider}/${model.modelId}`,
    kind: isUnanswered ? 'connection' : kinds.find(([form]) => form.test(String(error)))?.[1],
    secrets: requestSecrets({ ...headersOf(model), ...headers }),
  }
}

/** Returns the headers of the models of the AI SDK's own providers. */
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
