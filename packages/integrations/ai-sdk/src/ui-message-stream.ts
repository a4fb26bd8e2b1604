/**
 * @module
 * A run of an agent as a UI message stream of the AI SDK, as `useChat` reads it.
 * @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
import type { AgentEvent, Tool } from '@x/agents'
import { type OnChatError, shownEvents } from '@x/chats'
import { callback, checkOptions, flag, list, type OptionTable, text } from '@x/core/options'
import { jsonOr } from '@x/core/values'
import type { Turn } from '@x/core-model'
import { relay, streamOf } from '@x/core-model/async'
import { linesResponse } from '@x/durable'
import { approvalProblem, sourceChunk, type TextBlockPart, type UIChunk, type UIMetadata } from './ui-chunk.ts'

/** Options of {@link uiMessageStream} and related functions. */
interface UIMessageStreamOptions {
  /** The id of the assistant's message. @defaultValue chosen by the client */
  messageId?: string | undefined
  /**
   * Returns the text that the user sees when the run or a tool fails. @defaultValue a sentence with the code of the error but not its
   * message, which may contain what the user must not see
   */
  onError?: OnChatError | undefined
  /**
   * Whether tools are parts of the type `tool-NAME`, for pages whose messages declare the types of their tools, instead of
   * `dynamic-tool`. @defaultValue false
   */
  typedTools?: boolean | undefined
  /**
   * The tools whose titles, and for approvals whose schemas, the page receives: `title` and `approval.descriptor` of their parts. Clients
   * before `ai` 6.0.326 and 7.0.173 may refuse them. @defaultValue []
   */
  tools?: readonly Tool[] | undefined
}

const OPTIONS: OptionTable<UIMessageStreamOptions> = {
  messageId: text,
  onError: callback,
  typedTools: flag,
  tools: list,
}

/**
 * The chunks for the events of a run. Text and reasoning are blocks per step, tools are dynamic tools unless they are typed, progress of a
 * tool is a preliminary output, and the metadata of the message has the task id, and at the end the usage. A run that fails, also before
 * its first event, ends with an `error` chunk, and one that was stopped with an `abort` chunk.
 * @param events - what `runEvents` of an agent returns. Leaving the stream cancels the run.
 * @example
 * import { ReActAgent } from '@x/agents'
 *
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Thought: I know.\nAnswer: Paris'] }), tools: [] })
 * const types: string[] = []
 * for await (const chunk of uiMessageChunks(agent.runEvents('Capital of France?'))) types.push(chunk.type)
 * types.slice(0, 3) // => ['start', 'start-step', 'text-start']
 */
export function uiMessageChunks(
  events: AsyncIterable<AgentEvent>,
  options: UIMessageStreamOptions = {},
): AsyncGenerator<UIChunk, void, undefined> {
  checkOptions('uiMessageChunks', options, OPTIONS)
  return relay(async function* (read) {
    for await (const chunks of chunksOf(read(shownEvents(events, options.onError)), options)) yield* chunks
  })
}

/** Returns the chunks for the events of a turn that is stored. */
export function chunksOfEvents(events: readonly AgentEvent[], options: ChunkOptions): UIChunk[] {
  const writer = new ChunkWriter(options)
  return [...events.flatMap((event) => writer.chunksFor(event)), ...writer.end()]
}

/** The chunks for each event of {@link shownEvents}. */
async function* chunksOf(
  events: AsyncIterable<AgentEvent> | Iterable<AgentEvent>,
  options: ChunkOptions,
): AsyncGenerator<UIChunk[], void, undefined> {
  const writer = new ChunkWriter(options)
  for await (const event of events) {
    const chunks = writer.chunksFor(event)
    if (chunks.length > 0) yield chunks
    if (event.type === 'error') return
  }
  yield writer.end()
  // Behind the last change of the message, which the client puts at the end.
  const later = lacking('data-chat-later', await options.later?.())
  if (later.length > 0) yield later
}

/** Returns the chunks of a run as a stream. */
export function uiMessageStream(
  events: AsyncIterable<AgentEvent>,
  options: UIMessageStreamOptions = {},
): ReadableStream<UIChunk> {
  return streamOf(uiMessageChunks(events, options))
}

/** Returns the run as an HTTP response with server-sent events, for `useChat` and other clients of the protocol. */
export function uiMessageResponse(events: AsyncIterable<AgentEvent>, options: UIMessageStreamOptions = {}): Response {
  checkOptions('uiMessageResponse', options, OPTIONS)
  return linesResponse(uiMessageLines(shownEvents(events, options.onError), options), uiMessageHeaders)
}

/** The events of {@link shownEvents} as server-sent events: one string for each event. */
export function uiMessageLines(events: AsyncIterable<AgentEvent>, options: ChunkOptions) {
  return relay<string>(async function* (read) {
    // A comment, which clients skip: proxies pass on the response before the model has said something.
    yield ':\n\n'
    for await (const chunks of chunksOf(read(events), options)) yield chunks.map(uiMessageLine).join('')
    yield 'data: [DONE]\n\n'
  })
}

/** Returns a chunk as a server-sent event. */
export function uiMessageLine(chunk: UIChunk): string {
  return `data: ${jsonOf(chunk)}\n\n`
}

/** Returns the JSON of a chunk without properties that could change prototypes: the client ends the stream when it receives one. */
function jsonOf(chunk: UIChunk): string {
  const json = JSON.stringify(chunk)
  return /"(?:__proto__|constructor)":/.test(json) ? JSON.stringify(chunk, withoutPrototypes) : json
}

function withoutPrototypes(key: string, value: unknown): unknown {
  const isOfPrototype = key === 'constructor' && (value === null || Object.hasOwn(Object(value), 'prototype'))
  return key === '__proto__' || isOfPrototype ? undefined : value
}

export const uiMessageHeaders = { 'x-vercel-ai-ui-message-stream': 'v1' }

type ChunkOptions = Omit<UIMessageStreamOptions, 'onError'> & {
  missed?: readonly unknown[] | undefined
  stopped?: Pick<Turn, 'usage'> | undefined
  later?: (() => Promise<readonly unknown[]>) | undefined
}

class ChunkWriter {
  private readonly options: ChunkOptions
  private readonly blocks = new TextBlocks()
  private isStarted = false
  /** A step `begins` with what a client shows of it: one that runs calls of an earlier step is part of that one. */
  private step: 'none' | 'begins' | 'shown' = 'none'
  private hasText = false
  /** The calls whose start was sent to the client. */
  private readonly calls = new Set<string>()
  /** Those of agents whose calls are shown. */
  private readonly parents = new Set<string>()
  /** Those whose arguments the model still writes. */
  private readonly unfinished = new Set<string>()
  /** Whether the client has received something of this turn. */
  private isShown = false
  private metadata: UIMetadata | undefined

  /** What marks the parts of tools whose types the page does not know. */
  private readonly dynamic: { dynamic?: true }
  private readonly tools: ReadonlyMap<string | null, Tool['metadata']>

  constructor(options: ChunkOptions) {
    this.options = options
    this.dynamic = options.typedTools ? {} : { dynamic: true }
    this.tools = new Map(options.tools?.map(({ metadata }) => [metadata.name, metadata]))
  }

  chunksFor(event: AgentEvent): UIChunk[] {
    const { stopped } = this.options
    if (event.taskId !== null)
      this.metadata ??= { taskId: event.taskId, ...(stopped && { ...stopped, state: 'stopped' }) }
    const chunks = this.body(event)
    // A page that was started shows an answer, which one that fails before its first part is not.
    const hasParts = chunks.length > 0 && event.type !== 'error'
    return [...(hasParts || event.type === 'error' ? this.start(hasParts) : []), ...chunks]
  }

  end(): UIChunk[] {
    const finish: UIChunk = { type: 'finish', ...(this.isStarted && { messageMetadata: this.metadata }) }
    return [...this.endStep(), finish]
  }

  private start(hasParts: boolean): UIChunk[] {
    const { messageId, missed } = this.options
    if (this.isStarted || !this.metadata) return []
    this.isStarted = hasParts
    const start = {
      type: 'start',
      ...(messageId !== undefined && { messageId }),
      messageMetadata: this.metadata,
    } as const
    return [...(hasParts ? [start] : []), ...lacking('data-chat-missed', missed)]
  }

  private body(event: AgentEvent): UIChunk[] {
    const isNew = this.addsPart(event)
    const chunks = this.chunksOf(event)
    if (this.step !== 'begins' || !isNew || chunks.length === 0) return chunks
    this.step = 'shown'
    return [{ type: 'start-step' }, ...chunks]
  }

  /** Whether an event adds a part to the message of the client. Calls that were decided are parts of an earlier step. */
  private addsPart(event: AgentEvent): boolean {
    if (event.type === 'tool_call' || event.type === 'tool_input_delta') return !this.calls.has(event.callId)
    if (event.type === 'approval_required')
      return event.calls.some(
        ({ id, problem, firstQuestion, parent = id }) =>
          (problem === undefined || firstQuestion) && !this.calls.has(id) && (parent === id || this.calls.has(parent)),
      )
    return ['text_delta', 'reasoning_delta', 'source', 'partial_output', 'task_end'].includes(event.type)
  }

  private chunksOf(event: AgentEvent): UIChunk[] {
    switch (event.type) {
      case 'step_start':
        this.step = 'begins'
        this.isShown = false
        return []
      case 'text_delta':
        this.hasText = this.isShown = true
        return this.blocks.add('text', event.delta)
      case 'reasoning_delta':
        this.isShown = true
        return this.blocks.add('reasoning', event.delta)
      case 'tool_input_delta':
        return [
          ...this.call(event),
          { type: 'tool-input-delta', toolCallId: event.callId, inputTextDelta: event.delta },
        ]
      case 'source':
        return [sourceChunk(event.source)]
      case 'partial_output':
        this.isShown = true
        return [{ type: 'data-partial-output', id: event.stepId, data: event.output }]
      case 'turn_restarted':
        return this.restart(event.attempt)
      case 'tool_call':
        return this.input(event)
      case 'tool_progress':
        return [{ ...this.output(event.callId, event.progress), preliminary: true }]
      case 'tool_result': {
        const { callId, content, output: value } = event
        if (event.isRejected) return [{ type: 'tool-output-denied', toolCallId: callId }]
        if (event.isError)
          return [{ type: 'tool-output-error', toolCallId: callId, errorText: content, ...this.dynamic }]
        return [this.output(callId, value ?? content)]
      }
      case 'approval_required':
        if (this.metadata) this.metadata = { ...this.metadata, state: 'waiting' }
        return event.calls
          .filter(({ decision }) => decision === null)
          .sort((one, other) => Number(one.parent !== undefined) - Number(other.parent !== undefined))
          .flatMap((call) => this.waiting(call))
      case 'step_end':
        return this.endStep()
      case 'task_end':
        return this.answer(event)
      case 'error':
        return this.failure(event)
      default:
        return []
    }
  }

  /** Returns the start of a call, unless it was sent already. */
  private call({ callId, toolName }: { callId: string; toolName: string }): UIChunk[] {
    if (this.calls.has(callId)) return []
    this.isShown = true
    this.calls.add(callId)
    this.unfinished.add(callId)
    return [...this.blocks.end(), { type: 'tool-input-start', toolCallId: callId, ...this.named(toolName) }]
  }

  /** The client keeps what it has received, so it is marked as void. A call that is written again starts again. */
  private restart(attempt: number): UIChunk[] {
    if (!this.isShown) return []
    this.isShown = false
    for (const callId of this.unfinished) this.calls.delete(callId)
    this.unfinished.clear()
    return [...this.blocks.end(), { type: 'data-turn-restarted', data: { attempt } }]
  }

  private input(event: Extract<AgentEvent, { type: 'tool_call' }>): UIChunk[] {
    const { callId, toolName, invalidArguments } = event
    const common = { toolCallId: callId, ...this.named(toolName) }
    const ended = callId.includes('/') ? this.endBefore(callId) : this.blocks.end()
    this.isShown = true
    this.calls.add(callId)
    this.unfinished.delete(callId)
    if (invalidArguments !== undefined) {
      const errorText = 'The arguments are not a JSON object.'
      return [...ended, { ...common, type: 'tool-input-error', input: invalidArguments, errorText }]
    }
    return [...ended, { ...common, type: 'tool-input-available', input: event.arguments }]
  }

  /**
   * Returns the end of what is before a call of an agent behind a tool. These calls are a step: clients send decisions by themselves when
   * each call of the last step has one or a result, and the call of the agent has none.
   */
  private endBefore(innerId: string): UIChunk[] {
    const ended = this.blocks.end()
    let parent = innerId
    // The call of an agent in between is shown only if it needs approval itself.
    do parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/')))
    while (parent !== '' && !this.calls.has(parent))
    if (parent === '' || this.parents.has(parent)) return ended
    this.parents.add(parent)
    return [...ended, { type: 'finish-step' }, { type: 'start-step' }]
  }

  /** Returns a call that waits for its result or for an approval. */
  private waiting(call: Extract<AgentEvent, { type: 'approval_required' }>['calls'][number]): UIChunk[] {
    const { id, name, problem, needsApproval, awaits } = call
    if (!needsApproval && awaits !== 'result') return []
    const descriptor = descriptorOf(this.tools.get(name))
    const ended = id.includes('/') ? this.endBefore(id) : this.blocks.end()
    this.calls.add(id)
    const input = inputOf(call.arguments)
    const shown: UIChunk[] = [...ended, { type: 'tool-input-available', toolCallId: id, input, ...this.named(name) }]
    if (!needsApproval) return shown
    return [
      ...shown,
      ...(problem === undefined ? [] : [approvalProblem(id, problem)]),
      {
        type: 'tool-approval-request',
        approvalId: call.approval?.id ?? id,
        toolCallId: id,
        ...(descriptor && { approvalDescriptor: descriptor }),
      },
    ]
  }

  private answer({ taskId, answer }: Extract<AgentEvent, { type: 'task_end' }>): UIChunk[] {
    this.metadata = { taskId, ...(answer.usage && { usage: answer.usage }), state: 'done' }
    // A run that does not stream has no pieces of text.
    const text = this.hasText ? '' : answer.text.trim()
    return [...(text === '' ? [] : this.blocks.add('text', text)), ...this.endStep()]
  }

  private failure({ error, usage }: Extract<AgentEvent, { type: 'error' }>): UIChunk[] {
    const isStop = error.code === 'abort'
    const end: UIChunk = isStop ? { type: 'abort' } : { type: 'error', errorText: error.message }
    const ended = this.blocks.end()
    if (!this.isStarted || !this.metadata) return [...ended, end]
    const { taskId } = this.metadata
    const state = isStop ? 'stopped' : 'failed'
    const messageMetadata = { taskId, ...(isStop && usage && { usage }), state } as const
    return [...ended, { type: 'message-metadata', messageMetadata }, end]
  }

  private named(toolName: string) {
    const title = this.tools.get(toolName)?.title
    return { toolName, ...(title && { title }), ...this.dynamic }
  }

  private output(toolCallId: string, output: unknown): Extract<UIChunk, { type: 'tool-output-available' }> {
    return { type: 'tool-output-available', toolCallId, output, ...this.dynamic }
  }

  private endStep(): UIChunk[] {
    const ended = this.blocks.end()
    if (this.step !== 'shown') return ended
    this.step = 'none'
    return [...ended, { type: 'finish-step' }]
  }
}

/** Returns what a page may show of the tool of a call that waits. */
export function descriptorOf({ title, jsonSchema: schema }: Partial<Tool['metadata']> = {}) {
  return schema && { ...(title && { title }), schema }
}

function lacking(type: 'data-chat-missed' | 'data-chat-later', data: readonly unknown[] = []): UIChunk[] {
  return data.length > 0 ? [{ type, data, transient: true }] : []
}

/** Returns the parsed arguments of a call; a string that is not JSON is returned unchanged. */
export function inputOf(args: string | object): unknown {
  return typeof args === 'string' ? jsonOr(args, args) : args
}

/** Converts pieces of text and reasoning to blocks of a stream, one open block at a time. */
export class TextBlocks {
  private open: { type: 'text' | 'reasoning'; id: string } | null = null
  private count = 0

  /** Returns the parts for a piece; the first piece after a block of the other type begins a new block. */
  add(type: 'text' | 'reasoning', delta: string): TextBlockPart[] {
    if (this.open?.type === type) return [{ type: `${type}-delta`, id: this.open.id, delta }]
    const ended = this.end()
    const id = `${type}-${this.count++}`
    this.open = { type, id }
    return [...ended, { type: `${type}-start`, id }, { type: `${type}-delta`, id, delta }]
  }

  /** Returns the part that ends the open block, or nothing. */
  end(): TextBlockPart[] {
    const { open } = this
    this.open = null
    return open ? [{ type: `${open.type}-end`, id: open.id }] : []
  }
}
