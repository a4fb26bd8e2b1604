/**
 * @module
 * A loop for any chat model, with tool calls as text.
 */
import type { Layers } from '../loop/layer.ts'
import { ReActChatFormatter } from '../loop/react/react-chat-formatter.ts'
import { ReActOutputParser } from '../loop/react/react-output-parser.ts'
import { ReActProtocol } from '../loop/react/react-protocol.ts'
import type { Tool } from '../tool/base-tool.ts'
import type { ContextOf } from '../tool/typed-tools.ts'
import { type OutputIn, SmallLoop, type SmallLoopOptions } from './small-loop.ts'

/** Options of {@link reactLoop}. */
interface ReActLoopSettings<Tools extends readonly Tool[] = readonly Tool[], Given extends Layers = Layers>
  extends SmallLoopOptions<Tools, Given> {
  /** Creates the messages for the model. @defaultValue a formatter with the default header */
  formatter?: ReActChatFormatter | undefined
}

/**
 * Creates a loop for any chat model: the model writes its tool calls as text.
 * @throws {ConfigurationError} if a tool needs a layer that is missing.
 * @example
 * const loop = reactLoop({ llm: new ScriptedLLM({ answers: ['Thought: easy\nAnswer: four'] }) })
 * const { text } = await loop.run('2 + 2?')
 * text // => 'four'
 */
export function reactLoop<const Tools extends readonly Tool[] = readonly [], const Given extends Layers = readonly []>(
  given: ReActLoopSettings<Tools, Given>,
): SmallLoop<ContextOf<Tools>, OutputIn<Given>, Tools> {
  const { formatter = new ReActChatFormatter(), ...options } = given ?? {}
  const protocol = new ReActProtocol({ formatter, outputParser: new ReActOutputParser(), onParseError: 'observe' })
  return new SmallLoop('reactLoop', { ...options, protocol })
}
