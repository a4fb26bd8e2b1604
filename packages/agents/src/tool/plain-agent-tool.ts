/**
 * @module
 * Agents as tools of other agents, without the check of schemas.
 */

import { required, unchecked } from '@x/core/options'
import { deepEqual, errorMessage } from '@x/core/values'
import { type BaseMemory, ConfigurationError, isRetryable, isToolkitError, ToolOutput } from '@x/core-model'
import type { Receive } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import type { StoredChatMemory } from '@x/core-model/memory'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { AgentEvent, PendingToolCall } from '../task/agent-event.ts'
import { type AgentInput, inputText, messageOf } from '../task/agent-input.ts'
import type { Approval } from '../task/approval-record.ts'
import type { JournalPort, Json } from '../task/durable.ts'
import type { Journal } from '../task/journal.ts'
import type { CheckBudget } from '../task/step-context.ts'
import type { Task } from '../task/task.ts'
import { ApprovalRequiredError, TaskNotFoundError } from '../task/task-errors.ts'
import { isFatal, type ToolCallContext } from './base-tool.ts'
import { InnerRun } from './inner-run.ts'
import { inputOf, isMadeOfUntrusted } from './outside-text.ts'
import { QuestionTool, type QuestionToolOptions } from './question-tool.ts'
import { ToolExecutionError } from './tool-errors.ts'

/** The part of an agent that a tool uses. All runners have it. */
export interface ToolAgent<Context = unknown> {
  readonly memory: BaseMemory
  /** Returns a conversation with a memory of its own; needed only if `memory` has no `fresh`. */
  conversation?(): { readonly memory: BaseMemory }
  /** @param options.taskStore - where the task is saved, if the agent has no store. */
  createTask(
    input: AgentInput,
    options: { taskId: string; memory: BaseMemory; taskStore?: Journal | undefined },
  ): Promise<{ readonly taskId: string }>
  /** Loads a task from the store of the agent, or from the store in the options. Returns null if the task does not exist. */
  resumeTask(taskId: string, options?: { memory: BaseMemory; taskStore: Journal }): Promise<unknown>
  /** Throws if the agent does not have the task. */
  getTask(taskId: string): unknown
  runTask(
    taskId: string,
    options: {
      signal?: AbortSignal | undefined
      context?: Context | undefined
      parentId?: string | undefined
      onEvent?: Receive<AgentEvent> | undefined
      durable?: JournalPort | undefined
      checkBudget?: CheckBudget | undefined
    },
  ): Promise<AgentChatResponse>
  deleteTask(taskId: string): Promise<void>
  /** Returns a task as JSON. An agent without `saveTask` and `loadTask` needs a store to wait in one process and continue in another. */
  saveTask?(taskId: string): unknown
  /** Loads a task that `saveTask` returned. */
  loadTask?(saved: unknown, options: { memory: BaseMemory; taskStore?: Journal | undefined }): Promise<unknown>
  /** Whether a task is saved in a store. */
  isSaved?(taskId: string): boolean
  getPendingApprovals(taskId: string): readonly PendingToolCall[]
  approve(taskId: string, callId: string, options?: Omit<Approval, 'arguments'>): Promise<void>
  reject(taskId: string, callId: string, reason?: string): Promise<void>
  edit(
    taskId: string,
    callId: string,
    args: Record<string, unknown>,
    options?: Pick<Approval, 'by' | 'approvalId'>,
  ): Promise<void>
  /** Provides the result of a call from outside. */
  provideResult?(taskId: string, callId: string, result: Json, options: { isError: boolean }): Promise<void>
}

/** The conversation of an agent that is a tool; see {@link AgentToolOptions}. */
export type AgentToolConversation<Context = unknown> =
  | 'fresh'
  | 'lasting'
  | ((context: Partial<ToolCallContext<Context>>) => BaseMemory | Promise<BaseMemory>)

/** Options of {@link AgentTool}. `toQuestion` may return content parts or a message, for example with an image from a URL argument. */
export interface AgentToolOptions<Context = unknown, Name extends string = string>
  extends QuestionToolOptions<Name, AgentInput> {
  /** The agent. A run of the calling agent must pass the `context` that the tools of this agent need. */
  agent: ToolAgent<Context>
  /**
   * What the inner agent remembers. `fresh`: nothing. `lasting`: earlier calls in the same outer conversation; if that is in a chat store, the
   * inner one is there too, under `<id of the outer conversation>/<name of the tool>`. Otherwise it is in this process. Function:
   * returns the memory to use, for example one in a database.
   * @defaultValue 'fresh'
   */
  conversation?: AgentToolConversation<Context> | undefined
}

const AGENT_OPTIONS = { agent: required('an agent', 'createTask'), conversation: unchecked }

const DEFAULTS = {
  name: 'agent',
  description: 'Does a task on its own and reports the result. Describe the whole task.',
}

/**
 * An agent as a tool of another agent: an `AgentTool` with the argument `input`, without the check of schemas, which adds 5 kB to a bundle.
 * @throws {ToolSchemaError} if it has the option `schema`.
 */
export class PlainAgentTool<Context = unknown, Name extends string = string> extends QuestionTool<
  Context,
  Name,
  AgentInput
> {
  readonly agent: ToolAgent<Context>
  readonly canWait = true
  readonly isDurable = true
  private readonly conversation: AgentToolConversation<Context>
  /** The memories of lasting conversations, by the memory of the calling agent. */
  private readonly lasting = new WeakMap<BaseMemory, BaseMemory>()
  /** The last run of each conversation, by its id or memory. A conversation has one run at a time. */
  private readonly running = new Map<unknown, Promise<unknown>>()

  constructor(
    options: AgentToolOptions<Context, Name>,
    name = DEFAULTS.name,
    where = 'PlainAgentTool',
    check?: ConstructorParameters<typeof QuestionTool>[4],
  ) {
    super(options, { ...DEFAULTS, name }, where, AGENT_OPTIONS, check)
    this.agent = options.agent
    this.conversation = options.conversation ?? 'fresh'
  }

  /**
   * Runs the agent for a question, which is a string or an object with the argument `input`.
   * @throws {ApprovalRequiredError} if the agent waits for decisions. Call again with `context.decisions`.
   * @throws {TaskNotFoundError} if there are decisions for a task that the agent does not have. It ends the run of the calling agent.
   * @throws {ToolExecutionError} if the agent fails.
   */
  async call(
    input: Record<string, unknown> | string | number,
    context: Partial<ToolCallContext<Context>> = {},
  ): Promise<ToolOutput> {
    const question = await inputOf(await this.questionFor(input, context), context.task)
    const memory = await this.memoryOf(context)
    const answer = await this.inTurn(memory, () => this.run(question, memory, context))
    return new ToolOutput({
      content: answer.response,
      toolName: this.metadata.name ?? '',
      rawInput: { input: inputText(messageOf(question)) },
      rawOutput: answer,
      untrusted: isMadeOfUntrusted(answer),
    })
  }

  /** Returns the input of the agent's task for a call. */
  protected questionFor(
    input: Record<string, unknown> | string | number,
    _context: Partial<ToolCallContext<Context>>,
  ): Promise<AgentInput> {
    return this.question(input)
  }

  /** Returns the conversation for a call. */
  protected async memoryOf(context: Partial<ToolCallContext<Context>>): Promise<BaseMemory> {
    const { conversation } = this
    if (typeof conversation === 'function') return conversation(context)
    const outer = context.task?.memory
    if (conversation === 'lasting' && outer) {
      const stored = (outer as Partial<StoredChatMemory>).inner?.(this.metadata.name ?? '', this.agent.memory)
      if (stored) return stored
    }
    const known = conversation === 'lasting' && outer ? this.lasting.get(outer) : undefined
    const memory = known ?? this.newMemory()
    if (outer) this.lasting.set(outer, memory)
    return memory
  }

  /** Returns an empty memory. */
  protected newMemory(): BaseMemory {
    const { agent } = this
    const memory = agent.memory.fresh?.() ?? agent.conversation?.().memory
    if (memory) return memory
    throw new ConfigurationError(
      `Tool "${this.metadata.name}": its agent has no conversation; pass one as conversation.`,
    )
  }

  /** Calls `run` when earlier runs of the conversation are over. */
  private async inTurn<T>(memory: BaseMemory, run: () => Promise<T>): Promise<T> {
    const key = memory.conversationId ?? memory
    const before = this.running.get(key)
    const current = (async () => {
      await before?.catch(() => {})
      return run()
    })()
    this.running.set(key, current)
    try {
      return await current
    } finally {
      if (this.running.get(key) === current) this.running.delete(key)
    }
  }

  private async run(
    question: AgentInput,
    memory: BaseMemory,
    context: Partial<ToolCallContext<Context>>,
  ): Promise<AgentChatResponse> {
    const { decisions = [], context: given, parentId, durable } = context
    const taskId = decisions[0]?.taskId ?? context.idempotencyKey ?? newId()
    const inner = new InnerRun(context)
    const { signal, onEvent, checkBudget } = inner
    let isOpen = false
    try {
      await this.open(taskId, question, memory, context)
      await this.decide(taskId, decisions)
      isOpen = true
      const run = { signal, context: given, onEvent, parentId, checkBudget }
      return await this.agent.runTask(taskId, durable ? { ...run, durable } : run)
    } catch (error) {
      signal.throwIfAborted()
      throw await this.failure(error, taskId, isOpen ? inner : undefined, context)
    } finally {
      inner.release()
    }
  }

  /** Returns the error of a call whose agent has failed. @param inner - the run, if it has begun. */
  private async failure(
    error: unknown,
    taskId: string,
    inner: InnerRun | undefined,
    context: Partial<ToolCallContext<Context>>,
  ): Promise<unknown> {
    if (isToolkitError(error, 'approval_required'))
      return new ApprovalRequiredError(taskId, error.calls, this.savedTask(taskId, context))
    if (isFatal(error)) return error
    // The calling task cannot be saved either.
    if (context.mustSave && isToolkitError(error, 'serialization')) return this.fatalError(error)
    inner?.countFailed(this.agent.getTask(taskId) as Partial<Task> | undefined)
    // A decision must not be lost: the run may be repeated.
    if (!inner && context.decisions?.length) return this.fatalError(error)
    // The task is kept if another attempt may succeed, which then continues it.
    if (!context.raisesFailure || !isRetryable(error)) await this.forget(taskId)
    // The ids of tasks are useless to the calling model.
    const message = errorMessage(error).replaceAll(`Task "${taskId}"`, 'The agent').replaceAll(taskId, '…')
    return new ToolExecutionError(this.metadata.name ?? '', message, { cause: new Error(message, { cause: error }) })
  }

  /** Continues the task of an earlier attempt, or creates it. */
  private async open(
    taskId: string,
    question: AgentInput,
    memory: BaseMemory,
    { agentTask, decisions = [], taskStore }: Partial<ToolCallContext<Context>>,
  ): Promise<void> {
    const { agent } = this
    if (await this.knows(taskId, taskStore?.store && { memory, taskStore })) return
    if (agentTask !== undefined && agent.loadTask) await agent.loadTask(agentTask, { memory, taskStore })
    else if (decisions.length === 0) {
      const turn = (memory as Partial<StoredChatMemory>).forTurn?.(taskId)
      await turn?.begin(messageOf(question))
      await agent.createTask(question, { taskId, memory: turn ?? memory, taskStore })
    } else {
      const advice = `Tool "${this.metadata.name}" cannot continue it: pass the store in which its agent saved it.`
      throw new TaskNotFoundError(taskId, { advice, fatal: true })
    }
  }

  /** Returns the task of an agent that waits; undefined if it is in a store, or if the task cannot and need not be saved. */
  private savedTask(taskId: string, { mustSave }: Partial<ToolCallContext<Context>>): unknown {
    try {
      if (this.agent.isSaved?.(taskId)) return undefined
      return this.agent.saveTask?.(taskId)
    } catch (error) {
      if (mustSave) throw this.fatalError(error)
      return undefined
    }
  }

  private fatalError(cause: unknown): ToolExecutionError {
    return new ToolExecutionError(this.metadata.name ?? '', errorMessage(cause), { cause, fatal: true })
  }

  /** Whether the agent has the task of an earlier attempt, in memory or in a store. */
  private async knows(
    taskId: string,
    stored: { memory: BaseMemory; taskStore: Journal } | undefined,
  ): Promise<boolean> {
    try {
      this.agent.getTask(taskId)
      // A task in memory may belong to an earlier run of the calling task.
      if (!stored) return true
    } catch (error) {
      if (!isToolkitError(error, 'task_not_found')) throw error
    }
    try {
      return (await this.agent.resumeTask(taskId, stored)) !== null
    } catch (error) {
      // An agent without a store.
      if (isToolkitError(error, 'configuration')) return false
      throw error
    }
  }

  private async forget(taskId: string): Promise<void> {
    try {
      await this.agent.deleteTask(taskId)
    } catch {
      // The task could not be created.
    }
  }

  /** Edits a call, which still waits if the arguments do not match: its tool may know more than the schema that the caller has checked. */
  private async edit(...edited: Parameters<ToolAgent['edit']>): Promise<void> {
    try {
      await this.agent.edit(...edited)
    } catch (error) {
      if (!isToolkitError(error, 'tool_input')) throw error
    }
  }

  private async decide(taskId: string, decisions: readonly PendingToolCall[]): Promise<void> {
    const { agent } = this
    const waiting = new Map(agent.getPendingApprovals(taskId).map((call) => [call.id, call]))
    for (const decided of decisions) {
      const { id, arguments: args } = decided
      const call = waiting.get(id)
      if (!call || decided.decision === null) continue
      if (decided.decision === 'result')
        await agent.provideResult?.(taskId, id, decided.result, { isError: decided.isError ?? false })
      else if (decided.decision === 'reject') await agent.reject(taskId, id, decided.reason)
      else {
        const { always, approval } = decided
        const shown = { by: approval?.by, approvalId: approval?.id }
        // Without an id, the saved arguments are neither those of the question nor of an edit: the agent asks again.
        if (approval?.id === '' || deepEqual(args, call.arguments) || typeof args === 'string')
          await agent.approve(taskId, id, { always, ...shown })
        else await this.edit(taskId, id, args, shown)
      }
    }
  }
}

/** Whether an object, such as a query engine, is an agent. */
export function isToolAgent(value: object): value is ToolAgent {
  return ['createTask', 'runTask', 'resumeTask', 'getPendingApprovals'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'function',
  )
}
