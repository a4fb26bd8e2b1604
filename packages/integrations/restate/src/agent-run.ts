/**
 * @module
 * One execution of a run: what its agent is made of, and where its events go.
 */
import type { ObjectContext, WorkflowSharedContext } from '@restatedev/restate-sdk'
import {
  type AgentChatResponse,
  type AgentChatResponseDict,
  type AgentEvent,
  type DecidingAgent,
  type Durable,
  type Json,
  type PendingToolCall,
  passThrough,
} from '@x/agents'
import { type BaseMemory, type CallbackHandler, ConfigurationError, type Dict } from '@x/core-model'
import { sha256 } from '@x/core-model/internal'
import { DurableCalls } from './durable-calls.ts'
import { AgentSetupError, RunChangedError } from './errors.ts'
import { ReplayGate } from './replay-gate.ts'
import type { RestateSdk, RetryOptions } from './restate-sdk.ts'

/** What an agent is made with, once per execution. Pass `durable`, `newId` and `now` on to it. */
export interface AgentRun {
  /** The key of the workflow or object. Tools receive idempotency keys that begin with it. */
  readonly taskId: string
  /** Runs calls through the journal of the engine. */
  readonly durable: Durable
  /** Returns ids that are the same in every execution. */
  readonly newId: () => string
  /** Returns the time of the last recorded result, in milliseconds since 1970: the same in every execution. */
  readonly now: () => number
  /** Aborted when the run is cancelled, or this attempt is over. Models and tools receive it too. */
  readonly signal: AbortSignal
  /** The headers that the run was submitted with, in lower case: for the trace context. */
  readonly headers: ReadonlyMap<string, string>
  /** The context that the run was submitted with. Tools and hooks receive it as `context`. */
  readonly context: Json | undefined
  /** Returns a callback handler that reports each event once, and not again when the run is replayed. */
  once(handler: CallbackHandler): CallbackHandler
}

/** The part of an agent that runs use. All runners have it. */
export interface DurableAgent extends DecidingAgent {
  readonly agentWorker: object
  readonly memory: BaseMemory
  createTask(input: string, options: { taskId: string; memory?: BaseMemory }): Promise<unknown>
  runTask(taskId: string, options: RunOptions): Promise<AgentChatResponse>
  streamTask(taskId: string, options: RunOptions): Promise<AgentChatResponse & { done: Promise<void> }>
  runStep(taskId: string, options: RunOptions): Promise<{ isLast: boolean }>
  streamStep(taskId: string, options: RunOptions): Promise<{ isLast: boolean; output: unknown }>
  finalizeResponse(taskId: string): Promise<AgentChatResponse>
  getPendingApprovals(taskId: string): PendingToolCall[]
  saveTask(taskId: string): unknown
  loadTask(data: unknown): Promise<unknown>
}

interface RunOptions {
  signal: AbortSignal
  context: unknown
  onEvent: (event: AgentEvent) => void
}

/** Where an event belongs. */
export interface EventMark {
  taskId: string
  /** The number of the step, from 1. */
  step: number
  /** When this execution began, in milliseconds since 1970. Pieces of a later one replace those of an earlier one. */
  attempt: number
  /**
   * The number of events before this one, without pieces of texts (`…_delta`) and progress. It is the same in every execution, so that a
   * reader can leave out an event that was reported just before a crash and is reported again.
   */
  position: number
}

/** Receives the events of runs, for a side channel to users. */
export type OnRunEvent = (event: AgentEvent, mark: EventMark) => void

/** The options of all services. */
export interface AgentServiceOptions<Name extends string = string> {
  /** The module `@restatedev/restate-sdk`, or its entry for your platform. */
  restate: RestateSdk
  /** The name of the service. */
  name: Name
  /** Makes the agent, once per execution. Models and tools may be shared. */
  agent: (run: AgentRun) => DurableAgent | Promise<DurableAgent>
  /** Receives each event as it happens: for a web page. Text streams then. */
  onEvent?: OnRunEvent | undefined
  /** How calls are repeated whose error is `retryable`. @defaultValue at most 10 attempts */
  retry?: RetryOptions | undefined
  /**
   * Names the behaviour of the agent. Runs that were started under a different name end with `run_changed`. Tools that are removed or
   * have other parameters are noticed without it.
   */
  version?: string | undefined
}

const NAMES = { restate: 1, name: 1, agent: 1, onEvent: 1, retry: 1, version: 1, options: 1 }

/** @throws {ConfigurationError} for an option that is unknown or missing. */
export function checkOptions(where: string, options: object, names: object = NAMES, required = ['agent']): void {
  const unknown = Object.keys(options).filter((key) => !Object.hasOwn(names, key))
  if (unknown.length > 0) throw new ConfigurationError(`${where}: unknown option ${unknown.join(', ')}.`)
  const given = options as Record<string, unknown>
  for (const key of ['restate', 'name', ...required])
    if (given[key] === undefined) throw new ConfigurationError(`${where}.${key}: expected a value, received nothing.`)
}

/** Pieces, whose number may differ from execution to execution. */
const PIECES: readonly AgentEvent['type'][] = ['text_delta', 'reasoning_delta', 'tool_input_delta', 'tool_progress']

/** One execution of an invocation that runs an agent. */
export class Execution {
  readonly run: AgentRun
  readonly calls: DurableCalls
  /** Set when the next event of the task is not the first. */
  step: number
  private position = 0
  private readonly attempt = Date.now()
  private readonly gate = new ReplayGate()
  private readonly ctx: ObjectContext
  private readonly options: AgentServiceOptions

  constructor(
    ctx: ObjectContext,
    options: AgentServiceOptions,
    { context, step = 0 }: { context?: Json; step?: number },
  ) {
    const { restate, retry = { maxRetryAttempts: 10 } } = options
    this.ctx = ctx
    this.options = options
    this.step = step
    this.calls = new DurableCalls(ctx, { restate, gate: this.gate, retry })
    const { durable, signal } = this.calls
    this.run = {
      taskId: ctx.key,
      durable,
      newId: () => ctx.rand.uuidv4(),
      now: () => this.calls.now,
      signal,
      headers: ctx.request().headers,
      context,
      once: (handler) => this.gate.once(handler),
    }
  }

  /** Makes the agent. @throws {RunChangedError} if the run was started by other code that this one cannot go on with. */
  async begin(): Promise<DurableAgent> {
    const agent = await this.agent()
    const { taskId } = this.run
    const current = describeAgent(agent, this.options.version)
    const recorded = (await this.calls.durable('begin', async () => current)) as AgentDescription
    this.ctx.set('begin', recorded)
    refuseChanges(taskId, recorded, current)
    return agent
  }

  private async agent(): Promise<DurableAgent> {
    try {
      return await this.options.agent(this.run)
    } catch (error) {
      throw new AgentSetupError(error)
    }
  }

  /** The options of a run or a step of the agent. */
  runOptions(onStep: (step: number) => void = () => {}): RunOptions {
    return {
      signal: this.run.signal,
      context: this.run.context,
      onEvent: (event) => {
        if (event.type === 'step_start') onStep(++this.step)
        this.report(event)
      },
    }
  }

  /** Reports an event, unless it was reported by an earlier execution. */
  report(event: AgentEvent): void {
    const { onEvent } = this.options
    if (!onEvent) return
    const isPiece = PIECES.includes(event.type)
    const { run, step, attempt } = this
    const mark = { taskId: run.taskId, step, attempt, position: isPiece ? this.position : this.position++ }
    this.gate.report(() => {
      try {
        onEvent(event, mark)
      } catch (error) {
        // A side channel that is broken does not stop a run.
        this.ctx.console.error('onEvent:', error)
      }
    })
  }

  /** Reports the last event, and what was held back before it. */
  end(event: AgentEvent): void {
    this.report(event)
    this.gate.open()
  }
}

/** The facts that a run in flight depends on. */
function describeAgent({ agentWorker }: DurableAgent, version = '') {
  const { tools = [] } = agentWorker as {
    tools?: readonly { metadata: { name: string | null; getParametersDict(): unknown } }[]
  }
  const described = tools.map(({ metadata }) => [
    metadata.name ?? '',
    sha256(JSON.stringify(metadata.getParametersDict())).slice(0, 16),
  ])
  return { version, tools: Object.fromEntries(described) as Record<string, string> }
}

type AgentDescription = ReturnType<typeof describeAgent>

function refuseChanges(taskId: string, recorded: AgentDescription, current: AgentDescription): void {
  const changes = changesBetween(recorded, current)
  if (changes.length > 0) throw new RunChangedError(taskId, changes.join(', '))
}

/**
 * Refuses to deal with a run that was started by other code.
 * @throws {RunChangedError}
 */
export async function refuseChanged(ctx: WorkflowSharedContext, options: AgentServiceOptions): Promise<void> {
  const recorded = await ctx.get<AgentDescription>('begin')
  if (!recorded) return
  const { signal } = new AbortController()
  const agent = await options.agent({
    taskId: ctx.key,
    durable: passThrough,
    newId: () => ctx.rand.uuidv4(),
    now: () => 0,
    signal,
    headers: ctx.request().headers,
    context: undefined,
    once: () => ({}),
  })
  refuseChanges(ctx.key, recorded, describeAgent(agent, options.version))
}

function changesBetween(recorded: AgentDescription, current: AgentDescription): string[] {
  const changes =
    recorded.version === current.version ? [] : [`version "${recorded.version}", now "${current.version}"`]
  for (const [name, parameters] of Object.entries(recorded.tools)) {
    const now = current.tools[name]
    if (now === undefined) changes.push(`its tool "${name}" was removed`)
    else if (now !== parameters) changes.push(`its tool "${name}" has other parameters`)
  }
  return changes
}

/** A request to run an agent. */
export interface AgentRequest {
  input: string
  /** Whatever tools and hooks need: the user, a tenant. */
  context?: Json | undefined
  /** The conversation so far, as the dicts of messages. The answer contains the conversation then. */
  chatHistory?: readonly Dict[] | undefined
}

/** Reads a request: the input, or an object with it. @throws {ConfigurationError} */
export function readRequest(where: string, data: unknown): AgentRequest {
  const request = typeof data === 'string' ? { input: data } : ((data ?? {}) as AgentRequest)
  if (typeof request.input !== 'string')
    throw new ConfigurationError(
      `${where}: expected a string or { input }, received ${JSON.stringify(data) ?? 'nothing'}.`,
    )
  if (request.chatHistory !== undefined && !Array.isArray(request.chatHistory))
    throw new ConfigurationError(`${where}.chatHistory: expected an array of messages.`)
  return request
}

/** The answer of a run, as `AgentChatResponse.fromDict` reads it. */
export interface AgentAnswer extends AgentChatResponseDict {
  /** The conversation with this answer, if the request contained one. */
  messages?: Dict[]
}

/** The state of a run. */
export interface AgentStatus {
  /** `refused`: the run was started by code that the code served now cannot go on with. */
  state: 'unknown' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled' | 'refused'
  /** The number of the last step that began. */
  step: number
  /** The calls that wait for a decision or a result. */
  calls: WaitingCall[]
  /** Why the run failed, or is refused. */
  error?: RunFailure
}

/** An error as the status contains it. */
export interface RunFailure {
  code: string
  name: string
  message: string
}

/** Returns an error as the status contains it. */
export function failureOf(error: unknown): RunFailure {
  const { code, name = 'Error', message = String(error) } = Object(error) as Partial<RunFailure>
  return { code: typeof code === 'string' ? code : 'error', name, message }
}

/** A tool call that waits. */
export type WaitingCall = Pick<PendingToolCall, 'id' | 'name' | 'arguments' | 'awaits'> & {
  /** Why the last decision was refused, such as arguments that do not fit the tool. */
  refused?: string
  /** How many decisions were refused. */
  refusals: number
}

export const UNKNOWN: AgentStatus = { state: 'unknown', step: 0, calls: [] }

/** Returns the calls as a caller sees them. */
export function waitingCalls(calls: readonly PendingToolCall[]): WaitingCall[] {
  return calls.map(({ id, name, arguments: args, awaits }) => ({
    id,
    name,
    arguments: args,
    ...(awaits && { awaits }),
    refusals: 0,
  }))
}
