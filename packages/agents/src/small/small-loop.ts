/**
 * @module
 * A loop without a runner: a conversation goes in, and the conversation with the answer comes out.
 */
import {
  callback,
  callOptions,
  checkOptions,
  list,
  type OptionTable,
  required,
  text,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import { ChatMessage, ConfigurationError, type ToolOutput } from '@x/core-model'
import { withUsage } from '../agent-error.ts'
import type { ToolChoice } from '../loop/agent-worker.ts'
import { checkTools } from '../loop/check-tools.ts'
import type { StructuredLayer } from '../loop/hooks.ts'
import {
  type Layer,
  type Layers,
  type Loop,
  type LoopCall,
  type LoopOptions,
  layerList,
  type Outcome,
  type Scope,
} from '../loop/layer.ts'
import { LayeredLoop } from '../loop/loop.ts'
import { MaxIterationsError } from '../loop/loop-errors.ts'
import { CallIds, type LoopState, newLoopState } from '../loop/loop-state.ts'
import { freeCall } from '../loop/needs-approval.ts'
import { Transcript } from '../loop/transcript.ts'
import type { PendingToolCall, StepEvent } from '../task/agent-event.ts'
import { TaskBusyError } from '../task/task-errors.ts'
import type { TaskLike } from '../task/task-like.ts'
import { snapshotState } from '../task/task-step.ts'
import type { TaskUsage } from '../task-usage.ts'
import { TOOL_NEEDS, type Tool, type TypedTool } from '../tool/base-tool.ts'
import type { CallEventOf, OutputOf } from '../tool/typed-tools.ts'

/** Options of a loop without a runner. */
export interface SmallLoopOptions<Tools extends readonly Tool[] = readonly Tool[], Given extends Layers = Layers>
  extends Omit<LoopOptions, 'protocol' | 'tools' | 'layers'> {
  /** The tools. @defaultValue [] */
  tools?: Tools | undefined
  /** The features of the loop. Built-in layers keep their fixed order, whatever their order here. @defaultValue [] */
  layers?: Given | undefined
}

/** Options of a run. */
export interface LoopRunOptions<Context = unknown, Tools extends readonly TypedTool[] = readonly TypedTool[]> {
  /** The conversation so far, with which the run begins. It does not change. @defaultValue [] */
  messages?: readonly ChatMessage[] | undefined
  /** Receives the events of the run. */
  onEvent?: ((event: StepEvent<CallEventOf<Tools>>) => void) | undefined
  /**
   * Resolves when the receiver of the events is ready for more; undefined if it is. Awaited before a tool runs, and between the pieces of a
   * reply.
   */
  ready?: (() => Promise<void> | undefined) | undefined
  /** Cancels the run, which rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Data for tools and hooks, such as the user or a connection. */
  context?: Context | undefined
  /** How often the model is asked, an integer of at least 1. @defaultValue 20 */
  maxSteps?: number | undefined
  /** The tool choice of the first model call; later ones use `auto`, because a forced call would never end. @defaultValue 'auto' */
  toolChoice?: ToolChoice | undefined
  /** Part of the idempotency keys of tool calls. @defaultValue a random id */
  taskId?: string | undefined
}

const LOOP_OPTIONS: OptionTable<LoopOptions> = {
  ...{ model: 'llm', middleware: 'layers', instructions: 'system', systemPrompt: 'system' },
  llm: required('a model', 'metadata'),
  tools: list,
  layers: layerList,
  protocol: unchecked,
  maxToolConcurrency: wholeNumber(1),
}

const RUN_OPTIONS: OptionTable<LoopRunOptions> = {
  messages: list,
  onEvent: callback,
  ready: callback,
  signal: callOptions.signal,
  context: unchecked,
  maxSteps: wholeNumber(1),
  toolChoice: unchecked,
  taskId: text,
}

/** The result of a run. */
export interface LoopResult<Output = unknown> {
  /** `waiting`: decide the `pending` calls with `decide`, then call `resume` with the `task`. */
  status: 'done' | 'waiting'
  /** The answer; empty while calls wait. */
  text: string
  /** The value of a structured answer. */
  output: Output | undefined
  /** The outputs of all tools. */
  sources: readonly ToolOutput[]
  /** The conversation with the messages of the run, for the next run. */
  messages: ChatMessage[]
  /** The calls that wait for a decision, and the other calls of their turn. */
  pending: readonly PendingToolCall[]
  /** Undefined without the layer `budget`. */
  usage: TaskUsage | undefined
  task: TaskLike
}

/** The type of the structured answer of a loop with these layers. */
export type OutputIn<Given extends Layers> = ValueOf<Extract<Given[number], { readonly answer: unknown }>>

type ValueOf<Answer> = [Answer] extends [never]
  ? undefined
  : Answer extends StructuredLayer<infer Schema>
    ? OutputOf<Schema>
    : never

/** The tasks that are being continued, by any loop. */
const resumed = /* @__PURE__ */ new WeakSet<TaskLike>()

/** A loop without a runner. It has no state of its own, so that one loop serves any number of runs at the same time. */
export class SmallLoop<
  Context = unknown,
  Output = undefined,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> extends LayeredLoop {
  /**
   * @throws {ConfigurationError} for values that are not tools, for two tools of one name, and for tools that need a missing layer.
   * @throws {ModelValidationError} if options are unknown or out of range.
   */
  constructor(where: string, options: LoopOptions) {
    checkOptions(where, options, LOOP_OPTIONS)
    checkTools(where, options.tools ?? [], options.protocol)
    super({ ...options, layers: [...(options.layers ?? []), keeping] })
    checkServed(where, this, (options.layers ?? []).flat())
  }

  /**
   * Answers a message.
   * @throws {MaxIterationsError} if there is no answer after `maxSteps` model calls.
   * @throws {ModelValidationError} if options are unknown or out of range.
   */
  run(input: string | ChatMessage, options: LoopRunOptions<Context, Tools> = {}): Promise<LoopResult<Output>> {
    const message = typeof input === 'string' ? new ChatMessage({ role: 'user', content: input }) : input
    const { messages = [], taskId = globalThis.crypto.randomUUID() } = options
    const extraState = newLoopState(this.protocol, new Transcript())
    return this.steps(message, { taskId, input: '', memory: new Transcript(messages), extraState }, options)
  }

  /**
   * Continues a task that waited. The conversation and the id are those of the task. If it fails or is cancelled, it can be resumed again:
   * it keeps the reply whose calls have begun and the outputs so far, and makes the other calls again with the same arguments and
   * idempotency keys. A step whose calls have not begun starts anew.
   * @throws {ConfigurationError} if the value is not a task of a loop of this kind.
   * @throws {TaskBusyError} if a loop is continuing the task already.
   */
  async resume(
    task: TaskLike,
    options: Omit<LoopRunOptions<Context, Tools>, 'messages' | 'taskId'> = {},
  ): Promise<LoopResult<Output>> {
    if ((task as Partial<TaskLike> | null)?.extraState?.['protocol'] !== this.protocol.name)
      throw new ConfigurationError(
        `loop.resume: expected a task of a loop of this kind; read one in JSON with readLoopTask.`,
      )
    if (resumed.has(task)) throw new TaskBusyError(task.taskId)
    resumed.add(task)
    try {
      return await this.steps(null, task, options)
    } finally {
      resumed.delete(task)
    }
  }

  private async steps(
    input: ChatMessage | null,
    task: TaskLike,
    options: LoopRunOptions<Context, Tools>,
  ): Promise<LoopResult<Output>> {
    checkOptions('loop.run', options, RUN_OPTIONS)
    const { onEvent, ready, signal, context, maxSteps = 20, toolChoice = 'auto' } = options
    const state = task.extraState as unknown as LoopState
    let choice = toolChoice
    for (let next = input; ; next = null) {
      signal?.throwIfAborted()
      const { n_iterations: asked, pending_calls: waited } = state
      if (!waited && asked >= maxSteps)
        throw new MaxIterationsError(task.taskId, `${maxSteps} model calls`, this.protocol.lastText(task))
      const stepNumber = asked + 1
      const scope: Scope = {
        loop: this,
        task,
        state,
        step: { stepState: { is_first: asked === 0 } },
        stepNumber,
        ids: new CallIds(state, stepNumber),
        tools: this.tools,
        toolChoice: choice,
        context,
        emit: onEvent as Scope['emit'],
        ready,
        signal,
      }
      // A task that was not returned yet cannot be continued.
      if (!input) scope.ids.notes[KEPT] = new KeptState(state)
      let outcome: Outcome
      try {
        outcome = await this.runStep(next, scope)
      } catch (error) {
        keptState(scope)?.restore()
        throw error === signal?.reason ? error : withUsage(error, state.usage)
      }
      if (state.counted) state.counted = undefined
      if (!waited) choice = 'auto'
      if (outcome.kind === 'next') continue
      const answer = outcome.kind === 'answer' ? outcome : undefined
      return {
        status: answer ? 'done' : 'waiting',
        text: answer?.text ?? '',
        output: answer?.output as Output | undefined,
        sources: state.sources,
        messages: [...(await task.memory.getAll()), ...state.new_memory.getAll()],
        pending: state.pending_calls ?? [],
        usage: state.usage,
        task,
      }
    }
  }
}

const KEPT = Symbol('toolLoop')

const keptState = ({ ids }: Scope) => ids.notes[KEPT] as KeptState | undefined

/** The state with which a task continues after a failure: that before its step, or that with the calls of the step and their outputs. */
class KeptState {
  private readonly state: LoopState
  private kept: LoopState
  /** Whether calls of the step may have begun. */
  private hasBegun = false
  /** Returns a call of the step that may have to wait, as it was judged. */
  private judged: (place: number) => PendingToolCall | undefined = () => undefined

  constructor(state: LoopState) {
    this.state = state
    this.kept = snapshotState(state) as LoopState
  }

  /** Keeps the reply of the model, because its calls begin. */
  begin(calls: readonly LoopCall[], scope: Scope): void {
    this.hasBegun = true
    // The calls of a turn that waited are kept already.
    if (this.kept.pending_calls) return
    const pending = calls.map((call) => freeCall(call, scope))
    this.kept = { ...(snapshotState(this.state) as LoopState), pending_calls: pending }
    this.judged = (place) => scope.judged?.get(calls[place]!)
  }

  keep(id: string, output: ToolOutput): void {
    const { kept, state } = this
    kept.pending_calls = kept.pending_calls?.map((call) => (call.id === id ? { ...call, output } : call))
    kept.n_function_calls = state.n_function_calls
  }

  /** Restores the state, whose values change in place. What was used stays counted. */
  restore(): void {
    const { state, kept, judged } = this
    const { usage, counted } = state
    const pending_calls = kept.pending_calls?.map((given, place) => {
      if (given.output) return given
      const call = judged(place) ?? given
      return this.hasBegun && call.decision === 'approve' && call.free !== '' ? { ...call, begun: true as const } : call
    })
    for (const key of Object.keys(state)) delete (state as Record<string, unknown>)[key]
    // A call that is repeated under its key counts once; the model is asked anew.
    const calls = Object.entries(counted ?? {}).filter(([name]) => !name.includes('/model-'))
    Object.assign(
      state,
      kept,
      pending_calls && { pending_calls },
      usage && { usage, counted: Object.fromEntries(calls) },
    )
  }
}

/** Keeps the calls of a step that may fail. */
const keeping: Layer = {
  rank: 24,
  calls: (next) => (calls, scope) => {
    keptState(scope)?.begin(calls, scope)
    return next(calls, scope)
  },
  tool: (next) => async (call, scope) => {
    const output = await next(call, scope)
    if (output) keptState(scope)?.keep(call.id, output)
    return output
  },
}

/** A tool must not run without an approval or a time limit because a layer is missing. */
function checkServed(where: string, { tools }: Loop, layers: readonly Layer[]): void {
  for (const [need, isNeeded] of Object.entries(TOOL_NEEDS)) {
    const tool = layers.some(({ serves }) => serves === need) ? undefined : tools.find(isNeeded)
    if (tool) throw new ConfigurationError(`${where}: the tool "${tool.metadata.name}" needs the layer ${need}().`)
  }
}
