/**
 * @module
 * Structural types of the parts of LangChain's interfaces that are read or called here: objects of any 1.x version of
 * `@langchain/core` satisfy them, and it is not imported.
 * @see https://docs.langchain.com/oss/javascript/langchain/messages
 */

/** The properties of a message, or of a piece of one, that are read. */
export interface LangChainMessage {
  /** A string, or content blocks in the form of the provider. */
  readonly content: unknown
  /** The content in LangChain's standard form. */
  readonly contentBlocks?: unknown
  readonly tool_calls?: readonly LangChainToolCall[] | undefined
  readonly invalid_tool_calls?: readonly LangChainToolCallText[] | undefined
  readonly tool_call_chunks?: readonly LangChainToolCallText[] | undefined
  readonly usage_metadata?: object | undefined
  readonly response_metadata?: object | undefined
  readonly additional_kwargs?: object | undefined
}

/** A tool call with parsed arguments. */
interface LangChainToolCall {
  readonly id?: string | undefined
  readonly name: string
  readonly args: Record<string, unknown>
}

/** A tool call, or a piece of one, whose arguments are a string. */
interface LangChainToolCallText {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly args?: string | undefined
  readonly index?: number | string | undefined
}

/** A chat model, or one with bound tools. */
export interface LangChainRunnableModel {
  invoke(messages: unknown, options?: object): Promise<LangChainMessage>
  stream(messages: unknown, options?: object): Promise<AsyncIterable<LangChainMessage>>
}

/** A chat model of LangChain, such as `ChatAnthropic`. */
export interface LangChainChatModel extends LangChainRunnableModel {
  bindTools?(tools: never[], options?: object): LangChainRunnableModel
  withStructuredOutput?(schema: never, options?: never): unknown
  /** LangChain's description of the model. */
  readonly profile?: object | undefined
  _llmType?(): string
}

/** An embedding model of LangChain, such as `OpenAIEmbeddings`. */
export interface LangChainEmbeddings {
  embedQuery(text: string): Promise<number[]>
  embedDocuments(texts: string[]): Promise<number[][]>
}

/** A tool of LangChain, such as one made by `tool(…)`. */
export interface LangChainTool {
  readonly name: string
  readonly description: string
  /** A schema of zod or another Standard Schema library, or JSON Schema. */
  readonly schema: unknown
  readonly returnDirect?: boolean | undefined
  invoke(input: never, config?: object): Promise<unknown>
}

/** A document of LangChain. */
export interface LangChainDocument {
  pageContent: string
  metadata: Record<string, unknown>
  id?: string | undefined
}

/** A retriever of LangChain, such as `vectorStore.asRetriever()`. */
export interface LangChainRetrieverLike {
  invoke(query: string, config?: object): Promise<readonly LangChainDocument[]>
}

/** A document compressor of LangChain, such as `CohereRerank`. */
export interface LangChainCompressor {
  compressDocuments(documents: LangChainDocument[], query: string): Promise<readonly LangChainDocument[]>
}
