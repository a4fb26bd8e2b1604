/**
 * @module
 * Runs steps of a task: one, or a batch that runs concurrently.
 */
import { deepEqual } from '@x/core/values'
import type { CallbackEvent } from '@x/core-model'
import { raceAbort, withDeadline } from '@x/core-model/async'
import { DeadlineExceededError } from '../agent-error.ts'
import { isStreamingResponse, streamEnd } from '../answer/chat-answer.ts'
import type { StepOptions } from '../loop/agent-worker.ts'
import { TaskSnapshot, type TaskState } from '../task/agent-state.ts'
import type { JournalPort } from '../task/durable.ts'
import { journalOf, type SavedBy } from '../task/journal.ts'
import type { StepsDone } from '../task/journal-writer.ts'
import type { ResultSaving } from '../task/step-context.ts'
import type { Task } from '../task/task.ts'
import { StepNotReadyError } from '../task/task-errors.ts'
import { snapshotState, type TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import { shareSources } from '../task/versions.ts'
import { isUsage, noUsage } from '../task-usage.ts'
import { inStepEvent } from './callback-events.ts'
import { StepEvents } from './run-events.ts'
import type { RunTimeouts, StepRunOptions } from './runner-options.ts'
import type { RunnerFields, RunnerTasks } from './runner-tasks.ts'
import { StepResults } from './step-results.ts'

/** How the steps of a runner run. */
interface StepRunnerOptions {
  /** Whether all queued steps run together. Then steps that are not ready are dropped. */
  batches: boolean
  timeouts: RunTimeouts
  /** The number of operations of a task that can be undone. */
  maxUndo: number
  now: () => number
}

/** Runs steps in a transaction: a failing step does not change the task. */
export class StepRunner<State extends TaskState> {
  private readonly runner: RunnerFields<State>
  private readonly tasks: RunnerTasks<State>
  private readonly options: StepRunnerOptions

  constructor(runner: RunnerFields<State>, tasks: RunnerTasks<State>, options: StepRunnerOptions) {
    this.runner = runner
    this.tasks = tasks
    this.options = options
  }

  /**
   * Runs steps concurrently. If some fail, the others are completed, the failed ones return to the front of the queue, and the first error
   * is thrown.
   * @param input - replaces the input of the steps.
   * @throws {TaskBusyError} if a step of the task is running.
   * @throws {StepNotReadyError} before anything runs.
   */
  async run(
    state: TaskState,
    steps: readonly TaskStep[],
    run: StepRunOptions,
    input?: string | null,
  ): Promise<TaskStepOutput[]> {
    if (steps.length === 0 && !state.busy) return []
    const unready = steps.find(({ isReady }) => !isReady)
    if (unready) throw new StepNotReadyError(unready.stepId)
    const batch = [...steps]
    const saved = this.tasks.table.saved?.get(state)
    const isAbandonable = run.signal !== undefined || this.options.timeouts.stepMs !== undefined
    const transaction = new StepTransaction(state, batch, isAbandonable)
    let settled: Settled
    try {
      // The worker may change its copy; the original is kept for another attempt.
      if (saved?.journal) await this.claim(transaction, batch)
      const runOne = (step: TaskStep) => {
        const copy = step.copy({ input })
        if (isAbandonable) return this.runAbandonable(state, copy, transaction.task, run)
        return this.runWorker(state, copy, transaction.task, run, undefined)
      }
      settled =
        batch.length === 1
          ? { outputs: [await runOne(batch[0]!)], errors: [], failed: [] }
          : await together(runOne, batch)
      const { outputs, failed } = settled
      const next = outputs.flatMap(({ nextSteps }) => nextSteps)
      transaction.record(outputs, this.options.batches ? next.filter(({ isReady }) => isReady) : next, failed)
      const saving = this.settle(transaction, outputs, saved)
      if (saving) await saving
    } catch (error) {
      await this.rollBack(transaction)
      throw error
    }
    if (settled.errors.length > 0) throw settled.errors[0]
    return settled.outputs
  }

  /** Takes the task over: another runner that continues it throws TaskClaimedError. */
  private async claim({ state, extraState }: StepTransaction, batch: readonly TaskStep[]): Promise<void> {
    const steps = batch.map(({ stepId }) => ({ step_id: stepId, number: state.numberOf(stepId) }))
    await this.tasks.table.append(state, (writer) => writer.start({ extraState }, steps))
  }

  /** Saves immediately, or when the answer has streamed. Returns a promise if it must be waited for. */
  private settle(
    transaction: StepTransaction,
    outputs: readonly TaskStepOutput[],
    saved: SavedBy | undefined,
  ): Promise<void> | undefined {
    const { state } = transaction
    const { maxUndo } = this.options
    const end = (): undefined => {
      transaction.settle()
      while (state.snapshots.length > maxUndo) state.snapshots.shift()
    }
    const save = async () => {
      await transaction.save((done) => this.tasks.table.append(state, (writer) => writer.step(state, done)))
      end()
    }
    const finish = saved?.journal ? save : end
    for (const { output } of outputs) {
      if (isStreamingResponse(output)) return output.whenDone(finish, () => this.rollBack(transaction))
    }
    return finish()
  }

  /** Rolls steps back, and saves what they have used. */
  private async rollBack(transaction: StepTransaction): Promise<void> {
    const { state } = transaction
    // The error of the steps is the one to report.
    if (transaction.rollBack()) await this.tasks.table.append(state, (writer) => writer.stopped(state)).catch(() => {})
  }

  /** Runs one step on a copy of the task, until its time is over or its signal aborts, even if the worker ignores that. */
  private runAbandonable(
    state: TaskState,
    step: TaskStep,
    task: Task,
    run: StepRunOptions,
  ): TaskStepOutput | Promise<TaskStepOutput> {
    const { stepMs } = this.options.timeouts
    const deadline = {
      milliseconds: stepMs,
      signal: run.signal,
      error: () => new DeadlineExceededError(`Step "${step.stepId}"`, stepMs ?? 0),
      untilSettled: ({ output }: TaskStepOutput) => streamEnd(output),
    }
    return withDeadline<TaskStepOutput>(deadline, (signal) =>
      raceAbort(this.runWorker(state, step, task, run, signal), signal),
    )
  }

  private async runWorker(
    state: TaskState,
    step: TaskStep,
    task: Task,
    run: StepRunOptions,
    signal: AbortSignal | undefined,
  ): Promise<TaskStepOutput> {
    const { table, newId } = this.tasks
    const { mode, onEvent, onInput, begun, parentId, toolChoice, context, checkBudget } = run
    const { durable = this.tasks.durable } = run
    const { taskId, stepId } = step
    const { agentWorker, callbackManager } = this.runner
    const saved = table.saved?.get(state)
    const number = state.numberOf(stepId)
    const results = new StepResults(
      state,
      { stepId, number },
      (name, value) => table.append(state, (writer) => writer.result(number, name, value)),
      signal,
    )
    const events = onEvent && new StepEvents(state, step, onEvent, signal)
    const runIn = (event?: CallbackEvent): Promise<TaskStepOutput> => {
      const options: StepOptions = {
        toolChoice,
        context,
        checkBudget,
        newId,
        now: this.options.now,
        durable: durable ?? results.durable,
        part: (place) => (durable ? journalOf(durable)?.inner(durable, place) : table.part(state, place)),
        saving: savingOf(saved, durable, results),
        signal,
        onEvent: events?.ofWorker,
        onInput,
        begun,
        ready: events?.ready.bind(events, signal),
        parentId: event?.id ?? parentId,
        memory: task.memory,
        stepNumber: number,
        completedSteps: state.completedSteps.length,
      }
      return mode === 'stream' ? agentWorker.streamStep(step, task, options) : agentWorker.runStep(step, task, options)
    }
    const fail = async (error: unknown): Promise<void> => {
      if (!signal?.aborted) await results.dropAfter(error, () => table.append(state, (writer) => writer.drop(number)))
    }
    void events?.report({ type: 'step_start', taskId, stepId, input: step.input })
    try {
      const isTraced = callbackManager.handlers.length > 0
      const output = await (isTraced ? inStepEvent(callbackManager, step, { parentId, signal }, runIn) : runIn())
      const isStreaming = isStreamingResponse(output.output)
      if (isStreaming) void output.output.whenDone(() => {}, fail)
      events?.end(output)
      // An answer that streams reports the rest of its events later.
      const wait = isStreaming ? undefined : events?.ready(signal)
      if (wait) await wait
      return output
    } catch (error) {
      await fail(error)
      throw error
    }
  }
}

/** Returns how the results of a step are saved: by an engine, or as the task is. */
function savingOf(
  saved: SavedBy | undefined,
  engine: JournalPort | undefined,
  { recall, live, has }: StepResults,
): ResultSaving {
  return {
    journal: saved?.code ?? (engine && journalOf(engine)),
    recall,
    isStrict: engine !== undefined || saved?.journal !== undefined,
    live,
    isKnown: engine ? () => false : has,
    isRepeated: engine !== undefined,
  }
}

/** The outputs of a batch, in the order of the queue, and the steps that failed with their errors. */
interface Settled {
  outputs: TaskStepOutput[]
  errors: unknown[]
  failed: TaskStep[]
}

/** @throws the first error if no step succeeds, so that the task keeps its previous state. */
async function together(
  runOne: (step: TaskStep) => TaskStepOutput | Promise<TaskStepOutput>,
  batch: readonly TaskStep[],
): Promise<Settled> {
  const settled = await Promise.allSettled(batch.map(async (step) => runOne(step)))
  const outputs = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (outputs.length === 0) throw errors[0]
  return { outputs, errors, failed: batch.filter((_, i) => settled[i]!.status === 'rejected') }
}

/** One or more steps of a task that run together. They change a copy of the task, which is committed if they succeed. */
class StepTransaction {
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
