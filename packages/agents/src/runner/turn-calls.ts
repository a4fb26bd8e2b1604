/**
 * @module
 * The calls of a turn that runs or waits, the decisions about them, and what else is known of them beside its messages.
 */
import {
  type CallMark,
  type ChatMessage,
  type DecidedCall,
  messageText,
  type ToolOutput,
  type TurnMarks,
} from '@x/core-model'
import type { OpenCall } from '@x/core-model/memory'
import { type AgentEvent, type PendingToolCall, withJson } from '../task/agent-event.ts'
import type { TaskState } from '../task/agent-state.ts'
import { pendingCalls } from '../task/approvals.ts'

/** A call, with its result if it has run. */
export interface Call extends OpenCall {
  result?: { content: string; isError: boolean } | undefined
}

/** Returns a call of a turn that waits; with its result, if it ran while others wait. */
export function withOutput(call: PendingToolCall): Call {
  const { output } = call
  return { ...withJson(call), ...(output && { result: { content: output.content, isError: output.isError } }) }
}

/** Returns the calls of a task that waits. */
export function pendingOf(state: TaskState): readonly PendingToolCall[] | undefined {
  const calls = pendingCalls(state)
  return calls.length > 0 ? calls.map(plainCall) : undefined
}

/** Returns a call that waits without what has run. */
export function plainCall({ output: _, agentTask: _t, usage: _u, ...call }: PendingToolCall): PendingToolCall {
  return call
}

/** Returns a call as a turn has it that waits, with the question that the page was shown. */
export function askedIn(turn: TurnMarks | undefined, { id }: { id?: unknown }): PendingToolCall | undefined {
  return (turn?.waiting as readonly PendingToolCall[] | undefined)?.find((call) => call.id === id)
}

export function idsOf(calls: unknown): string[] {
  return Array.isArray(calls) ? calls.flatMap((call) => (call as { id?: string }).id ?? []) : []
}

/** What is known of the calls of a turn beside its messages. */
export class CallMarks {
  private readonly failed = new Map<string, 'failed' | 'provided'>()
  private readonly values = new Map<string, unknown>()
  private readonly unreadable = new Map<string, string>()
  /** The results of calls of agents behind tools. */
  private readonly results = new Map<string, string>()
  /** The calls that waited and were decided. */
  private readonly decided: readonly PendingToolCall[]
  /** Those that run with other arguments than those of the question. */
  readonly edited: readonly PendingToolCall[]
  /** The ids of those of agents behind tools. */
  private readonly inner: ReadonlySet<string>

  /** @param asked - the calls that waited */
  constructor(asked: readonly PendingToolCall[] = []) {
    this.inner = new Set(asked.flatMap(({ id, parent }) => (parent === undefined ? [] : id)))
    this.decided = asked.filter(
      ({ needsApproval, decision }) => decision === 'reject' || (needsApproval && decision === 'approve'),
    )
    this.edited = this.decided.filter(({ original, decision }) => original && decision === 'approve')
  }

  addCall({ callId, invalidArguments }: Extract<AgentEvent, { type: 'tool_call' }>): void {
    if (invalidArguments !== undefined) this.unreadable.set(callId, invalidArguments)
  }

  /** Whether a call is one of an agent behind a tool. */
  isInner(callId: string): boolean {
    return this.inner.has(callId)
  }

  addResult({ callId, content, isError, isProvided, output }: Extract<AgentEvent, { type: 'tool_result' }>): void {
    if (this.isInner(callId)) this.results.set(callId, content)
    if (isError) this.failed.set(callId, isProvided ? 'provided' : 'failed')
    else if (output !== null && output !== content && JSON.stringify(output) !== content)
      this.values.set(callId, output)
  }

  /** Finds the calls that failed among the messages of a task: the process that ran them may have ended before it wrote that. */
  addFailures(own: readonly ChatMessage[], outputs: readonly ToolOutput[]): void {
    let last = -1
    for (const { content, isError } of outputs) {
      if (!isError) continue
      const at = own.findIndex((message, i) => i > last && message.role === 'tool' && messageText(message) === content)
      if (at < 0) continue
      last = at
      const id = String(own[at]!.additionalKwargs['tool_call_id'])
      if (!this.failed.has(id)) this.failed.set(id, 'failed')
    }
  }

  /** Whether a turn says which calls have failed. */
  areIn({ calls }: TurnMarks): boolean {
    return [...this.failed.keys()].every((id) => hasFailed(calls?.[id]))
  }

  /** Returns the marks of a turn, with those of an earlier run of its task. */
  with(
    before: TurnMarks | undefined,
    calls: TurnMarks['calls'],
  ): Pick<TurnMarks, 'calls' | 'values' | 'unreadable' | 'decided'> {
    const failed = Object.entries(before?.calls ?? {}).filter(([, mark]) => hasFailed(mark) || before?.attempts)
    // When the calls have run, the turn knows their decisions, but not the questions any more.
    const made = this.decided.filter((call) => askedIn(before, call) || !before?.decided?.[call.id])
    const decided = {
      ...before?.decided,
      ...Object.fromEntries(made.map((call) => decisionOf(call, before, this.results))),
    }
    const all = { ...Object.fromEntries([...this.failed, ...failed]), ...calls }
    const values = { ...before?.values, ...Object.fromEntries(this.values) }
    const unreadable = { ...before?.unreadable, ...Object.fromEntries(this.unreadable) }
    return {
      ...(Object.keys(decided).length > 0 && { decided }),
      ...(Object.keys(all).length > 0 && { calls: all }),
      ...(Object.keys(values).length > 0 && { values }),
      ...(Object.keys(unreadable).length > 0 && { unreadable }),
    }
  }
}

const hasFailed = (mark: CallMark | undefined): boolean => mark === 'failed' || mark === 'provided'

/** Returns the decision about a call: about the question as the page was shown it, which an edit has changed. */
function decisionOf(
  call: PendingToolCall,
  before: TurnMarks | undefined,
  results: ReadonlyMap<string, string>,
): [string, DecidedCall] {
  const asked = askedIn(before, call) ?? call
  const reason = call.decision === 'reject' ? call.reason : undefined
  const { problem } = asked
  const { parent, name, arguments: args } = call
  const decided = {
    id: asked.approval?.id ?? call.id,
    approved: call.decision === 'approve',
    ...(reason !== undefined && { reason }),
    ...(problem !== undefined && { problem }),
    ...(parent !== undefined && { inner: { parent, name, arguments: args, result: results.get(call.id) } }),
  }
  return [call.id, decided]
}
