/** Messages, responses, and the values of enumerations. */
import {
  ChatResponse,
  CompletionResponse,
  chatToCompletionResponse,
  completionToChatResponse,
  eventTypes,
  messageRoles,
  similarityModes,
} from '@x/core-model'
import { programModes } from '@x/llm'
import type { Operations } from '../../case.ts'
import { named } from '../../given.ts'
import { type MessageRecord, messageOf } from '../../stand-ins/messages.ts'

const enumerations: Readonly<Record<string, readonly string[]>> = {
  MessageRole: messageRoles,
  PydanticProgramMode: programModes,
  EventType: eventTypes,
  SimilarityMode: similarityModes,
}

export const messages: Operations = {
  'ChatMessage.str': ({ values }: { values: MessageRecord }) => String(messageOf(values)),

  'llms.completion_response_to_chat_response': ({ response }: { response: object }) =>
    completionToChatResponse(CompletionResponse.fromDict(response)).toDict(),

  'llms.chat_response_to_completion_response': ({ response }: { response: object }) =>
    chatToCompletionResponse(ChatResponse.fromDict(response)).toDict(),

  'enum.values': (given: { enum: string }) => [...named(enumerations, given.enum)],
}
