/**
 * @module
 * The tasks of a store as a page shows them, and what one can do with them. Everything goes through the public API of the packages.
 */
import { type AgentRunner, applyToolDecision, journal, type ToolDecision } from '@x/agents'
import { isToolkitError, type TaskStore } from '@x/core-model'
import {
  type FoundTask,
  findTask,
  type ListedTask,
  listTasks,
  StoredTasks,
  type TaskRun,
  type TimelineRow,
} from '@x/durable'

/** An agent with tasks that can be continued. */
type InspectedAgent = Pick<
  AgentRunner,
  'resumeTask' | 'approve' | 'edit' | 'reject' | 'provideResult' | 'runTask' | 'undoStep' | 'forkTask'
>

/** Options of {@link TaskViews}. */
export interface TaskViewsOptions {
  store: TaskStore
  /** Makes the agent of a task. @defaultValue none: tasks are shown, and calls of submitted tasks are decided */
  agent?: ((run: TaskRun) => InspectedAgent) | undefined
}

/** A task in the list of the page. */
export interface ShownTask {
  id: string
  /** The question. */
  title: string
  /** `stopped`: it has no answer, waits for no decision, and no engine runs it. */
  status: ListedTask['status']
  /** The number of completed steps. */
  turns: number
  /** The tokens of its model calls. */
  tokens: number
  forkedFrom: string | null
  /** Whether an engine runs it. */
  isSubmitted: boolean
  /** Whether it can be continued, undone and forked. */
  canRun: boolean
  /** What happened, if it is shown alone. */
  rows?: TimelineRow[]
  waiting?: FoundTask['waiting']
}

/** What one can do with a task. */
export type TaskAction =
  | { op: 'decide'; decision: ToolDecision }
  | { op: 'continue' | 'undo' }
  | { op: 'fork'; atStep: number }

/** What devtools decide has their name. */
const named = (decision: ToolDecision): ToolDecision => ({ ...decision, by: 'devtools' })

/** The tasks of a store. */
export class TaskViews {
  private readonly store: TaskStore
  private readonly agent: TaskViewsOptions['agent']
  /** Without an agent, and never started: tasks that were submitted are run by the process that has their worker. */
  private readonly submitted: StoredTasks

  constructor({ store, agent }: TaskViewsOptions) {
    this.store = store
    this.agent = agent
    this.submitted = new StoredTasks({ store })
  }

  /** Returns the tasks. */
  async list(): Promise<ShownTask[]> {
    return (await listTasks(this.store)).map((task) => this.shown(task))
  }

  /** Returns a task; null if the store has none with this id. */
  async find(id: string): Promise<Required<ShownTask> | null> {
    const task = await findTask(this.store, id)
    if (!task) return null
    return { ...this.shown(task), rows: task.rows, waiting: task.waiting }
  }

  private shown({ taskId, input, status, turns, usage, forkedFrom, isSubmitted }: ListedTask): ShownTask {
    const canRun = this.agent !== undefined
    const title = input || taskId
    return { id: taskId, title, status, turns, tokens: usage.totalTokens, forkedFrom, isSubmitted, canRun }
  }

  /**
   * Does something with a task, and returns the id of the task to show next: that of a fork, or its own.
   * @throws {Error} when it needs an agent and there is none; the errors of the operation.
   */
  async act(id: string, action: TaskAction): Promise<string> {
    const task = await this.find(id)
    if (task === null) throw new Error(`There is no task ${id}.`)
    if (!this.agent && !(task.isSubmitted && action.op === 'decide'))
      throw new Error('Start devtools with the file of the agent to do this.')
    return task.isSubmitted ? this.actOnSubmitted(task, action) : this.actOnJournal(id, action)
  }

  private async actOnSubmitted({ id, turns }: ShownTask, action: TaskAction): Promise<string> {
    if (action.op === 'decide') await this.submitted.decide(id, named(action.decision))
    if (action.op === 'continue') await this.submitted.retry(id)
    if (action.op === 'fork') return this.submitted.fork(id, { atStep: action.atStep })
    // An engine has no undo: a copy without the last step takes its place.
    return action.op === 'undo' ? this.submitted.fork(id, { atStep: turns - 1 }) : id
  }

  private async actOnJournal(id: string, action: TaskAction): Promise<string> {
    const run = { taskId: id, taskStore: journal(this.store), context: undefined }
    const agent = this.agent!({ ...run, signal: new AbortController().signal })
    await agent.resumeTask(id)
    if (action.op === 'fork') return (await agent.forkTask(id, { atStep: action.atStep })).taskId
    if (action.op === 'decide') await applyToolDecision(agent, id, named(action.decision))
    if (action.op === 'undo') await agent.undoStep(id)
    else
      await agent.runTask(id).catch((error: unknown) => {
        if (!isToolkitError(error, 'approval_required')) throw error
      })
    return id
  }
}
