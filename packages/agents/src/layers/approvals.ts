/**
 * @module
 * Calls that wait for a decision of a person, or for a result from outside.
 */

import { errorMessage, textOrJson } from '@x/core/values'
import { ChatMessage, ToolOutput } from '@x/core-model'
import { editedCall, faultOf } from '../loop/edited-call.ts'
import { type ApprovalBinding, approvalContents } from '../loop/hooks.ts'
import { hasJsonArguments } from '../loop/json-arguments.ts'
import type { ApproveCall, Layer, LoopCall, MakeCalls, Outcome, Scope } from '../loop/layer.ts'
import { findTool, finishCalls, isDecided, placeOf } from '../loop/loop.ts'
import type { LoopState } from '../loop/loop-state.ts'
import { freeCall } from '../loop/needs-approval.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import { approvalRecord, argumentsHash, askedIn } from '../task/approval-record.ts'
import { undecided } from '../task/approvals.ts'
import { ApprovalError } from '../task/task-errors.ts'
import { type AsyncBaseTool, errorOutput, interruptedOutput } from '../tool/base-tool.ts'
import type { FunctionTool } from '../tool/function-tool.ts'
import { type Bound, judgedCall, readable, sealOfFree, UNJUDGED, withoutOthers } from './asked-calls.ts'
import { reportWaiting, waitingCalls } from './waiting-calls.ts'

/** Options of {@link approvals}. */
interface ApprovalOptions<Context = unknown> {
  /** `boundApprovals(options)`: what approvals are bound to in addition. @defaultValue nothing else */
  bound?: ApprovalBinding<Context> | undefined
  /** Returns the tools for calls that waited. @defaultValue the tools of the loop */
  toolsOf?: ((calls: readonly PendingToolCall[], scope: Scope) => Promise<readonly AsyncBaseTool[]>) | undefined
}

/**
 * Calls of tools that need approval, and of tools whose results come from outside, wait in `state.pending_calls`. Nobody is asked about a
 * call that cannot run. The other calls of the turn run at once.
 *
 * An approval counts for what was shown: the definition of the tool, the arguments, the user and the turn. This is checked where the call
 * runs. If anything differs, the call waits again, and `problem` says why.
 */
export function approvals<Context = unknown>(given: ApprovalOptions<Context> = {}): readonly Layer[] {
  const { toolsOf, bound } = given as ApprovalOptions
  const asking: Layer = {
    rank: 20,
    serves: 'approvals',
    approve: approvedCall.bind(null, bound),
    // A step whose calls waited makes them instead of asking the model.
    step: (next) => (input, scope) => (scope.state.pending_calls ? decided(input, scope) : next(input, scope)),
    calls: (next) => (calls, given) => {
      const scope: Scope = bound?.seal ? { ...given, freeMark: (call) => sealOfFree(call, given, bound) } : given
      return mayWait(calls, scope) ? askedAbout(next, calls, scope, bound) : next(calls, scope)
    },
    tool: (next) => (call, scope) => {
      if (!isDecided(call) || call.decision === 'approve') return next(call, scope)
      if (call.decision === 'result') return providedOutput(call, scope)
      const end = call.decision === 'reject' && call.reason ? `: ${call.reason}` : '.'
      const output = call.begun
        ? interruptedOutput(call, ` The user has rejected another attempt${end}`)
        : errorOutput(call.name, `the user has rejected this call${end}`, call.arguments)
      return Promise.resolve(output)
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
    const asked = await withoutOthers(pending, { ...scope, tools }, bound)
    const judged = new Map(undecided(asked).map((call) => [call, call]))
    state.pending_calls = undefined
    for (const call of asked) {
      if (call.decision !== 'approve') continue
      if (call.original) loop.protocol.editCall(call, scope.task)
      if (call.always) allowTool(call, state, bound)
    }
    const message = new ChatMessage({ role: 'assistant', content: '' })
    const outcome = await finishCalls(
      { kind: 'calls', calls: withDecisions(asked), message },
      { ...scope, tools, judged },
    )
    if (input) await loop.acceptInput(input, scope)
    return outcome
  }
}

/** Makes the calls of a turn, but those that wait or cannot run. */
async function askedAbout(next: MakeCalls, given: readonly LoopCall[], scope: Scope, bound: Bound) {
  const judged = new Map<LoopCall, PendingToolCall>()
  const faults = new Map<LoopCall, unknown>()
  const calls: LoopCall[] = []
  for (const one of given) {
    const isFree = scope.saving?.isSaved(placeOf(one, scope)) || !isAsked(one, scope)
    const { call, fault } = isFree ? { call: one } : await readCall(one, scope)
    calls.push(call)
    if (fault) faults.set(call, fault)
    else if (!isFree) judged.set(call, { ...freeCall(call, scope), free: UNJUDGED })
  }
  const judge = async (group: readonly LoopCall[]) => {
    for (const call of group) if (judged.has(call)) judged.set(call, await judgedCall(call, scope, bound))
  }
  return next(calls, { ...scope, judged, judge, faults })
}

/**
 * Returns a call of a tool that may have to wait with arguments that can be read and fit the schema, corrected if necessary; otherwise what
 * is wrong with it.
 */
async function readCall(call: LoopCall, scope: Scope): Promise<{ call: LoopCall; fault?: unknown }> {
  const { loop, task, repair } = scope
  const fault = await faultOf(call, scope)
  if (fault === undefined)
    return { call: hasJsonArguments(call) ? call : { ...call, arguments: loop.argumentsOf(call) } }
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

/** Calls of the tool of an approved call need no approval any more. */
function allowTool({ name, approval, parent }: PendingToolCall, state: LoopState, bound: Bound): void {
  // The agent behind a tool has tools of its own.
  if (!approval || parent !== undefined) return
  const { definition, user } = approval
  const seal = bound?.seal?.([definition, user])
  state.allowed_tools = [...(state.allowed_tools ?? []), { name, definition, user, seal }]
}

/**
 * Approves a call, with its arguments or others, and seals the approval.
 * @throws {ApprovalError} if the call waits for the result of a tool without a function.
 */
async function approvedCall(
  bound: Bound,
  ...[call, { arguments: given, exact, always, by, approvalId }, task, loop, getTools]: Parameters<ApproveCall>
): Promise<PendingToolCall> {
  const { approval: shown, parent } = call
  // Those of the question are no edit: if the call has others by now, it waits again.
  const args = given && argumentsHash(given) === shown?.arguments ? undefined : given
  const tools = args || !shown || call.awaits === 'result' ? ((await getTools?.()) ?? loop.tools) : []
  const tool = findTool(tools, call.name)
  if (tool?.isExternal && call.awaits === 'result')
    throw new ApprovalError(`The call "${call.id}" waits for a result from outside: pass it to provideResult.`)
  const edit = args && { arguments: args, exact }
  const made = edit ? await editedCall(call, edit, { tools, task }) : call
  const definition = shown?.definition ?? tool
  const turn = `${task.taskId}/${call.place}`
  let record = shown
  // The agent behind a tool makes the records of its own calls.
  if (parent === undefined && definition) {
    const asked = { tool: definition, args: readable(made, loop), user: shown ? shown.user : by, turn }
    record = shown && !args ? askedIn(turn, shown) : approvalRecord(asked, shown?.at)
  }
  if (parent !== undefined && args && shown) record = { ...shown, arguments: argumentsHash(args) }
  const isOther = approvalId !== undefined && shown !== undefined && approvalId !== shown.id
  const approval = record && { ...record, by, ...(isOther && { id: approvalId }) }
  if (approval && bound?.seal) approval.seal = bound.seal(approvalContents({ approval, always }))
  return { ...made, approval, decision: 'approve', always, ...(edit && { exact }) }
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
