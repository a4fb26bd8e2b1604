/**
 * @module
 * An agent as an object of Restate, with one invocation per step: for tasks that are long, or wait for days.
 */
import type {
  ObjectContext,
  ObjectOptions,
  ObjectSharedContext,
  VirtualObjectDefinition,
} from '@restatedev/restate-sdk'
import { answerToJson, type ToolDecision } from '@x/agents'
import {
  checkForkStep,
  checkRetry,
  createSubmittedTask,
  type ForkTaskOptions,
  failureError,
  notWaiting,
  readSubmission,
  TaskDecisions,
  type TaskFailure,
  type TaskStatus,
  taskFailure,
  type WaitingCall,
} from '@x/agents/durable'
import { TaskAlreadyExistsError, TaskNotFoundError } from '@x/agents/errors'
import { readToolDecision, taskEndEvent } from '@x/agents/protocol'
import { isHandledError } from '@x/agents/store'
import { checkOptions } from '@x/core/options'
import type { Json } from '@x/core-model'
import { type AgentServiceOptions, type DurableAgent, serviceOptions } from './agent-run.ts'
import { isRetryable } from './errors.ts'
import { Execution } from './execution.ts'
import { readRecord, writeRecord } from './record.ts'
import { type AgentAnswer, type AgentRequest, type AgentStatus, UNKNOWN } from './run-protocol.ts'
import { statusOf } from './run-status.ts'
import { settle } from './settle.ts'
import { traceHeaders } from './trace-headers.ts'

/** Options of {@link agentSteps}. */
export interface AgentStepsOptions<Name extends string = string> extends AgentServiceOptions<Name> {
  /** Options of the object, such as `hooks`. */
  options?: ObjectOptions | undefined
}

/** The handlers of an object that runs an agent. (A type, because clients of Restate do not accept interfaces.) */
export type AgentStepsHandlers = {
  /** Starts the task, whose id is the key of the object. A task that was started before is not changed. */
  start(ctx: ObjectContext, request: string | AgentRequest): Promise<AgentStatus>
  /** Decides about a tool call that waits, or provides its result. */
  decide(ctx: ObjectContext, decision: ToolDecision): Promise<void>
  /** Returns the status of the task. */
  status(ctx: ObjectSharedContext): Promise<AgentStatus>
  /** Waits for the answer. */
  answer(ctx: ObjectSharedContext): Promise<AgentAnswer>
  /** Cancels the task, and the step that runs. Returns true. */
  cancel(ctx: ObjectSharedContext): Promise<boolean>
  /** Continues a task that has failed or was cancelled. */
  retry(ctx: ObjectContext): Promise<void>
  /** Starts a task that continues from a step of this one, and returns its id. */
  fork(ctx: ObjectContext, options?: ForkTaskOptions): Promise<string>
  /** Deletes everything about the task. */
  forget(ctx: ObjectContext): Promise<void>
}

/** The answer or the error of a task, for the callers that wait for it. */
type End = { answer: AgentAnswer } | { error: TaskFailure }

/** The handlers that only the object itself calls. */
type OwnHandlers = {
  step(ctx: ObjectContext): Promise<void>
  stop(ctx: ObjectContext): Promise<void>
  notify(ctx: ObjectContext, awakeable: string): Promise<void>
  adopt(ctx: ObjectContext, fork: Fork): Promise<boolean>
}

/** A task that continues from a step of another one. */
interface Fork {
  request: AgentRequest
  step: number
  /** The calls that wait. */
  calls: readonly WaitingCall[]
  /** The saved task, as JSON text. Undefined if no step has run. */
  task?: string
}

/**
 * Returns an object that runs an agent, one task per key and one invocation per step. Stores the task in the object's state, so each
 * journal covers one step. Use it for long tasks, for tasks that wait for days, and if code is deployed while tasks run.
 * @throws {ModelValidationError} for an option that is unknown or missing.
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { ReActAgent } from '@x/agents'
 *
 * const llm = new ScriptedLLM({ answers: [] })
 * const research = agentSteps({
 *   restate,
 *   name: 'research',
 *   agent: ({ durable, newId, now }) => ReActAgent.fromTools({ llm, durable, newId, now, maxIterations: 500 }),
 * })
 * research.name // => 'research'
 */
export function agentSteps<Name extends string>(
  options: AgentStepsOptions<Name>,
): VirtualObjectDefinition<Name, AgentStepsHandlers> {
  checkOptions('agentSteps', options, serviceOptions)
  const { restate, name } = options
  const { exclusive, shared } = restate.handlers.object
  const own = { ingressPrivate: true }
  const task = (ctx: ObjectContext) => new SteppedTask(ctx, options)
  return restate.object({
    name,
    handlers: {
      start: (ctx: ObjectContext, request: string | AgentRequest) =>
        settle(restate, () => task(ctx).start(readSubmission(name, request))),
      decide: (ctx: ObjectContext, decision: ToolDecision) => settle(restate, () => task(ctx).decide(decision)),
      retry: (ctx: ObjectContext) => settle(restate, () => task(ctx).retry()),
      fork: (ctx: ObjectContext, fork: ForkTaskOptions = {}) => settle(restate, () => task(ctx).fork(fork)),
      forget: async (ctx: ObjectContext) => ctx.clearAll(),
      status: shared((ctx: ObjectSharedContext) => settle(restate, () => statusOf(ctx, options))),
      answer: shared((ctx: ObjectSharedContext) => settle(restate, () => waitForEnd(ctx, options))),
      cancel: shared(async (ctx: ObjectSharedContext) => {
        const id = await ctx.get<string>('invocation')
        if (id) ctx.cancel(id as never)
        ownClient(ctx, options).stop()
        return true
      }),
      step: exclusive(own, (ctx: ObjectContext) => settle(restate, () => task(ctx).step(), true)),
      stop: exclusive(own, (ctx: ObjectContext) => task(ctx).stop()),
      notify: exclusive(own, (ctx: ObjectContext, awakeable: string) => task(ctx).notify(awakeable)),
      adopt: exclusive(own, (ctx: ObjectContext, fork: Fork) => task(ctx).adopt(fork)),
    },
    ...(options.options && { options: options.options }),
  }) as VirtualObjectDefinition<Name, AgentStepsHandlers>
}

/** Returns a client of the object itself. */
function ownClient(ctx: ObjectSharedContext, { name }: AgentStepsOptions) {
  return ctx.objectSendClient<OwnHandlers>({ name } as VirtualObjectDefinition<string, OwnHandlers>, ctx.key)
}

async function waitForEnd(ctx: ObjectSharedContext, options: AgentStepsOptions): Promise<AgentAnswer> {
  const { state } = (await ctx.get<AgentStatus>('status')) ?? UNKNOWN
  if (state === 'unknown') throw new TaskNotFoundError(ctx.key)
  let end = await ctx.get<End>('end')
  if (!end) {
    const { id, promise } = ctx.awakeable<End>()
    ownClient(ctx, options).notify(id)
    end = await promise
  }
  if ('answer' in end) return end.answer
  throw failureError(end.error)
}

/** One invocation of the object of a task. */
class SteppedTask {
  private readonly ctx: ObjectContext
  private readonly options: AgentStepsOptions

  constructor(ctx: ObjectContext, options: AgentStepsOptions) {
    this.ctx = ctx
    this.options = options
  }

  async start(request: AgentRequest): Promise<AgentStatus> {
    const known = await this.status()
    return known.state === 'unknown' ? this.begin(request) : known
  }

  private begin(request: AgentRequest, step = 0, calls: readonly WaitingCall[] = []): AgentStatus {
    const { ctx } = this
    ctx.set('request', request)
    if (request.context !== undefined) ctx.set('context', request.context)
    return this.proceed(step, calls)
  }

  /** Runs the next step, unless the task was stopped meanwhile. */
  async step(): Promise<void> {
    const { ctx, options } = this
    const { state, step } = await this.status()
    if (state !== 'running') return
    const request = await this.request()
    const position = (await ctx.get<number>('position')) ?? 0
    const execution = new Execution(ctx, options, { context: request.context, step, position })
    ctx.set('invocation', ctx.request().id)
    await execution.attempt(
      () => this.runStep(execution, request),
      (state, failure) => this.end(state, execution.step, { error: taskFailure(failure) }),
    )
  }

  private async runStep(execution: Execution, submission: AgentRequest): Promise<void> {
    const { ctx } = this
    const { calls, run, position } = execution
    const { taskId } = run
    const agent = await execution.begin()
    if (!(await this.load(agent))) await createSubmittedTask('agentSteps', agent, { taskId, submission })
    // A fork may have all steps of a task that is finished.
    const isLast = agent.getCompletedSteps(taskId).at(-1)?.isLast ?? false
    const kept = await ctx.get('results', this.bytes)
    const results = new Map(kept ? (readRecord(kept) as [string, Json][]) : [])
    const { durable } = calls
    calls.durable = async (name, fn) => {
      if (!results.has(name)) results.set(name, await durable(name, fn))
      return results.get(name) as never
    }
    const hasEnded = isLast || (await this.runOne(agent, execution, results))
    if (kept) ctx.clear('results')
    // The next step may run on different code.
    if (!calls.begin) ctx.clear('begin')
    if (hasEnded) {
      const answer = await agent.finalizeResponse(taskId)
      const end: End = { answer: answerToJson(answer) }
      writeRecord(`The answer of task "${taskId}"`, end)
      execution.end(() => taskEndEvent(taskId, answer))
      this.keep(agent)
      return this.end('finished', execution.step, end)
    }
    execution.end()
    if (execution.position !== position) ctx.set('position', execution.position)
    this.save(agent, execution.step)
  }

  /** Runs a step, and returns whether it is the last one. If it fails, the results of its calls are kept for a retry. */
  private async runOne(
    agent: DurableAgent,
    { calls, runOptions }: Execution,
    results: ReadonlyMap<string, Json>,
  ): Promise<boolean> {
    const { key } = this.ctx
    try {
      const step = await (this.options.onEvent ? agent.streamStep(key, runOptions) : agent.runStep(key, runOptions))
      // An answer that is streamed has ended when this promise resolves.
      await (step.output as { done?: unknown } | null)?.done
      return step.isLast
    } catch (error) {
      if (!isRetryable(calls.stopped ?? error)) this.keepResults([...results])
      throw error
    }
  }

  private keepResults(results: [string, Json][]): void {
    // The error of the last call ended the step: the call is repeated.
    if (isHandledError(results.at(-1)?.[1])) results.pop()
    const { ctx } = this
    if (results.length > 0) ctx.set('results', writeRecord(`The results of task "${ctx.key}"`, results), this.bytes)
  }

  async decide(data: ToolDecision): Promise<void> {
    const decision = readToolDecision(data)
    const { step, calls } = await this.status()
    const agent = calls.some(({ id }) => id === decision.callId) && (await this.loaded())
    if (!agent) throw notWaiting(this.ctx.key, decision.callId)
    const task = new TaskDecisions(
      agent,
      this.ctx.key,
      calls.map(({ id, refused }) => [id, refused]),
    )
    await task.apply(decision)
    this.save(agent, step, task)
  }

  async retry(): Promise<void> {
    const { ctx } = this
    const { state, step } = await this.status()
    if (state === 'unknown') throw new TaskNotFoundError(ctx.key)
    checkRetry(ctx.key, state as TaskStatus)
    ctx.clear('end')
    const agent = await this.loaded()
    if (agent) this.save(agent, step)
    else this.proceed(step)
  }

  async fork({ atStep, taskId = this.ctx.rand.uuidv4() }: ForkTaskOptions): Promise<string> {
    const { ctx, options } = this
    const request = await this.request()
    if (!request) throw new TaskNotFoundError(ctx.key)
    const agent = await this.loaded()
    if (agent) await agent.forkTask(ctx.key, { taskId: `${taskId}`, ...(atStep !== undefined && { atStep }) })
    else checkForkStep(ctx.key, atStep ?? 0, 0)
    const fork: Fork = {
      request,
      step: agent?.getCompletedSteps(taskId).length ?? 0,
      calls: agent ? new TaskDecisions(agent, taskId).calls : [],
      ...(agent && { task: new TextDecoder().decode(writeRecord(`Task "${taskId}"`, agent.saveTask(taskId))) }),
    }
    const service = { name: options.name } as VirtualObjectDefinition<string, OwnHandlers>
    // A task that forks into itself would wait for itself.
    const isNew = taskId !== ctx.key && (await ctx.objectClient(service, taskId).adopt(fork))
    if (!isNew) throw new TaskAlreadyExistsError(taskId)
    return taskId
  }

  /** Becomes a task that continues from a step of another one. Returns false if this task exists. */
  async adopt({ request, step, calls, task }: Fork): Promise<boolean> {
    if ((await this.status()).state !== 'unknown') return false
    if (task !== undefined) this.ctx.set('task', new TextEncoder().encode(task), this.bytes)
    this.begin(request, step, calls)
    return true
  }

  /** How records are stored. */
  private get bytes() {
    return this.options.restate.serde.binary
  }

  private async request(): Promise<AgentRequest> {
    return (await this.ctx.get<AgentRequest>('request'))!
  }

  /** Returns an agent with the saved task; undefined if none is saved. */
  private async loaded(): Promise<DurableAgent | undefined> {
    const { ctx, options } = this
    const agent = await new Execution(ctx, options, await this.request()).agent()
    return (await this.load(agent)) ? agent : undefined
  }

  /** Loads the saved task. Returns false if none is saved. */
  private async load(agent: DurableAgent): Promise<boolean> {
    const saved = await this.ctx.get('task', this.bytes)
    if (saved) await agent.loadTask(readRecord(saved))
    return saved !== null
  }

  private keep(agent: DurableAgent): void {
    const { ctx } = this
    ctx.set('task', writeRecord(`Task "${ctx.key}"`, agent.saveTask(ctx.key)), this.bytes)
  }

  /** Saves the task, and starts the next step unless calls wait. */
  private save(agent: DurableAgent, step: number, task = new TaskDecisions(agent, this.ctx.key)): void {
    this.keep(agent)
    this.proceed(step, task.calls)
  }

  private proceed(step: number, calls: readonly WaitingCall[] = []): AgentStatus {
    const { ctx, options } = this
    const status: AgentStatus = { state: calls.length > 0 ? 'waiting' : 'running', step, calls }
    ctx.set('status', status)
    const { rpc } = options.restate
    if (calls.length === 0) ownClient(ctx, options).step(rpc.sendOpts({ headers: traceHeaders(ctx.request().headers) }))
    return status
  }

  async stop(): Promise<void> {
    const { state, step } = await this.status()
    if (state !== 'running' && state !== 'waiting') return
    await this.end('cancelled', step, { error: { code: 'error', name: 'CancelledError', message: 'Cancelled' } })
  }

  /** Ends the task, and notifies the waiting callers. What `retry` and `fork` need is kept. */
  private async end(state: AgentStatus['state'], step: number, end: End): Promise<void> {
    const { ctx } = this
    ctx.set<AgentStatus>('status', { state, step, calls: [], ...('error' in end && end) })
    ctx.set('end', end)
    for (const awakeable of (await ctx.get<string[]>('waiting')) ?? []) ctx.resolveAwakeable(awakeable, end)
    for (const key of ['waiting', 'invocation', 'begin']) ctx.clear(key)
  }

  async notify(awakeable: string): Promise<void> {
    const { ctx } = this
    const end = await ctx.get<End>('end')
    if (end) ctx.resolveAwakeable(awakeable, end)
    else ctx.set('waiting', [...((await ctx.get<string[]>('waiting')) ?? []), awakeable])
  }

  private async status(): Promise<AgentStatus> {
    return (await this.ctx.get<AgentStatus>('status')) ?? UNKNOWN
  }
}
