/**
 * @module
 * What a turn consists of while its task runs or waits: the messages of its completed steps, and what the step that runs has done.
 */
import { type CallMark, type ChatMessage, type ToolOutput, type TurnState, writeJsonText } from '@x/core-model'
import { heldMessage, inWords, openMessages, resultsOf, withResults } from '@x/core-model/memory'
import type { AgentWorker } from '../loop/agent-worker.ts'
import type { ToolCallingProtocol } from '../loop/tool-calling-protocol.ts'
import { inputMessageOf } from '../task/agent-input.ts'
import type { TaskState } from '../task/agent-state.ts'
import { pendingCalls } from '../task/approvals.ts'
import type { Task } from '../task/task.ts'
import { withText } from './own-messages.ts'
import { type Call, idsOf, withOutput } from './turn-calls.ts'

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
  /** Whether the tool of a call of this step is known not to have begun. */
  isUnbegun: (callId: string) => boolean
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
    if (isWaiting) return pendingCalls(state).find((call) => call.id === id)?.awaits ?? 'approval'
    // After a failure, the other calls of its step may still begin.
    return turnState === 'stopped' && isUnbegun(id) ? 'failed' : 'unknown'
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
