/** Chat messages of the cases. */
import { ChatMessage, type ChatMessageOptions, type Dict } from '@x/core-model'
import { argument, type Read, shape } from '../reader.ts'

/** A message record; absent keys have the defaults of the library. */
export const message = shape({
  role: argument<ChatMessageOptions['role']>(),
  content: argument<ChatMessageOptions['content']>(),
  additional_kwargs: argument<ChatMessageOptions['additionalKwargs']>(),
})

export type MessageRecord = Read<typeof message>

export function messageOf({ role, content, additional_kwargs: additionalKwargs }: MessageRecord): ChatMessage {
  return new ChatMessage({ role, content, additionalKwargs })
}

/** Whole wire forms. */
export const dictsOf = (messages: readonly ChatMessage[]): Dict[] => messages.map((each) => each.toDict())

/** The wire form without empty `additional_kwargs`. */
export function messageRecord({ role, content, additionalKwargs }: ChatMessage): MessageRecord {
  return { role, content, ...(Object.keys(additionalKwargs).length > 0 && { additional_kwargs: additionalKwargs }) }
}
