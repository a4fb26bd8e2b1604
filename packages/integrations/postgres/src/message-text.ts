/**
 * @module
 * A message of a conversation as the text that is stored.
 */
import { ChatMessage, readJsonText, writeJsonText } from '@x/core-model'
import { asRead } from '@x/core-model/python'

/** Returns the text of a message. A message that Python wrote keeps its form. */
export function textOf(message: ChatMessage): string {
  return writeJsonText(message.toDict({ line: asRead }))
}

/** Returns the message of a row. */
export function messageOf({ message }: { message?: unknown }): ChatMessage {
  return readMessage(String(message))
}

/** Returns the message from its JSON text. */
export function readMessage(text: string): ChatMessage {
  return ChatMessage.fromDict(readJsonText(text))
}
