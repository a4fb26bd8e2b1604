// The public types of @x/openai, written by `npm run api`.

// ======== @x/openai

declare class OpenAI extends ProviderLLM<ServerData> {
    static className(): string;
    readonly metadata: LLMMetadata;
    private readonly server;
    private readonly settings;
    private readonly streamUsage;
    constructor(options: OpenAIOptions);
    protected pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): AsyncGenerator<Readonly<Record<string, unknown>> | null, void, unknown>;
    protected newReader(): AnswerReader<ServerData>;
}

declare class OpenAIEmbedding extends BaseEmbedding {
    static className(): string;
    private readonly server;
    private readonly settings;
    constructor(options: OpenAIEmbeddingOptions);
    protected queryRequest(query: string, options: EmbedOptions): Promise<number[]>;
    protected textRequest(text: string, options: EmbedOptions): Promise<number[]>;
    protected queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]>;
    protected textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]>;
}

interface OpenAIEmbeddingOptions extends BaseEmbeddingOptions, ModelServerOptions {
    modelName: string;
    dimensions?: number | undefined;
    body?: Readonly<Record<string, unknown>> | undefined;
}

interface OpenAIModelOptions extends ProviderLLMOptions, ModelServerOptions {
    model: string;
    contextWindow?: number | null | undefined;
    maxTokens?: number | undefined;
    temperature?: number | undefined;
    isFunctionCallingModel?: boolean | undefined;
    provider?: string | null | undefined;
    body?: Readonly<Record<string, unknown>> | undefined;
}

interface OpenAIOptions extends OpenAIModelOptions {
    streamUsage?: boolean | undefined;
    maxTokensName?: 'max_tokens' | 'max_completion_tokens' | undefined;
}

declare class OpenAIResponses extends ProviderLLM<ServerData> {
    static className(): string;
    readonly metadata: LLMMetadata;
    private readonly server;
    private readonly body;
    private readonly providerTools;
    constructor(options: OpenAIResponsesOptions);
    protected pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): AsyncGenerator<Readonly<Record<string, unknown>> | null, void, unknown>;
    protected newReader(): AnswerReader<ServerData>;
}

interface OpenAIResponsesOptions extends OpenAIModelOptions {
    providerTools?: readonly Readonly<Record<string, unknown>>[] | undefined;
}
