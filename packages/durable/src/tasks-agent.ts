/**
 * @module
 * Durable tasks in the form of an agent, for handlers that run one.
 */
import {
  type AgentEvent,
  type AgentInput,
  ChatMemoryBuffer,
  type PendingToolCall,
  type StoredChatMemory,
  type ToolDecision,
} from '@x/agents'
import { type Approval, inputMessageOf, taskInput } from '@x/agents/protocol'
import { checkOptions, flag } from '@x/core/options'
import { type BaseMemory, isToolkitError, type Json } from '@x/core-model'
import { anySignal, interruptible, pause, raceAbort } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import { countOf, memoryForTurn } from '@x/core-model/memory'
import type { DurableTasks, SubmitTaskOptions, TaskStatus, WaitingCall } from './durable-tasks.ts'
import { agentEvents, type IsWaiting, sinceDecisions, untilPause, withoutPastErrors } from './paused-events.ts'
import { isNewRefusal } from './task-record.ts'

/** Options of a run of a {@link TasksAgent}. */
export interface TasksAgentRunOptions {
  /** The id of the task: one that waited and was decided, or a new one. @defaultValue a new id */
  taskId?: string | undefined
  /** The messages before the input. Those in a chat store are submitted as a reference: the worker needs the same store. */
  memory?: BaseMemory | undefined
  /** JSON for the function that creates the agent, and for tools and hooks. */
  context?: Json | object | undefined
  /** Cancels the task. */
  signal?: AbortSignal | undefined
}

/** A task that runs or waits. */
export interface OpenTask {
  readonly taskId: string
  /**
   * Yields the events of the task from the first one until it ends or waits. Leaving them does not stop the task, `signal` does.
   * @throws the error of the task if it fails, with its `code`.
   */
  events(signal?: AbortSignal): AsyncGenerator<AgentEvent, void, undefined>
  /** Stops the task. */
  cancel(): Promise<void>
}

/** How often a task that continues is asked for a refused decision, until its first event, in milliseconds. */
const LOOK_MS = 200

/** After so long without an event, in milliseconds, the engine is asked whether the task waits: a fork has no events of copied steps. */
const SILENT_MS = 1500

/** How long a record that is stored may take until it is read, in milliseconds. */
const RECORD_MS = 1000

/** How often the engine is asked whether a task that pauses waits. */
const PAUSE_MS = 20

/** A task that continues. Requests that decide at the same time share it. */
interface Continued {
  waiting: readonly WaitingCall[]
  readonly decided: Set<string>
  /** The number of requests that have read the task, and neither continued it nor failed. */
  requests: number
}

/**
 * The tasks of any engine in the form of an agent, whose runs are tasks: for `chatHandler` and `agUiHandler` of `@x/ai-sdk`. The worker of
 * the engine makes the agent; this process only submits, decides and reads events. The engine must have `events`. In a conversation of a
 * chat store, no model receives a message before a worker has begun its task, unless `holdsInput` is false.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { MemoryTaskStore, ReActAgent } from '@x/agents'
 * const llm = new ScriptedLLM({ answers: ['Answer: Paris'] })
 * const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
 * const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
 * await tasks.start()
 * const types: string[] = []
 * for await (const { type } of new TasksAgent(tasks).runEvents('Capital of France?')) types.push(type)
 * await tasks.stop()
 * types.at(-1) // => 'task_end'
 */
export class TasksAgent {
  /** The process that runs the tasks has the worker. A message may be refused there: until it has begun the task, no model receives it. */
  readonly agentWorker: { readonly holdsInput: boolean }
  private readonly tasks: DurableTasks
  private readonly continued = new Map<string, Continued>()

  /**
   * @param options.holdsInput - whether the agent of the worker has guards that may refuse a message; false if it has none: then models
   *   receive a message also if its task was stopped before a worker began it. @defaultValue true
   */
  constructor(tasks: DurableTasks, options: { holdsInput?: boolean | undefined } = {}) {
    checkOptions('TasksAgent', options, { holdsInput: flag })
    this.tasks = tasks
    this.agentWorker = { holdsInput: options.holdsInput ?? true }
  }

  /** Returns an empty conversation. Its limit is that of the agent of the worker. */
  conversation(): { readonly memory: BaseMemory } {
    return { memory: ChatMemoryBuffer.fromDefaults() }
  }

  /**
   * Submits a task, or continues one after {@link resumeTask} and decisions, and yields its events until it ends or waits. Leaving the
   * events does not stop the task, `signal` does. With a memory in a chat store, the turn of the task is written there while it runs.
   * @throws the error of the task if it fails, with its `code`.
   */
  runEvents(input: AgentInput, options: TasksAgentRunOptions = {}): AsyncGenerator<AgentEvent, void, undefined> {
    const { taskId } = options
    const continued = taskId === undefined ? undefined : this.continued.get(taskId)
    // At once: a reader that has left does not begin to read.
    if (continued) this.release(taskId!)
    return whileRead((reading) => this.run(input, options, { reading, continued }))
  }

  private async *run(
    input: AgentInput,
    { taskId: given, memory, context, signal }: TasksAgentRunOptions,
    { reading, continued }: { reading: AbortController; continued: Continued | undefined },
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const taskId = continued ? given! : await this.submit(input, { taskId: given, context }, memory)
    // Other calls of the task still wait for a decision.
    if (continued?.waiting.some(({ id }) => !continued.decided.has(id))) return
    yield* this.read(taskId, { signal, reading, continued })
  }

  /** Returns the status of a task; undefined if it was not submitted. */
  async statusOf(taskId: string): Promise<TaskStatus | undefined> {
    try {
      return await this.tasks.status(taskId)
    } catch (error) {
      if (isToolkitError(error, 'task_not_found')) return undefined
      throw error
    }
  }

  /** Continues a task that failed or was cancelled: calls that were made are not repeated. */
  async retry(taskId: string): Promise<void> {
    await this.tasks.retry(taskId)
  }

  /** Returns a task for a reader that reconnects, in any process. */
  open(taskId: string): OpenTask {
    const events = (signal: AbortSignal | undefined) =>
      whileRead((reading) => this.read(taskId, { signal, reading, continued: undefined }))
    return { taskId, events, cancel: () => this.tasks.cancel(taskId) }
  }

  /**
   * Ends with the calls that wait if the engine refuses a decision: nothing else happens then.
   * @param options.reading - ends the reading when the client disconnects
   */
  private async *read(
    taskId: string,
    {
      signal,
      reading,
      continued,
    }: { signal: AbortSignal | undefined; reading: AbortController; continued: Continued | undefined },
  ): AsyncGenerator<AgentEvent, void, undefined> {
    // A task that cannot be cancelled continues.
    const cancel = () => void this.tasks.cancel(taskId).catch(() => {})
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
    const read = { count: 0 }
    let asked: AgentEvent | undefined
    const look = async () => {
      // The next look asks again.
      asked ??= await (continued ? this.refusal(taskId, continued) : this.question(taskId, read)).catch(() => undefined)
      if (asked) reading.abort()
    }
    let looking: ReturnType<typeof setInterval> | undefined
    const lookOn = () => {
      clearInterval(looking)
      looking = setInterval(look, LOOK_MS)
    }
    if (continued) lookOn()
    const ended = anySignal(signal, reading.signal)
    try {
      const records = agentEvents(this.tasks.events(taskId, { signal: reading.signal }), ended.signal, read)
      const all = withoutPastErrors(continued ? records : whenSilent(records, look))
      const isWaiting: IsWaiting = async (asked, isOver) => {
        await this.untilWaiting(taskId, ended.signal, isOver)
        const calls = await this.tasks.waiting(taskId)
        // One that waits again has another question.
        return asked.some(({ id, approval }) =>
          calls.some((call) => call.id === id && (call.approvalId ?? approval?.id) === approval?.id),
        )
      }
      const ids = new Map(continued?.waiting.map(({ id, approvalId }) => [id, approvalId]))
      const events = continued
        ? sinceDecisions(all, { decided: continued.decided, asked: ids, onSame: lookOn }, isWaiting)
        : untilPause(all, isWaiting)
      for await (const event of events) {
        clearInterval(looking)
        if (event.type !== 'approval_required') yield event
        else {
          // The engine reports the pause before it takes decisions.
          await this.untilWaiting(taskId, ended.signal)
          return yield await this.withRefusals(event)
        }
      }
      // Throws the error of a task that has failed.
      if (!asked) await raceAbort(this.tasks.answer(taskId), ended.signal)
    } catch (error) {
      if (!asked) throw error
    } finally {
      signal?.removeEventListener('abort', cancel)
      clearInterval(looking)
      reading.abort()
      ended.release()
    }
    if (asked) yield asked
  }

  private async untilWaiting(
    taskId: string,
    signal: AbortSignal | undefined,
    isOver: () => boolean = () => false,
  ): Promise<void> {
    while (['queued', 'running'].includes(await this.tasks.status(taskId)) && !isOver())
      await raceAbort(pause(PAUSE_MS), signal)
  }

  /** Returns the event of the calls that wait, if the engine has refused a decision: `problem` says why. */
  private async refusal(taskId: string, { waiting, decided }: Continued): Promise<AgentEvent | undefined> {
    const before = new Map(waiting.map(({ id, refused }) => [id, refused]))
    const calls = await this.tasks.waiting(taskId)
    return calls.some((call) => decided.has(call.id) && isNewRefusal(call, before))
      ? question(taskId, calls)
      : undefined
  }

  /** Returns the event of the calls of a task that waits, unless it has records that the reader has not received. */
  private async question(taskId: string, { count: from }: { count: number }): Promise<AgentEvent | undefined> {
    if ((await this.tasks.status(taskId)) !== 'waiting') return undefined
    const calls = await this.tasks.waiting(taskId)
    const left = new AbortController()
    try {
      const records = this.tasks.events(taskId, { from, signal: left.signal })[Symbol.asyncIterator]()
      const next = await Promise.race([records.next(), pause(RECORD_MS, left.signal)])
      return next && !next.done ? undefined : question(taskId, calls)
    } finally {
      left.abort()
    }
  }

  /** Returns the event of a pause with the reasons why later decisions about its calls were refused. */
  private async withRefusals(event: Question): Promise<AgentEvent> {
    const { taskId, calls } = event
    const reasons = new Map((await this.tasks.waiting(taskId)).map(({ id, refused }) => [id, refused?.message]))
    const shown = calls.map((call) => ({ ...call, ...(reasons.get(call.id) && { problem: reasons.get(call.id)! }) }))
    return { ...event, calls: shown }
  }

  /** Reads a task that waits. @throws {TaskNotFoundError} */
  async resumeTask(taskId: string): Promise<boolean> {
    const waiting = await this.tasks.waiting(taskId)
    const { decided = new Set<string>(), requests = 0 } = this.continued.get(taskId) ?? {}
    this.continued.set(taskId, { waiting, decided, requests: requests + 1 })
    return true
  }

  /** Returns the calls that waited when the task was read last. */
  getPendingApprovals(taskId: string): readonly WaitingCall[] {
    return this.continued.get(taskId)?.waiting ?? []
  }

  /** Approves a call. @throws {ApprovalError} if no call with this id waits. */
  async approve(taskId: string, callId: string, options?: Omit<Approval, 'arguments' | 'exact'>): Promise<void> {
    await this.decide(taskId, { callId, type: 'approve', ...options })
  }

  /** Rejects a call. @throws {ApprovalError} if no call with this id waits. */
  async reject(taskId: string, callId: string, reason?: string, options?: { by?: string }): Promise<void> {
    await this.decide(taskId, { callId, type: 'reject', reason, ...options })
  }

  /** Approves a call with other arguments. @throws {ApprovalError} if no call with this id waits. */
  async edit(
    taskId: string,
    callId: string,
    args: Record<string, unknown>,
    options?: Pick<Approval, 'by' | 'approvalId' | 'exact'>,
  ): Promise<void> {
    await this.decide(taskId, { callId, type: 'edit', arguments: args, ...options })
  }

  /** Passes the result of a call from outside. @throws {ApprovalError} if no call with this id waits. */
  async provideResult(
    taskId: string,
    callId: string,
    result: Json,
    options?: { isError?: boolean; by?: string },
  ): Promise<void> {
    await this.decide(taskId, { callId, type: 'result', result, ...options })
  }

  private async decide(taskId: string, decision: ToolDecision): Promise<void> {
    try {
      await this.tasks.decide(taskId, decision)
    } catch (error) {
      this.release(taskId)
      throw error
    }
    this.continued.get(taskId)?.decided.add(decision.callId)
  }

  /** Ends a request that continues a task. The last one removes the task. */
  private release(taskId: string): void {
    const continued = this.continued.get(taskId)
    if (continued && --continued.requests === 0) this.continued.delete(taskId)
  }

  private async submit(input: AgentInput, options: SubmitTaskOptions, memory?: BaseMemory): Promise<string> {
    const { taskId = newId() } = options
    const turn = memory && memoryForTurn(memory, taskId)
    // A memory of the first messages alone is one of an engine.
    const { conversationId: id, chatStore } = (memory ?? {}) as Partial<StoredChatMemory>
    if (!memory || id === undefined || !chatStore)
      return this.tasks.submit(input, { ...options, chatHistory: (await memory?.getAll()) ?? [] })
    const length = await countOf(memory)
    if (turn && turn !== memory) await turn.begin(inputMessageOf(taskInput(input)), this.agentWorker.holdsInput)
    const conversation = { id, length, ...(turn && { turn: turn.turn }) }
    return this.tasks.submit(input, { ...options, taskId, conversation })
  }
}

/** Returns a generator that ends when its reader leaves. */
function whileRead<T>(make: (reading: AbortController) => AsyncGenerator<T, void, undefined>) {
  const reading = new AbortController()
  return interruptible(make(reading), () => reading.abort())
}

type Question = Extract<AgentEvent, { type: 'approval_required' }>

/** Returns the event of calls that wait. */
function question(taskId: string, calls: readonly WaitingCall[]): Question {
  return { type: 'approval_required', taskId, stepId: '', calls: calls.map(pendingCall) }
}

/** Yields the events, and calls a function again and again while the next one does not come. */
async function* whenSilent(events: AsyncGenerator<AgentEvent>, look: () => unknown): AsyncGenerator<AgentEvent> {
  for (;;) {
    const looking = setInterval(look, SILENT_MS)
    const next = await events.next().finally(() => clearInterval(looking))
    if (next.done) return
    yield next.value
  }
}

/** Returns a call that waits as an agent reports it. */
function pendingCall({ refused, approvalId, ...call }: WaitingCall): PendingToolCall {
  const problem = refused?.message ?? call.problem
  return {
    ...call,
    needsApproval: call.awaits === 'approval',
    decision: null,
    ...(approvalId !== undefined && { approval: { id: approvalId } as PendingToolCall['approval'] }),
    ...(problem !== undefined && { problem }),
  }
}
