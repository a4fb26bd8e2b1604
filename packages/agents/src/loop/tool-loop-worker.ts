/**
 * @module
 * The loop of an agent with tools, step by step: call the model, run the tools that it requests, report the outputs to the model.
 */
import { type BaseLLM, CallbackManager, ChatMessage, ConfigurationError, type ToolOutput } from '@x/core-model'
import { idSeries, raceAbort } from '@x/core-model/internal'
import { type PromptDict, updatePrompts } from '@x/prompts'
import {
  AgentChatResponse,
  StreamingAgentChatResponse,
  type StreamingAgentChatResponseOptions,
} from '../answer/agent-chat-response.ts'
import { AbortError, MaxIterationsError } from '../errors.ts'
import { moveMessages } from '../memory/chat-memory-buffer.ts'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import { TaskStep, TaskStepOutput } from '../task/task-step.ts'
import { type AsyncBaseTool, adaptToAsyncTool } from '../tool/base-tool.ts'
import { findTool } from '../tool/run-tool-call.ts'
import { ToolInputError } from '../tool/tool-errors.ts'
import { checkToolArguments } from '../tool/tool-schema.ts'
import type { AgentWorker, StepOptions } from './agent-worker.ts'
import { AnswerSchema } from './answer-schema.ts'
import { clipOutput } from './clip-text.ts'
import { ContextWindow } from './context-window.ts'
import { jsonCodec, once } from './durable-calls.ts'
import { guardAnswer, guardInput } from './guards.ts'
import { LiveText } from './live-text.ts'
import { refuseDuplicateTools, type ToolLoopOptions } from './loop-options.ts'
import { loopState, newLoopState, readsLoopState } from './loop-state.ts'
import { askModel } from './model-turn.ts'
import { callsToDecide, checkDecisions, reportWaiting } from './pending-calls.ts'
import { prepareRequest } from './prepare-step.ts'
import { callsLeft, type Round } from './round.ts'
import { CallNames, countFailure, runCalls } from './run-calls.ts'
import type { CallsTurn, ModelRequest, ToolCallingProtocol, Turn } from './tool-calling-protocol.ts'
import { checkBudget } from './usage.ts'

/** Options of {@link ToolLoopWorker}. */
export interface ToolLoopWorkerOptions extends ToolLoopOptions {
  /** How the agent and the model talk about tools. */
  protocol: ToolCallingProtocol
}

/**
 * Runs the steps of an agent with tools: one turn of the model, and the tool calls that it requests. `protocol` says how tools are
 * offered and how replies are read.
 * @throws {ConfigurationError} if options contradict each other, or two tools have the same name.
 * @example
 * const llm = new ScriptedLLM({ answers: ['{"tool": "time", "arguments": {}}', '{"answer": "It is noon."}'] })
 * const time = FunctionTool.fromDefaults({ name: 'time', schema: { type: 'object', properties: {} }, fn: () => 'noon' })
 * const agentWorker = new ToolLoopWorker({ llm, tools: [time], protocol: new JsonProtocol() })
 * String(await new AgentRunner({ agentWorker }).chat('What time is it?')) // => 'It is noon.'
 */
export class ToolLoopWorker implements AgentWorker {
  readonly llm: BaseLLM
  readonly protocol: ToolCallingProtocol
  readonly options: ToolLoopOptions
  verbose: boolean
  /** How often the model is asked per task. Increase it to continue a task that has reached the limit. */
  maxIterations: number
  /** Maximum number of tool calls per task; null for no limit. */
  maxFunctionCalls: number | null
  readonly contextWindow: ContextWindow | undefined
  readonly answerSchema: AnswerSchema | undefined
  private manager: CallbackManager
  /** The tools in the options. Empty with a `toolRetriever`. */
  readonly tools: AsyncBaseTool[]
  private readonly newId: () => string

  constructor({ protocol, ...options }: ToolLoopWorkerOptions) {
    if (options.tools && options.tools.length > 0 && options.toolRetriever) {
      throw new ConfigurationError(`${new.target.name}: tools and toolRetriever cannot be combined.`)
    }
    this.options = options
    this.protocol = protocol
    this.llm = options.llm
    this.verbose = options.verbose ?? false
    const { contextWindow } = options
    this.contextWindow = contextWindow === false ? undefined : new ContextWindow(contextWindow ?? {})
    this.maxIterations = options.maxIterations ?? 20
    this.maxFunctionCalls = options.maxFunctionCalls ?? null
    this.tools = (options.tools ?? []).map(adaptToAsyncTool)
    this.answerSchema = options.output && new AnswerSchema(options.output, options.outputMode)
    const answerTool = this.answerSchema?.tool
    refuseDuplicateTools(new.target.name, answerTool ? [...this.tools, answerTool] : this.tools)
    this.manager = options.callbackManager ?? new CallbackManager()
    this.newId = options.newId ?? idSeries()
  }

  get callbackManager(): CallbackManager {
    return this.manager
  }

  setCallbackManager(callbackManager: CallbackManager): void {
    this.manager = callbackManager
  }

  getPrompts(): PromptDict {
    return this.protocol.getPrompts?.() ?? {}
  }

  updatePrompts(prompts: Readonly<PromptDict>): void {
    if (this.protocol.updatePrompts) this.protocol.updatePrompts(prompts)
    else updatePrompts({}, prompts)
  }

  initializeStep(task: Task): TaskStep {
    Object.assign(task.extraState, newLoopState(this.protocol))
    return new TaskStep({ taskId: task.taskId, stepId: this.newId(), input: task.input, stepState: { is_first: true } })
  }

  readsState(extraState: Readonly<Record<string, unknown>>): boolean {
    return readsLoopState(extraState, this.protocol)
  }

  /** Returns the tools for an input: those in the options, or the retrieved ones. */
  async getTools(input: string, options: Pick<StepOptions, 'signal' | 'parentId'> = {}): Promise<AsyncBaseTool[]> {
    const { toolRetriever } = this.options
    if (!toolRetriever) return this.tools
    const found = await raceAbort(toolRetriever.retrieve(input, options), options.signal)
    refuseDuplicateTools('toolRetriever', found)
    return found.map(adaptToAsyncTool)
  }

  runStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.traced(step, task, options, false)
  }

  streamStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.traced(step, task, options, true)
  }

  private traced(step: TaskStep, task: Task, options: StepOptions, streaming: boolean): Promise<TaskStepOutput> {
    const { parentId } = options
    return this.manager.asTrace('run_step', () => this.step(step, task, options, streaming), { parentId })
  }

  async finalizeTask(task: Task): Promise<void> {
    await moveMessages(loopState(task).new_memory, task.memory)
  }

  /**
   * Replaces the arguments of a call that waits, also where the conversation shows them.
   * @throws {ToolInputError} if they do not match the schema of the tool.
   */
  async editCall(call: PendingToolCall, args: Record<string, unknown>, task: Task): Promise<PendingToolCall> {
    const tool = findTool(await this.getTools(task.input), call.name)
    const { fnSchema, jsonSchema } = tool?.metadata ?? {}
    const { issues } = fnSchema ? await checkToolArguments(fnSchema, jsonSchema, args) : { issues: [] }
    if (issues.length > 0) throw new ToolInputError(call.name, issues)
    const edited = { ...call, arguments: args }
    this.protocol.editCall(edited, task)
    return edited
  }

  /** Writes to the logger if this worker is verbose. */
  log(text: string): void {
    if (this.verbose) this.options.logger?.(text)
  }

  private async step(step: TaskStep, task: Task, context: StepOptions, streaming: boolean): Promise<TaskStepOutput> {
    context.signal?.throwIfAborted()
    const state = loopState(task)
    const { llm, tools } = this
    const round: Round = {
      worker: this,
      step,
      task,
      state,
      context,
      streaming,
      llm,
      tools,
      mustAnswer: false,
      agents: new Set(),
      modelCalls: 0,
    }
    if (state.pending_calls) return this.resume(round)

    checkBudget(task.taskId, state.usage, this.options.budget)
    round.mustAnswer = this.limitReached(round)
    if (step.input !== null) this.protocol.acceptInput(await guardInput(round), step, task)
    step.stepState['is_first'] = false
    state.n_iterations++
    round.tools = round.mustAnswer ? [] : await this.toolsOf(round)
    const request = await prepareRequest(round)
    return streaming ? this.streamTurn(round, request) : this.wholeTurn(round, request)
  }

  /** Returns the tools of a step. Those that were retrieved before, for the same step, are the same ones again. */
  private async toolsOf(round: Round): Promise<readonly AsyncBaseTool[]> {
    const { task, context } = round
    if (!this.options.toolRetriever) return this.tools
    const retrieve = () => this.getTools(task.input, { signal: context.signal, parentId: context.parentId })
    let found: AsyncBaseTool[] | undefined
    const nameOf = ({ metadata }: AsyncBaseTool) => metadata.name ?? ''
    const names = await once(round, 'tools', async () => (found = await retrieve()).map(nameOf), jsonCodec<string[]>())
    if (found) return found
    const again = await retrieve()
    return names.flatMap((name) => findTool(again, name) ?? [])
  }

  /** Whether the next turn must be the answer. @throws {MaxIterationsError} if there may be no next turn. */
  private limitReached(round: Round): boolean {
    const { state, task } = round
    const answersAtLimit = this.options.onMaxIterations === 'answer'
    if (state.last_call || (answersAtLimit && callsLeft(round) <= 0)) return answersAtLimit
    if (state.n_iterations < this.maxIterations) return false
    if (answersAtLimit) return true
    throw new MaxIterationsError(task.taskId, `${this.maxIterations} model calls`, this.protocol.lastText(task))
  }

  private async wholeTurn(round: Round, request: ModelRequest): Promise<TaskStepOutput> {
    const { message } = await askModel(round, request)
    const turn = await this.judge(this.protocol.read(message, false), round)
    return this.takeTurn(turn, new CallNames(round), round, false)
  }

  /** Checks an answer against the output schema, if there is one. */
  private async judge(turn: Turn, round: Round): Promise<Turn> {
    return this.answerSchema ? this.answerSchema.judge(turn, round) : turn
  }

  private async streamTurn(round: Round, request: ModelRequest): Promise<TaskStepOutput> {
    const { protocol } = this
    const names = new CallNames(round)
    const controller = new AbortController()
    const { signal } = round.context
    const stoppable = {
      ...round,
      context: { ...round.context, signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal },
    }
    const live = new LiveText({
      reader: protocol.reader(round.tools.length > 0),
      onEvent: round.context.onEvent,
      holdsText: this.answerSchema !== undefined || this.options.guards?.answer !== undefined,
      callId: (providerId, index) => names.id(providerId, index),
    })
    const asking = askModel(stoppable, request, live)
    const reply = await Promise.race([live.answering, asking])
    if (reply === true) {
      const stream = live.stream(asking)
      const cancel = (reason: unknown) => controller.abort(new AbortError(reason))
      const turn = asking.then(({ message }) => protocol.read(message, true))
      // The reader of the stream receives the error.
      turn.catch(() => {})
      return this.streamAnswer({ stream, cancel }, turn, round)
    }
    const turn = await this.judge(protocol.read(reply.message, true), round)
    if (turn.kind !== 'answer') return this.takeTurn(turn, names, round, live.pieces.length > 0)
    const text = await this.showAnswer(turn, round, live.pieces.length > 0)
    const isWhole = live.pieces.join('') === text
    return this.streamAnswer(
      { stream: isWhole ? live.pieces : [text] },
      { ...turn, text, output: await this.outputOf(turn, text, round) },
      round,
    )
  }

  /** Reports an answer, unless it is shown already. Returns the text that the guard allows. */
  private async showAnswer(turn: Turn & { kind: 'answer' }, round: Round, isShown: boolean): Promise<string> {
    const { onEvent } = round.context
    const text = await guardAnswer(turn.text, round)
    if (turn.thought) onEvent?.({ type: 'reasoning', text: turn.thought })
    if (!isShown && text !== '') onEvent?.({ type: 'text_delta', delta: text })
    return text
  }

  /** Returns the output of a step whose answer streams, and records the answer at its end. */
  private streamAnswer(
    source: Pick<StreamingAgentChatResponseOptions, 'stream' | 'cancel'>,
    turn: Turn | Promise<Turn>,
    { step, task, state }: Round,
  ): TaskStepOutput {
    const response = new StreamingAgentChatResponse({ ...source, sources: state.sources })
    void response.whenDone(async () => {
      const { response: text } = response
      this.log(text)
      const answer = await turn
      this.protocol.recordAnswer(text, answer, task)
      if (answer.kind === 'answer') response.output = answer.output ?? null
      response.usage = { ...state.usage }
    })
    return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [], isLast: true })
  }

  /** Handles the reply of the model. @param isShown - whether its text was already reported. */
  private async takeTurn(turn: Turn, names: CallNames, round: Round, isShown: boolean): Promise<TaskStepOutput> {
    const { task, context } = round
    if (turn.kind === 'answer') return this.answer(turn, round, isShown)
    if (round.mustAnswer) {
      // The model was asked for an answer but requested a tool call, so its text is the answer.
      const text = (turn.kind === 'calls' ? (turn.text ?? turn.thought) : turn.text) ?? ''
      return this.answer({ kind: 'answer', text }, round, isShown)
    }
    if (turn.kind === 'unreadable') {
      this.protocol.recordUnreadable(turn, task)
      this.log(turn.observation)
      return this.goOn(this.protocol.outputText(turn, []), round)
    }
    this.checkCallLimit(round)
    if (turn.thought) {
      context.onEvent?.({ type: 'reasoning', text: turn.thought })
      this.log(turn.thought)
    }
    if (turn.text) {
      if (!isShown) context.onEvent?.({ type: 'text_delta', delta: turn.text })
      this.log(turn.text)
    }
    turn.calls = names.name(turn.calls)
    this.protocol.recordCalls(turn, task)
    const waiting = await callsToDecide(turn.calls, round)
    if (waiting) return this.pause(waiting, round)
    return this.makeCalls(turn, turn.calls, round)
  }

  /** Runs the calls of a turn. Pauses if an agent that is a tool waits for decisions. */
  private async makeCalls(
    turn: CallsTurn,
    calls: readonly (ToolCall | PendingToolCall)[],
    round: Round,
  ): Promise<TaskStepOutput> {
    const { outputs, waiting } = await runCalls(calls, round)
    return waiting ? this.pause(waiting, round) : this.afterCalls(turn, outputs, round)
  }

  /** @throws {MaxIterationsError} if the model calls tools although it may not. */
  private checkCallLimit(round: Round): void {
    if (callsLeft(round) > 0) return
    const { task } = round
    throw new MaxIterationsError(task.taskId, `${this.maxFunctionCalls} tool calls`, this.protocol.lastText(task))
  }

  private pause(waiting: PendingToolCall[], round: Round): TaskStepOutput {
    round.state.pending_calls = waiting
    const text = reportWaiting(waiting, round)
    return new TaskStepOutput({ ...this.goOn(text, round), status: 'awaiting_approval' })
  }

  /** Runs the calls that waited for a decision. */
  private async resume(round: Round): Promise<TaskStepOutput> {
    const { step, task, state } = round
    const pending = state.pending_calls!
    checkDecisions(pending, round)
    round.tools = await this.toolsOf(round)
    state.pending_calls = undefined
    const message = new ChatMessage({ role: 'assistant', content: '' })
    const calls = pending.filter(({ parent }) => parent === undefined)
    const output = await this.makeCalls({ kind: 'calls', calls, message }, pending, round)
    if (step.input !== null) this.protocol.acceptInput(await guardInput(round), step, task)
    return output
  }

  private async afterCalls(turn: CallsTurn, outputs: readonly ToolOutput[], round: Round): Promise<TaskStepOutput> {
    const { task, state, tools } = round
    const { maxToolOutputTokens } = this.options
    for (const [i, output] of outputs.entries()) {
      const call = turn.calls[i]!
      state.sources.push(output)
      const shown = typeof maxToolOutputTokens === 'number' ? clipOutput(output, maxToolOutputTokens) : output
      this.protocol.recordOutput(call, shown, task)
      countFailure(call, output, round)
    }
    const [only] = outputs.length === 1 ? outputs : []
    const isDirect = only && !only.isError && findTool(tools, turn.calls[0]!.name)?.metadata.returnDirect
    const { sources, usage } = state
    const { context } = round.context
    if (!isDirect && !(await this.options.stopWhen?.({ task, outputs, sources, usage, context })))
      return this.goOn(this.protocol.outputText(turn, outputs), round)
    const text = outputs.at(-1)?.content ?? ''
    return this.answer({ kind: 'answer', text }, round, false)
  }

  /** @param isShown - whether the text was already reported. */
  private async answer(turn: Turn & { kind: 'answer' }, round: Round, isShown: boolean): Promise<TaskStepOutput> {
    const { step, task, state } = round
    const text = await this.showAnswer(turn, round, isShown)
    this.log(text)
    this.protocol.recordAnswer(text, turn, task)
    const output = await this.outputOf(turn, text, round)
    const response = new AgentChatResponse({
      response: text,
      sources: state.sources,
      usage: { ...state.usage },
      output,
    })
    return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [], isLast: true })
  }

  /** Returns the value of a structured answer, which may have become another one since the model wrote it. */
  private async outputOf(turn: Turn & { kind: 'answer' }, text: string, round: Round): Promise<unknown> {
    if (!this.answerSchema) return null
    return turn.output !== undefined && text === turn.text ? turn.output : this.answerSchema.valueOf(text, round)
  }

  private goOn(text: string, { step, state, context }: Round): TaskStepOutput {
    const response = new AgentChatResponse({ response: text, sources: state.sources, usage: { ...state.usage } })
    return new TaskStepOutput({
      output: response,
      taskStep: step,
      nextSteps: [step.getNextStep((this.options.newId ?? context.newId ?? this.newId)())],
    })
  }
}
