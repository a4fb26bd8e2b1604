/**
 * @module
 * The worker of agents with native tool calls.
 */
import { checkOptions, list, type OptionTable, text } from '@x/core/options'
import { type ChatMessage, type ChatMessageOptions, ConfigurationError } from '@x/core-model'
import { toMessage } from '@x/core-model/memory'
import { LOOP_OPTIONS, type ToolLoopOptions } from '../loop/loop-options.ts'
import { NativeProtocol } from '../loop/native/native-protocol.ts'
import type { Tool } from '../tool/base-tool.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import { ToolLoopWorker } from './tool-loop-worker.ts'

/** Options of `FunctionCallingAgentWorker`. */
export interface FunctionCallingAgentWorkerOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends ToolLoopOptions<Context, Tools, Schema> {
  /** The system message. Cannot be combined with `prefixMessages`. */
  systemPrompt?: string | null | undefined
  /** The first messages. Cannot be combined with `systemPrompt`. */
  prefixMessages?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
}

/** The checks of {@link FunctionCallingAgentWorkerOptions}. */
export const FUNCTION_CALLING_OPTIONS: OptionTable<FunctionCallingAgentWorkerOptions> = {
  ...LOOP_OPTIONS,
  systemPrompt: text,
  prefixMessages: list,
}

/**
 * Runs the steps of an agent with native tool calls: one model call and all tool calls that the model requests.
 *
 * Every call has exactly one tool message, in the order of the calls, even if it fails or the limit is reached.
 * @throws {ConfigurationError} if the model does not support tool calls, or options contradict each other.
 */
export class FunctionCallingAgentWorker extends ToolLoopWorker {
  readonly prefixMessages: readonly ChatMessage[]

  constructor(options: FunctionCallingAgentWorkerOptions) {
    checkOptions('FunctionCallingAgentWorker', options, FUNCTION_CALLING_OPTIONS)
    if (!options.llm.metadata.isFunctionCallingModel) {
      throw new ConfigurationError(
        `FunctionCallingAgentWorker.llm: the model "${options.llm.metadata.modelName}" does not support tool calls; use a ReActAgent.`,
      )
    }
    const { systemPrompt, prefixMessages, ...loop } = options
    if (systemPrompt && prefixMessages) {
      throw new ConfigurationError('FunctionCallingAgentWorker: systemPrompt and prefixMessages cannot be combined.')
    }
    const prefix = systemPrompt ? [{ role: 'system' as const, content: systemPrompt }] : (prefixMessages ?? [])
    const messages = prefix.map(toMessage)
    super({ ...loop, protocol: new NativeProtocol(messages) })
    this.prefixMessages = messages
  }

  /** Creates an instance, like the constructor. */
  static fromTools(options: FunctionCallingAgentWorkerOptions): FunctionCallingAgentWorker {
    return new FunctionCallingAgentWorker(options)
  }
}
