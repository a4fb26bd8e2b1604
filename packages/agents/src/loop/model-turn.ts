/**
 * @module
 * One turn of the model: sends the request, whole or streamed, counts its tokens, and continues answers that were cut.
 */
import {
  addUsage,
  type CallOptions,
  ChatMessage,
  type ChatResponse,
  finishReasonOf,
  reasoningOf,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { raceAbort } from '@x/core-model/internal'
import type { StepOptions } from './agent-worker.ts'
import { type ModelReply, once, replyCodec } from './durable-calls.ts'
import { sendFitted } from './fit-request.ts'
import type { LiveText } from './live-text.ts'
import { CutAnswerError } from './loop-errors.ts'
import { replyText } from './reply-text.ts'
import type { Round } from './round.ts'
import type { ModelRequest } from './tool-calling-protocol.ts'
import { countTokens, estimatedUsage, limitsTokens } from './usage.ts'

/** The most pieces that one answer may be cut into, so that a model that never ends is stopped. */
const MAX_PARTS = 8

const CONTINUE = 'Continue exactly where you stopped. Do not repeat anything.'

/**
 * Asks the model, and reports its reasoning and usage.
 * @param live - receives the pieces of a stream; without it, the model is asked for the whole reply.
 * @throws {CutAnswerError} if the reply was cut or filtered and the policy is not to accept it.
 */
export async function askModel(round: Round, request: ModelRequest, live?: LiveText): Promise<ModelReply> {
  const sendPart = (part: number, messages: ChatMessage[]) =>
    sendFitted(round, { ...request, messages }, part, (fitted) => send(round, fitted, live))
  let reply = await sendPart(1, request.messages)
  for (let part = 2; isCut(reply, round); part++) {
    if (part > MAX_PARTS) throw cutError(round, reply)
    live?.continue()
    const messages = [...request.messages, reply.message, new ChatMessage({ role: 'user', content: CONTINUE })]
    reply = joined(reply, await sendPart(part, messages))
  }
  live?.end()
  const reasoning = reasoningOf(reply.message)
    .map(({ text }) => text)
    .join('\n')
  if (reasoning !== '') {
    round.context.onEvent?.({ type: 'reasoning', text: reasoning })
    round.worker.log(reasoning)
  }
  return reply
}

/** Sends one request. */
async function send(round: Round, request: ModelRequest, live: LiveText | undefined): Promise<ModelReply> {
  const { state, context, worker } = round
  const { budget } = worker.options
  state.usage.modelCalls++
  const number = ++round.modelCalls
  const ask = () => (live ? streamed(round, request, live) : whole(round, request))
  const reply = await once(round, number === 1 ? 'model' : `model-${number}`, ask, replyCodec)
  const { usage, message } = reply
  const used = usage ?? (limitsTokens(budget) ? estimatedUsage(request.messages, message) : null)
  if (used) countTokens(state.usage, used)
  context.onEvent?.({ type: 'usage', call: usage, total: { ...state.usage } })
  return reply
}

async function whole({ llm, context }: Round, { messages, options }: ModelRequest): Promise<ModelReply> {
  return replyOf(await raceAbort(llm.chat(messages, callOptions(options, context)), context.signal))
}

async function streamed(
  { llm, context }: Round,
  { messages, options }: ModelRequest,
  live: LiveText,
): Promise<ModelReply> {
  const { signal } = context
  const stream = await raceAbort(llm.streamChat(messages, callOptions(options, context)), signal)
  const chunks = stream[Symbol.asyncIterator]()
  let latest: ChatResponse | undefined
  let reply: ModelReply = {
    message: new ChatMessage({ role: 'assistant', content: '' }),
    usage: null,
    finishReason: null,
  }
  try {
    for (;;) {
      const next = await raceAbort(chunks.next(), signal)
      if (next.done) break
      latest = next.value
      if (live.read(latest)) break
      // Reads no faster than the events are consumed.
      const wait = context.ready?.()
      if (wait) await wait
    }
    if (latest) reply = replyOf(latest)
  } finally {
    void close(chunks)
  }
  return reply
}

/** Adds the signal and the parent event to the options of a call. */
function callOptions(options: CallOptions, { signal, parentId }: StepOptions): CallOptions {
  return { ...options, ...(signal && { signal }), ...(parentId !== undefined && { parentId }) }
}

function replyOf(response: ChatResponse): ModelReply {
  return { message: response.message, usage: usageOf(response), finishReason: finishReasonOf(response) }
}

/** Whether a reply must be continued. @throws {CutAnswerError} if it cannot be used. */
function isCut(reply: ModelReply, round: Round): boolean {
  const { onCutAnswer = 'raise' } = round.worker.options
  const { finishReason, message } = reply
  if (onCutAnswer === 'accept' || (finishReason !== 'length' && finishReason !== 'content_filter')) return false
  if (onCutAnswer === 'raise' || finishReason === 'content_filter') throw cutError(round, reply)
  // Arguments that are cut cannot be continued. The model receives the error that they cannot be parsed.
  return toolCallsOf(message).length === 0
}

function cutError({ task }: Round, { finishReason, message }: ModelReply): CutAnswerError {
  return new CutAnswerError(
    task.taskId,
    finishReason === 'content_filter' ? 'content_filter' : 'length',
    replyText(message),
  )
}

/** Joins a reply and its continuation. */
function joined(first: ModelReply, second: ModelReply): ModelReply {
  const [one, two] = [first.message.content, second.message.content]
  const content =
    typeof one === 'string' && typeof two === 'string'
      ? one + two
      : replyText(first.message) + replyText(second.message)
  const usage = first.usage && second.usage ? addUsage(first.usage, second.usage) : (first.usage ?? second.usage)
  return { message: second.message.copy({ update: { content } }), usage, finishReason: second.finishReason }
}

/** Closes a stream. The result does not depend on errors or delays of the model. */
async function close(chunks: AsyncIterator<ChatResponse>): Promise<void> {
  try {
    await chunks.return?.()
  } catch {}
}
