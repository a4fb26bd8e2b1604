/**
 * @module
 * The calls of a task that wait, and decisions about them, the same for every engine.
 */

import { type AgentEvent, applyToolDecision, type PendingToolCall, type ToolDecision } from '@x/agents'
import { ApprovalError } from '@x/agents/errors'
import { type DecidingAgent, eventJson } from '@x/agents/protocol'
import { checkGiven, list } from '@x/core/options'
import { isToolkitError } from '@x/core-model'
import type { RefusedDecision, WaitingCall } from './durable-tasks.ts'
import { isNewRefusal, type TaskRecord } from './task-record.ts'

/** The part of an agent that has waiting calls. All runners have it. */
export interface WaitingAgent extends DecidingAgent {
  getPendingApprovals(taskId: string): readonly PendingToolCall[]
}

/**
 * The calls of a task that wait for decisions, for your own engine.
 * @example
 * import { FunctionTool, ReActAgent } from '@x/agents'
 * const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
 * const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}'] })
 * const agent = ReActAgent.fromTools({ llm, tools: [pay] })
 * await agent.chat('Pay!', { taskId: 'rent' }).catch(() => {}) // throws approval_required
 * const decisions = new TaskDecisions(agent, 'rent')
 * const [call] = decisions.calls
 * await decisions.apply({ callId: call?.id ?? '', type: 'approve' })
 * decisions.calls // => []
 */
export class TaskDecisions {
  private readonly agent: WaitingAgent
  private readonly taskId: string
  private readonly refused: Map<string, RefusedDecision | undefined>

  /** @param refused - why the last decisions about calls were refused, by the ids of the calls. @defaultValue none */
  constructor(agent: WaitingAgent, taskId: string, refused?: Iterable<[string, RefusedDecision | undefined]>) {
    this.agent = agent
    this.taskId = taskId
    this.refused = new Map(refused)
  }

  /** Why decisions about calls were refused, for an object that continues with this task elsewhere. */
  get refusals(): [string, RefusedDecision][] {
    return [...this.refused].flatMap(([id, refused]) => (refused ? [[id, refused]] : []))
  }

  /** The calls that wait, as JSON. */
  get calls(): WaitingCall[] {
    return this.agent.getPendingApprovals(this.taskId).map((call) => {
      const { id, name, arguments: args, runsWith, awaits, schema, parent, approval, problem } = call
      const refused = this.refused.get(id)
      return {
        id,
        name,
        arguments: eventJson(args),
        ...(runsWith !== undefined && { runsWith: eventJson(runsWith) }),
        awaits: awaits ?? 'approval',
        ...(schema && { schema }),
        ...(parent !== undefined && { parent }),
        ...(approval && { approvalId: approval.id }),
        ...(problem !== undefined && { problem }),
        ...(refused && { refused: { ...refused, message: refused.message || (problem ?? '') } }),
      }
    })
  }

  /** Applies a decision. If the agent refuses it, now or where the call runs, the call waits, and has the reason in `refused`. */
  async apply(decision: ToolDecision): Promise<void> {
    const { callId } = decision
    const count = (this.refused.get(callId)?.count ?? 0) + 1
    // The reason is the problem of the call if it waits again.
    let reason = { code: 'approval', message: '' }
    try {
      await applyToolDecision(this.agent, this.taskId, decision)
    } catch (error) {
      // Another process has taken over the task.
      if (!isToolkitError(error) || isToolkitError(error, 'task_claimed')) throw error
      reason = error
    }
    this.refused.set(callId, { code: reason.code, message: reason.message, count })
  }
}

/**
 * Returns the call that a decision is about, for your own engine.
 * @param calls - the calls of the task that wait.
 * @throws {ApprovalError} if it does not wait, or the decision names another `approvalId`.
 * @example
 * waitingCall('rent', [], { callId: 'call_1', type: 'approve' }) // => throws approval
 */
export function waitingCall(taskId: string, calls: readonly WaitingCall[], decision: ToolDecision): WaitingCall {
  checkGiven('waitingCall', { calls }, list)
  checkGiven('waitingCall', { decision }, 'a decision', 'callId')
  const { callId } = decision
  const call = calls.find(({ id }) => id === callId)
  if (!call) throw notWaiting(taskId, callId)
  const { type, approvalId = call.approvalId } = decision
  if (type !== 'reject' && call.approvalId !== undefined && approvalId !== call.approvalId)
    throw new ApprovalError(
      `Task "${taskId}": the decision about the call "${callId}" was to another question; show the call again.`,
    )
  return call
}

/** Returns the error for a decision about a call that does not wait, for your own engine. */
export function notWaiting(taskId: string, callId: string): ApprovalError {
  return new ApprovalError(`Task "${taskId}": no call "${callId}" waits for a decision.`)
}

/**
 * Applies the decisions of the record of a task.
 * @returns the calls that wait, and an event of them unless readers have it: those of a fork or after a retry, or a refused decision; and
 * the decisions, which know later which of them did not count.
 */
export async function applyDecisions(
  agent: WaitingAgent,
  { taskId, calls: known, decisions, refusals }: TaskRecord,
): Promise<{ made: TaskDecisions; calls: WaitingCall[]; question: AgentEvent | undefined }> {
  const made = new TaskDecisions(agent, taskId, refusals)
  for (const decision of decisions) {
    // A process that ended later may have applied it.
    if (made.calls.some(({ id }) => id === decision.callId)) await made.apply(decision)
  }
  const { calls } = made
  const isNew = known.length === 0 && decisions.length === 0 && calls.length > 0
  if (!isNew && !calls.some((call) => isNewRefusal(call, refusals))) return { made, calls, question: undefined }
  const asked = agent.getPendingApprovals(taskId).map((call) => {
    const refused = calls.find(({ id }) => id === call.id)?.refused
    return { ...call, ...(refused && { problem: refused.message }) }
  })
  return { made, calls, question: { type: 'approval_required', taskId, stepId: '', calls: eventJson(asked) } }
}
