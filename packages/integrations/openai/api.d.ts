// The public types of @x/openai, written by `npm run api`.

// ======== @x/openai

interface ModelServerOptions {
    baseUrl?: string | undefined;
    apiKey?: string | (() => string | Promise<string>) | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    maxAnswerBytes?: number | undefined;
    fetch?: typeof fetch | undefined;
}

declare class OpenAI extends ChatLLM {
    static className(): string;
    readonly metadata: LLMMetadata;
    private readonly server;
    private readonly settings;
    private readonly streamUsage;
    constructor(options: OpenAIOptions);
    protected chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>;
    protected streamChatRequest(messages: readonly ChatMessage[], options: CallOptions): AsyncGenerator<ChatResponse, void, undefined>;
    private body;
    private events;
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

interface OpenAIOptions extends LLMOptions, ModelServerOptions {
    model: string;
    contextWindow?: number | null | undefined;
    maxTokens?: number | undefined;
    temperature?: number | undefined;
    isFunctionCallingModel?: boolean | undefined;
    provider?: string | null | undefined;
    streamUsage?: boolean | undefined;
    maxTokensName?: 'max_tokens' | 'max_completion_tokens' | undefined;
    body?: Readonly<Record<string, unknown>> | undefined;
}
