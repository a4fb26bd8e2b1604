/**
 * @module
 * Writes the versions of a task as entries of its journal: only what changed.
 */
import type { ChatMessage } from '@x/core-model'
import type { TaskState } from './agent-state.ts'
import type { Json } from './durable.ts'
import type { JournalEvent, JournalVersion } from './saved-task.ts'
import { DocumentWriter } from './saved-task.ts'
import type { SavedClasses } from './state-codec.ts'
import {
  diff,
  keepBefore,
  plain,
  restorableOf,
  type SavedTask,
  type TaskVersion,
  type WrittenLists,
  withResult,
} from './versions.ts'

/** Steps that ran together. */
export interface StepsDone {
  stepIds: readonly string[]
  failed: readonly string[]
}

/** Writes the entries of one task. An entry takes effect with {@link commit}. */
export class JournalWriter {
  private readonly documents: DocumentWriter
  private known: TaskVersion
  private staged: TaskVersion

  /**
   * @param loaded - the versions of a task that was loaded.
   * @param lists - the arrays in them.
   */
  constructor(taskId: string, classes: SavedClasses, loaded?: TaskVersion, lists?: WrittenLists) {
    this.documents = new DocumentWriter(taskId, classes, lists)
    this.known = loaded ?? { n: -1, task: {} as SavedTask, before: undefined }
    this.staged = this.known
  }

  /** Returns the task of the first entry. */
  task(state: TaskState, conversation: readonly ChatMessage[]): SavedTask {
    const task = this.documents.task(state, conversation)
    this.staged = { n: 0, task, before: restorableOf(task) }
    return plain(task) as SavedTask
  }

  /** Returns the entry for steps that start. @param state - the task before the steps. */
  start(
    { extraState }: { extraState: TaskState['task']['extraState'] },
    steps: readonly { step_id: string; number: number }[],
  ): JournalEvent {
    const { open_steps, steps_started } = this.known.task
    const started = steps.map(({ step_id, number }) => {
      const key = `step-${number}`
      return [key, open_steps[key] ?? { step_id, results: {} }] as const
    })
    return this.version('step_start', {
      ...this.withState(extraState),
      open_steps: { ...open_steps, ...Object.fromEntries(started) },
      steps_started: Math.max(steps_started, ...steps.map(({ number }) => number)),
    })
  }

  /** Returns the entry for the result of a call. */
  result(step: number, name: string, value: Json): JournalEvent {
    this.staged = { ...this.next, task: withResult(this.known.task, step, name, value) }
    return { type: 'result', step, name: name.slice(`step-${step}/`.length), value }
  }

  drop(number: number): JournalEvent {
    const { task } = this.known
    const key = `step-${number}`
    const { [key]: step, ...others } = task.open_steps
    return this.version('drop', {
      ...task,
      open_steps: { ...others, ...(step && { [key]: { ...step, results: {} } }) },
    })
  }

  /** Returns the entry for completed steps. */
  step(state: TaskState, { stepIds, failed }: StepsDone): JournalEvent {
    const { task } = this.known
    const { stepQueue, completedSteps, snapshots } = state
    const { extraState } = state.task
    const { task: own, ...steps } = this.documents.moment({ extraState, stepQueue, completedSteps })
    const isDone = (id: string) => stepIds.includes(id) && !failed.includes(id)
    const open = Object.entries(task.open_steps).filter(([, { step_id }]) => !isDone(step_id))
    const event = this.version('step', {
      ...task,
      ...(steps as object),
      task: { ...task.task, ...own },
      open_steps: Object.fromEntries(open),
    })
    this.staged = { ...this.staged, before: this.known }
    keepBefore(this.staged, snapshots.length)
    return event
  }

  /** Returns the entry for steps that were stopped, or have failed. */
  stopped({ task }: TaskState): JournalEvent {
    return this.version('stopped', this.withState(task.extraState))
  }

  decision(
    { task }: TaskState,
    { callId, decision, by }: { callId: string; decision: string; by?: string | undefined },
  ): JournalEvent {
    const whose = by === undefined ? {} : { by }
    return { ...this.version('decision', this.withState(task.extraState)), call_id: callId, decision, ...whose }
  }

  undo(): JournalEvent {
    const { task } = this.known
    const before = this.known.before!
    const { step_queue, completed_steps, task: own } = before.task
    const restored = { ...task, task: { ...task.task, extra_state: own.extra_state }, step_queue, completed_steps }
    const event = this.version('undo', { ...restored, open_steps: {} }, before)
    this.staged = { ...this.staged, before: before.before }
    return event
  }

  finalizing(memory_length: number): JournalEvent {
    return this.version('finalizing', { ...this.known.task, memory_length })
  }

  finalized(): JournalEvent {
    return this.version('finalized', { ...this.known.task, finalized: true })
  }

  /** Returns a function that takes back the entries that are confirmed from now on. */
  mark(): () => void {
    const { known } = this
    return () => {
      this.known = known
      this.staged = known
    }
  }

  /** Confirms the entry. Entries that were not confirmed have no effect. */
  commit(): void {
    this.known = this.staged.n > this.known.n ? this.staged : this.next
  }

  private get next(): TaskVersion {
    return { ...this.known, n: this.known.n + 1 }
  }

  private version(
    type: JournalVersion['type'],
    task: SavedTask,
    from?: { n: number; task: SavedTask },
  ): JournalVersion {
    this.staged = { ...this.next, task }
    return { type, ...(from && { from: from.n }), changes: diff((from ?? this.known).task, task) ?? {} }
  }

  private withState(extraState: TaskState['task']['extraState']): SavedTask {
    const { task } = this.known
    return { ...task, task: { ...task.task, extra_state: this.documents.state(extraState) } }
  }
}
