/**
 * @module
 * Named helpers of an agent, each with its own window.
 */
import type { AgentToolOptions } from '@x/agents'
import { agentTools, type Layer, type TaskBudget } from '@x/agents/loop'
import { PlainAgentTool, type ToolAgent } from '@x/agents/protocol'
import { checkOption, required } from '@x/core/options'

/** An agent as a helper, or the options of its tool, such as a description of what it can do. */
export type Helper = ToolAgent<never> | Omit<AgentToolOptions<never>, 'name' | 'schema'>

/** Options of {@link subagents}. */
interface SubagentsOptions {
  /** What a task of a loop may use together with its helpers. An agent has the option `budget` for it. @defaultValue no limit */
  budget?: TaskBudget | undefined
}

/**
 * Gives the agent helpers: each is a tool with its name, which receives a task as `input` and works in a conversation of its own. Several
 * calls of one turn run at the same time. What helpers use counts for the task, and is within its budget; calls of theirs that need approval
 * are calls of the task.
 * @throws {ModelValidationError} if an option is unknown, or a name is not one of a tool.
 */
export function subagents(helpers: Readonly<Record<string, Helper>>, options: SubagentsOptions = {}): readonly Layer[] {
  checkOption('subagents', 'helpers', helpers, required('an object of helpers'))
  const tools = Object.entries(helpers).map(([name, helper]) => {
    checkOption('subagents', name, helper, required('an agent, or the options of its tool'))
    const given = 'agent' in helper ? helper : { agent: helper }
    return new PlainAgentTool({ ...(given as AgentToolOptions), name })
  })
  return [...agentTools(options), { name: 'subagents', tools }]
}
