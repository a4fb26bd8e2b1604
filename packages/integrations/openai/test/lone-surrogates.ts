/**
 * A request with lone surrogates wherever a request contains text, for the tests of adapters: none of them may reach a provider.
 */
import { type CallOptions, ChatMessage } from '@x/core-model'

const cut = '😀'.slice(0, 1)
const call = {
  id: 'a',
  type: 'function' as const,
  function: { name: 'look', arguments: JSON.stringify({ q: cut, n: 1 }) },
}
const parameters = { type: 'object', properties: { q: { type: 'string', description: `Text ${cut}` } } }

export const uncleanMessages = [
  new ChatMessage({ role: 'system', content: `Be brief. ${cut}` }),
  new ChatMessage({
    role: 'user',
    content: [{ type: 'text', text: `Look ${cut}` }],
    additionalKwargs: { name: `Ann${cut}` },
  }),
  new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } }),
  new ChatMessage({ role: 'tool', content: `found ${cut}`, additionalKwargs: { tool_call_id: 'a', name: 'look' } }),
  new ChatMessage({
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: `hm ${cut}` },
      { type: 'text', text: `half ${cut}` },
    ],
  }),
  new ChatMessage({ role: 'user', content: `on ${cut}` }),
]

export const uncleanOptions: CallOptions = {
  tools: [{ type: 'function', function: { name: 'look', description: `Looks ${cut}`, parameters } }],
  responseFormat: { type: 'json', schema: { ...parameters, title: `x${cut}` }, description: `y ${cut}` },
  metadata: { [`key${cut}`]: cut },
}

/** Returns where a value contains a lone surrogate, also as an escape in JSON text. */
export function loneSurrogates(value: unknown, path = ''): string[] {
  if (typeof value === 'string') {
    const found = /\p{Surrogate}/u.test(value) ? [path] : []
    const isJson = value.startsWith('{') && /\\u[dD][89a-fA-F]/.test(value)
    return isJson ? [...found, ...loneSurrogates(JSON.parse(value), `${path}(JSON)`)] : found
  }
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return []
  return Object.entries(value).flatMap(([key, item]) => [
    ...loneSurrogates(key, `${path}.key`),
    ...loneSurrogates(item, `${path}.${key}`),
  ])
}
