/**
 * @module
 * Writes a task as plain JSON. The entries of its journal are versions of this document: an entry contains what changed since the one
 * before.
 */
import { type ChatMessage, ConfigurationError, type Dict } from '@x/core-model'
import { withoutTurn } from '@x/core-model/memory'
import type { ChatAnswer } from '../answer/chat-answer.ts'
import type { TaskState } from './agent-state.ts'
import type { Json } from './durable.ts'
import { type SavedClasses, StateWriter } from './state-codec.ts'
import { conversationIdOf } from './task.ts'
import type { TaskStep } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'
import {
  type Change,
  diff,
  SAVED_TASK_VERSION,
  type SavedStep,
  type SavedTask,
  type SavedTurn,
  sourcesSoFar,
  WrittenLists,
} from './versions.ts'

/** What an undo restores. */
type LiveMoment = Pick<TaskState, 'stepQueue' | 'completedSteps'> & { readonly extraState: Dict }

/** Writes the versions of a task as documents. Their arrays are {@link Items}, which they share. */
export class DocumentWriter {
  private readonly writer: StateWriter
  private readonly lists: WrittenLists
  private readonly taskId: string

  constructor(taskId: string, classes: SavedClasses, lists = new WrittenLists()) {
    this.taskId = taskId
    this.lists = lists
    this.writer = new StateWriter(classes, lists)
  }

  /** Writes the parts of a task that an undo restores. */
  moment({ extraState, stepQueue, completedSteps }: LiveMoment) {
    return {
      task: { extra_state: this.state(extraState) },
      step_queue: this.lists.write(stepQueue, 'stepQueue', (step) => this.step(step as TaskStep)),
      completed_steps: this.lists.write(completedSteps, 'completedSteps', (output, i) =>
        this.output(output as TaskStepOutput, extraState, `completedSteps[${i}]`),
      ),
    }
  }

  state(extraState: Dict): unknown {
    return this.writer.write(extraState, 'task.extraState')
  }

  /**
   * Writes a whole task.
   * @param conversation - its messages; empty if they are stored elsewhere.
   * @throws {SerializationError} naming the value that cannot be saved.
   */
  task(state: TaskState, conversation: readonly ChatMessage[]): SavedTask {
    const { task, stepQueue, completedSteps, snapshots } = state
    let count = completedSteps.length - snapshots.reduce((sum, { outputs }) => sum + outputs, 0)
    const earlier = snapshots.map(({ outputs, queue, extraState }) => {
      const moment = { extraState, stepQueue: queue, completedSteps: completedSteps.slice(0, count) }
      count += outputs
      return this.moment(moment)
    })
    const now = this.moment({ extraState: state.finalState ?? task.extraState, stepQueue, completedSteps })
    const saved = {
      version: SAVED_TASK_VERSION,
      task: {
        task_id: task.taskId,
        input: task.input,
        ...(task.inputMessage && { input_message: task.inputMessage.toDict() }),
        ...now.task,
      },
      step_queue: now.step_queue,
      completed_steps: now.completed_steps,
      undo: earlier.map((moment, i) => diff(earlier[i + 1] ?? now, moment) ?? {}),
      steps_started: state.lastStepNumber,
      open_steps: Object.fromEntries(
        Array.from(state.stepNumbers, ([step_id, number]) => [
          `step-${number}`,
          { step_id, results: Object.fromEntries(state.results.get(number) ?? []) },
        ]),
      ),
      finalized: state.response !== null,
      memory_length: state.memoryLength,
      conversation_id: conversationIdOf(task.memory) ?? null,
      ...(state.conversationLength !== null && { conversation_length: state.conversationLength }),
      conversation: conversation.map((message) => message.toDict()),
      owns_conversation: state.ownsConversation,
    }
    return saved as unknown as SavedTask
  }

  /** @param state - the default of its state. */
  private step(step: TaskStep, state: Dict = {}): SavedStep {
    const { task_id, step_id, input, is_ready } = step.toParts()
    const step_state = this.writer.write(step.stepState, `step ${step_id}.stepState`) as Dict
    return {
      step_id,
      ...(task_id !== this.taskId && { task_id }),
      ...(input !== null && { input }),
      ...(diff(state, step_state) && { step_state }),
      ...(!is_ready && { is_ready }),
    }
  }

  private output({ output, taskStep, nextSteps, isLast, status }: TaskStepOutput, state: Dict, path: string): unknown {
    const turn = writeTurn(output, state)
    const task_step = this.step(taskStep)
    return {
      ...(turn ? { turn } : { output: this.writer.write(output, `${path}.output`) }),
      task_step,
      ...(nextSteps.length > 0 && { next_steps: nextSteps.map((step) => this.step(step, task_step.step_state)) }),
      ...(isLast && { is_last: true }),
      ...(status !== 'done' && { status }),
    }
  }
}

/** Returns the answer so far as it is saved; undefined for other outputs. */
function writeTurn(output: unknown, { sources, usage }: Dict): SavedTurn | undefined {
  const own = sourcesSoFar(output)
  if (!own || !Array.isArray(sources)) return undefined
  const { response, usage: counts } = output as ChatAnswer
  const { all, length } = own
  // Steps that ran at the same time may have other sources.
  const isStart = length <= sources.length && (length === 0 || sources[length - 1] === all[length - 1])
  const isAlike = Object.keys(counts ?? {}).join() === Object.keys(usage ?? {}).join()
  return isStart && isAlike ? [response, length, Object.values(counts ?? {})] : undefined
}

/** Returns the messages of a task's conversation; none if they are stored elsewhere. */
export function conversationOf({ task: { memory }, left }: TaskState): readonly ChatMessage[] {
  const messages: unknown = conversationIdOf(memory) === undefined ? memory.getAll() : []
  // The task adds its messages itself when it has finished.
  if (Array.isArray(messages)) return withoutTurn(messages, left)
  throw new ConfigurationError('saveTask: the memory of the task is asynchronous and has no conversationId.')
}

/** A change of a task. */
export type JournalEvent =
  /** The task as it was when its journal began: new, forked or loaded. */
  | { type: 'task'; task: SavedTask; forked_from?: { task_id: string; at_step: number } }
  /** A model, a tool or a retriever returned a value in a step that runs. `step`: its number. */
  | { type: 'result'; step: number; name: string; value: Json }
  /** The agent behind a tool call appended entries to its part of the journal, which had `length` entries before. `place`: of the call. */
  | { type: 'inner'; place: string; length: number; entries: readonly object[] }
  | JournalVersion

/** The next version of a task. */
export interface JournalVersion {
  /**
   * Why it changed:
   * - `step_start`: a runner started steps; other runners can no longer continue the task.
   * - `drop`: a step failed before it called a tool; the next attempt starts from the beginning.
   * - `step`: steps are completed. The version before can be restored.
   * - `stopped`: a step was stopped or failed. What it has used counts.
   * - `decision`: a person decided about a tool call, or its result came from outside.
   * - `undo`: the last operation was undone.
   * - `finalizing`: the messages of the task are being added to the conversation. `finalized`: they are there.
   */
  type: 'step_start' | 'drop' | 'step' | 'stopped' | 'decision' | 'undo' | 'finalizing' | 'finalized'
  /** The number of the entry whose version is changed, if it is not the one before. Negative: one of those before the first entry. */
  from?: number
  changes: Change
  /** The decision, for those who read the journal. */
  call_id?: string
  decision?: string
  by?: string
}

/** The types of entries that change the task. */
export const versionTypes = [
  'step_start',
  'drop',
  'step',
  'stopped',
  'decision',
  'undo',
  'finalizing',
  'finalized',
] as const

/** An entry of a journal: the change, the position of the entry, from 0, and when it was written, in milliseconds since 1970-01-01 UTC. */
export type JournalEntry = JournalEvent & { n: number; at: number }
