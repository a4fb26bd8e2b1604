/**
 * @module
 * Calls that wait for a decision of a person, or for a result from outside.
 */

import { errorMessage, textOrJson } from '@x/core/values'
import { ChatMessage, type JsonSchema, ToolOutput } from '@x/core-model'
import type { Layer, Loop, LoopCall, MakeCalls, Outcome, Scope } from '../loop/layer.ts'
import { findTool, finishCalls, isDecided, placeOf } from '../loop/loop.ts'
import { needsApproval } from '../loop/needs-approval.ts'
import { jsonCopy, type PendingToolCall, type ToolCall } from '../task/agent-event.ts'
import { type AsyncBaseTool, errorOutput } from '../tool/base-tool.ts'
import type { FunctionTool } from '../tool/function-tool.ts'

/** What a runner knows about calls that wait. */
export interface ApprovalOptions {
  /** Returns the tools for calls that waited. @defaultValue the tools of the loop */
  toolsOf?: (calls: readonly PendingToolCall[], scope: Scope) => Promise<readonly AsyncBaseTool[]>
  /** Completes the calls whose results are saved. */
  complete?: (calls: PendingToolCall[], scope: Scope) => Promise<PendingToolCall[]>
}

/** Calls of tools that need approval, and of tools whose results come from outside, wait in `state.pending_calls`. */
export function approvals({ toolsOf, complete }: ApprovalOptions = {}): Layer {
  return {
    rank: 20,
    serves: 'approvals',
    // A step whose calls waited makes them instead of asking the model.
    step: (next) => (input, scope) => (scope.state.pending_calls ? decided(input, scope) : next(input, scope)),
    calls: (next) => (calls, scope) =>
      mayWait(calls, scope) ? decidedOrWaiting(next, calls, scope) : next(calls, scope),
    tool: (next) => (call, scope) => {
      if (!isDecided(call) || call.decision === 'approve') return next(call, scope)
      if (call.decision === 'result') return providedOutput(call, scope)
      const reason = call.decision === 'reject' ? call.reason : undefined
      const why = `the user has rejected this call${reason ? `: ${reason}` : '.'}`
      return Promise.resolve(errorOutput(call.name, why, call.arguments))
    },
  }

  async function decided(input: ChatMessage | null, scope: Scope): Promise<Outcome> {
    const { state, loop } = scope
    const pending = state.pending_calls!
    if (undecided(pending).length > 0) {
      reportWaiting(pending, scope)
      return { kind: 'waiting' }
    }
    const tools = toolsOf ? await toolsOf(pending, scope) : loop.tools
    state.pending_calls = undefined
    const message = new ChatMessage({ role: 'assistant', content: '' })
    const outcome = await finishCalls({ kind: 'calls', calls: withDecisions(pending), message }, { ...scope, tools })
    if (input) await loop.acceptInput(input, scope)
    return outcome
  }

  async function decidedOrWaiting(next: MakeCalls, calls: readonly LoopCall[], scope: Scope) {
    const waiting = await callsToDecide(calls, scope)
    if (!waiting) return next(calls, scope)
    scope.state.pending_calls = complete ? await complete(waiting, scope) : waiting
    reportWaiting(scope.state.pending_calls, scope)
    return undefined
  }
}

/** Whether a call may have to wait: no call is decided, and a tool needs approval, or has its results from outside. */
function mayWait(calls: readonly LoopCall[], { tools }: Scope): boolean {
  return tools.some((tool) => tool.needsApproval || tool.isExternal) && !calls.some(isDecided)
}

/** Returns the calls that still wait. */
export function undecided(calls: readonly PendingToolCall[]): PendingToolCall[] {
  return calls.filter(({ decision }) => decision === null)
}

/** Reports the calls that wait. */
export function reportWaiting(calls: readonly PendingToolCall[], { emit }: Pick<Scope, 'emit'>): void {
  emit?.({ type: 'approval_required', calls: jsonCopy(undecided(calls)) })
}

/** Returns the calls of a turn, each with the decisions on the calls of its agent. */
function withDecisions(pending: readonly PendingToolCall[]) {
  const own = pending.filter(({ parent }) => parent === undefined)
  return own.map((call) => {
    const inner = pending.filter(({ parent }) => parent === call.id)
    // The agent knows its calls by its own ids.
    const decisions = inner.map((one) => ({ ...one, id: one.id.slice(call.id.length + 1) }))
    return decisions.length > 0 ? { ...call, decisions } : call
  })
}

/** Returns the calls of a turn with the decisions that they need, or undefined if none of them must wait. */
async function callsToDecide(calls: readonly ToolCall[], scope: Scope): Promise<PendingToolCall[] | undefined> {
  const pending: PendingToolCall[] = []
  for (const call of calls) {
    const place = placeOf(call, scope)
    const awaits = scope.saving?.isSaved(place) ? undefined : await waitOf(call, scope)
    pending.push({
      ...call,
      place,
      ...(awaits && { awaits, ...schemaOf(call, scope) }),
      needsApproval: awaits === 'approval',
      decision: awaits ? null : 'approve',
    })
  }
  return undecided(pending).length > 0 ? pending : undefined
}

/**
 * Returns the schema of the arguments, if who decides does not have the tool: the loop itself, or the agent that called this one. New
 * arguments are checked with it.
 */
function schemaOf({ name }: ToolCall, { loop, tools, checkBudget }: Scope): { schema?: JsonSchema } {
  const isOwn = checkBudget === undefined && findTool(loop.tools, name) !== undefined
  const schema = isOwn ? undefined : findTool(tools, name)?.metadata.jsonSchema
  return schema ? { schema } : {}
}

/** Returns what a call has to wait for. */
async function waitOf(call: ToolCall, scope: Scope): Promise<'approval' | 'result' | undefined> {
  const { tools, task, state, context, loop } = scope
  const tool = findTool(tools, call.name)
  if (tool?.isExternal) return isReadable(call, loop) ? 'result' : undefined
  if (state.allowed_tools?.includes(call.name)) return undefined
  const surroundings = { toolCallId: call.id, task: task as never, context }
  return (await needsApproval(call, tool, surroundings, loop.argumentsOf)) ? 'approval' : undefined
}

/** Whether arguments can be read. If not, the model learns that, and nobody is asked. */
function isReadable(call: ToolCall, { argumentsOf }: Loop): boolean {
  try {
    argumentsOf(call)
    return true
  } catch {
    return false
  }
}

/** Returns the output for a result from outside. */
async function providedOutput(
  call: PendingToolCall & { decision: 'result' },
  { tools, loop }: Scope,
): Promise<ToolOutput> {
  const { name, result, isError } = call
  const text = textOrJson(result)
  if (isError) return errorOutput(name, text, call.arguments)
  const tool = findTool(tools, name)
  const toOutput = (tool as Partial<FunctionTool> | undefined)?.toOutput
  try {
    const args = loop.argumentsOf(call)
    if (!toOutput) return new ToolOutput({ content: text, toolName: name, rawInput: args, rawOutput: result })
    return await toOutput.call(tool as FunctionTool, result, args)
  } catch (error) {
    return errorOutput(name, errorMessage(error), call.arguments)
  }
}
