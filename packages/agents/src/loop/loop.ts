/**
 * @module
 * The loop of every agent with tools. A step reads from top to bottom in `runStep`; every feature is a layer around one of the functions
 * of the loop, and what is off does not exist.
 */

import { errorMessage, wellFormed } from '@x/core/values'
import { type ChatMessage, type ChatResponse, isToolkitError, type ToolOutput } from '@x/core-model'
import { mapConcurrently, raceAbort } from '@x/core-model/async'
import { eventJson, type StepEvent, type ToolCall, toolResultEvent } from '../task/agent-event.ts'
import { type AsyncBaseTool, adaptToAsyncTool, errorOutput, interruptedOutput, isFatal } from '../tool/base-tool.ts'
import { isCallError, ToolExecutionError, ToolNotFoundError } from '../tool/tool-errors.ts'
import { argumentsOf } from './json-arguments.ts'
import type {
  AcceptInput,
  CallModel,
  CallTool,
  CheckReply,
  DecidedCall,
  Layer,
  Loop,
  LoopCall,
  LoopOptions,
  MakeCalls,
  MakeRequest,
  ModelReply,
  Outcome,
  ReadReply,
  RecordTurn,
  RunStep,
  Scope,
  StepRequest,
} from './layer.ts'
import type { AnswerTurn, CallsTurn, ModelRequest } from './tool-calling-protocol.ts'

/** The functions of a loop, by the functions of a layer that are put around them. */
const AROUND = {
  step: 'runStep',
  input: 'acceptInput',
  request: 'request',
  model: 'callModel',
  read: 'read',
  calls: 'makeCalls',
  tool: 'callTool',
  record: 'record',
  arguments: 'argumentsOf',
} as const

type Emit = (event: StepEvent) => unknown

/** A loop whose functions are composed once, from its layers. */
export interface LayeredLoop extends Loop {}

export class LayeredLoop {
  constructor({ llm, tools = [], protocol, layers: given = [], maxToolConcurrency }: LoopOptions) {
    // Two features may share a layer.
    const layers = [...new Set(given.flat() as Layer[])].sort((a, b) => (a.rank ?? 50) - (b.rank ?? 50))
    const made = {
      llm,
      tools: tools.map(adaptToAsyncTool),
      protocol,
      parallel: maxToolConcurrency,
      holdsText: false,
      holdsReasoning: false,
      holdsInput: false,
      runStep,
      acceptInput: ((input, { step, task, onInput }) => {
        onInput?.(input)
        protocol.acceptInput(input, step, task)
      }) as AcceptInput,
      request: makeRequest,
      callModel,
      read: ((message) => protocol.read(message, false)) as ReadReply,
      makeCalls,
      callTool,
      record,
      argumentsOf,
    }
    for (const { tools: added = [], holdsText, holdsReasoning, holdsInput, approve } of layers) {
      if (approve) Object.assign(made, { approve })
      made.tools.push(...added.map(adaptToAsyncTool))
      made.holdsText ||= holdsText === true
      made.holdsReasoning ||= holdsReasoning === true
      made.holdsInput ||= holdsInput === true
    }
    // From the inside to the outside.
    let checks: CheckReply[] = []
    for (const layer of layers.reverse()) {
      if (layer.model) {
        made.callModel = checked(made.callModel, checks)
        checks = []
      }
      for (const key in AROUND) {
        const around = key as keyof typeof AROUND
        const name = AROUND[around]
        if (layer[around]) made[name] = layer[around](made[name] as never) as never
      }
      if (layer.reply) checks.push(layer.reply)
    }
    made.callModel = checked(made.callModel, checks)
    Object.assign(this, made)
  }
}

/** Returns a call of the model whose replies are looked at. */
function checked(call: CallModel, checks: readonly CheckReply[]): CallModel {
  if (checks.length === 0) return call
  const upTo = async (count: number, request: StepRequest, scope: Scope): Promise<ModelReply> => {
    let reply = await call(request, scope)
    for (let i = 0; i < count; i++) {
      const looked = checks[i]!(reply, request, scope, upTo.bind(null, i))
      if (looked !== reply) reply = await looked
    }
    return reply
  }
  return upTo.bind(null, checks.length)
}

/** One turn of the model, and the tool calls that it requests. */
const runStep: RunStep = async (input, given) => {
  const { loop, state, step, ids } = given
  if (input) await loop.acceptInput(input, given)
  step.stepState['is_first'] = false
  state.n_iterations++
  const request = await loop.request({ llm: loop.llm, tools: loop.tools, toolChoice: given.toolChoice }, given)
  const scope = request.tools === given.tools ? given : { ...given, tools: request.tools }
  const { message, asking } = await loop.callModel(request, scope)
  const turn = await loop.read(message, scope)
  if (turn.kind !== 'calls') return loop.record(turn, [], scope)
  show(turn, scope)
  turn.calls = ids.assign(turn.calls, asking)
  loop.protocol.recordCalls(turn, scope.task, loop.argumentsOf)
  return finishCalls(turn, scope)
}

/** Makes the calls of a turn and records their outputs; also of a turn that waited. */
export async function finishCalls(turn: CallsTurn & { calls: readonly LoopCall[] }, scope: Scope): Promise<Outcome> {
  const outputs = await scope.loop.makeCalls(turn.calls, scope)
  if (!outputs) return { kind: 'waiting' }
  scope.state.sources.push(...outputs)
  return scope.loop.record(turn, outputs, scope)
}

const makeRequest: MakeRequest = (plan, { loop, task, ids }) => {
  const made = loop.protocol.request({ task, tools: plan.tools, toolChoice: plan.toolChoice })
  const complete = ({ messages, options }: ModelRequest): StepRequest => {
    ids.messages = messages
    return { ...plan, messages, options }
  }
  return 'messages' in made ? complete(made) : made.then(complete)
}

const callModel: CallModel = async ({ llm, messages, options }, scope) => {
  const { signal, parentId } = scope
  const made = llm.chat(wellFormedMessages(messages), { ...options, signal, parentId })
  const response = await (signal ? raceAbort(made, signal) : made)
  return reportedReply(response, scope)
}

/** Returns a reply, and reports the sources that it cites. */
export function reportedReply(response: ChatResponse, { emit }: Scope): ModelReply {
  const { message } = response
  if (emit && message.parts)
    for (const part of message.parts) if (part.type === 'source') emit({ type: 'source', source: part.source })
  return { message, response }
}

/** Returns the messages without lone surrogates, which no provider accepts. */
export function wellFormedMessages(messages: ChatMessage[]): ChatMessage[] {
  for (const { content } of messages)
    if (wellFormed(content) !== content)
      return messages.map((message) => message.copy({ update: { content: wellFormed(message.content) } }))
  return messages
}

const makeCalls: MakeCalls = async (calls, scope) => {
  if (calls.length === 1) {
    if (scope.judge) await scope.judge(calls)
    const output = await makeCall(calls[0]!, scope)
    return output && [output]
  }
  const most = scope.loop.parallel ?? (scope.inOrder ? 1 : Number.POSITIVE_INFINITY)
  const report = scope.emit && eventsInOrder(scope.emit)
  const outputs: (ToolOutput | undefined)[] = []
  for (const group of together(calls, scope)) {
    const first = outputs.length
    // A call that runs alone may change what the calls behind it are judged by.
    if (scope.judge) await scope.judge(group)
    const made = await mapConcurrently(group, most, async (call, i) => {
      try {
        return await makeCall(call, scope, report?.(first + i))
      } finally {
        report?.(first + i)()
      }
    })
    outputs.push(...made)
  }
  return outputs.every((output) => output !== undefined) ? outputs : undefined
}

/** Returns the calls in groups that may run at the same time. */
function together(calls: readonly LoopCall[], { tools }: Scope): LoopCall[][] {
  const groups: LoopCall[][] = []
  let isOpen = false
  for (const call of calls) {
    const isAlone = findTool(tools, call.name)?.sequential === true
    if (isOpen && !isAlone) groups.at(-1)!.push(call)
    else groups.push([call])
    isOpen = !isAlone
  }
  return groups
}

/** Returns a function that reports the events of calls in the order of the calls. Without an event, the call at that place is over. */
function eventsInOrder(emit: Emit): (place: number) => (event?: StepEvent) => void {
  const held: StepEvent[][] = []
  const over = new Set<number>()
  let next = 0
  return (place) => (event) => {
    if (event) (held[place] ??= []).push(event)
    else over.add(place)
    for (; over.has(next); next++) for (const one of held[next] ?? []) emit(one)
  }
}

/** Makes a call, and reports it. A call that has an output already does not run. @param report - receives the event of the output. */
async function makeCall(
  call: LoopCall,
  scope: Scope,
  report: Emit | undefined = scope.emit,
): Promise<ToolOutput | undefined> {
  const decided = isDecided(call) ? call : undefined
  if (decided?.output) return decided.output
  if (scope.judged?.get(call)?.decision === null) return undefined
  const { emit, loop, state, ids } = scope
  const isRepeated = ids.isReplayed || decided?.begun
  if (isNewCall(call) && !scope.refused?.has(call)) {
    state.n_function_calls++
    const place = placeOf(call, scope)
    if (state.usage && !state.counted?.[place]) {
      state.usage.toolCalls++
      state.counted = { ...state.counted, [place]: state.usage }
    }
  }
  emit?.(toolCallEvent(call, loop.argumentsOf))
  const wait = scope.ready?.()
  if (wait) await wait
  const output = await loop.callTool(call, isRepeated ? { ...scope, mayHaveRun: true } : scope)
  if (output) report?.(toolResultEvent(call, output, toolErrors.get(output)))
  return output
}

/** Failures are outputs that the model reads; fatal errors end the run. */
const callTool: CallTool = async (call, scope) => {
  const { signal, context, parentId, task, tools, loop, emit, handles, raises } = scope
  try {
    const fault = scope.faults?.get(call)
    if (fault) throw fault
    const tool = findTool(tools, call.name)
    if (!tool)
      throw new ToolNotFoundError(
        call.name,
        tools.map(({ metadata }) => metadata.getName()),
      )
    const event = { type: 'tool_progress' as const, callId: call.id, toolName: call.name }
    const onProgress = emit && ((progress: unknown) => emit({ ...event, progress: eventJson(progress) }))
    const idempotencyKey = `${task.taskId}/${placeOf(call, scope)}`
    const own = { toolCallId: call.id, idempotencyKey, context, signal, parentId, onProgress, ...scope.callContext }
    const args = loop.argumentsOf(call)
    // A layer, such as a guard, may have decided after the run was stopped.
    signal?.throwIfAborted()
    scope.begun?.set(call.id, undefined)
    const made = tool.call(args, own)
    return checkedOutput(call, await (signal ? raceAbort(made, signal) : made))
  } catch (error) {
    signal?.throwIfAborted()
    if (isToolkitError(error, 'abort') || handles?.(error)) throw error
    const isRaised = raises?.(error)
    if (isRaised || isFatal(error)) {
      scope.begun?.set(call.id, error)
      if (isRaised || isToolkitError(error)) throw error
      throw new ToolExecutionError(call.name, errorMessage(error), { cause: error, fatal: true })
    }
    const output = failedOutput(call, error, scope)
    if (findTool(tools, call.name)?.untrusted) output.untrusted = true
    return output
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
  const isDirect =
    outputs.length === 1 && !outputs[0]!.isError && findTool(tools, turn.calls[0]!.name)?.metadata.returnDirect
  for (const [i, output] of outputs.entries()) protocol.recordOutput(turn.calls[i]!, output, task)
  if (isDirect) return loop.record({ kind: 'answer', text: state.sources.at(-1)!.content }, [], scope)
  return { kind: 'next', text: protocol.outputText(turn, outputs) }
}

/** Reports the thought and the text of a turn, unless they were reported while they streamed. */
function show({ thought, text, shown }: AnswerTurn | CallsTurn, { emit }: Scope): void {
  if (thought && shown !== 'all') emit?.({ type: 'reasoning', text: thought })
  if (text && !shown) emit?.({ type: 'text_delta', delta: text })
}

/** Whether a call waited and is decided. */
export function isDecided(call: LoopCall): call is DecidedCall {
  return 'decision' in call
}

/** Whether a call counts towards limits: a tool runs for it, for the first time. */
export function isNewCall(call: LoopCall): boolean {
  return !isDecided(call) || (call.decision === 'approve' && !call.output && !call.decisions?.length)
}

/** Finds a tool by name. */
export function findTool(tools: readonly AsyncBaseTool[], name: string): AsyncBaseTool | undefined {
  for (const tool of tools) if (tool.metadata.name === name) return tool
  return undefined
}

/** Returns the place of a call in its task, `<step>/<position>`: that of the turn which requested it, also if it waited. */
export function placeOf(call: LoopCall, { ids, stepNumber }: Scope): string {
  return call.place ?? `${stepNumber}/${ids.positionOf(call)}`
}

/** Returns the position of a call in its turn, as its place states it. */
export function positionOf(call: LoopCall, scope: Scope): string {
  return placeOf(call, scope).split('/')[1]!
}

/** Refuses values that are not outputs, for tools that are written without types. */
function checkedOutput(call: ToolCall, output: Partial<ToolOutput> | null | undefined): ToolOutput {
  if (typeof output?.content !== 'string') throw new ToolExecutionError(call.name, 'it returned no output')
  return output as ToolOutput
}

/** The errors of failed outputs. */
export const toolErrors = new WeakMap<ToolOutput, unknown>()

/** Returns the output of a call that failed. */
export function failedOutput(call: ToolCall, error: unknown, scope?: Scope): ToolOutput {
  // Only this attempt was refused.
  if (scope?.mayHaveRun && isCallError(error)) return interruptedOutput(call)
  const shown = isToolkitError(error, 'tool_execution') && error.cause !== undefined ? error.cause : error
  const output = errorOutput(call.name, errorMessage(shown), call.arguments)
  output.rawOutput = scope?.failedAnswer?.() ?? null
  toolErrors.set(output, shown)
  return output
}

/** Returns the event of a call that is about to run. @param read - reads its arguments. */
function toolCallEvent(call: ToolCall, read: (call: ToolCall) => Record<string, unknown>): StepEvent {
  const start = { type: 'tool_call' as const, callId: call.id, toolName: call.name }
  try {
    return { ...start, arguments: eventJson(read(call)) }
  } catch {
    return { ...start, arguments: {}, invalidArguments: String(call.arguments) }
  }
}
