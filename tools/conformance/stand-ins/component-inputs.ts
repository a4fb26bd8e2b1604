/** Inputs of query components in the cases of prompts and models. */
import { ChatResponse, CompletionResponse, type Dict } from '@x/core-model'
import { dictionary, isObject, list, nullable, type Reader, string } from '../reader.ts'
import { message, messageOf } from './messages.ts'

const componentInput: Reader<unknown> = (value, at) => {
  if (Array.isArray(value)) return list(componentInput)(value, at)
  if (!isObject(value)) return value
  if ('$chat_response' in value) {
    const content = nullable(string)(value['$chat_response'], at.child('$chat_response'))
    return new ChatResponse({ message: { role: 'assistant', content } })
  }
  if ('$completion_response' in value) {
    const text = string(value['$completion_response'], at.child('$completion_response'))
    return new CompletionResponse({ text })
  }
  if ('$messages' in value) return list(message)(value['$messages'], at.child('$messages')).map(messageOf)
  return value
}

/** Reads inputs; `$chat_response`, `$completion_response` and `$messages` stand for such objects, also in lists. */
export const componentInputs: Reader<Dict> = dictionary(componentInput)
