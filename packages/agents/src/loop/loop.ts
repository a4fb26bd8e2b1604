/**
 * @module
 * The loop of every agent with tools. A step reads from top to bottom in `runStep`; every feature is a layer around one of the functions
 * of the loop, and what is off does not exist.
 */

import { errorMessage, isPlainObject } from '@x/core/values'
import { type BaseLLM, type ChatMessage, type ChatResponse, isToolkitError, type ToolOutput } from '@x/core-model'
import { mapConcurrently, raceAbort } from '@x/core-model/async'
import { type PendingToolCall, type StepEvent, type ToolCall, toolResultEvent } from '../task/agent-event.ts'
import type { Durable } from '../task/durable.ts'
import type { StepLike, TaskLike } from '../task/task-like.ts'
import {
  type AsyncBaseTool,
  adaptToAsyncTool,
  errorOutput,
  isFatal,
  type Tool,
  type ToolCallContext,
} from '../tool/base-tool.ts'
import { ToolExecutionError, ToolInputError, ToolNotFoundError } from '../tool/tool-errors.ts'
import type { ToolChoice } from './agent-worker.ts'
import { progressEvent, toolCallEvent } from './call-event.ts'
import type { CallIds } from './call-ids.ts'
import type { LiveText } from './live-text.ts'
import type { LoopState } from './loop-state.ts'
import type { ModelReply } from './reply.ts'
import type { Outcome, RequestPlan, StepRequest } from './step-request.ts'
import type { AnswerTurn, CallsTurn, ModelRequest, ToolCallingProtocol, Turn } from './tool-calling-protocol.ts'

export type { ModelReply, Outcome, RequestPlan, StepRequest }

/** A call that runs: new, or decided after it waited. */
export type LoopCall = ToolCall | PendingToolCall

/** What one step is about. A layer may pass on a changed copy; it keeps its own state in `state`, which is saved with the task. */
export interface Scope<Context = unknown> {
  readonly loop: Loop
  readonly task: TaskLike
  readonly state: LoopState
  readonly step: StepLike
  /** The number of the step in its task, from 1. */
  readonly stepNumber: number
  /** The ids of the calls of this step. The same object in all copies of the scope. */
  readonly ids: CallIds
  /** The tools of this step. */
  readonly tools: readonly AsyncBaseTool[]
  readonly toolChoice: ToolChoice
  /** The option `context` of the run. */
  readonly context: Context
  /** Receives the events of the step; undefined if nobody listens. */
  readonly emit: ((event: StepEvent) => unknown) | undefined
  /** Resolves when the receiver of the events is ready for more. */
  readonly ready?: (() => Promise<void> | undefined) | undefined
  readonly signal: AbortSignal | undefined
  /** The id of the callback event that the step belongs to. */
  readonly parentId?: string | undefined
  /** Whether the turn must be an answer: the model receives no tools, and its text is the answer. */
  readonly mustAnswer?: boolean | undefined
  /** Calls that are refused because a limit is reached. */
  readonly refused?: ReadonlySet<LoopCall> | undefined
  /** Whether an outer layer handles an error of a tool call, so that it is thrown instead of reported to the model. */
  readonly handles?: ((error: unknown) => boolean) | undefined
  /** Whether the call is one that a repair function has returned. */
  readonly isRepaired?: boolean | undefined
  /** Whether an error of a tool call ends the run instead of being reported to the model. */
  readonly raises?: ((error: unknown) => boolean) | undefined
  /** What tools receive in addition. */
  readonly callContext?: Partial<ToolCallContext> | undefined
  /** Saves the result of a hook, so that a repeated step does not call it again. */
  readonly remember?:
    | (<T>(name: string, make: () => Promise<T>, fits: (data: unknown) => boolean) => Promise<T>)
    | undefined
  readonly durable?: Durable | undefined
  /** Whether an engine makes the calls of the model, and repeats those that fail. */
  readonly isRepeated?: boolean | undefined
  /** Receives the last piece of a reply whose stream broke. */
  readonly onBroken?: ((last: ChatResponse) => void) | undefined
  /** Receives the text of the reply as it streams. @internal */
  readonly onLive?: ((live: LiveText) => void) | undefined
  /** Receives the function that records the answer, for callers that record it later. */
  readonly defer?: ((write: (text: string) => void) => void) | undefined
}

/** Runs one step of a task: from the request to the record of its turn. */
export type RunStep = (input: ChatMessage | null, scope: Scope) => Promise<Outcome>
/** Adds the input of a task to its messages. */
export type AcceptInput = (input: ChatMessage, scope: Scope) => void | Promise<void>
/** Makes the request of a step. */
export type MakeRequest = (plan: RequestPlan, scope: Scope) => StepRequest | Promise<StepRequest>
/** Calls the model. */
export type CallModel = (request: StepRequest, scope: Scope) => Promise<ModelReply>
/** Returns a reply of the model or another one, from the inside to the outside. `ask` calls the model again, with the layers inside. */
export type CheckReply = (
  reply: ModelReply,
  request: StepRequest,
  scope: Scope,
  ask: CallModel,
) => ModelReply | Promise<ModelReply>
/** Reads a reply as a turn: an answer, calls of tools, or text that cannot be read. */
export type ReadReply = (message: ChatMessage, scope: Scope) => Turn | Promise<Turn>
/** Returns undefined if the turn must wait; what it waits for is in `state.pending_calls` then. */
export type MakeCalls = (calls: readonly LoopCall[], scope: Scope) => Promise<ToolOutput[] | undefined>
/** Returns undefined if the call must wait. */
export type CallTool = (call: LoopCall, scope: Scope) => Promise<ToolOutput | undefined>
/** Records a turn and the outputs of its calls in the task. */
export type RecordTurn = (turn: Turn, outputs: readonly ToolOutput[], scope: Scope) => Outcome | Promise<Outcome>
/** Returns the arguments of a call as an object. */
export type ReadCallArguments = (call: ToolCall) => Record<string, unknown>

/** A feature: functions around one or more of the functions of the loop. */
export interface Layer {
  /** For messages and checks. */
  readonly name?: string
  /** Layers with lower ranks are outside. @defaultValue 50, inside the limits and outside of what is saved */
  rank?: number
  /** The whole step. */
  step?(next: RunStep): RunStep
  /** A message of the user, before the model is called. */
  input?(next: AcceptInput): AcceptInput
  /** Makes the request: model, tools, messages and options. */
  request?(next: MakeRequest): MakeRequest
  /** Calls the model. */
  model?(next: CallModel): CallModel
  /** Looks at each reply of the model. */
  reply?: CheckReply
  /** Reads the reply of the model. */
  read?(next: ReadReply): ReadReply
  /** Makes all calls of a turn. */
  calls?(next: MakeCalls): MakeCalls
  /** Makes one call. */
  tool?(next: CallTool): CallTool
  /** Records a turn with the outputs of its calls, and decides what follows. */
  record?(next: RecordTurn): RecordTurn
  /** Reads the arguments of a call. */
  arguments?(next: ReadCallArguments): ReadCallArguments
  /** What the feature makes possible, without which a loop refuses tools that need it. */
  serves?: 'approvals' | 'agents' | 'timeLimit'
  /** Tools that the feature adds. */
  tools?: readonly Tool[]
  /** Whether the text of an answer may change, so that it must not be shown while it streams. */
  holdsText?: boolean
}

/** Layers, or lists of them. */
export type Layers = readonly (Layer | readonly Layer[])[]

/** Options of {@link Loop}. */
export interface LoopOptions {
  llm: BaseLLM
  tools?: readonly Tool[] | undefined
  protocol: ToolCallingProtocol
  layers?: Layers | undefined
  /** Maximum number of tools that run at the same time. @defaultValue 1 */
  maxParallelToolCalls?: number | undefined
}

/** The functions of a loop, composed once from its layers. */
export class Loop {
  readonly llm: BaseLLM
  readonly tools: readonly AsyncBaseTool[]
  readonly protocol: ToolCallingProtocol
  readonly parallel: number
  readonly holdsText: boolean
  readonly runStep: RunStep
  readonly acceptInput: AcceptInput
  readonly request: MakeRequest
  readonly callModel: CallModel
  readonly read: ReadReply
  readonly makeCalls: MakeCalls
  readonly callTool: CallTool
  readonly record: RecordTurn
  readonly argumentsOf: ReadCallArguments

  constructor({ llm, tools = [], protocol, layers: given = [], maxParallelToolCalls = 1 }: LoopOptions) {
    const layers = (given.flat() as Layer[]).sort((a, b) => (a.rank ?? 50) - (b.rank ?? 50))
    this.llm = llm
    this.protocol = protocol
    this.parallel = maxParallelToolCalls
    const added = layers.flatMap((layer) => layer.tools ?? [])
    this.tools = [...tools, ...added].map(adaptToAsyncTool)
    this.holdsText = layers.some(({ holdsText }) => holdsText)
    const made = {
      step: runStep,
      input: ((input, { step, task }) => protocol.acceptInput(input, step, task)) as AcceptInput,
      request: makeRequest,
      model: callModel,
      read: ((message) => protocol.read(message, false)) as ReadReply,
      calls: makeCalls,
      tool: callTool,
      record,
      arguments: argumentsOf,
    }
    // From the inside to the outside.
    let checks: CheckReply[] = []
    for (const layer of layers.reverse()) {
      if (layer.model) {
        made.model = checked(made.model, checks)
        checks = []
      }
      for (const key in layer) {
        const name = key as keyof typeof made
        if (name in made && layer[name]) made[name] = layer[name](made[name] as never) as never
      }
      if (layer.reply) checks.push(layer.reply)
    }
    made.model = checked(made.model, checks)
    this.runStep = made.step
    this.acceptInput = made.input
    this.request = made.request
    this.callModel = made.model
    this.read = made.read
    this.makeCalls = made.calls
    this.callTool = made.tool
    this.record = made.record
    this.argumentsOf = made.arguments
  }
}

/** Returns a call of the model whose replies are looked at. */
function checked(call: CallModel, checks: readonly CheckReply[]): CallModel {
  if (checks.length === 0) return call
  const upTo =
    (count: number): CallModel =>
    async (request, scope) => {
      let reply = await call(request, scope)
      for (let i = 0; i < count; i++) {
        const looked = checks[i]!(reply, request, scope, asks[i]!)
        reply = looked instanceof Promise ? await looked : looked
      }
      return reply
    }
  const asks = checks.map((_, i) => upTo(i))
  return upTo(checks.length)
}

/** One turn of the model, and the tool calls that it requests. */
const runStep: RunStep = async (input, given) => {
  const { loop, state, step, ids } = given
  if (input) await loop.acceptInput(input, given)
  step.stepState['is_first'] = false
  state.n_iterations++
  const request = await loop.request({ llm: loop.llm, tools: loop.tools, toolChoice: given.toolChoice }, given)
  const scope = request.tools === given.tools ? given : { ...given, tools: request.tools }
  const { message } = await loop.callModel(request, scope)
  const turn = await loop.read(message, scope)
  if (turn.kind !== 'calls') return loop.record(turn, [], scope)
  show(turn, scope)
  turn.calls = ids.assign(turn.calls)
  loop.protocol.recordCalls(turn, scope.task)
  return finishCalls(turn, scope)
}

/** Makes the calls of a turn and records their outputs; also of a turn that waited. */
export async function finishCalls(turn: CallsTurn & { calls: readonly LoopCall[] }, scope: Scope): Promise<Outcome> {
  const outputs = await scope.loop.makeCalls(turn.calls, scope)
  if (!outputs) return { kind: 'waiting' }
  scope.state.sources.push(...outputs)
  return scope.loop.record(turn, outputs, scope)
}

const makeRequest: MakeRequest = async (plan, { loop, task }) => ({
  ...plan,
  ...(await loop.protocol.request({ task, tools: plan.tools, toolChoice: plan.toolChoice })),
})

const callModel: CallModel = async ({ llm, messages, options }, scope) => {
  const response = await raceAbort(llm.chat(messages, callOptions(options, scope)), scope.signal)
  return { message: response.message, response }
}

/** Returns the options of a call of the model, with those of its step. */
export function callOptions(options: ModelRequest['options'], { signal, parentId }: Scope): ModelRequest['options'] {
  return { ...options, ...(signal && { signal }), ...(parentId !== undefined && { parentId }) }
}

const makeCalls: MakeCalls = async (calls, scope) => {
  if (calls.length === 1) {
    const output = await makeCall(calls[0]!, scope)
    return output && [output]
  }
  const outputs = await mapConcurrently(calls, scope.loop.parallel, (call) => makeCall(call, scope))
  return outputs.every((output) => output !== undefined) ? outputs : undefined
}

/** Makes a call, and reports it. A call that has an output already does not run. */
export async function makeCall(call: LoopCall, scope: Scope): Promise<ToolOutput | undefined> {
  if ('output' in call && call.output) return call.output
  const { emit, loop } = scope
  emit?.(toolCallEvent(call, loop.argumentsOf))
  const wait = scope.ready?.()
  if (wait) await wait
  const output = await loop.callTool(call, scope)
  if (output) emit?.(toolResultEvent(call.id, call.name, output))
  return output
}

/** Failures are outputs that the model reads; fatal errors end the run. */
const callTool: CallTool = async (call, scope) => {
  const { signal, context, parentId, task, tools, loop, emit, handles, raises } = scope
  try {
    const tool = findTool(tools, call.name)
    if (!tool)
      throw new ToolNotFoundError(
        call.name,
        tools.map(({ metadata }) => metadata.getName()),
      )
    const onProgress = emit && ((progress: unknown) => emit(progressEvent(call, progress)))
    const idempotencyKey = `${task.taskId}/${placeOf(call, scope)}`
    const own = { toolCallId: call.id, idempotencyKey, context, signal, parentId, onProgress }
    const made = tool.call(loop.argumentsOf(call), { ...own, ...scope.callContext })
    return checkedOutput(call, await raceAbort(made, signal))
  } catch (error) {
    signal?.throwIfAborted()
    if (isToolkitError(error, 'abort') || isFatal(error) || handles?.(error) || raises?.(error)) throw error
    return failedOutput(call, error)
  }
}

/** Records a turn, and reports an answer. */
const record: RecordTurn = (turn, outputs, scope) => {
  const { loop, task, state, tools } = scope
  const { protocol } = loop
  if (turn.kind === 'unreadable') {
    protocol.recordUnreadable(turn, task)
    return { kind: 'next', text: protocol.outputText(turn, []) }
  }
  if (turn.kind === 'answer') {
    show(turn, scope)
    if (scope.defer) scope.defer((text) => protocol.recordAnswer(text, turn, task))
    else protocol.recordAnswer(turn.text, turn, task)
    return { kind: 'answer', text: turn.text, output: turn.output }
  }
  for (const [i, output] of outputs.entries()) protocol.recordOutput(turn.calls[i]!, output, task)
  const isDirect =
    outputs.length === 1 && !outputs[0]!.isError && findTool(tools, turn.calls[0]!.name)?.metadata.returnDirect
  if (isDirect) return loop.record({ kind: 'answer', text: state.sources.at(-1)!.content }, [], scope)
  return { kind: 'next', text: protocol.outputText(turn, outputs) }
}

/** Reports the thought and the text of a turn, unless they were reported while they streamed. */
function show({ thought, text, shown }: AnswerTurn | CallsTurn, { emit }: Scope): void {
  if (thought && shown !== 'all') emit?.({ type: 'reasoning', text: thought })
  if (text && !shown) emit?.({ type: 'text_delta', delta: text })
}

/** Finds a tool by name. */
export function findTool(tools: readonly AsyncBaseTool[], name: string): AsyncBaseTool | undefined {
  return tools.find(({ metadata }) => metadata.name === name)
}

/** Returns the place of a call in its task, `<step>/<position>`: that of the turn which requested it, also if it waited. */
export function placeOf(call: LoopCall, { ids, stepNumber }: Scope): string {
  return ('place' in call && call.place) || `${stepNumber}/${ids.positionOf(call)}`
}

/** Returns the position of a call in its turn, as its place states it. */
export function positionOf(call: LoopCall, scope: Scope): string {
  return placeOf(call, scope).split('/')[1]!
}

/** Reads arguments that are strict JSON; the layer `lenientArguments` repairs others. */
const argumentsOf: ReadCallArguments = ({ name, arguments: given }) => {
  const value: unknown = typeof given !== 'string' ? given : given.trim() === '' ? {} : jsonIn(given)
  if (isPlainObject(value)) return value
  throw new ToolInputError(name, [{ path: '', message: 'expected a JSON object' }])
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses values that are not outputs, for tools that are written without types. */
function checkedOutput(call: ToolCall, output: Partial<ToolOutput> | null | undefined): ToolOutput {
  if (typeof output?.content !== 'string') throw new ToolExecutionError(call.name, 'it returned no output')
  return output as ToolOutput
}

/** Returns the output of a call that failed. */
export function failedOutput(call: ToolCall, error: unknown): ToolOutput {
  const shown = isToolkitError(error, 'tool_execution') && error.cause !== undefined ? error.cause : error
  return errorOutput(call.name, errorMessage(shown), call.arguments)
}
