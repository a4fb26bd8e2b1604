/**
 * @module
 * What the errors of LangChain do not say by themselves.
 */
import { requestSecrets } from '@x/core-model'
import type { ModelCallErrorKind, ModelErrorFacts } from '@x/llm'

/** The kinds of errors, by LangChain's code and by the name of the error; the first match counts. */
const kinds: readonly (readonly [word: RegExp, kind: ModelCallErrorKind])[] = [
  [/CONTEXT_OVERFLOW|ContextOverflow/, 'context_length'],
  [/MODEL_AUTHENTICATION/, 'auth'],
  [/MODEL_RATE_LIMIT/, 'rate_limit'],
  [/OUTPUT_PARSING/, 'bad_response'],
  [/MODEL_NOT_FOUND|INVALID_|MESSAGE_COERCION/, 'bad_request'],
]

/** Returns the kind of an error of a model of LangChain, and the secrets of the model. */
export function errorFacts(model: object, error: unknown): ModelErrorFacts {
  const { lc_error_code: code, name } = Object(error) as { lc_error_code?: unknown; name?: unknown }
  const words = `${code} ${name}`
  return { kind: kinds.find(([word]) => word.test(words))?.[1], secrets: secretsOf(model) }
}

/** Returns the values of the fields that LangChain declares as secrets of a model, and its `apiKey`. */
export function secretsOf(model: object): string[] {
  const declared = Object.keys(Object(Reflect.get(model, 'lc_secrets')))
  const values = [...declared, 'apiKey'].map((name) => [`${name} key`, Reflect.get(model, name)] as const)
  return requestSecrets(Object.fromEntries(values.filter(([, value]) => typeof value === 'string')))
}
