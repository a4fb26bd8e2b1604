/**
 * @module
 * Agents as tools of other agents.
 */
import type { BaseMemory } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { type AgentToolOptions, PlainAgentTool } from './plain-agent-tool.ts'
import { toolCheck } from './tool-check.ts'

/**
 * An agent as a tool of another agent.
 *
 * Tool calls of the agent that need approval are pending calls of the calling task, with the ids `<call>/<call of the agent>`: approve or
 * reject them there, and continue that task. The events of the agent are the progress of the tool, its usage is part of the usage of the
 * calling task, and its source nodes are source nodes of the answer. If the calling agent has a task store, the agent is saved there too: in
 * the journal of the calling task, so that both continue where they stopped, after a crash or in another process. Without a store, a
 * calling task that is saved while the agent waits contains the agent's saved task.
 * @example
 * const expert = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: 4 July 1776'] }) })
 * const ask = new AgentTool({ agent: expert, name: 'historian', description: 'Knows dates.' })
 * String(await ask.call({ input: 'When was it?' })) // => '4 July 1776'
 */
export class AgentTool<Context = unknown, Name extends string = string> extends PlainAgentTool<Context, Name> {
  /** Checks edited arguments of calls of the agent, whose tools the calling task does not have. @internal */
  readonly '~checkInner' = toolCheck

  constructor(options: AgentToolOptions<Context, Name>, name?: string) {
    super(options, name, 'AgentTool', toolCheck)
  }

  protected override newMemory(): BaseMemory {
    return this.agent.memory.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
  }
}
