/**
 * @module
 * Adapters that let LangChain.js use components of `@x`. Needs `@langchain/core`.
 */
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import { Document, type DocumentInterface } from '@langchain/core/documents'
import { Embeddings } from '@langchain/core/embeddings'
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base'
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
  type LangSmithParams,
} from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage, coerceMessageLikeToMessage } from '@langchain/core/messages'
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs'
import { BaseRetriever } from '@langchain/core/retrievers'
import { BaseDocumentCompressor } from '@langchain/core/retrievers/document_compressors'
import { type Runnable, RunnableLambda } from '@langchain/core/runnables'
import { DynamicStructuredTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { toJsonSchema } from '@langchain/core/utils/json_schema'
import type { Tool } from '@x/agents'
import { adaptToAsyncTool } from '@x/agents/protocol'
import { checkOptions, flag } from '@x/core/options'
import { present, textOrJson } from '@x/core/values'
import {
  type BaseLLM,
  type CallOptions,
  type ChatResponse,
  ConfigurationError,
  deltasOf,
  type EmbeddingModel,
  finishReasonOf,
  type ModelToolChoice,
  messageParts,
  messageText,
  type PromptLike,
  QueryBundle,
  type ToolCallDelta,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { queryFor } from '@x/core-model/components'
import type { PostprocessorLike } from '@x/postprocessors'
import type { RetrieverLike } from '@x/retrieval'
import { chatMessage, PARTS } from './from-langchain.ts'
import { documentOf, nodeOf } from './langchain-retrieval.ts'
import { langChainMessage } from './messages.ts'

/** The call options of {@link LangChainChatModelOfLLM}. */
export interface LangChainCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[] | undefined
  /** The sampling temperature, at least 0. */
  temperature?: number | undefined
  /** The maximum number of tokens of the answer. */
  maxTokens?: number | undefined
}

/**
 * A language model of `@x` as a chat model of LangChain: chains, agents and `withStructuredOutput` work with it.
 * @example
 * const model = new LangChainChatModelOfLLM(new ScriptedLLM({ answers: ['Paris'] }))
 * const answer = await model.invoke('Capital of France?')
 * answer.text // => 'Paris'
 */
export class LangChainChatModelOfLLM extends BaseChatModel<LangChainCallOptions> {
  static override lc_name(): string {
    return 'LangChainChatModelOfLLM'
  }

  private readonly llm: BaseLLM

  constructor(llm: BaseLLM, params: BaseChatModelParams = {}) {
    super(params)
    this.llm = llm
  }

  /** Also called by the constructor of the base class, before the model is set. */
  override _llmType(): string {
    return this.llm?.metadata.modelName ?? 'llm'
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<LangChainCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, LangChainCallOptions> {
    return this.withConfig({ tools: tools.map((tool) => convertToOpenAITool(tool)), ...kwargs })
  }

  /** What LangSmith shows of a call: provider, model and settings, by which it knows the cost. */
  override getLsParams(options: this['ParsedCallOptions']): LangSmithParams {
    const { modelName, provider } = this.llm.metadata
    const { temperature, maxTokens } = options
    return {
      ...super.getLsParams(options),
      ls_provider: provider ?? this.getName(),
      ls_model_name: modelName,
      ls_temperature: temperature,
      ls_max_tokens: maxTokens,
    }
  }

  override withStructuredOutput: BaseChatModel<LangChainCallOptions>['withStructuredOutput'] = ((
    schema: Parameters<typeof toJsonSchema>[0],
    config?: object,
  ) => {
    const format = { kwargs: { method: 'functionCalling' }, schema: toJsonSchema(schema) }
    const traced: typeof this.bindTools = (tools, kwargs) =>
      this.bindTools(tools, { ...kwargs, ls_structured_output_format: format })
    const model = Object.create(this, { bindTools: { value: traced } })
    return super.withStructuredOutput.call(model, schema as never, config as never)
  }) as never

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const response = await this.llm.chat(messages.map(chatMessage), callOptions(options))
    const message = wholeMessage(response, this.llm)
    return { generations: [{ text: message.text, message }] }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    let last: ChatResponse | null = null
    let hasCallPieces = false
    for await (const response of this.llm.streamChat(messages.map(chatMessage), callOptions(options))) {
      last = response
      const { text, toolCalls } = deltasOf(response)
      if (text === '' && toolCalls.length === 0) continue
      hasCallPieces ||= toolCalls.length > 0
      const message = new AIMessageChunk({ content: text, tool_call_chunks: toolCalls.map(callChunk) })
      yield new ChatGenerationChunk({ text, message })
      await runManager?.handleLLMNewToken(text)
    }
    if (!last) return
    // Some models report tool calls only when they are whole.
    const whole = hasCallPieces ? [] : wholeCalls(last)
    const message = new AIMessageChunk({ content: '', tool_call_chunks: whole, ...closing(last, this.llm) })
    yield new ChatGenerationChunk({ text: '', message })
  }
}

function callChunk({ index, id, name, arguments: args }: ToolCallDelta) {
  return { type: 'tool_call_chunk' as const, index, args, ...present({ id, name }) }
}

function wholeCalls({ message }: ChatResponse) {
  return toolCallsOf(message).map(({ arguments: args, ...call }, index) =>
    callChunk({ ...call, index, arguments: textOrJson(args) }),
  )
}

/** Returns the data at the end of an answer. */
function closing(response: ChatResponse, llm: BaseLLM) {
  const usage = usageOf(response)
  const { model = llm.metadata.modelName } = (response.raw ?? {}) as { model?: unknown }
  const { message } = response
  const { tool_calls: _, ...kept } = message.additionalKwargs
  const parts = messageParts(message)
  const isMore = message.parts || parts.some((part) => part.type === 'tool_call' && 'provider_metadata' in part)
  return {
    additional_kwargs: { ...kept, ...(isMore && { [PARTS]: parts }) },
    response_metadata: present({ model, finish_reason: finishReasonOf(response) }),
    ...(usage && {
      usage_metadata: {
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        total_tokens: usage.totalTokens,
        input_token_details: { cache_read: usage.cachedInputTokens },
        output_token_details: { reasoning: usage.reasoningTokens },
      },
    }),
  }
}

/** Returns an answer as a chunk, which structured output requires. */
function wholeMessage(response: ChatResponse, llm: BaseLLM): AIMessageChunk {
  const content = messageText(response.message)
  return new AIMessageChunk({ content, tool_call_chunks: wholeCalls(response), ...closing(response, llm) })
}

function callOptions(options: Partial<LangChainCallOptions>): CallOptions {
  const { tools, tool_choice, stop, signal, temperature, maxTokens } = options
  return present({ tools, toolChoice: toolChoice(tool_choice), stop, signal, temperature, maxTokens })
}

function toolChoice(choice: LangChainCallOptions['tool_choice']): ModelToolChoice | undefined {
  if (typeof choice !== 'string') return choice as ModelToolChoice | undefined
  if (choice === 'any') return 'required'
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  return { type: 'function', function: { name: choice } }
}

/**
 * An embedding model of `@x` as one of LangChain.
 * @example
 * const embeddings = new LangChainEmbeddingsOfModel(new TableEmbedding({ texts: { pear: [1, 0] } }))
 * await embeddings.embedDocuments(['pear']) // => [[1, 0]]
 */
export class LangChainEmbeddingsOfModel extends Embeddings {
  private readonly model: EmbeddingModel

  constructor(model: EmbeddingModel) {
    super({})
    this.model = model
  }

  override embedDocuments(documents: string[]): Promise<number[][]> {
    return this.model.getTextEmbeddingBatch(documents)
  }

  override embedQuery(document: string): Promise<number[]> {
    return this.model.getQueryEmbedding(document)
  }
}

/** Options of {@link toLangChainTool}. */
export interface ToLangChainToolOptions {
  /** Allows a tool that needs approval. LangChain calls it without approval, unless its own agent asks for one. @defaultValue false */
  withoutApproval?: boolean | undefined
}

/**
 * A tool of `@x` as a tool of LangChain. The raw output is the artifact of the message; a failed output is thrown as an error,
 * of which agents of LangChain make a message with status `error`.
 * @throws {ConfigurationError} for a tool that needs approval, unless `withoutApproval` is set.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { FunctionTool } from '@x/agents'
 *
 * const echo = toLangChainTool(
 *   FunctionTool.fromDefaults({
 *     name: 'echo',
 *     description: 'Repeats the text.',
 *     schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
 *     fn: ({ text }) => text,
 *   }),
 * )
 * await echo.invoke({ text: 'hi' }) // => 'hi'
 */
export function toLangChainTool(tool: Tool, options: ToLangChainToolOptions = {}): DynamicStructuredTool {
  checkOptions('toLangChainTool', options, { withoutApproval: flag })
  const { metadata, needsApproval, call } = boundTool(tool)
  const name = metadata.getName()
  if (needsApproval && !options.withoutApproval)
    throw new ConfigurationError(
      `Tool "${name}" needs approval, and LangChain would call it without; pass withoutApproval.`,
    )
  return new DynamicStructuredTool({
    name,
    description: metadata.description,
    schema: metadata.getParametersDict(),
    returnDirect: metadata.returnDirect,
    responseFormat: 'content_and_artifact',
    func: async (args: Record<string, unknown>, _run, config) => {
      const { signal, toolCall } = config as { signal?: AbortSignal; toolCall?: { id?: string } }
      const { content, rawOutput, isError } = await call(args, { signal, toolCallId: toolCall?.id })
      // LangChain converts a thrown error to a message with status `error`.
      if (isError) throw new Error(content)
      return [content, rawOutput]
    },
  })
}

function boundTool(tool: Tool) {
  const adapted = adaptToAsyncTool(tool)
  return { metadata: adapted.metadata, needsApproval: adapted.needsApproval, call: adapted.call.bind(adapted) }
}

/**
 * A prompt of `@x` as a runnable of LangChain, from variables to messages.
 * @example
 * import { PromptTemplate } from '@x/prompts'
 *
 * const prompt = toLangChainPrompt(new PromptTemplate({ template: 'Tell me about {topic}.' }))
 * const [message] = await prompt.invoke({ topic: 'pears' })
 * message.text // => 'Tell me about pears.'
 */
export function toLangChainPrompt(prompt: PromptLike): Runnable<Record<string, unknown>, BaseMessage[]> {
  return RunnableLambda.from(async (variables: Record<string, unknown>) =>
    prompt
      .formatMessages(variables)
      .map((message) => coerceMessageLikeToMessage(langChainMessage(message) as MessageLike)),
  )
}

type MessageLike = Parameters<typeof coerceMessageLikeToMessage>[0]

/** A retriever of `@x` as one of LangChain; scores are in the metadata as `relevanceScore`. */
export class LangChainRetrieverOf extends BaseRetriever {
  lc_namespace = ['x', 'retrievers']
  private readonly retriever: RetrieverLike

  constructor(retriever: RetrieverLike) {
    super()
    this.retriever = retriever
  }

  override async _getRelevantDocuments(query: string): Promise<DocumentInterface[]> {
    const nodes = await this.retriever.retrieve(query)
    return nodes.map((node) => new Document(documentOf(node)))
  }
}

/** A postprocessor of `@x`, or a pipeline of them, as a document compressor of LangChain. */
export class LangChainCompressorOf extends BaseDocumentCompressor {
  private readonly postprocessor: PostprocessorLike

  constructor(postprocessor: PostprocessorLike) {
    super()
    this.postprocessor = postprocessor
  }

  override async compressDocuments(documents: DocumentInterface[], query: string): Promise<DocumentInterface[]> {
    const nodes = await this.postprocessor.postprocessNodes(
      documents.map(nodeOf),
      queryFor(this.postprocessor, new QueryBundle({ queryStr: query })),
    )
    return nodes.map((node) => new Document(documentOf(node)))
  }
}
