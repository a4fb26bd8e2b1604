/** Chat messages of the cases. */
import { ChatMessage, type ChatMessageOptions, type Dict } from '@x/core-model'

/** A message record; absent keys have the defaults of the library. */
export interface MessageRecord {
  role?: ChatMessageOptions['role']
  content?: ChatMessageOptions['content']
  additional_kwargs?: ChatMessageOptions['additionalKwargs']
}

export function messageOf({ role, content, additional_kwargs: additionalKwargs }: MessageRecord): ChatMessage {
  return new ChatMessage({ role, content, additionalKwargs })
}

export const messagesOf = (records: readonly MessageRecord[] = []): ChatMessage[] => records.map(messageOf)

/** Whole wire forms. */
export const dictsOf = (messages: readonly ChatMessage[]): Dict[] => messages.map((each) => each.toDict())

/** The wire form without empty `additional_kwargs`. */
export function messageRecord({ role, content, additionalKwargs }: ChatMessage): MessageRecord {
  return { role, content, ...(Object.keys(additionalKwargs).length > 0 && { additional_kwargs: additionalKwargs }) }
}
