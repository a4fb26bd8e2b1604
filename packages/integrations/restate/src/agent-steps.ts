/**
 * @module
 * An agent as an object of Restate, with few steps per invocation: for tasks that are long, or wait for days.
 */
import type {
  ObjectContext,
  ObjectOptions,
  ObjectSharedContext,
  VirtualObjectDefinition,
} from '@restatedev/restate-sdk'
import { type AgentChatResponse, answerToJson, type ToolDecision } from '@x/agents'
import { TaskAlreadyExistsError } from '@x/agents/errors'
import { readToolDecision, taskEndEvent } from '@x/agents/protocol'
import { checkOptions, wholeNumber } from '@x/core/options'
import {
  checkRetry,
  createSubmittedTask,
  type ForkTaskOptions,
  failureError,
  KeptResults,
  ownerPart,
  readSubmission,
  runNextStep,
  TaskDecisions,
  type TaskStatus,
  taskFailure,
  waitingCall,
} from '@x/durable'
import { type AgentServiceOptions, type DurableAgent, serviceOptions } from './agent-run.ts'
import { engineError, handlersOf } from './errors.ts'
import { Execution } from './execution.ts'
import { readRecord, writeRecord } from './record.ts'
import { type AgentAnswer, type AgentRequest, type AgentStatus, STARTED } from './run-protocol.ts'
import { agentOf, publicStatus, type StoredStatus, statusOf } from './run-status.ts'
import {
  change,
  type End,
  endOf,
  found,
  load,
  type Origin,
  ownClient,
  type Saved,
  save,
  serviceOf,
  stored,
} from './steps-state.ts'
import { traceHeaders } from './trace-headers.ts'

/** Options of {@link agentSteps}. */
export interface AgentStepsOptions<Name extends string = string> extends AgentServiceOptions<Name> {
  /** Options of the object, such as `hooks`. */
  options?: ObjectOptions | undefined
  /**
   * The maximum number of steps in one invocation, which costs about as much as five calls. A new invocation also begins once the steps of
   * one have taken 10 seconds, so slow steps have invocations of their own. New code runs with the next invocation. @defaultValue 10
   */
  stepsPerInvocation?: number | undefined
}

/** The handlers of an object that runs an agent. (A type, because clients of Restate do not accept interfaces.) */
export type AgentStepsHandlers = {
  /** Starts the task, whose id is the key of the object, and waits for its answer. A task that was started before is only waited for. */
  run(ctx: ObjectSharedContext, request: string | AgentRequest): Promise<AgentAnswer>
  /** Starts the task, and returns its state. A task that was started before is not changed. */
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
 * Returns an object that runs an agent, one task per key. An invocation runs one slow step or some quick ones (`stepsPerInvocation`), and
 * stores the task in the object's state, so each journal covers few steps. Use it for long tasks, for tasks that wait for days, and if code
 * is deployed while tasks run.
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
      run: shared(handler(run)),
      start: handler(start),
      decide: handler(decide),
      retry: handler(retry),
      fork: handler(fork),
      forget: async (ctx: ObjectContext) => ctx.clearAll(),
      status: shared(handler(statusOf)),
      answer: shared(handler(answer)),
      cancel: shared(handler(cancel)),
      first: exclusive(own, handler(first, engineError)),
      step: exclusive(own, handler(step, engineError)),
      stop: exclusive(own, handler(stop)),
      notify: exclusive(own, handler(notify)),
      adopt: exclusive({ ...own, input: restate.serde.binary }, handler(adopt)),
      child: exclusive(own, handler(child)),
    },
    ...(options.options && { options: options.options }),
  }) as VirtualObjectDefinition<Name, AgentStepsHandlers>
}

/** The default of `stepsPerInvocation`. */
const MAX_STEPS = 10

/** An invocation that has run steps for so long, in milliseconds, runs no further one. */
const MAX_MS = 10_000

/** Lets an agent continue the task, and returns it. */
async function open(ctx: ObjectContext, agent: DurableAgent, { submission, task }: Saved): Promise<DurableAgent> {
  if (submission) await createSubmittedTask('agentSteps', agent, { taskId: ctx.key, submission })
  else await agent.loadTask(task)
  return agent
}

/** Notifies a caller who waits for the end of the task, now or later. */
async function notify(ctx: ObjectContext, _: unknown, awakeable: string): Promise<void> {
  const status = await stored(ctx)
  const end = await endOf(ctx, status)
  if (end) ctx.resolveAwakeable(awakeable, end)
  else ctx.set('status', { ...status, waiting: [...(status.waiting ?? []), awakeable] })
}

/** Creates the task, if it does not exist. Returns its state, and whether it is new. */
async function create(
  ctx: ObjectContext,
  options: AgentStepsOptions,
  { context, ...origin }: Origin,
): Promise<{ status: StoredStatus; isNew: boolean }> {
  const status = await stored(ctx)
  if (status.state !== 'unknown') return { status, isNew: false }
  save(ctx, options, origin)
  return { status: await change(ctx, options, { ...status, context }, {}), isNew: true }
}

async function start(
  ctx: ObjectContext,
  options: AgentStepsOptions,
  request: string | AgentRequest,
): Promise<AgentStatus> {
  const submission = readSubmission(options.name, request)
  const { status, isNew } = await create(ctx, options, { submission, context: submission.context })
  if (isNew) report(ctx, options, submission)
  return publicStatus(status)
}

/** Reports a new task to the one that has started it. */
function report(ctx: ObjectContext, options: AgentStepsOptions, { startedBy }: AgentRequest): void {
  if (startedBy !== undefined) ctx.objectSendClient(serviceOf(options), startedBy).child(ctx.key)
}

/** Notes that the task has started another one. If it was cancelled in the meantime, so is the other one. */
async function child(ctx: ObjectContext, options: AgentStepsOptions, taskId: string): Promise<void> {
  const status = await stored(ctx)
  if (status.state === 'unknown') return
  ctx.set('status', { ...status, children: [...(status.children ?? []), taskId] })
  if (status.state === 'cancelled') ctx.objectSendClient(serviceOf(options), taskId).cancel()
}

/** Becomes a task that continues from a step of another one. Returns false if this task exists. */
async function adopt(ctx: ObjectContext, options: AgentStepsOptions, fork: Uint8Array): Promise<boolean> {
  return (await create(ctx, options, readRecord(fork) as Origin)).isNew
}

async function fork(
  ctx: ObjectContext,
  options: AgentStepsOptions,
  { atStep, taskId = ownerPart(ctx.key) + ctx.rand.uuidv4() }: ForkTaskOptions = {},
): Promise<string> {
  const { context } = await found(ctx)
  const { rpc, serde } = options.restate
  const agent = await open(ctx, await agentOf(ctx, options, context), await load(ctx, options))
  await agent.forkTask(ctx.key, { taskId, atStep })
  const origin: Origin = { context, task: agent.saveTask(taskId) }
  const record = writeRecord(`Task "${taskId}"`, origin)
  const isNew = await ctx.objectClient(serviceOf(options), taskId).adopt(record, rpc.opts({ input: serde.binary }))
  if (!isNew) throw new TaskAlreadyExistsError(taskId)
  return taskId
}

async function answer(ctx: ObjectSharedContext, options: AgentStepsOptions): Promise<AgentAnswer> {
  const status = await found(ctx)
  return answerOf(
    (await endOf(ctx, status)) ?? (await endOfSteps(ctx, options, status)) ?? (await nextEnd(ctx, options)),
  )
}

function answerOf({ answer, error }: End): AgentAnswer {
  if (answer) return answer
  throw failureError(error!)
}

async function run(
  ctx: ObjectSharedContext,
  options: AgentStepsOptions,
  request: string | AgentRequest,
): Promise<AgentAnswer> {
  const submission = readSubmission(options.name, request)
  const headers = traceHeaders(ctx.request().headers)
  const first = ctx.objectClient(serviceOf(options), ctx.key).first(submission, options.restate.rpc.opts({ headers }))
  return answerOf((await first) ?? (await nextEnd(ctx, options)))
}

/** Returns how the task has ended with the invocation that runs. Undefined if it has not, or nobody knows the invocation any more. */
async function endOfSteps(
  ctx: ObjectSharedContext,
  { restate }: AgentStepsOptions,
  { state, invocation }: StoredStatus,
): Promise<End | undefined> {
  if (state !== 'running') return undefined
  try {
    return (await ctx.attach<End | undefined>(invocation as never)) ?? undefined
  } catch (error) {
    if (error instanceof restate.CancelledError || !(error instanceof restate.TerminalError)) throw error
    return undefined
  }
}

/** Waits for the end of the task. */
function nextEnd(ctx: ObjectSharedContext, options: AgentStepsOptions): Promise<End> {
  const { id, promise } = ctx.awakeable<End>()
  ownClient(ctx, options).notify(id)
  return promise
}

/** Creates the task, if it does not exist, and runs its first steps. Returns how it has ended. */
async function first(
  ctx: ObjectContext,
  options: AgentStepsOptions,
  submission: AgentRequest,
): Promise<End | undefined> {
  const status = await stored(ctx)
  if (status.state !== 'unknown') return endOf(ctx, status)
  const from: StoredStatus = { ...STARTED, context: submission.context, invocation: ctx.request().id }
  ctx.set('status', from)
  report(ctx, options, submission)
  return runFrom(ctx, options, from, { submission })
}

/** Runs the next steps, unless the task was stopped meanwhile. Returns how the task has ended with them. */
async function step(ctx: ObjectContext, options: AgentStepsOptions): Promise<End | undefined> {
  const from = await stored(ctx)
  return from.state === 'running' ? runFrom(ctx, options, from, await load(ctx, options)) : undefined
}

async function runFrom(
  ctx: ObjectContext,
  options: AgentStepsOptions,
  from: StoredStatus,
  saved: Saved,
): Promise<End | undefined> {
  const { key } = ctx
  const execution = new Execution(ctx, options, from.context, saved.position)
  const results = new KeptResults(saved.results)
  execution.durable = results.port(execution.durable)
  return execution.attempt<End | undefined>(
    async (agent) => {
      await open(ctx, agent, saved)
      execution.step = agent.getCompletedSteps(key).length
      const answer = await runSteps(agent, execution, options.stepsPerInvocation)
      const { step, position } = execution
      save(ctx, options, { position, task: agent.saveTask(key) })
      await execution.end(answer && (() => taskEndEvent(key, answer)))
      if (!answer) {
        await change(ctx, options, from, { step, calls: new TaskDecisions(agent, key, saved.refusals).calls })
        return undefined
      }
      const json = answerToJson(answer)
      ctx.set('answer', json)
      await change(ctx, options, from, { step, state: 'finished' }, json)
      return { answer: json }
    },
    async (state, failure) => {
      const error = taskFailure(failure)
      await change(ctx, options, from, { state, step: execution.step, error })
      // A retry does not repeat the calls.
      save(ctx, options, { ...saved, results: results.forRetry() })
      return { error }
    },
  )
}

/**
 * Runs steps until the task is finished, or a call waits, or the invocation has run for long enough. It also ends after a step that was
 * interrupted, because the server waits longer for each further attempt. A task that was cancelled while it waited waits again.
 */
async function runSteps(
  agent: DurableAgent,
  execution: Execution,
  most = MAX_STEPS,
): Promise<AgentChatResponse | undefined> {
  const { taskId } = execution.run
  let began: number | undefined
  for (let steps = 1; ; steps++) {
    const answer = await runNextStep(agent, taskId, execution.runOptions)
    // What decides is the same in every execution.
    const { now, isContinued } = execution
    began ??= now
    const isEnough = steps >= most || now - began >= MAX_MS || isContinued
    if (answer || isEnough || agent.getPendingApprovals(taskId).length > 0) return answer
  }
}

async function decide(ctx: ObjectContext, options: AgentStepsOptions, data: ToolDecision): Promise<void> {
  const decision = readToolDecision(data)
  const from = await stored(ctx)
  const { calls } = from
  waitingCall(ctx.key, calls, decision)
  const saved = await load(ctx, options)
  const agent = await open(ctx, await agentOf(ctx, options, from.context), saved)
  const task = new TaskDecisions(
    agent,
    ctx.key,
    calls.map(({ id, refused }) => [id, refused]),
  )
  await task.apply(decision)
  save(ctx, options, { ...saved, task: agent.saveTask(ctx.key), refusals: task.refusals })
  await change(ctx, options, from, { calls: task.calls })
}

async function cancel(ctx: ObjectSharedContext, options: AgentStepsOptions): Promise<boolean> {
  const { invocation } = await stored(ctx)
  if (invocation !== undefined) ctx.cancel(invocation as never)
  ownClient(ctx, options).stop()
  return true
}

async function stop(ctx: ObjectContext, options: AgentStepsOptions): Promise<void> {
  const from = await stored(ctx)
  if (from.state === 'running' || from.state === 'waiting')
    await change(ctx, options, from, { state: 'cancelled', error: taskFailure(new options.restate.CancelledError()) })
  else if (from.state !== 'cancelled') return
  for (const taskId of from.children ?? []) ctx.objectSendClient(serviceOf(options), taskId).cancel()
}

async function retry(ctx: ObjectContext, options: AgentStepsOptions): Promise<void> {
  const from = await found(ctx)
  checkRetry(ctx.key, from.state as TaskStatus)
  await change(ctx, options, from, {})
}
