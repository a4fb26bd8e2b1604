/**
 * @module
 * Calls of agents that are tools of other agents.
 */
import { deepEqual, errorMessage } from '@x/core/values'
import { type BaseMemory, ConfigurationError, isRetryable, isToolkitError } from '@x/core-model'
import { anySignal, type Receive } from '@x/core-model/async'
import type { StoredChatMemory } from '@x/core-model/memory'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { AgentEvent, PendingToolCall } from '../task/agent-event.ts'
import type { Approval } from '../task/approval-record.ts'
import type { JournalPort, Json } from '../task/durable.ts'
import type { Journal } from '../task/journal.ts'
import type { CheckBudget } from '../task/step-context.ts'
import { type AgentInput, messageOf, type Task } from '../task/task.ts'
import { TaskNotFoundError } from '../task/task-errors.ts'
import type { TaskUsage } from '../task-usage.ts'
import { isFatal, type ToolCallContext } from './base-tool.ts'
import { inputOf } from './outside-text.ts'
import { ToolExecutionError } from './tool-errors.ts'

/** The description of an agent as a tool, if its application gives none. */
export const AGENT_DESCRIPTION = 'Does a task on its own and reports the result. Describe the whole task.'

/** The part of an agent that a tool uses. All runners have it. */
export interface ToolAgent<Context = unknown> {
  readonly memory: BaseMemory
  /** Returns a conversation with its own memory; needed only if `memory` has no `fresh`. */
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
    options?: Pick<Approval, 'by' | 'approvalId' | 'exact'>,
  ): Promise<void>
  /** Provides the result of a call from outside. */
  provideResult?(taskId: string, callId: string, result: Json, options: { isError: boolean }): Promise<void>
}

/** The conversation of an agent that is a tool; see {@link AgentToolOptions}. */
export type AgentToolConversation<Context = unknown> =
  | 'fresh'
  | 'lasting'
  | ((context: Partial<ToolCallContext<Context>>) => BaseMemory | Promise<BaseMemory>)

/** The calls of an agent that is a tool: each is a task of the agent, in its own conversation or one that lasts. */
export class AgentCalls<Context = unknown> {
  private readonly agent: ToolAgent<Context>
  /** Of the tool, for errors and stored conversations. */
  private readonly name: string
  private readonly conversation: AgentToolConversation<Context>
  /** The memories of lasting conversations, by the memory of the calling agent. */
  private readonly lasting = new WeakMap<BaseMemory, BaseMemory>()
  /** The last run of each conversation, by its id or memory. A conversation has one run at a time. */
  private readonly running = new Map<unknown, Promise<unknown>>()

  constructor(agent: ToolAgent<Context>, name: string, conversation: AgentToolConversation<Context> = 'fresh') {
    this.agent = agent
    this.name = name
    this.conversation = conversation
  }

  /**
   * Runs the agent for a question.
   * @throws {ApprovalRequiredError} if the agent waits for decisions. Call again with `context.decisions`.
   * @throws {TaskNotFoundError} if there are decisions for a task that the agent does not have. It ends the run of the calling agent.
   * @throws {ToolExecutionError} if the agent fails.
   */
  async answer(
    question: AgentInput,
    context: Partial<ToolCallContext<Context>>,
    memory: BaseMemory,
  ): Promise<AgentChatResponse> {
    const input = await inputOf(question, context.task)
    return this.inTurn(memory, () => this.run(input, memory, context))
  }

  /** Returns the conversation for a call. @param fallback - returns an empty memory for an agent that has none. */
  async memoryOf(context: Partial<ToolCallContext<Context>>, fallback?: () => BaseMemory): Promise<BaseMemory> {
    const { conversation, agent, name, lasting } = this
    if (typeof conversation === 'function') return conversation(context)
    const outer = conversation === 'lasting' ? context.task?.memory : undefined
    const known = outer && ((outer as Partial<StoredChatMemory>).inner?.(name, agent.memory) ?? lasting.get(outer))
    if (known) return known
    const memory = agent.memory.fresh?.() ?? fallback?.() ?? agent.conversation?.().memory
    if (!memory)
      throw new ConfigurationError(`Tool "${name}": its agent has no conversation; pass one as conversation.`)
    if (outer) lasting.set(outer, memory)
    return memory
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
    const taskId = decisions[0]?.taskId ?? context.idempotencyKey ?? globalThis.crypto.randomUUID()
    const inner = innerRun(context as Partial<ToolCallContext>)
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
    inner: ReturnType<typeof innerRun> | undefined,
    context: Partial<ToolCallContext<Context>>,
  ): Promise<unknown> {
    const { agent } = this
    if (isToolkitError(error, 'approval_required')) {
      let saved: unknown
      try {
        if (!agent.isSaved?.(taskId)) saved = agent.saveTask?.(taskId)
      } catch (problem) {
        // Otherwise the task need not be saved.
        if (context.mustSave) return this.fatalError(problem)
      }
      return Object.assign(error, { agentTask: saved })
    }
    if (isFatal(error)) return error
    // The calling task cannot be saved either.
    if (context.mustSave && isToolkitError(error, 'serialization')) return this.fatalError(error)
    inner?.countFailed(agent.getTask(taskId) as Partial<Task> | undefined)
    // A decision must not be lost: the run may be repeated.
    if (!inner && context.decisions?.length) return this.fatalError(error)
    // The task is kept if another attempt may succeed, which then continues it. It may not exist.
    if (!context.raisesFailure || !isRetryable(error)) await agent.deleteTask(taskId).catch(() => {})
    // The ids of tasks are useless to the calling model.
    const message = errorMessage(error).replaceAll(`Task "${taskId}"`, 'The agent').replaceAll(taskId, '…')
    return new ToolExecutionError(this.name, message, { cause: new Error(message, { cause: error }) })
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
      const advice = `Tool "${this.name}" cannot continue it: pass the store in which its agent saved it.`
      throw new TaskNotFoundError(taskId, { advice, fatal: true })
    }
  }

  private fatalError(cause: unknown): ToolExecutionError {
    return new ToolExecutionError(this.name, errorMessage(cause), { cause, fatal: true })
  }

  /** Whether the agent has the task of an earlier attempt, in memory or in a store. */
  private async knows(
    taskId: string,
    stored: { memory: BaseMemory; taskStore: Journal } | undefined,
  ): Promise<boolean> {
    const { agent } = this
    try {
      agent.getTask(taskId)
      // A task in memory may belong to an earlier run of the calling task.
      if (!stored) return true
    } catch (error) {
      unless('task_not_found')(error)
    }
    // An agent without a store has it nowhere else.
    return (await agent.resumeTask(taskId, stored).catch(unless('configuration'))) != null
  }

  /** Passes the decisions on the calls for which the task waits to the agent. */
  private async decide(taskId: string, decisions: readonly PendingToolCall[]): Promise<void> {
    const { agent } = this
    const waiting = agent.getPendingApprovals(taskId)
    for (const decided of decisions) {
      const { id, arguments: args } = decided
      const call = waiting.find((one) => one.id === id)
      if (!call || decided.decision === null) continue
      if (decided.decision === 'result')
        await agent.provideResult?.(taskId, id, decided.result, { isError: decided.isError ?? false })
      else if (decided.decision === 'reject') await agent.reject(taskId, id, decided.reason)
      else {
        const { always, exact, approval } = decided
        const shown = { by: approval?.by, approvalId: approval?.id }
        // Without an id, the saved arguments are neither those of the question nor of an edit: the agent asks again.
        if (approval?.id === '' || deepEqual(args, call.arguments) || typeof args === 'string')
          await agent.approve(taskId, id, { always, ...shown })
        // The call still waits if its tool knows more than the schema that the caller has checked.
        else await agent.edit(taskId, id, args, { ...shown, ...(exact && { exact }) }).catch(unless('tool_input'))
      }
    }
  }
}

/** Returns a function that ignores an error with this code, and throws others. */
function unless(code: 'configuration' | 'task_not_found' | 'tool_input'): (error: unknown) => void {
  return (error) => {
    if (!isToolkitError(error, code)) throw error
  }
}

/** Returns what a run of the agent reports to the calling task, whose budgets end it. */
function innerRun({ signal: outer, onProgress, onUsage, checkBudget }: Partial<ToolCallContext>) {
  const over = new AbortController()
  const within = (check: () => void) => {
    try {
      check()
    } catch (error) {
      over.abort(error)
      throw error
    }
  }
  let modelCalls = 0
  const onEvent: Receive<AgentEvent> = (event) => {
    // The calling task reports the calls that wait.
    if (event.type === 'approval_required') return undefined
    const wait = onProgress?.(event)
    try {
      if (event.type === 'usage') {
        modelCalls = event.total.modelCalls
        within(() => onUsage?.(event.total))
      }
    } catch {
      // The signal has the error.
    }
    return wait
  }
  return {
    ...anySignal(outer, over.signal),
    onEvent,
    checkBudget: ((...next) => within(() => checkBudget?.(...next))) as CheckBudget,
    /** Counts the calls of the last complete step of a task that failed; all of them if another process has made them. */
    countFailed(task: Partial<Task> | undefined): void {
      const usage = task?.extraState?.['usage'] as TaskUsage | undefined
      if (usage && usage.modelCalls >= modelCalls) onUsage?.(usage)
    },
  }
}

/** Whether an object, such as a query engine, is an agent. */
export function isToolAgent(value: object): value is ToolAgent {
  return ['createTask', 'runTask', 'resumeTask', 'getPendingApprovals'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'function',
  )
}
