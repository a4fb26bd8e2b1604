/**
 * @module
 * Servers that differ from the documentation, as checks for any adapter of chat models, and its score.
 */

import type { Socket } from 'node:net'
import { jsonOr } from '@x/core/values'
import {
  type BaseLLM,
  ChatMessage,
  type ChatResponse,
  finishReasonOf,
  messageText,
  reasoningOf,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { callServers } from './calls.ts'
import { errorServers } from './errors.ts'
import type { ExpectedAnswer, ExpectedError, OddServer, SentBody } from './odd-server.ts'
import { textServers } from './texts.ts'

/** What an adapter needs to reach the server of a check. */
export interface CheckedServer {
  /** The address of the interface of OpenAI, `…/v1`. */
  baseUrl: string
  /** The key to send. No error may contain it. */
  apiKey: string
  /** The longest time without a piece of a stream, in milliseconds, for adapters that have such a limit. */
  idleMs: number
}

/** Options of {@link providerChecks}. */
interface ProviderCheckOptions {
  /**
   * Why the adapter cannot read a server, by the name of the check: a sentence that says where its library makes it impossible. Such a
   * check passes as long as it fails, and fails as soon as the server is read.
   */
  impossible?: Readonly<Record<string, string>> | undefined
}

/** A check of one server. */
export interface ProviderCheck {
  /** What the server does. */
  name: string
  /** A public report of it, or a server that does it. */
  report: string
  /** Why the adapter cannot read it; null for others. */
  impossible: string | null
  /** Runs the check on a server on the loopback address. @throws {Error} that says what was expected and what came. */
  run(): Promise<void>
}

const KEY = 'K-SECRET-0123456789'
const IDLE_MS = 500
const LIMIT_MS = 10_000

/**
 * Returns a check for each server that answers otherwise than documented: numbers of calls, ends, errors, events. The servers are those of
 * public reports. Each check starts a server on the loopback address of Node, asks it once, and compares text, reasoning, calls, tokens,
 * finish reason, or kind and message of the error, which must not contain the key.
 * @param create - returns a model of the adapter for a server with the chat interface of OpenAI, which does not repeat its calls.
 * @throws {RangeError} if `impossible` names no check.
 * @example
 * class Deaf extends CustomLLM {
 *   readonly metadata = new LLMMetadata({ modelName: 'deaf' })
 *   async completeRequest(): Promise<never> {
 *     throw new Error('What?')
 *   }
 *   async *streamCompleteRequest(): AsyncGenerator<never> {
 *     throw new Error('What?')
 *   }
 * }
 * const [check] = providerChecks(() => new Deaf())
 * check!.name // => 'sends a call as documented'
 * await check!.run().catch(({ message }) => message) // => 'sends a call as documented: expected an answer, received the error "What?".'
 */
export function providerChecks(
  create: (server: CheckedServer) => BaseLLM | Promise<BaseLLM>,
  { impossible = {} }: ProviderCheckOptions = {},
): readonly ProviderCheck[] {
  const servers = [...callServers, ...textServers, ...errorServers]
  const unknown = Object.keys(impossible).find((name) => !servers.some((server) => server.name === name))
  if (unknown !== undefined) throw new RangeError(`providerChecks: impossible: no check has the name "${unknown}".`)
  return servers.map((server) => {
    const { name, report } = server
    const why = impossible[name] ?? null
    const run = async () => {
      const problem = await problemOf(server, create)
      if (why === null && problem) throw new Error(`${name}: ${problem}.`)
      if (why !== null && !problem)
        throw new Error(`${name}: expected to be impossible, but the server was read; remove it from impossible.`)
    }
    return { name, report, impossible: why, run }
  })
}

/** How an adapter does on the servers. */
export interface ProviderScore {
  /** The number of servers that were read as they should. */
  right: number
  /** The number of servers that the adapter's library makes impossible. */
  impossible: number
  /** The number of servers. */
  total: number
  /** One sentence for each server that was not read. */
  problems: readonly string[]
}

/**
 * Runs checks one after the other, and returns the score.
 * @example
 * const { total } = await providerScore([])
 * total // => 0
 */
export async function providerScore(checks: readonly ProviderCheck[]): Promise<ProviderScore> {
  const problems: string[] = []
  let impossible = 0
  for (const { name, impossible: why, run } of checks) {
    try {
      await run()
      if (why === null) continue
      impossible++
      problems.push(`${name}: ${why}`)
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  const total = checks.length
  return { right: total - problems.length, impossible, total, problems }
}

/** Returns what is wrong with the answer of an adapter; null if nothing is. */
async function problemOf(
  { isStream, body, expected }: OddServer,
  create: (server: CheckedServer) => BaseLLM | Promise<BaseLLM>,
): Promise<string | null> {
  const server = await startServer(body, KEY)
  try {
    const llm = await create({ baseUrl: server.baseUrl, apiKey: KEY, idleMs: IDLE_MS })
    const outcome = await outcomeOf(llm, isStream)
    if ('error' in outcome) return 'error' in expected ? wrongError(outcome.error, expected) : errorText(outcome.error)
    return 'error' in expected ? 'expected an error, received an answer' : wrongAnswer(outcome.response, expected)
  } finally {
    await server.stop()
  }
}

const tools = ['pay', 'look'].map((name) => ({
  type: 'function' as const,
  function: { name, description: name, parameters: { type: 'object', properties: { amount: { type: 'number' } } } },
}))

async function outcomeOf(llm: BaseLLM, isStream: boolean): Promise<{ response: ChatResponse } | { error: unknown }> {
  const options = { tools, signal: AbortSignal.timeout(LIMIT_MS) }
  const messages = [new ChatMessage({ content: 'Q' })]
  try {
    if (!isStream) return { response: await llm.chat(messages, options) }
    let last: ChatResponse | undefined
    for await (const response of llm.streamChat(messages, options)) last = response
    return last ? { response: last } : { error: new Error('an empty stream') }
  } catch (error) {
    return { error }
  }
}

function errorText(error: unknown): string {
  return `expected an answer, received the error ${JSON.stringify(Object(error).message ?? String(error))}`
}

function wrongError(error: unknown, { error: kinds, says, retryable }: ExpectedError): string | null {
  const { code, kind, message, retryable: isRetryable } = Object(error) as Record<string, unknown>
  const expected = [kinds].flat()
  if (code !== 'model_call') return `expected a ModelCallError, received ${String(error)}`
  if (!expected.includes(String(kind))) return `expected an error of kind ${expected.join(' or ')}, received ${kind}`
  if (says !== undefined && !String(message).includes(says))
    return `expected a message with "${says}", received ${JSON.stringify(message)}`
  if (retryable !== undefined && retryable !== isRetryable) return `expected retryable: ${retryable}`
  return contains(error, KEY) ? 'expected an error without the key, but it contains it' : null
}

/** Whether a value, one of its properties or one of its causes contains a string. */
function contains(value: unknown, secret: string, depth = 8): boolean {
  if (typeof value === 'string') return value.includes(secret)
  if (typeof value !== 'object' || value === null || depth === 0) return false
  const own = value instanceof Error ? [value.message, value.stack, value.cause] : []
  const items = value instanceof Headers || value instanceof Map ? [...value.entries()].flat() : []
  return [...own, ...items, ...Object.values(value)].some((item) => contains(item, secret, depth - 1))
}

function wrongAnswer(response: ChatResponse, expected: ExpectedAnswer): string | null {
  const { message } = response
  const usage = usageOf(response)
  const found: Required<ExpectedAnswer> = {
    text: messageText(message),
    reasoning: reasoningOf(message)
      .map(({ text }) => text)
      .join(''),
    calls: toolCallsOf(message).map(({ name, arguments: args }) => [name, compact(args)]),
    finish: String(finishReasonOf(response)),
    usage: [usage?.inputTokens ?? 0, usage?.outputTokens ?? 0],
  }
  for (const [field, value] of Object.entries(expected)) {
    const [wanted, received] = [value, found[field as keyof ExpectedAnswer]].map((it) => JSON.stringify(it))
    if (wanted !== received) return `${field}: expected ${shortened(wanted!)}, received ${shortened(received!)}`
  }
  return null
}

/** Returns the arguments as JSON text without spaces; text that is not JSON as it is. */
function compact(args: unknown): string {
  return JSON.stringify(typeof args === 'string' ? jsonOr(args, args) : args)
}

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** A server on the loopback address. */
interface LoopbackServer {
  baseUrl: string
  stop(): Promise<void>
}

/** Starts a server that answers every request with a body. @param key - replaces `KEY` in the body and in the headers. */
async function startServer(body: SentBody, key: string): Promise<LoopbackServer> {
  const { createServer } = await import('node:http')
  const { status = 200, type, headers = {}, pieces, end = 'end' } = body
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const isStream = text.includes('"stream":true')
    const media = type ?? (isStream ? 'text/event-stream' : 'application/json')
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replaceAll('KEY', key)])
    response.writeHead(status, { ...Object.fromEntries(sent), 'content-type': media })
    for (const piece of pieces) {
      await new Promise((resolve) =>
        response.write(typeof piece === 'string' ? piece.replaceAll('KEY', key) : piece, resolve),
      )
      if (pieces.length < 200) await new Promise(setImmediate)
    }
    if (end === 'end') response.end()
    else if (end === 'reset') response.destroy()
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
