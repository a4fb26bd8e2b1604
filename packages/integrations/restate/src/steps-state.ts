/**
 * @module
 * The state of a task of `agentSteps`, and its changes.
 */
import type { ObjectContext, ObjectSharedContext, VirtualObjectDefinition } from '@restatedev/restate-sdk'
import { TaskNotFoundError } from '@x/agents/errors'
import type { Json } from '@x/core-model'
import { hasEnded, type TaskDecisions, type TaskStatus } from '@x/durable'
import type { AgentServiceOptions } from './agent-run.ts'
import { readRecord, writeRecord } from './record.ts'
import { type AgentAnswer, type AgentRequest, type AgentStatus, UNKNOWN } from './run-protocol.ts'
import type { StoredStatus } from './run-status.ts'
import { traceHeaders } from './trace-headers.ts'

/** The handlers that only the object itself calls. */
type OwnHandlers = {
  first(ctx: ObjectContext, submission: AgentRequest): Promise<End | undefined>
  step(ctx: ObjectContext): Promise<End | undefined>
  stop(ctx: ObjectContext): Promise<void>
  notify(ctx: ObjectContext, awakeable: string): Promise<void>
  adopt(ctx: ObjectContext, fork: Uint8Array): Promise<boolean>
  child(ctx: ObjectContext, taskId: string): Promise<void>
  cancel(ctx: ObjectSharedContext): Promise<boolean>
}

/**
 * What the next step continues from, under `task`. The state of the task is under `status`: an entry of the journal costs more than bytes.
 */
export interface Saved {
  /** Until a step is saved. */
  submission?: AgentRequest
  /** The task of the agent. */
  task?: unknown
  /** The number of events of the saved steps. */
  position?: number
  /** Why decisions about calls were refused. */
  refusals?: TaskDecisions['refusals']
  /** The results of the calls of a step that failed. */
  results?: [string, Json][]
}

/** A new task, as another task sends it. */
export type Origin = Saved & Pick<StoredStatus, 'context'>

/** How a task has ended. Its answer is under `answer`. */
export type End = Pick<AgentStatus, 'error'> & { answer?: AgentAnswer | null }

/** Returns the state of the task; `unknown` if it does not exist. */
export async function stored(ctx: ObjectSharedContext): Promise<StoredStatus> {
  return (await ctx.get<StoredStatus>('status')) ?? UNKNOWN
}

/** @throws {TaskNotFoundError} */
export async function found(ctx: ObjectSharedContext): Promise<StoredStatus> {
  const status = await stored(ctx)
  if (status.state === 'unknown') throw new TaskNotFoundError(ctx.key)
  return status
}

/** The name is all that a client needs of the object. */
export function serviceOf({ name }: AgentServiceOptions) {
  return { name } as VirtualObjectDefinition<string, OwnHandlers>
}

/** Returns a client of the object itself. */
export function ownClient(ctx: ObjectSharedContext, options: AgentServiceOptions) {
  return ctx.objectSendClient(serviceOf(options), ctx.key)
}

/** Saves what the next step continues from. @throws {ResultTooLargeError} */
export function save(ctx: ObjectContext, { restate }: AgentServiceOptions, saved: Saved): void {
  ctx.set('task', writeRecord(`Task "${ctx.key}"`, saved), restate.serde.binary)
}

/** Returns what the next step continues from. */
export async function load(ctx: ObjectContext, { restate }: AgentServiceOptions): Promise<Saved> {
  return readRecord((await ctx.get('task', restate.serde.binary))!) as Saved
}

/**
 * Changes the state of the task. Starts the next steps if it runs, and notifies those who wait if it ends.
 * @param from - the state before, which each invocation reads once.
 */
export async function change(
  ctx: ObjectContext,
  options: AgentServiceOptions,
  { error, waiting, ...from }: StoredStatus,
  to: Partial<StoredStatus>,
  answer?: AgentAnswer,
): Promise<StoredStatus> {
  const { calls = [], state = calls.length > 0 ? 'waiting' : 'running' } = to
  const isEnd = hasEnded(state as TaskStatus)
  const status: StoredStatus = { ...from, ...to, state, calls, ...(waiting && !isEnd && { waiting }) }
  const { rpc } = options.restate
  if (state === 'running') {
    const headers = traceHeaders(ctx.request().headers)
    status.invocation = await ownClient(ctx, options).step(rpc.sendOpts({ headers })).invocationId
  }
  ctx.set('status', status)
  if (isEnd) for (const awakeable of waiting ?? []) ctx.resolveAwakeable<End>(awakeable, { error: to.error, answer })
  return status
}

/** Returns how the task has ended. Undefined if it has not. */
export async function endOf(ctx: ObjectSharedContext, { state, error }: StoredStatus): Promise<End | undefined> {
  if (!hasEnded(state as TaskStatus)) return undefined
  return { error, answer: state === 'finished' ? await ctx.get<AgentAnswer>('answer') : null }
}
