// The public types of @x/langchain, written by `npm run api`.

// ======== @x/langchain

interface LangChainChatModel extends LangChainRunnableModel {
    bindTools?(tools: never[], options?: object): LangChainRunnableModel;
    withStructuredOutput?(schema: never, options?: never): unknown;
    readonly profile?: object | undefined;
    _llmType?(): string;
}

interface LangChainCompressor {
    compressDocuments(documents: LangChainDocument[], query: string): Promise<readonly LangChainDocument[]>;
}

interface LangChainDocument {
    pageContent: string;
    metadata: Record<string, unknown>;
    id?: string | undefined;
}

declare class LangChainEmbedding extends BaseEmbedding {
    static className(): string;
    readonly model: LangChainEmbeddings;
    constructor(options: LangChainEmbeddingOptions);
    protected queryRequest(query: string, options: EmbedOptions): Promise<number[]>;
    protected textRequest(text: string, options: EmbedOptions): Promise<number[]>;
    protected textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]>;
    private explained;
}

interface LangChainEmbeddingOptions extends BaseEmbeddingOptions {
    model: LangChainEmbeddings;
}

interface LangChainEmbeddings {
    embedQuery(text: string): Promise<number[]>;
    embedDocuments(texts: string[]): Promise<number[][]>;
}

declare class LangChainLLM extends ProviderLLM<LangChainPiece> {
    static className(): string;
    readonly metadata: LLMMetadata;
    readonly model: LangChainChatModel;
    constructor(options: LangChainLLMOptions);
    protected pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): AsyncGenerator<LangChainPiece, void, undefined>;
    protected newReader(): AnswerReader<LangChainPiece>;
    protected errorFacts(error: unknown): ModelErrorFacts;
    private bound;
    private structured;
    private callConfig;
    private refused;
}

interface LangChainLLMOptions extends ProviderLLMOptions {
    model: LangChainChatModel;
    contextWindow?: number | null | undefined;
    isFunctionCallingModel?: boolean | undefined;
}

interface LangChainMessage {
    readonly content: unknown;
    readonly contentBlocks?: unknown;
    readonly tool_calls?: readonly LangChainToolCall[] | undefined;
    readonly invalid_tool_calls?: readonly LangChainToolCallText[] | undefined;
    readonly tool_call_chunks?: readonly LangChainToolCallText[] | undefined;
    readonly usage_metadata?: object | undefined;
    readonly response_metadata?: object | undefined;
    readonly additional_kwargs?: object | undefined;
}

type LangChainPiece = LangChainMessage | {
    raw: LangChainMessage;
    parsed: unknown;
} | {
    endOf: 'stream' | 'answer';
};

declare class LangChainPostprocessor implements PostprocessorLike {
    private readonly compressor;
    constructor(compressor: LangChainCompressor);
    needsQuery(): boolean;
    postprocessNodes(nodes: readonly NodeWithScore[], options?: PostprocessOptions): Promise<NodeWithScore[]>;
}

declare class LangChainRetriever extends Retriever {
    private readonly retriever;
    constructor(options: LangChainRetrieverOptions);
    protected search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]>;
}

interface LangChainRetrieverLike {
    invoke(query: string, config?: object): Promise<readonly LangChainDocument[]>;
}

interface LangChainRetrieverOptions {
    retriever: LangChainRetrieverLike;
    callbackManager?: CallbackManager | null | undefined;
}

interface LangChainRunnableModel {
    invoke(messages: unknown, options?: object): Promise<LangChainMessage>;
    stream(messages: unknown, options?: object): Promise<AsyncIterable<LangChainMessage>>;
}

interface LangChainTool {
    readonly name: string;
    readonly description: string;
    readonly schema: unknown;
    readonly returnDirect?: boolean | undefined;
    invoke(input: never, config?: object): Promise<unknown>;
}

interface LangChainToolCall {
    readonly id?: string | undefined;
    readonly name: string;
    readonly args: Record<string, unknown>;
}

interface LangChainToolCallText {
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    readonly args?: string | undefined;
    readonly index?: number | string | undefined;
}

interface LangChainToolOptions {
    needsApproval?: NeedsApproval | undefined;
    timeoutMs?: number | null | undefined;
    parameters?: object | undefined;
}

declare function langChainTool(tool: LangChainTool, options?: LangChainToolOptions): Tool;

// ======== @x/langchain/for-langchain

interface LangChainCallOptions extends BaseChatModelCallOptions {
    tools?: BindToolsInput[] | undefined;
    temperature?: number | undefined;
    maxTokens?: number | undefined;
}

declare class LangChainChatModelOfLLM extends BaseChatModel<LangChainCallOptions> {
    static lc_name(): string;
    private readonly llm;
    constructor(llm: BaseLLM, params?: BaseChatModelParams);
    _llmType(): string;
    bindTools(tools: BindToolsInput[], kwargs?: Partial<LangChainCallOptions>): Runnable<BaseLanguageModelInput, AIMessageChunk, LangChainCallOptions>;
    getLsParams(options: this['ParsedCallOptions']): LangSmithParams;
    withStructuredOutput: BaseChatModel<LangChainCallOptions>['withStructuredOutput'];
    _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult>;
    _streamResponseChunks(messages: BaseMessage[], options: this['ParsedCallOptions'], runManager?: CallbackManagerForLLMRun): AsyncGenerator<ChatGenerationChunk>;
}

declare class LangChainCompressorOf extends BaseDocumentCompressor {
    private readonly postprocessor;
    constructor(postprocessor: PostprocessorLike);
    compressDocuments(documents: DocumentInterface[], query: string): Promise<DocumentInterface[]>;
}

declare class LangChainEmbeddingsOfModel extends Embeddings {
    private readonly model;
    constructor(model: EmbeddingModel);
    embedDocuments(documents: string[]): Promise<number[][]>;
    embedQuery(document: string): Promise<number[]>;
}

declare class LangChainRetrieverOf extends BaseRetriever {
    lc_namespace: string[];
    private readonly retriever;
    constructor(retriever: RetrieverLike);
    _getRelevantDocuments(query: string): Promise<DocumentInterface[]>;
}

interface ToLangChainToolOptions {
    withoutApproval?: boolean | undefined;
}

declare function toLangChainPrompt(prompt: PromptLike): Runnable<Record<string, unknown>, BaseMessage[]>;

declare function toLangChainTool(tool: Tool, { withoutApproval }?: ToLangChainToolOptions): DynamicStructuredTool;
