/**
 * @module
 * The loop of an agent with tools, step by step: call the model, run the tools that it requests, report the outputs to the model.
 * Subclasses define the protocol: text or native tool calls.
 */
import {
  type BaseLLM,
  CallbackManager,
  ChatMessage,
  type ChatResponse,
  ConfigurationError,
  estimateTokens,
  isTextPart,
  messageText,
  type ObjectRetriever,
  type ToolOutput,
  usageOf,
} from '@x/core-model'
import { idSeries, mapConcurrently, raceAbort } from '@x/core-model/internal'
import { type PromptDict, updatePrompts } from '@x/prompts'
import { after } from '../after.ts'
import { AgentChatResponse, StreamingAgentChatResponse } from '../answer/agent-chat-response.ts'
import { ApprovalRequiredError, BudgetExceededError, RepeatedFailureError } from '../errors.ts'
import { ChatMemoryBuffer, moveMessages } from '../memory/chat-memory-buffer.ts'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import { TaskStep, TaskStepOutput } from '../task/task-step.ts'
import { type AsyncBaseTool, adaptToAsyncTool, errorOutput, type Tool } from '../tool/base-tool.ts'
import { type FailurePolicy, findTool, needsApproval, type RepairToolCall, runToolCall } from '../tool/run-tool-call.ts'
import type { AgentWorker, StepOptions } from './agent-worker.ts'

/** The limits of a task's usage. */
export interface TaskBudget {
  maxModelCalls?: number | null | undefined
  /** If the model requests more, none of the calls of that turn runs. */
  maxToolCalls?: number | null | undefined
  /** Tokens as the model reports them (`usage` in its raw answer), or estimated if it reports none. */
  maxTokens?: number | null | undefined
}

/** The usage of a task so far. */
export interface TaskUsage {
  modelCalls: number
  toolCalls: number
  tokens: number
}

/** The input of a stop condition: the task after its tools ran. */
export interface StopContext {
  task: Task
  /** The outputs of this step. */
  outputs: readonly ToolOutput[]
  /** The outputs of all steps. */
  sources: readonly ToolOutput[]
  usage: Readonly<TaskUsage>
}

/** Options of all agents with tools. */
export interface ToolLoopOptions {
  /** The model. */
  llm: BaseLLM
  /** The tools. Cannot be combined with `toolRetriever`. @defaultValue [] */
  tools?: readonly Tool[] | null | undefined
  /** Retrieves tools for the input of a task. Cannot be combined with `tools`. */
  toolRetriever?: ObjectRetriever<Tool> | null | undefined
  callbackManager?: CallbackManager | null | undefined
  /** Whether `logger` receives the reasoning. @defaultValue false */
  verbose?: boolean | undefined
  /** Receives the reasoning as strings if `verbose` is true. */
  logger?: ((text: string) => void) | undefined
  /** What to do if a tool fails or its arguments are invalid. @defaultValue 'observe' */
  onToolError?: FailurePolicy | undefined
  /** What to do if the model calls a tool that does not exist. @defaultValue 'observe' */
  onUnknownTool?: FailurePolicy | undefined
  /** Repairs an invalid tool call before the failure is reported to the model. */
  repairToolCall?: RepairToolCall | undefined
  /** Maximum number of consecutive failures of the same call; null for no limit. @defaultValue 5 */
  maxRepeatedFailures?: number | null | undefined
  /** Maximum number of tools that run at the same time. @defaultValue 1 */
  maxParallelToolCalls?: number | undefined
  /** Time limit of tools without their own limit, in milliseconds. @defaultValue no limit */
  toolTimeoutMs?: number | null | undefined
  /** Returns whether the task ends after a step. The last tool output is the answer then. */
  stopWhen?: ((context: StopContext) => boolean | Promise<boolean>) | undefined
  /** What to do at the limit: throw, or ask the model once more for its best answer. @defaultValue 'raise' */
  onMaxIterations?: 'raise' | 'answer' | undefined
  /** Limits the usage of a task. A step that would start beyond the limit throws. @defaultValue no limit */
  budget?: TaskBudget | undefined
  /** Changes the messages before they are sent to the model. */
  prepareMessages?: ((messages: ChatMessage[], task: Task) => ChatMessage[] | Promise<ChatMessage[]>) | undefined
  /** Returns the ids of steps. @defaultValue UUIDs of an `idSeries` */
  newId?: (() => string) | undefined
}

/** The names of {@link ToolLoopOptions}, for rejecting others. */
export const LOOP_OPTIONS: readonly (keyof ToolLoopOptions)[] = [
  'llm',
  'tools',
  'toolRetriever',
  'callbackManager',
  'verbose',
  'logger',
  'onToolError',
  'onUnknownTool',
  'repairToolCall',
  'maxRepeatedFailures',
  'maxParallelToolCalls',
  'toolTimeoutMs',
  'stopWhen',
  'onMaxIterations',
  'budget',
  'prepareMessages',
  'newId',
]

/** @throws {ConfigurationError} if an option is unknown. */
export function refuseUnknownOptions(className: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).filter((key) => !known.includes(key))
  if (unknown.length > 0) throw new ConfigurationError(`${className}: unknown option ${unknown.join(', ')}.`)
}

/** The parsed answer of a model. */
export type Turn =
  | { kind: 'answer'; text: string; thought?: string; message?: ChatMessage }
  | { kind: 'calls'; calls: ToolCall[]; thought?: string; message: ChatMessage }
  /** Text that cannot be parsed; this is reported to the model. */
  | { kind: 'unreadable'; text: string | null; observation: string }

/** A request to the model. */
export interface ModelRequest {
  messages: ChatMessage[]
  options: Record<string, unknown>
}

/** Parses a streamed answer piece by piece. */
export interface TurnReader {
  /** Returns the answer text in a chunk, or an empty string. */
  push(chunk: ChatResponse): string
  /** Whether the rest of the stream is irrelevant, so that the model may be stopped. */
  canStop(): boolean
  /** Parses the whole stream. Called at its end, also after pieces of an answer. */
  end(): Turn
}

/** The extra state that all these agents have in common. */
export interface LoopState {
  sources: ToolOutput[]
  new_memory: ChatMemoryBuffer
  /** Calls that wait for approval, and the other calls of their turn. */
  pending_calls?: PendingToolCall[] | undefined
  /** The last failed call and the number of its consecutive failures. */
  failing_call?: { key: string; times: number } | undefined
  usage: TaskUsage
  /** Whether the next model call is the last one. */
  last_call?: boolean | undefined
}

/** A running step. */
interface Round {
  step: TaskStep
  task: Task
  options: StepOptions
  /** Whether an answer of the model streams. */
  streaming: boolean
  /** Whether the model must answer and receives no tools. */
  mustAnswer: boolean
  tools: readonly AsyncBaseTool[]
}

type StepResult = TaskStepOutput | Promise<TaskStepOutput>

const ASK_FOR_BEST_ANSWER =
  'No more tools can be called. Give the best answer you can from what you have found out so far.'

/** The base class of workers that call tools; see the module. */
export abstract class ToolLoopWorker implements AgentWorker {
  readonly llm: BaseLLM
  verbose: boolean
  protected manager: CallbackManager
  protected readonly options: ToolLoopOptions
  private readonly tools: AsyncBaseTool[]
  private readonly newId: () => string

  constructor(options: ToolLoopOptions) {
    if (options.tools && options.tools.length > 0 && options.toolRetriever) {
      throw new ConfigurationError(`${new.target.name}: tools and toolRetriever cannot be combined.`)
    }
    this.options = options
    this.llm = options.llm
    this.verbose = options.verbose ?? false
    this.tools = (options.tools ?? []).map(adaptToAsyncTool)
    this.manager = options.callbackManager ?? new CallbackManager()
    this.newId = options.newId ?? idSeries()
  }

  /** Calls the constructor. */
  static fromTools<Options, Worker>(this: new (options: Options) => Worker, options: Options): Worker {
    return new this(options)
  }

  get callbackManager(): CallbackManager {
    return this.manager
  }

  setCallbackManager(callbackManager: CallbackManager): void {
    this.manager = callbackManager
  }

  getPrompts(): PromptDict {
    return {}
  }

  updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts({}, prompts)
  }

  /** Returns the initial extra state of a task, in addition to the common state. */
  protected abstract initialState(): Record<string, unknown>
  /** Whether the next model call is the last one. Throws if no call is allowed. */
  protected abstract limitReached(task: Task): boolean
  /** Adds the user input of a step. */
  protected abstract acceptInput(input: string, step: TaskStep, task: Task): void
  protected abstract request(tools: readonly AsyncBaseTool[], task: Task, options: StepOptions): ModelRequest
  protected abstract read(message: ChatMessage, task: Task): Turn
  protected abstract reader(task: Task): TurnReader
  /** Records the request of the model, before the tools run. */
  protected abstract recordCalls(turn: Turn & { kind: 'calls' }, task: Task): void
  protected abstract recordOutput(call: ToolCall, output: ToolOutput, task: Task): void
  protected abstract recordAnswer(text: string, turn: Turn, task: Task): void
  /** Records text that cannot be parsed, for protocols in which this can happen. */
  protected recordUnreadable(_turn: Turn & { kind: 'unreadable' }, _task: Task): void {}
  /** Returns the text of a step that called tools. */
  protected abstract outputText(turn: Turn, outputs: readonly ToolOutput[]): string
  /** Returns the number of calls of a turn that may still run. */
  protected callsLeft(_task: Task): number {
    return Number.POSITIVE_INFINITY
  }
  /** Called once per call that runs. */
  protected countCall(_task: Task): void {}

  initializeStep(task: Task): TaskStep {
    Object.assign(task.extraState, this.freshState())
    return new TaskStep({ taskId: task.taskId, stepId: this.newId(), input: task.input, stepState: { is_first: true } })
  }

  readsState(extraState: Readonly<Record<string, unknown>>): boolean {
    return isLike(extraState, this.freshState())
  }

  private freshState(): Record<string, unknown> {
    return {
      sources: [],
      new_memory: new ChatMemoryBuffer({ tokenLimit: Number.MAX_SAFE_INTEGER }),
      usage: { modelCalls: 0, toolCalls: 0, tokens: 0 },
      ...this.initialState(),
    }
  }

  /** Returns the tools for an input: those in the options, or the retrieved ones. */
  async getTools(input: string, options: { signal?: AbortSignal | undefined } = {}): Promise<AsyncBaseTool[]> {
    const { toolRetriever } = this.options
    if (!toolRetriever) return this.tools
    const found = await raceAbort(toolRetriever.retrieve(input, options), options.signal)
    return found.map(adaptToAsyncTool)
  }

  runStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.manager.asTrace('run_step', () => this.step(step, task, options, false))
  }

  streamStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.manager.asTrace('run_step', () => this.step(step, task, options, true))
  }

  finalizeTask(task: Task): void {
    moveMessages(this.state(task).new_memory, task.memory)
  }

  protected state(task: Task): LoopState {
    return task.extraState as unknown as LoopState
  }

  private step(step: TaskStep, task: Task, options: StepOptions, streaming: boolean): StepResult {
    options.signal?.throwIfAborted()
    const state = this.state(task)
    const round: Round = { step, task, options, streaming, mustAnswer: false, tools: this.tools }
    if (state.pending_calls) return this.resume(state.pending_calls, round)

    this.checkBudget(task, state)
    const isLimit = state.last_call === true || this.limitReached(task)
    if (step.input !== null) this.acceptInput(step.input, step, task)
    step.stepState['is_first'] = false
    if (isLimit && this.options.onMaxIterations === 'answer') {
      round.mustAnswer = true
      round.tools = []
    } else if (this.options.toolRetriever) {
      return this.getTools(task.input, { signal: options.signal }).then((tools) => this.ask({ ...round, tools }))
    }
    return this.ask(round)
  }

  private ask(round: Round): StepResult {
    const { task, options, tools, mustAnswer } = round
    const { messages, options: own } = this.request(tools, task, options)
    const asked = options.signal ? { ...own, signal: options.signal } : own
    if (mustAnswer) messages.push(new ChatMessage({ role: 'user', content: ASK_FOR_BEST_ANSWER }))
    const { prepareMessages } = this.options
    if (!prepareMessages) return this.send(messages, asked, round)
    return after(prepareMessages(messages, task), (prepared) => this.send(prepared, asked, round))
  }

  private send(messages: ChatMessage[], asked: Record<string, unknown>, round: Round): StepResult {
    const { task, options } = round
    const state = this.state(task)
    state.usage.modelCalls++
    if (round.streaming) return this.stream(messages, asked, round)
    return after(raceAbort(this.llm.chat(messages, asked), options.signal), (response) => {
      this.addTokens(state, messages, response)
      return this.takeTurn(this.read(response.message, task), round)
    })
  }

  /** Handles the answer of the model. */
  private takeTurn(turn: Turn, round: Round): StepResult {
    const { task, options, tools } = round
    if (turn.kind === 'answer') return this.answer(turn.text, turn, round)
    if (round.mustAnswer) {
      // The model was asked for an answer but requested a tool call, so its text is the answer.
      const text = (turn.kind === 'calls' ? turn.thought : turn.text) ?? ''
      return this.answer(text, { kind: 'answer', text }, round)
    }
    if (turn.kind === 'unreadable') {
      this.recordUnreadable(turn, task)
      this.log(turn.observation)
      return this.goOn(this.outputText(turn, []), round)
    }
    if (turn.thought) {
      options.onEvent?.({ type: 'reasoning', text: turn.thought })
      this.log(turn.thought)
    }
    this.recordCalls(turn, task)
    if (!tools.some((tool) => tool.needsApproval)) return this.makeCalls(turn, turn.calls, round)
    return this.callsToApprove(turn.calls, tools).then((waiting) =>
      waiting ? this.awaitApproval(waiting, round) : this.makeCalls(turn, turn.calls, round),
    )
  }

  private awaitApproval(calls: PendingToolCall[], round: Round): TaskStepOutput {
    this.state(round.task).pending_calls = calls
    const undecided = calls.filter(({ decision }) => decision === null)
    round.options.onEvent?.({ type: 'approval_required', calls: undecided })
    const next = this.goOn(`Waiting for approval of: ${undecided.map(({ name }) => name).join(', ')}`, round)
    return new TaskStepOutput({ ...next, status: 'awaiting_approval' })
  }

  /** Runs the calls that waited for a decision. */
  private async resume(calls: PendingToolCall[], round: Round): Promise<TaskStepOutput> {
    const { step, task, options } = round
    const undecided = calls.filter(({ decision }) => decision === null)
    if (undecided.length > 0) {
      options.onEvent?.({ type: 'approval_required', calls: undecided })
      throw new ApprovalRequiredError(task.taskId, undecided)
    }
    const tools = await this.getTools(task.input, { signal: options.signal })
    this.state(task).pending_calls = undefined
    const message = new ChatMessage({ role: 'assistant', content: '' })
    const output = await this.makeCalls({ kind: 'calls', calls, message }, calls, { ...round, tools })
    if (step.input !== null) this.acceptInput(step.input, step, task)
    return output
  }

  private async callsToApprove(
    calls: readonly ToolCall[],
    tools: readonly AsyncBaseTool[],
  ): Promise<PendingToolCall[] | undefined> {
    let asks = false
    const pending: PendingToolCall[] = []
    for (const call of calls) {
      const ask = await needsApproval(call, findTool(tools, call.name), { toolCallId: call.id })
      asks ||= ask
      pending.push({ ...call, needsApproval: ask, decision: ask ? null : 'approve' })
    }
    return asks ? pending : undefined
  }

  private makeCalls(
    turn: Turn & { kind: 'calls' },
    calls: readonly (ToolCall | PendingToolCall)[],
    round: Round,
  ): StepResult {
    return after(this.runCalls(calls, round), (outputs) => this.afterCalls(turn, outputs, round))
  }

  /** Returns all outputs in the order of the calls, including failures. For a single synchronous call, the result is not a promise. */
  private runCalls(
    calls: readonly (ToolCall | PendingToolCall)[],
    round: Round,
  ): ToolOutput | Promise<ToolOutput | ToolOutput[]> {
    const { task } = round
    let left = this.callsLeft(task)
    const most = this.options.budget?.maxToolCalls
    if (typeof most === 'number') {
      const wanted = Math.min(left, calls.filter((call) => !isRejected(call)).length)
      if (this.state(task).usage.toolCalls + wanted > most) {
        throw new BudgetExceededError(task.taskId, `the budget of ${most} tool calls does not allow ${wanted} more`)
      }
    }
    if (calls.length === 1) return this.runCall(calls[0]!, left > 0, round)
    return mapConcurrently(calls, this.options.maxParallelToolCalls ?? 1, (call) =>
      this.runCall(call, isRejected(call) || left-- > 0, round),
    )
  }

  /** @param isWithinLimit - whether one more call may run. */
  private runCall(
    call: ToolCall | PendingToolCall,
    isWithinLimit: boolean,
    { task, options, tools }: Round,
  ): ToolOutput | Promise<ToolOutput> {
    const { onEvent } = options
    const onOutput = (output: ToolOutput): ToolOutput => {
      onEvent?.({ type: 'tool_result', callId: call.id, output })
      this.log(output.content)
      return output
    }
    const refuse = (why: string) => onOutput(errorOutput(call.name, why, call.arguments))
    onEvent?.({ type: 'tool_call', call: { id: call.id, name: call.name, arguments: call.arguments } })
    if (isRejected(call)) return refuse(`the user has rejected this call${call.reason ? `: ${call.reason}` : '.'}`)
    if (!isWithinLimit) return refuse('the limit of tool calls is reached; this call was not made.')
    this.countCall(task)
    this.state(task).usage.toolCalls++
    return runToolCall(call, tools, {
      callbackManager: this.manager,
      onToolError: this.options.onToolError,
      onUnknownTool: this.options.onUnknownTool,
      repairToolCall: this.options.repairToolCall,
      toolTimeoutMs: this.options.toolTimeoutMs,
      signal: options.signal,
      task,
      onOutput,
    })
  }

  private afterCalls(
    turn: Turn & { kind: 'calls' },
    given: ToolOutput | readonly ToolOutput[],
    round: Round,
  ): StepResult {
    const { task } = round
    const state = this.state(task)
    const outputs = Array.isArray(given) ? given : [given]
    for (let i = 0; i < outputs.length; i++) {
      const output = outputs[i]!
      const call = turn.calls[i]!
      state.sources.push(output)
      this.recordOutput(call, output, task)
      this.countFailure(call, output, state, task)
    }
    const end = (stops: boolean | undefined): TaskStepOutput => {
      if (!stops) return this.goOn(this.outputText(turn, outputs), round)
      const text = outputs.at(-1)?.content ?? ''
      return this.answer(text, { kind: 'answer', text }, round)
    }
    const isDirect =
      outputs.length === 1 && !outputs[0]!.isError && findTool(round.tools, turn.calls[0]!.name)?.metadata.returnDirect
    const { stopWhen } = this.options
    if (isDirect || !stopWhen) return end(isDirect)
    return after(stopWhen({ task, outputs, sources: state.sources, usage: state.usage }), end)
  }

  private countFailure(call: ToolCall, output: ToolOutput, state: LoopState, task: Task): void {
    if (!output.isError) {
      state.failing_call = undefined
      return
    }
    const key = `${call.name} ${typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)}`
    const times = state.failing_call?.key === key ? state.failing_call.times + 1 : 1
    state.failing_call = { key, times }
    const most = this.options.maxRepeatedFailures === undefined ? 5 : this.options.maxRepeatedFailures
    if (most === null || times < most) return
    if (this.options.onMaxIterations !== 'answer')
      throw new RepeatedFailureError(task.taskId, call.name, times, output.content)
    state.last_call = true
  }

  private answer(text: string, turn: Turn, { step, task, options }: Round): TaskStepOutput {
    if (turn.kind === 'answer' && turn.thought) options.onEvent?.({ type: 'reasoning', text: turn.thought })
    this.log(text)
    this.recordAnswer(text, turn, task)
    const response = new AgentChatResponse({ response: text, sources: this.state(task).sources })
    return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [], isLast: true })
  }

  private goOn(text: string, { step, task }: Round): TaskStepOutput {
    const response = new AgentChatResponse({ response: text, sources: this.state(task).sources })
    return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [step.getNextStep(this.newId())] })
  }

  /** Requests a stream. An answer continues to stream; anything else is handled when the stream ends. */
  private async stream(messages: ChatMessage[], asked: Record<string, unknown>, round: Round): Promise<TaskStepOutput> {
    const { task, options } = round
    const { signal } = options
    const reader = this.reader(task)
    const chunks = (await raceAbort(this.llm.streamChat(messages, asked), signal))[Symbol.asyncIterator]()
    let latest: ChatResponse | undefined
    try {
      for (;;) {
        const next = await raceAbort(chunks.next(), signal)
        if (next.done) break
        latest = next.value
        const piece = reader.push(next.value)
        if (piece !== '') return this.streamAnswer(piece, chunks, reader, messages, round)
        if (reader.canStop()) break
      }
    } catch (error) {
      void close(chunks)
      throw error
    }
    void close(chunks)
    if (latest) this.addTokens(this.state(task), messages, latest)
    const turn = reader.end()
    if (turn.kind !== 'answer') return this.takeTurn(turn, round)
    const response = new StreamingAgentChatResponse({ stream: [turn.text], sources: this.state(task).sources })
    return this.streamed(response, () => turn, round)
  }

  private streamAnswer(
    first: string,
    chunks: AsyncIterator<ChatResponse>,
    reader: TurnReader,
    messages: ChatMessage[],
    round: Round,
  ): TaskStepOutput {
    const { signal } = round.options
    const state = this.state(round.task)
    const addTokens = (latest: ChatResponse) => this.addTokens(state, messages, latest)
    let turn: Turn = { kind: 'answer', text: '' }
    async function* pieces(): AsyncGenerator<string> {
      let latest: ChatResponse | undefined
      try {
        yield first
        for (;;) {
          const next = await raceAbort(chunks.next(), signal)
          if (next.done) break
          latest = next.value
          yield reader.push(next.value)
        }
      } finally {
        void close(chunks)
      }
      if (latest) addTokens(latest)
      turn = reader.end()
    }
    const response = new StreamingAgentChatResponse({ stream: pieces(), sources: state.sources })
    return this.streamed(response, () => turn, round)
  }

  private streamed(response: StreamingAgentChatResponse, turn: () => Turn, { step, task }: Round): TaskStepOutput {
    void response.whenDone(() => {
      this.log(response.response)
      this.recordAnswer(response.response, turn(), task)
    })
    return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [], isLast: true })
  }

  private checkBudget(task: Task, { usage }: LoopState): void {
    const { budget } = this.options
    if (!budget) return
    const used: [number, number | null | undefined, string][] = [
      [usage.modelCalls, budget.maxModelCalls, 'model calls'],
      [usage.tokens, budget.maxTokens, 'tokens'],
    ]
    for (const [amount, most, what] of used) {
      if (typeof most === 'number' && amount >= most) {
        throw new BudgetExceededError(task.taskId, `the budget of ${most} ${what} is used up (${amount} used)`)
      }
    }
  }

  private addTokens(state: LoopState, messages: readonly ChatMessage[], response: ChatResponse): void {
    state.usage.tokens +=
      usageOf(response)?.totalTokens ??
      // Counting takes time, so tokens are counted only if there is a limit.
      (this.options.budget?.maxTokens === undefined
        ? 0
        : [...messages, response.message].reduce((sum, message) => sum + estimateTokens(messageText(message)), 0))
  }

  private log(text: string): void {
    if (this.verbose) this.options.logger?.(text)
  }
}

/** Returns the text of a model's reply; empty if its message consists of other parts, such as reasoning. */
export function replyText(message: ChatMessage): string {
  const { content } = message
  return Array.isArray(content) && !content.some(isTextPart) ? '' : messageText(message)
}

function isRejected(call: ToolCall | PendingToolCall): call is PendingToolCall {
  return 'decision' in call && call.decision === 'reject'
}

/** Whether a value has the type of an example: arrays contain objects, plain objects have the keys of the example. */
function isLike(value: unknown, example: unknown): boolean {
  if (typeof value !== typeof example || value?.constructor !== example?.constructor) return false
  if (Array.isArray(value)) return value.every((item) => typeof item === 'object' && item !== null)
  if (example?.constructor !== Object) return true
  return Object.entries(example).every(([key, item]) => isLike((value as Record<string, unknown>)[key], item))
}

/** Closes a stream. The result does not depend on errors or delays of the model. */
async function close(chunks: AsyncIterator<ChatResponse>): Promise<void> {
  try {
    await chunks.return?.()
  } catch {}
}
