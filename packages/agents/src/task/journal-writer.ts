/**
 * @module
 * Writes the changes of a task as entries of its journal. Each value and each item of an array is written once.
 */
import { type ChatMessage, type Dict, writeJsonText } from '@x/core-model'
import type { TaskState } from './agent-state.ts'
import type { JournalEvent, StateChange } from './journal-entry.ts'
import type { ListTable } from './list-table.ts'
import type { SavedClasses } from './saved-classes.ts'
import { type SavedTask, SavedTaskWriter } from './saved-task.ts'
import type { TaskStep, TaskStepOutput } from './task-step.ts'

/** The extra state in JSON, each value with its text. */
type WrittenState = ReadonlyMap<string, { value: unknown; text: string }>

/** Steps that ran together. */
export interface StepsDone {
  steps: readonly TaskStep[]
  outputs: readonly TaskStepOutput[]
  failed: readonly TaskStep[]
}

/** Writes the entries of one task. Each is followed by {@link commit} or {@link discard}. */
export class JournalWriter {
  private readonly parts: SavedTaskWriter
  private state: WrittenState = new Map()
  private staged: WrittenState | undefined
  /** The states that can be restored, the oldest first, in JSON. */
  private restorable: Dict[]

  /**
   * @param saved - the task in JSON, if it was loaded.
   * @param lists - the arrays in it.
   */
  constructor(classes: SavedClasses, saved?: Pick<SavedTask, 'task' | 'undo'>, lists?: ListTable) {
    this.parts = new SavedTaskWriter(classes, lists)
    if (saved) this.state = textsOf(saved.task.extra_state as Dict)
    this.restorable = saved ? saved.undo.map(({ extra_state }) => extra_state as Dict) : []
  }

  /** Returns the task of the first entry. */
  task(state: TaskState, conversation: readonly ChatMessage[]): SavedTask {
    const saved = this.parts.task(state, conversation)
    this.staged = textsOf(saved.task.extra_state as Dict)
    this.restorable = saved.undo.map(({ extra_state }) => extra_state as Dict)
    return saved
  }

  /**
   * Returns the entry for steps that start.
   * @param extraState - the state before the steps. Its arrays are the same objects as in the last entry, so that comparing is cheap.
   */
  start(extraState: Dict, steps: { step_id: string; number: number }[]): JournalEvent {
    return { type: 'step_start', steps, state: this.change(extraState) }
  }

  /** Returns the entry for completed steps. */
  step(state: TaskState, { steps, outputs, failed }: StepsDone): JournalEvent {
    const first = state.completedSteps.length - outputs.length
    const event = {
      failed: failed.map(({ stepId }) => stepId),
      steps: steps.map((step) => this.parts.step(step)),
      outputs: outputs.map((output, i) => this.parts.output(output, `completedSteps[${first + i}]`)),
      queue: state.stepQueue.map((step) => this.parts.step(step)),
    }
    const before = Object.fromEntries(Array.from(this.state, ([key, { value }]) => [key, value]))
    const change = this.change(state.task.extraState)
    this.restorable.push(before)
    return { type: 'step', ...event, state: change }
  }

  decision(
    state: TaskState,
    { callId, decision, by }: { callId: string; decision: string; by?: string | undefined },
  ): JournalEvent {
    const whose = by === undefined ? {} : { by }
    return { type: 'decision', call_id: callId, decision, ...whose, state: this.change(state.task.extraState) }
  }

  undo(): JournalEvent {
    this.staged = textsOf(this.restorable.at(-1) ?? {})
    return { type: 'undo' }
  }

  /** Confirms that the entry was stored. */
  commit(type: JournalEvent['type']): void {
    if (type === 'undo') this.restorable.pop()
    this.state = this.staged ?? this.state
    this.staged = undefined
    this.parts.lists.commit()
  }

  /** Reverts the entry, which could not be stored. */
  discard(type: JournalEvent['type']): void {
    if (type === 'step') this.restorable.pop()
    this.staged = undefined
    this.parts.lists.discard()
  }

  private change(extraState: Dict): StateChange {
    const values = this.parts.state(extraState, 'task.extraState')
    const set: Dict = {}
    const next = new Map<string, { value: unknown; text: string }>()
    for (const [key, value] of Object.entries(values)) {
      const known = this.state.get(key)
      const text = writeJsonText(value)
      const isSame = known?.text === text
      if (!isSame) set[key] = value
      next.set(key, isSame ? known : { value, text })
    }
    this.staged = next
    const unset = [...this.state.keys()].filter((key) => !next.has(key))
    return { set, unset, lists: this.parts.lists.added }
  }
}

function textsOf(state: Dict): WrittenState {
  return new Map(Object.entries(state).map(([key, value]) => [key, { value, text: writeJsonText(value) }]))
}
