/**
 * @module
 * The part of a journal that belongs to the agent behind a tool call.
 */
import type { Durable, JournalPort } from './durable.ts'
import { type Journal, type JournalPart, journalOf } from './journal.ts'

/** A port for the durable calls inside the call of a tool. Their names start with the name of that call. */
export class InnerPort implements JournalPart {
  private readonly outer: Durable
  private readonly name: string
  private failure: { error: unknown } | undefined

  /** @param place - `<step>/<position>` of the call. */
  constructor(outer: Durable, place: string) {
    this.outer = outer
    this.name = `step-${place.replace('/', '/tool-')}`
  }

  get taskStore(): Journal | undefined {
    return journalOf(this.outer)
  }

  /** The port, with the code of the outer one. */
  get durable(): JournalPort {
    const call: Durable = async (name, fn) => {
      try {
        return await this.outer(`${this.name}/${name}`, fn)
      } catch (error) {
        this.failure ??= { error }
        throw error
      }
    }
    return Object.assign(call, { journal: this.taskStore })
  }

  check(): void {
    if (this.failure) throw this.failure.error
  }
}
