/**
 * @module
 * The answers of an agent: complete, or as a stream.
 */
import { type Dict, NodeWithScore, type ReadOptions, ToolOutput } from '@x/core-model'
import { isPlainObject } from '@x/core-model/internal'
import { plainData, RecordReader } from './record-reader.ts'

/** What an answer is made of. */
export interface AgentChatResponseOptions {
  /** The text of the answer. @defaultValue '' */
  response?: string | undefined
  /** The outputs of the tools that were called, in order. @defaultValue [] */
  sources?: readonly ToolOutput[] | undefined
  /** The nodes behind the answer. @defaultValue those of every source that is an answer of a query engine */
  sourceNodes?: readonly NodeWithScore[] | undefined
}

/** An answer in JSON. */
export interface AgentChatResponseDict {
  response: string
  sources: Dict[]
  source_nodes: Dict[]
}

/**
 * A complete answer.
 * @example
 * String(new AgentChatResponse({ response: 'Four.' })) // => 'Four.'
 * new AgentChatResponse({ response: 'Four.' }).toDict() // => { response: 'Four.', sources: [], source_nodes: [] }
 */
export class AgentChatResponse {
  response: string
  sources: ToolOutput[]
  sourceNodes: NodeWithScore[]

  constructor(options: AgentChatResponseOptions = {}) {
    this.response = options.response ?? ''
    this.sources = [...(options.sources ?? [])]
    this.sourceNodes = nodesOf(this.sources, options.sourceNodes)
  }

  toString(): string {
    return this.response
  }

  /** The answer in wire form. Raw outputs of tools that are models or records are written as their dicts. */
  toDict(): AgentChatResponseDict {
    return {
      response: this.response,
      sources: this.sources.map((source) => plainData(source) as Dict),
      source_nodes: this.sourceNodes.map((node) => node.toDict()),
    }
  }

  /** Lets `JSON.stringify` write the wire form. */
  toJSON(): AgentChatResponseDict {
    return this.toDict()
  }

  /**
   * Reads an answer from its wire form. A missing key counts as empty.
   * @param options.registry - classes of nodes that are not built in.
   * @throws {ModelValidationError} naming every field that does not fit.
   */
  static fromDict(data: unknown, options: ReadOptions = {}): AgentChatResponse {
    const reader = new RecordReader('AgentChatResponse', data)
    const fields = {
      response: reader.string('response', ''),
      sources: reader.list('sources', (source) => ToolOutput.fromDict(source, {}, options)),
      sourceNodes: reader.list('source_nodes', (node) => NodeWithScore.fromDict(node, {}, options)),
    }
    reader.finish()
    return new AgentChatResponse(fields)
  }
}

/** Whether data has the keys of an answer. */
export function isAnswerDict(data: unknown): data is AgentChatResponseDict {
  return isPlainObject(data) && ['response', 'sources', 'source_nodes'].every((key) => Object.hasOwn(data, key))
}

/** What follows a stream: it runs once the text is complete, before the stream counts as done. */
type Finisher = () => void | Promise<void>
type Failer = (error: unknown) => void | Promise<void>

/** How a stream of an answer is made. */
export interface StreamingAgentChatResponseOptions extends AgentChatResponseOptions {
  /** The pieces of the answer. */
  stream: AsyncIterable<string> | Iterable<string>
}

/**
 * An answer that is being written.
 *
 * The pieces are read at once, whether or not anybody looks at them; every reader gets all of them, from the first one.
 * An error of the stream reaches every reader and `done`.
 * @example
 * const answer = new StreamingAgentChatResponse({ stream: ['fo', 'ur'] })
 * const first = await answer[Symbol.asyncIterator]().next()
 * first.value // => 'fo'
 * await answer.done
 * answer.response // => 'four'
 */
export class StreamingAgentChatResponse extends AgentChatResponse implements AsyncIterable<string> {
  /** The joined text without blanks around it; empty until the stream is done. */
  declare response: string
  /** Settles when the text is complete and the conversation holds it. */
  done: Promise<void>

  private readonly pieces: string[] = []
  private state: 'reading' | 'done' | 'failed' = 'reading'
  private error: unknown
  private toError = (error: unknown): unknown => error
  private waiting: (() => void)[] = []
  /** What follows the text, and what happens instead when the stream, or something before in this list, fails. */
  private readonly followers: { finish: Finisher; fail: Failer | undefined }[] = []
  /** How many of them are done. */
  private followed = 0

  constructor(options: StreamingAgentChatResponseOptions) {
    super(options)
    this.done = this.pump(options.stream)
    // Whoever awaits `done` gets the error; it must not end the process when nobody does.
    this.done.catch(() => {})
  }

  /** Whether the text is complete. */
  get isDone(): boolean {
    return this.state === 'done'
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (let i = 0; ; ) {
      if (i < this.pieces.length) yield this.pieces[i++]!
      else if (this.state === 'done') return
      else if (this.state === 'failed') throw this.toError(this.error)
      else await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  /** The pieces as a stream of the web platform. */
  toReadableStream(): ReadableStream<string> {
    const pieces = this[Symbol.asyncIterator]()
    return new ReadableStream<string>({
      async pull(controller) {
        const next = await pieces.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel() {
        // It may be waiting for a piece that never comes.
        void pieces.return(undefined)
      },
    })
  }

  /**
   * Runs `finish` once the text is complete (at once when it is), before the stream counts as done; `fail` when the
   * stream fails, or what was to follow it before.
   * @internal
   */
  async whenDone(finish: Finisher, fail?: Failer): Promise<void> {
    if (this.state === 'reading') this.followers.push({ finish, fail })
    else if (this.state === 'done') await finish()
    else if (this.followed > 0) {
      // The text is complete; what could not follow it the first time is tried again.
      await finish()
      this.state = 'done'
      this.done = Promise.resolve()
    } else await fail?.(this.error)
  }

  /**
   * Sets what readers and `done` reject with, for an error of the stream.
   * @internal
   */
  mapError(toError: (error: unknown) => unknown): void {
    this.toError = toError
    this.done = this.done.catch((error) => {
      throw toError(error)
    })
    this.done.catch(() => {})
  }

  private async pump(stream: AsyncIterable<string> | Iterable<string>): Promise<void> {
    // Whoever made this object may still say what follows before the first piece is read.
    await undefined
    try {
      for await (const piece of stream) {
        if (piece === '') continue
        this.pieces.push(piece)
        this.wake()
      }
      this.response = this.pieces.join('').trim()
      // One may add another one.
      for (; this.followed < this.followers.length; this.followed++) await this.followers[this.followed]!.finish()
      this.state = 'done'
    } catch (error) {
      this.error = error
      for (let i = this.followed; i < this.followers.length; i++) await this.followers[i]!.fail?.(error)
      this.state = 'failed'
      throw error
    } finally {
      this.wake()
    }
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = []
    for (const resolve of waiting) resolve()
  }
}

/** Given nodes win; else the nodes of every source that is an answer with nodes, in order. */
function nodesOf(sources: readonly ToolOutput[], given: readonly NodeWithScore[] | undefined): NodeWithScore[] {
  if (given && given.length > 0) return [...given]
  const found: NodeWithScore[] = []
  for (const { rawOutput } of sources) {
    const nodes = (rawOutput as { sourceNodes?: unknown } | null | undefined)?.sourceNodes
    if (Array.isArray(nodes)) for (const node of nodes) found.push(node)
  }
  return found
}

/** An answer that came whole, as a stream of one piece: the output of a tool, or the answer of a step that did not stream. */
export function asStream(answer: AgentChatResponse): StreamingAgentChatResponse {
  return Symbol.asyncIterator in answer
    ? (answer as StreamingAgentChatResponse)
    : new StreamingAgentChatResponse({ ...answer, stream: [answer.response] })
}

/** When an answer that still streams is done; nothing for all others. */
export function streamOf(answer: unknown): Promise<void> | undefined {
  return answer instanceof StreamingAgentChatResponse ? answer.done : undefined
}

/** Whether a value is a chat response, also one of another copy of this package. */
export function isChatResponse(value: unknown): value is AgentChatResponse | StreamingAgentChatResponse {
  if (value instanceof AgentChatResponse) return true
  if (typeof value !== 'object' || value === null) return false
  const { response, sources, sourceNodes } = value as Partial<AgentChatResponse>
  return typeof response === 'string' && Array.isArray(sources) && Array.isArray(sourceNodes)
}
