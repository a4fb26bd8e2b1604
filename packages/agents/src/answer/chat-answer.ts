/**
 * @module
 * The answers that agents make, complete or streaming, without the code that reads answers: it needs the classes of all nodes.
 */

import { checkGiven, checkOption, text } from '@x/core/options'
import { type LineOptions, plainData } from '@x/core/reading'
import type { Dict, NodeWithScore, ToolOutput } from '@x/core-model'
import { interruptible, streamOf } from '@x/core-model/async'
import { strip } from '@x/core-model/text'
import { TextRestartedError } from '../agent-error.ts'
import type { TaskUsage } from '../task-usage.ts'

/** Constructor options of `AgentChatResponse`. */
export interface AgentChatResponseOptions<Output = unknown> {
  /** The text of the answer. @defaultValue '' */
  response?: string | undefined
  /** The outputs of the called tools, in order. @defaultValue [] */
  sources?: readonly ToolOutput[] | undefined
  /** The nodes that the answer is based on. @defaultValue the nodes of all sources that are answers of a query engine */
  sourceNodes?: readonly NodeWithScore[] | undefined
  /** The usage of the task. @defaultValue null, unknown */
  usage?: TaskUsage | null | undefined
  /** The structured answer. @defaultValue null */
  output?: Output | undefined
}

/** An answer in JSON. */
export interface AgentChatResponseDict {
  response: string
  /** What the tools returned. `content` is what the model received. */
  sources: {
    content: string
    tool_name: string
    raw_input: unknown
    raw_output: unknown
    is_error: boolean
    untrusted?: boolean
  }[]
  source_nodes: Dict[]
}

/** A complete answer, as agents make it; an {@link AgentChatResponse} without `fromDict`. */
export class ChatAnswer<Output = unknown> {
  response: string
  sources: ToolOutput[]
  sourceNodes: NodeWithScore[]
  /** The usage of the task so far; null if its worker does not count it. Not part of the wire form. */
  usage: TaskUsage | null
  /** The structured answer of an agent with an output schema; otherwise null. Not part of the wire form. */
  output: Output

  constructor(options: AgentChatResponseOptions<Output> = {}) {
    // Every step makes one.
    if (Object(options) !== options) checkGiven('AgentChatResponse', { options }, 'an object of options')
    const { response } = options
    if (typeof (response ?? '') !== 'string') checkOption('AgentChatResponse', 'response', response, text)
    this.response = response ?? ''
    this.sources = [...(options.sources ?? [])]
    this.sourceNodes = nodesOf(this.sources, options.sourceNodes)
    this.usage = options.usage ?? null
    this.output = options.output ?? (null as Output)
  }

  static className(): string {
    return 'AgentChatResponse'
  }

  /** The text of the answer, as events and loops name it; the same as `response`. */
  get text(): string {
    return this.response
  }

  toString(): string {
    return this.response
  }

  /** Returns the wire form. Raw outputs of tools that are models or records are written as their dicts. */
  toDict(options?: LineOptions): AgentChatResponseDict {
    return {
      response: this.response,
      sources: this.sources.map((source) => plainData(source, options) as AgentChatResponseDict['sources'][number]),
      source_nodes: this.sourceNodes.map((node) => node.toDict(options)),
    }
  }

  /** Returns the parts of the answer for a saved task, unchanged. */
  toParts(): Dict {
    const { response, sources, sourceNodes, output, usage } = this
    return {
      response,
      sources,
      source_nodes: sourceNodes,
      ...(output !== null && { output }),
      ...(usage && { usage: { ...usage } }),
    }
  }

  /** Returns the wire form, for `JSON.stringify`. */
  toJSON(): AgentChatResponseDict {
    return this.toDict()
  }
}

/** Returns the passed nodes, or else the nodes of all sources that are answers with nodes, in order. */
export function nodesOf(sources: readonly ToolOutput[], given: readonly NodeWithScore[] | undefined): NodeWithScore[] {
  if (given && given.length > 0) return [...given]
  const found: NodeWithScore[] = []
  for (const { rawOutput } of sources) {
    const nodes = (rawOutput as { sourceNodes?: unknown } | null | undefined)?.sourceNodes
    if (Array.isArray(nodes)) for (const node of nodes) found.push(node)
  }
  return found
}

/** Whether a value is a chat response. Responses of another copy of this package count too. */
export function isChatResponse(value: unknown): value is ChatAnswer {
  if (typeof value !== 'object' || value === null) return false
  const { response, sources, sourceNodes } = value as Partial<ChatAnswer>
  return typeof response === 'string' && Array.isArray(sources) && Array.isArray(sourceNodes)
}

/** What runners need of an answer that streams. */
export interface AnswerStream {
  readonly done: Promise<void>
  onPiece(listener: (piece: string) => void): void
  whenDone(
    finish: () => void | Promise<void>,
    fail?: (error: unknown) => void | Promise<void>,
    isRepeatable?: boolean,
  ): Promise<void>
  whenOver(callback: () => void): void
  mapError(toError: (error: unknown) => unknown): void
}

/** Whether a value is a response that streams, also one of another copy of this package. */
export function isStreamingResponse(value: unknown): value is ChatAnswer & AsyncIterable<string> & AnswerStream {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && isChatResponse(value)
}

/** Returns the `done` promise of an answer that is still streaming, or undefined. */
export function streamEnd(answer: unknown): Promise<void> | undefined {
  return isStreamingResponse(answer) ? answer.done : undefined
}

/** A callback that runs when the text is complete, before the stream is done. */
type Finisher = () => void | Promise<void>
type Failer = (error: unknown) => void | Promise<void>

/** In the pieces of an answer: its text starts again, because the stream of the model broke and was repeated. */
export const RESTART: unique symbol = Symbol('restart')
export type TextPiece = string | typeof RESTART

/** Returns pieces that contain restarts as the stream of a response, which handles them. */
export function pieceStream(pieces: AsyncIterable<TextPiece>): AsyncIterable<string> {
  return pieces as AsyncIterable<string>
}

/** Constructor options of `StreamingAgentChatResponse`. */
interface StreamingAgentChatResponseOptions<Output = unknown> extends AgentChatResponseOptions<Output> {
  /** The pieces of the answer. */
  stream: AsyncIterable<string> | Iterable<string>
  /** Stops the source of the pieces. The stream must fail then. */
  cancel?: ((reason: unknown) => void) | undefined
  /** Whether the model continues when the last reader stops before the end. @defaultValue false */
  keepsReading?: boolean | undefined
}

/**
 * A streaming answer.
 *
 * The pieces are read immediately, even without a reader. Every reader receives all pieces from the first one.
 * An error of the stream is thrown to every reader, and `done` rejects with it.
 *
 * If the stream of the model breaks and is repeated, the text starts again: a reader that has received pieces of the first attempt receives
 * the error `text_restarted`, and can read this object again from its new beginning. `response` is the text of the last attempt.
 * @example
 * const answer = new StreamingAgentChatResponse({ stream: ['fo', 'ur'] })
 * const first = await answer[Symbol.asyncIterator]().next()
 * first.value // => 'fo'
 * await answer.done
 * answer.response // => 'four'
 */
export class StreamingAgentChatResponse<Output = unknown> extends ChatAnswer<Output> implements AsyncIterable<string> {
  /** The whole text, trimmed; empty until the stream is done. */
  declare response: string
  /** Resolves when the text is complete and is part of the conversation. Rejects with an error of the stream. */
  done: Promise<void>

  private readonly pieces: string[] = []
  private readonly listeners: ((piece: string) => void)[] = []
  private readers = 0
  /** How often the text has started again. */
  private restarts = 0
  private readonly cancelStream: ((reason: unknown) => void) | undefined
  /** Whether the model continues when the last reader stops before the end. */
  keepsReading: boolean
  private state: 'reading' | 'done' | 'failed' = 'reading'
  private error: unknown
  private toError = (error: unknown): unknown => error
  private readonly waiting: (() => void)[] = []
  /** Callbacks that run after the text, and those that run instead if the stream, or an earlier callback in this list, fails. */
  private readonly followers: { finish: Finisher; fail: Failer | undefined; isRepeatable: boolean }[] = []
  private readonly last: (() => void)[] = []
  /** The number of callbacks that are done. */
  private followed = 0

  constructor(options: StreamingAgentChatResponseOptions<Output>) {
    if (typeof options?.stream !== 'object')
      checkGiven('StreamingAgentChatResponse', { options }, 'an object of options', 'stream')
    super(options)
    this.cancelStream = options.cancel
    this.keepsReading = options.keepsReading ?? false
    this.done = this.pump(options.stream)
    // Code that awaits `done` receives the error. Without such code, the error must not end the process.
    this.done.catch(() => {})
  }

  /** Whether the text is complete. */
  get isDone(): boolean {
    return this.state === 'done'
  }

  /** Yields the pieces. The model stops when the last reader stops reading, unless it keeps reading. */
  [Symbol.asyncIterator](): AsyncGenerator<string> {
    const reader = { hasLeft: false }
    return interruptible(this.read(reader), () => {
      reader.hasLeft = true
      this.wake()
      // A reader that leaves before it reads is not counted.
      this.leave()
    })
  }

  private async *read(reader: { hasLeft: boolean }): AsyncGenerator<string> {
    this.readers++
    let { restarts } = this
    try {
      for (let i = 0; ; ) {
        if (reader.hasLeft) return
        if (i > 0 && restarts !== this.restarts) throw new TextRestartedError()
        restarts = this.restarts
        if (i < this.pieces.length) yield this.pieces[i++]!
        else if (this.state === 'done') return
        else if (this.state === 'failed') throw this.toError(this.error)
        else await new Promise<void>((resolve) => this.waiting.push(resolve))
      }
    } finally {
      this.readers--
      // A reader whose text starts again may read it from the beginning.
      if (restarts === this.restarts) this.leave()
    }
  }

  /**
   * Stops the model. The stream fails with `reason`, the conversation does not change, and the step can run again. Does nothing
   * after the end.
   */
  cancel(reason: unknown = new DOMException('The answer was cancelled.', 'AbortError')): void {
    if (this.state === 'reading') this.cancelStream?.(reason)
  }

  /** Stops the model when the last reader has left. */
  private leave(): void {
    if (this.readers === 0 && !this.keepsReading) this.cancel()
  }

  /**
   * Calls a function for every piece, also those that have already arrived.
   * @internal
   */
  onPiece(listener: (piece: string) => void): void {
    for (const piece of this.pieces) listener(piece)
    this.listeners.push(listener)
  }

  /** Returns the pieces as a `ReadableStream`. */
  toReadableStream(): ReadableStream<string> {
    return streamOf(this)
  }

  /**
   * Runs `finish` when the text is complete (immediately if it is), before the stream is done. Runs `fail` if the stream or an earlier
   * callback fails.
   * @param isRepeatable - whether the callback may be passed again after it failed. If it succeeds then, the stream is done.
   * @internal
   */
  async whenDone(finish: Finisher, fail?: Failer, isRepeatable = false): Promise<void> {
    if (this.state === 'reading') this.followers.push({ finish, fail, isRepeatable })
    else if (this.state === 'done') await finish()
    else if (this.followers[this.followed]?.isRepeatable) {
      // The text is complete, and everything before this callback is done.
      await finish()
      this.state = 'done'
      this.done = Promise.resolve()
    } else await fail?.(this.error)
  }

  /**
   * Runs `callback` when the stream has ended or failed and all other callbacks are done, before readers are notified.
   * @internal
   */
  whenOver(callback: () => void): void {
    if (this.state === 'reading') this.last.push(callback)
    else callback()
  }

  /**
   * Sets a function that converts errors of the stream for readers and `done`.
   * @internal
   */
  mapError(toError: (error: unknown) => unknown): void {
    const before = this.toError
    this.toError = (error) => toError(before(error))
    this.done = this.done.catch((error) => {
      throw toError(error)
    })
    this.done.catch(() => {})
  }

  private async pump(stream: AsyncIterable<string> | Iterable<string>): Promise<void> {
    // Reading starts asynchronously, so that the creator of this object can still add callbacks.
    await undefined
    try {
      for await (const piece of stream) {
        if (piece === '') continue
        if ((piece as TextPiece) === RESTART) {
          this.restarts++
          this.pieces.length = 0
          this.wake()
          continue
        }
        this.pieces.push(piece)
        for (const listener of this.listeners) listener(piece)
        this.wake()
      }
      this.response = strip(this.pieces.join(''))
      // A callback may add another one.
      for (; this.followed < this.followers.length; this.followed++) await this.followers[this.followed]!.finish()
      this.state = 'done'
    } catch (error) {
      this.error = error
      for (let i = this.followed; i < this.followers.length; i++) await this.followers[i]!.fail?.(error)
      this.state = 'failed'
      throw error
    } finally {
      for (const callback of this.last) callback()
      this.wake()
    }
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve()
  }
}

/** Converts a complete answer to a stream of one piece: the output of a tool, or the answer of a step that did not stream. */
export function asStream(answer: ChatAnswer): StreamingAgentChatResponse {
  return Symbol.asyncIterator in answer
    ? (answer as StreamingAgentChatResponse)
    : new StreamingAgentChatResponse({ ...answer, stream: [answer.response] })
}
