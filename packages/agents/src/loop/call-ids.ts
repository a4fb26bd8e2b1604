/**
 * @module
 * The ids of the tool calls of a turn.
 */
import type { ToolCall } from '../task/agent-event.ts'
import type { LoopState } from './loop-state.ts'

/** Creates the ids and places of the calls of a turn. Ids are unique within the task. */
export class CallIds {
  private readonly state: LoopState
  private readonly stepNumber: number
  private readonly ids: string[] = []
  /** What layers note during the step, by their own keys. */
  readonly notes: Record<symbol, unknown> = {}

  constructor(state: LoopState, stepNumber: number) {
    this.state = state
    this.stepNumber = stepNumber
  }

  /** Returns the id of the provider if it is new in the task, otherwise `call_<step>_<position>`. */
  id(providerId: string | null, position: number): string {
    this.ids[position] ??= providerId && !this.isUsed(providerId) ? providerId : `call_${this.stepNumber}_${position}`
    return this.ids[position]
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
    for (const { additionalKwargs } of this.state.new_memory.getAll())
      if (additionalKwargs['tool_call_id'] === id) return true
    return false
  }
}
