/**
 * @module
 * The ids of the tool calls of a turn.
 */
import type { ChatMessage } from '@x/core-model'
import type { ToolCall } from '../task/agent-event.ts'
import type { LoopState } from './loop-state.ts'

/** The ids that every provider accepts. */
const FITS = /^[\w-]{1,40}$/

/** Creates the ids and places of the calls of a turn. Ids are unique within the request, and every provider accepts them. */
export class CallIds {
  private readonly state: LoopState
  /** The messages of the request, before some are left out. */
  messages: readonly ChatMessage[] | undefined
  private readonly stepNumber: number
  private readonly suffix: string
  private readonly ids: string[] = []
  /** What layers note during the step, by their own keys. */
  readonly notes: Record<symbol, unknown> = {}
  /** What layers count during the step, by their own keys. */
  readonly counts: Record<symbol, number> = {}

  /** @param suffix - of the ids that are made, where the messages of a chat do not say which are used. */
  constructor(state: LoopState, stepNumber: number, suffix = '') {
    this.state = state
    this.stepNumber = stepNumber
    this.suffix = suffix
  }

  /** Returns the id of the provider if it fits and is new, otherwise `call_<step>_<position>`, with a number if that is not new either. */
  id(providerId: string | null, position: number): string {
    this.ids[position] ??=
      providerId && FITS.test(providerId) && !this.isUsed(providerId) ? providerId : this.newId(position)
    return this.ids[position]
  }

  private newId(position: number): string {
    const own = `call_${this.stepNumber}_${position}${this.suffix}`
    if (!this.isUsed(own)) return own
    const used = new Set(this.ids)
    for (const { additionalKwargs } of this.sent) used.add(additionalKwargs['tool_call_id'] as string)
    for (let n = 2; ; n++) if (!used.has(`${own}_${n}`)) return `${own}_${n}`
  }

  /** Returns the position of a call in its turn. */
  positionOf({ id }: ToolCall): number {
    return this.ids.indexOf(id)
  }

  /** Returns the calls with their ids and places in the task. */
  assign(calls: readonly ToolCall[]): (ToolCall & { place: string })[] {
    return calls.map((call, position) => {
      const id = this.id(call.id, position)
      return {
        ...call,
        id,
        place: `${this.stepNumber}/${position}`,
        ...(call.id !== '' && call.id !== id && { providerId: call.id }),
      }
    })
  }

  private isUsed(id: string): boolean {
    if (this.ids.includes(id)) return true
    // A loop without allocations, because long tasks have thousands of messages.
    for (const { role, additionalKwargs } of this.sent)
      if (role !== 'user' && role !== 'assistant' && additionalKwargs['tool_call_id'] === id) return true
    return false
  }

  private get sent(): readonly ChatMessage[] {
    return this.messages ?? this.state.new_memory.getAll()
  }
}
