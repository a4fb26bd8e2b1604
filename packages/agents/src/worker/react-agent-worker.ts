/**
 * @module
 * The worker of ReAct agents.
 */

import { checkOptions, choice, having, type OptionTable } from '@x/core/options'
import { LOOP_OPTIONS, type ToolLoopOptions } from '../loop/loop-options.ts'
import { loopState } from '../loop/loop-state.ts'
import { PromptedReActProtocol } from '../loop/react/prompted-react-protocol.ts'
import { ReActChatFormatter } from '../loop/react/react-chat-formatter.ts'
import { ReActOutputParser } from '../loop/react/react-output-parser.ts'
import type { ReActProtocol, ReActProtocolOptions, ReActState } from '../loop/react/react-protocol.ts'
import { reasoningText } from '../loop/react/reasoning-step.ts'
import type { Task } from '../task/task.ts'
import type { Tool } from '../tool/base-tool.ts'
import type { FailurePolicy } from '../tool/tool-call-options.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import { ToolLoopWorker } from './tool-loop-worker.ts'

/** Options of `ReActAgentWorker`. */
export interface ReActAgentWorkerOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends ToolLoopOptions<Context, Tools, Schema> {
  /** Creates the messages for the model. The worker uses a copy. @defaultValue a formatter with the default header */
  reactChatFormatter?: ReActChatFormatter | null | undefined
  /** Parses the text of the model. @defaultValue a {@link ReActOutputParser} */
  outputParser?: ReActOutputParser | null | undefined
  /** The action if the text of the model cannot be parsed. @defaultValue 'observe' */
  onParseError?: FailurePolicy | undefined
}

/** The checks of {@link ReActAgentWorkerOptions}. */
export const REACT_OPTIONS: OptionTable<ReActAgentWorkerOptions> = {
  ...LOOP_OPTIONS,
  reactChatFormatter: having('a formatter', 'format', 'systemHeader'),
  outputParser: having('a parser', 'parse'),
  onParseError: choice('observe', 'raise'),
}

/** Creates the protocol of a worker. */
type MakeProtocol = (options: ReActProtocolOptions) => ReActProtocol

/**
 * Runs the steps of a ReAct agent: one model call and at most one tool call each.
 *
 * A failed tool, a tool that does not exist and text that cannot be parsed are reported to the model, which can try again, unless the
 * policy for the case is `raise`.
 * @throws {ModelValidationError} if an option is unknown, invalid or missing.
 * @throws {ConfigurationError} if options contradict each other.
 */
export class ReActAgentWorker extends ToolLoopWorker {
  declare readonly protocol: ReActProtocol

  constructor(
    options: ReActAgentWorkerOptions,
    makeProtocol: MakeProtocol = (parts) => new PromptedReActProtocol(parts),
  ) {
    checkOptions('ReActAgentWorker', options, REACT_OPTIONS)
    const { reactChatFormatter, outputParser, onParseError, ...loop } = options
    const formatter = reactChatFormatter?.copy() ?? ReActChatFormatter.fromDefaults()
    const parser = outputParser ?? new ReActOutputParser()
    const parts = { formatter, outputParser: parser, onParseError: onParseError ?? 'observe' }
    super({ ...loop, protocol: makeProtocol(parts) })
  }

  /** Creates an instance, like the constructor. */
  static fromTools<Options, Worker>(this: new (options: Options) => Worker, options: Options): Worker {
    return new this(options)
  }

  /** Creates the messages for the model; a copy of the formatter in the options. */
  get reactChatFormatter(): ReActChatFormatter {
    return this.protocol.formatter
  }

  get outputParser(): ReActOutputParser {
    return this.protocol.outputParser
  }

  /** Returns the text of each reasoning record of a task so far. */
  getReasoning(task: Task): string[] {
    return loopState<ReActState>(task).current_reasoning.map(reasoningText)
  }
}
