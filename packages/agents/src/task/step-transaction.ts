/**
 * @module
 * The transaction of running steps: they change a copy of the task, which is committed if they succeed.
 */
import { TaskSnapshot, type TaskState } from './agent-state.ts'
import type { StepsDone } from './journal-writer.ts'
import type { Task } from './task.ts'
import { snapshotState, type TaskStep } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'

/** One or more steps of a task that run together. */
export class StepTransaction<State extends TaskState = TaskState> {
  readonly state: State
  /** The copy of the task that the steps change. */
  readonly task: Task
  private readonly steps: readonly TaskStep[]
  /** The other upcoming steps. */
  private readonly others: TaskStep[]
  /** The extra state before the steps. */
  readonly extraState: Record<string, unknown>
  private snapshot: TaskSnapshot | undefined
  private done: StepsDone = { steps: [], outputs: [], failed: [] }

  /**
   * @param isAbandonable - whether the caller may abandon the work before it is done; the work must not change the task then.
   * @throws {TaskBusyError} if a step of the task is running.
   * @throws {TaskFinalizedError} if the task is finalized.
   */
  constructor(state: State, steps: readonly TaskStep[], isAbandonable: boolean) {
    const { task } = state
    this.state = state
    this.steps = steps
    this.others = state.stepQueue.filter((step) => !steps.includes(step))
    state.enter('running')
    this.extraState = task.extraState
    const extraState = snapshotState(task.extraState)
    this.task = isAbandonable ? task.copy({ update: { extraState } }) : task
    this.task.extraState = extraState
    state.stepQueue = this.others
  }

  /** Commits the outputs of the steps. Failed steps run next. */
  record(outputs: readonly TaskStepOutput[], queued: readonly TaskStep[], failed: readonly TaskStep[]): void {
    const { state, steps, others, extraState } = this
    state.task.extraState = this.task.extraState
    state.stepQueue = [...failed, ...others, ...queued]
    state.completedSteps.push(...outputs)
    this.done = { steps, outputs, failed }
    this.snapshot = new TaskSnapshot({ outputs: outputs.length, queue: [...steps, ...others], extraState })
    state.snapshots.at(-1)?.shareWith(this.snapshot)
    state.snapshots.push(this.snapshot)
  }

  /** Saves the recorded outputs. */
  save(write: (done: StepsDone) => Promise<void>): Promise<void> {
    this.state.enter('saving')
    return write(this.done)
  }

  /** Unlocks the task, after the recorded outputs are saved. */
  settle(): void {
    const { state, done } = this
    for (const step of done.steps) if (!done.failed.includes(step)) state.forgetNumber(step.stepId)
    state.enter('open')
  }

  /** Restores the state of the task before the steps. */
  rollBack(): void {
    const { state, snapshot } = this
    if (snapshot && state.snapshots.at(-1) === snapshot) {
      state.snapshots.pop()
      state.completedSteps.splice(-snapshot.outputs)
    }
    state.stepQueue = [...this.steps, ...this.others]
    state.task.extraState = this.extraState
    state.response = null
    if (state.busy) state.enter('open')
  }
}
