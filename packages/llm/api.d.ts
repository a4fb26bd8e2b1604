// The public types of @x/llm, written by `npm run api`.

// ======== @x/llm

interface AnswerReader<Piece> {
    readonly answer: AnswerBuilder;
    readonly raw?: Readonly<Record<string, unknown>> | null;
    readonly isComplete?: boolean;
    addPiece(piece: Piece): void;
}

declare abstract class BaseEmbedding extends BaseEmbeddingModel implements EmbeddingModel {
    static makeDefault(field: string): unknown;
    protected abstract queryRequest(query: string, options: EmbedOptions): Promise<number[]>;
    protected abstract textRequest(text: string, options: EmbedOptions): Promise<number[]>;
    protected textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]>;
    protected queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]>;
    getQueryEmbedding(query: string, options?: EmbedOptions): Promise<number[]>;
    getTextEmbedding(text: string, options?: EmbedOptions): Promise<number[]>;
    getTextEmbeddingBatch(texts: readonly string[], options?: EmbedBatchOptions): Promise<number[][]>;
    getQueryEmbeddingBatch(queries: readonly string[], options?: EmbedBatchOptions): Promise<number[][]>;
    private inBatches;
    getAggEmbeddingFromQueries(queries: readonly string[], aggFn?: (embeddings: number[][]) => number[], options?: EmbedOptions): Promise<number[]>;
    similarity(a: readonly number[], b: readonly number[], mode?: SimilarityMode): number;
    transform<N extends TextNode>(nodes: N[], options?: EmbedBatchOptions): Promise<N[]>;
    private request;
}

interface BaseEmbeddingFields {
    callbackManager: CallbackManager;
    modelName: string;
    readonly embedBatchSize: number;
}

interface BaseEmbeddingOptions {
    callbackManager?: CallbackManager | null | undefined;
    modelName?: string | undefined;
    embedBatchSize?: number | undefined;
}

declare abstract class ChatLLM extends LLM {
    protected completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse>;
    protected streamCompleteRequest(prompt: string, options: CompleteOptions): AsyncGenerator<CompletionResponse, void, undefined>;
}

declare abstract class CustomLLM extends LLM {
    protected chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>;
    protected streamChatRequest(messages: readonly ChatMessage[], options: CallOptions): AsyncGenerator<ChatResponse, void, undefined>;
}

interface EmbedBatchOptions extends EmbedOptions {
    showProgress?: boolean;
    onProgress?: (progress: EmbedProgress) => void;
    maxConcurrency?: number;
}

interface EmbedProgress {
    done: number;
    total: number;
}

interface FailedModelResponse {
    status: number;
    message: string;
    code?: string | null | undefined;
    headers?: {
        get(name: string): string | null;
    } | undefined;
    now?: number | undefined;
    cause?: unknown;
    secrets?: readonly string[] | undefined;
}

interface FallbackOptions {
    shouldFallBack?: ((error: unknown) => boolean) | undefined;
    onFallback?: ((error: unknown, next: BaseLLM) => void) | undefined;
}

declare abstract class LLM extends LLMModel implements BaseLLM {
    static makeDefault(field: string): unknown;
    abstract readonly metadata: LLMMetadata;
    protected abstract chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>;
    protected abstract completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse>;
    protected abstract streamChatRequest(messages: readonly ChatMessage[], options: CallOptions): AsyncIterable<ChatResponse>;
    protected abstract streamCompleteRequest(prompt: string, options: CompleteOptions): AsyncIterable<CompletionResponse>;
    chat(input: ChatInput, { callbackManager, ...options }?: CallOptions): Promise<ChatResponse>;
    complete(prompt: string, { callbackManager, ...options }?: CompleteOptions): Promise<CompletionResponse>;
    streamChat(input: ChatInput, { callbackManager, ...options }?: CallOptions): AsyncIterable<ChatResponse>;
    streamComplete(prompt: string, { callbackManager, ...options }?: CompleteOptions): AsyncIterable<CompletionResponse>;
    predict(prompt: PromptLike, vars?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<string>;
    stream(prompt: PromptLike, vars?: Readonly<Record<string, unknown>>, options?: CallOptions): AsyncGenerator<string, void, undefined>;
    private texts;
    asQueryComponent({ partial, streaming, }?: {
        partial?: Record<string, unknown>;
        streaming?: boolean;
    }): QueryComponent;
    private filled;
    private render;
    private startPayload;
    private streamed;
    private inEvent;
}

interface LLMFields {
    callbackManager: CallbackManager;
    systemPrompt: string | null;
    messagesToPrompt: ((messages: readonly ChatMessage[]) => string) | null;
    completionToPrompt: ((text: string) => string) | null;
    outputParser: OutputParser | null;
    pydanticProgramMode: 'default' | 'openai' | 'llm' | 'guidance' | 'lm-format-enforcer';
    queryWrapperPrompt: PromptLike | null;
}

interface LLMOptions {
    callbackManager?: CallbackManager | null | undefined;
    systemPrompt?: string | null | undefined;
    messagesToPrompt?: ((messages: readonly ChatMessage[]) => string) | null | undefined;
    completionToPrompt?: ((text: string) => string) | null | undefined;
    outputParser?: OutputParser | null | undefined;
    pydanticProgramMode?: 'default' | 'openai' | 'llm' | 'guidance' | 'lm-format-enforcer' | undefined;
    queryWrapperPrompt?: PromptLike | null | undefined;
}

declare abstract class LLMWrapper extends LLM {
    readonly wrapped: BaseLLM;
    constructor(wrapped: BaseLLM);
    get metadata(): LLMMetadata;
    protected chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>;
    protected completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse>;
    protected streamChatRequest(messages: readonly ChatMessage[], options: CallOptions): AsyncIterable<ChatResponse>;
    protected streamCompleteRequest(prompt: string, options: CompleteOptions): AsyncIterable<CompletionResponse>;
}

declare class ModelCallError extends ToolkitError {
    readonly kind: ModelCallErrorKind;
    readonly status: number | null;
    readonly retryAfterMs: number | null;
    constructor(message: string, { kind, status, retryable, retryAfterMs, ...options }: ModelCallErrorOptions);
    get retryable(): boolean;
}

type ModelCallErrorKind = 'rate_limit' | 'overloaded' | 'auth' | 'bad_request' | 'context_length' | 'content_filter' | 'bad_response' | 'connection' | 'timeout';

interface ModelCallErrorOptions extends ToolkitErrorOptions {
    kind: ModelCallErrorKind;
    status?: number | null | undefined;
    retryable?: boolean | undefined;
    retryAfterMs?: number | null | undefined;
    secrets?: readonly string[] | undefined;
}

interface ModelErrorFacts {
    kind?: ModelCallErrorKind | null | undefined;
    where?: string | undefined;
    secrets?: readonly string[] | undefined;
}

type ProgramMode = (typeof programModes)[number];

declare abstract class ProviderLLM<Piece> extends ChatLLM {
    private readonly idleMs;
    constructor(options?: ProviderLLMOptions);
    protected abstract pieces(messages: readonly ChatMessage[], options: CallOptions, isStream: boolean): AsyncIterable<Piece | null>;
    protected abstract newReader(): AnswerReader<Piece>;
    protected errorFacts(_error: unknown, _options: CallOptions): ModelErrorFacts;
    protected chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>;
    protected streamChatRequest(messages: readonly ChatMessage[], options: CallOptions): AsyncGenerator<ChatResponse, void, undefined>;
    private read;
}

interface ProviderLLMOptions extends LLMOptions {
    idleMs?: number | null | undefined;
}

interface RecordedModelCall {
    kind: 'chat' | 'complete' | 'stream_chat' | 'stream_complete';
    messages?: Dict[];
    prompt?: string;
    options: Dict;
    responses: Dict[];
    error?: {
        name: string;
        message: string;
        code?: string;
    };
}

interface RetryOptions extends RepeatOptions {
    timeoutMs?: number | null | undefined;
}

interface SentCallPiece {
    index?: unknown;
    id?: unknown;
    name?: unknown;
    arguments?: unknown;
    isWhole?: boolean | undefined;
    metadata?: object | undefined;
}

declare class StreamingParserError extends ToolkitError {
    constructor();
}

declare class ToolCallPieces {
    constructor(answer: AnswerBuilder);
    get count(): number;
    add(piece: SentCallPiece): void;
}

declare function checkModelOptions(base: Pick<AnyModelClass, 'spec' | 'nested' | 'makeDefault'>, title: string, options: object, own: OptionChecks): void;

declare function modelCallErrorFrom(where: string, response: FailedModelResponse): ModelCallError;

declare function modelCallErrorOf(where: string, error: unknown, facts?: ModelErrorFacts): ToolkitError;

declare const programModes: readonly ['default', 'openai', 'llm', 'guidance', 'lm-format-enforcer'];

declare const providerOptions: OptionTable<Omit<ProviderLLMOptions, keyof LLMOptions>>;

declare function withCache(llm: BaseLLM, cache?: AnswerCache): LLM;

declare function withFallback(llms: readonly [BaseLLM, ...BaseLLM[]], options?: FallbackOptions): LLM;

declare function withRecording(llm: BaseLLM, calls: {
    push(call: RecordedModelCall): unknown;
}): LLM;

declare function withRetry(llm: BaseLLM, options?: RetryOptions): LLM;

// Bases of the classes, not exported:

declare const BaseEmbeddingModel: typeof Declared;

declare abstract class Declared extends Model {
    constructor(options?: BaseEmbeddingOptions);
}
interface Declared extends BaseEmbeddingFields {
}

declare abstract class Declared extends Model {
    constructor(options?: LLMOptions);
}
interface Declared extends LLMFields {
}

declare const LLMModel: typeof Declared;

// ======== @x/llm/schemas

declare const BaseEmbedding: import("typebox").TObject<Omit<{}, "callbackManager" | "embedBatchSize" | "modelName"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    modelName: import("typebox").TString;
    embedBatchSize: import("typebox").TInteger;
}>;

declare const LLM: import("typebox").TObject<Omit<{}, "callbackManager" | "completionToPrompt" | "messagesToPrompt" | "outputParser" | "pydanticProgramMode" | "queryWrapperPrompt" | "systemPrompt"> & {
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
    systemPrompt: import("typebox").TUnsafe<string | null>;
    messagesToPrompt: import("typebox").TUnsafe<(messages: readonly ChatMessage[]) => string>;
    completionToPrompt: import("typebox").TUnsafe<(text: string) => string>;
    outputParser: import("typebox").TUnsafe<OutputParser<unknown>>;
    pydanticProgramMode: import("typebox").TUnsafe<"default" | "guidance" | "llm" | "lm-format-enforcer" | "openai">;
    queryWrapperPrompt: import("typebox").TUnsafe<PromptLike>;
}>;

declare const embeddingFields: {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    modelName: import("typebox").TString;
    embedBatchSize: import("typebox").TInteger;
};

declare const llmFields: {
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
    systemPrompt: import("typebox").TUnsafe<string | null>;
    messagesToPrompt: import("typebox").TUnsafe<(messages: readonly ChatMessage[]) => string>;
    completionToPrompt: import("typebox").TUnsafe<(text: string) => string>;
    outputParser: import("typebox").TUnsafe<OutputParser<unknown>>;
    pydanticProgramMode: import("typebox").TUnsafe<"default" | "guidance" | "llm" | "lm-format-enforcer" | "openai">;
    queryWrapperPrompt: import("typebox").TUnsafe<PromptLike>;
};

// ======== @x/llm/server

declare const END: ServerData;

declare class ModelServer {
    readonly hostname: string;
    readonly port: string;
    static of<Options extends ModelServerOptions>(options: Options, provider: {
        title: string;
        baseUrl: string;
    }): [ModelServer, Omit<Options, keyof ModelServerOptions>];
    constructor(title: string, options: ModelServerOptions & {
        baseUrl: string;
    }, needsKey?: boolean);
    json(path: string, body: ServerData, options: ServerRequestOptions): Promise<ServerData>;
    list(path: string, body: ServerData, options: ServerRequestOptions): Promise<ServerData | readonly unknown[]>;
    events(path: string, body: ServerData, options: ServerRequestOptions): AsyncGenerator<ServerData | null, void, undefined>;
    objectsIn(answer: ServerAnswer, signal?: AbortSignal | undefined): AsyncGenerator<ServerData | null, void, undefined>;
    error(message: string, kind: ModelCallError['kind'], options?: {
        cause?: unknown;
        secrets?: readonly string[];
    }): ModelCallError;
}

interface ModelServerOptions {
    baseUrl?: string | undefined;
    apiKey?: string | (() => string | Promise<string>) | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    maxAnswerBytes?: number | undefined;
    fetch?: typeof fetch | undefined;
}

interface ServerAnswer {
    readonly response: Response;
    readonly secrets: readonly string[];
}

type ServerData = Readonly<Record<string, unknown>>;

interface ServerRequestOptions {
    signal?: AbortSignal | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
}

declare const serverOptions: OptionTable<ModelServerOptions>;

// ======== @x/llm/testing

export * from '@x/core-model/testing'

interface RecordedCall {
    kind: 'chat' | 'stream_chat' | 'complete' | 'stream_complete';
    messages?: Dict[];
    prompt?: string;
    formatted?: boolean;
    options: Dict;
}

type ScriptedAnswer = ScriptedPiece | Promise<ScriptedPiece> | readonly (ScriptedPiece | Promise<ScriptedPiece>)[];

type ScriptedAnswers = (messages: readonly ChatMessage[]) => ScriptedAnswer;

declare class ScriptedLLM extends LLM {
    static className(): string;
    readonly metadata: LLMMetadata;
    readonly calls: RecordedCall[];
    readonly signals: (AbortSignal | undefined)[];
    private readonly answers;
    private readonly answerTo;
    private readonly wire;
    constructor({ answers, metadata, wire, ...options }?: ScriptedLLMOptions);
    get answersLeft(): number;
    assertDone(): void;
    protected chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse>;
    protected completeRequest(prompt: string, options: CompleteOptions): Promise<CompletionResponse>;
    protected streamChatRequest(messages: readonly ChatMessage[], options: CallOptions): AsyncGenerator<ChatResponse, void, undefined>;
    protected streamCompleteRequest(prompt: string, options: CompleteOptions): AsyncGenerator<CompletionResponse, void, undefined>;
    private next;
}

interface ScriptedLLMOptions extends LLMOptions {
    answers?: readonly ScriptedAnswer[] | ScriptedAnswers;
    metadata?: LLMMetadata;
    wire?: boolean;
}

type ScriptedPiece = string | null | ChatMessage | Error;

declare class TableEmbedding extends BaseEmbedding {
    static className(): string;
    readonly requests: (readonly ['query' | 'text', string] | readonly ['texts' | 'queries', readonly string[]])[];
    private readonly texts;
    private readonly queries;
    constructor({ texts, queries, ...options }?: TableEmbeddingOptions);
    protected queryRequest(query: string, { signal }: EmbedOptions): Promise<number[]>;
    protected textRequest(text: string, { signal }: EmbedOptions): Promise<number[]>;
    protected textsRequest(texts: readonly string[], { signal }: EmbedOptions): Promise<number[][]>;
    protected queriesRequest(queries: readonly string[], { signal }: EmbedOptions): Promise<number[][]>;
}

interface TableEmbeddingOptions extends BaseEmbeddingOptions {
    texts?: Readonly<Record<string, TableEntry>>;
    queries?: Readonly<Record<string, TableEntry>>;
}

type TableEntry = readonly number[] | Error;
