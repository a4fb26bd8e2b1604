/**
 * @module
 * Creates the agent that is suitable for a model.
 */

import type { AgentRunner } from '../runner/agent-runner.ts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from './function-calling-agent.ts'
import { ReActAgent, type ReActAgentFromToolsOptions } from './react-agent.ts'

/** The options that both kinds of agents have. */
export type AgentFromLlmOptions = Pick<
  ReActAgentFromToolsOptions,
  keyof FunctionCallingAgentOptions & keyof ReActAgentFromToolsOptions
>

/**
 * Creates an agent with native tool calls if the model supports them, otherwise a ReAct agent.
 * @example
 * const agent = agentFromLlm({ llm: new ScriptedLLM({ answers: ['Answer: four'] }) })
 * agent instanceof ReActAgent // => true
 */
export function agentFromLlm(options: AgentFromLlmOptions): AgentRunner {
  return options.llm.metadata.isFunctionCallingModel
    ? FunctionCallingAgent.fromTools(options)
    : ReActAgent.fromTools(options)
}
