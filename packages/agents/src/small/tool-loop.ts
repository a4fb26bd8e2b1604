/**
 * @module
 * A loop for models with native tool calls.
 */
import { ChatMessage, ConfigurationError } from '@x/core-model'
import type { Layers } from '../loop/layer.ts'
import { NativeProtocol } from '../loop/native/native-protocol.ts'
import type { Tool } from '../tool/base-tool.ts'
import type { ContextOf } from '../tool/typed-tools.ts'
import { type OutputIn, SmallLoop, type SmallLoopOptions } from './small-loop.ts'

/** Options of {@link toolLoop}. */
interface ToolLoopSettings<Tools extends readonly Tool[] = readonly Tool[], Given extends Layers = Layers>
  extends SmallLoopOptions<Tools, Given> {
  /** The system message. */
  system?: string | undefined
}

/**
 * Creates a loop for a model with native tool calls. It contains nothing but its layers.
 * @throws {ConfigurationError} if the model does not support tool calls, or a tool needs a layer that is missing.
 * @example
 * const metadata = new LLMMetadata({ isFunctionCallingModel: true })
 * const loop = toolLoop({ llm: new ScriptedLLM({ metadata, answers: ['Hello!'] }) })
 * const { status, text, messages } = await loop.run('Hi')
 * status // => 'done'
 * text // => 'Hello!'
 * messages.length // => 2
 */
export function toolLoop<const Tools extends readonly Tool[] = readonly [], const Given extends Layers = readonly []>(
  given: ToolLoopSettings<Tools, Given>,
): SmallLoop<ContextOf<Tools>, OutputIn<Given>, Tools> {
  const { system, ...options } = given ?? {}
  const metadata = (options as Partial<typeof options>).llm?.metadata
  // The loop itself checks the options.
  if (metadata?.isFunctionCallingModel === false)
    throw new ConfigurationError(
      `toolLoop.llm: the model "${metadata.modelName}" does not support tool calls; use reactLoop.`,
    )
  const prefix = system === undefined ? [] : [new ChatMessage({ role: 'system', content: system })]
  return new SmallLoop('toolLoop', { ...options, protocol: new NativeProtocol(prefix) })
}
