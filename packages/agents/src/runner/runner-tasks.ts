/**
 * @module
 * The tasks of a runner: creating and loading them. The runner documents the operations.
 */
import { callbackManager, flag, having, type OptionTable, text } from '@x/core/options'
import { type BaseMemory, type CallbackManager, ConfigurationError, type TaskStore } from '@x/core-model'
import { newId } from '@x/core-model/data'
import type { AgentWorker, ToolChoice } from '../loop/agent-worker.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import type { JournalPort } from '../task/durable.ts'
import { type Journal, journalOf, type LoadTaskOptions } from '../task/journal.ts'
import { Task, type TaskInput } from '../task/task.ts'
import type { TaskStep } from '../task/task-step.ts'
import { aJournal, aMemory, type BaseAgentRunnerOptions } from './runner-options.ts'
import { type TaskLimits, TaskTable } from './task-table.ts'
import { TurnRecorder } from './turn-recorder.ts'
import { ownMessages } from './turn-so-far.ts'

/** Options of a new task. */
export interface CreateTaskOptions<Own extends object = Readonly<Record<string, unknown>>> {
  /** @defaultValue a new id */
  taskId?: string | undefined
  /** The initial extra state. Cannot be combined with `initTaskStateKwargs`. */
  extraState?: Own | undefined
  /** @defaultValue the callback manager of the runner */
  callbackManager?: CallbackManager | undefined
  /** The conversation of the task. @defaultValue the memory of the runner */
  memory?: BaseMemory | null | undefined
  /** Where this task is saved, if the agent saves none: for an agent behind a tool, its part of the journal of the calling task. */
  taskStore?: Journal | undefined
  /**
   * Whether the task runs at once, and nobody else has it and its memory: it is saved with the start of its first step, and its end in one
   * operation. @internal
   */
  isExclusive?: boolean | undefined
}

/** The checks of {@link LoadTaskOptions}. */
export const LOAD_TASK_OPTIONS: OptionTable<LoadTaskOptions> = { memory: aMemory, taskStore: aJournal }

/** The checks of {@link CreateTaskOptions}. */
export const CREATE_TASK_OPTIONS: OptionTable<CreateTaskOptions> = {
  taskId: text,
  extraState: having('an object'),
  callbackManager,
  ...LOAD_TASK_OPTIONS,
  isExclusive: flag,
}

/** What the parts of a runner read of it. */
export interface RunnerFields<State extends TaskState = TaskState> extends TaskLimits {
  readonly agentWorker: AgentWorker
  readonly memory: BaseMemory
  readonly callbackManager: CallbackManager
  readonly initTaskStateKwargs: Readonly<Record<string, unknown>>
  readonly state: AgentState<State>
  /** The tool choice of messages without their own. @defaultValue 'auto' */
  readonly defaultToolChoice?: ToolChoice
}

/** The kind of a runner. */
export interface RunnerKind<State extends TaskState> {
  emptyState(): AgentState<State>
  makeState(task: Task, firstStep: TaskStep): State
  /** Whether all queued steps run together. */
  batches: boolean
}

/** The tasks of a runner: it creates and loads them. */
export class RunnerTasks<State extends TaskState = TaskState> {
  readonly table: TaskTable<State>
  readonly newId: () => string
  /** The engine that saves the calls of all runs. */
  readonly durable: JournalPort | undefined
  /** The code that saves tasks; undefined if the agent has none. */
  private readonly journal: Journal | undefined
  private readonly runner: RunnerFields<State>
  readonly makeState: RunnerKind<State>['makeState']

  /** @throws {ConfigurationError} if there are an engine and a task store. */
  constructor(
    runner: RunnerFields<State>,
    {
      durable,
      taskStore,
      newId: ids = newId,
      now = Date.now,
    }: Pick<BaseAgentRunnerOptions<never>, 'durable' | 'taskStore' | 'newId' | 'now'>,
    makeState: RunnerKind<State>['makeState'],
  ) {
    if (durable && taskStore?.store) throw twoJournals('AgentRunner')
    this.runner = runner
    this.durable = durable
    this.journal = taskStore ?? journalOf(durable)
    this.newId = ids
    this.makeState = makeState
    this.table = new TaskTable(runner.state, this.journal, runner, now)
  }

  /** Whether a message may be refused. */
  get holdsInput(): boolean {
    return this.runner.agentWorker.holdsInput === true
  }

  /** The store of the runner. */
  get store(): TaskStore | undefined {
    return this.journal?.store
  }

  async create(input: TaskInput, options: CreateTaskOptions<object>, signal?: AbortSignal): Promise<State> {
    const { agentWorker, memory, callbackManager, initTaskStateKwargs } = this.runner
    const standing = Object.keys(initTaskStateKwargs).length > 0
    if (standing && options.extraState) {
      throw new ConfigurationError(
        'AgentRunner: initTaskStateKwargs are the extra state of every task; do not pass extra state to createTask.',
      )
    }
    const taskId = options.taskId ?? this.newId()
    this.table.refuseDuplicate(taskId)
    const task = new Task({
      taskId,
      ...input,
      memory: options.memory ?? memory,
      callbackManager: options.callbackManager ?? callbackManager,
      extraState: { ...(standing ? initTaskStateKwargs : options.extraState) },
    })
    const step = await agentWorker.initializeStep(task)
    signal?.throwIfAborted()
    const state = this.makeState(task, step)
    state.ownsConversation = task.memory !== memory
    state.isExclusive = options.isExclusive === true
    // Another task may have used the id while the worker was initializing this one.
    await this.table.add(state, { journal: this.journalFor(options), isLater: options.isExclusive })
    return state
  }

  async load(data: unknown, options: LoadTaskOptions = {}): Promise<Task> {
    const { agentWorker, memory, callbackManager } = this.runner
    const journal = this.journalFor(options) ?? refuseSaving('loadTask')
    const { read, entries } = journal.read(data, (state) => agentWorker.readsState?.(state) ?? true)
    this.table.removeClaimed(read.taskId)
    this.table.refuseDuplicate(read.taskId)
    const state = await journal.load<State>(read, options, {
      memory,
      callbackManager,
      ownMessages: async (task) => (await ownMessages(task, agentWorker, agentWorker.addMessagesOnLoad)).own,
      makeState: this.makeState,
    })
    if (entries) this.table.addLoaded(state, entries, journal)
    else await this.table.add(state, { journal })
    this.table.recordFinished(state)
    return state.task
  }

  async resume(taskId: string, options: LoadTaskOptions = {}): Promise<Task | null> {
    const journal = this.journalFor(options)
    const store = journal?.store
    if (!store && !this.runner.state.taskDict.has(taskId))
      throw new ConfigurationError('AgentRunner.resumeTask: a taskStore is required.')
    if (!store) return this.resumed(this.runner.state.get(taskId).task)
    const entries = await journal.entries(taskId)
    if (entries === null && store !== this.store) this.table.removeOther(taskId, store)
    if (entries === null) return null
    return this.resumed(this.table.current(taskId, entries.length, store)?.task ?? (await this.load(entries, options)))
  }

  /** Returns a task that continues. Its turn says how far the task is. */
  private async resumed(task: Task): Promise<Task> {
    const state = this.table.find(task.taskId)
    if (state && !state.busy) await TurnRecorder.of(state, this.runner.agentWorker)?.resumed()
    return task
  }

  /** Returns how a task is saved: as this runner says, or the caller. An engine replaces it. */
  private journalFor({ taskStore }: { taskStore?: Journal | undefined }): Journal | undefined {
    const { journal } = this
    const store = this.store || this.durable ? undefined : taskStore?.store
    return (store && journal?.within(store)) ?? journal ?? taskStore
  }
}

/** @throws {ConfigurationError} if nothing brings the code that saves tasks. */
export function refuseSaving(method: string): never {
  throw new ConfigurationError(
    `AgentRunner.${method}: pass taskStore: journal(store) to the agent, or journal() to save tasks with saveTask alone.`,
  )
}

/** Returns the error for a task that would be saved twice. */
export function twoJournals(where: string): ConfigurationError {
  return new ConfigurationError(`${where}: durable and taskStore cannot be combined; the engine saves the task.`)
}
