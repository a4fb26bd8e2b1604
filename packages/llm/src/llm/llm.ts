/**
 * @module
 * The base of language models: prompts, events, and conversions between chat and completion.
 */
import { ToolkitError } from '@x/core'
import { checkGiven, checkNames, dict, invalidOption, text as string } from '@x/core/options'
import { compactJson, kindOf } from '@x/core/values'
import type { BaseLLM, CallOptions, CompleteOptions, EventPayloads, PromptLike } from '@x/core-model'
import {
  type CallbackEvent,
  CallbackManager,
  type ChatInput,
  ChatMessage,
  type ChatResponse,
  type CompletionResponse,
  ComponentInputError,
  completionToChatResponse,
  DefinedComponent,
  type LLMMetadata,
  messagesToPrompt,
  messageText,
  type QueryComponent,
} from '@x/core-model'
import { raceAbort, untilLeft } from '@x/core-model/async'
import { asMessages, chatMessages, inputTextOrStream } from '@x/core-model/components'
import { LLMModel } from '../generated/llm.ts'

/** Thrown when a stream is requested although an output parser needs the whole answer. */
export class StreamingParserError extends ToolkitError {
  constructor() {
    super(
      'StreamingParserError',
      'streaming_parser',
      'LLM.stream: an output parser needs the whole answer; use predict.',
    )
  }
}

/** What prompts are and have. */
const aPrompt = ['a prompt template', 'format', 'formatMessages'] as const

/** What a call sends. */
type CallInput = Pick<EventPayloads['llm']['start'], 'messages' | 'formatted_prompt'>

/** The name of the answer in the event of a call. */
type AnswerName = 'response' | 'completion'

/**
 * The base of language models. A subclass has `metadata` and makes the requests; this class emits events, fills prompts and converts
 * answers. `chat` and `complete` send their input unchanged; `predict` and `stream` apply the system prompt and the parser.
 */
export abstract class LLM extends LLMModel implements BaseLLM {
  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  abstract readonly metadata: LLMMetadata

  /** Host and port of the model server, for events; null if there is none, or it is unknown. */
  get endpoint(): { readonly address: string; readonly port?: number } | null {
    return null
  }

  /** Makes one chat request. `options` contains the signal and the options of the call. */
  protected abstract chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>
  /** Makes one completion request. */
  protected abstract completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse>
  /** Makes one streamed chat request. */
  protected abstract streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncIterable<ChatResponse>
  /** Makes one streamed completion request. */
  protected abstract streamCompleteRequest(prompt: string, options: CompleteOptions): AsyncIterable<CompletionResponse>

  /** Answers a chat; a string or content parts are one message of the user. */
  async chat(input: ChatInput, options: CallOptions = {}): Promise<ChatResponse> {
    checkCall('chat', options)
    const messages = chatMessages(input)
    const { callbackManager, ...own } = options
    const { signal } = own
    signal?.throwIfAborted()
    if (!(callbackManager ?? this.callbackManager)?.handlers.length) {
      const answer = this.chatRequest(messages, own)
      return signal ? raceAbort(answer, signal) : answer
    }
    return this.asked({ messages }, 'response', options, (given) => this.chatRequest(messages, given))
  }

  async complete(prompt: string, options: CompleteOptions = {}): Promise<CompletionResponse> {
    checkGiven('complete', { prompt }, string)
    checkCall('complete', options)
    const input = { formatted_prompt: prompt }
    return this.asked(input, 'completion', options, (own) => this.completeRequest(prompt, own))
  }

  /** As `chat`, but yields the answer piece by piece. */
  streamChat(input: ChatInput, options: CallOptions = {}): AsyncIterable<ChatResponse> {
    checkCall('streamChat', options)
    const messages = chatMessages(input, 'streamChat')
    return this.streamed({ messages }, 'response', options, (own) => this.streamChatRequest(messages, own))
  }

  streamComplete(prompt: string, options: CompleteOptions = {}): AsyncIterable<CompletionResponse> {
    checkGiven('streamComplete', { prompt }, string)
    checkCall('streamComplete', options)
    const input = { formatted_prompt: prompt }
    return this.streamed(input, 'completion', options, (own) => this.streamCompleteRequest(prompt, own))
  }

  /**
   * Fills a prompt and returns the answer as a string. Applies the system prompt, the parser and the prompt functions of this model.
   * A parsed answer that is not a string is returned as compact JSON.
   * @throws {MissingVariableError} before anything is sent.
   */
  async predict(
    prompt: PromptLike,
    vars: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<string> {
    checkGiven('predict', { prompt }, ...aPrompt)
    checkCall('predict', options)
    const { messages, text } = await this.filled(prompt, vars, options)
    const answer = messages
      ? messageText((await this.chat(messages, options)).message)
      : (await this.complete(text!, { ...options, formatted: true })).text
    if (this.outputParser === null) return answer
    const parsed = this.outputParser.parse(answer)
    return typeof parsed === 'string' ? parsed : compactJson(parsed ?? null)
  }

  /**
   * As `predict`, but yields the answer piece by piece.
   * @throws {StreamingParserError} before anything is sent, when this model or the prompt has a parser.
   */
  stream(
    prompt: PromptLike,
    vars: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    checkGiven('stream', { prompt }, ...aPrompt)
    checkCall('stream', options)
    return untilLeft(options.signal, (signal) => this.texts(prompt, vars, { ...options, signal }))
  }

  private async *texts(
    prompt: PromptLike,
    vars: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    const selected = prompt.select?.({ llm: this }) ?? prompt
    if (this.outputParser ?? selected.outputParser) throw new StreamingParserError()
    const { messages, text } = await this.filled(prompt, vars, options)
    const pieces = messages
      ? this.streamChat(messages, options)
      : this.streamComplete(text!, { ...options, formatted: true })
    for await (const { delta } of pieces) yield delta ?? ''
  }

  /** Returns this model as a component of a query pipeline: input `messages` for chat models, otherwise `prompt`; output `output`. */
  override asQueryComponent(options: { partial?: Record<string, unknown>; streaming?: boolean } = {}): QueryComponent {
    checkNames('asQueryComponent', options, ['partial', 'streaming'])
    const { partial, streaming = false } = options
    const isChat = this.metadata.isChatModel
    const key = isChat ? 'messages' : 'prompt'
    return new DefinedComponent({
      name: 'LLM component',
      inputKeys: () => ({ required: [key], optional: [] }),
      outputKeys: ['output'],
      partial,
      setCallbackManager: (manager) => {
        this.callbackManager = manager
      },
      run: async ({ [key]: input }, { signal, parentId, callbackManager }) => {
        const messages = asMessages(input)
        const options = { signal, parentId, callbackManager }
        if (isChat) {
          const chat = messages ?? [new ChatMessage({ content: await textOf(input, key) })]
          return { output: streaming ? this.streamChat(chat, options) : await this.chat(chat, options) }
        }
        const prompt = messages ? this.render(messages) : (this.completionToPrompt ?? same)(await promptOf(input, key))
        const callOptions = { ...options, formatted: true }
        return {
          output: streaming ? this.streamComplete(prompt, callOptions) : await this.complete(prompt, callOptions),
        }
      },
    })
  }

  /** Returns the filled prompt with system prompt, parser instructions and wrapper; emits the `templating` event. */
  private async filled(
    prompt: PromptLike,
    vars: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<{ messages?: ChatMessage[]; text?: string }> {
    options.signal?.throwIfAborted()
    const isChat = this.metadata.isChatModel
    const { outputParser, systemPrompt, queryWrapperPrompt } = this
    let messages: ChatMessage[] | undefined
    let text = ''
    if (isChat) {
      messages = prompt.formatMessages(vars, { llm: this })
      if (outputParser) messages = outputParser.formatMessages(messages)
      if (systemPrompt) messages = [new ChatMessage({ role: 'system', content: systemPrompt }), ...messages]
    } else {
      text = prompt.format(vars, {
        llm: this,
        messagesToPrompt: (list) => this.render(list),
        completionToPrompt: this.completionToPrompt ?? undefined,
      })
      if (outputParser) text = outputParser.format(text)
      if (systemPrompt) text = `${systemPrompt}\n\n${text}`
      if (queryWrapperPrompt) text = queryWrapperPrompt.format({ query_str: text })
    }
    const payload = () => ({
      template: prompt.getTemplate({ llm: this }),
      template_vars: prompt.resolveVars?.(vars, { llm: this }) ?? { ...vars },
      system_prompt: systemPrompt,
      query_wrapper_prompt: queryWrapperPrompt,
    })
    const manager = options.callbackManager ?? this.callbackManager
    manager.startEvent('templating', payload, options).end()
    return messages ? { messages } : { text }
  }

  private render(messages: readonly ChatMessage[]): string {
    return (this.messagesToPrompt ?? messagesToPrompt)(messages)
  }

  private startPayload(
    input: CallInput,
    { signal: _, parentId: _p, headers: _h, ...own }: CompleteOptions,
  ): EventPayloads['llm']['start'] {
    const { endpoint } = this
    const { modelName: model, provider } = this.metadata
    const serialized = { model, provider, ...(endpoint && { endpoint }), ...this.toDict() }
    return { ...input, additional_kwargs: own, serialized }
  }

  /** Makes a request inside an event, which contains the answer under this name. */
  private asked<R>(
    input: CallInput,
    name: AnswerName,
    { callbackManager, ...options }: CompleteOptions,
    request: (options: CompleteOptions) => Promise<R>,
  ): R | Promise<R> {
    options.signal?.throwIfAborted()
    const manager = callbackManager ?? this.callbackManager
    const limited = () => raceAbort(request(options), options.signal)
    if (!manager?.handlers.length) return limited()
    return manager.event(
      'llm',
      () => this.startPayload(input, options),
      async (event) => {
        const answer = await limited()
        event.end({ ...input, [name]: answer })
        return answer
      },
      options,
    )
  }

  /** Returns the stream of a request, which is cancelled when its reader leaves. */
  private streamed<R>(
    input: CallInput,
    name: AnswerName,
    { callbackManager, ...options }: CompleteOptions,
    request: (options: CompleteOptions) => AsyncIterable<R>,
  ): AsyncGenerator<R, void, undefined> {
    const manager = callbackManager ?? this.callbackManager
    return untilLeft(options.signal, (signal) => this.inEvent(manager, input, name, { ...options, signal }, request))
  }

  /** Yields a stream inside an event, which ends when the stream ends, fails, or is left early. */
  private async *inEvent<R>(
    manager: CallbackManager | null,
    input: CallInput,
    name: AnswerName,
    options: CompleteOptions,
    request: (options: CompleteOptions) => AsyncIterable<R>,
  ): AsyncGenerator<R, void, undefined> {
    const { signal } = options
    signal?.throwIfAborted()
    const event: CallbackEvent | undefined = manager?.handlers.length
      ? manager.startEvent('llm', () => this.startPayload(input, options), options)
      : undefined
    // A model may ignore the signal, which is that of this stream alone: one listener serves all pieces.
    let stop: (reason: unknown) => void = () => {}
    signal?.addEventListener('abort', () => stop(signal.reason))
    const started = performance.now()
    let timeToFirstChunk: number | undefined
    let last: R | null = null
    let unfinished: AsyncIterator<R> | undefined
    try {
      // Each piece is read inside the event, so that requests of the model belong to it.
      const stream = event ? event.run(() => request(options)) : request(options)
      const pieces = stream[Symbol.asyncIterator]()
      const read: () => Promise<IteratorResult<R>> = pieces.next.bind(pieces)
      for (;;) {
        unfinished = undefined
        signal?.throwIfAborted()
        const reading = event ? event.run(read) : read()
        const next = await new Promise<IteratorResult<R>>((resolve, reject) => {
          stop = reject
          reading.then(resolve, reject)
        })
        if (next.done) return
        timeToFirstChunk ??= (performance.now() - started) / 1000
        unfinished = pieces
        last = next.value
        yield next.value
      }
    } catch (exception) {
      event?.fail(exception)
      throw exception
    } finally {
      event?.end({ ...input, [name]: last }, { timeToFirstChunk })
      await unfinished?.return?.()
    }
  }
}

/** Refuses what cannot be the options of a call. A model checks its own ones. */
function checkCall(where: string, options: CallOptions): void {
  if (typeof options !== 'object' || options === null) checkGiven(where, { options }, dict)
  const { signal, callbackManager } = options
  // Each request of an agent comes here.
  if (signal && !('aborted' in Object(signal))) throw invalidOption(where, 'signal', 'an AbortSignal', signal)
  if (callbackManager && !('startEvent' in Object(callbackManager)))
    throw invalidOption(where, 'callbackManager', 'a callback manager', callbackManager)
}

const same = (text: string): string => text

async function textOf(input: unknown, key: string): Promise<string> {
  if (Array.isArray(input)) throw notText('an array with other items', key)
  return inputTextOrStream(input, key)
}

/** Like `textOf`, but refuses numbers, as LlamaIndex for Python does. */
async function promptOf(input: unknown, key: string): Promise<string> {
  if (typeof input === 'number' || typeof input === 'bigint') throw notText(kindOf(input), key)
  return textOf(input, key)
}

function notText(received: string, key: string): ComponentInputError {
  return new ComponentInputError(
    `Input ${key}: expected a string or an array of chat messages, received ${received}.`,
    [key],
  )
}

/** The base of models that only complete prompts. A chat is one completion request and one event. */
export abstract class CustomLLM extends LLM {
  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const prompt = (this.messagesToPrompt ?? messagesToPrompt)(messages)
    return completionToChatResponse(await this.completeRequest(prompt, { ...options, formatted: true }))
  }

  protected override async *streamChatRequest(
    messages: readonly ChatMessage[],
    options: CallOptions,
  ): AsyncGenerator<ChatResponse, void, undefined> {
    const prompt = (this.messagesToPrompt ?? messagesToPrompt)(messages)
    for await (const piece of this.streamCompleteRequest(prompt, { ...options, formatted: true }))
      yield completionToChatResponse(piece, { stream: true })
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    streaming_parser: StreamingParserError
  }
}
