import type { Dict } from '@x/core'
import { checkOptions, flag, milliseconds } from '@x/core/options'
import type { CallOptions, CompleteOptions } from '@x/core-model'
import { ChatMessage, ChatResponse, CompletionResponse, LLMMetadata, messageText } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { UnexpectedCallError } from '@x/core-model/testing'
import type { LLMOptions } from '../generated/llm.ts'
import { LLM } from '../llm/llm.ts'
import { brokenRule } from './wire-rules.ts'

/** A piece of a scripted answer: a string, null, a message with further data such as tool calls, or an error to throw. */
export type ScriptedPiece = string | null | ChatMessage | Error

/**
 * One scripted answer: a piece, or the pieces of a stream. Null is a piece without delta; an error makes the stream fail.
 * Promises of pieces are awaited: one that never settles keeps the model pending, even if the request is cancelled.
 */
export type ScriptedAnswer =
  | ScriptedPiece
  | Promise<ScriptedPiece>
  | readonly (ScriptedPiece | Promise<ScriptedPiece>)[]

/** Returns the answer to a request; for completions the prompt is one message of the user. */
type ScriptedAnswers = (messages: readonly ChatMessage[]) => ScriptedAnswer

/** One recorded request. */
interface RecordedCall {
  kind: 'chat' | 'stream_chat' | 'complete' | 'stream_complete'
  /** Wire form of the messages, for chats. */
  messages?: Dict[]
  /** The prompt, for completions. */
  prompt?: string
  /** Whether the model's prompt function was already applied to the prompt, for completions. */
  formatted?: boolean
  /** The model's own options. */
  options: Dict
}

/** The options of {@link ScriptedLLM}. */
export interface ScriptedLLMOptions extends LLMOptions {
  /** The answers, one per request, in order; or a function of the messages, for any number of requests. */
  answers?: readonly ScriptedAnswer[] | ScriptedAnswers
  /** The metadata of the model. @defaultValue a chat model named `scripted` */
  metadata?: LLMMetadata
  /** Whether requests that the providers of models refuse fail, with the rule and the position. @defaultValue true */
  wire?: boolean
  /** Milliseconds before each word: strings stream word by word, as from a model. @defaultValue null: a string is one piece, at once */
  delayMs?: number | null
  /**
   * Whether answers report tokens: one for four characters of the texts of the messages, and of that of the answer. Definitions and calls
   * of tools are not counted. @defaultValue false
   */
  usage?: boolean
}

/**
 * A language model for tests that answers from a script and records its calls. A request or stream ends with the reason of its signal,
 * before the next piece. Throws for a request beyond the script, and for one that providers refuse, such as a call without its result;
 * `assertDone` throws if answers were not used. With `new Promise(() => {})` as an answer or a piece, the model stays pending.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Paris'] })
 * const { message } = await llm.chat([new ChatMessage({ content: 'Capital of France?' })])
 * message.content // => 'Paris'
 * llm.calls.length // => 1
 *
 * const echo = new ScriptedLLM({ answers: (messages) => `You said: ${messages.at(-1)?.content}` })
 * String(await echo.complete('pear')) // => 'You said: pear'
 */
export class ScriptedLLM extends LLM {
  static override className(): string {
    return 'ScriptedLLM'
  }

  readonly metadata: LLMMetadata
  /** The requests so far. */
  readonly calls: RecordedCall[] = []
  /** The signals of the requests, in the order of `calls`: whether each was cancelled. */
  readonly signals: (AbortSignal | undefined)[] = []
  private readonly answers: ScriptedAnswer[]
  private readonly answerTo: ScriptedAnswers | null
  private readonly wire: boolean
  private readonly delayMs: number | null
  private readonly usage: boolean

  constructor({
    answers = [],
    metadata,
    wire = true,
    delayMs = null,
    usage = false,
    ...options
  }: ScriptedLLMOptions = {}) {
    super(options)
    checkOptions('ScriptedLLM', { delayMs, usage }, { delayMs: milliseconds(0, 'or null'), usage: flag })
    this.wire = wire
    this.delayMs = delayMs
    this.usage = usage
    this.answers = typeof answers === 'function' ? [] : [...answers]
    this.answerTo = typeof answers === 'function' ? answers : null
    this.metadata = metadata ?? new LLMMetadata({ isChatModel: true, modelName: 'scripted' })
  }

  /** The number of answers that were not used. */
  get answersLeft(): number {
    return this.answers.length
  }

  /** @throws {UnexpectedCallError} if answers were not used. */
  assertDone(): void {
    if (this.answers.length > 0)
      throw new UnexpectedCallError(`ScriptedLLM: ${this.answers.length} answers were not used.`)
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const answer = this.next('chat', messages, options)
    if (this.delayMs !== null) await pause(this.delayMs, options.signal)
    const message = await messageOf(answer)
    return new ChatResponse({ message, ...this.tokensOf(messages, messageText(message)) })
  }

  protected override async completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    const { content, additionalKwargs } = await messageOf(this.next('complete', prompt, options))
    return new CompletionResponse({ text: content === null ? '' : String(content), additionalKwargs })
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    const answer = this.next('stream_chat', messages, options)
    let last = new ChatMessage({ role: 'assistant', content: '' })
    for await (const [content, delta, additionalKwargs] of this.paced(answer, options.signal)) {
      last = new ChatMessage({ role: 'assistant', content, additionalKwargs })
      yield new ChatResponse({ message: last, delta })
    }
    // As of a server: the tokens are known at the end.
    if (this.usage)
      yield new ChatResponse({ message: last, delta: null, ...this.tokensOf(messages, messageText(last)) })
  }

  protected override async *streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncGenerator<CompletionResponse, void, undefined> {
    for await (const [text, delta] of this.paced(this.next('stream_complete', prompt, options), options.signal))
      yield new CompletionResponse({ text, delta })
  }

  /** The pieces of an answer; with `delayMs`, its words, each after a pause. */
  private async *paced(answer: ScriptedAnswer, signal: AbortSignal | undefined): ReturnType<typeof pieces> {
    for await (const piece of pieces(answer)) {
      for (const word of this.delayMs === null ? [piece] : wordsOf(piece)) {
        if (this.delayMs !== null) await pause(this.delayMs, signal)
        yield word
      }
    }
  }

  private tokensOf(messages: readonly ChatMessage[], answer: string): { raw?: Dict } {
    if (!this.usage) return {}
    const tokens = (text: string) => Math.ceil(text.length / 4)
    const prompt_tokens = tokens(messages.map((message) => messageText(message)).join('\n'))
    const completion_tokens = tokens(answer)
    return { raw: { usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } } }
  }

  private next(
    kind: RecordedCall['kind'],
    input: string | readonly ChatMessage[],
    { signal, parentId: _, formatted, ...options }: CompleteOptions,
  ): ScriptedAnswer {
    signal?.throwIfAborted()
    this.signals.push(signal)
    const isPrompt = typeof input === 'string'
    this.calls.push({
      kind,
      ...(isPrompt
        ? { prompt: input, formatted: formatted ?? false }
        : { messages: input.map((each) => each.toDict()) }),
      options,
    })
    const fault = this.wire && !isPrompt ? brokenRule(input, options) : null
    if (fault)
      throw new UnexpectedCallError(
        `ScriptedLLM: providers refuse this request: ${fault}. With wire: false, such requests are allowed.`,
      )
    if (this.answerTo) return this.answerTo(isPrompt ? [new ChatMessage({ content: input })] : input)
    if (this.answers.length === 0)
      throw new UnexpectedCallError(`ScriptedLLM: call ${this.calls.length} (${kind}) is beyond the script.`)
    const answer = this.answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
}

async function messageOf(answer: ScriptedAnswer): Promise<ChatMessage> {
  if (Array.isArray(answer)) {
    let message = new ChatMessage({ role: 'assistant', content: '' })
    for await (const [content, , additionalKwargs] of pieces(answer))
      message = new ChatMessage({ role: 'assistant', content, additionalKwargs })
    return message
  }
  const piece = await (answer as ScriptedPiece | Promise<ScriptedPiece>)
  if (piece instanceof Error) throw piece
  return piece instanceof ChatMessage ? piece : new ChatMessage({ role: 'assistant', content: piece })
}

/** Splits a piece into words with the white space behind them. Tool calls come with the last one. */
function* wordsOf([text, delta, data]: [string, string | null, Dict]): Generator<[string, string | null, Dict]> {
  const words = delta?.match(/\S+\s*|\s+/g) ?? []
  if (words.length === 0) return yield [text, delta, data]
  let end = text.length - (delta ?? '').length
  for (const [index, word] of words.entries()) {
    end += word.length
    yield [text.slice(0, end), word, index === words.length - 1 ? data : {}]
  }
}

/** Yields the text so far, the new text and the additional data for each piece. */
async function* pieces(answer: ScriptedAnswer): AsyncGenerator<[string, string | null, Dict], void, undefined> {
  let text = ''
  for (const given of (Array.isArray(answer) ? answer : [answer ?? '']) as readonly ScriptedPiece[]) {
    const piece = await given
    if (piece instanceof Error) throw piece
    const delta = piece instanceof ChatMessage ? messageText(piece) : piece
    text += delta ?? ''
    yield [text, delta, piece instanceof ChatMessage ? piece.additionalKwargs : {}]
  }
}
