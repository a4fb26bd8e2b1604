/**
 * @module
 * The worker of ReAct agents.
 */
import { ChatMessage, type ChatResponse, isToolkitError, type ToolOutput } from '@x/core-model'
import { type PromptDict, PromptTemplate, updatePrompts } from '@x/prompts'
import { MaxIterationsError, ReActParseError } from '../../errors.ts'
import type { ToolCall } from '../../task/agent-event.ts'
import type { Task } from '../../task/task.ts'
import type { TaskStep } from '../../task/task-step.ts'
import type { AsyncBaseTool } from '../../tool/base-tool.ts'
import type { FailurePolicy } from '../../tool/run-tool-call.ts'
import type { StepOptions } from '../agent-worker.ts'
import {
  LOOP_OPTIONS,
  type LoopState,
  type ModelRequest,
  refuseUnknownOptions,
  replyText,
  type ToolLoopOptions,
  ToolLoopWorker,
  type Turn,
  type TurnReader,
} from '../tool-loop-worker.ts'
import { ReActAnswerStream } from './react-answer-stream.ts'
import { ReActChatFormatter } from './react-chat-formatter.ts'
import { ReActOutputParser } from './react-output-parser.ts'
import { type ReasoningStep, reasoningText } from './reasoning-step.ts'

/** Options of `ReActAgentWorker`. */
export interface ReActAgentWorkerOptions extends ToolLoopOptions {
  /** Maximum number of model calls per task. @defaultValue 10 */
  maxIterations?: number | undefined
  /** Creates the messages for the model. The worker uses a copy. @defaultValue a formatter with the default header */
  reactChatFormatter?: ReActChatFormatter | null | undefined
  /** Parses the text of the model. @defaultValue a {@link ReActOutputParser} */
  outputParser?: ReActOutputParser | null | undefined
  /** What to do if the text of the model cannot be parsed. @defaultValue 'observe' */
  onParseError?: FailurePolicy | undefined
}

/** The names of {@link ReActAgentWorkerOptions}. */
export const REACT_OPTIONS: readonly string[] = [
  ...LOOP_OPTIONS,
  'maxIterations',
  'reactChatFormatter',
  'outputParser',
  'onParseError',
] satisfies (keyof ReActAgentWorkerOptions)[]

/** The extra state of a ReAct task. */
export interface ReActState extends LoopState {
  current_reasoning: ReasoningStep[]
  n_iterations: number
}

const CORRECTION =
  'Error: this text is neither a tool call nor an answer. Write either "Thought:", "Action:" and "Action Input:" with a JSON object, each in its own line, or "Thought:" and "Answer:".'

/**
 * Runs the steps of a ReAct agent: one model call and at most one tool call each.
 *
 * A failed tool, a tool that does not exist and text that cannot be parsed are reported to the model, which can try again, unless the
 * policy for the case is `raise`.
 * @throws {ConfigurationError} if options contradict each other or are unknown.
 */
export class ReActAgentWorker extends ToolLoopWorker {
  /** Maximum number of model calls per task. Increase it to continue a task that has reached the limit. */
  maxIterations: number
  readonly outputParser: ReActOutputParser
  protected formatter: ReActChatFormatter
  private readonly onParseError: FailurePolicy

  constructor(options: ReActAgentWorkerOptions) {
    refuseUnknownOptions('ReActAgentWorker', options, REACT_OPTIONS)
    super(options)
    this.maxIterations = options.maxIterations ?? 10
    this.outputParser = options.outputParser ?? new ReActOutputParser()
    this.onParseError = options.onParseError ?? 'observe'
    this.formatter = (options.reactChatFormatter ?? this.defaultFormatter()).copy()
  }

  /** Creates the messages for the model; a copy of the formatter in the options. */
  get reactChatFormatter(): ReActChatFormatter {
    return this.formatter
  }

  override getPrompts(): PromptDict {
    return { system_prompt: new PromptTemplate({ template: this.formatter.systemHeader }) }
  }

  override updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts({ prompts: this.getPrompts() }, prompts, ({ system_prompt }) => {
      this.formatter = this.formatter.copy({ update: { systemHeader: system_prompt?.getTemplate() } })
    })
  }

  /** Returns the text of each reasoning record of a task so far. */
  getReasoning(task: Task): string[] {
    return this.state(task).current_reasoning.map(reasoningText)
  }

  protected defaultFormatter(): ReActChatFormatter {
    return ReActChatFormatter.fromDefaults()
  }

  protected override state(task: Task): ReActState {
    return task.extraState as unknown as ReActState
  }

  protected initialState(): Record<string, unknown> {
    return { current_reasoning: [], n_iterations: 0 }
  }

  protected limitReached(task: Task): boolean {
    const state = this.state(task)
    if (state.n_iterations < this.maxIterations) return false
    if (this.options.onMaxIterations === 'answer') return true
    const last = state.current_reasoning.at(-1)
    throw new MaxIterationsError(task.taskId, `${this.maxIterations} model calls`, last ? reasoningText(last) : null)
  }

  protected acceptInput(input: string, step: TaskStep, task: Task): void {
    const state = this.state(task)
    if (step.stepState['is_first']) state.new_memory.put(this.userMessage(input, step))
    else state.current_reasoning.push({ kind: 'observation', observation: input })
  }

  protected userMessage(input: string, _step: TaskStep): ChatMessage {
    return new ChatMessage({ role: 'user', content: input })
  }

  /** Returns the part of the conversation that the model receives. */
  protected history(task: Task): ChatMessage[] {
    return task.memory.get()
  }

  protected request(tools: readonly AsyncBaseTool[], task: Task, _options: StepOptions): ModelRequest {
    const state = this.state(task)
    state.n_iterations++
    const history = [...this.history(task), ...state.new_memory.getAll()]
    return { messages: this.formatter.format(tools, history, state.current_reasoning), options: {} }
  }

  protected read(message: ChatMessage, _task: Task): Turn {
    return this.parse(message.content === '' ? '' : replyText(message) || null, false, message)
  }

  protected reader(_task: Task): TurnReader {
    const stream = new ReActAnswerStream(this.outputParser)
    let tried = false
    let whole = ''
    return {
      push: (chunk: ChatResponse) => {
        whole = replyText(chunk.message)
        return stream.push(chunk.delta ?? '')
      },
      canStop: () => {
        // The model invented an observation. Text after it is ignored if the call can be parsed.
        if (tried || !stream.observationSeen) return false
        tried = true
        return this.holdsCall(stream.text)
      },
      end: () =>
        stream.emitted
          ? { kind: 'answer', text: '', thought: stream.kind === 'implicit' ? '' : stream.end().thought }
          : // A model without deltas returns the whole text.
            this.parse(stream.text || whole, true),
    }
  }

  private holdsCall(text: string): boolean {
    try {
      return this.outputParser.parse(text).kind === 'action'
    } catch {
      return false // The rest of the text may complete the call.
    }
  }

  private parse(text: string | null, isStreaming: boolean, message?: ChatMessage): Turn {
    try {
      if (text === null) throw new ReActParseError('The model returned no text.', '')
      const step = this.outputParser.parse(text, { isStreaming })
      if (step.kind === 'response') {
        return { kind: 'answer', text: step.response, thought: step.thought }
      }
      const call: ToolCall = { id: '', name: step.action, arguments: step.actionInput }
      return {
        kind: 'calls',
        calls: [call],
        thought: step.thought,
        message: message ?? new ChatMessage({ role: 'assistant', content: text }),
      }
    } catch (error) {
      if (!isToolkitError(error, 'react_parse') || this.onParseError === 'raise') throw error
      return { kind: 'unreadable', text, observation: CORRECTION }
    }
  }

  protected recordCalls(turn: Turn & { kind: 'calls' }, task: Task): void {
    const state = this.state(task)
    const call = turn.calls[0]!
    call.id = `call_${state.n_iterations}`
    state.current_reasoning.push({
      kind: 'action',
      thought: turn.thought ?? '',
      action: call.name,
      actionInput: call.arguments as Record<string, unknown>,
    })
  }

  protected recordOutput(_call: ToolCall, output: ToolOutput, task: Task): void {
    this.state(task).current_reasoning.push({ kind: 'observation', observation: output.content })
  }

  protected recordAnswer(text: string, turn: Turn, task: Task): void {
    const state = this.state(task)
    const thought = turn.kind === 'answer' ? (turn.thought ?? '') : ''
    state.current_reasoning.push({ kind: 'response', thought, response: text, isStreaming: false, implicit: false })
    state.new_memory.put(new ChatMessage({ role: 'assistant', content: text }))
  }

  protected override recordUnreadable({ text, observation }: Turn & { kind: 'unreadable' }, task: Task): void {
    const { current_reasoning } = this.state(task)
    if (text) current_reasoning.push({ kind: 'unparsed', text })
    current_reasoning.push({ kind: 'observation', observation })
  }

  protected outputText(turn: Turn, outputs: readonly ToolOutput[]): string {
    return `Observation: ${turn.kind === 'unreadable' ? turn.observation : (outputs[0]?.content ?? '')}`
  }
}
