/**
 * @module
 * Converts answers of the AI SDK, whole or in parts, to responses.
 */
import { AnswerBuilder, type ChatResponse, usageOf } from '@x/core-model'
import type { AiSdkPart, AiSdkResult } from './model-types.ts'

/** Returns the response for a whole answer. */
export function responseOf({ content, finishReason, usage }: AiSdkResult): ChatResponse {
  const answer = new AnswerBuilder()
  for (const [index, part] of content.entries()) addPart(answer, { id: String(index), ...part })
  addPart(answer, { type: 'finish', finishReason, usage })
  return answer.response()
}

/** Adds a part of an answer or of a stream. Calls of tools that the provider runs itself are left out. */
export function addPart(answer: AnswerBuilder, part: AiSdkPart): void {
  const { type, id = '', text, delta = '', toolCallId = '', toolName, input, providerMetadata: metadata } = part
  if (part.providerExecuted) return
  if (type === 'text' || type === 'text-delta') answer.addText(text ?? delta)
  else if (type.startsWith('reasoning')) answer.addReasoning(text ?? delta, id, metadata)
  else if (type === 'tool-input-start' || type === 'tool-input-delta')
    answer.addToolCall({ key: id, id, name: toolName, arguments: delta })
  else if (type === 'tool-call') {
    const json = typeof input === 'string' ? input : JSON.stringify(input ?? {})
    answer.addToolCall({ key: toolCallId, id: toolCallId, name: toolName, arguments: json, isWhole: true, metadata })
  } else if (type === 'finish') {
    answer.setUsage(usageOf({ raw: { usage: part.usage }, additionalKwargs: {} }))
    const { finishReason: reason } = part
    answer.finish(typeof reason === 'string' ? reason : ((reason as { unified?: string } | null)?.unified ?? 'other'))
  }
}
