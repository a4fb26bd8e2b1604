/**
 * @module
 * Whether a run that other code has begun can continue, the same for every engine.
 */

import type { BaseTool } from '@x/agents'
import { checkOption, required } from '@x/core/options'
import { sha256 } from '@x/core-model/data'
import { RunChangedError } from './durable-errors.ts'

/** The facts about an agent that a run in flight depends on: its version, and its tools with a hash of their parameters. */
export type AgentDescription = Readonly<Record<string, string>>

/** The part of an agent that is described. All runners have it. */
export interface DescribedAgent {
  readonly agentWorker: object
}

/**
 * Returns the facts about an agent that a run in flight depends on, as JSON: your own engine records them when a run begins.
 * @param version - names the behaviour of the agent.
 * @example
 * import { FunctionTool, ReActAgent } from '@x/agents'
 * const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'It is there.' })
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [] }), tools: [look] })
 * Object.keys(describeAgent(agent, '2')) // => ['version', 'tool "look"']
 */
export function describeAgent(agent: DescribedAgent, version = ''): AgentDescription {
  checkOption('describeAgent', 'agent', agent, required('an agent with a worker', 'agentWorker'))
  const { agentWorker } = agent
  const { tools = [] } = agentWorker as { tools?: readonly Pick<BaseTool, 'metadata'>[] }
  const facts: Record<string, string> = { version }
  for (const tool of tools) {
    const hash = hashes.get(tool) ?? sha256(JSON.stringify(tool.metadata.getParametersDict())).slice(0, 16)
    hashes.set(tool, hash)
    facts[`tool "${tool.metadata.name ?? ''}"`] = hash
  }
  return facts
}

/** The hashes of the parameters of tools, which the agents of many runs share. */
const hashes = new WeakMap<object, string>()

/**
 * Checks that an agent can continue a run. It may have more tools than the one that began the run. For your own engine.
 * @param recorded - what {@link describeAgent} returned when the run began.
 * @param current - what it returns now.
 * @throws {RunChangedError} naming what has changed.
 * @example
 * checkDescription('rent', { version: '1' }, { version: '1', 'tool "pay"': 'a' })
 * checkDescription('rent', { version: '1' }, { version: '2' }) // => throws run_changed
 */
export function checkDescription(taskId: string, recorded: AgentDescription, current: AgentDescription): void {
  checkOption('checkDescription', 'recorded', recorded, required('a description of an agent'))
  checkOption('checkDescription', 'current', current, required('a description of an agent'))
  const changes = Object.entries(recorded).flatMap(([fact, value]) => {
    const now = current[fact]
    if (now === value) return []
    return [`its ${fact} ${now === undefined ? 'was removed' : `has changed from "${value}" to "${now}"`}`]
  })
  if (changes.length > 0) throw new RunChangedError(taskId, changes.join(', '))
}
