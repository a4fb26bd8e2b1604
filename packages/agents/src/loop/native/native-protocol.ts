/**
 * @module
 * The protocol of models with native tool calls: tools are an option of the call, and requested calls are data in the reply.
 */

import { compactJson, isPlainObject } from '@x/core/values'
import {
  type CallOptions,
  ChatMessage,
  ConfigurationError,
  type ContentPart,
  type Dict,
  isTextPart,
  type ToolDefinition,
  type ToolOutput,
  toolCallsOf,
} from '@x/core-model'
import type { ToolCall } from '../../task/agent-event.ts'
import type { MessageList, StepLike, TaskLike } from '../../task/task-like.ts'
import type { AsyncBaseTool } from '../../tool/base-tool.ts'
import { UNTRUSTED } from '../../tool/outside-text.ts'
import type { PlainToolMetadata } from '../../tool/plain-tool-metadata.ts'
import { ToolNameError } from '../../tool/tool-errors.ts'
import type { ToolChoice } from '../agent-worker.ts'
import { hasJsonArguments, readableArguments } from '../json-arguments.ts'
import { findTool } from '../loop.ts'
import { replyText } from '../reply.ts'
import type {
  CallsTurn,
  ModelRequest,
  ModelTurn,
  RequestContext,
  TextReader,
  ToolCallingProtocol,
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
      options.tools = tools.map(definitionOf)
      // Provider-specific values are passed unchanged.
      const choice = resolveToolChoice(toolChoice)
      if (choice !== toolChoice && !findTool(tools, toolChoice as string))
        throw new ConfigurationError(`toolChoice: expected a tool of this step, received "${toolChoice}".`)
      options.toolChoice = choice as CallOptions['toolChoice']
    }
    const own = messagesOf(task).getAll()
    const history = task.memory.get()
    const requestWith = (earlier: readonly ChatMessage[]): ModelRequest => ({
      messages: withOwnIds([...this.prefixMessages, ...earlier, ...own]),
      options,
    })
    return Array.isArray(history) ? requestWith(history) : history.then(requestWith)
  }

  read(message: ChatMessage): ModelTurn {
    const calls = toolCallsOf(message).map(({ id, ...call }) => ({ ...call, id: id ?? '' }))
    const text = replyText(message)
    return calls.length === 0 ? { kind: 'answer', text, message } : { kind: 'calls', calls, message, text }
  }

  reader(offersTools: boolean): TextReader {
    return { push: (delta) => delta, isAnswer: !offersTools, canStop: () => false }
  }

  recordCalls({ message, calls }: CallsTurn, task: TaskLike, read: (call: ToolCall) => Record<string, unknown>): void {
    messagesOf(task).put(withCalls(message, calls, read))
  }

  editCall(edited: ToolCall, task: TaskLike): void {
    const new_memory = messagesOf(task)
    new_memory.set(new_memory.getAll().map((message) => withNewArguments(message, edited)))
  }

  recordOutput(call: ToolCall, output: ToolOutput, task: TaskLike): void {
    const { content, parts, untrusted } = output
    const additionalKwargs = { name: modelName(call.name), tool_call_id: call.id, ...(untrusted && UNTRUSTED) }
    // The parts, if it has any.
    messagesOf(task).put(new ChatMessage({ role: 'tool', content: parts ? [...parts] : content, additionalKwargs }))
  }

  recordAnswer(text: string, turn: ModelTurn, task: TaskLike): void {
    const own = turn.kind === 'answer' && turn.message ? withText(turn.message, text) : undefined
    messagesOf(task).put(own ?? new ChatMessage({ role: 'assistant', content: text }))
  }

  recordUnreadable({ text, observation }: ModelTurn & { kind: 'unreadable' }, task: TaskLike): void {
    const new_memory = messagesOf(task)
    new_memory.put(new ChatMessage({ role: 'assistant', content: text ?? '' }))
    new_memory.put(new ChatMessage({ role: 'user', content: observation }))
  }

  outputText(turn: ModelTurn): string {
    return turn.kind === 'calls' ? (turn.text ?? '') : ''
  }

  lastText(task: TaskLike): string | null {
    return (task.extraState['sources'] as ToolOutput[]).at(-1)?.content ?? null
  }
}

/** The names that every provider accepts. */
const MAX_NAME = 64
const MODEL_NAME = /^[\w-]{1,64}$/

/** Returns a name of a tool or a call that every provider accepts: the name itself, or the nearest one that fits. */
function modelName(name: string): string {
  return MODEL_NAME.test(name) ? name : name.replace(/[^\w-]/gu, '_').slice(0, MAX_NAME) || 'unnamed'
}

/**
 * Checks the name of a tool that is offered to a model with native tool calls.
 * @throws {ToolNameError} with a name that fits.
 */
export function checkModelName({ metadata }: { readonly metadata: PlainToolMetadata }): void {
  // Such a name is also none that `getName` refuses.
  if (metadata.name !== null && MODEL_NAME.test(metadata.name)) return
  const name = metadata.getName()
  throw new ToolNameError(name, modelName(name))
}

function definitionOf(tool: AsyncBaseTool): ToolDefinition {
  checkModelName(tool)
  return tool.metadata.toOpenaiTool() as unknown as ToolDefinition
}

/** Returns the messages of a running task. */
function messagesOf({ extraState }: TaskLike): MessageList {
  return extraState['new_memory'] as MessageList
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

/**
 * Changes the array so that no id of a call occurs in two messages: runs of one conversation at the same time may have used the same id.
 */
function withOwnIds(messages: ChatMessage[]): ChatMessage[] {
  const used = new Set<string>()
  /** The new ids of the last turn. */
  let renamed: Map<unknown, string> | undefined
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    // Most of a long conversation has no calls.
    if (message.role === 'user') continue
    const { tool_calls, tool_call_id } = message.additionalKwargs
    const output = renamed?.get(tool_call_id)
    if (output) messages[i] = withKwargs(message, { tool_call_id: output })
    if (!Array.isArray(tool_calls)) continue
    renamed = undefined
    const ids = tool_calls.map((call: Dict | null) => call?.['id']).filter((id) => typeof id === 'string')
    for (const id of ids) if (used.has(id)) renamed = (renamed ?? new Map()).set(id, newId(id, used))
    for (const id of ids) used.add(id)
    if (renamed) {
      const own = renamed
      const calls = tool_calls.map((call: Dict) =>
        own.has(call?.['id']) ? { ...call, id: own.get(call['id']) } : call,
      )
      messages[i] = withKwargs(message, { tool_calls: calls })
    }
  }
  return messages
}

function newId(id: string, used: Set<string>): string {
  const own = id.slice(0, 30)
  let n = 2
  while (used.has(`${own}_${n}`)) n++
  used.add(`${own}_${n}`)
  return `${own}_${n}`
}

/**
 * Returns the message with calls that every provider accepts: with the ids of the loop, names that fit, and arguments that are an object.
 */
function withCalls(
  message: ChatMessage,
  calls: readonly ToolCall[],
  read: (call: ToolCall) => Record<string, unknown>,
): ChatMessage {
  const given = message.additionalKwargs['tool_calls'] as readonly Dict[]
  const tool_calls = given.map((call, i) => {
    const { id, providerId, name } = calls[i]!
    const sent = modelName(name)
    // Those that the model wrote as something else than a JSON object.
    const args = hasJsonArguments(calls[i]!) ? undefined : (readableArguments(calls[i]!, read) ?? {})
    if (call?.['id'] === id && sent === name && !args) return call
    const isCall = isPlainObject(call)
    const own = args || !isCall ? withArguments(isCall ? call : {}, args ?? {}) : call
    const named = sent === name ? own : changedCall(own, (holder) => ({ ...holder, name: sent }))
    return { ...named, id, ...(providerId !== undefined && { provider_id: providerId }) }
  })
  return tool_calls.every((call, i) => call === given[i]) ? message : withKwargs(message, { tool_calls })
}

/** Returns the message with the new arguments of one of its calls. */
export function withNewArguments(message: ChatMessage, { id, arguments: given }: ToolCall): ChatMessage {
  const calls = message.additionalKwargs['tool_calls']
  if (!Array.isArray(calls) || !calls.some((call: Dict | null) => call?.['id'] === id)) return message
  const tool_calls = calls.map((call: Dict) => (call?.['id'] === id ? withArguments(call, given as Dict) : call))
  return withKwargs(message, { tool_calls })
}

/** Returns a call with other arguments, in the form that they had. */
function withArguments(call: Dict, given: Dict): Dict {
  return changedCall(call, (holder) => {
    const key = ['arguments', 'input', 'args'].find((name) => Object.hasOwn(holder, name)) ?? 'arguments'
    const isObject = typeof holder[key] === 'object' && holder[key] !== null
    return { ...holder, [key]: isObject ? given : compactJson(given) }
  })
}

/** Returns a call whose name and arguments are changed, which may be those of its `function`. */
function changedCall(call: Dict, change: (holder: Dict) => Dict): Dict {
  const inner = call['function']
  return isPlainObject(inner) ? { ...call, function: change(inner) } : change(call)
}

function withKwargs(message: ChatMessage, changed: Dict): ChatMessage {
  return message.copy({ update: { additionalKwargs: { ...message.additionalKwargs, ...changed } } })
}

/** Converts a tool choice for a provider: the name of a tool becomes an object, everything else is unchanged. */
export function resolveToolChoice(toolChoice: ToolChoice): ToolChoice {
  if (typeof toolChoice !== 'string' || ['auto', 'none', 'required', 'any'].includes(toolChoice)) return toolChoice
  return { type: 'function', function: { name: toolChoice } }
}
