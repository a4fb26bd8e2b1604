/**
 * @module
 * A turn of a chat as events, as if it happened again: for clients that load the page, or reconnect.
 */

import type { AgentEvent, PendingToolCall } from '@x/agents'
import { checkOption, required } from '@x/core/options'
import { jsonOr } from '@x/core/values'
import { type ChatMessage, messageText, reasoningOf, type Turn, toolCallsOf } from '@x/core-model'
import { isWithoutResult, shownTurn } from '@x/core-model/memory'
import { type OnChatError, shownResult } from './shown-events.ts'

/**
 * Returns the events of a turn so far, as the stream of its run had them for users.
 * @param options.onError - that of the route: returns the content of the result of a tool that failed. @defaultValue 'The tool failed.'
 * @param options.open - whether the turn still runs: calls without a result have none yet, and the text of a step that did not end is left
 * out, because it is written again. @defaultValue false
 * @example
 * const messages = [new ChatMessage({ content: 'Hi' }), new ChatMessage({ role: 'assistant', content: 'Hello' })]
 * turnEvents({ id: 't1', task: 't1', state: 'done', messages }).map(({ type }) => type)
 * // => ['step_start', 'text_delta', 'step_end', 'task_end']
 */
export function turnEvents(
  turn: Turn,
  { open, onError }: { open?: boolean; onError?: OnChatError | undefined } = {},
): AgentEvent[] {
  checkOption('turnEvents', 'turn', turn, required('a turn', 'messages'))
  return storedEvents(turn, { open }).map((event) =>
    event.type === 'tool_result' ? shownResult(event, onError) : event,
  )
}

/** Returns the events of a turn so far, with the texts of errors. */
export function storedEvents(turn: Turn, { open = false }: { open?: boolean | undefined } = {}): AgentEvent[] {
  const shown = shownTurn(turn)
  const { messages: all, kept, calls = {}, state, unreadable = {}, task: taskId, hidesReasoning } = shown
  const events: AgentEvent[] = []
  const waits = !open && state === 'waiting'
  const asked = (turn.waiting ?? []) as readonly PendingToolCall[]
  let stepId = ''
  const end = () => {
    if (stepId !== '') events.push({ type: 'step_end', taskId, stepId, text: '', isLast: false, status: 'done' })
  }
  // What was said in a step that is repeated is said again.
  const messages = open && state !== 'waiting' ? all.slice(0, kept) : all
  for (const [place, message] of messages.entries()) {
    if (message.role === 'tool') {
      const callId = String(message.additionalKwargs['tool_call_id'])
      const mark = calls[callId]
      const content = messageText(message)
      const isLater = open && (mark === 'unknown' || isWithoutResult(content))
      if (mark === 'approval' || mark === 'begun' || mark === 'result' || isLater) continue
      const toolName = String(message.additionalKwargs['name'] ?? '')
      events.push(resultEvent(shown, { taskId, stepId, callId, toolName }, content))
    } else if (message.role === 'assistant') {
      end()
      stepId = `${turn.id}/${place}`
      events.push({ type: 'step_start', taskId, stepId, input: null }, ...said(message, taskId, stepId, hidesReasoning))
      for (const { id, name: toolName, arguments: given } of toolCallsOf(message)) {
        const callId = id ?? ''
        // One that waits is in its place too: the others may have run. A decision may be an edit.
        const own = asked.find((call) => call.id === callId && (waits || call.decision !== null))
        const args = own?.arguments ?? unreadable[callId] ?? given
        events.push({ type: 'tool_call', taskId, stepId, callId, toolName, ...argumentsOf(args) })
      }
      events.push(...innerEvents(turn, message, stepId))
    }
  }
  if (waits && asked.length > 0) events.push({ type: 'approval_required', taskId, stepId, calls: [...asked] })
  end()
  if (state === 'done' && !open) events.push(endOf(turn, events))
  return events
}

/** The call of an event. */
type CallOfEvent = Pick<Extract<AgentEvent, { type: 'tool_result' }>, 'taskId' | 'stepId' | 'callId' | 'toolName'>

/** Returns the event of the result of a call. */
function resultEvent({ calls, values, decided }: Turn, call: CallOfEvent, content: string): AgentEvent {
  const mark = calls?.[call.callId]
  const isError = mark !== undefined
  const output = isError ? null : (values?.[call.callId] ?? jsonOf(content))
  return {
    type: 'tool_result',
    ...call,
    content,
    isError,
    output,
    ...(mark === 'provided' && { isProvided: true }),
    ...(decided?.[call.callId]?.approved === false && !isWithoutResult(content) && { isRejected: true }),
  }
}

/** Returns the events of the calls of agents behind the calls of a message, about which the page has asked its user. */
function innerEvents(turn: Turn, message: ChatMessage, stepId: string): AgentEvent[] {
  const { decided = {}, waiting = [], task: taskId } = turn
  const parents = new Set<unknown>(toolCallsOf(message).map(({ id }) => id))
  const known = Object.entries(decided).flatMap(([id, { inner }]) => (inner ? [{ id, ...inner }] : []))
  const waited = (waiting as readonly PendingToolCall[]).filter((call) => call.decision !== null && !decided[call.id])
  return [...known, ...waited.map((call) => ({ ...call, result: undefined }))].flatMap((call): AgentEvent[] => {
    if (call.parent === undefined || !parents.has(call.parent)) return []
    const own = { taskId, stepId, callId: call.id, toolName: call.name }
    const made: AgentEvent = { type: 'tool_call', ...own, ...argumentsOf(call.arguments) }
    return call.result === undefined ? [made] : [made, resultEvent(turn, own, call.result)]
  })
}

/** Returns the end of a turn that is done. */
function endOf({ task: taskId, messages, usage, decided }: Turn, events: readonly AgentEvent[]): AgentEvent {
  const last = messages.at(-1)
  const text = last?.role === 'assistant' ? messageText(last) : ''
  const sources = events.flatMap((event) => {
    if (event.type !== 'tool_result' || decided?.[event.callId]?.inner) return []
    const { toolName, content, isError } = event
    return [{ toolName, content, isError }]
  })
  const answer = { text, sources, nodes: [], usage: usage ?? null, output: null }
  return { type: 'task_end', taskId, answer }
}

function said(message: ChatMessage, taskId: string, stepId: string, hidesReasoning = false): AgentEvent[] {
  const event = (type: 'text_delta' | 'reasoning_delta', delta: string): AgentEvent[] =>
    delta === '' ? [] : [{ type, taskId, stepId, delta }]
  const reasoning = hidesReasoning ? [] : reasoningOf(message).map(({ text }) => text)
  const sources = (message.parts ?? []).flatMap((part): AgentEvent[] =>
    part.type === 'source' ? [{ type: 'source', taskId, stepId, source: part.source } as AgentEvent] : [],
  )
  const text = messageText(message).trim()
  return [...event('reasoning_delta', reasoning.join('\n')), ...event('text_delta', text), ...sources]
}

function argumentsOf(given: string | Record<string, unknown>) {
  if (typeof given !== 'string') return { arguments: given }
  const read = jsonOf(given === '' ? '{}' : given)
  if (typeof read === 'object' && read !== null && !Array.isArray(read))
    return { arguments: read as Record<string, unknown> }
  return { arguments: {}, invalidArguments: given }
}

/** Returns the value of a string that is a JSON object or array; otherwise the string. */
function jsonOf(text: string): unknown {
  return /^\s*[{[]/.test(text) ? jsonOr(text, text) : text
}
