/**
 * @module
 * Reads the name of the model: `openai:NAME`, `ollama:NAME`, `ai-sdk:PACKAGE:NAME`, or a name on a server.
 */

/** The model and its options. Contains no key. */
export interface ModelOptions {
  /** A server with the OpenAI interface, or a package of the AI SDK. */
  provider: { kind: 'server'; baseUrl: string } | { kind: 'ai-sdk'; package: string }
  model: string
  /** The maximum time without data from the server, in milliseconds. */
  timeoutMs: number
  /** Whether tools are described in the prompt, for models without native tool calls. */
  textTools: boolean
}

/** The options about the model from the command line and the environment. */
export interface ModelWords {
  model: string | undefined
  baseUrl: string | undefined
  timeoutMs: number
  textTools: boolean
}

const OPENAI = 'https://api.openai.com/v1'
const OLLAMA = 'http://localhost:11434/v1'

/** Returns the options of the model; null if no model is named, or the reason why the options are invalid. */
export function readModel({ model, baseUrl, timeoutMs, textTools }: ModelWords): ModelOptions | string | null {
  if (!model) return baseUrl ? '--base-url needs --model, the name of a model on that server.' : null
  const [, prefix = '', rest = ''] = /^(openai|ollama|ai-sdk):(.*)$/s.exec(model) ?? []
  const common = { timeoutMs, textTools }
  if (prefix === 'ai-sdk') {
    const [, name = '', id = ''] = /^([^:]+):(.+)$/s.exec(rest) ?? []
    if (id === '')
      return `--model: expected ai-sdk:PACKAGE:NAME, such as ai-sdk:@ai-sdk/anthropic:NAME, received "${model}".`
    return { provider: { kind: 'ai-sdk', package: name }, model: id, ...common }
  }
  if (prefix !== '' && rest === '') return `--model: expected ${prefix}:NAME, received "${model}".`
  const address = baseUrl ?? (prefix === 'openai' ? OPENAI : prefix === 'ollama' ? OLLAMA : undefined)
  if (address === undefined)
    return '--model needs openai:, ollama: or ai-sdk: before the name, or --base-url, such as http://localhost:8080/v1.'
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    return `--base-url: expected an http or https address, received "${address}".`
  return { provider: { kind: 'server', baseUrl: address }, model: prefix === '' ? model : rest, ...common }
}
