/**
 * @module
 * The state of a runner's tasks.
 */
import type { AgentChatResponse, StreamingAgentChatResponse } from '../answer/agent-chat-response.ts'
import { TaskNotFoundError } from '../errors.ts'
import { BoxedMap } from './boxed-map.ts'
import type { Task } from './task.ts'
import type { TaskStep, TaskStepOutput } from './task-step.ts'

/** A snapshot of a task before one or more steps ran. */
export interface TaskSnapshot {
  /** The number of steps that ran after the snapshot. */
  outputs: number
  /** The upcoming steps at that time. The first of them are the ones that ran. */
  queue: TaskStep[]
  extraState: Record<string, unknown>
}

/** One task with its steps. */
export class TaskState {
  readonly task: Task
  /** Queue of upcoming steps. */
  stepQueue: TaskStep[]
  completedSteps: TaskStepOutput[]
  /** One snapshot per operation that can be undone, the oldest first; emptied when the task is finalized. */
  snapshots: TaskSnapshot[] = []
  /** The number of messages in the conversation before those of this task; null until the task is finalized. */
  memoryLength: number | null = null
  /** The extra state before finalization. Forks start from it, because their messages are not in the conversation yet. */
  finalState: Record<string, unknown> | null = null
  /** The number of the last step that was started; steps that were undone count too. */
  lastStepNumber = 0
  /** The numbers of steps that run or failed, by id. */
  readonly stepNumbers = new Map<string, number>()
  /** Whether a step is running, or its answer is still streaming. */
  busy = false
  /** The answer, once the task is finalized. */
  response: AgentChatResponse | StreamingAgentChatResponse | null = null

  constructor(options: { task: Task; stepQueue?: TaskStep[]; completedSteps?: TaskStepOutput[] }) {
    this.task = options.task
    this.stepQueue = [...(options.stepQueue ?? [])]
    this.completedSteps = [...(options.completedSteps ?? [])]
    this.lastStepNumber = this.completedSteps.length
  }

  /** Returns the number of a step that starts. A step that failed keeps its number. */
  numberOf(stepId: string): number {
    const number = this.stepNumbers.get(stepId) ?? ++this.lastStepNumber
    this.stepNumbers.set(stepId, number)
    return number
  }
}

/** All tasks of a runner, in order of creation. */
export class AgentState<State extends TaskState = TaskState> {
  readonly taskDict = new BoxedMap<string, State>()

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
    super(options)
    this.rootStep = options.rootStep
  }

  get taskId(): string {
    return this.task.taskId
  }
}

/** All tasks of a parallel runner. */
export class DAGAgentState extends AgentState<DAGTaskState> {}
