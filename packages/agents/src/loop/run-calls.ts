/**
 * @module
 * Runs the tool calls of a turn and reports them as events.
 */
import { type ChatMessage, isToolkitError, type ToolOutput } from '@x/core-model'
import { compactJson, lazy, mapConcurrently } from '@x/core-model/internal'
import { type PendingToolCall, type StepEvent, type ToolCall, toolResultEvent } from '../task/agent-event.ts'
import type { ApprovalRequiredError } from '../task/task-errors.ts'
import { errorOutput } from '../tool/base-tool.ts'
import { readCallArguments, runToolCall } from '../tool/run-tool-call.ts'
import { callCodec, once, outputCodec } from './durable-calls.ts'
import { guardCall } from './guards.ts'
import { RepeatedFailureError } from './loop-errors.ts'
import { hasResult, providedOutput } from './pending-calls.ts'
import { callsLeft, type Round, stepNumber } from './round.ts'
import { AgentUsage, checkToolBudget } from './usage.ts'

/** Creates the ids of the calls of a turn, which are unique within the task. */
export class CallIds {
  private readonly step: number
  /** The messages of the task; read once, for the first id. */
  private readonly messages: () => readonly ChatMessage[]
  private readonly ids: string[] = []

  constructor(round: Round) {
    const { state } = round
    this.step = stepNumber(round)
    this.messages = lazy(() => state.new_memory.getAll())
  }

  /** Returns the id of the provider if it is new in the task, otherwise `call_<step>_<position>`. */
  id(providerId: string | null, position: number): string {
    this.ids[position] ??= providerId && !this.isUsed(providerId) ? providerId : `call_${this.step}_${position}`
    return this.ids[position]
  }

  private isUsed(id: string): boolean {
    if (this.ids.includes(id)) return true
    // A loop without allocations, because long tasks have thousands of messages.
    for (const { additionalKwargs } of this.messages()) if (additionalKwargs['tool_call_id'] === id) return true
    return false
  }

  /** Returns the calls with their ids in the task. */
  assign(calls: readonly ToolCall[]): ToolCall[] {
    return calls.map((call, position) => {
      const id = this.id(call.id, position)
      return { ...call, id, ...(call.id !== '' && call.id !== id && { providerId: call.id }) }
    })
  }
}

/** The results of the calls of a turn. */
export interface CallResults {
  /** The outputs in the order of the calls; empty if the turn waits. */
  outputs: ToolOutput[]
  /** The calls of the turn and those for which agents among the tools wait; undefined if none waits. */
  waiting?: PendingToolCall[] | undefined
}

/**
 * Runs calls, at most as many at the same time as the options allow. A call that has an output already does not run.
 * @param all - the calls of a turn; also decided calls of agents among the tools, which their agents receive.
 * @returns all outputs, including failures, or what the turn waits for.
 * @throws {BudgetExceededError} before any of them runs.
 */
export async function runCalls(all: readonly (ToolCall | PendingToolCall)[], round: Round): Promise<CallResults> {
  const { worker, state, task, context } = round
  const { budget, maxParallelToolCalls = 1 } = worker.options
  const inner = all.filter((call): call is PendingToolCall => 'parent' in call)
  const calls = all.filter((call) => !('parent' in call)).map((call) => planned(call, inner))
  let left = callsLeft(round)
  const wanted = Math.min(left, calls.filter(({ isNew }) => isNew).length)
  checkToolBudget(task.taskId, state.usage, budget, wanted)
  if (wanted > 0) context.checkBudget?.({ ...state.usage }, wanted)
  const positions = [...calls.entries()]
  const results = await mapConcurrently(positions, maxParallelToolCalls, ([position, call]) =>
    runCall(call, position, !call.isNew || left-- > 0, round),
  )
  if (results.every((result): result is ToolOutput => !(result instanceof Waiting))) return { outputs: results }
  return {
    outputs: [],
    waiting: results.flatMap((result, i) => entriesOf(calls[i]!.call, placeOf(calls[i]!.call, round, i), result)),
  }
}

/** Completes the calls of a turn whose results are saved, so that they do not run again when the others are decided. */
export async function withResults(calls: readonly PendingToolCall[], round: Round): Promise<PendingToolCall[]> {
  const entries = calls.map(async (call, position) => {
    if (!hasResult(position, round)) return [call]
    return entriesOf(call, placeOf(call, round, position), await runCall(planned(call, []), position, true, round))
  })
  return (await Promise.all(entries)).flat()
}

/** The result of a call whose agent waits for decisions. */
class Waiting {
  readonly error: ApprovalRequiredError

  constructor(error: ApprovalRequiredError) {
    this.error = error
  }
}

/** A call that is about to run. */
interface PlannedCall {
  call: ToolCall | PendingToolCall
  /** The decisions on calls of its agent, with the ids that the agent uses. */
  decisions: PendingToolCall[]
  /** Whether it counts towards the limit of tool calls. */
  isNew: boolean
}

function planned(call: ToolCall | PendingToolCall, inner: readonly PendingToolCall[]): PlannedCall {
  const own = inner.filter(({ parent }) => parent === call.id)
  const decisions = own.map((one) => ({ ...one, id: one.id.slice(call.id.length + 1) }))
  return { call, decisions, isNew: !isFree(call) && !('output' in call) && decisions.length === 0 }
}

/** Returns a call of an interrupted turn, with the calls of its agent that wait. */
function entriesOf(call: ToolCall, place: string, result: ToolOutput | Waiting): PendingToolCall[] {
  const own: PendingToolCall = { ...call, place, needsApproval: false, decision: 'approve' }
  if (!(result instanceof Waiting)) return [{ ...own, output: result }]
  const { calls, taskId, agentTask } = result.error
  return [
    { ...own, agentTask },
    ...calls.map((inner) => ({ ...inner, id: `${call.id}/${inner.id}`, parent: call.id, taskId })),
  ]
}

/** @param isWithinLimit - whether one more call may run. */
async function runCall(
  plan: PlannedCall,
  position: number,
  isWithinLimit: boolean,
  round: Round,
): Promise<ToolOutput | Waiting> {
  const { call } = plan
  const { worker, context, state } = round
  const { onEvent } = context
  if ('output' in call && call.output) return call.output
  void onEvent?.(toolCallEvent(call))
  await context.ready?.()
  const { usage } = state
  const { agents: running, task } = round
  const agentUsage = new AgentUsage({ taskId: task.taskId, usage, running, budget: worker.options.budget })
  let output: ToolOutput
  try {
    output = await outputOf(plan, position, isWithinLimit, round, agentUsage)
  } catch (error) {
    // Only agents as tools can wait. The error of any other tool is already an output.
    if (isToolkitError(error, 'approval_required')) return new Waiting(error)
    throw error
  }
  agentUsage.add(output)
  onEvent?.(toolResultEvent(call.id, call.name, output))
  worker.log(output.content)
  return output
}

async function outputOf(
  { call, decisions, isNew }: PlannedCall,
  position: number,
  isWithinLimit: boolean,
  round: Round,
  agentUsage: AgentUsage,
): Promise<ToolOutput> {
  const { worker, state, step, task, context, tools } = round
  const { onToolError, onUnknownTool, repairToolCall, toolTimeoutMs } = worker.options
  const refuse = (why: string) => errorOutput(call.name, why, call.arguments)
  const provided = 'decision' in call ? await providedOutput(call, round) : undefined
  if (provided) return provided
  if (isRejected(call)) return refuse(`the user has rejected this call${call.reason ? `: ${call.reason}` : '.'}`)
  if (!isWithinLimit) return refuse('the limit of tool calls is reached; this call was not made.')
  if (isNew) {
    state.n_function_calls++
    state.usage.toolCalls++
  }
  const place = placeOf(call, round, position)
  const guarded = await guardCall(call, position, round)
  if ('block' in guarded) return refuse(`this call was blocked: ${guarded.block}`)
  const part = context.part?.(place)
  const running = runToolCall(guarded, tools, {
    callbackManager: worker.callbackManager,
    onToolError,
    onUnknownTool,
    repairToolCall:
      repairToolCall && ((failed) => once(round, `repair-${position}`, async () => repairToolCall(failed), callCodec)),
    once: (fn, { isRepaired, handles }) =>
      once(round, `tool-${position}${isRepaired ? '-2' : ''}`, fn, { ...outputCodec, handles }),
    durable: part?.durable,
    taskStore: part?.taskStore,
    toolTimeoutMs,
    signal: context.signal,
    task,
    idempotencyKey: `${task.taskId}/${place}`,
    context: context.context,
    onUsage: (used) => {
      const total = agentUsage.note(used)
      context.onEvent?.({ type: 'usage', call: null, total })
      agentUsage.check(total)
    },
    checkBudget: (used, toolCalls) => agentUsage.checkNext(used, toolCalls, context.checkBudget),
    decisions,
    agentTask: 'agentTask' in call ? call.agentTask : undefined,
    mustSave: context.saving?.isStrict,
    stepId: step.stepId,
    parentId: context.parentId,
    onProgress: (progress) =>
      context.onEvent?.({ type: 'tool_progress', callId: call.id, toolName: call.name, progress: jsonCopy(progress) }),
  })
  try {
    return await running
  } finally {
    part?.check()
  }
}

/** Returns the place of a call in its task: that of the turn which requested it, also if it waited for a decision. */
function placeOf(call: ToolCall | PendingToolCall, round: Round, position: number): string {
  return ('place' in call && call.place) || `${stepNumber(round)}/${position}`
}

function toolCallEvent(call: ToolCall): StepEvent {
  const start = { type: 'tool_call' as const, callId: call.id, toolName: call.name }
  try {
    return { ...start, arguments: jsonCopy(readCallArguments(call)) }
  } catch {
    return { ...start, arguments: {}, invalidArguments: String(call.arguments) }
  }
}

function jsonCopy<T>(data: T): T {
  return JSON.parse(JSON.stringify(data ?? null, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
}

/**
 * Counts consecutive failures of the same call.
 * @throws {RepeatedFailureError} at the limit, unless the model is then asked for its best answer.
 */
export function countFailure(call: ToolCall, output: ToolOutput, { worker, state, task }: Round): void {
  if (!output.isError) {
    state.failing_call = undefined
    return
  }
  const { maxRepeatedFailures = 5, onMaxIterations } = worker.options
  const key = `${call.name} ${typeof call.arguments === 'string' ? call.arguments : compactJson(call.arguments)}`
  const times = state.failing_call?.key === key ? state.failing_call.times + 1 : 1
  state.failing_call = { key, times }
  if (maxRepeatedFailures === null || times < maxRepeatedFailures) return
  if (onMaxIterations !== 'answer') throw new RepeatedFailureError(task.taskId, call.name, times, output.content)
  state.last_call = true
}

function isRejected(call: ToolCall | PendingToolCall): call is PendingToolCall {
  return 'decision' in call && call.decision === 'reject'
}

/** Whether no tool runs for this call, because it was rejected or its result was provided. */
function isFree(call: ToolCall | PendingToolCall): boolean {
  return isRejected(call) || ('decision' in call && call.decision === 'result')
}
