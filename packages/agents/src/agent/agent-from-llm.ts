/**
 * @module
 * Creates the agent that is suitable for a model.
 */
import type { ToolSchema } from '../tool/tool-schema.ts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from './function-calling-agent.ts'
import { ReActAgent, type ReActAgentFromToolsOptions } from './react-agent.ts'
import type { WithOutput } from './typed-runs.ts'

/** The options that both kinds of agents have, and a prompt for both. */
export interface AgentFromLlmOptions
  extends Pick<ReActAgentFromToolsOptions, keyof FunctionCallingAgentOptions & keyof ReActAgentFromToolsOptions> {
  /** Instructions for the model: the system message, or a part of it for a model without native tool calls. */
  systemPrompt?: string | null | undefined
  /** Background information, after the instructions. */
  context?: string | null | undefined
}

/**
 * Creates an agent with native tool calls if the model supports them, otherwise a ReAct agent.
 * @throws {ConfigurationError} if options contradict each other or are unknown.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Answer: four'] })
 * const agent = agentFromLlm({ llm, systemPrompt: 'Be brief.', maxIterations: 5 })
 * agent instanceof ReActAgent // => true
 */
export function agentFromLlm<const Schema extends ToolSchema | undefined = undefined>({
  systemPrompt,
  context,
  ...options
}: AgentFromLlmOptions & { output?: Schema }): WithOutput<ReActAgent | FunctionCallingAgent, Schema> {
  const prompt = [systemPrompt, context].filter(Boolean).join('\n\n')
  if (options.llm.metadata.isFunctionCallingModel) {
    return FunctionCallingAgent.fromTools<Schema>({ ...options, ...(prompt && { systemPrompt: prompt }) } as never)
  }
  return ReActAgent.fromTools<Schema>({ ...options, ...(prompt && { context: prompt }) } as never)
}
