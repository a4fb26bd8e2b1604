import { type BaseMemory, ChatMessage, Model } from '@x/core-model'
import { array, fields, integer, nested } from '@x/core-model/fields'

/** A memory of which a model sees the last messages. */
export class WindowMemory
  extends /* @__PURE__ */ fields(Model, 'WindowMemory', {
    /** The number of messages that a model sees. */
    size: /* @__PURE__ */ integer({ minimum: 1, default: 10 }),
    /** All messages. */
    messages: /* @__PURE__ */ array(/* @__PURE__ */ nested(ChatMessage), { default: [] }),
  })
  implements BaseMemory
{
  get(): ChatMessage[] {
    return this.messages.slice(-this.size)
  }

  getAll(): ChatMessage[] {
    return [...this.messages]
  }

  put(message: ChatMessage): void {
    this.messages.push(message)
  }

  set(messages: readonly ChatMessage[]): void {
    this.messages = [...messages]
  }

  reset(): void {
    this.messages = []
  }

  fresh(): WindowMemory {
    return new WindowMemory({ size: this.size })
  }

  clone(): WindowMemory {
    return this.copy({ deep: true })
  }
}
