/**
 * @module
 * The tasks of a runner: creating, undoing, forking, deciding, saving and loading them.
 */
import { checkOptions, having, type OptionTable, text } from '@x/core/options'
import { type BaseMemory, CallbackManager, ConfigurationError } from '@x/core-model'
import { raceAbort } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import type { AgentWorker } from '../loop/agent-worker.ts'
import { memoryOf } from '../memory/chat-memory-buffer.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import { type AgentInput, type TaskInput, taskInput } from '../task/agent-input.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import { allowTool, type Decide, decideCall, undecidedCalls } from '../task/approvals.ts'
import type { Json } from '../task/durable.ts'
import { type Journal, journalOf, type LoadTaskOptions } from '../task/journal.ts'
import type { SavedTask } from '../task/saved-task.ts'
import { Task } from '../task/task.ts'
import { StepNotFoundError, TaskBusyError } from '../task/task-errors.ts'
import { forkAt, undoLast } from '../task/task-history.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import { ownMessages } from './finalizing.ts'
import { aJournal, type BaseAgentRunnerOptions } from './runner-options.ts'
import { TaskTable } from './task-table.ts'

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
}

const CREATE_TASK_OPTIONS: OptionTable<CreateTaskOptions> = {
  taskId: text,
  extraState: having('an object'),
  callbackManager: having('a callback manager', 'startEvent'),
  memory: having('a memory', 'get', 'put'),
  taskStore: aJournal,
}

/** The tasks of a runner: it creates, lists, saves and deletes them. */
export abstract class RunnerTasks<State extends TaskState, ExtraState extends object> {
  readonly agentWorker: AgentWorker
  readonly memory: BaseMemory
  readonly callbackManager: CallbackManager
  readonly initTaskStateKwargs: Readonly<Record<string, unknown>>
  deleteTaskOnFinish: boolean
  maxFinishedTasks: number | null
  readonly state: AgentState<State>
  protected readonly options: BaseAgentRunnerOptions<AgentState<State>>
  protected readonly newId: () => string
  /** @internal */
  protected readonly taskTable: TaskTable<State>
  /** The code that saves tasks; undefined if the agent has none. */
  protected readonly journal: Journal | undefined

  constructor(options: BaseAgentRunnerOptions<AgentState<State>>, emptyState: () => AgentState<State>) {
    const { agentWorker } = options
    if (options.durable && options.taskStore?.store) throw twoJournals('AgentRunner')
    this.options = options
    this.agentWorker = agentWorker
    this.memory = memoryOf('AgentRunner', options)
    this.callbackManager = options.callbackManager ?? agentWorker.callbackManager ?? new CallbackManager()
    this.initTaskStateKwargs = options.initTaskStateKwargs ?? {}
    this.deleteTaskOnFinish = options.deleteTaskOnFinish ?? false
    this.maxFinishedTasks = options.maxFinishedTasks === undefined ? 1000 : options.maxFinishedTasks
    this.state = options.state ?? emptyState()
    this.journal = options.taskStore ?? journalOf(options.durable)
    this.newId = options.newId ?? newId
    this.taskTable = new TaskTable(this.state, {
      journal: this.journal,
      deleteOnFinish: () => this.deleteTaskOnFinish,
      maxFinished: () => this.maxFinishedTasks,
    })
  }

  protected abstract makeState(task: Task, firstStep: TaskStep): State

  /**
   * Creates a task for an input, and its first step. The conversation does not change before the task is finalized.
   * @param input - a string, content parts (text, images and files), or a message of the user.
   * @throws {TaskAlreadyExistsError} if the id is already used.
   * @throws {ConfigurationError} if there are `initTaskStateKwargs` and an extra state.
   * @throws {ModelValidationError} if a part of the input is invalid.
   */
  async createTask<Own extends object = Record<never, never>>(
    input: AgentInput,
    options: CreateTaskOptions<Own> = {},
  ): Promise<Task<ExtraState & Own>> {
    checkOptions('createTask', options, CREATE_TASK_OPTIONS)
    const { task } = await this.makeTask(taskInput(input), options)
    return task as Task<ExtraState & Own>
  }

  /** @internal */
  protected async makeTask(input: TaskInput, options: CreateTaskOptions<object>, signal?: AbortSignal): Promise<State> {
    const standing = Object.keys(this.initTaskStateKwargs).length > 0
    if (standing && options.extraState) {
      throw new ConfigurationError(
        'AgentRunner: initTaskStateKwargs are the extra state of every task; do not pass extra state to createTask.',
      )
    }
    const taskId = options.taskId ?? this.newId()
    this.taskTable.refuseDuplicate(taskId)
    const task = new Task({
      taskId,
      ...input,
      memory: options.memory ?? this.memory,
      callbackManager: options.callbackManager ?? this.callbackManager,
      extraState: { ...(standing ? this.initTaskStateKwargs : options.extraState) },
    })
    const step = await raceAbort(this.agentWorker.initializeStep(task), signal)
    const state = this.makeState(task, step)
    state.ownsConversation = task.memory !== this.memory
    // Another task may have used the id while the worker was initializing this one.
    await this.taskTable.add(state, { journal: this.journalFor(options) })
    return state
  }

  /** Returns all tasks, in order of creation. */
  listTasks(): Task<ExtraState>[] {
    return this.state.taskDict.values().map(({ task }) => task as Task<ExtraState>)
  }

  /** @throws {TaskNotFoundError} */
  getTask(taskId: string): Task<ExtraState> {
    return this.state.get(taskId).task as Task<ExtraState>
  }

  /** Returns the upcoming steps. @throws {TaskNotFoundError} */
  getUpcomingSteps(taskId: string): TaskStep[] {
    return [...this.state.get(taskId).stepQueue]
  }

  /** Returns the outputs of the completed steps. @throws {TaskNotFoundError} */
  getCompletedSteps(taskId: string): TaskStepOutput[] {
    return [...this.state.get(taskId).completedSteps]
  }

  /** @throws {StepNotFoundError} if no completed step has the id. */
  getCompletedStep(taskId: string, stepId: string): TaskStepOutput {
    const found = this.state.get(taskId).completedSteps.find(({ taskStep }) => taskStep.stepId === stepId)
    if (!found) throw new StepNotFoundError(taskId, stepId)
    return found
  }

  /**
   * Deletes a task. Messages that it already added to the conversation stay. A step or stream in progress adds no more messages.
   */
  async deleteTask(taskId: string): Promise<void> {
    await this.taskTable.delete(taskId)
  }

  /**
   * Undoes the last step (in a parallel runner: the last batch) and restores the previous state. External effects of tools are not
   * undone.
   * @throws {TaskFinalizedError} if the messages of the task are in the conversation.
   * @throws {NothingToUndoError} if no step has run.
   */
  async undoStep(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    await undoLast(state, () => this.taskTable.append(state, (writer) => writer.undo()))
  }

  /**
   * Creates a task that continues independently from a step of this task, with a copy of the conversation. This task does not change.
   * Approvals after that step are not copied.
   * @param options.atStep - the number of steps that are kept. @defaultValue all
   * @throws {InvalidStepError} if the task was never at that step, or the step is inside a batch.
   */
  async forkTask(taskId: string, options: { atStep?: number; taskId?: string } = {}): Promise<Task<ExtraState>> {
    const origin = this.state.get(taskId)
    const atStep = options.atStep ?? origin.completedSteps.length
    const forkId = options.taskId ?? this.newId()
    this.taskTable.refuseDuplicate(forkId)
    const state = await forkAt(origin, { atStep, taskId: forkId }, (task, first) => this.makeState(task, first))
    await this.taskTable.add(state, { forkedFrom: { task_id: taskId, at_step: atStep } })
    return state.task as Task<ExtraState>
  }

  /** Whether a task has a journal in a task store. @throws {TaskNotFoundError} */
  isSaved(taskId: string): boolean {
    return this.taskTable.isStored(this.state.get(taskId))
  }

  /** Returns the tool calls of a task that wait for a decision. */
  getPendingApprovals(taskId: string): PendingToolCall[] {
    return undecidedCalls(this.state.get(taskId))
  }

  /**
   * Approves a waiting tool call, as soon as it was reported as waiting.
   * @param options.always - whether later calls of the same tool need no approval in this task. @defaultValue false
   * @param options.by - who approved, for the journal.
   * @throws {ApprovalError} if no call with this id waits.
   */
  approve(taskId: string, callId: string, options: { always?: boolean; by?: string } = {}): Promise<void> {
    return this.decide(taskId, callId, options.by, (call, task) => {
      if (options.always) allowTool(task, call.name)
      return { ...call, decision: 'approve' }
    })
  }

  /** Rejects a waiting tool call. The model receives the reason. @throws {ApprovalError} if no call with this id waits. */
  reject(taskId: string, callId: string, reason?: string, options: { by?: string } = {}): Promise<void> {
    const given = reason === undefined ? {} : { reason }
    return this.decide(taskId, callId, options.by, (call) => ({ ...call, decision: 'reject', ...given }))
  }

  /**
   * Approves a waiting tool call with other arguments. The conversation shows them, because the tool runs with them.
   * @throws {ApprovalError} if no call with this id waits.
   * @throws {ToolInputError} if the arguments do not match the schema of the tool. Then the call still waits.
   */
  edit(taskId: string, callId: string, args: Record<string, unknown>, options: { by?: string } = {}): Promise<void> {
    return this.decide(taskId, callId, options.by, async (call, task) => {
      const edited = (await this.agentWorker.editCall?.(call, args, task)) ?? { ...call, arguments: args }
      return { ...edited, decision: 'approve' }
    })
  }

  /**
   * Provides the result of a waiting tool call from outside: of a tool that runs at the client, a job that took days, or a question to
   * the user. The tool does not run.
   * @param result - a string, or data that is reported to the model as JSON. It is checked like a result of the tool.
   * @param options.isError - whether the result is the message of a failure. @defaultValue false
   * @throws {ApprovalError} if no call with this id waits.
   */
  provideResult(
    taskId: string,
    callId: string,
    result: Json,
    { isError = false, by }: { isError?: boolean; by?: string } = {},
  ): Promise<void> {
    return this.decide(taskId, callId, by, (call) => ({ ...call, decision: 'result', result, isError }))
  }

  private async decide(taskId: string, callId: string, by: string | undefined, decide: Decide): Promise<void> {
    const state = this.state.get(taskId)
    await decideCall(state, callId, decide, ({ decision }) =>
      this.taskTable.append(state, (writer) => writer.decision(state, { callId, decision: decision ?? '', by })),
    )
  }

  /**
   * Returns a task as plain JSON, to continue it later or elsewhere.
   * @throws {SerializationError} naming the value that cannot be saved.
   * @throws {ConfigurationError} if the agent has no `taskStore`, not even `journal()`.
   */
  saveTask(taskId: string): SavedTask {
    const state = this.state.get(taskId)
    if (state.busy) throw new TaskBusyError(taskId)
    return this.taskTable.write(state) ?? refuse('saveTask')
  }

  /**
   * Loads a saved task: the result of `saveTask`, or the entries of a journal.
   *
   * The task continues in its own conversation. That is the memory of this runner if the task used the memory of its runner, and this
   * memory is empty or begins with the saved messages.
   * @throws {SavedTaskError} if the data has a different version, is incomplete, or belongs to a different kind of worker.
   * @throws {TaskAlreadyExistsError} if there is a task with its id.
   * @throws {TaskClaimedError} if the task store has the task already; resume it from there.
   */
  async loadTask(data: unknown, options: LoadTaskOptions = {}): Promise<Task<ExtraState>> {
    const { agentWorker } = this
    const journal = this.journalFor(options) ?? refuse('loadTask')
    const { read, entries } = journal.read(data, (state) => agentWorker.readsState?.(state) ?? true)
    this.taskTable.removeClaimed(read.taskId)
    this.taskTable.refuseDuplicate(read.taskId)
    const state = await journal.load<State>(read, options, {
      memory: this.memory,
      callbackManager: this.callbackManager,
      ownMessages: async (task) => (await ownMessages(task, agentWorker)).own,
      makeState: (task, first) => this.makeState(task, first),
    })
    if (entries) this.taskTable.addLoaded(state, entries, journal)
    else await this.taskTable.add(state, { journal })
    this.taskTable.recordFinished(state)
    return state.task as Task<ExtraState>
  }

  /**
   * Returns a task as the task store has it now: loads it, unless this runner has it and no other runner has continued it. Returns null
   * if the store has no task with this id.
   * @throws {ConfigurationError} if there is no task store and this runner does not have the task.
   */
  async resumeTask(taskId: string, options: LoadTaskOptions = {}): Promise<Task<ExtraState> | null> {
    const journal = this.journalFor(options)
    const store = journal?.store
    if (!store && !this.state.taskDict.has(taskId))
      throw new ConfigurationError('AgentRunner.resumeTask: a taskStore is required.')
    if (!store) return this.getTask(taskId)
    const entries = await journal.entries(taskId)
    if (entries === null && store !== this.journal?.store) this.taskTable.removeOther(taskId, store)
    if (entries === null) return null
    const known = this.taskTable.current(taskId, entries.length, store)
    return known ? (known.task as Task<ExtraState>) : this.loadTask(entries, options)
  }

  /** Returns how a task is saved: as this runner says, or the caller. An engine replaces it. */
  private journalFor({ taskStore }: { taskStore?: Journal | undefined }): Journal | undefined {
    const { journal } = this
    const store = journal?.store || this.options.durable ? undefined : taskStore?.store
    return (store && journal?.within(store)) ?? journal ?? taskStore
  }
}

/** @throws {ConfigurationError} */
function refuse(method: string): never {
  throw new ConfigurationError(
    `AgentRunner.${method}: pass taskStore: journal(store) to the agent, or journal() to save tasks with saveTask alone.`,
  )
}

/** Returns the error for a task that would be saved twice. */
export function twoJournals(where: string): ConfigurationError {
  return new ConfigurationError(`${where}: durable and taskStore cannot be combined; the engine saves the task.`)
}
