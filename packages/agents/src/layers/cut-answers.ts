/**
 * @module
 * Replies that were cut at a token limit, or stopped by a content filter.
 */
import { invalidOption } from '@x/core/options'
import { ChatMessage, toolCallsOf } from '@x/core-model'
import type { CallModel, Layer, ModelReply, Scope, StepRequest } from '../loop/layer.ts'
import { CutAnswerError } from '../loop/loop-errors.ts'
import { replyEnd, replyText, replyUsage, usageTogether } from '../loop/reply.ts'

/** The most pieces that one answer may be cut into, so that a model that never ends is stopped. */
const MAX_PARTS = 8

const CONTINUE = 'Continue exactly where you stopped. Do not repeat anything.'

/**
 * What to do with a reply that was cut: throw `cut_answer`, or ask the model to continue.
 * @throws {ModelValidationError} if the policy is another one.
 */
export function cutAnswers(policy: 'raise' | 'continue' = 'raise'): Layer {
  if (policy !== 'raise' && policy !== 'continue')
    throw invalidOption('cutAnswers', 'policy', '"raise" or "continue"', policy)
  return {
    rank: 33,
    reply: (reply, request, scope, ask) =>
      isCut(reply, policy, scope.task.taskId) ? continued(reply, request, scope, ask) : reply,
  }

  async function continued(first: ModelReply, request: StepRequest, scope: Scope, ask: CallModel): Promise<ModelReply> {
    const { taskId } = scope.task
    let reply = first
    for (let part = 2; isCut(reply, policy, taskId); part++) {
      if (part > MAX_PARTS) throw cutError(taskId, reply)
      const messages = [...request.messages, reply.message, new ChatMessage({ role: 'user', content: CONTINUE })]
      reply = joined(reply, await ask({ ...request, messages }, scope))
    }
    return reply
  }
}

/** Whether a reply must be continued. @throws {CutAnswerError} if it cannot be used. */
function isCut(reply: ModelReply, policy: 'raise' | 'continue', taskId: string): boolean {
  const { message } = reply
  const finishReason = replyEnd(reply)
  if (finishReason !== 'length' && finishReason !== 'content_filter') return false
  if (policy === 'raise' || finishReason === 'content_filter') throw cutError(taskId, reply)
  // Arguments that are cut cannot be continued. The model receives the error that they cannot be parsed.
  return toolCallsOf(message).length === 0
}

function cutError(taskId: string, reply: ModelReply): CutAnswerError {
  const { message } = reply
  const finishReason = replyEnd(reply)
  return new CutAnswerError(taskId, finishReason === 'content_filter' ? 'content_filter' : 'length', replyText(message))
}

/** Joins a reply and its continuation. */
function joined(first: ModelReply, second: ModelReply): ModelReply {
  const [one, two] = [first.message.content, second.message.content]
  const content =
    typeof one === 'string' && typeof two === 'string'
      ? one + two
      : replyText(first.message) + replyText(second.message)
  const usage = usageTogether(replyUsage(first), replyUsage(second))
  return { message: second.message.copy({ update: { content } }), usage, finishReason: replyEnd(second) }
}
