/**
 * @module
 * Detects that a run was started by different code.
 */
import { sha256 } from '@x/core-model/data'
import type { DurableAgent } from './agent-run.ts'
import { RunChangedError } from './errors.ts'

/** The facts about an agent that a run in flight depends on: its version, and its tools with a hash of their parameters. */
export type AgentDescription = Readonly<Record<string, string>>

/** Returns the facts about an agent. */
export function describeAgent({ agentWorker }: Pick<DurableAgent, 'agentWorker'>, version = ''): AgentDescription {
  const { tools = [] } = agentWorker as {
    tools?: readonly { metadata: { name: string | null; getParametersDict(): unknown } }[]
  }
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

/** @throws {RunChangedError} if the current agent cannot continue the run of the recorded one. */
export function refuseChanges(taskId: string, recorded: AgentDescription, current: AgentDescription): void {
  const changes = Object.entries(recorded).flatMap(([fact, value]) => {
    const now = current[fact]
    if (now === value) return []
    return [`its ${fact} ${now === undefined ? 'was removed' : `has changed from "${value}" to "${now}"`}`]
  })
  if (changes.length > 0) throw new RunChangedError(taskId, changes.join(', '))
}
