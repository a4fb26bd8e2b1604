/**
 * @module
 * Going back in the steps of a task: undo, and fork at a step.
 */
import type { BaseMemory } from '@x/core-model'
import { ChatMemoryBuffer, firstMessages, memoryForTurn, withoutTurn } from '@x/core-model/memory'
import type { PendingToolCall } from './agent-event.ts'
import { sharedSnapshots, TaskSnapshot, type TaskState } from './agent-state.ts'
import { withoutDecisions } from './approvals.ts'
import { Task } from './task.ts'
import { InvalidStepError, NothingToUndoError, TaskBusyError } from './task-errors.ts'
import { StepOutput, snapshotState, type TaskStep } from './task-step.ts'

/**
 * Restores the state before the last operation. If saving fails, the operation is not undone.
 * @throws {NothingToUndoError} if no step has run, or as many were undone as `maxUndo` allows.
 * @throws {TaskBusyError} if a step is running.
 * @throws {TaskFinalizedError} if the messages of the task are in the conversation.
 */
export async function undoLast(state: TaskState, save: () => Promise<void>): Promise<void> {
  const { completedSteps, snapshots, stepQueue, task } = state
  const { extraState } = task
  const snapshot = snapshots.at(-1)
  if (state.busy) throw new TaskBusyError(task.taskId)
  if (!snapshot && state.phase === 'open') throw new NothingToUndoError(task.taskId)
  state.enter('saving', 'its messages are in the conversation and cannot be removed')
  const { outputs, queue, extraState: before } = snapshot!
  state.snapshots = snapshots.slice(0, -1)
  state.completedSteps = completedSteps.slice(0, -outputs)
  state.stepQueue = [...queue]
  task.extraState = before
  try {
    await save()
    for (const stepId of [...state.stepNumbers.keys()]) state.forgetNumber(stepId)
  } catch (error) {
    Object.assign(state, { completedSteps, snapshots, stepQueue })
    task.extraState = extraState
    throw error
  } finally {
    state.enter('open')
  }
}

/** A task at one of its steps. */
interface TaskMoment {
  /** The number of operations before. */
  moves: number
  queue: readonly TaskStep[]
  extraState: Record<string, unknown>
}

/** @throws {InvalidStepError} if the task was never at that step, the step is inside a batch, or `maxUndo` steps ran since. */
function momentOf(state: TaskState, atStep: number): TaskMoment {
  const { task, snapshots, completedSteps } = state
  // The oldest steps may be without a snapshot.
  const oldest = completedSteps.length - snapshots.reduce((sum, { outputs }) => sum + outputs, 0)
  let before = oldest
  let moves = 0
  while (moves < snapshots.length && before < atStep) before += snapshots[moves++]!.outputs
  const undone = snapshots[moves]
  if (before !== atStep || (!undone && atStep !== completedSteps.length)) {
    const advice = atStep < oldest ? `; maxUndo keeps the states since step ${oldest}` : ''
    throw new InvalidStepError(
      `Task "${task.taskId}": cannot be forked at step ${atStep} of ${completedSteps.length}${advice}.`,
    )
  }
  if (!undone && state.busy) throw new TaskBusyError(task.taskId)
  return undone
    ? { moves, queue: undone.queue, extraState: undone.extraState }
    : { moves, queue: state.stepQueue, extraState: state.finalState ?? task.extraState }
}

/**
 * Copies a task as it was at a step, with a copy of its conversation. Approvals after that step are not copied.
 * @throws {InvalidStepError} if the task was never at that step, or the step is inside a batch.
 */
export async function forkAt<State extends TaskState>(
  origin: State,
  { atStep, taskId }: { atStep: number; taskId: string },
  makeState: (task: Task, firstStep: TaskStep) => State,
): Promise<State> {
  const { moves, queue, extraState } = momentOf(origin, atStep)
  const own = (step: TaskStep) => step.copy({ taskId })
  const ownSnapshot = ({ outputs, queue: before, extraState: state }: TaskSnapshot) =>
    new TaskSnapshot(outputs, () => ({ queue: before.map(own), extraState: withoutDecisions(snapshotState(state)) }))
  const completedSteps = origin.completedSteps.slice(0, atStep).map(
    (output) =>
      new StepOutput({
        ...output,
        taskStep: own(output.taskStep),
        nextSteps: output.nextSteps.map(own),
      }),
  )
  const snapshots = sharedSnapshots(origin.snapshots.slice(0, moves).map(ownSnapshot))
  const steps = queue.map(own)
  const task = new Task({
    taskId,
    input: origin.task.input,
    inputMessage: origin.task.inputMessage,
    memory: await branchOf(origin),
    callbackManager: origin.task.callbackManager,
    extraState: withoutDecisions(snapshotState(extraState)),
  })
  const state = makeState(task, steps[0] ?? completedSteps[0]!.taskStep)
  state.ownsConversation = true
  // A step that was undone has a number too, which a waiting call may have in its place.
  const places = [task, ...snapshots].flatMap(placesOf)
  return Object.assign(state, {
    stepQueue: steps,
    completedSteps,
    snapshots,
    lastStepNumber: Math.max(atStep, ...places),
  })
}

/** Returns the numbers of the steps whose calls wait. */
function placesOf({ extraState }: { extraState: Record<string, unknown> }): number[] {
  const calls = extraState['pending_calls'] as PendingToolCall[] | undefined
  return (calls ?? []).map(({ place = '' }) => Number.parseInt(place, 10) || 0)
}

/** Copies the conversation as it was before the task. */
async function branchOf({ task: { memory, taskId }, memoryLength, left }: TaskState): Promise<BaseMemory> {
  const branch = memory.clone?.() ?? memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
  const turn = memoryForTurn(memory, taskId)
  // Earlier turns may have gone on since the messages were counted.
  const before = (await turn?.own())
    ? await turn!.getAll()
    : firstMessages(withoutTurn(await memory.getAll(), left), memoryLength ?? undefined)
  await branch.set(before)
  return branch
}
