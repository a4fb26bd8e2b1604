/**
 * @module
 * Agents as tools of layers.
 */
import { checkOptions, flag, required, text, unchecked, wholeNumber } from '@x/core/options'
import { AGENT_DESCRIPTION, AgentCalls, type ToolAgent } from './agent-calls.ts'
import type { AgentToolOptions } from './agent-tool.ts'
import { type AsyncBaseTool, approvalOption } from './base-tool.ts'
import { isMadeOfUntrusted } from './outside-text.ts'
import { plainTool } from './plain-tool.ts'

/** Options of {@link plainAgentTool}. */
interface PlainAgentToolOptions
  extends Pick<
    AgentToolOptions<never>,
    'conversation' | 'description' | 'returnDirect' | 'needsApproval' | 'timeoutMs'
  > {
  /** The agent. Layers do not state the type of the context that its tools need. */
  agent: ToolAgent
}

const OPTIONS = {
  agent: required('an agent', 'createTask'),
  conversation: unchecked,
  description: text,
  returnDirect: flag,
  needsApproval: approvalOption,
  timeoutMs: wholeNumber(0, 'or null'),
}

/**
 * Returns an agent as a tool with the argument `input`, for layers: an `AgentTool` without the check of schemas, which adds 5 kB to a
 * bundle.
 * @param name - of the tool.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 */
export function plainAgentTool(name: string, options: PlainAgentToolOptions): AsyncBaseTool {
  checkOptions(name, options, OPTIONS)
  const { agent, conversation, description = AGENT_DESCRIPTION, ...others } = options
  const calls = new AgentCalls<never>(agent, name, conversation)
  const tool = plainTool({
    ...others,
    name,
    description,
    needed: { input: { type: 'string' } },
    fn: async ({ input }, context) => {
      const own = context as Parameters<typeof calls.memoryOf>[0]
      const answer = await calls.answer(input, own, await calls.memoryOf(own))
      return { content: answer.response, rawOutput: answer, untrusted: isMadeOfUntrusted(answer) }
    },
  })
  return Object.assign(tool, { agent, canWait: true, isDurable: true })
}
