/**
 * @module
 * Writing what a ReAct model sees: the tools, the conversation, and the rounds of the current task.
 */
import { ChatMessage, type Dict, type DictOptions, fillTemplate, Model, parseTemplate } from '@x/core-model'
import {
  type ReActChatFormatterFields,
  type ReActChatFormatterOptions,
  reActChatFormatterSpec,
} from '../generated/models.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { REACT_SYSTEM_HEADER_WITH_CONTEXT } from './default-prompt.ts'
import { type ReasoningStep, reasoningText } from './reasoning-step.ts'

export interface ReActChatFormatter extends ReActChatFormatterFields {}

/** Anything that is described like a tool. */
export type DescribedTool = Pick<AsyncBaseTool, 'metadata'>

/**
 * Writes the messages for a ReAct model: a system message that describes the tools, the conversation, and one message
 * per reasoning record.
 * @example
 * const formatter = new ReActChatFormatter({ systemHeader: 'Tools: {tool_names}' })
 * formatter.format([], [])[0].content // => 'Tools: '
 */
export class ReActChatFormatter extends Model {
  constructor(options?: ReActChatFormatterOptions) {
    super(options)
  }

  static override spec() {
    return reActChatFormatterSpec
  }

  /** A formatter with the built-in header, or the one for a context when there is a context. */
  static fromDefaults(
    options: Omit<ReActChatFormatterOptions, 'systemHeader' | 'context'> & {
      systemHeader?: string | null | undefined
      context?: string | null | undefined
    } = {},
  ): ReActChatFormatter {
    const context = options.context ?? ''
    const builtIn = context === '' ? undefined : REACT_SYSTEM_HEADER_WITH_CONTEXT
    return new ReActChatFormatter({ ...options, systemHeader: options.systemHeader || builtIn, context })
  }

  /**
   * @deprecated Use `fromDefaults({ context })`.
   * @param options.logger - is told that this is deprecated.
   */
  static fromContext(context: string, options: { logger?: (text: string) => void } = {}): ReActChatFormatter {
    options.logger?.('ReActChatFormatter.fromContext is deprecated; use fromDefaults({ context }).')
    return ReActChatFormatter.fromDefaults({ context })
  }

  /**
   * @throws {MissingVariableError} when the header has a variable that there is no value for.
   * @throws {ToolNameError} when a tool has no name.
   * @throws {ToolSchemaError} when a tool has no schema.
   */
  format(
    tools: readonly DescribedTool[],
    chatHistory: readonly ChatMessage[],
    currentReasoning: readonly ReasoningStep[] = [],
  ): ChatMessage[] {
    const messages = [this.systemMessage(tools), ...chatHistory]
    for (const step of currentReasoning) {
      const role = step.kind === 'observation' ? this.observationRole : 'assistant'
      messages.push(new ChatMessage({ role, content: reasoningText(step) }))
    }
    return this.mergeSameRole ? merged(messages) : messages
  }

  /** The two fields that are ours are written only when they are not the default, so that other readers know all keys. */
  override toDict(options?: DictOptions): Dict {
    const { observation_role, merge_same_role, ...rest } = super.toDict(options)
    return {
      ...(observation_role !== undefined && observation_role !== 'user' && { observation_role }),
      ...(merge_same_role === true && { merge_same_role }),
      ...rest,
    }
  }

  private systemMessage(tools: readonly DescribedTool[]): ChatMessage {
    const { systemHeader, context } = this
    const last = lastMessages.get(this)
    if (last?.tools === tools && last.systemHeader === systemHeader && last.context === context) return last.message
    const vars: Record<string, string> = {
      tool_names: tools.map(({ metadata }) => metadata.getName()).join(', '),
      tool_desc: tools.map(describe).join('\n'),
    }
    if (context !== '') vars['context'] = context
    const parts = parseTemplate(systemHeader, 'ReActChatFormatter.systemHeader: ')
    const content = fillTemplate(parts, (name) => vars[name])
    const message = new ChatMessage({ role: 'system', content })
    lastMessages.set(this, { tools, systemHeader, context, message })
    return message
  }
}

/** The system message of the last call: the same tools are described again in every step of a task. */
const lastMessages = new WeakMap<
  ReActChatFormatter,
  { tools: readonly DescribedTool[]; systemHeader: string; context: string; message: ChatMessage }
>()

function describe({ metadata }: DescribedTool): string {
  return `> Tool Name: ${metadata.getName()}\nTool Description: ${metadata.description}\nTool Args: ${metadata.fnSchemaStr}\n`
}

/** Neighbours of the same role become one message, for models that insist on alternating roles. */
function merged(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = []
  for (const message of messages) {
    const last = out.at(-1)
    const joinable =
      last?.role === message.role && typeof last.content === 'string' && typeof message.content === 'string'
    if (joinable && message.role !== 'system' && Object.keys(message.additionalKwargs).length === 0) {
      out[out.length - 1] = new ChatMessage({ ...last, content: `${last!.content}\n\n${message.content}` })
    } else out.push(message)
  }
  return out
}
