/**
 * @module
 * A run of an agent as events of AG-UI.
 */

import type { AgentEvent, PendingToolCall } from '@x/agents'
import { type OnChatError, shownEvents } from '@x/chats'
import { checkGiven } from '@x/core/options'
import { compactJson, textOrJson } from '@x/core/values'
import { relay } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import { inputOf } from './ui-message-stream.ts'

/** An event of AG-UI: its `type`, and the fields of that type. */
export type AgUiEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/** The run that events belong to. */
export interface AgUiRun {
  threadId: string
  runId: string
  /**
   * Returns the text that the user sees when the run or a tool fails. @defaultValue a sentence with the code of the error but not its
   * message, which may contain what the user must not see
   */
  onError?: OnChatError | undefined
  /** What the ids of messages begin with, so that they are those of the messages when the page is loaded again. @defaultValue new ids */
  messageId?: string | undefined
  /** The names of the tools of the client, which makes these calls itself. @defaultValue [] */
  clientTools?: readonly string[] | undefined
  /** The state that the client shares. When tools change it, the client receives the new one. @defaultValue none */
  state?: object | undefined
}

type Block = 'text' | 'reasoning'
type Call = { callId: string; toolName: string }

/** What an answer to a call that waits is: an approval, its result, or the content of the form of a question. */
type Awaited = 'approval' | 'result' | 'question'

/**
 * The id of an interrupt, and that of a call of the client, contains the task, the call and what it waits for, so that a decision or a
 * result reaches it in any process, and the id of what was shown.
 */
const interruptId = (taskId: string, callId: string, awaits: Awaited, approvalId = ''): string =>
  `${taskId}/${encodeURIComponent(callId)}?${awaits}${approvalId && `=${approvalId}`}`

/** Returns the task and the call of an interrupt; null for another id. */
export function readInterrupt(
  id: unknown,
): { taskId: string; callId: string; awaits: Awaited; approvalId: string | undefined } | null {
  const found =
    typeof id === 'string' ? /^(.+)\/([^/]+)\?(approval|result|question)(?:=([0-9a-f]{64}))?$/.exec(id) : null
  try {
    return (
      found && {
        taskId: found[1]!,
        callId: decodeURIComponent(found[2]!),
        awaits: found[3] as Awaited,
        approvalId: found[4],
      }
    )
  } catch {
    return null
  }
}

/**
 * The events of AG-UI for the events of a run: text, reasoning, tool calls while they are written, results, steps, and at the end success,
 * the calls that wait for a decision or a result as interrupts, or an error. Calls of tools of the client have no result. Progress of tools
 * and repeated turns are `CUSTOM` events with the names `tool_progress` and `turn_restarted`.
 * @param events - what `runEvents` of an agent returns. Leaving the events cancels the run.
 * @example
 * import { ReActAgent } from '@x/agents'
 *
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Thought: I know.\nAnswer: Paris'] }), tools: [] })
 * const types: string[] = []
 * const run = { threadId: 't1', runId: 'r1' }
 * for await (const { type } of agUiEvents(agent.runEvents('Capital of France?'), run)) types.push(type)
 * types.slice(0, 3) // => ['RUN_STARTED', 'STEP_STARTED', 'TEXT_MESSAGE_START']
 */
export function agUiEvents(
  events: AsyncIterable<AgentEvent>,
  run: AgUiRun,
): AsyncGenerator<AgUiEvent, void, undefined> {
  checkGiven('agUiEvents', { run }, 'a run', 'threadId')
  return agUiEventsOf(shownEvents(events, run.onError), run)
}

/** The events of AG-UI for the events of `shownEvents`. */
export function agUiEventsOf(events: AsyncIterable<AgentEvent>, run: Omit<AgUiRun, 'onError'>) {
  return relay<AgUiEvent>(async function* (read) {
    const writer = new EventWriter(run)
    yield writer.start()
    for await (const event of read(events)) {
      yield* writer.eventsFor(event)
      if (event.type === 'error') return
    }
    yield* writer.end()
  })
}

/** Returns the events of a turn that is stored. */
export function agUiEventsOfTurn(events: readonly AgentEvent[], messageId: string): AgUiEvent[] {
  const writer = new EventWriter({ threadId: '', runId: '', messageId })
  return [...events.flatMap((event) => writer.eventsFor(event)), ...writer.end()]
}

class EventWriter {
  private run: Omit<AgUiRun, 'onError'>
  private open: { block: Block; messageId: string } | null = null
  private step: string | null = null
  private steps = 0
  private messages = 0
  private hasText = false
  /** The calls whose start was sent, and whether their arguments are complete. */
  private readonly calls = new Map<string, boolean>()
  private readonly interrupts: object[] = []
  private taskId = ''
  private readonly usage: object[] = []
  /** The state that the client has, as JSON. */
  private shared: string

  constructor(run: Omit<AgUiRun, 'onError'>) {
    this.run = run
    this.shared = compactJson(run.state ?? null)
  }

  start(): AgUiEvent {
    const { threadId, runId } = this.run
    return { type: 'RUN_STARTED', threadId, runId }
  }

  end(): AgUiEvent[] {
    const { threadId, runId } = this.run
    const { interrupts, usage } = this
    const outcome = interrupts.length > 0 ? { type: 'interrupt', interrupts } : { type: 'success' }
    return [
      ...this.close(),
      ...this.changedState(),
      { type: 'RUN_FINISHED', threadId, runId, outcome, ...(usage.length > 0 && { usage }) },
    ]
  }

  eventsFor(event: AgentEvent): AgUiEvent[] {
    if (event.taskId && event.taskId !== this.taskId) {
      if (this.taskId !== '') this.beginTurn(event.taskId)
      this.taskId = event.taskId
    }
    switch (event.type) {
      case 'step_start':
        return [...this.close(), this.nextStep()]
      case 'text_delta':
        this.hasText = true
        return this.piece('text', event.delta)
      case 'reasoning_delta':
        return this.piece('reasoning', event.delta)
      case 'tool_input_delta':
        return [...this.begin(event), { type: 'TOOL_CALL_ARGS', toolCallId: this.idOf(event), delta: event.delta }]
      case 'tool_call':
        return this.call(event, event.invalidArguments ?? compactJson(event.arguments))
      case 'tool_progress':
        return [
          custom('tool_progress', { toolCallId: this.idOf(event), progress: event.progress }),
          ...this.changedState(),
        ]
      case 'tool_result':
        return [...this.result(event), ...this.changedState()]
      case 'source':
        return [custom('source', event.source)]
      case 'partial_output':
        return [custom('partial_output', { output: event.output })]
      case 'approval_required':
        return event.calls.flatMap((call) => this.waiting(call))
      case 'turn_restarted':
        return [...this.endBlock(), ...this.endCalls(), custom('turn_restarted', { attempt: event.attempt })]
      case 'step_end':
        return this.close()
      case 'task_end':
        return this.answer(event)
      case 'error':
        return this.failure(event.error)
      default:
        return []
    }
  }

  /** Begins the answer to a message that came with decisions, in the run that they continue. */
  private beginTurn(messageId: string): void {
    this.run = { ...this.run, messageId }
    this.messages = 0
    this.hasText = false
    this.calls.clear()
  }

  private nextStep(): AgUiEvent {
    this.step = `step ${++this.steps}`
    return { type: 'STEP_STARTED', stepName: this.step }
  }

  private piece(block: Block, delta: string): AgUiEvent[] {
    const begun = this.open?.block === block ? [] : [...this.endBlock(), ...this.beginBlock(block)]
    const { messageId } = this.open!
    return [
      ...begun,
      { type: block === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT', messageId, delta },
    ]
  }

  /** The id of the next message. */
  private nextId(): string {
    const { messageId } = this.run
    return messageId === undefined ? newId() : `${messageId}/${this.messages++}`
  }

  private beginBlock(block: Block): AgUiEvent[] {
    const messageId = this.nextId()
    this.open = { block, messageId }
    if (block === 'text') return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }]
    return [
      { type: 'REASONING_START', messageId },
      { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
    ]
  }

  private endBlock(): AgUiEvent[] {
    if (!this.open) return []
    const { block, messageId } = this.open
    this.open = null
    if (block === 'text') return [{ type: 'TEXT_MESSAGE_END', messageId }]
    return [
      { type: 'REASONING_MESSAGE_END', messageId },
      { type: 'REASONING_END', messageId },
    ]
  }

  private isOfClient({ toolName }: Call): boolean {
    return this.run.clientTools?.includes(toolName) ?? false
  }

  private idOf(call: Call): string {
    return this.isOfClient(call) ? interruptId(this.taskId, call.callId, 'result') : call.callId
  }

  /** Sends the state of the client if it has changed. */
  private changedState(): AgUiEvent[] {
    const { state = null } = this.run
    const json = compactJson(state)
    if (json === this.shared) return []
    this.shared = json
    return [{ type: 'STATE_SNAPSHOT', snapshot: JSON.parse(json) }]
  }

  private begin(call: Call): AgUiEvent[] {
    const { toolName: toolCallName } = call
    const toolCallId = this.idOf(call)
    if (this.calls.has(toolCallId)) return []
    this.calls.set(toolCallId, false)
    return [...this.endBlock(), { type: 'TOOL_CALL_START', toolCallId, toolCallName }]
  }

  /** Sends what is missing of a call: its arguments come in one piece unless they were written before. */
  private call(call: Call, json: string): AgUiEvent[] {
    const toolCallId = this.idOf(call)
    // In front of all steps, a call has other arguments than those that the client shows, to which it would append them.
    if (this.calls.get(toolCallId) || this.steps === 0) return []
    const begun = this.begin(call)
    this.calls.set(toolCallId, true)
    const args = begun.length > 0 ? [{ type: 'TOOL_CALL_ARGS', toolCallId, delta: json }] : []
    return [...begun, ...args, { type: 'TOOL_CALL_END', toolCallId }]
  }

  /** Ends calls whose arguments will not come. */
  private endCalls(): AgUiEvent[] {
    const unfinished = [...this.calls].flatMap(([toolCallId, isDone]) => (isDone ? [] : toolCallId))
    for (const toolCallId of unfinished) this.calls.set(toolCallId, true)
    return unfinished.map((toolCallId) => ({ type: 'TOOL_CALL_END', toolCallId }))
  }

  private result(event: Extract<AgentEvent, { type: 'tool_result' }>): AgUiEvent[] {
    // The client has the results of its tools.
    if (this.isOfClient(event)) return []
    const { callId: toolCallId, content } = event
    return [{ type: 'TOOL_CALL_RESULT', messageId: this.nextId(), toolCallId, content, role: 'tool' }]
  }

  /** Sends a call that waits. The client makes the calls of its tools; all others are interrupts. */
  private waiting(waiting: PendingToolCall): AgUiEvent[] {
    const { id, name, arguments: args, needsApproval, awaits, decision, problem, approval } = waiting
    if (decision !== null || !(needsApproval || awaits === 'result')) return []
    const call = { callId: id, toolName: name }
    if (!this.isOfClient(call)) {
      const isQuestion = name === 'elicitation'
      const {
        message = `${name} waits for ${needsApproval ? 'approval' : 'a result'}.`,
        requestedSchema: responseSchema,
      } = isQuestion && typeof args === 'object' ? args : ({} as Record<string, unknown>)
      this.interrupts.push({
        id: needsApproval
          ? interruptId(this.taskId, id, 'approval', approval?.id)
          : interruptId(this.taskId, id, isQuestion ? 'question' : 'result'),
        toolCallId: id,
        reason: needsApproval ? 'tool_call' : 'input_required',
        message: problem === undefined ? message : `${message} ${problem}`,
        ...(responseSchema !== undefined && { responseSchema }),
        // The client may have others, as the model wrote them: without default values and conversions.
        ...(needsApproval && { metadata: { arguments: inputOf(args) } }),
      })
    }
    return this.call(call, textOrJson(args))
  }

  private answer({ answer: { text, usage } }: Extract<AgentEvent, { type: 'task_end' }>): AgUiEvent[] {
    if (usage) {
      const { inputTokens, outputTokens, totalTokens, reasoningTokens, cachedInputTokens } = usage
      this.usage.push({ inputTokens, outputTokens, totalTokens, reasoningTokens, cachedInputTokens })
    }
    // A run that does not stream has no pieces of text.
    const shown = this.hasText ? '' : text.trim()
    return [...(shown === '' ? [] : this.piece('text', shown)), ...this.close()]
  }

  private failure({ message, code }: Extract<AgentEvent, { type: 'error' }>['error']): AgUiEvent[] {
    return [...this.close(), { type: 'RUN_ERROR', message, ...(code !== null && { code }) }]
  }

  /** Ends what is open. */
  private close(): AgUiEvent[] {
    const ended = [...this.endBlock(), ...this.endCalls()]
    const { step: stepName } = this
    this.step = null
    return stepName === null ? ended : [...ended, { type: 'STEP_FINISHED', stepName }]
  }
}

function custom(name: string, value: object): AgUiEvent {
  return { type: 'CUSTOM', name, value }
}
