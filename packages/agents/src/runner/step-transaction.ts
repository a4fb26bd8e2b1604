/**
 * @module
 * The transaction of steps: what they change is committed if they succeed.
 */
import { deepEqual } from '@x/core/values'
import { TaskSnapshot, type TaskState } from '../task/agent-state.ts'
import type { StepsDone } from '../task/journal-writer.ts'
import { shareSources } from '../task/shared-items.ts'
import type { Task } from '../task/task.ts'
import { snapshotState, type TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import { isUsage, noUsage } from '../task-usage.ts'

/** One or more steps of a task that run together. They change a copy of the task, which is committed if they succeed. */
export class StepTransaction {
  readonly state: TaskState
  /** The copy of the task that the steps change. */
  readonly task: Task
  private readonly steps: readonly TaskStep[]
  /** The other upcoming steps. */
  private readonly others: TaskStep[]
  /** The extra state before the steps. */
  readonly extraState: Record<string, unknown>
  private snapshot: TaskSnapshot | undefined
  /** What the calls of the steps are counted with, if the steps are completed but not saved. */
  private counted: unknown
  private done: StepsDone = { stepIds: [], failed: [] }

  /**
   * @param isAbandonable - whether the caller may abandon the work before it is done; the work must not change the task then.
   * @throws {TaskBusyError} if a step of the task is running.
   * @throws {TaskFinalizedError} if the task is finalized.
   */
  constructor(state: TaskState, steps: readonly TaskStep[], isAbandonable: boolean) {
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
    // Steps that were abandoned may still change theirs.
    state.task.extraState = failed.length > 0 ? snapshotState(this.task.extraState) : this.task.extraState
    state.stepQueue = [...failed, ...others, ...queued]
    for (const output of outputs) {
      const before = state.completedSteps.at(-1)
      if (before) shareSources(before.output, output.output)
      state.completedSteps.push(output)
    }
    this.done = { stepIds: steps.map(({ stepId }) => stepId), failed: failed.map(({ stepId }) => stepId) }
    const queue = [...steps, ...others]
    this.snapshot = new TaskSnapshot(outputs.length, () => ({ queue, extraState }))
    this.snapshot.shareWith(state.snapshots.at(-1))
    state.snapshots.push(this.snapshot)
  }

  /** Saves the recorded outputs. */
  save(write: (done: StepsDone) => Promise<void>): Promise<void> {
    this.forgetCounts()
    this.state.enter('saving')
    return write(this.done)
  }

  /** Unlocks the task, after the recorded outputs are saved. */
  settle(): void {
    const { state, done } = this
    this.forgetCounts()
    for (const stepId of done.stepIds) if (!done.failed.includes(stepId)) state.forgetNumber(stepId)
    state.enter('open')
  }

  /** The calls of completed steps are not repeated. */
  private forgetCounts(): void {
    const { extraState } = this.state.task
    if (extraState['counted'] === undefined) return
    this.counted = extraState['counted']
    extraState['counted'] = undefined
  }

  /** Restores the state of the task before the steps. What they have used stays counted. Returns whether they have used anything. */
  rollBack(): boolean {
    const { state, snapshot, steps, extraState } = this
    const { usage, counted = this.counted } = this.task.extraState
    if (snapshot && state.snapshots.at(-1) === snapshot) {
      state.snapshots.pop()
      state.completedSteps.splice(-snapshot.outputs)
    }
    state.stepQueue = [...steps, ...this.others]
    // Only calls whose results are kept are not made again.
    const isKept = steps.some(({ stepId }) => state.results.get(state.stepNumbers.get(stepId) ?? -1)?.size)
    const used = isUsage(usage) && { usage, ...(isKept && { counted }) }
    state.task.extraState = used ? { ...extraState, ...used } : extraState
    state.response = null
    if (state.busy) state.enter('open')
    return isUsage(usage) && !deepEqual(usage, extraState['usage'] ?? noUsage())
  }
}
