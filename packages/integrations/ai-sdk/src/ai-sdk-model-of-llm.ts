/**
 * @module
 * Models of `@x` as models of the AI SDK.
 */

import { checkOption, checkOptions, choice, required, text } from '@x/core/options'
import { textOrJson } from '@x/core/values'
import {
  type BaseLLM,
  type ChatResponse,
  deltasOf,
  type EmbeddingModel,
  type FinishReason,
  finishReasonOf,
  isToolkitError,
  type ModelToolCall,
  messageText,
  type ReasoningPart,
  reasoningOf,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { anySignal, interruptible, streamOf } from '@x/core-model/async'
import { chatMessages, fromCallOptions } from './from-ai-sdk-prompt.ts'
import type { AiSdkContent, AiSdkFinish, AiSdkRequest, AiSdkStreamPart, AiSdkWarning } from './model-types.ts'
import { TextBlocks } from './ui-message-stream.ts'

/** Options of {@link toAiSdkModel} and {@link toAiSdkEmbeddingModel}. */
export interface ToAiSdkOptions<Version extends 'v3' | 'v4'> {
  /** The version of the specification: `v4` for `ai` 7, `v3` for `ai` 6. @defaultValue 'v4' */
  specificationVersion?: Version | undefined
  /** @defaultValue the provider of the model, else `x` */
  provider?: string | undefined
}

/** The checks of {@link ToAiSdkOptions}. */
export const toAiSdkOptions = { specificationVersion: /* @__PURE__ */ choice('v3', 'v4'), provider: text }

/**
 * A language model of `@x` as a model of the AI SDK: `generateText`, `streamText` and agents of `ai` 6 and 7 work with it.
 * The AI SDK repeats calls that failed with a retryable error. Options that have no counterpart here, such as `topK`, are reported as
 * warnings.
 * @example
 * import { generateText } from 'ai'
 *
 * const model = toAiSdkModel(new ScriptedLLM({ answers: ['Paris'] }))
 * const { text } = await generateText({ model, prompt: 'Capital of France?' })
 * text // => 'Paris'
 */
export function toAiSdkModel<const Version extends 'v3' | 'v4' = 'v4'>(
  llm: BaseLLM,
  options: ToAiSdkOptions<Version> = {},
) {
  checkOption('toAiSdkModel', 'llm', llm, required('a model', 'metadata'))
  checkOptions('toAiSdkModel', options, toAiSdkOptions)
  const { specificationVersion = 'v4' as Version, provider = llm.metadata.provider ?? 'x' } = options
  return {
    specificationVersion,
    provider,
    modelId: llm.metadata.modelName,
    supportedUrls: { '*/*': [/^https?:/] } as Record<string, RegExp[]>,
    doGenerate: async (request: AiSdkRequest) => {
      const { options, unsupported } = fromCallOptions(request)
      const response = await explained(() => llm.chat(chatMessages(request.prompt), options))
      return { content: contentOf(response), ...finishOf(response), warnings: warningsOf(unsupported) }
    },
    doStream: async (request: AiSdkRequest) => {
      const { options, unsupported } = fromCallOptions(request)
      const left = new AbortController()
      const { signal, release } = anySignal(options.signal, left.signal)
      const responses = llm.streamChat(chatMessages(request.prompt), { ...options, signal })[Symbol.asyncIterator]()
      const end = async () => {
        release()
        await responses.return?.()
      }
      // If the first piece fails, the call must reject, so that the AI SDK repeats it.
      const first = await explained(() => responses.next()).catch(async (error) => {
        await end()
        throw error
      })
      const parts = partsOf(first, responses, { warnings: warningsOf(unsupported), end })
      // Stops the model when the reader leaves early, even if nothing was read yet.
      const leave = () => {
        left.abort()
        end().catch(() => {})
      }
      return { stream: streamOf(interruptible(parts, leave)) }
    },
  }
}

/**
 * An embedding model of `@x` as one of the AI SDK.
 * @example
 * import { embed } from 'ai'
 *
 * const model = toAiSdkEmbeddingModel(new TableEmbedding({ texts: { pear: [1, 0] } }))
 * const { embedding } = await embed({ model, value: 'pear' })
 * embedding // => [1, 0]
 */
export function toAiSdkEmbeddingModel<const Version extends 'v3' | 'v4' = 'v4'>(
  model: EmbeddingModel & { readonly modelName?: string },
  options: ToAiSdkOptions<Version> = {},
) {
  checkOption('toAiSdkEmbeddingModel', 'model', model, required('a model of embeddings', 'getTextEmbeddingBatch'))
  checkOptions('toAiSdkEmbeddingModel', options, toAiSdkOptions)
  const { specificationVersion = 'v4' as Version, provider = 'x' } = options
  return {
    specificationVersion,
    provider,
    modelId: model.modelName ?? 'embedding',
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    doEmbed: async ({ values, abortSignal }: { values: string[]; abortSignal?: AbortSignal }) => {
      const options = abortSignal ? { signal: abortSignal } : {}
      return { embeddings: await explained(() => model.getTextEmbeddingBatch(values, options)), warnings: [] }
    },
  }
}

function warningsOf(unsupported: readonly string[]): AiSdkWarning[] {
  return unsupported.map((feature) => ({ type: 'unsupported', feature }))
}

function contentOf({ message }: ChatResponse): AiSdkContent[] {
  const text = messageText(message)
  return [
    ...reasoningOf(message).map(reasoningContent),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolCallsOf(message).map(callContent),
  ]
}

function reasoningContent({ text, provider_metadata: metadata }: ReasoningPart) {
  return { type: 'reasoning' as const, text, ...(metadata && { providerMetadata: metadata }) }
}

function callContent({ id, name, arguments: args }: ModelToolCall, index: number) {
  const input = textOrJson(args)
  return { type: 'tool-call' as const, toolCallId: id ?? `call_${index}`, toolName: name, input }
}

const finishReasons: Readonly<Record<FinishReason, AiSdkFinish['finishReason']['unified']>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
  pause: 'other',
  error: 'error',
  other: 'other',
}

function finishOf(response: ChatResponse): AiSdkFinish {
  const reason = finishReasonOf(response)
  const calls = toolCallsOf(response.message).length > 0
  const usage = usageOf(response) ?? undefined
  return {
    finishReason: {
      unified: reason === null ? (calls ? 'tool-calls' : 'stop') : finishReasons[reason],
      raw: reason ?? undefined,
    },
    usage: {
      inputTokens: {
        total: usage?.inputTokens,
        noCache: usage && usage.inputTokens - usage.cachedInputTokens,
        cacheRead: usage?.cachedInputTokens,
        cacheWrite: undefined,
      },
      outputTokens: {
        total: usage?.outputTokens,
        text: usage && usage.outputTokens - usage.reasoningTokens,
        reasoning: usage?.reasoningTokens,
      },
    },
  }
}

async function* partsOf(
  first: IteratorResult<ChatResponse>,
  responses: AsyncIterator<ChatResponse>,
  { warnings, end }: { warnings: AiSdkWarning[]; end: () => Promise<void> },
): AsyncGenerator<AiSdkStreamPart, void, undefined> {
  yield { type: 'stream-start', warnings }
  let last: ChatResponse | null = null
  const blocks = new OpenBlocks()
  try {
    for (let next = first; !next.done; next = await explained(() => responses.next())) {
      last = next.value
      yield* blocks.add(last)
    }
    yield* blocks.endAll()
    if (!last) return
    yield* toolCallsOf(last.message).map(callContent)
    yield { type: 'finish', ...finishOf(last) }
  } catch (error) {
    yield { type: 'error', error }
  } finally {
    await end()
  }
}

/** The open blocks of a stream. */
class OpenBlocks {
  private readonly blocks = new TextBlocks()
  /** The ids of tool calls by their index. Pieces of several calls may alternate. */
  private readonly calls = new Map<number, string>()

  /** Returns the parts for one piece of an answer. */
  add(response: ChatResponse): AiSdkStreamPart[] {
    const { text, reasoning, toolCalls } = deltasOf(response)
    const parts: AiSdkStreamPart[] = []
    if (reasoning !== '') parts.push(...this.blocks.add('reasoning', reasoning))
    if (text !== '') parts.push(...this.blocks.add('text', text))
    const known = toolCallsOf(response.message)
    for (const { index, id, name, arguments: delta } of toolCalls) {
      const callId = this.calls.get(index) ?? id ?? known[index]?.id ?? `call_${index}`
      if (!this.calls.has(index)) {
        const toolName = name ?? known[index]?.name ?? ''
        parts.push(...this.blocks.end(), { type: 'tool-input-start', id: callId, toolName })
        this.calls.set(index, callId)
      }
      if (delta !== '') parts.push({ type: 'tool-input-delta', id: callId, delta })
    }
    return parts
  }

  /** Returns the parts that end all blocks. */
  endAll(): AiSdkStreamPart[] {
    return [...this.blocks.end(), ...[...this.calls.values()].map((id) => ({ type: 'tool-input-end' as const, id }))]
  }
}

/** The AI SDK recognizes its errors by these symbols, and repeats calls that failed with `isRetryable`. */
export async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isToolkitError(error, 'model_call')) throw error
    throw Object.assign(new Error(error.message, { cause: error }), {
      name: 'AI_APICallError',
      [Symbol.for('vercel.ai.error')]: true,
      [Symbol.for('vercel.ai.error.AI_APICallError')]: true,
      url: '',
      requestBodyValues: {},
      statusCode: error.status ?? undefined,
      isRetryable: error.retryable,
      ...(error.retryAfterMs !== null && { responseHeaders: { 'retry-after-ms': String(error.retryAfterMs) } }),
    })
  }
}
