/** Messages, responses, and the values of enumerations. */
import {
  ChatResponse,
  CompletionResponse,
  chatToCompletionResponse,
  completionToChatResponse,
  eventTypes,
  messageRoles,
  programModes,
  similarityModes,
} from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { anything, named, shape } from '../../reader.ts'
import { message, messageOf } from '../../stand-ins/messages.ts'

const enumeration = named<readonly string[]>({
  MessageRole: messageRoles,
  PydanticProgramMode: programModes,
  EventType: eventTypes,
  SimilarityMode: similarityModes,
})

export const messages: Operations = {
  'ChatMessage.str': operation(shape({ values: message }), ({ values }) => String(messageOf(values))),

  'llms.completion_response_to_chat_response': operation(shape({ response: anything }), ({ response }) =>
    completionToChatResponse(CompletionResponse.fromDict(response)).toDict(),
  ),

  'llms.chat_response_to_completion_response': operation(shape({ response: anything }), ({ response }) =>
    chatToCompletionResponse(ChatResponse.fromDict(response)).toDict(),
  ),

  'enum.values': operation(shape({ enum: enumeration }), (given) => [...given.enum]),
}
