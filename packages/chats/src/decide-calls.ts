/**
 * @module
 * The decisions of a user about calls that wait.
 */
import { type AgentEvent, applyToolDecision, type PendingToolCall, type ToolDecision } from '@x/agents'
import { readToolDecision } from '@x/agents/protocol'
import { deepEqual } from '@x/core/values'
import { type BaseMemory, type ChatStore, isToolkitError } from '@x/core-model'
import { TurnMemory } from '@x/core-model/memory'
import { type AskedDecision, argumentsOf, askedDecision } from '@x/durable'
import type { ChatAgent } from './chat-agent.ts'
import type { ChatDecision, ChatDecisionTurn } from './chat-protocol.ts'

/** Who decides about calls. */
export interface Deciding {
  readonly memory: BaseMemory | undefined
  /** The user. @defaultValue what the decision says */
  readonly by?: string | undefined
  /** Whether the user may decide so. @defaultValue always */
  readonly mayDecide?: ((asked: AskedDecision) => boolean | Promise<boolean>) | undefined
}

/** What the decisions of a request have changed. */
export interface Decided {
  /** The decisions that were made, by the ids of their calls. */
  readonly made: ReadonlyMap<string, ToolDecision>
  /** Why decisions were refused whose calls still wait, by the ids of these calls. */
  readonly problems: ReadonlyMap<string, string>
  /** The calls that still wait. A durable task may refuse a decision later. */
  readonly left: readonly WaitingToolCall[]
}

/**
 * Makes the decisions of a request about calls that wait for them: all that the user may make, or none.
 * @returns null if the user may not make one of them.
 */
export async function decideCalls(
  agent: ChatAgent<never>,
  { taskId, decisions }: ChatDecisionTurn,
  { memory, by, mayDecide }: Deciding,
): Promise<Decided | null> {
  for (const { shows: _, ...decision } of decisions) readToolDecision(decision)
  // Nobody would judge the arguments of later calls.
  if (mayDecide && decisions.some((decision) => decision.type === 'approve' && decision.always)) return null
  // Another process may have continued the task.
  await agent.resumeTask(taskId, { memory })
  const waiting = agent.getPendingApprovals(taskId)
  const problems = new Map<string, string>()
  const asked = waiting.flatMap((call) => {
    const own = decisions.find(({ callId }) => callId === call.id)
    if (!own) return []
    if (!isAbout(own, call)) {
      if (own.type === 'result') problems.set(call.id, 'The call waits for a decision.')
      return []
    }
    const record = { ...(by !== undefined && { by }) }
    return [askedByPage(taskId, { decision: { ...own, ...record }, call, isJudged: mayDecide !== undefined })]
  })
  const made = new Map<string, ToolDecision>()
  for (const { judged } of asked) {
    if (!judged) continue
    const problem = await misfit(agent, judged)
    if (problem !== undefined) problems.set(judged.decision.callId, problem)
    else if ((await mayDecide!(judged)) !== true) return null
  }
  for (const { decision } of asked) {
    if (problems.has(decision.callId)) continue
    const problem = await applied(agent, { taskId, decision, memory })
    if (problem === undefined) made.set(decision.callId, decision)
    else problems.set(decision.callId, problem)
  }
  return { made, problems, left: waiting.filter(({ id }) => !made.has(id)) }
}

/** Ends the task of a turn that the user has withdrawn: nobody can approve its calls any more. */
export async function withdraw(
  agent: ChatAgent<never> | undefined,
  taskId: string,
  chat: { chatStore: ChatStore; conversationId: string },
): Promise<void> {
  if (agent?.open) await agent.open(taskId).cancel()
  else if (agent)
    try {
      await agent.resumeTask(taskId, { memory: new TurnMemory({ ...chat, turn: taskId, hasBegun: true }) })
      for (const { id: callId } of agent.getPendingApprovals(taskId))
        await applyToolDecision(agent, taskId, {
          callId,
          type: 'reject',
          reason: 'The user has withdrawn the message.',
        })
    } catch (error) {
      // The process of a task without a store has ended, or somebody else has decided.
      if (!isToolkitError(error, 'task_not_found') && !isToolkitError(error, 'approval')) throw error
    }
}

/** Returns the event of the calls that still wait, with the reasons why decisions about them were refused. */
export function approvalRequired(taskId: string, decided: Decided): AgentEvent {
  const calls = decided.left.map((call) => decidedCall(call as PendingToolCall, decided))
  return { type: 'approval_required', taskId, stepId: '', calls }
}

/** Returns a call of a turn that waits with its decision, or with the reason why the last one was refused. */
export function decidedCall(call: PendingToolCall, { made, problems, left }: Decided): PendingToolCall {
  const decision = made.get(call.id)
  if (decision) {
    const {
      callId: _c,
      by: _b,
      approvalId: _a,
      exact: _e,
      type,
      ...how
    } = decision as ToolDecision & { exact?: boolean }
    return { ...call, ...how, decision: type === 'edit' ? 'approve' : type } as PendingToolCall
  }
  const open = left.find(({ id }) => id === call.id)
  // An engine may have refused a decision after its request had ended.
  const problem = problems.get(call.id) ?? open?.refused?.message
  if (!open) return call
  const { problem: _, ...rest } = call
  return {
    ...rest,
    arguments: open.arguments,
    decision: null,
    ...(problem !== undefined && { problem }),
  } as PendingToolCall
}

/** A call that waits. */
type WaitingToolCall = ReturnType<ChatAgent<never>['getPendingApprovals']>[number]

/** Whether a call waits for a decision of this kind. */
function isAbout({ type }: ChatDecision, { awaits = 'approval' }: WaitingToolCall): boolean {
  return type === 'reject' || awaits === (type === 'result' ? 'result' : 'approval')
}

/** Returns why an edit does not fit its tool, as far as the agent can say it before: nobody can judge it. */
async function misfit(agent: ChatAgent<never>, { decision, taskId }: AskedDecision): Promise<string | undefined> {
  if (decision.type !== 'edit') return undefined
  try {
    await agent.checkEdit?.(taskId, decision.callId, decision.arguments, { exact: true })
  } catch (error) {
    if (isToolkitError(error, 'tool_input')) return error.message
    throw error
  }
  return undefined
}

/**
 * Applies a decision. Returns why it was refused, if its call still waits: the arguments do not fit the tool, or the page shows an old
 * question.
 */
async function applied(
  agent: ChatAgent<never>,
  { taskId, decision, memory }: { taskId: string; decision: ToolDecision; memory: BaseMemory | undefined },
): Promise<string | undefined> {
  try {
    await applyToolDecision(agent, taskId, decision)
  } catch (error) {
    if (isToolkitError(error, 'tool_input')) return error.message
    if (!isToolkitError(error, 'approval')) throw error
    // Another request may have decided, such as this one when it arrives twice.
    await agent.resumeTask(taskId, { memory })
    if (agent.getPendingApprovals(taskId).some(({ id }) => id === decision.callId)) {
      // It was about an earlier question about the call.
      if (decision.approvalId !== undefined) return error.message
      throw error
    }
  }
  return undefined
}

/**
 * Returns the decision about what the page shows: an approval of other arguments is an edit. The agent, which knows what it asked, takes
 * one with the arguments of the question as an approval: if the saved call has others by now, it waits again.
 * @param isJudged - whether somebody has judged the arguments: an edit must be exactly what runs
 */
function askedByPage(
  taskId: string,
  { decision: sent, call, isJudged }: { decision: ChatDecision; call: WaitingToolCall; isJudged: boolean },
): { decision: ToolDecision; judged?: AskedDecision } {
  const { shows, ...given } = sent
  const asked = argumentsOf(call.arguments)
  const { callId, by, approvalId } = given
  const record = { ...(by !== undefined && { by }), ...(approvalId !== undefined && { approvalId }) }
  const isEdit = given.type === 'approve' && shows !== undefined && !deepEqual(shows, asked)
  const made = (isEdit ? { callId, type: 'edit', arguments: { ...shows }, ...record } : given) as ToolDecision
  if (!isJudged) return { decision: made }
  const judged = askedDecision(taskId, call, made)
  return { decision: judged.decision, judged }
}
