/**
 * @module
 * The loop of an agent with tools, step by step: call the model, run the tools that it requests, report the outputs to the model.
 */
import { type BaseLLM, CallbackManager, ConfigurationError } from '@x/core-model'
import { idSeries, raceAbort } from '@x/core-model/internal'
import { type PromptDict, updatePrompts } from '@x/prompts'
import { type ChatMemoryBuffer, moveMessages } from '../memory/chat-memory-buffer.ts'
import { checkOptions, required } from '../options.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import { TaskStep, type TaskStepOutput } from '../task/task-step.ts'
import { type AsyncBaseTool, adaptToAsyncTool } from '../tool/base-tool.ts'
import { findTool } from '../tool/run-tool-call.ts'
import { ToolInputError } from '../tool/tool-errors.ts'
import { checkToolArguments } from '../tool/tool-schema.ts'
import type { AgentWorker, StepOptions } from './agent-worker.ts'
import { AnswerSchema } from './answer-schema.ts'
import { ContextWindow } from './context-window.ts'
import { guardInput } from './guards.ts'
import { MaxIterationsError } from './loop-errors.ts'
import { checkTools, LOOP_OPTIONS, type ToolLoopOptions } from './loop-options.ts'
import { loopState, newLoopState, readsLoopState } from './loop-state.ts'
import { askModel } from './model-turn.ts'
import { prepareRequest } from './prepare-step.ts'
import { callsLeft, type RetrieveOptions, type Round } from './round.ts'
import { CallIds } from './run-calls.ts'
import { toolsOf } from './step-tools.ts'
import { streamTurn } from './stream-turn.ts'
import { judge, resumeTurn, takeTurn } from './take-turn.ts'
import type { ModelRequest, ToolCallingProtocol } from './tool-calling-protocol.ts'
import { checkBudget } from './usage.ts'

/** Options of {@link ToolLoopWorker}. */
export interface ToolLoopWorkerOptions extends ToolLoopOptions {
  /** How tools are offered to the model, and how its replies are read. */
  protocol: ToolCallingProtocol
}

/** Subclasses check the other options. */
const REQUIRED = { llm: LOOP_OPTIONS.llm, protocol: required('a protocol', 'request', 'read') }

/**
 * Runs the steps of an agent with tools: one turn of the model, and the tool calls that it requests. `protocol` defines how tools are
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
  /** Creates the ids of steps if the runner does not. */
  readonly newId: () => string

  constructor(given: ToolLoopWorkerOptions) {
    checkOptions(new.target.name, { llm: given?.llm, protocol: given?.protocol }, REQUIRED)
    const { protocol, ...options } = given
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
    const tools = options.tools ?? []
    this.answerSchema = options.output && new AnswerSchema(options.output, options.outputMode)
    const answerTool = this.answerSchema?.tool
    checkTools(new.target.name, answerTool ? [...tools, answerTool] : tools)
    this.tools = tools.map(adaptToAsyncTool)
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
  async getTools(input: string, options: RetrieveOptions = {}): Promise<AsyncBaseTool[]> {
    const { toolRetriever } = this.options
    if (!toolRetriever) return this.tools
    const found = await raceAbort(toolRetriever.retrieve(input, options), options.signal)
    checkTools('toolRetriever', found)
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
    await moveMessages(loopState(task).new_memory as ChatMemoryBuffer, task.memory)
  }

  /**
   * Replaces the arguments of a call that waits, also where the conversation shows them.
   * @throws {ToolInputError} if they do not match the schema of the tool.
   */
  async editCall(call: PendingToolCall, args: Record<string, unknown>, task: Task): Promise<PendingToolCall> {
    const tool = findTool(await this.getTools(task.input), call.name)
    const { fnSchema, jsonSchema } = tool?.metadata ?? { fnSchema: call.schema, jsonSchema: call.schema }
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
    if (state.pending_calls) return resumeTurn(state.pending_calls, round)

    checkBudget(task.taskId, state.usage, this.options.budget)
    context.checkBudget?.({ ...state.usage })
    round.mustAnswer = this.limitReached(round)
    if (step.input !== null) this.protocol.acceptInput(await guardInput(round), step, task)
    step.stepState['is_first'] = false
    state.n_iterations++
    round.tools = round.mustAnswer ? [] : await toolsOf(round)
    const request = await prepareRequest(round)
    return streaming ? streamTurn(round, request) : this.wholeTurn(round, request)
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
    const turn = await judge(this.protocol.read(message, false), round)
    return takeTurn(turn, new CallIds(round), round, false)
  }
}
