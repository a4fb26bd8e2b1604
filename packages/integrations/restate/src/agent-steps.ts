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
import { TaskAlreadyExistsError, TaskNotFoundError } from '@x/agents/errors'
import { readToolDecision, taskEndEvent } from '@x/agents/protocol'
import { checkOptions, wholeNumber } from '@x/core/options'
import type { Json } from '@x/core-model'
import {
  checkRetry,
  createSubmittedTask,
  type ForkTaskOptions,
  failureError,
  hasEnded,
  KeptResults,
  readSubmission,
  runNextStep,
  TaskDecisions,
  type TaskStatus,
  taskFailure,
  waitingCall,
} from '@x/durable'
import { type AgentServiceOptions, type DurableAgent, serviceOptions } from './agent-run.ts'
import { engineError } from './errors.ts'
import { Execution } from './execution.ts'
import { handlersOf } from './handlers-of.ts'
import { readRecord, writeRecord } from './record.ts'
import { type AgentAnswer, type AgentRequest, type AgentStatus, UNKNOWN } from './run-protocol.ts'
import { agentOf, cancelRun, contextOf, statusOf } from './run-status.ts'
import { traceHeaders } from './trace-headers.ts'

/** Options of {@link agentSteps}. */
export interface AgentStepsOptions<Name extends string = string> extends AgentServiceOptions<Name> {
  /** Options of the object, such as `hooks`. */
  options?: ObjectOptions | undefined
  /**
   * The maximum number of steps in one invocation, for tasks of many short steps: an invocation costs about as much as ten calls. New code runs
   * with the next invocation. @defaultValue 1
   */
  stepsPerInvocation?: number | undefined
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

/**
 * Returns an object that runs an agent, one task per key and one invocation per step, or per some steps (`stepsPerInvocation`). Stores the task in the object's state, so each
 * journal covers one step. Use it for long tasks, for tasks that wait for days, and if code is deployed while tasks run.
 * @throws {ModelValidationError} for an option that is unknown or missing.
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { durableAgent } from '@x/durable'
 *
 * const llm = new ScriptedLLM({ answers: [] })
 * const research = agentSteps({
 *   restate,
 *   name: 'research',
 *   agent: durableAgent(() => ({ llm, maxIterations: 500 })),
 * })
 * research.name // => 'research'
 */
export function agentSteps<Name extends string>(
  options: AgentStepsOptions<Name>,
): VirtualObjectDefinition<Name, AgentStepsHandlers> {
  checkOptions('agentSteps', options, { ...serviceOptions, stepsPerInvocation: wholeNumber(1) })
  const { restate, name } = options
  const { exclusive, shared } = restate.handlers.object
  const handler = handlersOf(options)
  const own = { ingressPrivate: true }
  return restate.object({
    name,
    handlers: {
      start: handler(start),
      decide: handler(decide),
      retry: handler(retry),
      fork: handler(fork),
      forget: async (ctx: ObjectContext) => ctx.clearAll(),
      status: shared(handler(statusOf)),
      answer: shared(handler(answer)),
      cancel: shared(handler(cancel)),
      step: exclusive(own, handler(step, engineError)),
      stop: exclusive(own, handler(stop)),
      notify: exclusive(own, handler(notify)),
      adopt: exclusive({ ...own, input: restate.serde.binary }, handler(adopt)),
    },
    ...(options.options && { options: options.options }),
  }) as VirtualObjectDefinition<Name, AgentStepsHandlers>
}

/** The handlers that only the object itself calls. */
type OwnHandlers = {
  step(ctx: ObjectContext): Promise<void>
  stop(ctx: ObjectContext): Promise<void>
  notify(ctx: ObjectContext, awakeable: string): Promise<void>
  adopt(ctx: ObjectContext, fork: Uint8Array): Promise<boolean>
}

/** What the next step continues from, under `task`. The state of the task is under `status`. */
interface Saved {
  /** Of a new task. The object has it under `context` from then on. */
  context?: Json | undefined
  /** Until a step is saved. */
  submission?: AgentRequest
  /** The task of the agent. */
  task?: unknown
  /** The number of events of the saved steps. */
  position?: number
  /** The results of the calls of a step that failed. */
  results?: [string, Json][]
}

/** How a task has ended. Its answer is under `answer`. */
type End = Pick<AgentStatus, 'error'> & { answer?: AgentAnswer | null }

async function stored(ctx: ObjectSharedContext): Promise<AgentStatus> {
  return (await ctx.get<AgentStatus>('status')) ?? UNKNOWN
}

/** @throws {TaskNotFoundError} */
async function found(ctx: ObjectSharedContext): Promise<AgentStatus> {
  const status = await stored(ctx)
  if (status.state === 'unknown') throw new TaskNotFoundError(ctx.key)
  return status
}

/** The name is all that a client needs of the object. */
function serviceOf({ name }: AgentStepsOptions) {
  return { name } as VirtualObjectDefinition<string, OwnHandlers>
}

/** Returns a client of the object itself. */
function self(ctx: ObjectSharedContext, options: AgentStepsOptions) {
  return ctx.objectSendClient(serviceOf(options), ctx.key)
}

function save(ctx: ObjectContext, { restate }: AgentStepsOptions, saved: Saved): void {
  ctx.set('task', writeRecord(`Task "${ctx.key}"`, saved), restate.serde.binary)
}

async function load(ctx: ObjectContext, { restate }: AgentStepsOptions): Promise<Saved> {
  return readRecord((await ctx.get('task', restate.serde.binary))!) as Saved
}

/** Lets an agent continue the task, and returns it. */
async function open(ctx: ObjectContext, agent: DurableAgent, { submission, task }: Saved): Promise<DurableAgent> {
  if (submission) await createSubmittedTask('agentSteps', agent, { taskId: ctx.key, submission })
  else await agent.loadTask(task)
  return agent
}

/** Changes the state of the task. Starts the next step if it runs, and notifies those who wait if it ends. */
async function change(ctx: ObjectContext, options: AgentStepsOptions, to: Partial<AgentStatus>): Promise<void> {
  const { error, ...before } = await stored(ctx)
  const { calls = [], state = calls.length > 0 ? 'waiting' : 'running' } = to
  ctx.set('status', { ...before, ...to, state, calls })
  // The next step may run on different code.
  ctx.clear('begin')
  const { rpc } = options.restate
  if (state === 'running') self(ctx, options).step(rpc.sendOpts({ headers: traceHeaders(ctx.request().headers) }))
  await notifyAll(ctx)
}

/** Notifies those who wait for the end of the task, if it has ended. */
async function notifyAll(ctx: ObjectContext): Promise<void> {
  const { state, error } = await stored(ctx)
  if (!hasEnded(state as TaskStatus)) return
  const end: End = { error, answer: await ctx.get<AgentAnswer>('answer') }
  for (const awakeable of await waiting(ctx)) ctx.resolveAwakeable(awakeable, end)
  ctx.clear('waiting')
}

/** Returns the awakeables of those who wait for the end of the task. */
async function waiting(ctx: ObjectContext): Promise<string[]> {
  return (await ctx.get<string[]>('waiting')) ?? []
}

/** Notifies a caller who waits for the end of the task, now or later. */
async function notify(ctx: ObjectContext, _: unknown, awakeable: string): Promise<void> {
  ctx.set('waiting', [...(await waiting(ctx)), awakeable])
  await notifyAll(ctx)
}

/** Creates the task. Returns false if it exists. */
async function create(ctx: ObjectContext, options: AgentStepsOptions, origin: Saved): Promise<boolean> {
  if ((await stored(ctx)).state !== 'unknown') return false
  if (origin.context !== undefined) ctx.set('context', origin.context)
  save(ctx, options, origin)
  await change(ctx, options, {})
  return true
}

async function start(
  ctx: ObjectContext,
  options: AgentStepsOptions,
  request: string | AgentRequest,
): Promise<AgentStatus> {
  const submission = readSubmission(options.name, request)
  await create(ctx, options, { submission, context: submission.context })
  return stored(ctx)
}

/** Becomes a task that continues from a step of another one. Returns false if this task exists. */
async function adopt(ctx: ObjectContext, options: AgentStepsOptions, fork: Uint8Array): Promise<boolean> {
  return create(ctx, options, readRecord(fork) as Saved)
}

async function fork(
  ctx: ObjectContext,
  options: AgentStepsOptions,
  { atStep, taskId = ctx.rand.uuidv4() }: ForkTaskOptions = {},
): Promise<string> {
  await found(ctx)
  const { rpc, serde } = options.restate
  const agent = await open(ctx, await agentOf(ctx, options), await load(ctx, options))
  await agent.forkTask(ctx.key, { taskId, atStep })
  const origin: Saved = { context: await contextOf(ctx), task: agent.saveTask(taskId) }
  const record = writeRecord(`Task "${taskId}"`, origin)
  const isNew = await ctx.objectClient(serviceOf(options), taskId).adopt(record, rpc.opts({ input: serde.binary }))
  if (!isNew) throw new TaskAlreadyExistsError(taskId)
  return taskId
}

async function answer(ctx: ObjectSharedContext, options: AgentStepsOptions): Promise<AgentAnswer> {
  await found(ctx)
  const { id, promise } = ctx.awakeable<End>()
  self(ctx, options).notify(id)
  const { answer, error } = await promise
  if (answer) return answer
  throw failureError(error!)
}

/** Runs the next step, unless the task was stopped meanwhile. */
async function step(ctx: ObjectContext, options: AgentStepsOptions): Promise<void> {
  if ((await stored(ctx)).state !== 'running') return
  const { key } = ctx
  const saved = await load(ctx, options)
  const execution = new Execution(ctx, options, await contextOf(ctx), saved.position)
  const results = new KeptResults(saved.results)
  execution.durable = results.port(execution.durable)
  ctx.set('invocation', ctx.request().id)
  await execution.attempt(
    async (agent) => {
      await open(ctx, agent, saved)
      execution.step = agent.getCompletedSteps(key).length
      // A task that was cancelled while it waited waits again.
      let end = await runNextStep(agent, key, execution.runOptions)
      for (let more = options.stepsPerInvocation ?? 1; --more > 0 && !end && canGoOn(agent, key); )
        end = await runNextStep(agent, key, execution.runOptions)
      const { step, position } = execution
      save(ctx, options, { position, task: agent.saveTask(key) })
      execution.end(end && (() => taskEndEvent(key, end)))
      if (end) ctx.set('answer', answerToJson(end))
      await change(ctx, options, {
        step,
        calls: new TaskDecisions(agent, key).calls,
        ...(end && { state: 'finished' }),
      })
    },
    async (state, error) => {
      await change(ctx, options, { state, step: execution.step, error: taskFailure(error) })
      // A retry does not repeat the calls.
      save(ctx, options, { ...saved, results: results.forRetry() })
    },
  )
}

/** Whether no call of a task waits. */
function canGoOn(agent: DurableAgent, taskId: string): boolean {
  return agent.getPendingApprovals(taskId).length === 0
}

async function decide(ctx: ObjectContext, options: AgentStepsOptions, data: ToolDecision): Promise<void> {
  const decision = readToolDecision(data)
  const { calls } = await stored(ctx)
  waitingCall(ctx.key, calls, decision)
  const saved = await load(ctx, options)
  const agent = await open(ctx, await agentOf(ctx, options), saved)
  const task = new TaskDecisions(
    agent,
    ctx.key,
    calls.map(({ id, refused }) => [id, refused]),
  )
  await task.apply(decision)
  save(ctx, options, { ...saved, task: agent.saveTask(ctx.key) })
  await change(ctx, options, { calls: task.calls })
}

async function cancel(ctx: ObjectSharedContext, options: AgentStepsOptions): Promise<boolean> {
  await cancelRun(ctx)
  self(ctx, options).stop()
  return true
}

async function stop(ctx: ObjectContext, options: AgentStepsOptions): Promise<void> {
  const { state } = await stored(ctx)
  if (state !== 'running' && state !== 'waiting') return
  await change(ctx, options, { state: 'cancelled', error: taskFailure(new options.restate.CancelledError()) })
}

async function retry(ctx: ObjectContext, options: AgentStepsOptions): Promise<void> {
  const { state } = await found(ctx)
  checkRetry(ctx.key, state as TaskStatus)
  await change(ctx, options, {})
}
