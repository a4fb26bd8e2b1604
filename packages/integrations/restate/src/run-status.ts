/**
 * @module
 * The status of a run: also whether the current code can continue it.
 */
import type { ObjectContext, ObjectSharedContext } from '@restatedev/restate-sdk'
import { isToolkitError, type Json } from '@x/core-model'
import { type AgentDescription, checkDescription, describeAgent, taskFailure } from '@x/durable'
import type { AgentServiceOptions, DurableAgent } from './agent-run.ts'
import { Execution } from './execution.ts'
import { type AgentStatus, STARTED, UNKNOWN } from './run-protocol.ts'

/** The descriptions that the agents of a service continue, as JSON: looking at a run again makes no agent. */
const compatible = new WeakMap<AgentServiceOptions, Set<string>>()

/** Services with more kinds of agents than this forget them. */
const MAX_DESCRIPTIONS = 1000

/** Returns the context that the run was submitted with. */
export async function contextOf(ctx: ObjectSharedContext): Promise<Json | undefined> {
  return (await ctx.get<Json>('context')) ?? undefined
}

/** Creates an agent for the run, outside of its execution. @throws {AgentSetupError} */
export async function agentOf(ctx: ObjectSharedContext, options: AgentServiceOptions): Promise<DurableAgent> {
  return new Execution(ctx as ObjectContext, options, await contextOf(ctx)).agent()
}

/** Cancels the invocation that runs. Returns false if there is none. */
export async function cancelRun(ctx: ObjectSharedContext): Promise<boolean> {
  const id = await ctx.get<string>('invocation')
  if (id) ctx.cancel(id as never)
  return Boolean(id)
}

/**
 * Refuses a run that was started by incompatible code.
 * @throws {RunChangedError}
 * @throws {AgentSetupError} if the agent cannot be created.
 */
export async function refuseChanged(ctx: ObjectSharedContext, options: AgentServiceOptions): Promise<void> {
  const recorded = await ctx.get<AgentDescription>('begin')
  const known = compatible.get(options) ?? new Set()
  const key = JSON.stringify(recorded)
  if (recorded && known.has(key)) return
  const agent = await agentOf(ctx, options)
  if (recorded) checkDescription(ctx.key, recorded, describeAgent(agent, options.version))
  if (known.size >= MAX_DESCRIPTIONS) known.clear()
  compatible.set(options, known.add(key))
}

/** Returns the status of a run. */
export async function statusOf(ctx: ObjectSharedContext, options: AgentServiceOptions): Promise<AgentStatus> {
  const status = (await ctx.get<AgentStatus>('status')) ?? ((await ctx.get('invocation')) ? STARTED : UNKNOWN)
  if (status.state !== 'running' && status.state !== 'waiting') return status
  try {
    await refuseChanged(ctx, options)
    return status
  } catch (error) {
    if (!isToolkitError(error, 'run_changed') && !isToolkitError(error, 'agent_setup')) throw error
    return { ...status, state: 'refused', error: taskFailure(error) }
  }
}
