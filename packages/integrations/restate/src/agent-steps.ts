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
import { answerToJson, applyToolDecision, type ToolDecision } from '@x/agents'
import {
  type ForkTaskOptions,
  type RefusedDecision,
  refusedAgain,
  submittedInput,
  submittedMemory,
  type TaskFailure,
  taskFailure,
  type WaitingCall,
  waitingCalls,
} from '@x/agents/durable'
import {
  InvalidStepError,
  TaskAlreadyExistsError,
  TaskBusyError,
  TaskFinalizedError,
  TaskNotFoundError,
} from '@x/agents/errors'
import { errorEvent, readToolDecision, taskEndEvent } from '@x/agents/protocol'
import { isHandledError } from '@x/agents/store'
import { checkOptions } from '@x/core/options'
import { isToolkitError, type Json, ToolkitError } from '@x/core-model'
import { madeAgent, statusOf } from './agent-description.ts'
import { type AgentServiceOptions, type DurableAgent, serviceOptions } from './agent-run.ts'
import { isRetryable, terminalError } from './errors.ts'
import { Execution } from './execution.ts'
import { readRecord, recordCodec, writeRecord } from './record.ts'
import { type AgentAnswer, type AgentRequest, type AgentStatus, readRequest, STARTED, UNKNOWN } from './run-protocol.ts'
import { reply, settle } from './settle.ts'
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
  /** Cancels the task, and the step that runs. */
  cancel(ctx: ObjectSharedContext): Promise<void>
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
  /** The saved task, as JSON text. */
  task: string | null
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
        reply(restate, () => task(ctx).start(readRequest(name, request, true))),
      decide: (ctx: ObjectContext, decision: ToolDecision) => reply(restate, () => task(ctx).decide(decision)),
      retry: (ctx: ObjectContext) => reply(restate, () => task(ctx).retry()),
      fork: (ctx: ObjectContext, fork: ForkTaskOptions = {}) => reply(restate, () => task(ctx).fork(fork)),
      forget: async (ctx: ObjectContext) => ctx.clearAll(),
      status: shared((ctx: ObjectSharedContext) => reply(restate, () => statusOf(ctx, options))),
      answer: shared((ctx: ObjectSharedContext) => reply(restate, () => waitForEnd(ctx, options))),
      cancel: shared(async (ctx: ObjectSharedContext) => {
        const id = await ctx.get<string>('invocation')
        if (id) ctx.cancel(id as never)
        ownClient(ctx, options).stop()
      }),
      step: exclusive(own, (ctx: ObjectContext) => settle(restate, () => task(ctx).step())),
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
  const { restate } = options
  const { state } = (await ctx.get<AgentStatus>('status')) ?? UNKNOWN
  if (state === 'unknown') throw new TaskNotFoundError(ctx.key)
  let end = await ctx.get<End>('end')
  if (!end) {
    const { id, promise } = ctx.awakeable<End>()
    ownClient(ctx, options).notify(id)
    end = await promise
  }
  if ('answer' in end) return end.answer
  const { code, name, message } = end.error
  throw terminalError(restate, new ToolkitError(name, code, message))
}

/** The data that a step needs from earlier ones. */
interface Progress {
  request: AgentRequest
  /** The number of events so far. */
  position: number
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
    const { ctx } = this
    const known = await ctx.get<AgentStatus>('status')
    if (known) return known
    ctx.set<Progress>('progress', { request, position: 0 })
    if (request.context !== undefined) ctx.set('context', request.context)
    this.goOn(STARTED)
    return STARTED
  }

  /** Runs the next step, unless the task was stopped meanwhile. */
  async step(): Promise<void> {
    const { ctx, options } = this
    const status = await this.status()
    if (status.state !== 'running') return
    const { request, position } = (await ctx.get<Progress>('progress'))!
    const execution = new Execution(ctx, options, { context: request.context, step: status.step, position })
    ctx.set('invocation', ctx.request().id)
    try {
      await this.runStep(execution, { request, position })
      // The next step may run on different code.
      if (execution.calls.hasBegun) ctx.clear('begin')
    } catch (error) {
      // The attempt has ended and its result is ignored: another attempt continues.
      if (ctx.request().attemptCompletedSignal.aborted) return new Promise(() => {})
      const { stopped } = execution.calls
      const failure = stopped ?? error
      // The engine repeats the step, so nothing may be recorded.
      if (isRetryable(failure)) throw failure
      execution.end(errorEvent(ctx.key, failure))
      await this.end(stopped === undefined ? 'failed' : 'cancelled', execution.step, { error: taskFailure(failure) })
    }
  }

  private async runStep(execution: Execution, { request, position }: Progress): Promise<void> {
    const { ctx } = this
    const { taskId } = execution.run
    const agent = await execution.begin()
    const saved = await ctx.get('task', recordCodec)
    if (saved) await agent.loadTask(readRecord(saved))
    else {
      const memory = await submittedMemory('agentSteps', request, agent.memory)
      await agent.createTask(submittedInput(request), { taskId, ...(memory && { memory }) })
    }
    // A fork may have all steps of a task that is finished.
    const isLast = agent.getCompletedSteps(taskId).at(-1)?.isLast ?? false
    const kept = await ctx.get('results', recordCodec)
    execution.calls.results = new Map(kept ? (readRecord(kept) as [string, Json][]) : [])
    const hasEnded = isLast || (await this.runOne(agent, execution))
    if (kept) ctx.clear('results')
    if (hasEnded) {
      const answer = await agent.finalizeResponse(taskId)
      const end: End = { answer: answerToJson(answer) }
      writeRecord(`The answer of task "${taskId}"`, end)
      execution.end(taskEndEvent(taskId, answer))
      this.keep(agent)
      return this.end('finished', execution.step, end)
    }
    execution.end()
    if (execution.position !== position) ctx.set<Progress>('progress', { request, position: execution.position })
    this.save(agent, execution.step)
  }

  /** Runs a step, and returns whether it is the last one. If it fails, the results of its calls are kept for a retry. */
  private async runOne(agent: DurableAgent, execution: Execution): Promise<boolean> {
    const { key } = this.ctx
    const options = execution.runOptions()
    try {
      const step = await (this.options.onEvent ? agent.streamStep(key, options) : agent.runStep(key, options))
      if (isStreaming(step.output)) await step.output.done
      return step.isLast
    } catch (error) {
      if (!isRetryable(execution.calls.stopped ?? error)) this.keepResults(execution)
      throw error
    }
  }

  private keepResults({ calls }: Execution): void {
    const results = [...(calls.results ?? [])]
    // The error of the last call ended the step: the call is repeated.
    if (isHandledError(results.at(-1)?.[1])) results.pop()
    const { ctx } = this
    if (results.length > 0) ctx.set('results', writeRecord(`The results of task "${ctx.key}"`, results), recordCodec)
  }

  async decide(data: ToolDecision): Promise<void> {
    const decision = readToolDecision(data)
    const { step, calls } = await this.status()
    const { callId } = decision
    const agent = await this.loaded()
    if (!agent || !calls.some(({ id }) => id === callId))
      throw new ToolkitError(
        'ApprovalError',
        'approval',
        `Task "${this.ctx.key}": no call "${callId}" waits for a decision.`,
      )
    let refused: RefusedDecision | undefined
    try {
      await applyToolDecision(agent, this.ctx.key, decision)
    } catch (error) {
      if (!isToolkitError(error)) throw error
      refused = refusedAgain(calls.find(({ id }) => id === callId)?.refused, error)
    }
    const refusals = new Map(calls.map((call) => [call.id, call.refused]))
    this.save(agent, step, refusals.set(callId, refused))
  }

  async retry(): Promise<void> {
    const { ctx } = this
    const { state, step } = await this.status()
    if (state === 'unknown') throw new TaskNotFoundError(ctx.key)
    if (state === 'finished') throw new TaskFinalizedError(ctx.key, 'fork it instead')
    if (state !== 'failed' && state !== 'cancelled') throw new TaskBusyError(ctx.key)
    const agent = await this.loaded()
    ctx.clear('end')
    if (agent) this.save(agent, step)
    else this.goOn({ state: 'running', step, calls: [] })
  }

  async fork({ atStep, taskId = this.ctx.rand.uuidv4() }: ForkTaskOptions): Promise<string> {
    const { ctx, options } = this
    const { request } = (await ctx.get<Progress>('progress')) ?? {}
    if (!request) throw new TaskNotFoundError(ctx.key)
    const agent = await this.loaded()
    if (agent) await agent.forkTask(ctx.key, { taskId: `${taskId}`, ...(atStep !== undefined && { atStep }) })
    else if (atStep) throw new InvalidStepError(`Task "${ctx.key}" cannot be forked at step ${atStep} of 0.`)
    const fork: Fork = {
      request,
      step: agent?.getCompletedSteps(taskId).length ?? 0,
      task: agent ? new TextDecoder().decode(writeRecord(`Task "${taskId}"`, agent.saveTask(taskId))) : null,
    }
    const service = { name: options.name } as VirtualObjectDefinition<string, OwnHandlers>
    // A task that forks into itself would wait for itself.
    const isNew = taskId !== ctx.key && (await ctx.objectClient(service, taskId).adopt(fork))
    if (!isNew) throw new TaskAlreadyExistsError(taskId)
    return taskId
  }

  /** Becomes a task that continues from a step of another one. Returns false if this task exists. */
  async adopt({ request, step, task }: Fork): Promise<boolean> {
    const { ctx } = this
    if ((await this.status()).state !== 'unknown') return false
    ctx.set<Progress>('progress', { request, position: 0 })
    if (request.context !== undefined) ctx.set('context', request.context)
    if (task === null) this.goOn({ state: 'running', step, calls: [] })
    else {
      ctx.set('task', new TextEncoder().encode(task), recordCodec)
      this.save((await this.loaded())!, step)
    }
    return true
  }

  /** Returns an agent with the saved task; undefined if none is saved. */
  private async loaded(): Promise<DurableAgent | undefined> {
    const { ctx, options } = this
    const saved = await ctx.get('task', recordCodec)
    if (!saved) return undefined
    const { request } = (await ctx.get<Progress>('progress'))!
    const agent = await madeAgent(options, new Execution(ctx, options, { context: request.context }).run)
    await agent.loadTask(readRecord(saved))
    return agent
  }

  private keep(agent: DurableAgent): void {
    const { ctx } = this
    ctx.set('task', writeRecord(`Task "${ctx.key}"`, agent.saveTask(ctx.key)), recordCodec)
  }

  /** Saves the task, and starts the next step unless calls wait. */
  private save(agent: DurableAgent, step: number, refusals?: ReadonlyMap<string, WaitingCall['refused']>): void {
    const { ctx } = this
    this.keep(agent)
    const calls = waitingCalls(agent.getPendingApprovals(ctx.key)).map((call) => {
      const refused = refusals?.get(call.id)
      return refused ? { ...call, refused } : call
    })
    if (calls.length > 0) ctx.set<AgentStatus>('status', { state: 'waiting', step, calls })
    else this.goOn({ state: 'running', step, calls })
  }

  private goOn(status: AgentStatus): void {
    const { ctx, options } = this
    ctx.set('status', status)
    const { rpc } = options.restate
    ownClient(ctx, options).step(rpc.sendOpts({ headers: traceHeaders(ctx.request().headers) }))
  }

  async stop(): Promise<void> {
    const { state, step } = await this.status()
    if (state !== 'running' && state !== 'waiting') return
    await this.end('cancelled', step, { error: { code: 'error', name: 'CancelledError', message: 'Cancelled' } })
  }

  /** Ends the task, and notifies the waiting callers. What `retry` and `fork` need is kept. */
  private async end(state: AgentStatus['state'], step: number, end: End): Promise<void> {
    const { ctx } = this
    ctx.set<AgentStatus>('status', { state, step, calls: [], ...('error' in end && { error: end.error }) })
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

function isStreaming(output: unknown): output is { done: Promise<void> } {
  return (output as { done?: unknown } | null)?.done instanceof Promise
}
