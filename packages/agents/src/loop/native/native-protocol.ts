/**
 * @module
 * The protocol of models with native tool calls: tools are an option of the call, and requested calls are data in the reply.
 */

import { compactJson, isPlainObject } from '@x/core/values'
import {
  type CallOptions,
  ChatMessage,
  type ContentPart,
  type Dict,
  isTextPart,
  type ToolDefinition,
  type ToolOutput,
  toolCallsOf,
} from '@x/core-model'
import type { ToolCall } from '../../task/agent-event.ts'
import type { MessageList, StepLike, TaskLike } from '../../task/task-like.ts'
import type { ToolChoice } from '../agent-worker.ts'
import { replyText } from '../reply.ts'
import type {
  CallsTurn,
  ModelRequest,
  RequestContext,
  TextReader,
  ToolCallingProtocol,
  Turn,
} from '../tool-calling-protocol.ts'

/** Native tool calls: any number per turn. Every call has exactly one tool message, in the order of the calls. */
export class NativeProtocol implements ToolCallingProtocol {
  readonly name = 'native'
  private readonly prefixMessages: readonly ChatMessage[]

  /** @param prefixMessages - the first messages of every request. */
  constructor(prefixMessages: readonly ChatMessage[] = []) {
    this.prefixMessages = prefixMessages
  }

  initialState(): Record<string, unknown> {
    return {}
  }

  acceptInput(input: ChatMessage, _step: StepLike, task: TaskLike): void {
    messagesOf(task).put(input)
  }

  request({ task, tools, toolChoice }: RequestContext): ModelRequest | Promise<ModelRequest> {
    const options: CallOptions = {}
    if (tools.length > 0) {
      options.tools = tools.map(({ metadata }) => metadata.toOpenaiTool() as unknown as ToolDefinition)
      // Provider-specific values are passed unchanged.
      options.toolChoice = resolveToolChoice(toolChoice) as CallOptions['toolChoice']
    }
    const own = messagesOf(task).getAll()
    const history = task.memory.get()
    const requestWith = (earlier: readonly ChatMessage[]): ModelRequest => ({
      messages: [...this.prefixMessages, ...earlier, ...own],
      options,
    })
    return Array.isArray(history) ? requestWith(history) : history.then(requestWith)
  }

  read(message: ChatMessage): Turn {
    const calls = toolCallsOf(message).map(({ id, ...call }) => ({ ...call, id: id ?? '' }))
    const text = replyText(message)
    return calls.length === 0 ? { kind: 'answer', text, message } : { kind: 'calls', calls, message, text }
  }

  reader(offersTools: boolean): TextReader {
    return { push: (delta) => delta, isAnswer: !offersTools, canStop: () => false }
  }

  recordCalls({ message, calls }: CallsTurn, task: TaskLike): void {
    messagesOf(task).put(withCallIds(message, calls))
  }

  editCall(edited: ToolCall, task: TaskLike): void {
    const new_memory = messagesOf(task)
    new_memory.set(new_memory.getAll().map((message) => withArguments(message, edited)))
  }

  recordOutput(call: ToolCall, output: ToolOutput, task: TaskLike): void {
    const additionalKwargs = { name: call.name, tool_call_id: call.id }
    messagesOf(task).put(new ChatMessage({ role: 'tool', content: contentOf(output), additionalKwargs }))
  }

  recordAnswer(text: string, turn: Turn, task: TaskLike): void {
    const own = turn.kind === 'answer' && turn.message ? withText(turn.message, text) : undefined
    messagesOf(task).put(own ?? new ChatMessage({ role: 'assistant', content: text }))
  }

  recordUnreadable({ text, observation }: Turn & { kind: 'unreadable' }, task: TaskLike): void {
    const new_memory = messagesOf(task)
    new_memory.put(new ChatMessage({ role: 'assistant', content: text ?? '' }))
    new_memory.put(new ChatMessage({ role: 'user', content: observation }))
  }

  outputText(turn: Turn): string {
    return turn.kind === 'calls' ? (turn.text ?? '') : ''
  }

  lastText(task: TaskLike): string | null {
    return (task.extraState['sources'] as ToolOutput[]).at(-1)?.content ?? null
  }
}

/** Returns the messages of a running task. */
function messagesOf({ extraState }: TaskLike): MessageList {
  return extraState['new_memory'] as MessageList
}

/** Returns the content for the model. Outputs of tools may be instances of another copy of the package. */
function contentOf({ content, modelContent = content }: ToolOutput): ChatMessage['content'] {
  return typeof modelContent === 'string' ? modelContent : [...modelContent]
}

/** Returns the message with this text and its other data; undefined if its own text is different. */
function withText(message: ChatMessage, text: string): ChatMessage | undefined {
  const own = replyText(message)
  if (own === text) return message
  if (own.trim() !== text.trim()) return undefined
  // Signed reasoning is valid only with the text that followed it.
  if (message.additionalKwargs['reasoning'] !== undefined) return message
  if (typeof message.content === 'string') return message.copy({ update: { content: text } })
  const content = message.content as ContentPart[]
  // The text is trimmed only if it is one part, so that parts that must be sent back unchanged keep their positions.
  const parts = content.filter(isTextPart)
  if (parts.length !== 1) return message
  return message.copy({
    update: { content: content.map((part) => (part === parts[0] ? { ...parts[0], text } : part)) },
  })
}

/** Returns the message with the ids of the loop where the provider sent no id or a repeated one. */
function withCallIds(message: ChatMessage, calls: readonly ToolCall[]): ChatMessage {
  const given = message.additionalKwargs['tool_calls'] as readonly unknown[]
  if (calls.every(({ id }, i) => (given[i] as Dict | null)?.['id'] === id)) return message
  const tool_calls = given.map((call, i) => ({
    ...(typeof call === 'object' ? call : undefined),
    id: calls[i]!.id,
    ...(calls[i]!.providerId !== undefined && { provider_id: calls[i]!.providerId }),
  }))
  return message.copy({ update: { additionalKwargs: { ...message.additionalKwargs, tool_calls } } })
}

/** Returns the message with the new arguments of one of its calls, in the form that they had. */
function withArguments(message: ChatMessage, { id, arguments: given }: ToolCall): ChatMessage {
  const calls = message.additionalKwargs['tool_calls']
  if (!Array.isArray(calls) || !calls.some((call: Dict | null) => call?.['id'] === id)) return message
  const replace = (holder: Dict): Dict => {
    const key = ['arguments', 'input', 'args'].find((name) => Object.hasOwn(holder, name)) ?? 'arguments'
    return { ...holder, [key]: typeof holder[key] === 'string' ? compactJson(given) : given }
  }
  const tool_calls = calls.map((call: Dict) => {
    if (call?.['id'] !== id) return call
    const inner = call['function']
    return isPlainObject(inner) ? { ...call, function: replace(inner) } : replace(call)
  })
  return message.copy({ update: { additionalKwargs: { ...message.additionalKwargs, tool_calls } } })
}

/** Converts a tool choice for a provider: the name of a tool becomes an object, everything else is unchanged. */
export function resolveToolChoice(toolChoice: ToolChoice): ToolChoice {
  if (typeof toolChoice !== 'string' || ['auto', 'none', 'required', 'any'].includes(toolChoice)) return toolChoice
  return { type: 'function', function: { name: toolChoice } }
}
