/**
 * @module
 * Detects that a run was started by different code.
 */
import type { ObjectSharedContext } from '@restatedev/restate-sdk'
import { taskFailure } from '@x/agents/durable'
import { passThrough } from '@x/agents/store'
import { isToolkitError, type Json } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import type { AgentRun, AgentServiceOptions, DurableAgent } from './agent-run.ts'
import { AgentSetupError, RunChangedError } from './errors.ts'
import { type AgentStatus, STARTED, UNKNOWN } from './run-protocol.ts'

/** Returns the facts about an agent that a run in flight depends on. */
export function describeAgent({ agentWorker }: Pick<DurableAgent, 'agentWorker'>, version = '') {
  const { tools = [] } = agentWorker as {
    tools?: readonly { metadata: { name: string | null; getParametersDict(): unknown } }[]
  }
  const described = tools.map(({ metadata }) => [
    metadata.name ?? '',
    sha256(JSON.stringify(metadata.getParametersDict())).slice(0, 16),
  ])
  return { version, tools: Object.fromEntries(described) as Record<string, string> }
}

/** The facts that a run in flight depends on: the tools with a hash of their parameters. */
export type AgentDescription = ReturnType<typeof describeAgent>

/** @throws {RunChangedError} if the current agent cannot continue the run of the recorded one. */
export function refuseChanges(taskId: string, recorded: AgentDescription, current: AgentDescription): void {
  const changes = changesBetween(recorded, current)
  if (changes.length > 0) throw new RunChangedError(taskId, changes.join(', '))
}

/** The descriptions that the agents of a service continue, as JSON: looking at a run again makes no agent. */
const compatible = new WeakMap<AgentServiceOptions, Set<string>>()

/** Services with more kinds of agents than this forget them. */
const MAX_DESCRIPTIONS = 1000

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
  const agent = await madeAgent(options, {
    taskId: ctx.key,
    durable: passThrough,
    newId: () => ctx.rand.uuidv4(),
    now: () => 0,
    signal: new AbortController().signal,
    headers: ctx.request().headers,
    context: (await ctx.get<Json>('context')) ?? undefined,
    once: () => ({}),
  })
  if (recorded) refuseChanges(ctx.key, recorded, describeAgent(agent, options.version))
  if (known.size >= MAX_DESCRIPTIONS) known.clear()
  compatible.set(options, known.add(key))
}

/** Returns the agent of a run. @throws {AgentSetupError} */
export async function madeAgent(options: AgentServiceOptions, run: AgentRun): Promise<DurableAgent> {
  try {
    return await options.agent(run)
  } catch (error) {
    throw new AgentSetupError(error)
  }
}

function changesBetween(recorded: AgentDescription, current: AgentDescription): string[] {
  const changes =
    recorded.version === current.version ? [] : [`version "${recorded.version}", now "${current.version}"`]
  for (const [name, parameters] of Object.entries(recorded.tools)) {
    const now = current.tools[name]
    if (now === undefined) changes.push(`its tool "${name}" was removed`)
    else if (now !== parameters) changes.push(`its tool "${name}" has different parameters`)
  }
  return changes
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
