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
    topP?: number;
    presencePenalty?: number;
    frequencyPenalty?: number;
    seed?: number;
    abortSignal?: AbortSignal;
    headers?: Record<string, string | undefined>;
    providerOptions?: object;
    includeRawChunks?: boolean;
}

type AiSdkContent = {
    type: 'text';
    text: string;
} | {
    type: 'reasoning';
    text: string;
    providerMetadata?: any;
} | {
    type: 'tool-call';
    toolCallId: string;
    toolName: string;
    input: string;
};

declare class AiSdkEmbedding extends BaseEmbedding {
    static className(): string;
    readonly model: AiSdkEmbeddingModel;
    constructor(options: AiSdkEmbeddingOptions);
    protected queryRequest(query: string, options: EmbedOptions): Promise<number[]>;
    protected textRequest(text: string, options: EmbedOptions): Promise<number[]>;
    protected queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]>;
    protected textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]>;
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
        usage?: {
            tokens: number;
        };
    }>;
}

interface AiSdkEmbeddingOptions extends Omit<BaseEmbeddingOptions, 'modelName'> {
    model: AiSdkEmbeddingModel;
}

interface AiSdkFinish {
    finishReason: {
        unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
        raw: string | undefined;
    };
    usage: {
        inputTokens: {
            total: number | undefined;
            noCache: number | undefined;
            cacheRead: number | undefined;
            cacheWrite: number | undefined;
        };
        outputTokens: {
            total: number | undefined;
            text: number | undefined;
            reasoning: number | undefined;
        };
    };
}

declare class AiSdkLLM extends ProviderLLM<AiSdkPart> {
    static className(): string;
    readonly metadata: LLMMetadata;
    readonly model: AiSdkLanguageModel;
    private readonly defaults;
    private readonly providerTools;
    constructor(options: AiSdkLLMOptions);
    protected pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): AsyncGenerator<AiSdkPart, void, undefined>;
    protected newReader(): AnswerReader<AiSdkPart>;
    protected errorFacts(error: unknown, { headers }: CallOptions): ModelErrorFacts;
}

interface AiSdkLLMOptions extends ProviderLLMOptions {
    model: AiSdkLanguageModel;
    contextWindow?: number | null | undefined;
    isFunctionCallingModel?: boolean | undefined;
    providerTools?: Readonly<Record<string, AiSdkProviderTool>> | undefined;
    modelOptions?: CallOptions | undefined;
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
    readonly kind?: string;
    readonly text?: string;
    readonly delta?: string;
    readonly toolCallId?: string;
    readonly toolName?: string;
    readonly input?: unknown;
    readonly providerExecuted?: boolean;
    readonly preliminary?: boolean;
    readonly url?: string;
    readonly title?: string;
    readonly mediaType?: string;
    readonly filename?: string;
    readonly data?: unknown;
    readonly providerMetadata?: object;
    readonly finishReason?: unknown;
    readonly usage?: object;
    readonly error?: unknown;
    readonly rawValue?: unknown;
}

interface AiSdkProviderTool {
    readonly id: string;
    readonly args: object;
}

interface AiSdkRequest {
    prompt: readonly AiSdkRequestMessage[];
    maxOutputTokens?: number | undefined;
    temperature?: number | undefined;
    stopSequences?: string[] | undefined;
    topP?: number | undefined;
    topK?: number | undefined;
    presencePenalty?: number | undefined;
    frequencyPenalty?: number | undefined;
    seed?: number | undefined;
    responseFormat?: {
        type: 'text';
    } | {
        type: 'json';
        schema?: object;
        name?: string;
        description?: string;
    } | undefined;
    tools?: readonly {
        type: string;
        name: string;
        description?: string;
        inputSchema?: unknown;
        strict?: boolean;
    }[] | undefined;
    toolChoice?: {
        type: string;
        toolName?: string;
    } | undefined;
    abortSignal?: AbortSignal | undefined;
    headers?: Record<string, string | undefined> | undefined;
    providerOptions?: object | undefined;
}

interface AiSdkRequestMessage {
    role: 'system' | 'user' | 'assistant' | 'tool';
    content: string | readonly AiSdkRequestPart[];
    providerOptions?: object | undefined;
}

interface AiSdkRequestPart {
    type: string;
    text?: string;
    data?: unknown;
    mediaType?: string;
    filename?: string | undefined;
    toolCallId?: string;
    toolName?: string;
    input?: unknown;
    output?: {
        type: string;
        value?: unknown;
        reason?: string;
    };
    providerOptions?: object | undefined;
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

type AiSdkStreamPart = {
    type: 'stream-start';
    warnings: AiSdkWarning[];
} | TextBlockPart | {
    type: 'tool-input-end';
    id: string;
} | {
    type: 'tool-input-delta';
    id: string;
    delta: string;
} | {
    type: 'tool-input-start';
    id: string;
    toolName: string;
} | Extract<AiSdkContent, {
    type: 'tool-call';
}> | ({
    type: 'finish';
} & AiSdkFinish) | {
    type: 'error';
    error: unknown;
};

interface AiSdkWarning {
    type: 'unsupported';
    feature: string;
}

type ChatHandlerOptions<Options extends object> = ChatRouteOptions<Options> & {
    typedTools?: boolean | undefined;
};

interface RankedDocument {
    index: number;
    relevanceScore: number;
}

interface RerankRequest {
    documents: {
        type: 'text';
        values: string[];
    } | {
        type: 'object';
        values: object[];
    };
    query: string;
    topN?: number | undefined;
    abortSignal?: AbortSignal | undefined;
}

type RunUIArguments<Options extends object> = Record<never, never> extends Options ? RunUIMessagesOptions<Options> : RunUIMessagesOptions<Options> & {
    run: RunOfChat<Options>;
};

interface RunUIMessagesOptions<Options extends object> {
    run?: RunOfChat<Options> | undefined;
    mayContinue: false | ((taskId: string) => boolean | Promise<boolean>);
    allowFile?: AllowFile | undefined;
}

type TextBlockPart = {
    type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end';
    id: string;
} | {
    type: 'text-delta' | 'reasoning-delta';
    id: string;
    delta: string;
};

interface ToAiSdkOptions<Version extends 'v3' | 'v4'> {
    specificationVersion?: Version | undefined;
    provider?: string | undefined;
}

interface UIAgent<Options extends object> extends ChatAgent<Options> {
    readonly agentWorker: object;
}

type UIChunk = {
    type: 'start';
    messageId?: string;
    messageMetadata: UIMetadata;
} | {
    type: 'start-step' | 'finish-step';
} | TextBlockPart | {
    type: 'tool-input-start';
    toolCallId: string;
    toolName: string;
    dynamic?: true;
} | {
    type: 'tool-input-delta';
    toolCallId: string;
    inputTextDelta: string;
} | {
    type: 'tool-input-available';
    toolCallId: string;
    toolName: string;
    input: unknown;
    dynamic?: true;
} | {
    type: 'tool-input-error';
    toolCallId: string;
    toolName: string;
    input: unknown;
    errorText: string;
    dynamic?: true;
} | {
    type: 'tool-output-available';
    toolCallId: string;
    output: unknown;
    preliminary?: boolean;
    dynamic?: true;
} | {
    type: 'tool-output-error';
    toolCallId: string;
    errorText: string;
    dynamic?: true;
}
 | {
    type: 'data-turn-restarted';
    data: {
        attempt: number;
    };
} | {
    type: 'tool-approval-request';
    approvalId: string;
    toolCallId: string;
} | {
    type: 'source-url';
    sourceId: string;
    url: string;
    title?: string;
} | {
    type: 'source-document';
    sourceId: string;
    mediaType: string;
    title: string;
    filename?: string;
}
 | {
    type: 'data-partial-output';
    id: string;
    data: unknown;
} | {
    type: 'finish';
    messageMetadata?: UIMetadata;
} | {
    type: 'error';
    errorText: string;
};

interface UIMessageLike {
    readonly id?: string;
    readonly role: string;
    readonly metadata?: unknown;
    readonly parts: readonly UIPartLike[];
}

interface UIMessageStreamOptions {
    messageId?: string | undefined;
    onError?: OnChatError | undefined;
    typedTools?: boolean | undefined;
}

interface UIMetadata {
    taskId: string;
    usage?: unknown;
}

interface UIPartLike {
    readonly type: string;
    readonly text?: string;
    readonly mediaType?: string;
    readonly url?: string;
    readonly filename?: string | undefined;
    readonly state?: string;
    readonly toolCallId?: string;
    readonly toolName?: string;
    readonly input?: unknown;
    readonly output?: unknown;
    readonly errorText?: string | undefined;
    readonly approval?: {
        readonly approved?: boolean;
        readonly reason?: string | undefined;
    } | undefined;
}

declare function aiSdkCrossEncoder(model: AiSdkRerankingModel): {
    predict(pairs: readonly (readonly [query: string, text: string])[], { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<readonly number[]>;
};

declare function chatHandler<Options extends object>(options: ChatHandlerOptions<Options>): (request: Request) => Promise<Response>;

declare function runUIMessages<Options extends object>(agent: UIAgent<Options>, messages: readonly UIMessageLike[], options: RunUIArguments<Options>): AsyncGenerator<AgentEvent, void, undefined>;

declare function toAiSdkEmbeddingModel<const Version extends 'v3' | 'v4' = 'v4'>(model: EmbeddingModel & {
    readonly modelName?: string;
}, { specificationVersion, provider }?: ToAiSdkOptions<Version>): {
    specificationVersion: Version;
    provider: string;
    modelId: string;
    maxEmbeddingsPerCall: undefined;
    supportsParallelCalls: boolean;
    doEmbed: ({ values, abortSignal }: {
        values: string[];
        abortSignal?: AbortSignal;
    }) => Promise<{
        embeddings: number[][];
        warnings: never[];
    }>;
};

declare function toAiSdkModel<const Version extends 'v3' | 'v4' = 'v4'>(llm: BaseLLM, options?: ToAiSdkOptions<Version>): {
    specificationVersion: Version;
    provider: string;
    modelId: string;
    supportedUrls: Record<string, RegExp[]>;
    doGenerate: (request: AiSdkRequest) => Promise<{
        finishReason: {
            unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
            raw: string | undefined;
        };
        usage: {
            inputTokens: {
                total: number | undefined;
                noCache: number | undefined;
                cacheRead: number | undefined;
                cacheWrite: number | undefined;
            };
            outputTokens: {
                total: number | undefined;
                text: number | undefined;
                reasoning: number | undefined;
            };
        };
        content: AiSdkContent[];
        warnings: AiSdkWarning[];
    }>;
    doStream: (request: AiSdkRequest) => Promise<{
        stream: ReadableStream<AiSdkStreamPart>;
    }>;
};

declare function toAiSdkRerankingModel<const Version extends 'v3' | 'v4' = 'v4'>(reranker: NodesPostprocessor | CrossEncoder, { specificationVersion, provider }?: ToAiSdkOptions<Version>): {
    specificationVersion: Version;
    provider: string;
    modelId: string;
    doRerank: ({ documents, query, topN, abortSignal }: RerankRequest) => Promise<{
        ranking: RankedDocument[];
        warnings: {
            type: 'compatibility';
            feature: string;
            details: string;
        }[];
    }>;
};

declare function uiMessageChunks(events: AsyncIterable<AgentEvent>, options?: UIMessageStreamOptions): AsyncGenerator<UIChunk, void, undefined>;

declare function uiMessageResponse(events: AsyncIterable<AgentEvent>, options?: UIMessageStreamOptions): Response;

declare function uiMessageStream(events: AsyncIterable<AgentEvent>, options?: UIMessageStreamOptions): ReadableStream<UIChunk>;

// Computed types, not exported:

type RunOfChat<Options extends object> = Omit<Options, 'conversation' | 'chatHistory'>;

// ======== @x/ai-sdk/ag-ui

interface AgUiChat extends UserChat, AgUiInput {
}

type AgUiEvent = {
    readonly type: string;
} & Readonly<Record<string, unknown>>;

interface AgUiInput {
    readonly runId: string;
    readonly tools: readonly FunctionTool[];
    readonly state: Record<string, unknown>;
    readonly context: readonly {
        readonly description: string;
        readonly value: string;
    }[];
}

interface AgUiRun {
    threadId: string;
    runId: string;
    onError?: OnChatError | undefined;
    clientTools?: readonly string[] | undefined;
    state?: object | undefined;
}

declare function agUiEvents(events: AsyncIterable<AgentEvent>, run: AgUiRun): AsyncGenerator<AgUiEvent, void, undefined>;

declare function agUiHandler<Options extends object>(options: ChatRouteOptions<Options, AgUiChat>): (request: Request) => Promise<Response>;
