/**
 * @module
 * The messages of a loop without a runner.
 */
import type { ChatMessage } from '@x/core-model'
import type { MessageList } from '../task/task-like.ts'

/** Messages without a limit or a store. */
export class Transcript implements MessageList {
  private messages: ChatMessage[]

  constructor(messages: readonly ChatMessage[] = []) {
    this.messages = [...messages]
  }

  get(): ChatMessage[] {
    return this.messages
  }

  getAll(): ChatMessage[] {
    return this.messages
  }

  put(message: ChatMessage): void {
    this.messages.push(message)
  }

  /** Returns a list that changes independently. */
  clone(): Transcript {
    return new Transcript(this.messages)
  }

  set(messages: readonly ChatMessage[]): void {
    this.messages = [...messages]
  }
}
