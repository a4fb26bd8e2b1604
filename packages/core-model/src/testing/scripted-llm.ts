import type { CallOptions, CompleteOptions } from '../contracts/llm.ts'
import type { LLMOptions } from '../generated/llm.ts'
import { LLM } from '../llm/llm.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import { ChatResponse, CompletionResponse, LLMMetadata } from '../messages/responses.ts'
import type { Dict } from '../model/model-class.ts'
import { UnexpectedCallError } from './unexpected-call-error.ts'

/**
 * One scripted answer: a string, null, a whole message, an error to throw, or the pieces of a stream
 * (null is a piece without delta; an error ends the stream by failing).
 */
export type ScriptedAnswer = string | null | ChatMessage | Error | readonly (string | null | Error)[]

/** One recorded request. */
export interface RecordedCall {
  kind: 'chat' | 'stream_chat' | 'complete' | 'stream_complete'
  /** Wire form of the messages, of chats. */
  messages?: Dict[]
  /** The prompt, of completions. */
  prompt?: string
  /** Whether the prompt already went through the model's prompt function, of completions. */
  formatted?: boolean
  /** The model's own options. */
  options: Dict
}

/** The options of {@link ScriptedLLM}. */
export interface ScriptedLLMOptions extends LLMOptions {
  /** The answers, one per request, in order. */
  answers?: readonly ScriptedAnswer[]
  /** The metadata of the model. @defaultValue a chat model named `scripted` */
  metadata?: LLMMetadata
}

/**
 * A language model for tests that answers from a script and records its calls.
 * Throws for a request beyond the script; `assertDone` throws when answers are left.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Paris'] })
 * const { message } = await llm.chat([new ChatMessage({ content: 'Capital of France?' })])
 * message.content // => 'Paris'
 * llm.calls.length // => 1
 */
export class ScriptedLLM extends LLM {
  static override className(): string {
    return 'ScriptedLLM'
  }

  readonly metadata: LLMMetadata
  /** The requests so far. */
  readonly calls: RecordedCall[] = []
  private readonly answers: ScriptedAnswer[]

  constructor({ answers = [], metadata, ...options }: ScriptedLLMOptions = {}) {
    super(options)
    this.answers = [...answers]
    this.metadata = metadata ?? new LLMMetadata({ isChatModel: true, modelName: 'scripted' })
  }

  /** The number of answers that were not used. */
  get answersLeft(): number {
    return this.answers.length
  }

  /** Throws when answers are left. @throws {UnexpectedCallError} */
  assertDone(): void {
    if (this.answers.length > 0)
      throw new UnexpectedCallError(`ScriptedLLM: ${this.answers.length} answers were not used.`)
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    return new ChatResponse({
      message: messageOf(this.next('chat', { messages: messages.map((message) => message.toDict()) }, options)),
    })
  }

  protected override async completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse> {
    const { content, additionalKwargs } = messageOf(this.next('complete', { prompt }, options))
    return new CompletionResponse({ text: content === null ? '' : String(content), additionalKwargs })
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    const answer = this.next('stream_chat', { messages: messages.map((message) => message.toDict()) }, options)
    const additionalKwargs = answer instanceof ChatMessage ? answer.additionalKwargs : {}
    for (const [content, delta] of pieces(answer)) {
      yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content, additionalKwargs }), delta })
    }
  }

  protected override async *streamCompleteRequest(
    prompt: string,
    options: CompleteOptions,
  ): AsyncGenerator<CompletionResponse, void, undefined> {
    for (const [text, delta] of pieces(this.next('stream_complete', { prompt }, options)))
      yield new CompletionResponse({ text, delta })
  }

  private next(
    kind: RecordedCall['kind'],
    input: Partial<RecordedCall>,
    { signal, parentId: _, formatted, ...options }: CompleteOptions,
  ): ScriptedAnswer {
    signal?.throwIfAborted()
    this.calls.push({ kind, ...input, ...(input.prompt !== undefined && { formatted: formatted ?? false }), options })
    if (this.answers.length === 0)
      throw new UnexpectedCallError(`ScriptedLLM: call ${this.calls.length} (${kind}) is beyond the script.`)
    const answer = this.answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
}

function messageOf(answer: ScriptedAnswer): ChatMessage {
  if (answer instanceof ChatMessage) return answer
  if (typeof answer === 'string' || answer === null) return new ChatMessage({ role: 'assistant', content: answer })
  return new ChatMessage({ role: 'assistant', content: [...pieces(answer)].at(-1)?.[0] ?? '' })
}

/** Yields the text so far and the new piece, for each piece. */
function* pieces(answer: ScriptedAnswer): Generator<[string, string | null]> {
  let text = ''
  const parts = Array.isArray(answer)
    ? answer
    : [answer instanceof ChatMessage ? (answer.content === null ? '' : String(answer.content)) : (answer ?? '')]
  for (const part of parts as readonly (string | null | Error)[]) {
    if (part instanceof Error) throw part
    text += part ?? ''
    yield [text, part]
  }
}
