/**
 * @module
 * The agent for models with native tool calls.
 */
import type { BaseMemory, ChatMessage, ChatMessageOptions } from '@x/core-model'
import {
  FUNCTION_CALLING_OPTIONS,
  FunctionCallingAgentWorker,
  type FunctionCallingAgentWorkerOptions,
} from '../loop/native/function-calling-agent-worker.ts'
import { refuseUnknownOptions } from '../loop/tool-loop-worker.ts'
import { type MemoryClass, memoryOf } from '../memory/chat-memory-buffer.ts'
import { AgentRunner, pick, RUNNER_OPTION_NAMES, type RunnerOptionsOfAgent } from '../runner/agent-runner.ts'

/** Options of `FunctionCallingAgent`. */
export interface FunctionCallingAgentOptions extends FunctionCallingAgentWorkerOptions, RunnerOptionsOfAgent {
  /** The conversation so far. Cannot be combined with `memory`. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** @defaultValue a memory of `memoryCls` for the model */
  memory?: BaseMemory | null | undefined
  /** @defaultValue ChatMemoryBuffer */
  memoryCls?: MemoryClass | undefined
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
export class FunctionCallingAgent extends AgentRunner {
  declare readonly agentWorker: FunctionCallingAgentWorker

  constructor(options: FunctionCallingAgentOptions) {
    const own = [...RUNNER_OPTION_NAMES, 'chatHistory', 'memory', 'memoryCls']
    refuseUnknownOptions('FunctionCallingAgent', options, [...FUNCTION_CALLING_OPTIONS, ...own])
    const { llm, callbackManager, verbose, newId } = options
    super({
      ...pick(options, RUNNER_OPTION_NAMES),
      agentWorker: new FunctionCallingAgentWorker(
        pick(options, FUNCTION_CALLING_OPTIONS) as FunctionCallingAgentWorkerOptions,
      ),
      memory: memoryOf('FunctionCallingAgent', options),
      llm,
      callbackManager,
      verbose,
      newId,
    })
  }

  /** Calls the constructor. */
  static fromTools(options: FunctionCallingAgentOptions): FunctionCallingAgent {
    return new FunctionCallingAgent(options)
  }
}
