/**
 * @module
 * Detects that a run was started by different code.
 */
import type { ObjectSharedContext } from '@restatedev/restate-sdk'
import { AgentSetupError, taskFailure } from '@x/agents/durable'
import { passThrough } from '@x/agents/store'
import { isToolkitError, type Json } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import type { AgentRun, AgentServiceOptions, DurableAgent } from './agent-run.ts'
import { RunChangedError } from './errors.ts'
import { ReplayGate } from './replay-gate.ts'
import { type AgentStatus, STARTED, UNKNOWN } from './run-protocol.ts'

/** The facts about an agent that a run in flight depends on: its version, and its tools with a hash of their parameters. */
export type AgentDescription = Readonly<Record<string, string>>

/** Returns the facts about an agent. */
export function describeAgent({ agentWorker }: Pick<DurableAgent, 'agentWorker'>, version = ''): AgentDescription {
  const { tools = [] } = agentWorker as {
    tools?: readonly { metadata: { name: string | null; getParametersDict(): unknown } }[]
  }
  const described = tools.map(({ metadata }) => [
    `tool "${metadata.name ?? ''}"`,
    sha256(JSON.stringify(metadata.getParametersDict())).slice(0, 16),
  ])
  return { version, ...Object.fromEntries(described) }
}

/** @throws {RunChangedError} if the current agent cannot continue the run of the recorded one. */
export function refuseChanges(taskId: string, recorded: AgentDescription, current: AgentDescription): void {
  const changes = Object.entries(recorded).flatMap(([fact, value]) => {
    const now = current[fact]
    if (now === value) return []
    return [`its ${fact} ${now === undefined ? 'was removed' : `has changed from "${value}" to "${now}"`}`]
  })
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
    replay: new ReplayGate(),
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
