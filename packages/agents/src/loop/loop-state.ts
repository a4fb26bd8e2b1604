/**
 * @module
 * The state of a loop: the extra state that tasks of all agents with tools have in common, and the ids of the calls of a step.
 */
import type { ChatMessage, ToolOutput } from '@x/core-model'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { AllowedTool } from '../task/approval-record.ts'
import type { MessageList, TaskLike } from '../task/task-like.ts'
import type { TaskUsage } from '../task-usage.ts'
import type { LeftOutMessages } from './context-window.ts'
import type { ToolCallingProtocol } from './tool-calling-protocol.ts'

/** The extra state that all these agents have in common. (A type, because TypeScript 5 takes no interface for a record.) */
export type LoopState = {
  /** The name of the protocol. */
  protocol: string
  /** The outputs of all tool calls. */
  sources: ToolOutput[]
  /** The messages of the task, which are added to the conversation at its end. */
  new_memory: MessageList
  /** How often the model was asked. */
  n_iterations: number
  /** How many tool calls count towards the limit. */
  n_function_calls: number
  usage: TaskUsage
  /** What the calls of the step that runs, or failed, are counted with, by name: a repeated step counts only what is new. */
  counted?: Record<string, TaskUsage> | undefined
  /** Calls that wait for approval, and the other calls of their turn. */
  pending_calls?: PendingToolCall[] | undefined
  /** The steps with calls as a page shows them, of a turn in a chat store, for protocols whose messages have no calls. */
  shown_steps?: ChatMessage[] | undefined
  /** Tools that no longer need approval in this task. */
  allowed_tools?: AllowedTool[] | undefined
  /** How often the answer did not match the output schema. */
  output_repairs?: number | undefined
  /** The last failed call and the number of its consecutive failures. */
  failing_call?: { key: string; times: number } | undefined
  /** The messages that requests leave out because the context window has no room for them. */
  left_out?: LeftOutMessages | undefined
  /** Whether the next model call is the last one. */
  last_call?: boolean | undefined
  /** Whether the last reply was empty. */
  was_empty?: boolean | undefined
}

/** Returns the state of a new task. @param new_memory - for the messages of the task. */
export function newLoopState(
  protocol: Pick<ToolCallingProtocol, 'name' | 'initialState'>,
  new_memory: MessageList,
): Record<string, unknown> {
  return {
    protocol: protocol.name,
    sources: [],
    new_memory,
    n_iterations: 0,
    n_function_calls: 0,
    ...protocol.initialState(),
  }
}

/** Returns the state of a running task. */
export function loopState<State extends LoopState = LoopState>({ extraState }: Pick<TaskLike, 'extraState'>): State {
  return extraState as unknown as State
}

/** Whether a value has the type of an example: arrays contain objects, plain objects have the keys of the example. */
export function isStateLike(value: unknown, example: unknown): boolean {
  if (typeof value !== typeof example || value?.constructor !== example?.constructor) return false
  if (Array.isArray(value)) return value.every((item) => typeof item === 'object' && item !== null)
  if (example?.constructor !== Object) return true
  return Object.entries(example).every(([key, item]) => isStateLike((value as Record<string, unknown>)[key], item))
}

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
  /** Whether the step repeats what an interrupted attempt has done, which may have begun the calls that follow. */
  isReplayed = false
  /** The names of the tools whose calls may have to wait, as they were when the model replied. */
  asking: readonly string[] | undefined
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

  /** Returns the calls with their ids and places in the task. @param asking - see the field */
  assign(calls: readonly ToolCall[], asking?: readonly string[]): (ToolCall & { place: string })[] {
    this.asking = asking
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
