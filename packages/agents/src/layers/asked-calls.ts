/**
 * @module
 * What a person is asked about a call, and whether an approval is one of the call that would run.
 */

import { compactJson, errorMessage, parseExactly } from '@x/core/values'
import type { JsonSchema } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { checkInput, type ShownArguments, shownArguments } from '../loop/edited-call.ts'
import type { ApprovalBinding } from '../loop/hooks.ts'
import { readableArguments } from '../loop/json-arguments.ts'
import type { Loop, LoopCall, Scope } from '../loop/layer.ts'
import { findTool, placeOf } from '../loop/loop.ts'
import { freeCall, judgedOnce, needsApproval } from '../loop/needs-approval.ts'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import { approvalDifference, approvalRecord, argumentsHash, definitionOf } from '../task/approval-record.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'

/** What approvals are bound to in addition, if there is something. */
export type Bound = ApprovalBinding | undefined

/** Returns a call as one that waits, or as one that is free to run. */
export async function judgedCall(call: LoopCall, scope: Scope, bound: Bound): Promise<PendingToolCall> {
  const place = placeOf(call, scope)
  const found = await waitOf(call, scope, bound)
  if (!found) return { ...freeCall(call, scope), free: bound?.seal && sealOfFree(call, scope, bound) }
  const isApproval = found !== 'result'
  const shown = isApproval ? await shownCall(call, place, scope) : call
  const at = await bound?.at?.(place, scope)
  const approval = recordOf({ ...shown, place }, findTool(scope.tools, call.name)!, scope, bound, at)
  // An earlier attempt may have made the call of a tool that asked nobody.
  const { isReplayed, asking } = scope.ids
  const begun = isReplayed && asking?.includes(call.name) === false
  const problem = found === 'unjudged' ? NOT_JUDGED : begun ? 'The tool needs approval now.' : ''
  return {
    ...shown,
    place,
    awaits: isApproval ? 'approval' : found,
    ...schemaOf(shown, scope),
    approval,
    needsApproval: isApproval,
    decision: null,
    free: undefined,
    ...(problem && { problem: withDoubt(problem, begun), firstQuestion: true }),
    ...(begun && { begun }),
  }
}

/** What the person reads of a call whose `needsApproval` failed: the error may contain secrets. */
const NOT_JUDGED = 'It could not be judged whether this call needs approval.'

/** Returns what the person reads of a call, which an interrupted run may have begun. */
const withDoubt = (problem: string, begun: unknown) => (begun ? `${problem} The call may have run already.` : problem)

/** The mark of a call that may have to wait, until that is known. */
export const UNJUDGED = ''

/** Returns a call with the arguments with which its tool would run, also where the conversation shows them. */
async function shownCall<Call extends ToolCall>(call: Call, place: string, scope: Scope): Promise<Call> {
  const { loop, task, tools, remember } = scope
  const read = await shownArguments(call, loop.argumentsOf(call), findTool(tools, call.name))
  const isOther = read.arguments !== undefined || read.runsWith !== undefined
  // A default value may be another one each time.
  const text = isOther && (await remember?.(`shown-${place}`, async () => compactJson(read), isText))
  const shown = { ...call, runsWith: undefined, ...(text ? (parseExactly(text) as ShownArguments) : read) }
  if (shown.arguments !== call.arguments) loop.protocol.editCall(shown, task)
  return shown
}

const isText = (data: unknown) => typeof data === 'string'

/**
 * Returns the schema of the arguments, if who decides does not have the tool: the loop itself, or the agent that called this one. New
 * arguments are checked with it.
 */
function schemaOf({ name }: ToolCall, { loop, tools, checkBudget }: Scope): { schema?: JsonSchema } {
  const isOwn = checkBudget === undefined && findTool(loop.tools, name) !== undefined
  const schema = isOwn ? undefined : findTool(tools, name)?.metadata.jsonSchema
  return schema ? { schema } : {}
}

/**
 * Returns the calls; approvals of other calls than those that would run now wait again, and say what is different, and whether an
 * interrupted attempt may have made the call.
 */
export async function withoutOthers(calls: readonly PendingToolCall[], scope: Scope, bound: Bound) {
  const problems = await mapConcurrently(calls, calls.length, (call) => problemOf(call, scope, bound))
  const first = calls.some((call) => mayRun(call) && call.approval && call.parent === undefined)
    ? await firstProblems(problems, scope)
    : problems
  return mapConcurrently(calls, calls.length, async (call, i): Promise<PendingToolCall> => {
    if (!mayRun(call)) return call
    if (call.parent !== undefined) return ofAgent(call)
    if (isUnjudged(call)) return judgedCall(call, scope, bound)
    const problem = first[i] || problems[i]
    const begun = call.begun || (scope.ids.isReplayed && !first[i]) || undefined
    const tool = findTool(scope.tools, call.name)
    if (!problem || !tool) return begun && call.approval ? { ...call, begun } : call
    const shown = await shownCall(call, placeOf(call, scope), scope).catch(() => call)
    return {
      ...shown,
      awaits: 'approval',
      needsApproval: true,
      approval: recordOf(shown, tool, scope, bound),
      problem: withDoubt(problem, begun),
      firstQuestion: undefined,
      begun,
      decision: null,
    } as PendingToolCall
  })
}

/** Whether a call runs if nothing has changed. */
const mayRun = ({ decision, output }: PendingToolCall) => decision === 'approve' && !output

/** Whether nobody was asked about a call: it was free to run, and may have begun; or its turn to run has not come. */
const isUnjudged = ({ approval, free }: PendingToolCall) => !approval && free === UNJUDGED

/** Returns why a call that is approved or free cannot run as it is; empty if it can. */
async function problemOf(call: PendingToolCall, scope: Scope, bound: Bound): Promise<string> {
  const { approval, parent, free } = call
  const tool = findTool(scope.tools, call.name)
  if (!mayRun(call) || parent !== undefined || !tool || isUnjudged(call)) return ''
  if (scope.saving?.isSaved(placeOf(call, scope))) return ''
  if (!approval) {
    const isFree = !bound?.seal || free === sealOfFree(call, scope, bound) || !(await waitOf(call, scope, bound))
    return isFree ? '' : 'Nobody has approved the call.'
  }
  return (
    approvalDifference(approval, recordOf(call, tool, scope, bound)) ||
    (await bound?.refusal(call as never, scope)) ||
    misfit(call, tool, scope)
  )
}

/** Returns the problems that the first attempt of the step has found. It has begun the calls that had none. */
async function firstProblems(problems: readonly string[], scope: Scope): Promise<readonly string[]> {
  const { remember, ids } = scope
  if (!remember) return problems
  ids.isReplayed = true
  const make = async () => {
    ids.isReplayed = false
    return problems
  }
  return remember('approved', make, Array.isArray)
}

/** Returns what is wrong with the arguments of an approved call: they may have been edited where its tool did not exist. */
async function misfit(
  call: PendingToolCall & { exact?: boolean | undefined },
  tool: AsyncBaseTool,
  { loop }: Scope,
): Promise<string> {
  const { runsWith, exact } = call
  const args = loop.argumentsOf(call)
  try {
    const value = await checkInput(call, args, tool)
    const approved = runsWith ?? (exact ? args : undefined)
    return approved === undefined || compactJson(value) === compactJson(approved) ? '' : 'The arguments have changed.'
  } catch (error) {
    return errorMessage(error)
  }
}

/** Returns an approved call of an agent behind a tool, which asks again if the call has other arguments than its record. */
function ofAgent(call: PendingToolCall): PendingToolCall {
  const { approval, arguments: args } = call
  const isSame = !approval || typeof args === 'string' || argumentsHash(args) === approval.arguments
  return isSame ? call : { ...call, approval: { ...approval, id: '' } }
}

function recordOf(
  call: LoopCall,
  tool: AsyncBaseTool,
  { task, loop, context }: Pick<Scope, 'task' | 'loop' | 'context'>,
  bound: Bound,
  at?: number,
) {
  const turn = `${task.taskId}/${call.place}`
  return approvalRecord({ tool, args: readable(call, loop), user: bound?.user?.(context), turn }, at)
}

/** Returns the arguments of a call; the text of those that cannot be read, which the tool refuses. */
export function readable(call: LoopCall, { argumentsOf }: Loop): unknown {
  return readableArguments(call, argumentsOf) ?? call.arguments
}

/** Whether calls of a tool need no approval any more: of this definition, for this user. */
function isAllowed(tool: AsyncBaseTool, { state, context }: Scope, bound: Bound): boolean {
  const { allowed_tools: allowed } = state
  if (!allowed) return false
  const definition = definitionOf(tool)
  const user = bound?.user?.(context) ?? null
  const seal = bound?.seal?.([definition, user])
  return allowed.some((one) => one.definition === definition && one.user === user && one.seal === seal)
}

/** Returns the seal of a call that is free to run: nobody who can write saved tasks can make it. */
export function sealOfFree(call: LoopCall, scope: Scope, bound: Bound): string {
  const turn = `${scope.task.taskId}/${placeOf(call, scope)}`
  return bound!.seal!(['free', turn, call.name, argumentsHash(readable(call, scope.loop))])
}

/** Returns what a call has to wait for. */
async function waitOf(
  call: LoopCall,
  scope: Scope,
  bound: Bound,
): Promise<'approval' | 'unjudged' | 'result' | undefined> {
  const tool = findTool(scope.tools, call.name)
  if (tool?.isExternal) return 'result'
  const judge = async () =>
    !(tool && isAllowed(tool, scope, bound)) && needsApproval(call, tool, scope, scope.loop.argumentsOf)
  const found = await judgedOnce('judged', call, scope, judge)
  return found === true ? 'approval' : found || undefined
}
