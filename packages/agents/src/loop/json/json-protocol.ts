/**
 * @module
 * The JSON protocol, for models without native tool calls that can be limited to JSON: every reply is one JSON object.
 */

import { checkOptions, text } from '@x/core/options'
import { compactJson, isPlainObject, textOrJson } from '@x/core/values'
import { ChatMessage, isToolkitError, type ToolOutput } from '@x/core-model'
import { withoutThinking } from '@x/core-model/text'
import type { ToolCall } from '../../task/agent-event.ts'
import type { StepLike, TaskLike } from '../../task/task-like.ts'
import type { AsyncBaseTool } from '../../tool/base-tool.ts'
import { UNTRUSTED } from '../../tool/outside-text.ts'
import { readArguments } from '../../tool/read-arguments.ts'
import { loopState } from '../loop-state.ts'
import { replyText } from '../reply.ts'
import { shownSteps } from '../shown-steps.ts'
import type {
  CallsTurn,
  ModelRequest,
  ModelTurn,
  RequestContext,
  TextReader,
  ToolCallingProtocol,
} from '../tool-calling-protocol.ts'

/** Options of {@link JsonProtocol}. */
interface JsonProtocolOptions {
  /** Instructions before those about the form of replies. @defaultValue '' */
  systemPrompt?: string | undefined
}

const FORM =
  'Reply with one JSON object and nothing else: {"thought": "...", "tool": "<name>", "arguments": {...}} to call a tool, or {"thought": "...", "answer": "..."} to answer. The thought is optional.'

const CORRECTION = `Error: this is not a JSON object with "tool" and "arguments", or with "answer". ${FORM}`

/**
 * One JSON object per reply: `{ "tool": name, "arguments": {…} }` or `{ "answer": text }`, both with an optional `thought`. Asks the
 * model for JSON (`responseFormat`). One tool call per turn. The conversation contains the messages as they were sent.
 */
export class JsonProtocol implements ToolCallingProtocol {
  readonly name = 'json'
  readonly shownSteps = shownSteps
  private readonly systemPrompt: string

  constructor(options: JsonProtocolOptions = {}) {
    checkOptions('JsonProtocol', options, { systemPrompt: text })
    this.systemPrompt = options.systemPrompt ?? ''
  }

  initialState(): Record<string, unknown> {
    return {}
  }

  acceptInput(input: ChatMessage, _step: StepLike, task: TaskLike): void {
    loopState(task).new_memory.put(input)
  }

  async request({ task, tools }: RequestContext): Promise<ModelRequest> {
    const system = new ChatMessage({ role: 'system', content: this.systemText(tools) })
    const messages = [system, ...(await task.memory.get()), ...loopState(task).new_memory.getAll()]
    return { messages, options: { responseFormat: { type: 'json' } } }
  }

  private systemText(tools: readonly AsyncBaseTool[]): string {
    const described = tools.map(({ metadata }) => {
      const { name, description, parameters } = metadata.toOpenaiTool().function
      return compactJson({ tool: name, description, arguments: parameters })
    })
    const list = tools.length > 0 ? `Tools:\n${described.join('\n')}` : 'There are no tools.'
    return [this.systemPrompt, list, FORM].filter((part) => part !== '').join('\n\n')
  }

  read(message: ChatMessage): ModelTurn {
    const text = withoutThinking(replyText(message)).trim()
    const reply = readReply(text)
    const thought = typeof reply?.['thought'] === 'string' ? { thought: reply['thought'] } : {}
    const { tool, answer } = reply ?? {}
    if (typeof tool === 'string' && tool !== '') {
      const given = reply?.['arguments'] ?? {}
      const args = isPlainObject(given) ? given : textOrJson(given)
      return { kind: 'calls', calls: [{ id: '', name: tool, arguments: args }], message, ...thought }
    }
    if (answer === undefined || answer === null)
      return { kind: 'unreadable', text: text || null, observation: CORRECTION }
    return { kind: 'answer', text: textOrJson(answer), ...thought }
  }

  /** Nothing is shown before the end, because the object may still turn out to be a tool call. */
  reader(): TextReader {
    return { push: () => '', isAnswer: false, canStop: () => false }
  }

  recordCalls({ message }: CallsTurn, task: TaskLike): void {
    put(task, 'assistant', replyText(message))
  }

  editCall({ name, arguments: given }: ToolCall, task: TaskLike): void {
    const { new_memory } = loopState(task)
    const messages = new_memory.getAll()
    const index = messages.findLastIndex(({ role }) => role === 'assistant')
    const content = compactJson({ tool: name, arguments: given })
    new_memory.set(messages.with(index, new ChatMessage({ role: 'assistant', content })))
  }

  recordOutput(call: ToolCall, { content, isError, untrusted }: ToolOutput, task: TaskLike): void {
    const text = compactJson({ tool: call.name, [isError ? 'error' : 'result']: content })
    put(task, 'user', text, untrusted ? UNTRUSTED : {})
  }

  recordAnswer(text: string, _turn: ModelTurn, task: TaskLike): void {
    put(task, 'assistant', text)
  }

  recordUnreadable({ text, observation }: ModelTurn & { kind: 'unreadable' }, task: TaskLike): void {
    if (text) put(task, 'assistant', text)
    put(task, 'user', observation)
  }

  outputText(turn: ModelTurn, outputs: readonly ToolOutput[]): string {
    return turn.kind === 'unreadable' ? turn.observation : (outputs[0]?.content ?? '')
  }

  lastText(task: TaskLike): string | null {
    return loopState(task).sources.at(-1)?.content ?? null
  }
}

function put(task: TaskLike, role: 'user' | 'assistant', content: string, additionalKwargs = {}): void {
  loopState(task).new_memory.put(new ChatMessage({ role, content, additionalKwargs }))
}

/** Reads the first object in a string; undefined without one. */
function readReply(text: string): Record<string, unknown> | undefined {
  try {
    return readArguments(text).value
  } catch (error) {
    if (isToolkitError(error, 'tool_arguments')) return undefined
    throw error
  }
}
