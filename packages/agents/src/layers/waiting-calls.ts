/**
 * @module
 * The calls of a turn that waits for decisions.
 */
import { isToolkitError, type ToolOutput } from '@x/core-model'
import type { CallTool, Layer, LoopCall, Scope } from '../loop/layer.ts'
import { findTool, isDecided, placeOf } from '../loop/loop.ts'
import { freeCall } from '../loop/needs-approval.ts'
import { agentName } from '../loop/usage.ts'
import { eventJson, type PendingToolCall, type StepEvent } from '../task/agent-event.ts'
import { undecided } from '../task/approvals.ts'
import type { ApprovalRequiredError } from '../task/task-errors.ts'
import type { TaskUsage } from '../task-usage.ts'

/** Reports the calls that wait. */
export function reportWaiting(calls: readonly PendingToolCall[], { emit }: Pick<Scope, 'emit'>): void {
  emit?.({ type: 'approval_required', calls: eventJson(undecided(calls)) })
}

/** The outputs of the calls of a turn, or why they wait, by id. */
type Results = Map<string, ToolOutput | ApprovalRequiredError>

const RESULTS = Symbol('waitingCalls')

function resultsOf({ ids: { notes } }: Scope): Results {
  notes[RESULTS] ??= new Map() satisfies Results
  return notes[RESULTS] as Results
}

/** Keeps the calls of a turn that waits with their outputs so far, and those of agents behind tools that wait, as calls of the task. */
export const waitingCalls: Layer = {
  rank: 25,
  calls: (next) => async (calls, scope) => {
    const outputs = await next(calls, scope)
    if (outputs) return outputs
    const results = resultsOf(scope)
    scope.state.pending_calls = calls.flatMap((call) => {
      const judged = scope.judged?.get(call)
      return judged?.decision === null ? judged : entriesOf(judged ?? call, scope, results.get(call.id))
    })
    reportWaiting(scope.state.pending_calls, scope)
    return undefined
  },
  tool: (next) => async (call, scope) => {
    try {
      const output = await callAgent(next, call, scope)
      if (output) resultsOf(scope).set(call.id, output)
      return output
    } catch (error) {
      // Only agents as tools can wait. The error of any other tool is already an output.
      if (!isToolkitError(error, 'approval_required')) throw error
      resultsOf(scope).set(call.id, error as ApprovalRequiredError)
      return undefined
    }
  },
}

/** Makes a call, with its part of the journal if an agent is behind the tool. */
async function callAgent(next: CallTool, call: LoopCall, scope: Scope): Promise<ToolOutput | undefined> {
  const { saving } = scope
  const tool = findTool(scope.tools, call.name)
  const journal = tool?.isDurable ? saving?.part(placeOf(call, scope)) : undefined
  const callContext = {
    ...scope.callContext,
    decisions: (isDecided(call) && call.decisions) || [],
    agentTask: isDecided(call) ? call.agentTask : undefined,
    mustSave: saving?.isStrict,
    durable: journal?.durable,
    taskStore: journal?.taskStore,
  }
  const handles = (error: unknown) =>
    (tool?.canWait === true && isToolkitError(error, 'approval_required')) || (scope.handles?.(error) ?? false)
  try {
    return await next(call, { ...scope, callContext, handles, emit: emitInner(call, callContext.decisions, scope) })
  } finally {
    journal?.check()
  }
}

/** Reports the decided calls of an agent as calls of the task too, which has asked about them. */
function emitInner(call: LoopCall, decisions: readonly PendingToolCall[], { emit }: Scope): Scope['emit'] {
  if (!emit || decisions.length === 0) return emit
  return (event) => {
    const wait = emit(event)
    const inner = event.type === 'tool_progress' ? (event.progress as Partial<StepEvent> | null) : null
    if (inner?.type !== 'tool_call' && inner?.type !== 'tool_result') return wait
    const { callId } = inner as { callId: string }
    if (!decisions.some(({ id }) => id === callId)) return wait
    return emit({ ...(inner as Extract<StepEvent, { type: 'tool_call' }>), callId: `${call.id}/${callId}` })
  }
}

function usageSoFar(call: LoopCall, scope: Scope): { usage?: TaskUsage } {
  const usage = scope.state.counted?.[agentName(call, scope)]
  return usage ? { usage } : {}
}

/** Returns a call of an interrupted turn, with the calls of its agent that wait. */
function entriesOf(
  call: LoopCall,
  scope: Scope,
  result: ToolOutput | ApprovalRequiredError | undefined,
): PendingToolCall[] {
  // It was rejected, or has its result from outside: it did not run.
  if (!result && isDecided(call) && call.decision !== 'approve') return [call]
  const { decisions: _, ...plain } = call as LoopCall & { decisions?: unknown }
  const own = isDecided(plain) ? plain : freeCall(plain, scope)
  if (!isToolkitError(result, 'approval_required')) return [result ? { ...own, output: result as ToolOutput } : own]
  const { calls, taskId, agentTask } = result as ApprovalRequiredError
  return [
    { ...own, agentTask, ...usageSoFar(call, scope) },
    ...calls.map((inner) => ({ ...inner, id: `${call.id}/${inner.id}`, parent: call.id, taskId })),
  ]
}
