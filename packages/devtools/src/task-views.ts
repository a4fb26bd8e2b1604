/**
 * @module
 * The tasks of a store as a page shows them, and what one can do with them. Everything goes through the public API of the packages.
 */
import { type AgentRunner, applyToolDecision, journal, type ToolDecision } from '@x/agents'
import { type TimelineRow, taskTimeline } from '@x/agents/store'
import { isToolkitError, type TaskStore } from '@x/core-model'
import { StoredTasks, type TaskRun, type WaitingCall } from '@x/durable'

/** An agent with tasks that can be continued. */
export type InspectedAgent = Pick<
  AgentRunner,
  'resumeTask' | 'approve' | 'edit' | 'reject' | 'provideResult' | 'runTask' | 'undoStep' | 'forkTask'
>

/** Options of {@link TaskViews}. */
export interface TaskViewsOptions {
  store: TaskStore
  /** Makes the agent of a task. @defaultValue none: tasks are shown, and calls of submitted tasks are decided */
  agent?: ((run: TaskRun) => InspectedAgent) | undefined
}

/** A call that waits for a person. Arguments from a model with native tool calls are JSON. */
export type ShownCall = Pick<WaitingCall, 'id' | 'name' | 'arguments'>

/** A task in a list. */
export interface ListedTask {
  id: string
  /** The question. */
  title: string
  /** `stopped`: it has no answer, waits for nobody, and no engine knows it. */
  status: string
  /** The number of completed steps. */
  turns: number
  /** The tokens of its model calls. */
  tokens: number
  forkedFrom: string | null
  /** Whether an engine runs it. */
  isSubmitted: boolean
  /** Whether it can be continued, undone and forked. */
  canRun: boolean
}

/** A task with its timeline. */
export interface ShownTask extends ListedTask {
  rows: TimelineRow[]
  waiting: readonly ShownCall[]
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

  /** Returns the tasks, the newest first. */
  async list(): Promise<ListedTask[]> {
    const journals = (await this.store.list()).map(({ taskId }) => taskId)
    const queued = (await this.submitted.list()).map(({ taskId }) => taskId)
    const found = await Promise.all([...new Set([...queued, ...journals])].map((id) => this.find(id)))
    return found.flatMap((task) => {
      if (task === null) return []
      const { rows: _, waiting: _w, ...summary } = task
      return [summary]
    })
  }

  /** Returns a task; null if the store has none with this id. */
  async find(id: string): Promise<ShownTask | null> {
    const rows = await taskTimeline(this.store, id)
    const status = await known(this.submitted.status(id))
    if (rows === null && status === null) return null
    const live = (rows ?? []).filter(({ isUndone }) => !isUndone)
    const waiting = status === null ? openCalls(live) : await this.submitted.waiting(id)
    return {
      id,
      title: live.find(({ kind }) => kind === 'input')?.text ?? id,
      status: status ?? statusOf(live, waiting),
      turns: live.at(-1)?.turn ?? 0,
      tokens: live.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0),
      forkedFrom: rows?.findLast(({ forkedFrom }) => forkedFrom !== undefined)?.forkedFrom ?? null,
      isSubmitted: status !== null,
      canRun: this.agent !== undefined,
      rows: [...(rows ?? []), ...(await this.failureOf(id, status, live))],
      waiting,
    }
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

  /** Why a submitted task failed, as its last row. */
  private async failureOf(id: string, status: string | null, rows: readonly TimelineRow[]): Promise<TimelineRow[]> {
    if (status !== 'failed') return []
    const error = await this.submitted.answer(id).catch((thrown: Error) => thrown)
    return [{ turn: rows.at(-1)?.turn ?? 0, kind: 'error', text: error instanceof Error ? error.message : '' }]
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

/** Null for a task that no engine knows. */
async function known<T>(value: Promise<T>): Promise<T | null> {
  return value.catch((error: unknown) => {
    if (isToolkitError(error, 'task_not_found')) return null
    throw error
  })
}

function statusOf(rows: readonly TimelineRow[], waiting: readonly ShownCall[]): string {
  if (waiting.length > 0) return 'waiting'
  return rows.at(-1)?.kind === 'answer' ? 'finished' : 'stopped'
}

/** The calls of a task that wait and were not decided. */
function openCalls(rows: readonly TimelineRow[]): ShownCall[] {
  const open = new Map<string, ShownCall>()
  for (const { kind, callId = '', toolName = '', data, inner } of rows) {
    if (kind === 'waiting' && inner === undefined)
      open.set(callId, { id: callId, name: toolName, arguments: data as ShownCall['arguments'] })
    if (kind === 'decision') open.delete(callId)
  }
  return [...open.values()]
}
