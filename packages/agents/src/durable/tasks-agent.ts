/**
 * @module
 * Durable tasks in the form of an agent, for handlers that run one.
 */
import type { BaseMemory, Json } from '@x/core-model'
import { anySignal, pause, raceAbort } from '@x/core-model/async'
import { ChatMemoryBuffer } from '../memory/chat-memory-buffer.ts'
import type { StoredChatMemory } from '../memory/stored-chat-memory.ts'
import type { ToolDecision } from '../runner/tool-decision.ts'
import type { AgentEvent, PendingToolCall } from '../task/agent-event.ts'
import type { AgentInput } from '../task/agent-input.ts'
import { failureError } from './durable-errors.ts'
import type { DurableTasks, SubmitTaskOptions, WaitingCall } from './durable-tasks.ts'
import type { TaskEvents } from './task-events.ts'

/** Options of a run of a {@link TasksAgent}. */
export interface TasksAgentRunOptions {
  /** The id of the task: one that waited and was decided, or a new one. @defaultValue a new id */
  taskId?: string | undefined
  /** The messages before the input. Those in a chat store are submitted as a reference: the worker needs the same store. */
  memory?: BaseMemory | undefined
  /** Data for the function that creates the agent, and for tools and hooks. */
  context?: Json | undefined
  /** Cancels the task. */
  signal?: AbortSignal | undefined
}

/** How often a task that continues is asked for a refused decision. */
const LOOK_MS = 1000

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
 * The tasks of any engine in the form of an agent, whose runs are tasks: for `chatHandler` and `agUiHandler` of `@x/ai-sdk`. The worker of the
 * engine makes the agent; this process only submits, decides and reads events. The engine must have `events`.
 * @example
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
  /** No worker: the process that runs the tasks has it. */
  readonly agentWorker: object = {}
  private readonly tasks: DurableTasks
  private readonly continued = new Map<string, Continued>()

  constructor(tasks: DurableTasks) {
    this.tasks = tasks
  }

  /** Returns an empty conversation. Its limit is that of the agent of the worker. */
  conversation(): { readonly memory: BaseMemory } {
    return { memory: ChatMemoryBuffer.fromDefaults() }
  }

  /**
   * Submits a task, or continues one after {@link resumeTask} and decisions, and yields its events until it ends or waits. Leaving the events
   * does not stop the task, `signal` does.
   * @throws the error of the task if it fails, with its `code`.
   */
  async *runEvents(
    input: AgentInput,
    { taskId: given, memory, context, signal }: TasksAgentRunOptions = {},
  ): AsyncGenerator<AgentEvent, void, undefined> {
    const continued = given === undefined ? undefined : this.continued.get(given)
    const taskId = continued ? given! : await this.submit(input, { taskId: given, context }, memory)
    if (continued) this.release(taskId)
    // Other calls of the task still wait for a decision.
    if (continued?.waiting.some(({ id }) => !continued.decided.has(id))) return
    // A task that cannot be cancelled goes on.
    const cancel = () => void this.tasks.cancel(taskId).catch(() => {})
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) cancel()
    // Ends the reading: when the reader leaves, or with the error of a refused decision.
    const reading = new AbortController()
    const refusals = continued && setInterval(() => this.lookForRefusal(taskId, continued, reading), LOOK_MS)
    const ended = anySignal(signal, reading.signal)
    try {
      const events = eventsOf(this.tasks.events(taskId, { signal: reading.signal }), ended.signal)
      const isWaiting = async (ids: readonly string[], isOver: () => boolean) => {
        await this.untilWaiting(taskId, ended.signal, isOver)
        return (await this.tasks.waiting(taskId)).some(({ id }) => ids.includes(id))
      }
      for await (const event of continued ? sinceDecisions(events, continued.decided, isWaiting) : events) {
        // The engine reports the pause before it takes decisions.
        if (event.type === 'approval_required') await this.untilWaiting(taskId, ended.signal)
        yield event
        if (event.type === 'approval_required') return
      }
      // Throws the error of a task that has failed.
      await raceAbort(this.tasks.answer(taskId), ended.signal)
    } finally {
      signal?.removeEventListener('abort', cancel)
      clearInterval(refusals)
      reading.abort()
      ended.release()
    }
  }

  private async untilWaiting(
    taskId: string,
    signal: AbortSignal | undefined,
    isOver: () => boolean = () => false,
  ): Promise<void> {
    while (['queued', 'running'].includes(await this.tasks.status(taskId)) && !isOver())
      await raceAbort(pause(PAUSE_MS), signal)
  }

  /** Ends the reading if the engine has refused a decision: the call still waits, and there are no events. */
  private async lookForRefusal(taskId: string, { waiting, decided }: Continued, reading: AbortController) {
    const before = waiting.flatMap(({ id, refused }) => (refused ? id : []))
    // The next look asks again.
    const calls = await this.tasks.waiting(taskId).catch(() => [])
    const refused = calls.find((call) => call.refused && decided.has(call.id) && !before.includes(call.id))?.refused
    if (refused) reading.abort(failureError({ name: 'ApprovalError', ...refused }))
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
  async approve(taskId: string, callId: string): Promise<void> {
    await this.decide(taskId, { callId, type: 'approve' })
  }

  /** Rejects a call. @throws {ApprovalError} if no call with this id waits. */
  async reject(taskId: string, callId: string, reason?: string): Promise<void> {
    await this.decide(taskId, { callId, type: 'reject', reason })
  }

  /** Passes the result of a call from outside. @throws {ApprovalError} if no call with this id waits. */
  async provideResult(taskId: string, callId: string, result: Json, options?: { isError?: boolean }): Promise<void> {
    await this.decide(taskId, { callId, type: 'result', result, isError: options?.isError })
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

  /** Ends a request that continues a task. The last one forgets the task. */
  private release(taskId: string): void {
    const continued = this.continued.get(taskId)
    if (continued && --continued.requests === 0) this.continued.delete(taskId)
  }

  private async submit(input: AgentInput, options: SubmitTaskOptions, memory?: BaseMemory): Promise<string> {
    const messages = (await memory?.getAll()) ?? []
    const { conversationId: id } = (memory ?? {}) as Partial<StoredChatMemory>
    if (id === undefined) return this.tasks.submit(input, { ...options, chatHistory: messages })
    return this.tasks.submit(input, { ...options, conversation: { id, length: messages.length } })
  }
}

/** The events of the records. Before those of a repeated attempt, an event says that what the interrupted one wrote is void. */
async function* eventsOf(records: AsyncIterable<TaskEvents>, signal: AbortSignal | undefined) {
  const attempts = new Map<string, string>()
  const iterator = records[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await raceAbort(iterator.next(), signal)
      if (done) return
      const { call, attempt, events } = value
      const [first] = events
      if (attempts.has(call) && attempts.get(call) !== attempt && first && 'stepId' in first) yield interrupted(first)
      attempts.set(call, attempt)
      yield* events
    }
  } finally {
    // Not awaited: it may wait for the next record.
    void iterator.return?.()
  }
}

function interrupted({ taskId, stepId }: { taskId: string; stepId: string }): AgentEvent {
  const error = {
    name: 'InterruptedError',
    code: null,
    message: 'The process that ran the step has ended.',
    retryable: true,
  }
  return { type: 'turn_restarted', taskId, stepId, attempt: 1, delayMs: 0, error }
}

/**
 * Leaves out the events before the decisions. The log begins with those of the whole task, unless it was lost meanwhile.
 * @param isWaiting - whether the task waits for one of these calls, as soon as it waits or there are further events.
 */
async function* sinceDecisions(
  events: AsyncGenerator<AgentEvent>,
  decided: ReadonlySet<string>,
  isWaiting: (ids: readonly string[], isOver: () => boolean) => Promise<boolean>,
): AsyncGenerator<AgentEvent> {
  /** The events that may be older than the decisions; undefined after them. */
  let held: AgentEvent[] | undefined = []
  let pausedStep: string | undefined
  let next = events.next()
  for (;;) {
    const { done, value: event } = await next
    if (done) break
    let isNextKnown = false
    const known = () => void (isNextKnown = true)
    next = events.next()
    next.then(known, known)
    const paused = event.type === 'approval_required' ? event : undefined
    const ids = paused && undecided(paused.calls)
    if (ids?.some((id) => decided.has(id))) {
      held = undefined
      pausedStep = paused?.stepId
    } else if (event.type === 'step_end' && event.stepId === pausedStep) pausedStep = undefined
    else if (!held) yield event
    else if (!ids) held.push(event)
    else if (await isWaiting(ids, () => isNextKnown)) yield* [...held, event]
    else held = []
  }
  yield* held ?? []
}

const undecided = (calls: readonly PendingToolCall[]) =>
  calls.flatMap(({ id, decision }) => (decision === null ? id : []))
