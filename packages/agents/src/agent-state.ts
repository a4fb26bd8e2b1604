/**
 * @module
 * What a runner knows about its tasks.
 */
import type { AgentChatResponse, StreamingAgentChatResponse } from './agent-chat-response.ts'
import { BoxedMap } from './boxed-map.ts'
import { TaskNotFoundError } from './errors.ts'
import type { Task } from './task.ts'
import type { TaskStep, TaskStepOutput } from './task-step.ts'

/** A task as it was before one or more steps ran. */
export interface TaskSnapshot {
  /** How many completed steps came out of it. */
  outputs: number
  /** The upcoming steps, those that then ran first. */
  queue: TaskStep[]
  extraState: Record<string, unknown>
}

/** One task with its steps. */
export class TaskState {
  readonly task: Task
  /** Upcoming steps, first in, first out. */
  stepQueue: TaskStep[]
  completedSteps: TaskStepOutput[]
  /** One snapshot per undoable move, the oldest first; emptied when the task is finalized. */
  snapshots: TaskSnapshot[] = []
  /** How many messages the conversation had before those of this task; null until the task is finalized. */
  memoryLength: number | null = null
  /** The extra state that finalizing began with: what forks start from, as their messages are still to be written. */
  finalState: Record<string, unknown> | null = null
  /** A step is running, or its answer is still streaming. */
  busy = false
  /** The answer, once the task is finalized. */
  response: AgentChatResponse | StreamingAgentChatResponse | null = null

  constructor(options: { task: Task; stepQueue?: TaskStep[]; completedSteps?: TaskStepOutput[] }) {
    this.task = options.task
    this.stepQueue = [...(options.stepQueue ?? [])]
    this.completedSteps = [...(options.completedSteps ?? [])]
  }
}

/** All tasks of a runner, in the order of their creation. */
export class AgentState<State extends TaskState = TaskState> {
  readonly taskDict = new BoxedMap<string, State>()

  /** @throws {TaskNotFoundError} when there is no such task. */
  get(taskId: string): State {
    const state = this.taskDict.get(taskId)
    if (!state) throw new TaskNotFoundError(taskId)
    return state
  }

  /** Forgets every task. */
  reset(): void {
    this.taskDict.clear()
  }
}

/** A task of a parallel runner: its steps form a graph that starts at `rootStep`. */
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
