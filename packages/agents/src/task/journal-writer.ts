/**
 * @module
 * Writes the changes of a task as entries of its journal. Each value and each item of an array is written once.
 */

import { deepEqual } from '@x/core/values'
import type { ChatMessage, Dict } from '@x/core-model'
import { textSoFar } from '../answer/chat-answer.ts'
import type { TaskState } from './agent-state.ts'
import type { Json } from './durable.ts'
import type { JournalEvent, StateChange } from './journal-entry.ts'
import { changesOf, Grown, withoutKind } from './json-changes.ts'
import { type LeanOutput, type LeanStep, leanStep, nextStep } from './lean-step.ts'
import type { ListTable } from './list-table.ts'
import type { SavedClasses } from './saved-classes.ts'
import { type SavedTask, SavedTaskWriter } from './saved-task.ts'
import type { TaskStep } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'

/** What the entries so far result in. */
interface Known {
  /** The extra state in JSON. */
  readonly state: Dict
  /** The upcoming steps. */
  readonly queue: readonly LeanStep[]
}

/** Steps that ran together. */
export interface StepsDone {
  steps: readonly TaskStep[]
  outputs: readonly TaskStepOutput[]
  failed: readonly TaskStep[]
}

/** Writes the entries of one task. Each is followed by {@link commit} or {@link discard}. */
export class JournalWriter {
  private readonly parts: SavedTaskWriter
  private known: Known = { state: {}, queue: [] }
  private staged: Known | undefined
  /** What an undo restores, the oldest first. */
  private restorable: Known[] = []
  /** The steps that started last. */
  private started: readonly { step_id: string; number: number }[] = []

  /**
   * @param saved - the task in JSON, if it was loaded.
   * @param lists - the arrays in it.
   */
  constructor(classes: SavedClasses, saved?: Pick<SavedTask, 'task' | 'undo' | 'step_queue'>, lists?: ListTable) {
    this.parts = new SavedTaskWriter(classes, lists)
    if (!saved) return
    this.known = knownOf(saved)
    this.restorable = restorableOf(saved)
  }

  /** Returns the task of the first entry. */
  task(state: TaskState, conversation: readonly ChatMessage[]): SavedTask {
    const saved = this.parts.task(state, conversation)
    this.staged = knownOf(saved)
    this.restorable = restorableOf(saved)
    return saved
  }

  /**
   * Returns the entry for steps that start.
   * @param extraState - the state before the steps. Its arrays are the same objects as in the last entry, so that comparing is cheap.
   */
  start(extraState: Dict, steps: { step_id: string; number: number }[]): JournalEvent {
    this.started = steps
    const { queue } = this.known
    const given = steps.map((step, i) => (queue[i]?.step_id === step.step_id ? step.number : step))
    return { type: 'step_start', steps: given, ...this.change(extraState) }
  }

  /** Returns the entry for the result of a call. */
  result(step: number, name: string, value: Json): JournalEvent {
    const prefix = `step-${step}/`
    const isLast = this.started.length === 1 && this.started[0]!.number === step && name.startsWith(prefix)
    return { type: 'result', ...(isLast ? { name: name.slice(prefix.length) } : { step, name }), value }
  }

  /** Returns the entry for completed steps. */
  step(state: TaskState, { steps, outputs, failed }: StepsDone): JournalEvent {
    const { known } = this
    const first = state.completedSteps.length - outputs.length
    const ran = steps.map((step) => this.lean(step, state))
    const queue = state.stepQueue.map((step) => this.lean(step, state))
    const succeeded = ran.filter((_, i) => !failed.includes(steps[i]!))
    const refs = ran.map((step) => refTo(step, known.queue))
    const isStarted = refs.length === this.started.length && refs.every((ref, i) => ref === this.started[i]!.step_id)
    const given = outputs.map((output, i) =>
      this.output(output, { step: succeeded[i], queue, state, path: `completedSteps[${first + i}]` }),
    )
    const isPlain = given.length === succeeded.length && given.every((output) => deepEqual(output, { turn: '' }))
    const event: JournalEvent = {
      type: 'step',
      ...(!isStarted && { steps: refs }),
      ...(!isPlain && { outputs: given }),
      ...(failed.length > 0 && { failed: failed.map(({ stepId }) => stepId) }),
      queue: queue.map((step) => refTo(step, known.queue, ran[0])),
      ...this.change(state.task.extraState, queue),
    }
    this.restorable.push({ state: known.state, queue: [...ran, ...known.queue] })
    // The oldest cannot be undone any more.
    this.restorable.splice(0, this.restorable.length - state.snapshots.length)
    return event
  }

  decision(
    state: TaskState,
    { callId, decision, by }: { callId: string; decision: string; by?: string | undefined },
  ): JournalEvent {
    const whose = by === undefined ? {} : { by }
    return { type: 'decision', call_id: callId, decision, ...whose, ...this.change(state.task.extraState) }
  }

  undo(): JournalEvent {
    this.staged = this.restorable.at(-1)
    return { type: 'undo' }
  }

  /** Confirms that the entry was stored. */
  commit(type: JournalEvent['type']): void {
    if (type === 'undo') this.restorable.pop()
    this.known = this.staged ?? this.known
    this.staged = undefined
    this.parts.lists.commit()
  }

  /** Reverts the entry, which could not be stored. */
  discard(type: JournalEvent['type']): void {
    if (type === 'step') this.restorable.pop()
    this.staged = undefined
    this.parts.lists.discard()
  }

  private lean(step: TaskStep, { task }: TaskState): LeanStep {
    return leanStep(this.parts.step(step), task.taskId)
  }

  private output(
    one: TaskStepOutput,
    { step, queue, state, path }: { step: LeanStep | undefined; queue: LeanStep[]; state: TaskState; path: string },
  ): LeanOutput {
    const turn = textSoFar(one.output, state.task.extraState)
    const own = this.lean(one.taskStep, state)
    const next = one.nextSteps.map((each) => this.lean(each, state))
    return {
      ...(turn === undefined ? { output: this.parts.outputValue(one, path) } : { turn }),
      ...(!deepEqual(own, step) && { task_step: own }),
      ...(!deepEqual(next, queue) && { next_steps: next.map((each) => refTo(each, queue)) }),
      ...(one.isLast && { is_last: true }),
      ...(one.status !== 'done' && { status: one.status }),
    }
  }

  private change(extraState: Dict, queue = this.known.queue): { state?: StateChange } {
    const before = this.known.state
    const state = this.parts.state(extraState, 'task.extraState')
    this.staged = { state, queue }
    const { added, addedFrom } = this.parts.lists
    let lists = added
    const put: unknown[][] = []
    const add: unknown[][] = []
    for (const [key, value] of Object.entries(state)) {
      const changes = Object.hasOwn(before, key) ? changesOf(before[key], value) : [[value]]
      for (const change of changes) {
        const grown = change.pop()
        const items = grown instanceof Grown && lists.filter(({ list }) => list === grown.list)
        if (items && items.length === 1 && addedFrom.get(grown.list) === grown.from) {
          add.push([key, ...change, withoutKind(items[0]!.items)])
          lists = lists.filter((one) => one !== items[0])
        } else put.push(grown instanceof Grown ? [key, ...change, 'value', 1, grown.to] : [key, ...change, grown])
      }
    }
    const unset = Object.keys(before).filter((key) => !Object.hasOwn(state, key))
    const change = {
      ...(put.length > 0 && { put }),
      ...(add.length > 0 && { add }),
      ...(unset.length > 0 && { unset }),
      ...(lists.length > 0 && { lists }),
    }
    return put.length + add.length + unset.length + lists.length > 0 ? { state: change } : {}
  }
}

function knownOf({ task, step_queue }: Pick<SavedTask, 'task' | 'step_queue'>): Known {
  return { state: task.extra_state as Dict, queue: step_queue.map((step) => leanStep(step, task.task_id)) }
}

function restorableOf({ task, undo }: Pick<SavedTask, 'task' | 'undo'>): Known[] {
  return undo.map(({ extra_state, queue }) => knownOf({ task: { ...task, extra_state }, step_queue: queue }))
}

/** Returns the id of a step that is in the queue, or that is new and like one that ran; otherwise the step. */
function refTo(step: LeanStep, queue: readonly LeanStep[], like?: LeanStep): LeanStep | string {
  const found = queue.find(({ step_id }) => step_id === step.step_id)
  const expected = found ?? (like && nextStep(like, step.step_id))
  return expected && deepEqual(expected, step) ? step.step_id : step
}
