/**
 * @module
 * The text protocol: the model writes `Thought:`, `Action:` and `Action Input:`, and `Answer:` at the end.
 */
import { ChatMessage, isToolkitError, type ToolOutput } from '@x/core-model'
import type { ToolCall } from '../../task/agent-event.ts'
import { inputText } from '../../task/task.ts'
import type { StepLike, TaskLike } from '../../task/task-like.ts'
import { isMadeOfUntrusted, UNTRUSTED } from '../../tool/outside-text.ts'
import type { FailurePolicy } from '../../tool/tool-call-options.ts'
import { ReActParseError } from '../../tool/tool-errors.ts'
import type { LoopState } from '../loop-state.ts'
import { replyText } from '../reply.ts'
import type {
  CallsTurn,
  ModelRequest,
  ModelTurn,
  RequestContext,
  TextReader,
  ToolCallingProtocol,
} from '../tool-calling-protocol.ts'
import { ReActAnswerStream } from './react-answer-stream.ts'
import type { ReActChatFormatter } from './react-chat-formatter.ts'
import type { ReActOutputParser } from './react-output-parser.ts'
import { type ReasoningStep, reasoningText } from './reasoning-step.ts'

/** The extra state of a ReAct task. */
export type ReActState = LoopState & {
  current_reasoning: ReasoningStep[]
}

/** Options of {@link ReActProtocol}. */
export interface ReActProtocolOptions {
  formatter: ReActChatFormatter
  outputParser: ReActOutputParser
  /** The action if the text of the model cannot be parsed. */
  onParseError: FailurePolicy
}

const CORRECTION =
  'Error: this text is neither a tool call nor an answer. Write either "Thought:", "Action:" and "Action Input:" with a JSON object, each in its own line, or "Thought:" and "Answer:".'

/** ReAct as text, for any chat model: one tool call per turn. */
export class ReActProtocol implements ToolCallingProtocol {
  readonly name = 'react'
  readonly outputParser: ReActOutputParser
  formatter: ReActChatFormatter
  private readonly onParseError: FailurePolicy

  constructor({ formatter, outputParser, onParseError }: ReActProtocolOptions) {
    this.formatter = formatter
    this.outputParser = outputParser
    this.onParseError = onParseError
  }

  initialState(): Record<string, unknown> {
    return { current_reasoning: [] }
  }

  acceptInput(input: ChatMessage, step: StepLike, task: TaskLike): void {
    const state = stateOf(task)
    if (step.stepState['is_first']) state.new_memory.put(this.userMessage(input, step))
    else state.current_reasoning.push({ kind: 'observation', observation: inputText(input) })
  }

  /** Returns the message with the input of a task, as the model receives it. */
  protected userMessage(input: ChatMessage, _step: StepLike): ChatMessage {
    return input
  }

  /** Returns the part of the conversation that the model receives. */
  protected history(task: TaskLike): ChatMessage[] | Promise<ChatMessage[]> {
    return task.memory.get()
  }

  request({ task, tools }: RequestContext): ModelRequest | Promise<ModelRequest> {
    const { new_memory, current_reasoning } = stateOf(task)
    const history = this.history(task)
    const requestWith = (earlier: readonly ChatMessage[]): ModelRequest => ({
      messages: this.formatter.format(tools, [...earlier, ...new_memory.getAll()], current_reasoning),
      options: {},
    })
    return Array.isArray(history) ? requestWith(history) : history.then(requestWith)
  }

  read(message: ChatMessage, isStreaming: boolean): ModelTurn {
    const text = message.content === '' ? '' : replyText(message) || null
    try {
      if (text === null) throw new ReActParseError('The model returned no text.', '')
      const step = this.outputParser.parse(text, { isStreaming })
      if (step.kind === 'response') return { kind: 'answer', text: step.response, thought: step.thought }
      const call: ToolCall = { id: '', name: step.action, arguments: step.actionInput }
      return { kind: 'calls', calls: [call], thought: step.thought, message }
    } catch (error) {
      if (!isToolkitError(error, 'react_parse') || this.onParseError === 'raise') throw error
      return { kind: 'unreadable', text, observation: CORRECTION }
    }
  }

  reader(): TextReader {
    return new ReActReader(this.outputParser)
  }

  recordCalls({ calls, thought }: CallsTurn, task: TaskLike): void {
    const { name, arguments: given } = calls[0]!
    stateOf(task).current_reasoning.push({
      kind: 'action',
      thought: thought ?? '',
      action: name,
      actionInput: given as Record<string, unknown>,
    })
  }

  editCall({ arguments: given }: ToolCall, task: TaskLike): void {
    const { current_reasoning: records } = stateOf(task)
    const index = records.findLastIndex(({ kind }) => kind === 'action')
    const record = records[index]
    if (record?.kind === 'action') records[index] = { ...record, actionInput: given as Record<string, unknown> }
  }

  recordOutput(_call: ToolCall, output: ToolOutput, task: TaskLike): void {
    stateOf(task).current_reasoning.push({ kind: 'observation', observation: output.content })
  }

  recordAnswer(text: string, turn: ModelTurn, task: TaskLike): void {
    const state = stateOf(task)
    const thought = turn.kind === 'answer' ? (turn.thought ?? '') : ''
    state.current_reasoning.push({ kind: 'response', thought, response: text, isStreaming: false, implicit: false })
    // The conversation has no other trace of the outputs.
    const additionalKwargs = isMadeOfUntrusted(state) ? UNTRUSTED : {}
    state.new_memory.put(new ChatMessage({ role: 'assistant', content: text, additionalKwargs }))
  }

  recordUnreadable({ text, observation }: ModelTurn & { kind: 'unreadable' }, task: TaskLike): void {
    const { current_reasoning } = stateOf(task)
    if (text) current_reasoning.push({ kind: 'unparsed', text })
    current_reasoning.push({ kind: 'observation', observation })
  }

  outputText(turn: ModelTurn, outputs: readonly ToolOutput[]): string {
    return `Observation: ${turn.kind === 'unreadable' ? turn.observation : (outputs[0]?.content ?? '')}`
  }

  lastText(task: TaskLike): string | null {
    const last = stateOf(task).current_reasoning.at(-1)
    return last ? reasoningText(last) : null
  }
}

/** Returns the thought before an answer. */
function thoughtOf(parser: ReActOutputParser, text: string): string {
  const step = parser.parse(text)
  return step.kind === 'response' && !step.implicit ? step.thought : ''
}

function stateOf(task: TaskLike): ReActState {
  return task.extraState as unknown as ReActState
}

/** Reads the text of a reply while it streams. A class, because an object with getters of its own costs the collector of garbage. */
class ReActReader implements TextReader {
  private readonly parser: ReActOutputParser
  private readonly stream: ReActAnswerStream
  private tried = false

  constructor(parser: ReActOutputParser) {
    this.parser = parser
    this.stream = new ReActAnswerStream(parser)
  }

  push(delta: string): string {
    return this.stream.push(delta)
  }

  flush(): string {
    return this.stream.flush()
  }

  get isAnswer(): boolean {
    return this.stream.emitted
  }

  get reasoning(): string {
    return this.stream.thinking
  }

  get thought(): string {
    return thoughtOf(this.parser, this.stream.text)
  }

  /** The model may invent an observation. Text after it is ignored if the call can be parsed. */
  canStop(): boolean {
    const { stream } = this
    if (this.tried || !stream.observationSeen) return false
    this.tried = true
    return this.holdsCall(stream.text)
  }

  private holdsCall(text: string): boolean {
    try {
      return this.parser.parse(text).kind === 'action'
    } catch {
      return false // The rest of the text may complete the call.
    }
  }
}
