/**
 * @module
 * The status of a run: also whether the current code can continue it.
 */
import type { ObjectContext, ObjectSharedContext, WorkflowSharedContext } from '@restatedev/restate-sdk'
import { isToolkitError, type Json } from '@x/core-model'
import { checkDescription, describeAgent, taskFailure } from '@x/durable'
import type { AgentServiceOptions, DurableAgent } from './agent-run.ts'
import { cancelChildren } from './children.ts'
import { Execution, type Invocation } from './execution.ts'
import { type AgentStatus, STARTED, UNKNOWN } from './run-protocol.ts'

/** The descriptions that the agents of a service continue, as JSON: looking at a run again makes no agent. */
const compatible = new WeakMap<AgentServiceOptions, Set<string>>()

/** Services with more kinds of agents than this forget them. */
const MAX_DESCRIPTIONS = 1000

/** The state of a run as it is stored. */
export interface StoredStatus extends AgentStatus {
  /** The context that the task was submitted with, if the run is one of `agentSteps`. */
  context?: Json | undefined
  /** The last invocation that runs steps, if the run is one of `agentSteps`. */
  invocation?: string
  /** The awakeables of those who wait for the end of the task. */
  waiting?: readonly string[]
  /** The tasks that it has started, if the run is one of `agentSteps`. */
  children?: readonly string[]
}

/** Creates an agent for the run, outside of its execution. @throws {AgentSetupError} */
export function agentOf(
  ctx: ObjectSharedContext,
  options: AgentServiceOptions,
  context: Json | undefined,
): Promise<DurableAgent> {
  return new Execution(ctx as ObjectContext, options, context).agent()
}

/** Cancels the invocation that runs, and the tasks that it has started. Returns false if there is none. */
export async function cancelRun(ctx: WorkflowSharedContext, options: AgentServiceOptions): Promise<boolean> {
  const invocation = await ctx.get<Invocation>('invocation')
  if (!invocation) return false
  ctx.cancel(invocation.id as never)
  await cancelChildren(ctx, options)
  return true
}

/**
 * Refuses a run that was started by incompatible code.
 * @throws {RunChangedError}
 * @throws {AgentSetupError} if the agent cannot be created.
 */
export async function refuseChanged(
  ctx: ObjectSharedContext,
  options: AgentServiceOptions,
  { context, state, invocation }: Partial<StoredStatus> = {},
): Promise<void> {
  const begun = await ctx.get<Invocation>('invocation')
  // Different code may run in the next invocation.
  const isNext = invocation !== undefined && (state !== 'running' || invocation !== begun?.id)
  const recorded = isNext ? undefined : begun?.begin
  const known = compatible.get(options) ?? new Set()
  const key = JSON.stringify(recorded)
  if (recorded && known.has(key)) return
  const agent = await agentOf(ctx, options, context ?? (await ctx.get<Json>('context')) ?? undefined)
  if (recorded) checkDescription(ctx.key, recorded, describeAgent(agent, options.version))
  if (known.size >= MAX_DESCRIPTIONS) known.clear()
  compatible.set(options, known.add(key))
}

/** Returns the status of a run. */
export async function statusOf(ctx: ObjectSharedContext, options: AgentServiceOptions): Promise<AgentStatus> {
  const stored = await ctx.get<StoredStatus>('status')
  const status = stored ? publicStatus(stored) : (await ctx.get('invocation')) ? STARTED : UNKNOWN
  if (status.state !== 'running' && status.state !== 'waiting') return status
  try {
    await refuseChanged(ctx, options, stored ?? {})
    return status
  } catch (error) {
    if (!isToolkitError(error, 'run_changed') && !isToolkitError(error, 'agent_setup')) throw error
    return { ...status, state: 'refused', error: taskFailure(error) }
  }
}

/** Returns what callers see of the state of a run. */
export function publicStatus({ context, invocation, waiting, children, ...status }: StoredStatus): AgentStatus {
  return status
}
