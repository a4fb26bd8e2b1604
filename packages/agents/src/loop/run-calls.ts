/**
 * @module
 * Runs the tool calls of a turn and reports them as events.
 */
import type { ToolOutput } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/internal'
import { RepeatedFailureError } from '../errors.ts'
import { type PendingToolCall, type StepEvent, type ToolCall, toolResultEvent } from '../task/agent-event.ts'
import { errorOutput } from '../tool/base-tool.ts'
import { readCallArguments, runToolCall } from '../tool/run-tool-call.ts'
import { callsLeft, type Round, stepNumber } from './round.ts'
import { checkToolBudget } from './usage.ts'

/** Makes the ids of the calls of a turn, which are unique within the task. */
export class CallNames {
  private readonly step: number
  private readonly used: Set<unknown>
  private readonly ids: string[] = []

  constructor(round: Round) {
    const { state } = round
    this.step = stepNumber(round)
    this.used = new Set(state.new_memory.getAll().map(({ additionalKwargs }) => additionalKwargs['tool_call_id']))
  }

  /** Returns the id of the provider if it is new in the task, otherwise `call_<step>_<position>`. */
  id(providerId: string | null, position: number): string {
    const known = this.ids[position]
    if (known !== undefined) return known
    const id = providerId && !this.used.has(providerId) ? providerId : `call_${this.step}_${position}`
    this.used.add(id)
    this.ids[position] = id
    return id
  }

  /** Returns the calls with their ids in the task. */
  name(calls: readonly ToolCall[]): ToolCall[] {
    return calls.map((call, position) => {
      const id = this.id(call.id, position)
      return { ...call, id, ...(call.id !== '' && call.id !== id && { providerId: call.id }) }
    })
  }
}

/**
 * Runs calls, at most as many at the same time as the options allow.
 * @returns all outputs in the order of the calls, including failures.
 * @throws {BudgetExceededError} before any of them runs.
 */
export async function runCalls(calls: readonly (ToolCall | PendingToolCall)[], round: Round): Promise<ToolOutput[]> {
  const { worker, state, task } = round
  const { budget, maxParallelToolCalls = 1 } = worker.options
  let left = callsLeft(round)
  const wanted = Math.min(left, calls.filter((call) => !isRejected(call)).length)
  checkToolBudget(task.taskId, state.usage, budget, wanted)
  if (calls.length === 1) return [await runCall(calls[0]!, 0, isRejected(calls[0]!) || left > 0, round)]
  const positions = [...calls.entries()]
  return mapConcurrently(positions, maxParallelToolCalls, ([position, call]) =>
    runCall(call, position, isRejected(call) || left-- > 0, round),
  )
}

/** @param isWithinLimit - whether one more call may run. */
async function runCall(
  call: ToolCall | PendingToolCall,
  position: number,
  isWithinLimit: boolean,
  round: Round,
): Promise<ToolOutput> {
  const { worker, context } = round
  const { onEvent } = context
  onEvent?.(toolCallEvent(call))
  const output = await outputOf(call, position, isWithinLimit, round)
  onEvent?.(toolResultEvent(call.id, call.name, output))
  worker.log(output.content)
  return output
}

function outputOf(
  call: ToolCall | PendingToolCall,
  position: number,
  isWithinLimit: boolean,
  round: Round,
): ToolOutput | Promise<ToolOutput> {
  const { worker, state, step, task, context, tools } = round
  const { onToolError, onUnknownTool, repairToolCall, toolTimeoutMs } = worker.options
  const refuse = (why: string) => errorOutput(call.name, why, call.arguments)
  if (isRejected(call)) return refuse(`the user has rejected this call${call.reason ? `: ${call.reason}` : '.'}`)
  if (!isWithinLimit) return refuse('the limit of tool calls is reached; this call was not made.')
  state.n_function_calls++
  state.usage.toolCalls++
  return runToolCall(call, tools, {
    callbackManager: worker.callbackManager,
    onToolError,
    onUnknownTool,
    repairToolCall,
    toolTimeoutMs,
    signal: context.signal,
    task,
    idempotencyKey: `${task.taskId}/${stepNumber(round)}/${position}`,
    context: context.context,
    stepId: step.stepId,
    parentId: context.parentId,
    onProgress: (progress) =>
      context.onEvent?.({ type: 'tool_progress', callId: call.id, toolName: call.name, progress: jsonCopy(progress) }),
  })
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
  return JSON.parse(JSON.stringify(data ?? null))
}

/**
 * Counts consecutive failures of the same call.
 * @throws {RepeatedFailureError} at the limit, unless the model is to give its best answer then.
 */
export function countFailure(call: ToolCall, output: ToolOutput, { worker, state, task }: Round): void {
  if (!output.isError) {
    state.failing_call = undefined
    return
  }
  const { maxRepeatedFailures = 5, onMaxIterations } = worker.options
  const key = `${call.name} ${typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)}`
  const times = state.failing_call?.key === key ? state.failing_call.times + 1 : 1
  state.failing_call = { key, times }
  if (maxRepeatedFailures === null || times < maxRepeatedFailures) return
  if (onMaxIterations !== 'answer') throw new RepeatedFailureError(task.taskId, call.name, times, output.content)
  state.last_call = true
}

function isRejected(call: ToolCall | PendingToolCall): call is PendingToolCall {
  return 'decision' in call && call.decision === 'reject'
}
