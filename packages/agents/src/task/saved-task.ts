/**
 * @module
 * A task as plain, versioned JSON.
 */
import { type ChatMessage, ConfigurationError, type Dict } from '@x/core-model'
import { withoutTurn } from '../memory/turn-messages.ts'
import type { TaskState } from './agent-state.ts'
import { conversationIdOf } from './conversation-id.ts'
import type { Json } from './durable.ts'
import { ListTable } from './list-table.ts'
import type { SavedClasses } from './saved-classes.ts'
import { StateWriter } from './state-codec.ts'
import type { TaskStep, TaskStepDict } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'

/** The version of the form. Data of other versions is refused. */
export const SAVED_TASK_VERSION = 1

/** A task in JSON. It is plain data and may contain bigints, which `writeJsonText` writes and `readJsonText` reads. */
export interface SavedTask {
  version: typeof SAVED_TASK_VERSION
  /** `input_message` exists only if the input is more than a string. */
  task: { task_id: string; input: string; input_message?: Dict; extra_state: unknown }
  step_queue: TaskStepDict[]
  completed_steps: SavedStepOutput[]
  /** The states that can be restored, the oldest first. */
  undo: SavedSnapshot[]
  /** The number of steps that were started, those that were undone included. */
  steps_started: number
  /** Steps that were started and are not completed, with the results of their calls so far. */
  open_steps: SavedOpenStep[]
  finalized: boolean
  /** The number of messages in the conversation before those of this task; null until the finalization begins. */
  memory_length: number | null
  /** The id of the conversation if its messages are stored elsewhere; otherwise null. */
  conversation_id: string | null
  /** The number of messages of a conversation with an id when the task began; missing if it is not known. */
  conversation_length?: number
  /** The messages of the conversation; empty if it has an id. */
  conversation: unknown[]
  /** Whether the conversation belongs to this task, not to the agent. */
  owns_conversation: boolean
  /** The arrays that occur in the states above, each once. */
  lists: unknown[][]
}

/** The output of a step in a saved task. */
export interface SavedStepOutput {
  output: unknown
  task_step: TaskStepDict
  next_steps: TaskStepDict[]
  is_last: boolean
  status: string
}

/** A state that can be restored. */
export interface SavedSnapshot {
  outputs: number
  queue: TaskStepDict[]
  extra_state: unknown
}

/** A step that was started. */
export interface SavedOpenStep {
  step_id: string
  number: number
  /** The results of its calls, by name. */
  results: Record<string, Json>
}

/** Writes the parts of a task. */
export class SavedTaskWriter {
  readonly lists = new ListTable()
  private readonly writer: StateWriter

  constructor(classes: SavedClasses, lists = new ListTable()) {
    this.lists = lists
    this.writer = new StateWriter(classes, lists)
  }

  step(step: TaskStep): TaskStepDict {
    const path = `step ${step.stepId}.stepState`
    return { ...step.toParts(), step_state: this.writer.write(step.stepState, path) as Dict }
  }

  outputValue({ output }: TaskStepOutput, path: string): unknown {
    return this.writer.write(output, `${path}.output`)
  }

  private output(one: TaskStepOutput, path: string): SavedStepOutput {
    const { taskStep, nextSteps, isLast, status } = one
    return {
      output: this.outputValue(one, path),
      task_step: this.step(taskStep),
      next_steps: nextSteps.map((step) => this.step(step)),
      is_last: isLast,
      status,
    }
  }

  state(extraState: Dict, path: string): Dict {
    return this.writer.write(extraState, path) as Dict
  }

  /**
   * Writes a whole task.
   * @param conversation - its messages; empty if they are stored elsewhere.
   * @throws {SerializationError} naming the value that cannot be saved.
   */
  task(state: TaskState, conversation: readonly ChatMessage[]): SavedTask {
    const { task } = state
    const saved = {
      version: SAVED_TASK_VERSION,
      task: {
        task_id: task.taskId,
        input: task.input,
        ...(task.inputMessage && { input_message: task.inputMessage.toDict() }),
        extra_state: this.state(state.finalState ?? task.extraState, 'task.extraState'),
      },
      step_queue: state.stepQueue.map((step) => this.step(step)),
      completed_steps: state.completedSteps.map((output, i) => this.output(output, `completedSteps[${i}]`)),
      undo: state.snapshots.map(({ outputs, queue, extraState }, i) => ({
        outputs,
        queue: queue.map((step) => this.step(step)),
        extra_state: this.state(extraState, `undo[${i}].extraState`),
      })),
      steps_started: state.lastStepNumber,
      open_steps: Array.from(state.stepNumbers, ([step_id, number]) => ({
        step_id,
        number,
        results: Object.fromEntries(state.results.get(number) ?? []),
      })),
      finalized: state.response !== null,
      memory_length: state.memoryLength,
      conversation_id: conversationIdOf(task.memory) ?? null,
      ...(state.conversationLength !== null && { conversation_length: state.conversationLength }),
      conversation: conversation.map((message) => message.toDict()),
      owns_conversation: state.ownsConversation,
    } as const
    return { ...saved, lists: addItems([], this.lists.added) }
  }
}

/** Returns the messages of a task's conversation; none if they are stored elsewhere. */
export function conversationOf({ task: { memory }, left }: TaskState): readonly ChatMessage[] {
  const messages: unknown = conversationIdOf(memory) === undefined ? memory.getAll() : []
  // The task adds its messages itself when it has finished.
  if (Array.isArray(messages)) return withoutTurn(messages, left)
  throw new ConfigurationError('saveTask: the memory of the task is asynchronous and has no conversationId.')
}

/** Adds items to the arrays of a saved task. Throws for an array that cannot exist. */
export function addItems(
  lists: unknown[][],
  added: readonly { list: number; items: readonly unknown[] }[],
): unknown[][] {
  const most = lists.length + added.length
  for (const { list, items } of added) {
    if (list >= most) throw new RangeError(`lists: expected at most ${most} lists, received index ${list}`)
    while (lists.length <= list) lists.push([])
    for (const item of items) lists[list]!.push(item)
  }
  return lists
}
