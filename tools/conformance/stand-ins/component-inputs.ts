/** Inputs of query components in the cases of prompts and models. */
import { ChatResponse, CompletionResponse, type Dict } from '@x/core-model'
import { isObject } from '../given.ts'
import { type MessageRecord, messagesOf } from './messages.ts'

function componentInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(componentInput)
  if (!isObject(value)) return value
  if ('$chat_response' in value)
    return new ChatResponse({ message: { role: 'assistant', content: value['$chat_response'] as string } })
  if ('$completion_response' in value) return new CompletionResponse({ text: value['$completion_response'] as string })
  return '$messages' in value ? messagesOf(value['$messages'] as MessageRecord[]) : value
}

/** Inputs; `$chat_response`, `$completion_response` and `$messages` stand for such objects, also in lists. */
export const componentInputs = (inputs: Dict): Dict =>
  Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, componentInput(value)]))
