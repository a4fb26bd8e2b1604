/**
 * @module
 * Named helpers of an agent, each with its own window.
 */
import { agentTools, type Layer } from '@x/agents/loop'
import { plainAgentTool } from '@x/agents/protocol'
import { checkOption, required } from '@x/core/options'

/** An agent as a helper, or the options of its tool, such as a description of what it can do. */
type Helper = Options['agent'] | Options

type Options = Parameters<typeof plainAgentTool>[1]

/**
 * Adds helpers: each is a tool with its name, which receives a task as `input` and works in its own conversation. Several
 * calls of one turn run at the same time. What helpers use counts for the task, and is within its budget: the option `budget` of an agent,
 * or the layer `budget` of a loop. Calls of helpers that need approval are calls of the task, in a loop with the layer `approvals()`.
 * @throws {ModelValidationError} if an option is unknown, or a name is not one of a tool.
 */
export function subagents(helpers: Readonly<Record<string, Helper>>): readonly Layer[] {
  checkOption('subagents', 'helpers', helpers, required('an object of helpers'))
  const tools = Object.entries(helpers).map(([name, helper]) =>
    plainAgentTool(name, 'agent' in Object(helper) ? (helper as Options) : { agent: helper as Options['agent'] }),
  )
  return [...agentTools(), { name: 'subagents', tools }]
}
