/**
 * @module
 * Creates the agent that is suitable for a model.
 */
import { checkOptions } from '@x/core/options'
import { keepWithin } from '../layers/keep-within.ts'
import { LOOP_OPTIONS } from '../loop/loop-options.ts'
import type { Tool, ToolNames, TypedTool } from '../tool/base-tool.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import type { ContextOf, DistinctTools, OutputOf } from '../tool/typed-tools.ts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from './function-calling-agent.ts'
import { ReActAgent, type ReActAgentFromToolsOptions } from './react-agent.ts'

/** The options that both kinds of agents have, and a prompt for both. */
export interface AgentFromLlmOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends Pick<
    ReActAgentFromToolsOptions<Context, Tools, Schema>,
    keyof FunctionCallingAgentOptions & keyof ReActAgentFromToolsOptions
  > {
  /** Instructions for the model: the system message, or a part of it for a model without native tool calls. */
  systemPrompt?: string | null | undefined
  /** Background information, after the instructions. */
  context?: string | null | undefined
}

/** The agent for a model. */
type AgentOf<Context, Output, ToolName extends string, Tools extends readonly TypedTool[]> =
  | ReActAgent<Context, Output, ToolName, Tools>
  | FunctionCallingAgent<Context, Output, ToolName, Tools>

/**
 * Creates an agent with native tool calls if the model supports them, otherwise a ReAct agent. Its requests are kept within the context
 * window of the model, unless `contextWindow` is false.
 * @throws {ModelValidationError} if an option is unknown, invalid or missing.
 * @throws {ConfigurationError} if options contradict each other.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Answer: four'] })
 * const agent = agentFromLlm({ llm, systemPrompt: 'Be brief.', maxIterations: 5 })
 * agent instanceof ReActAgent // => true
 */
export function agentFromLlm<
  const Schema extends ToolSchema | undefined = undefined,
  const Tools extends readonly Tool[] = readonly Tool[],
  Context = unknown,
>(
  given: AgentFromLlmOptions<Context & ContextOf<Tools>, Tools, Schema> & DistinctTools<Tools>,
): AgentOf<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>, Tools> {
  // The agents check the other options.
  checkOptions('agentFromLlm', { llm: given?.llm }, { llm: LOOP_OPTIONS.llm })
  const options = { ...given, contextWindow: given.contextWindow ?? keepWithin() }
  if (!options.llm.metadata.isFunctionCallingModel) return ReActAgent.fromTools<Schema, Tools, Context>(options)
  const { systemPrompt, context, ...own } = options
  const prompt = [systemPrompt, context].filter(Boolean).join('\n\n')
  return FunctionCallingAgent.fromTools<Schema, Tools, Context>({ ...own, ...(prompt && { systemPrompt: prompt }) })
}
