// The public types of @x/ai-sdk, written by `npm run api`.

// ======== @x/ai-sdk

interface AiSdkCallOptions {
    prompt: readonly AiSdkMessage[];
    maxOutputTokens?: number;
    temperature?: number;
    stopSequences?: string[];
    responseFormat?: {
        type: string;
        schema?: object;
        name?: string;
        description?: string;
    };
    tools?: readonly object[];
    toolChoice?: {
        type: string;
        toolName?: string;
    };
    abortSignal?: AbortSignal;
    headers?: Record<string, string | undefined>;
    providerOptions?: object;
}

declare class AiSdkEmbedding extends BaseEmbedding {
    static className(): string;
    readonly model: AiSdkEmbeddingModel;
    constructor({ model, ...fields }: AiSdkEmbeddingOptions);
    protected queryRequest(query: string, options: EmbedOptions): Promise<number[]>;
    protected textRequest(text: string, options: EmbedOptions): Promise<number[]>;
    protected textsRequest(texts: readonly string[], { signal }: EmbedOptions): Promise<number[][]>;
}

interface AiSdkEmbeddingModel {
    readonly specificationVersion: string;
    readonly provider: string;
    readonly modelId: string;
    readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
    doEmbed(options: {
        values: string[];
        abortSignal?: AbortSignal;
        headers?: Record<string, string>;
    }): PromiseLike<{
        embeddings: readonly (readonly number[])[];
    }>;
}

interface AiSdkEmbeddingOptions extends Omit<BaseEmbeddingOptions, 'modelName'> {
    model: AiSdkEmbeddingModel;
}

declare class AiSdkLLM extends LLM {
    static className(): string;
    readonly metadata: LLMMetadata;
    readonly model: AiSdkLanguageModel;
    private readonly defaults;
    constructor(options: AiSdkLLMOptions);
    protected chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>;
    protected streamChatRequest(messages: readonly ChatMessage[], options: CallOptions): AsyncGenerator<ChatResponse, void, undefined>;
    protected completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse>;
    protected streamCompleteRequest(prompt: string, options: CompleteOptions): AsyncGenerator<CompletionResponse, void, undefined>;
    private get where();
    private request;
    private throwErrorPart;
    private explained;
}

interface AiSdkLLMOptions extends LLMOptions {
    model: AiSdkLanguageModel;
    contextWindow?: number | null | undefined;
    isFunctionCallingModel?: boolean | undefined;
    callOptions?: CallOptions | undefined;
}

interface AiSdkLanguageModel {
    readonly specificationVersion: string;
    readonly provider: string;
    readonly modelId: string;
    doGenerate(options: AiSdkCallOptions): PromiseLike<AiSdkResult>;
    doStream(options: AiSdkCallOptions): PromiseLike<{
        stream: ReadableStream<AiSdkPart>;
    }>;
}

interface AiSdkMessage {
    role: string;
    content: unknown;
    providerOptions?: object;
}

interface AiSdkPart {
    readonly type: string;
    readonly id?: string;
    readonly text?: string;
    readonly delta?: string;
    readonly toolCallId?: string;
    readonly toolName?: string;
    readonly input?: unknown;
    readonly providerExecuted?: boolean;
    readonly providerMetadata?: object;
    readonly finishReason?: unknown;
    readonly usage?: object;
    readonly error?: unknown;
}

interface AiSdkRerankingModel {
    readonly specificationVersion: string;
    readonly provider: string;
    readonly modelId: string;
    doRerank(options: {
        documents: {
            type: 'text';
            values: string[];
        };
        query: string;
        abortSignal?: AbortSignal;
    }): PromiseLike<{
        ranking: readonly {
            index: number;
            relevanceScore: number;
        }[];
    }>;
}

interface AiSdkResult {
    readonly content: readonly AiSdkPart[];
    readonly finishReason: unknown;
    readonly usage: object;
}

declare function aiSdkCrossEncoder(model: AiSdkRerankingModel): {
    predict(pairs: readonly (readonly [query: string, text: string])[], { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<readonly number[]>;
};
