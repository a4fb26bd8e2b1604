/**
 * @module
 * What a turn consists of while its task runs or waits: the messages of its completed steps, what the step that runs has done, and what
 * else is known of its calls.
 */
import {
  type CallMark,
  ChatMessage,
  type DecidedCall,
  messageText,
  type ToolOutput,
  type Turn,
  type TurnMarks,
  type TurnState,
  writeJsonText,
} from '@x/core-model'
import {
  attemptsOf,
  ChatMemoryBuffer,
  heldMessage,
  inWords,
  type OpenCall,
  openMessages,
  resultsOf,
  withResults,
} from '@x/core-model/memory'
import type { AgentWorker } from '../loop/agent-worker.ts'
import type { ToolCallingProtocol } from '../loop/tool-calling-protocol.ts'
import { type AgentEvent, type PendingToolCall, withJson } from '../task/agent-event.ts'
import type { TaskState } from '../task/agent-state.ts'
import { pendingCalls } from '../task/approvals.ts'
import { inputMessageOf, type Task } from '../task/task.ts'
import { snapshotState } from '../task/task-step.ts'

/** The messages of a turn that has not ended, and its marks. */
interface TurnSoFar {
  /** As a page shows them: with calls. */
  messages: ChatMessage[]
  kept: number
  calls: Record<string, CallMark>
  /** The messages of the conversation, if they have no calls. */
  words?: ChatMessage[] | undefined
}

/** What is known of a turn that has not ended. */
interface KnownTurn {
  state: TaskState
  worker: AgentWorker
  /** The message of the user; undefined until it is accepted. */
  input: ChatMessage | undefined
  /** The messages of the completed steps. */
  own: readonly ChatMessage[]
  /** What the step that runs has said and called. */
  step: { readonly text: string; readonly calls: readonly Call[] }
  /** Whether the tool of a call of this step is known not to begin: after an error of another one, it may. */
  isUnbegun: (callId: string) => boolean | undefined
}

/** Returns what a turn consists of. @param turnState - how it goes on. */
export function turnSoFar(turnState: TurnState, { state, worker, input, own, step, isUnbegun }: KnownTurn): TurnSoFar {
  const { task } = state
  const hasInput = own[0]?.role === 'user'
  if (!hasInput && !input) return { messages: [inputMessageOf(task)], kept: 1, calls: {}, words: [heldMessage()] }
  const all = hasInput ? [...own] : [input!, ...own]
  const text = turnState === 'open' ? '' : step.text
  const isWaiting = turnState === 'waiting'
  // The other calls of a step that waits have a result: a call without one is decided, or is an agent whose calls wait.
  const markOf = (id: string) => {
    if (isWaiting) {
      const calls = pendingCalls(state).filter((call) => call.id === id || call.parent === id)
      return calls.some(({ begun }) => begun) ? 'begun' : (calls[0]?.awaits ?? 'approval')
    }
    return isUnbegun(id) ? 'failed' : 'unknown'
  }
  const isNative = protocolOf(worker)?.name === 'native'
  const words = isNative ? undefined : withText(all, inWordsOf(task, step.calls, markOf) + text)
  const steps = shownSteps(task, worker)
  if (words && !steps) return { messages: words, kept: all.length, calls: {} }
  const done = steps ? [...all.slice(0, 1), ...steps] : all
  const said = new Set(done.flatMap(({ additionalKwargs }) => idsOf(additionalKwargs['tool_calls'])))
  // A turn that waits may not have its calls among its messages yet.
  const open = isWaiting
    ? pendingCalls(state)
        .filter(({ id, parent }) => parent === undefined && !said.has(id))
        .map(withOutput)
    : step.calls.filter(({ id }) => !said.has(id))
  const results = new Set(done.flatMap(({ additionalKwargs }) => additionalKwargs['tool_call_id'] ?? []))
  const outputs = pendingCalls(state)
    .filter(({ id }) => !step.calls.some((call) => call.id === id))
    .map(withOutput)
  const known = [...step.calls, ...outputs].filter(({ id, result }) => result && said.has(id) && !results.has(id))
  const partial = openMessages(isWaiting ? '' : step.text, open)
  const whole = withResults([...done, ...known.flatMap(resultsOf), ...partial], markOf)
  return { ...whole, kept: done.length, words }
}

/** Returns the completed steps as a page shows them, of a loop with a protocol whose messages have no calls. */
export function shownSteps(task: Task, worker: AgentWorker): readonly ChatMessage[] | undefined {
  if (!protocolOf(worker)?.shownSteps) return undefined
  return (task.extraState['shown_steps'] as ChatMessage[] | undefined) ?? []
}

/** Returns the outputs of the tools of a task. */
export function sourcesOf({ extraState }: Task): readonly ToolOutput[] {
  const { sources } = extraState
  return Array.isArray(sources) ? sources : []
}

/** Returns the protocol of the model: with `native`, calls are messages. */
function protocolOf(worker: AgentWorker): Partial<ToolCallingProtocol> | undefined {
  return (worker as { protocol?: Partial<ToolCallingProtocol> }).protocol
}

/** Returns the calls of a task, and those of its step, for protocols whose messages do not have calls. */
function inWordsOf(task: Task, calls: readonly Call[], markOf: (id: string) => Parameters<typeof inWords>[1]): string {
  const made = sourcesOf(task).map(({ toolName, rawInput, content }) =>
    inWords({ name: toolName, arguments: writeJsonText(Object(rawInput).kwargs ?? rawInput), result: { content } }),
  )
  return [...made, ...calls.map((call) => inWords(call, markOf(call.id)))].join('')
}

/** Returns the messages that a task adds to its conversation, and its extra state afterwards. The task does not change. */
export async function ownMessages(
  task: Task,
  worker: AgentWorker,
  add = worker.finalizeTask,
): Promise<{ own: ChatMessage[]; extraState: Record<string, unknown> }> {
  const memory = new ChatMemoryBuffer({ tokenLimit: Number.MAX_SAFE_INTEGER })
  const copy = task.copy({ update: { memory, extraState: snapshotState(task.extraState) } })
  await add.call(worker, copy)
  return { own: memory.getAll(), extraState: copy.extraState }
}

/** Returns the messages of a turn behind those of its earlier attempts, with the marks that say where they begin. */
export function withAttempts(turn: Turn | undefined, own: readonly ChatMessage[], kept?: number) {
  const attempts = attemptsOf(turn)
  return {
    messages: [...attempts, ...own],
    ...(attempts.length > 0 && { attempts: attempts.length }),
    ...(kept !== undefined && { kept: kept + attempts.length }),
  }
}

/** Returns messages with text behind them, unless it is empty. */
function withText(messages: ChatMessage[], content: string): ChatMessage[] {
  return content === '' ? messages : [...messages, new ChatMessage({ role: 'assistant', content })]
}

/** Returns steps with the answer, which is part of the last one if that has no calls. */
export function withAnswer(steps: readonly ChatMessage[], answer: ChatMessage | undefined): readonly ChatMessage[] {
  if (answer?.role !== 'assistant') return steps
  const last = steps.at(-1)
  if (last?.role !== 'assistant') return [...steps, answer]
  return steps.with(-1, last.copy({ update: { content: answer.content } }))
}

/** A call, with its result if it has run. */
export interface Call extends OpenCall {
  result?: { content: string; isError: boolean } | undefined
}

/** Returns a call of a turn that waits; with its result, if it ran while others wait. */
function withOutput(call: PendingToolCall): Call {
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

/** Returns a call as a turn has it that waits, with the question that the page was shown, and the arguments with which it runs. */
export function askedIn(turn: TurnMarks | undefined, call: Partial<PendingToolCall>): PendingToolCall | undefined {
  const asked = (turn?.waiting as readonly PendingToolCall[] | undefined)?.find(({ id }) => id === call.id)
  return asked && call.original ? { ...asked, arguments: call.arguments! } : asked
}

function idsOf(calls: unknown): string[] {
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
  /** The ids of those whose results came from outside. */
  private readonly provided: readonly string[]
  /** The ids of those of agents behind tools. */
  private readonly inner: ReadonlySet<string>

  /** @param asked - the calls that waited */
  constructor(asked: readonly PendingToolCall[] = []) {
    this.inner = new Set(asked.flatMap(({ id, parent }) => (parent === undefined ? [] : id)))
    this.decided = asked.filter(
      ({ needsApproval, decision }) => decision === 'reject' || (needsApproval && decision === 'approve'),
    )
    this.provided = asked.flatMap(({ id, awaits, decision }) =>
      awaits === 'result' && decision === 'result' ? id : [],
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
  ): Pick<TurnMarks, 'calls' | 'values' | 'unreadable' | 'decided' | 'provided'> {
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
    const provided = [...new Set([...(before?.provided ?? []), ...this.provided])]
    return {
      ...(Object.keys(decided).length > 0 && { decided }),
      ...(provided.length > 0 && { provided }),
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
