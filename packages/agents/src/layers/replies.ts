/**
 * @module
 * What a reply of the model reports, and replies that are no answer: a call that fails is repeated, a reply that was paused or cut is
 * continued, and after an empty one the model is asked once more.
 */

import { checkOption, checkOptions, choice } from '@x/core/options'
import { lazy } from '@x/core/values'
import {
  addUsage,
  type BaseLLM,
  ChatMessage,
  type FinishReason,
  finishReasonOf,
  messageParts,
  type RepeatOptions,
  reasoningOf,
  type StoredPart,
  type TokenUsage,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { RetryPolicy, repeatOptions } from '@x/core-model/async'
import type { CallModel, Layer, ModelReply, Scope, StepRequest } from '../loop/layer.ts'
import { CutAnswerError, InvalidAgentOutputError } from '../loop/loop-errors.ts'
import { replyText, type SavedReply } from '../loop/reply.ts'
import type { ModelTurn } from '../loop/tool-calling-protocol.ts'
import { errorData } from '../task/agent-event.ts'

/** Returns the tokens of a reply; null if the model reports none. */
export function replyUsage({ usage, response }: ModelReply): TokenUsage | null {
  return usage !== undefined || !response ? (usage ?? null) : usageOf(response)
}

/** Returns the tokens of two calls together; null if neither reports any. */
export function usageTogether(one: TokenUsage | null, other: TokenUsage | null): TokenUsage | null {
  return one && other ? addUsage(one, other) : (one ?? other)
}

/** Returns why a reply ended; null if the model does not report it. */
function replyEnd({ finishReason, response }: ModelReply): FinishReason | null {
  return finishReason !== undefined || !response ? (finishReason ?? null) : finishReasonOf(response)
}

/** Returns a reply in the form in which it is saved. @param tools - of its request */
export function savedReply(tools: StepRequest['tools'], reply: ModelReply): SavedReply {
  const asking: string[] = []
  for (const { needsApproval, isExternal, metadata } of tools)
    if (needsApproval || isExternal) asking.push(metadata.name ?? '')
  return { message: reply.message, usage: replyUsage(reply), finishReason: replyEnd(reply), asking }
}

const EMPTY = 'Your reply was empty. Write your answer, or call a tool.'

/**
 * Repeats calls of the model that fail with a retryable error, also a stream that breaks, and reports each repetition as the event
 * `turn_restarted`. No tool of the turn has run at that time. Asks once more after a reply with neither text nor calls; a second one throws
 * `invalid_agent_output`. Continues a reply that the provider paused. Agents have this layer: see their option `retries`.
 *
 * Nothing is repeated where an engine such as Restate makes the calls, which repeats them itself, or if the stream that broke contains a
 * call that the provider ran. A model of `withRetry` repeats its own calls, except streams that break.
 * @throws {ModelValidationError} if options are unknown or out of range.
 * @example
 * const busy = new ModelCallError('busy', { kind: 'rate_limit', retryAfterMs: 1 })
 * const loop = reactLoop({ llm: new ScriptedLLM({ answers: [busy, 'Answer: four'] }), layers: [retries()] })
 * const { text } = await loop.run('2 + 2?')
 * text // => 'four'
 */
export function retries(options?: RepeatOptions): readonly Layer[] {
  if (!options) return [repetition(byDefault), pausedTurns, emptyReplies]
  checkOptions('retries', options, repeatOptions)
  const policy = new RetryPolicy('retries', options)
  return [repetition(() => policy), pausedTurns, emptyReplies]
}

const byDefault = lazy(() => new RetryPolicy('retries', {}))

function repetition(policy: () => RetryPolicy): Layer {
  return {
    name: 'retries',
    rank: 75,
    model: (next) => async (request, scope) => {
      if (scope.isRepeated) return next(request, scope)
      const failed = new FailedReplies()
      const onBroken = (last: ModelReply) => {
        failed.add(last)
        scope.onBroken?.(last)
      }
      const inner = { ...scope, onBroken }
      let wait: ((error: unknown) => Promise<void>) | undefined
      for (;;) {
        try {
          const reply = await next(request, inner)
          return failed.usage ? { ...reply, usage: usageTogether(failed.usage, replyUsage(reply)) } : reply
        } catch (error) {
          if (failed.ranCall || (repeatsItself(request.llm) && !failed.isBroken)) throw error
          failed.isBroken = false
          wait ??= policy().waits(scope.signal, ({ attempt, delayMs, error }) => {
            scope.emit?.({ type: 'turn_restarted', attempt, delayMs, error: errorData(error) })
          })
          await wait(error)
        }
      }
    },
  }
}

/** Whether a model is made by `withRetry`, which repeats everything but streams that break. */
function repeatsItself(llm: BaseLLM): boolean {
  for (let one: { wrapped?: unknown; retry?: unknown } | undefined = llm as object; one; one = one.wrapped as object)
    if (one.retry) return true
  return false
}

/** What is known of the replies of a turn whose streams broke. */
class FailedReplies {
  /** Whether the last attempt was a stream that broke. */
  isBroken = false
  /** Whether the provider ran a call, which may have had an effect. */
  ranCall = false
  /** The tokens of the failed replies. */
  usage: TokenUsage | null = null

  readonly add = (last: ModelReply): void => {
    this.isBroken = true
    this.ranCall ||= last.message.parts?.some(isCallOfProvider) ?? false
    this.usage = usageTogether(this.usage, replyUsage(last))
  }
}

/** Whether a part is a call that the provider ran, or its result; a part may also be data about the answer. */
function isCallOfProvider(part: StoredPart): boolean {
  if (part.type !== 'provider') return false
  const { type, kind, content } = part.data
  const blocks = Array.isArray(content) ? content.map((block) => Object(block).type as unknown) : []
  return [type, kind, ...blocks].some((name) => /call|tool[-_](?:use|result)/.test(String(name)))
}

/** A protocol that reports an empty reply to the model itself does so once. */
const emptyReplies: Layer = {
  rank: 31,
  reply: (reply, request, scope, ask) => {
    if (!isEmpty(reply) || scope.loop.protocol.read(reply.message, false).kind !== 'answer') return reply
    const messages = [...request.messages, new ChatMessage({ role: 'user', content: EMPTY })]
    return ask({ ...request, messages }, scope).then((second) => {
      if (isEmpty(second)) throw emptyError(scope)
      return second
    })
  },
  read: (next) => (message, scope) => {
    const turn = next(message, scope)
    const isUsual = 'kind' in turn && turn.kind !== 'unreadable' && !scope.state.was_empty
    return isUsual ? turn : noteEmpty(turn, scope)
  },
}

/** @throws {InvalidAgentOutputError} for a second empty reply. */
async function noteEmpty(reading: ModelTurn | Promise<ModelTurn>, scope: Scope): Promise<ModelTurn> {
  const turn = await reading
  const { state } = scope
  if (turn.kind === 'unreadable' && (turn.text ?? '').trim() === '') {
    if (state.was_empty) throw emptyError(scope)
    state.was_empty = true
  } else delete state.was_empty
  return turn
}

/** Whether a reply has nothing for the user or the loop. A reply that was cut or refused is a case of its own. */
function isEmpty(reply: ModelReply): boolean {
  const { message } = reply
  const { content, additionalKwargs, parts } = message
  if (typeof content === 'string' && content.trim() !== '') return false
  const { tool_calls: calls, refusal } = additionalKwargs
  if ((Array.isArray(calls) && calls.length > 0) || replyText(message).trim() !== '') return false
  const end = replyEnd(reply)
  if (end === 'length' || end === 'content_filter' || refusal) return false
  const all: readonly { readonly type: string }[] = [...(parts ?? []), ...(Array.isArray(content) ? content : [])]
  return all.every(({ type }) => type === 'text' || type === 'reasoning')
}

function emptyError({ task }: Scope): InvalidAgentOutputError {
  return new InvalidAgentOutputError(
    `Task "${task.taskId}": the model replied with neither text nor tool calls, also after it was asked again.`,
  )
}

/** The most pieces of one reply, so that a provider that always pauses, or a model that never ends, is stopped. */
const MAX_PAUSES = 32
const MAX_CUTS = 8

/** Continues a reply that the provider paused. The history contains one message for all of its pieces. */
export const pausedTurns: Layer = {
  rank: 34,
  reply: (reply, request, scope, ask) => {
    if (replyEnd(reply) !== 'pause') return reply
    return (async () => {
      let whole = reply
      for (let part = 1; replyEnd(whole) === 'pause' && part < MAX_PAUSES; part++) {
        const messages = [...request.messages, whole.message]
        const next = await ask({ ...request, messages }, scope)
        whole = joined(whole, next, oneMessage(whole.message, next.message))
      }
      return whole
    })()
  },
}

/** Returns the message of two pieces of a reply that was paused. */
function oneMessage(one: ChatMessage, two: ChatMessage): ChatMessage {
  const { reasoning: _, ...additionalKwargs } = { ...one.additionalKwargs, ...two.additionalKwargs }
  const parts = [one, two].flatMap((message) =>
    messageParts(message).map((part) => (part.type === 'tool_call' ? { type: part.type } : part)),
  )
  const content = replyText(one) + replyText(two)
  return new ChatMessage({ role: 'assistant', content, additionalKwargs, parts })
}

/** Returns two pieces of a reply as one, whose message is given. */
function joined(first: ModelReply, second: ModelReply, message: ChatMessage): ModelReply {
  return { message, usage: usageTogether(replyUsage(first), replyUsage(second)), finishReason: replyEnd(second) }
}

const CONTINUE = 'Continue exactly where you stopped. Do not repeat anything.'

/**
 * What to do with a reply that was cut: throw `cut_answer`, or ask the model to continue.
 * @throws {ModelValidationError} if the policy is another one.
 */
export function cutAnswers(policy: 'raise' | 'continue' = 'raise'): Layer {
  checkOption('cutAnswers', 'policy', policy, choice('raise', 'continue'))
  return {
    rank: 33,
    reply: (reply, request, scope, ask) =>
      isCut(reply, policy, scope.task.taskId) ? continued(reply, request, scope, ask) : reply,
  }

  async function continued(first: ModelReply, request: StepRequest, scope: Scope, ask: CallModel): Promise<ModelReply> {
    const { taskId } = scope.task
    let reply = first
    for (let part = 2; isCut(reply, policy, taskId); part++) {
      const text = replyText(reply.message)
      if (part > MAX_CUTS) throw new CutAnswerError(taskId, 'length', text)
      const messages = [...request.messages, reply.message, new ChatMessage({ role: 'user', content: CONTINUE })]
      const next = await ask({ ...request, messages }, scope)
      const content = text + replyText(next.message)
      reply = joined(reply, next, next.message.copy({ update: { content } }))
    }
    return reply
  }
}

/** Whether a reply must be continued. @throws {CutAnswerError} if it cannot be used. */
function isCut(reply: ModelReply, policy: 'raise' | 'continue', taskId: string): boolean {
  const { message } = reply
  const reason = replyEnd(reply)
  if (reason !== 'length' && reason !== 'content_filter') return false
  if (policy === 'raise' || reason === 'content_filter') throw new CutAnswerError(taskId, reason, replyText(message))
  // Arguments that are cut cannot be continued. The model receives the error that they cannot be parsed.
  return toolCallsOf(message).length === 0
}

/** Reports the whole reasoning of a reply as an event. @param log - receives it too. */
export function reasoning(log?: (text: string) => void): Layer {
  return {
    rank: 32,
    reply: (reply, _request, { emit }) => {
      const parts = emit || log ? reasoningOf(reply.message) : []
      if (parts.length === 0) return reply
      const text = parts.map((part) => part.text).join('\n')
      emit?.({ type: 'reasoning', text })
      log?.(text)
      return reply
    },
  }
}
