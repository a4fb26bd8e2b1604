/**
 * @module
 * A reply of the model, and its text. While it streams, the text is reported as events, and passed on once it is certain that it is an
 * answer.
 */
import {
  type ChatMessage,
  type ChatResponse,
  deltasOf,
  type FinishReason,
  isTextPart,
  messageText,
  type TokenUsage,
} from '@x/core-model'
import { Channel, type Receive } from '@x/core-model/async'
import { RESTART, type TextPiece } from '../answer/chat-answer.ts'
import type { StepEvent } from '../task/agent-event.ts'
import type { ModelTurn, TextReader } from './tool-calling-protocol.ts'

/** A complete reply of the model. */
export interface SavedReply {
  message: ChatMessage
  /** Null if the model reports none. */
  usage: TokenUsage | null
  /** Null if the model does not report it. */
  finishReason: FinishReason | null
  /** The names of the tools of its request whose calls may have to wait. */
  asking: readonly string[]
}

/** A reply of the model: its response, or what is saved of it. */
export interface ModelReply extends Partial<SavedReply> {
  message: ChatMessage
  response?: ChatResponse
}

/** Returns the text of a model's reply; empty if its message consists of other parts, such as reasoning. */
export function replyText(message: ChatMessage): string {
  const { content } = message
  if (typeof content === 'string') return content
  return Array.isArray(content) && !content.some(isTextPart) ? '' : messageText(message)
}

/** Options of {@link LiveText}. */
export interface LiveTextOptions {
  newReader: () => TextReader
  /** Whether the text is passed on as the answer as soon as it is certainly one. */
  isPassedOn: boolean
  onEvent: Receive<StepEvent> | undefined
  /** Receives each piece of the text. */
  onText?: ((delta: string) => void) | undefined
  /** Whether no text is reported before the turn is over, because it may still be changed. */
  holdsText: boolean
  /** Returns the id that a call of this turn will have. */
  callId: (providerId: string | null, index: number) => string
}

/** Reads the pieces of a streamed reply. */
export class LiveText {
  /** Resolves when the text is certainly an answer. */
  readonly answering: Promise<true>
  /** The pieces that may be shown, until there is a reader of the answer. */
  readonly pieces: string[] = []
  /** Whether something was shown. */
  isShown = false
  private readonly options: LiveTextOptions
  private reader: TextReader
  /** For the reader of the answer, if there is one. */
  private channel: Channel<TextPiece> | undefined
  /** Whether the text is certainly an answer. */
  isAnswering = false
  private startAnswer: (value: true) => void = () => {}
  /** The text of the replies of this turn that this one continues. */
  private before = ''
  /** The text of the reply so far. */
  private text = ''
  /** The error of the last request, until its repetition begins. */
  private failure: { error: unknown } | undefined
  /** The error after which text that was passed on as the answer started again. */
  private restarted: { error: unknown } | undefined
  private readonly calls = new Map<number, { callId: string; toolName: string }>()

  constructor(options: LiveTextOptions) {
    this.options = options
    this.reader = options.newReader()
    this.answering = new Promise((resolve) => {
      this.startAnswer = resolve
    })
  }

  /** Reads the next chunk. Returns whether the rest of the stream is irrelevant. */
  read(chunk: ChatResponse): boolean {
    const { onEvent, onText, callId } = this.options
    const { reasoning, toolCalls } = deltasOf(chunk)
    if (reasoning !== '') onEvent?.({ type: 'reasoning_delta', delta: reasoning })
    for (const { index, id, name, arguments: delta } of toolCalls) {
      const call = this.calls.get(index) ?? { callId: callId(id, index), toolName: name ?? '' }
      this.calls.set(index, call)
      if (delta !== '') onEvent?.({ type: 'tool_input_delta', ...call, delta })
    }
    const text = this.newText(chunk)
    if (text !== '') onText?.(text)
    this.add(text)
    return this.reader.canStop()
  }

  /** Reads the rest of the text at the end of the reply. */
  end(): void {
    this.show(this.reader.flush?.() ?? '')
  }

  /** Records that the request failed. */
  fail(error: unknown): void {
    this.failure = { error }
  }

  /** Begins another reply: one that continues this one, or one that replaces it if its request failed. */
  continue(): void {
    if (this.failure) this.restart(this.failure)
    else {
      this.before += this.text
      this.text = ''
    }
  }

  /**
   * Passes on an answer that was recognized at its end, if the text of a request that failed was passed on before.
   * @throws the error of that request, if the turn is not an answer.
   */
  checkRestart(turn: ModelTurn): void {
    if (!this.restarted) return
    if (turn.kind !== 'answer') throw this.restarted.error
    if (!this.isShown) this.show(turn.text)
  }

  /** Yields the pieces as they arrive, until `reply` resolves. Throws the error with which it rejects. */
  stream(reply: Promise<unknown>): AsyncIterable<TextPiece> {
    const channel = new Channel<TextPiece>()
    this.channel = channel
    for (const piece of this.pieces.splice(0)) void channel.push(piece)
    reply.then(
      () => channel.close(),
      (error) => channel.fail(error),
    )
    return channel
  }

  private restart(failure: { error: unknown }): void {
    if (this.isAnswering && this.options.isPassedOn) this.restarted ??= failure
    if (this.isShown) void this.channel?.push(RESTART)
    this.failure = undefined
    this.reader = this.options.newReader()
    this.isAnswering = this.isShown = false
    this.pieces.length = 0
    this.calls.clear()
    this.text = ''
    this.add(this.before)
  }

  private add(delta: string): void {
    if (delta !== '') this.show(this.reader.push(delta))
  }

  private show(piece: string): void {
    const { onEvent, holdsText, isPassedOn } = this.options
    const { reasoning = '' } = this.reader
    if (reasoning !== '') onEvent?.({ type: 'reasoning_delta', delta: reasoning })
    if (piece === '' || holdsText) return
    if (this.reader.isAnswer && !this.isAnswering) {
      this.isAnswering = true
      const { thought = '' } = this.reader
      if (thought !== '') onEvent?.({ type: 'reasoning', text: thought })
      this.startAnswer(true)
    }
    onEvent?.({ type: 'text_delta', delta: piece })
    this.isShown = true
    if (this.channel) void this.channel.push(piece)
    else if (isPassedOn) this.pieces.push(piece)
  }

  /** Returns the new text of a chunk. Models without deltas send the text so far. */
  private newText(chunk: ChatResponse): string {
    const text = chunk.delta ?? replyText(chunk.message).slice(this.text.length)
    this.text += text
    return text
  }
}
