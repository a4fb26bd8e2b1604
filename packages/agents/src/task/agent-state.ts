/**
 * @module
 * The state of a runner's tasks, and the states that can be restored.
 */
import { checkGiven } from '@x/core/options'
import { mapValues } from '@x/core/values'
import type { ChatMessage } from '@x/core-model'
import { EarlyEnd } from '@x/core-model/async'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { StreamingAgentChatResponse } from '../answer/chat-answer.ts'
import type { Json } from './durable.ts'
import type { Task } from './task.ts'
import { TaskBusyError, TaskFinalizedError, TaskNotFoundError } from './task-errors.ts'
import type { TaskStep } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'
import { Items } from './versions.ts'

/**
 * The phase of a task:
 * - `open`: idle; a step, a decision, an undo or the finalization may begin.
 * - `running`: steps run, or the answer of one still streams.
 * - `saving`: a change is being saved.
 * - `finalizing`: the messages are being added to the conversation and saved, or that failed and can be repeated.
 * - `finalized`: the task is over.
 */
export type TaskPhase = 'open' | 'running' | 'saving' | 'finalizing' | 'finalized'

const NEXT_PHASES: Readonly<Record<TaskPhase, readonly TaskPhase[]>> = {
  open: ['running', 'saving', 'finalizing'],
  running: ['saving', 'open'],
  saving: ['open'],
  finalizing: ['finalizing', 'finalized'],
  finalized: [],
}

/** One task with its steps. */
export class TaskState {
  readonly task: Task
  /** Queue of upcoming steps. */
  stepQueue: TaskStep[]
  completedSteps: TaskStepOutput[]
  /** One snapshot per operation that can be undone, the oldest first. */
  snapshots: TaskSnapshot[] = []
  /** The number of messages in the conversation before those of this task; null until the task is finalized. */
  memoryLength: number | null = null
  /** The number of messages of a conversation that is stored elsewhere when the task began; null if it is not known. */
  conversationLength: number | null = null
  /** The extra state before finalization. Forks start from it, because their messages are not in the conversation yet. */
  finalState: Record<string, unknown> | null = null
  /** The number of the last step that was started; steps that were undone count too. */
  lastStepNumber = 0
  /** The numbers of steps that run or failed, by id. */
  readonly stepNumbers = new Map<string, number>()
  /** The calls that were reported as waiting while their step still ran. */
  readonly announced = new Set<string>()
  /** Whether the conversation belongs to this task, not to the runner. */
  ownsConversation = false
  /** Whether nobody else has the task and its memory. */
  isExclusive = false
  /** The results of the calls of these steps, by the number of the step and the name of the call. */
  readonly results = new Map<number, Map<string, Json>>()
  /** Like `results`, but unserialized: may contain values that JSON cannot represent. */
  readonly live = new Map<number, Map<string, () => unknown>>()
  /** Whether the conversation receives what was done when a run fails or is stopped. */
  leavesTurn = false
  /** The messages that the last run has left in the conversation; null if it left none. */
  left: readonly ChatMessage[] | null = null
  /** The answer of a finalized task, or the streaming answer of a task that is being finalized. */
  response: AgentChatResponse | StreamingAgentChatResponse | null = null
  private current: TaskPhase = 'open'
  private readonly waiting: (() => void)[] = []
  private untilAwaited: EarlyEnd | undefined

  constructor(options: { task: Task; stepQueue?: TaskStep[]; completedSteps?: TaskStepOutput[] }) {
    this.task = options.task
    this.stepQueue = [...(options.stepQueue ?? [])]
    this.completedSteps = [...(options.completedSteps ?? [])]
    this.lastStepNumber = this.completedSteps.length
  }

  /** The current phase of the task. */
  get phase(): TaskPhase {
    return this.current
  }

  /** Whether a step is running, its answer is still streaming, or a change is being saved. */
  get busy(): boolean {
    return this.current === 'running' || this.current === 'saving'
  }

  /**
   * Begins a phase. This is the only place where a phase changes.
   * @throws {TaskBusyError} if a step of the task is running or a change is being saved.
   * @throws {TaskFinalizedError} if the messages of the task are in the conversation.
   */
  enter(phase: TaskPhase, reason = 'it has no more steps to run'): void {
    if (!NEXT_PHASES[this.current].includes(phase)) {
      const { taskId } = this.task
      throw this.busy ? new TaskBusyError(taskId) : new TaskFinalizedError(taskId, reason)
    }
    this.current = phase
    if (this.busy) return
    this.untilAwaited = undefined
    for (const wake of this.waiting.splice(0)) wake()
  }

  /** Resolves at the end of a step or of saving. The next one may already have begun when the caller continues. */
  nextPhase(): Promise<void> {
    this.untilAwaited?.end()
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  /** Resolves with `work`, or when `nextPhase` is called. */
  orAwaited(work: PromiseLike<unknown>): Promise<unknown> {
    if (this.waiting.length > 0) return Promise.resolve()
    this.untilAwaited ??= new EarlyEnd()
    return this.untilAwaited.orEnd(work)
  }

  /** Returns the number of a step that starts. A step that failed keeps its number. */
  numberOf(stepId: string): number {
    const number = this.stepNumbers.get(stepId) ?? ++this.lastStepNumber
    this.stepNumbers.set(stepId, number)
    return number
  }

  /** Removes the number of a completed or undone step. If the step runs again, it has a new number. */
  forgetNumber(stepId: string): void {
    const number = this.stepNumbers.get(stepId)!
    this.results.delete(number)
    this.live.delete(number)
    this.stepNumbers.delete(stepId)
  }
}

/** Returns the state of a task before its first step. */
export function newTaskState(task: Task, firstStep: TaskStep): TaskState {
  return new TaskState({ task, stepQueue: [firstStep] })
}

/**
 * The state of a task before one or more steps ran. Most arrays of a state are the start of the same array in the next state: snapshots
 * share their items, so that memory grows linearly with the number of steps.
 */
export class TaskSnapshot {
  /** The number of steps that ran after the snapshot. */
  readonly outputs: number
  private known: SnapshotState | undefined
  private readonly read: () => SnapshotState

  /**
   * @param read - reads a saved version when it is needed: most are never restored.
   * @internal
   */
  constructor(outputs: number, read: () => SnapshotState) {
    this.outputs = outputs
    this.read = read
  }

  /** The upcoming steps at that time, beginning with those that ran. */
  get queue(): TaskStep[] {
    return this.whole.queue
  }

  /** The extra state. Its arrays are those of the caller. */
  get extraState(): Record<string, unknown> {
    return mapValues(this.whole.extraState, (value) => (value instanceof Items ? value.toArray() : value))
  }

  private get whole(): SnapshotState {
    this.known ??= this.read()
    return this.known
  }

  /** Shares the items of arrays with those of the snapshot before. */
  shareWith(before: TaskSnapshot | undefined): void {
    const { queue, extraState } = this.whole
    const earlier = before?.whole.extraState
    const shared = { ...extraState }
    // Without a callback, because this runs at every step.
    for (const key in shared) {
      const [value, known] = [shared[key], earlier?.[key]]
      if (Array.isArray(value)) shared[key] = known instanceof Items ? known.continuedBy(value) : new Items([...value])
    }
    this.known = { queue, extraState: shared }
  }
}

/** What a snapshot keeps. */
interface SnapshotState {
  queue: TaskStep[]
  extraState: Record<string, unknown>
}

/** Returns snapshots with their arrays shared, the oldest first. */
export function sharedSnapshots(snapshots: TaskSnapshot[]): TaskSnapshot[] {
  for (const [i, snapshot] of snapshots.entries()) snapshot.shareWith(snapshots[i - 1])
  return snapshots
}

/** All tasks of a runner, in order of creation. */
export class AgentState<State extends TaskState = TaskState> {
  readonly taskDict = new Map<string, State>()

  /** @throws {TaskNotFoundError} if the task does not exist. */
  get(taskId: string): State {
    const state = this.taskDict.get(taskId)
    if (!state) throw new TaskNotFoundError(taskId)
    return state
  }

  /** Removes all tasks. */
  reset(): void {
    this.taskDict.clear()
  }
}

/** A task of a parallel runner. Its steps form a graph that starts at `rootStep`. */
export class DAGTaskState extends TaskState {
  readonly rootStep: TaskStep

  constructor(options: { task: Task; rootStep: TaskStep; stepQueue?: TaskStep[]; completedSteps?: TaskStepOutput[] }) {
    checkGiven('DAGTaskState', { options }, 'an object of options')
    super(options)
    this.rootStep = options.rootStep
  }

  get taskId(): string {
    return this.task.taskId
  }
}

/** All tasks of a parallel runner. */
export class DAGAgentState extends AgentState<DAGTaskState> {}
