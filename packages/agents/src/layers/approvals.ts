/**
 * @module
 * Calls that wait for a decision of a person, or for a result from outside.
 */

import { keyOf } from '@x/core/json-schema'
import { errorMessage, textOrJson } from '@x/core/values'
import { ChatMessage, type JsonSchema, ToolOutput } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import { checkInput } from '../loop/edited-call.ts'
import type { Layer, Loop, LoopCall, MakeCalls, Outcome, Scope } from '../loop/layer.ts'
import { findTool, finishCalls, isDecided, isJsonObject, placeOf } from '../loop/loop.ts'
import { needsApproval } from '../loop/needs-approval.ts'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import { type AsyncBaseTool, errorOutput } from '../tool/base-tool.ts'
import type { FunctionTool } from '../tool/function-tool.ts'
import { reportWaiting, undecided, waitingCalls } from './waiting-calls.ts'

/** What a runner knows about calls that wait. */
export interface ApprovalOptions {
  /** Returns the tools for calls that waited. @defaultValue the tools of the loop */
  toolsOf?: (calls: readonly PendingToolCall[], scope: Scope) => Promise<readonly AsyncBaseTool[]>
}

/**
 * Calls of tools that need approval, and of tools whose results come from outside, wait in `state.pending_calls`. Nobody is asked about a
 * call that cannot run. The other calls of the turn run at once.
 */
export function approvals({ toolsOf }: ApprovalOptions = {}): readonly Layer[] {
  const asking: Layer = {
    rank: 20,
    serves: 'approvals',
    // A step whose calls waited makes them instead of asking the model.
    step: (next) => (input, scope) => (scope.state.pending_calls ? decided(input, scope) : next(input, scope)),
    calls: (next) => (calls, scope) => (mayWait(calls, scope) ? askedAbout(next, calls, scope) : next(calls, scope)),
    tool: (next) => (call, scope) => {
      if (!isDecided(call) || call.decision === 'approve') return next(call, scope)
      if (call.decision === 'result') return providedOutput(call, scope)
      const reason = call.decision === 'reject' ? call.reason : undefined
      const why = `the user has rejected this call${reason ? `: ${reason}` : '.'}`
      return Promise.resolve(errorOutput(call.name, why, call.arguments))
    },
  }
  return [asking, waitingCalls]

  async function decided(input: ChatMessage | null, scope: Scope): Promise<Outcome> {
    const { state, loop } = scope
    const pending = state.pending_calls!
    if (undecided(pending).length > 0) {
      reportWaiting(pending, scope)
      return { kind: 'waiting' }
    }
    const tools = toolsOf ? await toolsOf(pending, scope) : loop.tools
    const asked = withoutStale(pending, tools)
    if (undecided(asked).length > 0) {
      state.pending_calls = asked
      reportWaiting(asked, scope)
      return { kind: 'waiting' }
    }
    state.pending_calls = undefined
    const message = new ChatMessage({ role: 'assistant', content: '' })
    const outcome = await finishCalls({ kind: 'calls', calls: withDecisions(pending), message }, { ...scope, tools })
    if (input) await loop.acceptInput(input, scope)
    return outcome
  }
}

/** Makes the calls of a turn, but those that wait or cannot run. */
async function askedAbout(next: MakeCalls, given: readonly LoopCall[], scope: Scope) {
  const waits = new Map<LoopCall, PendingToolCall>()
  const faults = new Map<LoopCall, unknown>()
  const calls: LoopCall[] = []
  for (const one of given) {
    const place = placeOf(one, scope)
    const isFree = scope.saving?.isSaved(place) || !isAsked(one, scope)
    const { call, fault } = isFree ? { call: one } : await readCall(one, scope)
    calls.push(call)
    if (fault) faults.set(call, fault)
    const awaits = isFree || fault ? undefined : await waitOf(call, scope)
    if (!awaits) continue
    const decision = { needsApproval: awaits === 'approval', decision: null }
    const definition = definitionOf(findTool(scope.tools, call.name)!)
    waits.set(call, { ...call, place, awaits, ...schemaOf(call, scope), definition, ...decision })
  }
  return next(calls, { ...scope, waits, faults })
}

/**
 * Returns a call of a tool that may have to wait with arguments that can be read and fit the schema, corrected if necessary; otherwise what is
 * wrong with it.
 */
async function readCall(call: LoopCall, scope: Scope): Promise<{ call: LoopCall; fault?: unknown }> {
  const { loop, task, repair } = scope
  const fault = await faultOf(call, scope)
  if (fault === undefined) return { call: withReadArguments(call, loop) }
  const better = await repair?.(call, fault)
  if (!better) return { call, fault }
  const repaired = { ...call, name: better.name, arguments: better.arguments }
  // A tool that asks nobody reports its own faults.
  if (!isAsked(repaired, scope)) return { call: repaired }
  const left = await faultOf(repaired, scope)
  if (left !== undefined) return { call, fault: left }
  const read = loop.argumentsOf(repaired)
  loop.protocol.editCall({ ...repaired, arguments: read }, task)
  return { call: { ...repaired, arguments: read } }
}

/** Whether a call is one of a tool that may have to wait. */
function isAsked({ name }: LoopCall, { tools }: Scope): boolean {
  const tool = findTool(tools, name)
  return Boolean(tool?.needsApproval || tool?.isExternal)
}

/** Returns why a call of a tool that may have to wait cannot run; undefined if it can. */
async function faultOf(call: LoopCall, { tools, loop }: Scope): Promise<unknown> {
  try {
    await checkInput(call, loop.argumentsOf(call), findTool(tools, call.name)!)
    return undefined
  } catch (error) {
    return error
  }
}

/** Returns a call with its arguments as they were read, if the model wrote something else than a JSON object. */
function withReadArguments(call: LoopCall, { argumentsOf }: Loop): LoopCall {
  return typeof call.arguments !== 'string' || isJsonObject(call.arguments)
    ? call
    : { ...call, arguments: argumentsOf(call) }
}

/** Whether a call may have to wait: no call is decided, and a tool needs approval, or has its results from outside. */
function mayWait(calls: readonly LoopCall[], { tools }: Scope): boolean {
  return tools.some((tool) => tool.needsApproval || tool.isExternal) && !calls.some(isDecided)
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

/**
 * Returns the schema of the arguments, if who decides does not have the tool: the loop itself, or the agent that called this one. New
 * arguments are checked with it.
 */
function schemaOf({ name }: ToolCall, { loop, tools, checkBudget }: Scope): { schema?: JsonSchema } {
  const isOwn = checkBudget === undefined && findTool(loop.tools, name) !== undefined
  const schema = isOwn ? undefined : findTool(tools, name)?.metadata.jsonSchema
  return schema ? { schema } : {}
}

/** Returns the hash of what a person sees of a tool: an approval is of this definition alone. */
function definitionOf({ metadata }: AsyncBaseTool): string {
  const { title, description, annotations } = metadata
  return sha256(keyOf({ title, description, annotations, schema: metadata.getParametersDict() }))
}

/** Returns the calls without the approvals of tools that have changed since: they wait again, and say why. */
function withoutStale(calls: readonly PendingToolCall[], tools: readonly AsyncBaseTool[]): PendingToolCall[] {
  return calls.map((call) => {
    const tool = call.parent === undefined && call.decision === 'approve' ? findTool(tools, call.name) : undefined
    const now = tool && call.definition !== undefined ? definitionOf(tool) : call.definition
    if (now === call.definition) return call
    return {
      ...call,
      definition: now,
      problem: `The tool "${call.name}" has changed since the call was approved.`,
      decision: null,
    }
  })
}

/** Returns what a call has to wait for. */
async function waitOf(call: ToolCall, scope: Scope): Promise<'approval' | 'result' | undefined> {
  const { tools, task, state, context, loop } = scope
  const tool = findTool(tools, call.name)
  if (tool?.isExternal) return 'result'
  if (state.allowed_tools?.includes(call.name)) return undefined
  const surroundings = { toolCallId: call.id, task: task as never, context }
  return (await needsApproval(call, tool, surroundings, loop.argumentsOf)) ? 'approval' : undefined
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
