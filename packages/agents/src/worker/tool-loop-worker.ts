/**
 * @module
 * The loop of an agent with tools, step by step: call the model, run the tools that it requests, report the outputs to the model.
 */

import { checkOptions, required } from '@x/core/options'
import {
  type BaseLLM,
  CallbackManager,
  ChatMessage,
  ConfigurationError,
  type ObjectRetrieveOptions,
} from '@x/core-model'
import { anySignal, raceAbort } from '@x/core-model/async'
import { idSeries } from '@x/core-model/data'
import { ChatMemoryBuffer, moveMessages } from '@x/core-model/memory'
import type { PromptDict } from '@x/prompts'
import { AbortError } from '../agent-error.ts'
import { ChatAnswer, pieceStream, StreamingAgentChatResponse } from '../answer/chat-answer.ts'
import { reportWaiting } from '../layers/waiting-calls.ts'
import type { AgentWorker, StepOptions } from '../loop/agent-worker.ts'
import { checkRetriever, checkTools } from '../loop/check-tools.ts'
import type { Layer, Loop, Outcome, Scope, StepSaving } from '../loop/layer.ts'
import { LayeredLoop } from '../loop/loop.ts'
import { LOOP_OPTIONS, type ToolLoopOptions } from '../loop/loop-options.ts'
import { CallIds, isStateLike, type LoopState, loopState, newLoopState } from '../loop/loop-state.ts'
import type { LiveText } from '../loop/reply.ts'
import type { ToolCallingProtocol } from '../loop/tool-calling-protocol.ts'
import { refusePrompts } from '../no-prompts.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { Approval } from '../task/approval-record.ts'
import { undecided } from '../task/approvals.ts'
import { type Once, passThrough } from '../task/durable.ts'
import { journalOf } from '../task/journal.ts'
import type { Task } from '../task/task.ts'
import { ApprovalRequiredError } from '../task/task-errors.ts'
import { StepOutput, TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import { answerSoFar, Items } from '../task/versions.ts'
import { noUsage } from '../task-usage.ts'
import { type AsyncBaseTool, adaptToAsyncTool, type Tool } from '../tool/base-tool.ts'
import { type LayersNow, workerLayers } from './worker-layers.ts'

/** Options of {@link ToolLoopWorker}. */
interface ToolLoopWorkerOptions extends ToolLoopOptions {
  /** How tools are offered to the model, and how its replies are read. */
  protocol: ToolCallingProtocol
}

/** A step that waits for nothing and that nobody watches. */
const QUIET = { isInner: false, isStored: false, isWaiting: false, isHeard: false, streams: false, isTraced: false }

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
  private manager: CallbackManager
  /** The loops, each with the layers that are on in a step. */
  private readonly loops: Record<number, Loop> = {}
  /** The tools in the options. Empty with a `toolRetriever`. */
  readonly tools: AsyncBaseTool[]
  /** The tools of the layers. */
  private readonly added: readonly Tool[]
  /** The tool for the answer, if there is one. */
  private readonly answerTools: readonly Tool[]
  /** Creates the ids of steps if the runner does not. */
  readonly newId: () => string

  constructor(given: ToolLoopWorkerOptions) {
    checkOptions(new.target.name, { llm: given?.llm, protocol: given?.protocol }, REQUIRED)
    const { protocol, ...options } = given
    const tools = options.tools ?? []
    checkRetriever(new.target.name, tools, options.toolRetriever)
    this.options = options
    this.protocol = protocol
    this.llm = options.llm
    this.verbose = options.verbose ?? false
    this.maxIterations = options.maxIterations ?? 20
    this.maxFunctionCalls = options.maxFunctionCalls ?? null
    this.added = (options.layers ?? []).flat().flatMap((layer) => layer.tools ?? [])
    const answerTool = options.output?.answer.tool
    this.answerTools = answerTool ? [answerTool] : []
    checkTools(new.target.name, [...tools, ...this.added, ...this.answerTools], protocol)
    this.tools = tools.map(adaptToAsyncTool)
    this.manager = options.callbackManager ?? new CallbackManager()
    this.newId = options.newId ?? idSeries()
    this.loopFor({ ...QUIET, isTraced: this.isTraced })
  }

  /** Whether the callback manager has handlers. */
  private get isTraced(): boolean {
    return this.manager.handlers.length > 0
  }

  /** Returns a loop with the layers that are on in a step. */
  private loopFor(now: LayersNow): Loop {
    const { llm, tools, protocol, loops } = this
    const { maxToolConcurrency } = this.options
    let key = Number(this.maxFunctionCalls !== null)
    for (const name in QUIET) key = 2 * key + Number(now[name as keyof LayersNow])
    loops[key] ??= new LayeredLoop({ llm, tools, protocol, maxToolConcurrency, layers: workerLayers(this, now) })
    return loops[key]!
  }

  get holdsInput(): boolean {
    return this.loopFor(QUIET).holdsInput
  }

  get holdsReasoning(): boolean {
    return this.loopFor(QUIET).holdsReasoning
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
    else refusePrompts(prompts)
  }

  initializeStep(task: Task): TaskStep {
    Object.assign(task.extraState, this.newState())
    return new TaskStep({ taskId: task.taskId, stepId: this.newId(), input: task.input, stepState: { is_first: true } })
  }

  readsState(extraState: Readonly<Record<string, unknown>>): boolean {
    const { protocol, new_memory: memory } = extraState
    const isOwn = protocol === this.protocol.name && memory?.constructor === ChatMemoryBuffer
    return isOwn && isStateLike(extraState, this.newState(memory as ChatMemoryBuffer))
  }

  /** @param known - the messages of a task. */
  private newState(known?: ChatMemoryBuffer): Record<string, unknown> {
    // The messages of a running task have no token limit.
    const memory = known ?? new ChatMemoryBuffer({ tokenLimit: Number.MAX_SAFE_INTEGER })
    return { ...newLoopState(this.protocol, memory), usage: noUsage() }
  }

  /** Returns the tools for an input: those in the options, or the retrieved ones and those of layers. */
  async getTools(input: string, options: ObjectRetrieveOptions = {}): Promise<AsyncBaseTool[]> {
    const { toolRetriever } = this.options
    if (!toolRetriever) return this.tools
    const found = await raceAbort(toolRetriever.retrieve(input, options), options.signal)
    const tools = [...found, ...this.added]
    checkTools('toolRetriever', [...tools, ...this.answerTools], this.protocol)
    return tools.map(adaptToAsyncTool)
  }

  runStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.traced(options, () => this.wholeStep(step, task, options))
  }

  streamStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.traced(options, () => this.streamedStep(step, task, options))
  }

  private traced({ parentId }: StepOptions, run: () => Promise<TaskStepOutput>): Promise<TaskStepOutput> {
    return this.isTraced ? this.manager.asTrace('run_step', run, { parentId }) : run()
  }

  async finalizeTask(task: Task): Promise<void> {
    await moveMessages(loopState(task).new_memory as ChatMemoryBuffer, task.memory)
  }

  /**
   * Returns a call that waits as an approved one, with its arguments or others, which the conversation shows then.
   * @throws {ToolInputError} if they do not match the schema of the tool.
   */
  approveCall(call: PendingToolCall, approval: Approval, task: Task): Promise<PendingToolCall> {
    const loop = this.loopFor({ ...QUIET, isWaiting: true })
    return loop.approve!(call, approval, task, loop, () => this.getTools(task.input))
  }

  async restored(task: Task, origin?: string): Promise<void> {
    for (const layer of (this.options.layers ?? []).flat() as Layer[]) await layer.restored?.(task, origin)
  }

  /** Writes to the logger if this worker is verbose. */
  log(text: string): void {
    if (this.verbose) this.options.logger?.(text)
  }

  private async wholeStep(step: TaskStep, task: Task, options: StepOptions): Promise<TaskStepOutput> {
    const scope = this.scopeOf(step, task, options, false)
    const outcome = await scope.loop.runStep(inputOf(step, task), scope)
    if (outcome.kind !== 'answer') return this.goOn(outcome, scope.state, step, options)
    const { sources, usage } = scope.state
    const { text: response, output = null } = outcome
    const answer = new ChatAnswer({ response, sources, usage: { ...usage }, output })
    return new StepOutput({ output: answer, taskStep: step, nextSteps: [], isLast: true })
  }

  /** Returns the output of the step when the turn is over, or when its answer begins to stream. */
  private async streamedStep(step: TaskStep, task: Task, options: StepOptions): Promise<TaskStepOutput> {
    const controller = new AbortController()
    const { signal, release } = anySignal(options.signal, controller.signal)
    let live: LiveText | undefined
    let write = (_text: string) => {}
    let start = (_value: true) => {}
    const answering = new Promise<true>((resolve) => {
      start = resolve
    })
    const scope: Scope = {
      ...this.scopeOf(step, task, { ...options, signal }, true),
      onLive: (text) => {
        live = text
        void text.answering.then(start)
      },
      defer: (record) => {
        write = record
      },
    }
    const running = scope.loop.runStep(inputOf(step, task), scope)
    void running.then(release, release)
    const first = await Promise.race([answering, running])
    if (first !== true && first.kind !== 'answer') return this.goOn(first, scope.state, step, options)
    const { state } = scope
    const pieces = live?.pieces ?? []
    const cancel = (reason: unknown) => controller.abort(new AbortError(reason))
    const source =
      first === true
        ? { stream: pieceStream(live!.stream(running)), cancel }
        : { stream: pieces.join('') === first.text ? [...pieces] : [first.text] }
    const response = new StreamingAgentChatResponse({ ...source, sources: state.sources })
    void response.whenDone(async () => {
      const outcome = await running
      write(response.response)
      if (outcome.kind === 'answer') response.output = outcome.output ?? null
      response.usage = { ...state.usage }
    })
    return new StepOutput({ output: response, taskStep: step, nextSteps: [], isLast: true })
  }

  private scopeOf(step: TaskStep, task: Task, options: StepOptions, streams: boolean): Scope {
    const { signal, parentId, onEvent, onInput, ready, context, durable, checkBudget, toolChoice = 'auto' } = options
    signal?.throwIfAborted()
    const state = task.extraState as LoopState
    const { pending_calls: pending } = state
    if (pending) refuseUndecided(pending, task, onEvent)
    const stepNumber = options.stepNumber ?? state.n_iterations + (pending ? 0 : 1)
    const isStored = this.protocol.shownSteps !== undefined && 'turn' in task.memory
    const loop = this.loopFor({
      streams,
      isTraced: this.isTraced,
      isHeard: onEvent !== undefined,
      isWaiting: pending !== undefined,
      isStored,
      isInner: checkBudget !== undefined,
    })
    const saving = savingOf(options, stepNumber)
    // A port without a runner is that of an engine.
    const inOrder = options.saving ? options.saving.isRepeated : saving !== undefined
    return {
      loop,
      task,
      state,
      step,
      stepNumber,
      ids: new CallIds(state, stepNumber, isStored ? `_${task.taskId.slice(-12)}` : ''),
      tools: loop.tools,
      toolChoice,
      context,
      emit: onEvent,
      onInput,
      begun: options.begun,
      ready,
      signal,
      parentId,
      durable,
      saving,
      checkBudget,
      isRepeated: options.saving?.isRepeated,
      inOrder,
      callContext: { task },
      remember: saving && ((name, make, fits) => saving.once(name, make, { kind: 'data', fits })),
    }
  }

  private goOn(
    outcome: Exclude<Outcome, { kind: 'answer' }>,
    state: LoopState,
    step: TaskStep,
    options: StepOptions,
  ): TaskStepOutput {
    const isWaiting = outcome.kind === 'waiting'
    const text = isWaiting ? waitingText(undecided(state.pending_calls ?? [])) : outcome.text
    const response = answerSoFar(text, { sources: new Items([...state.sources]), usage: state.usage })
    const newId = this.options.newId ?? options.newId ?? this.newId
    const nextSteps = [step.getNextStep(newId())]
    const status = isWaiting ? { status: 'awaiting_approval' as const } : {}
    return new StepOutput({ output: response, taskStep: step, nextSteps, ...status })
  }
}

/** @throws {ApprovalRequiredError} if calls still wait. */
function refuseUndecided(pending: readonly PendingToolCall[], { taskId }: Task, onEvent: StepOptions['onEvent']): void {
  const waiting = undecided(pending)
  if (waiting.length === 0) return
  reportWaiting(pending, { emit: onEvent })
  throw new ApprovalRequiredError(taskId, waiting)
}

/**
 * Returns how the runner of a step saves its calls; undefined if nothing is saved.
 * @throws {ConfigurationError} for a port that does not say how results are written.
 */
function savingOf({ durable, saving, part, signal }: StepOptions, stepNumber: number): StepSaving | undefined {
  if (!durable || durable === passThrough) return undefined
  const journal = saving ? saving.journal : journalOf(durable)
  const saved: Once | undefined =
    journal &&
    ((call, make, kind) => {
      const { live, isStrict = true } = saving ?? {}
      return journal.savedCall({ durable, name: `step-${stepNumber}/${call}`, make, kind, live, isStrict, signal })
    })
  // Without a journal, results are kept in memory.
  const once = saved ?? saving?.recall
  if (!once) throw new ConfigurationError('durable: wrap your function: journalPort(fn). Received a plain function.')
  return {
    once,
    isSaved: (place, kind = 'tool') => saving?.isKnown(`step-${stepNumber}/${kind}-${place.split('/')[1]}`) ?? false,
    isStrict: saving?.isStrict ?? false,
    part: (place) => part?.(place),
  }
}

/** Returns the message of the user that a step begins with; null if it has no input. */
function inputOf({ input, stepState }: TaskStep, task: Task): ChatMessage | null {
  if (input === null) return null
  const isWhole = stepState['is_first'] === true && input === task.input
  return (isWhole && task.inputMessage) || new ChatMessage({ role: 'user', content: input })
}

/** Returns the text of a step that waits. */
function waitingText(calls: readonly PendingToolCall[]): string {
  const what = calls.every(({ awaits }) => awaits === 'result') ? 'the result' : 'approval'
  return `Waiting for ${what} of: ${calls.map(({ name }) => name).join(', ')}`
}
