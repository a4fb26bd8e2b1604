/**
 * @module
 * The agent for models with native tool calls.
 */
import { checkOptions, type OptionTable } from '@x/core/options'
import { memoryOf } from '@x/core-model/memory'
import type { LoopState } from '../loop/loop-state.ts'
import { pick } from '../options.ts'
import { AGENT_RUNNER_OPTIONS, AgentRunner, type RunnerOptionsOfAgent } from '../runner/agent-runner.ts'
import { OWN_MEMORY_OPTIONS, type OwnMemoryOptions } from '../runner/runner-options.ts'
import type { Tool, ToolNames, TypedTool } from '../tool/base-tool.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import type { ContextOf, DistinctTools, OutputOf } from '../tool/typed-tools.ts'
import {
  FUNCTION_CALLING_OPTIONS,
  FunctionCallingAgentWorker,
  type FunctionCallingAgentWorkerOptions,
} from '../worker/function-calling-agent-worker.ts'

/** Options of `FunctionCallingAgent`. */
export interface FunctionCallingAgentOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends FunctionCallingAgentWorkerOptions<Context, Tools, Schema>,
    RunnerOptionsOfAgent<ToolNames<Tools>>,
    OwnMemoryOptions {}

const FUNCTION_CALLING_AGENT_OPTIONS: OptionTable<FunctionCallingAgentOptions> = {
  ...AGENT_RUNNER_OPTIONS,
  ...FUNCTION_CALLING_OPTIONS,
  ...OWN_MEMORY_OPTIONS,
}

/**
 * An agent for a model with native tool calls.
 * @throws {ConfigurationError} if the model does not support tool calls, or options contradict each other.
 * @example
 * const llm = new ScriptedLLM({
 *   answers: ['No.'],
 *   metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
 * })
 * const agent = FunctionCallingAgent.fromTools({ llm, systemPrompt: 'Be brief.' })
 * String(await agent.chat('Do I need an umbrella in Lima?')) // => 'No.'
 */
export class FunctionCallingAgent<
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> extends AgentRunner<Context, Output, ToolName, LoopState, Tools> {
  declare readonly agentWorker: FunctionCallingAgentWorker

  constructor(options: FunctionCallingAgentOptions<Context>) {
    checkOptions('FunctionCallingAgent', options, FUNCTION_CALLING_AGENT_OPTIONS)
    super({
      ...pick(options, AGENT_RUNNER_OPTIONS),
      agentWorker: new FunctionCallingAgentWorker(
        pick(options, FUNCTION_CALLING_OPTIONS) as FunctionCallingAgentWorkerOptions,
      ),
      memory: memoryOf('FunctionCallingAgent', options),
    })
  }

  /** Creates an agent. Prefer this to the constructor: the compiler infers the types of tools and output. */
  static fromTools<
    const Schema extends ToolSchema | undefined = undefined,
    const Tools extends readonly Tool[] = readonly Tool[],
    Context = unknown,
  >(
    options: FunctionCallingAgentOptions<Context & ContextOf<Tools>, Tools, Schema> & DistinctTools<Tools>,
  ): FunctionCallingAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>, Tools> {
    return new FunctionCallingAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>, Tools>(
      options,
    )
  }
}
