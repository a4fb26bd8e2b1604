/**
 * @module
 * Calls that wait for a decision of a person, or for a result from outside.
 */
import { type JsonSchema, ToolOutput } from '@x/core-model'
import { compactJson, errorMessage } from '@x/core-model/internal'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import { ApprovalRequiredError } from '../task/task-errors.ts'
import { errorOutput } from '../tool/base-tool.ts'
import type { FunctionTool } from '../tool/function-tool.ts'
import { findTool, needsApproval, readCallArguments } from '../tool/run-tool-call.ts'
import { type Round, stepNumber } from './round.ts'

/** Returns the calls of a turn with the decisions that they need, or undefined if none of them must wait. */
export async function callsToDecide(calls: readonly ToolCall[], round: Round): Promise<PendingToolCall[] | undefined> {
  const { tools } = round
  if (!tools.some((tool) => tool.needsApproval || tool.isExternal)) return undefined
  const pending: PendingToolCall[] = []
  for (const [position, call] of calls.entries()) {
    const awaits = hasResult(position, round) ? undefined : await waitOf(call, round)
    const place = `${stepNumber(round)}/${position}`
    pending.push({
      ...call,
      place,
      ...(awaits && { awaits, ...schemaOf(call, round) }),
      needsApproval: awaits === 'approval',
      decision: awaits ? null : 'approve',
    })
  }
  return undecided(pending).length > 0 ? pending : undefined
}

/** Whether the result of a call is saved. Such a call does not wait, even if a new version of the program would ask for approval. */
export function hasResult(position: number, round: Round): boolean {
  return round.context.saving?.isKnown(`step-${stepNumber(round)}/tool-${position}`) ?? false
}

/** Returns the schema of the arguments, if the agent itself does not have the tool: new arguments are checked with it. */
function schemaOf({ name }: ToolCall, { worker, tools }: Round): { schema?: JsonSchema } {
  const isOwn = findTool(worker.tools, name) !== undefined
  const schema = isOwn ? undefined : findTool(tools, name)?.metadata.jsonSchema
  return schema ? { schema } : {}
}

/** Returns what a call has to wait for. */
async function waitOf(
  call: ToolCall,
  { tools, task, state, context }: Round,
): Promise<'approval' | 'result' | undefined> {
  const tool = findTool(tools, call.name)
  if (tool?.isExternal) return 'result'
  if (state.allowed_tools?.includes(call.name)) return undefined
  const surroundings = { toolCallId: call.id, task, context: context.context }
  return (await needsApproval(call, tool, surroundings)) ? 'approval' : undefined
}

/** Reports the calls that wait. Returns the text of the step. */
export function reportWaiting(calls: readonly PendingToolCall[], { context }: Round): string {
  const waiting = undecided(calls)
  context.onEvent?.({ type: 'approval_required', calls: waiting })
  const what = waiting.every(({ awaits }) => awaits === 'result') ? 'the result' : 'approval'
  return `Waiting for ${what} of: ${waiting.map(({ name }) => name).join(', ')}`
}

/** @throws {ApprovalRequiredError} if a call still waits. */
export function checkDecisions(calls: readonly PendingToolCall[], round: Round): void {
  const waiting = undecided(calls)
  if (waiting.length === 0) return
  reportWaiting(calls, round)
  throw new ApprovalRequiredError(round.task.taskId, waiting)
}

/** Returns the output for a result from outside; undefined for calls that must run. */
export async function providedOutput(call: PendingToolCall, { tools }: Round): Promise<ToolOutput | undefined> {
  if (call.decision !== 'result') return undefined
  const { name, result = null, isError } = call
  const text = typeof result === 'string' ? result : compactJson(result)
  if (isError) return errorOutput(name, text, call.arguments)
  const tool = findTool(tools, name)
  const args = readCallArguments(call)
  const toOutput = (tool as Partial<FunctionTool> | undefined)?.toOutput
  if (!toOutput) return new ToolOutput({ content: text, toolName: name, rawInput: args, rawOutput: result })
  try {
    return await toOutput.call(tool as FunctionTool, result, args)
  } catch (error) {
    return errorOutput(name, errorMessage(error), call.arguments)
  }
}

function undecided(calls: readonly PendingToolCall[]): PendingToolCall[] {
  return calls.filter(({ decision }) => decision === null)
}
