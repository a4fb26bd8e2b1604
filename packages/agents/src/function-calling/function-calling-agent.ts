/**
 * @module
 * The agent for models that call tools natively.
 */
import { type BaseMemory, type ChatMessage, type ChatMessageOptions, ConfigurationError } from '@x/core-model'

import { ChatMemoryBuffer } from '../memory/chat-memory-buffer.ts'
import type { MemoryClass } from '../react/react-agent.ts'
import { AgentRunner, type AgentRunnerOptions } from '../runner/agent-runner.ts'
import { refuseUnknownOptions } from '../worker/tool-loop-worker.ts'
import {
  FUNCTION_CALLING_OPTIONS,
  FunctionCallingAgentWorker,
  type FunctionCallingAgentWorkerOptions,
} from './function-calling-agent-worker.ts'

/** What this agent takes besides the options of its worker. */
type RunnerPart = Pick<
  AgentRunnerOptions,
  | 'initTaskStateKwargs'
  | 'deleteTaskOnFinish'
  | 'maxFinishedTasks'
  | 'defaultToolChoice'
  | 'timeouts'
  | 'taskStore'
  | 'registry'
>

/** The options of a function-calling agent. */
export interface FunctionCallingAgentOptions extends FunctionCallingAgentWorkerOptions, RunnerPart {
  /** The conversation so far; not together with `memory`. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** @defaultValue a memory of `memoryCls` for the model */
  memory?: BaseMemory | null | undefined
  /** @defaultValue ChatMemoryBuffer */
  memoryCls?: MemoryClass | undefined
}

const OWN_OPTIONS = [
  'initTaskStateKwargs',
  'deleteTaskOnFinish',
  'maxFinishedTasks',
  'defaultToolChoice',
  'timeouts',
  'taskStore',
  'registry',
  'chatHistory',
  'memory',
  'memoryCls',
]

/**
 * An agent for a model that calls tools natively.
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

  /** @throws {ConfigurationError} when the model calls no tools, or options contradict each other. */
  constructor(options: FunctionCallingAgentOptions) {
    refuseUnknownOptions('FunctionCallingAgent', options, [...FUNCTION_CALLING_OPTIONS, ...OWN_OPTIONS])
    const entries = Object.entries(options)
    const worker = Object.fromEntries(entries.filter(([key]) => FUNCTION_CALLING_OPTIONS.includes(key)))
    const { chatHistory, memory, memoryCls = ChatMemoryBuffer, llm, callbackManager, verbose, newId } = options
    if (memory && chatHistory) {
      throw new ConfigurationError('FunctionCallingAgent: give a memory or a chat history, not both.')
    }
    super({
      ...Object.fromEntries(
        entries.filter(([key]) => OWN_OPTIONS.includes(key) && !key.startsWith('memory') && key !== 'chatHistory'),
      ),
      agentWorker: new FunctionCallingAgentWorker(worker as unknown as FunctionCallingAgentWorkerOptions),
      memory: memory ?? memoryCls.fromDefaults({ chatHistory: chatHistory ?? undefined, llm }),
      llm,
      callbackManager,
      verbose,
      newId,
    })
  }

  /** The same as the constructor. */
  static fromTools(options: FunctionCallingAgentOptions): FunctionCallingAgent {
    return new FunctionCallingAgent(options)
  }
}
