// The public types of @x/core-model, written by `npm run api`.

// ======== @x/core-model

export * from '@x/core'

declare class AnswerBuilder {
    get finishReason(): FinishReason | null;
    get isChanged(): boolean;
    addText(delta: string, block?: string, metadata?: object): void;
    addReasoning(delta: string, block?: string, metadata?: object): void;
    addPart(part: FurtherPart): void;
    addToolCall(piece: ToolCallPiece): void;
    finish(reason: string): void;
    setUsage(usage: TokenUsage | null): void;
    response(options?: {
        stream?: boolean;
        raw?: Readonly<Record<string, unknown>> | null;
        messageData?: object | undefined;
    }): ChatResponse;
}

interface AnswerCache {
    get(key: string): string | undefined | null | Promise<string | undefined | null>;
    set(key: string, answer: string): unknown;
}

declare abstract class BaseComponent implements QueryComponent {
    constructor(options?: {
        partial?: Readonly<Dict> | undefined;
    });
    abstract get inputKeys(): ComponentInputKeys;
    abstract get outputKeys(): readonly string[];
    abstract runComponent(inputs?: Readonly<Dict>, options?: RunComponentOptions): Promise<Dict>;
    get freeReqInputKeys(): readonly string[];
    get partialInputs(): Readonly<Dict>;
    partial(values: Readonly<Dict>): void;
    setCallbackManager(_manager: CallbackManager): void;
}

interface BaseLLM {
    readonly metadata: LLMMetadata;
    chat(messages: readonly ChatMessage[], options?: CallOptions): Promise<ChatResponse>;
    complete(prompt: string, options?: CompleteOptions): Promise<CompletionResponse>;
    streamChat(messages: readonly ChatMessage[], options?: CallOptions): AsyncIterable<ChatResponse>;
    streamComplete(prompt: string, options?: CompleteOptions): AsyncIterable<CompletionResponse>;
}

interface BaseMemory {
    readonly conversationId?: string | undefined;
    get(options?: {
        initialTokenCount?: number;
    }): ChatMessage[] | Promise<ChatMessage[]>;
    getAll(): ChatMessage[] | Promise<ChatMessage[]>;
    put(message: ChatMessage): void | Promise<void>;
    set(messages: readonly ChatMessage[]): void | Promise<void>;
    reset(): void | Promise<void>;
    fresh?(): BaseMemory;
    upTo?(length: number): BaseMemory;
    clone?(): BaseMemory;
}

declare abstract class BaseOutputParser<T = unknown> implements OutputParser<T> {
    abstract parse(output: string): T;
    format(query: string): string;
    formatMessages(messages: ChatMessage[]): ChatMessage[];
}

interface CallOptions {
    signal?: AbortSignal | undefined;
    parentId?: string | undefined;
    callbackManager?: CallbackManager | undefined;
    tools?: readonly ToolDefinition[] | undefined;
    toolChoice?: ModelToolChoice | undefined;
    temperature?: number | undefined;
    topP?: number | undefined;
    presencePenalty?: number | undefined;
    frequencyPenalty?: number | undefined;
    seed?: number | undefined;
    maxTokens?: number | undefined;
    stop?: readonly string[] | undefined;
    responseFormat?: ResponseFormat | undefined;
    timeoutMs?: number | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
    [option: string]: unknown;
}

interface CallbackEvent {
    readonly id: string;
    readonly type: EventType;
    run<T>(fn: () => T): T;
    end(payload?: EventPayload | null, outcome?: Omit<EventOutcome, 'failed'>): void;
    fail(error: unknown): void;
}

interface CallbackHandler {
    readonly eventStartsToIgnore?: readonly EventType[];
    readonly eventEndsToIgnore?: readonly EventType[];
    onEventStart?(type: EventType, payload: EventPayload | null, eventId: string, parentId: string): void;
    onEventEnd?(type: EventType, payload: EventPayload | null, eventId: string, outcome: EventOutcome): void;
    runInside?(eventId: string, work: () => unknown): unknown;
    startTrace?(traceId: string): void;
    endTrace?(traceId: string, traceMap: Readonly<Record<string, readonly string[]>>): void;
}

declare class CallbackManager {
    readonly handlers: readonly CallbackHandler[];
    constructor(handlers?: Iterable<CallbackHandler>, options?: CallbackManagerOptions);
    addHandler(handler: CallbackHandler): void;
    removeHandler(handler: CallbackHandler): void;
    setHandlers(handlers: Iterable<CallbackHandler>): void;
    startEvent(type: EventType, payload?: PayloadSource, options?: EventOptions): CallbackEvent;
    event<T>(type: EventType, payload: PayloadSource, fn: (event: CallbackEvent) => T | Promise<T>, options?: EventScopeOptions): Promise<T>;
    asTrace<T>(traceId: string, fn: (options: EventOptions) => T | Promise<T>, options?: EventOptions): Promise<T>;
}

interface CallbackManagerOptions {
    onHandlerError?: (error: unknown, handler: CallbackHandler) => void;
    newId?: () => string;
    platform?: Platform;
}

type ChatInput = MessageContent | ChatMessage | readonly ChatMessage[];

declare class ChatMessage extends ChatMessageModel {
    constructor(options?: ChatMessageOptions);
    protected static wireForm(data: Dict): Dict;
    protected static fromFields(fields: Dict): Model;
    toString(): string;
}

interface ChatMessageFields {
    role: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | 'developer';
    content: string | ContentPart[] | null;
    additionalKwargs: Record<string, unknown>;
    parts: StoredPart[] | null;
}

interface ChatMessageOptions {
    role?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | 'developer' | undefined;
    content?: string | ContentPart[] | null | readonly ContentPart[] | undefined;
    additionalKwargs?: Readonly<Record<string, unknown>> | undefined;
    parts?: StoredPart[] | null | readonly MessagePart[] | readonly StoredPart[] | undefined;
}

declare class ChatResponse extends ChatResponseModel {
    static nested(): {
        message: (typeof ChatMessage)[];
    };
    toString(): string;
}

interface ChatResponseFields {
    message: ChatMessage;
    raw: Record<string, unknown> | null;
    delta: string | null;
    additionalKwargs: Record<string, unknown>;
}

interface ChatResponseOptions {
    message: ChatMessage | ChatMessageOptions;
    raw?: Readonly<Record<string, unknown>> | null | undefined;
    delta?: string | null | undefined;
    additionalKwargs?: Readonly<Record<string, unknown>> | undefined;
}

interface ChatStore {
    setMessages(key: string, messages: readonly ChatMessage[]): void | Promise<void>;
    getMessages(key: string): ChatMessage[] | Promise<ChatMessage[]>;
    addMessage(key: string, message: ChatMessage, index?: number): void | Promise<void>;
    deleteMessages(key: string): ChatMessage[] | null | Promise<ChatMessage[] | null>;
}

declare class ChatStoreError extends ToolkitError {
    constructor(message: string);
}

interface ChatTokensOptions {
    tokenizer?: Tokenizer | undefined;
    partTokens?: ((part: ContentPart) => number | undefined) | undefined;
    tools?: readonly ToolDefinition[] | undefined;
}

interface CompleteOptions extends CallOptions {
    formatted?: boolean;
}

declare class CompletionResponse extends CompletionResponseModel {
    toString(): string;
}

interface CompletionResponseFields {
    text: string;
    additionalKwargs: Record<string, unknown>;
    raw: Record<string, unknown> | null;
    delta: string | null;
}

interface CompletionResponseOptions {
    text: string;
    additionalKwargs?: Readonly<Record<string, unknown>> | undefined;
    raw?: Readonly<Record<string, unknown>> | null | undefined;
    delta?: string | null | undefined;
}

declare class ComponentInputError extends ToolkitError {
    readonly keys: readonly string[];
    constructor(message: string, keys?: readonly string[]);
}

interface ComponentInputKeys {
    readonly required: readonly string[];
    readonly optional: readonly string[];
}

declare class ComponentOutputError extends ToolkitError {
    constructor(message: string);
}

type ContentPart = TextPart | ImagePart | FilePart | ReasoningPart;

interface ConversationRef {
    id: string;
    length: number;
}

interface CrossEncoder {
    predict(pairs: readonly (readonly [query: string, text: string])[], options?: {
        signal?: AbortSignal | undefined;
    }): Promise<readonly number[]>;
    readonly modelName?: string;
    readonly device?: string;
    readonly maxTokens?: number;
    countTokens?(text: string): number;
}

declare class DefinedComponent extends BaseComponent {
    constructor(definition: QueryComponentDefinition);
    get inputKeys(): ComponentInputKeys;
    get outputKeys(): readonly string[];
    setCallbackManager(manager: CallbackManager): void;
    runComponent(inputs?: Readonly<Dict>, options?: RunComponentOptions): Promise<Dict>;
}

declare class Document extends DocumentModel {
    getType(): ObjectType;
    toEmbedchainFormat(): EmbedchainDocument;
    static fromEmbedchainFormat({ doc_id, data }: EmbedchainDocument): Document;
}

interface DocumentOptions extends TextNodeOptions {
    id?: string | undefined;
}

interface DocumentStore {
    getNode(id: string, options?: {
        raiseError?: boolean;
    }): Promise<TextNode | null | undefined>;
    getNodes?(ids: readonly string[], options?: {
        raiseError?: boolean;
    }): Promise<TextNode[]>;
}

type Durable = <T extends Json>(name: string, fn: () => Promise<T>) => Promise<T>;

interface EmbedOptions {
    signal?: AbortSignal | undefined;
    parentId?: string | undefined;
    onUsage?: ((inputTokens: number) => void) | undefined;
}

interface EmbedchainDocument {
    doc_id: string;
    data: {
        content: string;
        meta_data: Record<string, unknown>;
    };
}

declare class EmbeddingDimensionError extends ToolkitError {
    readonly expected: number;
    readonly received: number;
    constructor(what: string, expected: number, received: number);
}

interface EmbeddingModel {
    getQueryEmbedding(query: string, options?: EmbedOptions): Promise<number[]>;
    getTextEmbedding(text: string, options?: EmbedOptions): Promise<number[]>;
    getTextEmbeddingBatch(texts: readonly string[], options?: EmbedOptions): Promise<number[][]>;
    getQueryEmbeddingBatch?(queries: readonly string[], options?: EmbedOptions): Promise<number[][]>;
}

declare class EmbeddingNotSetError extends ToolkitError {
    constructor(nodeId: string);
}

interface EventOptions {
    parentId?: string | undefined;
}

interface EventOutcome {
    readonly failed: boolean;
    readonly errorType?: string | undefined;
    readonly timeToFirstChunk?: number | undefined;
}

type EventPayload = Record<string, unknown>;

interface EventPayloads {
    llm: {
        start: {
            messages?: readonly ChatMessage[];
            formatted_prompt?: string;
            additional_kwargs: Readonly<Record<string, unknown>>;
            serialized: {
                model: string;
                provider: string | null;
                [field: string]: unknown;
            };
        };
        end: {
            messages?: readonly ChatMessage[];
            response?: ChatResponse | null;
            formatted_prompt?: string;
            completion?: CompletionResponse | null;
        };
    };
    function_call: {
        start: {
            function_call: Readonly<Record<string, unknown>> | string;
            tool?: ToolDescription;
            task_id?: string;
            step_id?: string;
            call_id?: string;
        };
        end: {
            function_call_response: string;
            is_error?: boolean;
        };
    };
    agent_step: {
        start: {
            messages: readonly unknown[];
            task_id?: string;
            conversation_id?: string;
        };
        end: {
            response: unknown;
        };
    };
    task_step: {
        start: {
            task_id: string;
            step_id: string;
            input: string | null;
        };
        end: {
            output: string;
            is_last: boolean;
        };
    };
    retrieve: {
        start: {
            query_str: string;
        };
        end: {
            nodes: readonly NodeWithScore[];
        };
    };
    embedding: {
        start: {
            serialized: Readonly<Record<string, unknown>>;
        };
        end: {
            chunks: readonly string[];
            embeddings: readonly (readonly number[])[];
            input_tokens?: number;
        };
    };
    query: {
        start: {
            query_str: string;
        };
        end: null;
    };
}

interface EventScopeOptions extends EventOptions {
    trace?: string | undefined;
}

type EventType = (typeof eventTypes)[number];

interface FilePart {
    type: 'file';
    file: {
        url: string;
        media_type: string;
        filename?: string;
    };
}

type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'pause' | 'error' | 'other';

type FurtherPart = Exclude<StoredPart, TextPart | ReasoningPart | {
    type: 'tool_call';
}>;

declare class ImageDocument extends ImageDocumentModel {
    protected static wireForm(data: Dict): Dict;
    get hash(): string;
    resolveImage(options?: ResolveImageOptions): Promise<ResolvedImage>;
}

interface ImageDocumentOptions extends DocumentOptions {
    image?: string | null | undefined;
    imagePath?: string | null | undefined;
    imageUrl?: string | null | undefined;
    imageMimetype?: string | null | undefined;
    textEmbedding?: readonly number[] | null | undefined;
}

declare class ImageNode extends ImageNodeModel {
    protected static wireForm(data: Dict): Dict;
    getType(): ObjectType;
    get hash(): string;
    resolveImage(options?: ResolveImageOptions): Promise<ResolvedImage>;
}

interface ImageNodeFields extends TextNodeFields {
    image: string | null;
    imagePath: string | null;
    imageUrl: string | null;
    imageMimetype: string | null;
    textEmbedding: number[] | null;
}

interface ImageNodeOptions extends TextNodeOptions {
    image?: string | null | undefined;
    imagePath?: string | null | undefined;
    imageUrl?: string | null | undefined;
    imageMimetype?: string | null | undefined;
    textEmbedding?: readonly number[] | null | undefined;
}

declare class ImageNotSetError extends ToolkitError {
    constructor(nodeId: string, message?: string);
}

interface ImagePart {
    type: 'image_url';
    image_url: {
        url: string;
        detail?: 'auto' | 'low' | 'high';
    };
}

declare class IndexNode extends IndexNodeModel {
    protected static wireForm(data: Dict): Dict;
    protected static fromFields(fields: Dict, options?: ReadOptions): Model;
    static fromTextNode(node: TextNode, indexId: string): IndexNode;
    getType(): ObjectType;
    toDict(options?: DictOptions): Dict;
}

interface IndexNodeFields extends TextNodeFields {
    indexId: string;
    obj: unknown;
}

interface IndexNodeOptions extends TextNodeOptions {
    indexId: string;
    obj?: unknown | undefined;
}

type Json = null | boolean | number | bigint | string | readonly Json[] | {
    readonly [key: string]: Json | undefined;
};

declare class LLMMetadata extends LLMMetadataModel {
}

interface LLMMetadataFields {
    contextWindow: number | null;
    numOutput: number;
    isChatModel: boolean;
    isFunctionCallingModel: boolean;
    modelName: string;
    systemRole: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot';
    provider: string | null;
}

interface LLMMetadataOptions {
    contextWindow?: number | null | undefined;
    numOutput?: number | undefined;
    isChatModel?: boolean | undefined;
    isFunctionCallingModel?: boolean | undefined;
    modelName?: string | undefined;
    systemRole?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | undefined;
    provider?: string | null | undefined;
}

type MessageContent = string | readonly ContentPart[];

interface MessageLike {
    readonly content?: unknown;
    readonly additionalKwargs: ProviderData;
    readonly parts?: unknown;
}

type MessagePart = ((TextPart | ImagePart | FilePart) & {
    provider_metadata?: Record<string, unknown>;
}) | ReasoningPart | ToolCallPart | SourcePart | ProviderPart;

type MessageRole = (typeof messageRoles)[number] | 'developer';

type MetadataMode = (typeof metadataModes)[number];

declare class MissingVariableError extends ToolkitError {
    readonly variables: readonly string[];
    constructor(variables: readonly string[], message?: string);
}

interface ModelToolCall {
    id: string | null;
    name: string;
    arguments: string | Record<string, unknown>;
}

type ModelToolChoice = 'auto' | 'none' | 'required' | {
    type: 'function';
    function: {
        name: string;
    };
};

declare class NodeNotFoundError extends ToolkitError {
    readonly nodeId: string;
    constructor(nodeId: string);
}

interface NodeRecord {
    __data__: Dict;
    __type__: string;
}

declare const NodeRelationship: {
    readonly source: '1';
    readonly previous: '2';
    readonly next: '3';
    readonly parent: '4';
    readonly child: '5';
};
type NodeRelationship = (typeof NodeRelationship)[keyof typeof NodeRelationship];

declare class NodeWithScore extends NodeWithScoreModel {
    static nested(): {
        node: {
            classes: readonly import("@x/core").ModelClass<import("./text-node.ts").TextNode>[];
            unknown: (className: string) => Error;
        };
    };
    getScore(raiseError?: boolean): number;
    get nodeId(): string;
    get id(): string;
    get text(): string;
    get metadata(): Record<string, unknown>;
    get embedding(): number[] | null;
    getText(): string;
    getContent(mode?: MetadataMode): string;
    getEmbedding(): number[];
}

interface NodeWithScoreFields {
    node: TextNode;
    score: number | null;
}

interface NodeWithScoreOptions {
    node: TextNode;
    score?: number | null | undefined;
}

interface NodesPostprocessor {
    postprocessNodes(nodes: readonly NodeWithScore[], options: PostprocessorQuery & {
        signal?: AbortSignal | undefined;
        onProgress?: ((progress: unknown) => void) | undefined;
        parentId?: string | undefined;
    }): Promise<readonly NodeWithScore[]> | readonly NodeWithScore[];
    needsQuery?(): boolean;
    setCallbackManager?(manager: CallbackManager): void;
}

interface ObjectRetrieveOptions<Context = unknown> {
    signal?: AbortSignal | undefined;
    parentId?: string | undefined;
    context?: Context | undefined;
}

interface ObjectRetriever<T, Context = unknown> {
    retrieve(query: string, options?: ObjectRetrieveOptions<Context>): Promise<T[]> | T[];
}

declare const ObjectType: {
    readonly text: '1';
    readonly image: '2';
    readonly index: '3';
    readonly document: '4';
    readonly multimodal: '5';
};
type ObjectType = (typeof ObjectType)[keyof typeof ObjectType];

interface OutputParser<T = unknown> {
    parse(output: string): T;
    format(query: string): string;
    formatMessages(messages: ChatMessage[]): ChatMessage[];
}

type PayloadSource = EventPayload | null | (() => EventPayload);

interface Platform {
    readonly process?: {
        readonly getBuiltinModule?: ((name: string) => unknown) | undefined;
        emitWarning?(error: unknown): void;
    } | undefined;
    readonly reportError?: ((error: unknown) => void) | undefined;
}

interface PostprocessorQuery {
    queryStr: string | null;
    queryBundle: QueryBundle | null;
}

interface PredictingLLM extends BaseLLM {
    predict(prompt: PromptLike, vars?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<string>;
}

interface PromptFormatOptions {
    llm?: BaseLLM | undefined;
    completionToPrompt?: ((text: string) => string) | undefined;
    messagesToPrompt?: ((messages: readonly ChatMessage[]) => string) | undefined;
}

interface PromptLike {
    readonly outputParser?: unknown;
    getTemplate(options?: {
        llm?: BaseLLM | undefined;
    }): string;
    format(vars?: Readonly<Record<string, unknown>>, options?: PromptFormatOptions): string;
    formatMessages(vars?: Readonly<Record<string, unknown>>, options?: PromptFormatOptions): ChatMessage[];
    resolveVars?(vars?: Readonly<Record<string, unknown>>, options?: {
        llm?: BaseLLM | undefined;
    }): Record<string, string>;
    select?(options?: {
        llm?: BaseLLM | undefined;
    }): PromptLike;
}

type ProviderData = Readonly<Record<string, unknown>>;

interface ProviderPart {
    type: 'provider';
    adapter: string;
    data: Record<string, unknown>;
}

declare class QueryBundle extends QueryBundleModel {
    get embeddingStrs(): string[];
    toString(): string;
}

interface QueryBundleFields {
    queryStr: string;
    imagePath: string | null;
    customEmbeddingStrs: string[] | null;
    embedding: number[] | null;
}

interface QueryBundleOptions {
    queryStr: string;
    imagePath?: string | null | undefined;
    customEmbeddingStrs?: readonly string[] | null | undefined;
    embedding?: readonly number[] | null | undefined;
}

interface QueryComponent {
    readonly inputKeys: ComponentInputKeys;
    readonly outputKeys: readonly string[];
    readonly freeReqInputKeys: readonly string[];
    readonly partialInputs: Readonly<Dict>;
    partial(values: Readonly<Dict>): void;
    setCallbackManager(manager: CallbackManager): void;
    runComponent(inputs?: Readonly<Dict>, options?: RunComponentOptions): Promise<Dict>;
}

interface QueryComponentDefinition {
    name: string;
    inputKeys: () => ComponentInputKeys;
    outputKeys: readonly string[];
    prepare?: (inputs: Dict) => Dict;
    run: (inputs: Dict, options: RunComponentOptions) => Dict | Promise<Dict>;
    partial?: Readonly<Dict> | undefined;
    setCallbackManager?: (manager: CallbackManager) => void;
}

interface QueryEngine {
    query(query: string | QueryBundle, options?: QueryEngineOptions): unknown;
}

interface QueryEngineOptions {
    signal?: AbortSignal | undefined;
    parentId?: string | undefined;
    scope?: Readonly<Record<string, string | number | boolean>> | undefined;
}

interface ReasoningPart {
    type: 'reasoning';
    text: string;
    provider_metadata?: Record<string, unknown>;
}

declare class RelatedNodeInfo extends RelatedNodeInfoModel {
}

interface RelatedNodeInfoFields {
    nodeId: string;
    nodeType: '1' | '2' | '3' | '4' | '5' | null;
    metadata: Record<string, unknown>;
    hash: string | null;
}

interface RelatedNodeInfoOptions {
    nodeId: string;
    nodeType?: '1' | '2' | '3' | '4' | '5' | null | undefined;
    metadata?: Readonly<Record<string, unknown>> | undefined;
    hash?: string | null | undefined;
}

declare class RelationshipShapeError extends ToolkitError {
    readonly nodeId: string;
    readonly relationship: string;
    constructor(nodeId: string, relationship: string, expected: string);
}

interface RepeatOptions {
    maxAttempts?: number | undefined;
    baseDelayMs?: number | undefined;
    maxDelayMs?: number | undefined;
    shouldRetry?: ((error: unknown) => boolean) | undefined;
    onRetry?: ((attempt: RetryAttempt) => void) | undefined;
    random?: (() => number) | undefined;
    sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

interface ResolveImageOptions {
    fetchImage?: (url: string) => Promise<Uint8Array>;
}

type ResolvedImage = {
    bytes: Uint8Array;
    path?: undefined;
} | {
    path: string;
    bytes?: undefined;
};

type ResponseFormat = {
    type: 'text';
} | {
    type: 'json';
    schema?: Record<string, unknown>;
    name?: string;
    description?: string;
    strict?: boolean;
};

interface RetryAttempt {
    attempt: number;
    error: unknown;
    delayMs: number;
}

interface RunComponentOptions {
    signal?: AbortSignal | undefined;
    parentId?: string | undefined;
    callbackManager?: CallbackManager | undefined;
}

declare class ScoreNotSetError extends ToolkitError {
    constructor(nodeId: string);
}

type SimilarityMode = (typeof similarityModes)[number];

declare class SimpleChatStore implements SyncChatStore {
    static className(): string;
    static fromDict<T extends SimpleChatStore>(this: new () => T, data: unknown): T;
    toDict({ line }?: {
        line?: WireLine | undefined;
    }): {
        store: Record<string, unknown[]>;
        class_name: string;
    };
    setMessages(key: string, messages: readonly ChatMessage[]): void;
    getMessages(key: string): ChatMessage[];
    addMessage(key: string, message: ChatMessage, index?: number): void;
    deleteMessages(key: string): ChatMessage[] | null;
    deleteMessage(key: string, index: number): ChatMessage | null;
    deleteLastMessage(key: string): ChatMessage | null;
    getKeys(): string[];
}

interface SourcePart {
    type: 'source';
    source: {
        id?: string;
        url?: string;
        title?: string;
        media_type?: string;
        filename?: string;
    };
    provider_metadata?: Record<string, unknown>;
}

type StoredPart = Exclude<MessagePart, ToolCallPart> | {
    type: 'tool_call';
};

interface StreamDeltas {
    text: string;
    reasoning: string;
    toolCalls: readonly ToolCallDelta[];
}

interface SyncChatStore extends ChatStore {
    setMessages(key: string, messages: readonly ChatMessage[]): void;
    getMessages(key: string): ChatMessage[];
    addMessage(key: string, message: ChatMessage, index?: number): void;
    deleteMessages(key: string): ChatMessage[] | null;
    toDict(options?: {
        line?: WireLine | undefined;
    }): {
        store: Record<string, unknown[]>;
        class_name: string;
    };
}

interface TaskBlobs {
    put(taskId: string, blobs: ReadonlyMap<string, string>): Promise<void> | void;
    get(taskId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string>;
}

interface TaskFacts {
    conversationId?: string | null;
    isFinished?: true;
}

interface TaskFilter {
    unfinished?: boolean | undefined;
    conversationId?: string | undefined;
}

interface TaskStore {
    readonly blobs?: TaskBlobs | undefined;
    append(taskId: string, entries: readonly object[], revision: number): Promise<boolean> | boolean;
    load(taskId: string): Promise<readonly unknown[] | null> | readonly unknown[] | null;
    list(filter?: TaskFilter): Promise<readonly TaskSummary[]> | readonly TaskSummary[];
    delete(taskId: string): Promise<void> | void;
}

interface TaskSummary {
    taskId: string;
    conversationId: string | null;
    isFinished: boolean;
    revision: number;
}

declare class TemplateSyntaxError extends ToolkitError {
    readonly template: string;
    readonly offset: number;
    readonly hint: string;
    constructor(template: string, offset: number, problem: string, hint: string, where?: string);
}

declare class TextNode extends TextNodeModel {
    static nested(): Record<string, (typeof RelatedNodeInfo)[]>;
    static makeDefault(field: string): unknown;
    protected static wireForm(data: Dict): Dict;
    getType(): ObjectType;
    get hash(): string;
    get sourceNode(): RelatedNodeInfo | null;
    get prevNode(): RelatedNodeInfo | null;
    get nextNode(): RelatedNodeInfo | null;
    get parentNode(): RelatedNodeInfo | null;
    get childNodes(): RelatedNodeInfo[] | null;
    get refDocId(): string | null;
    getEmbedding(): number[];
    getNodeInfo(): {
        start: number | null;
        end: number | null;
    };
    getText(): string;
    getMetadataStr(mode?: MetadataMode): string;
    getContent(mode?: MetadataMode): string;
    setContent(text: string): void;
    asRelatedNodeInfo(): RelatedNodeInfo;
    toString(): string;
}

interface TextNodeFields {
    id: string;
    embedding: number[] | null;
    metadata: Record<string, unknown>;
    excludedEmbedMetadataKeys: string[];
    excludedLlmMetadataKeys: string[];
    relationships: Record<string, RelatedNodeInfo | RelatedNodeInfo[]>;
    text: string;
    startCharIdx: number | null;
    endCharIdx: number | null;
    textTemplate: string;
    metadataTemplate: string;
    metadataSeparator: string;
    textResource: Record<string, unknown> | null;
    imageResource: Record<string, unknown> | null;
    audioResource: Record<string, unknown> | null;
    videoResource: Record<string, unknown> | null;
}

interface TextNodeOptions {
    id?: string | undefined;
    embedding?: readonly number[] | null | undefined;
    metadata?: Readonly<Record<string, unknown>> | undefined;
    excludedEmbedMetadataKeys?: readonly string[] | undefined;
    excludedLlmMetadataKeys?: readonly string[] | undefined;
    relationships?: Readonly<Record<string, RelatedNodeInfo | RelatedNodeInfo[] | RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]>> | undefined;
    text?: string | undefined;
    startCharIdx?: number | null | undefined;
    endCharIdx?: number | null | undefined;
    textTemplate?: string | undefined;
    metadataTemplate?: string | undefined;
    metadataSeparator?: string | undefined;
    textResource?: Readonly<Record<string, unknown>> | null | undefined;
    imageResource?: Readonly<Record<string, unknown>> | null | undefined;
    audioResource?: Readonly<Record<string, unknown>> | null | undefined;
    videoResource?: Readonly<Record<string, unknown>> | null | undefined;
}

interface TextPart {
    type: 'text';
    text: string;
}

interface TokenUsage {
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens: number;
    reasoningTokens: number;
    totalTokens: number;
}

interface TokenUsageRecord {
    input_tokens: number;
    output_tokens: number;
    cached_input_tokens: number;
    reasoning_tokens: number;
    total_tokens: number;
}

type Tokenizer = (text: string) => number | ArrayLike<unknown>;

interface ToolCallDelta {
    index: number;
    id: string | null;
    name: string | null;
    arguments: string;
}

interface ToolCallPart {
    type: 'tool_call';
    id: string | null;
    name: string;
    arguments: string | Record<string, unknown>;
    provider_metadata?: Record<string, unknown>;
}

interface ToolCallPiece {
    key?: number | string | undefined;
    id?: string | null | undefined;
    name?: string | null | undefined;
    arguments?: string | undefined;
    isWhole?: boolean | undefined;
    metadata?: object | undefined;
}

interface ToolDefinition {
    type: 'function';
    function: {
        name: string;
        description?: string;
        parameters: Record<string, unknown>;
        strict?: boolean;
    };
}

interface ToolDescription {
    readonly description: string;
    readonly fnSchema: unknown;
    readonly fnSchemaStr: string;
    getName(): string;
}

interface ToolLike {
    readonly metadata: ToolDescription;
}

declare class ToolOutput extends ToolOutputModel {
    static fromParts(options: Omit<ToolOutputOptions, 'content'> & {
        parts: readonly ContentPart[];
    }): ToolOutput;
    protected static wireForm(data: Dict): Dict;
    get modelContent(): MessageContent;
    toString(): string;
}

interface ToolOutputFields {
    content: string;
    toolName: string;
    rawInput: unknown;
    rawOutput: unknown;
    isError: boolean;
    parts: readonly ContentPart[] | null;
    untrusted: boolean;
}

interface ToolOutputOptions {
    content: string;
    toolName: string;
    rawInput?: unknown | undefined;
    rawOutput?: unknown | undefined;
    isError?: boolean | undefined;
    parts?: readonly ContentPart[] | null | undefined;
    untrusted?: boolean | undefined;
}

declare class UnknownNodeTypeError extends ToolkitError {
    readonly type: unknown;
    constructor(type: unknown, message?: string);
}

declare function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage;

declare function chatToCompletionResponse(response: ChatResponse, { stream }?: {
    stream?: boolean | undefined;
}): CompletionResponse;

declare function chatTokens(messages: readonly Partial<MessageLike>[], options?: ChatTokensOptions): number;

declare function completionToChatResponse(response: CompletionResponse, { stream }?: {
    stream?: boolean | undefined;
}): ChatResponse;

declare const defaultFileTokens = 3000;

declare const defaultImageTokens = 1400;

declare function deltasOf(response: {
    readonly delta: string | null;
    readonly additionalKwargs: ProviderData;
}): StreamDeltas;

declare function docToJson(node: TextNode, line?: WireLine): NodeRecord;

declare function escapeTemplate(text: string): string;

declare function estimateTokens(text: string): number;

declare const eventTypes: readonly ['chunking', 'node_parsing', 'embedding', 'llm', 'query', 'retrieve', 'synthesize', 'tree', 'sub_question', 'templating', 'function_call', 'reranking', 'exception', 'agent_step', 'task_step'];

declare function finishReasonFrom(word: string): FinishReason;

declare function finishReasonOf(response: {
    readonly raw: unknown;
    readonly additionalKwargs: ProviderData;
}): FinishReason | null;

declare function inputText(value: unknown, key?: string): string;

declare function isFilePart(part: unknown): part is FilePart;

declare function isImagePart(part: unknown): part is ImagePart;

declare function isNode(value: unknown): value is TextNode;

declare function isReasoningPart(part: unknown): part is ReasoningPart;

declare function isRetryable(error: unknown): boolean;

declare function isTextPart(part: unknown): part is TextPart;

declare function jsonToDoc(record: unknown, options?: ReadOptions): TextNode;

declare const leafEventTypes: readonly EventType[];

declare function meanAgg(embeddings: readonly (readonly number[])[]): number[];

declare function messageParts(message: MessageLike): MessagePart[];

declare const messageRoles: readonly ['system', 'user', 'assistant', 'function', 'tool', 'chatbot'];

declare function messageText({ content }: {
    readonly content: unknown;
}): string;

declare function messagesToHistoryStr(messages: readonly ChatMessage[]): string;

declare function messagesToPrompt(messages: readonly ChatMessage[]): string;

declare const metadataModes: readonly ['all', 'embed', 'llm', 'none'];

declare function nodeClasses(): {
    classes: readonly ModelClass<TextNode>[];
    unknown: (className: string) => Error;
};

declare function partsText(parts: readonly ContentPart[]): string;

declare function promptToMessages(prompt: string): ChatMessage[];

declare function reasoningOf({ content, additionalKwargs, parts: own }: MessageLike): ReasoningPart[];

declare function requestSecrets(headers: Readonly<Record<string, string | undefined>>, address?: string | URL): string[];

declare function similarity(a: readonly number[], b: readonly number[], mode?: SimilarityMode): number;

declare const similarityModes: readonly ['cosine', 'dot_product', 'euclidean'];

declare function taskFacts(entries: readonly unknown[]): TaskFacts;

declare function toolCallsOf(message: MessageLike): ModelToolCall[];

declare function usageOf(response: {
    readonly raw: unknown;
    readonly additionalKwargs: ProviderData;
}): TokenUsage | null;

declare function usageRecord(usage: TokenUsage): TokenUsageRecord;

declare function withEvent<T>(manager: CallbackManager | null | undefined, type: EventType, payload: PayloadSource, fn: (event: CallbackEvent) => T | Promise<T>, options?: EventScopeOptions): Promise<T>;

declare function withTrace<T>(manager: CallbackManager | null | undefined, traceId: string, fn: (options: EventOptions) => T | Promise<T>, options?: EventOptions): Promise<T>;

declare function withoutSecrets(text: string, secrets?: readonly string[]): string;

// Bases of the classes, not exported:

declare const ChatMessageModel: typeof Declared;

declare const ChatResponseModel: typeof Declared;

declare const CompletionResponseModel: typeof Declared;

declare abstract class Declared extends Document {
    constructor(options?: ImageDocumentOptions);
}
interface Declared extends ImageDocumentFields {
}

declare abstract class Declared extends Model {
    constructor(options: ChatResponseOptions);
}
interface Declared extends ChatResponseFields {
}

declare abstract class Declared extends Model {
    constructor(options: CompletionResponseOptions);
}
interface Declared extends CompletionResponseFields {
}

declare abstract class Declared extends Model {
    constructor(options: NodeWithScoreOptions);
}
interface Declared extends NodeWithScoreFields {
}

declare abstract class Declared extends Model {
    constructor(options: QueryBundleOptions);
}
interface Declared extends QueryBundleFields {
}

declare abstract class Declared extends Model {
    constructor(options: RelatedNodeInfoOptions);
}
interface Declared extends RelatedNodeInfoFields {
}

declare abstract class Declared extends Model {
    constructor(options: ToolOutputOptions);
}
interface Declared extends ToolOutputFields {
}

declare abstract class Declared extends Model {
    constructor(options?: ChatMessageOptions);
}
interface Declared extends ChatMessageFields {
}

declare abstract class Declared extends Model {
    constructor(options?: LLMMetadataOptions);
}
interface Declared extends LLMMetadataFields {
}

declare abstract class Declared extends Model {
    constructor(options?: TextNodeOptions);
}
interface Declared extends TextNodeFields {
}

declare abstract class Declared extends TextNode {
    constructor(options: IndexNodeOptions);
}
interface Declared extends IndexNodeFields {
}

declare abstract class Declared extends TextNode {
    constructor(options?: DocumentOptions);
}
interface Declared extends DocumentFields {
}

declare abstract class Declared extends TextNode {
    constructor(options?: ImageNodeOptions);
}
interface Declared extends ImageNodeFields {
}

interface DocumentFields extends TextNodeFields {
    id: string;
}

declare const DocumentModel: typeof Declared;

interface ImageDocumentFields extends DocumentFields {
    image: string | null;
    imagePath: string | null;
    imageUrl: string | null;
    imageMimetype: string | null;
    textEmbedding: number[] | null;
}

declare const ImageDocumentModel: typeof Declared;

declare const ImageNodeModel: typeof Declared;

declare const IndexNodeModel: typeof Declared;

declare const LLMMetadataModel: typeof Declared;

declare const NodeWithScoreModel: typeof Declared;

declare const QueryBundleModel: typeof Declared;

declare const RelatedNodeInfoModel: typeof Declared;

declare const TextNodeModel: typeof Declared;

declare const ToolOutputModel: typeof Declared;

// ======== @x/core-model/fields

export * from '@x/core/fields'

// ======== @x/core-model/schemas

export * from '@x/core/schemas'

declare const ChatMessage: import("typebox").TObject<{
    readonly role: import("typebox").TUnsafe<"assistant" | "chatbot" | "developer" | "function" | "system" | "tool" | "user">;
    readonly content: import("typebox").TUnsafe<string | ContentPart[] | readonly ContentPart[] | null>;
    readonly additionalKwargs: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly parts: import("typebox").TUnsafe<StoredPart[] | readonly MessagePart[] | readonly StoredPart[] | null>;
}>;

declare const ChatResponse: import("typebox").TObject<{
    readonly message: import("typebox").TUnsafe<ChatMessage | ChatMessageOptions>;
    readonly raw: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly delta: import("typebox").TUnsafe<string | null>;
    readonly additionalKwargs: import("typebox").TUnsafe<Record<string, unknown>>;
}>;

declare const CompletionResponse: import("typebox").TObject<{
    readonly text: import("typebox").TString;
    readonly additionalKwargs: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly raw: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly delta: import("typebox").TUnsafe<string | null>;
}>;

declare const Document: import("typebox").TObject<Omit<Omit<{}, "audioResource" | "embedding" | "endCharIdx" | "excludedEmbedMetadataKeys" | "excludedLlmMetadataKeys" | "id" | "imageResource" | "metadata" | "metadataSeparator" | "metadataTemplate" | "relationships" | "startCharIdx" | "text" | "textResource" | "textTemplate" | "videoResource"> & {
    readonly id: import("typebox").TString;
    readonly embedding: import("typebox").TUnsafe<number[] | null>;
    readonly metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly excludedEmbedMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly excludedLlmMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly relationships: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly text: import("typebox").TString;
    readonly startCharIdx: import("typebox").TUnsafe<number | null>;
    readonly endCharIdx: import("typebox").TUnsafe<number | null>;
    readonly textTemplate: import("typebox").TString;
    readonly metadataTemplate: import("typebox").TString;
    readonly metadataSeparator: import("typebox").TString;
    readonly textResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly imageResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly audioResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly videoResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
}, "id"> & {
    readonly id: import("typebox").TString;
}>;

declare const ImageDocument: import("typebox").TObject<Omit<Omit<Omit<{}, "audioResource" | "embedding" | "endCharIdx" | "excludedEmbedMetadataKeys" | "excludedLlmMetadataKeys" | "id" | "imageResource" | "metadata" | "metadataSeparator" | "metadataTemplate" | "relationships" | "startCharIdx" | "text" | "textResource" | "textTemplate" | "videoResource"> & {
    readonly id: import("typebox").TString;
    readonly embedding: import("typebox").TUnsafe<number[] | null>;
    readonly metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly excludedEmbedMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly excludedLlmMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly relationships: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly text: import("typebox").TString;
    readonly startCharIdx: import("typebox").TUnsafe<number | null>;
    readonly endCharIdx: import("typebox").TUnsafe<number | null>;
    readonly textTemplate: import("typebox").TString;
    readonly metadataTemplate: import("typebox").TString;
    readonly metadataSeparator: import("typebox").TString;
    readonly textResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly imageResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly audioResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly videoResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
}, "id"> & {
    readonly id: import("typebox").TString;
}, "image" | "imageMimetype" | "imagePath" | "imageUrl" | "textEmbedding"> & {
    image: import("typebox").TUnsafe<string | null>;
    imagePath: import("typebox").TUnsafe<string | null>;
    imageUrl: import("typebox").TUnsafe<string | null>;
    imageMimetype: import("typebox").TUnsafe<string | null>;
    textEmbedding: import("typebox").TUnsafe<number[] | null>;
}>;

declare const ImageNode: import("typebox").TObject<Omit<Omit<{}, "audioResource" | "embedding" | "endCharIdx" | "excludedEmbedMetadataKeys" | "excludedLlmMetadataKeys" | "id" | "imageResource" | "metadata" | "metadataSeparator" | "metadataTemplate" | "relationships" | "startCharIdx" | "text" | "textResource" | "textTemplate" | "videoResource"> & {
    readonly id: import("typebox").TString;
    readonly embedding: import("typebox").TUnsafe<number[] | null>;
    readonly metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly excludedEmbedMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly excludedLlmMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly relationships: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly text: import("typebox").TString;
    readonly startCharIdx: import("typebox").TUnsafe<number | null>;
    readonly endCharIdx: import("typebox").TUnsafe<number | null>;
    readonly textTemplate: import("typebox").TString;
    readonly metadataTemplate: import("typebox").TString;
    readonly metadataSeparator: import("typebox").TString;
    readonly textResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly imageResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly audioResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly videoResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
}, "image" | "imageMimetype" | "imagePath" | "imageUrl" | "textEmbedding"> & {
    image: import("typebox").TUnsafe<string | null>;
    imagePath: import("typebox").TUnsafe<string | null>;
    imageUrl: import("typebox").TUnsafe<string | null>;
    imageMimetype: import("typebox").TUnsafe<string | null>;
    textEmbedding: import("typebox").TUnsafe<number[] | null>;
}>;

declare const IndexNode: import("typebox").TObject<Omit<Omit<{}, "audioResource" | "embedding" | "endCharIdx" | "excludedEmbedMetadataKeys" | "excludedLlmMetadataKeys" | "id" | "imageResource" | "metadata" | "metadataSeparator" | "metadataTemplate" | "relationships" | "startCharIdx" | "text" | "textResource" | "textTemplate" | "videoResource"> & {
    readonly id: import("typebox").TString;
    readonly embedding: import("typebox").TUnsafe<number[] | null>;
    readonly metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly excludedEmbedMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly excludedLlmMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly relationships: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly text: import("typebox").TString;
    readonly startCharIdx: import("typebox").TUnsafe<number | null>;
    readonly endCharIdx: import("typebox").TUnsafe<number | null>;
    readonly textTemplate: import("typebox").TString;
    readonly metadataTemplate: import("typebox").TString;
    readonly metadataSeparator: import("typebox").TString;
    readonly textResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly imageResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly audioResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly videoResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
}, "indexId" | "obj"> & {
    readonly indexId: import("typebox").TString;
    readonly obj: import("typebox").TUnsafe<unknown>;
}>;

declare const LLMMetadata: import("typebox").TObject<{
    readonly contextWindow: import("typebox").TUnsafe<number | null>;
    readonly numOutput: import("typebox").TInteger;
    readonly isChatModel: import("typebox").TBoolean;
    readonly isFunctionCallingModel: import("typebox").TBoolean;
    readonly modelName: import("typebox").TString;
    readonly systemRole: import("typebox").TUnsafe<"assistant" | "chatbot" | "function" | "system" | "tool" | "user">;
    readonly provider: import("typebox").TUnsafe<string | null>;
}>;

declare const NodeWithScore: import("typebox").TObject<Omit<{}, "node" | "score"> & {
    readonly node: import("typebox").TUnsafe<TextNode>;
    readonly score: import("typebox").TUnsafe<number | null>;
}>;

declare const QueryBundle: import("typebox").TObject<{
    readonly queryStr: import("typebox").TString;
    readonly imagePath: import("typebox").TUnsafe<string | null>;
    readonly customEmbeddingStrs: import("typebox").TUnsafe<string[] | null>;
    readonly embedding: import("typebox").TUnsafe<number[] | null>;
}>;

declare const RelatedNodeInfo: import("typebox").TObject<Omit<{}, "hash" | "metadata" | "nodeId" | "nodeType"> & {
    readonly nodeId: import("typebox").TString;
    readonly nodeType: import("typebox").TUnsafe<"1" | "2" | "3" | "4" | "5" | null>;
    readonly metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly hash: import("typebox").TUnsafe<string | null>;
}>;

declare const TextNode: import("typebox").TObject<Omit<{}, "audioResource" | "embedding" | "endCharIdx" | "excludedEmbedMetadataKeys" | "excludedLlmMetadataKeys" | "id" | "imageResource" | "metadata" | "metadataSeparator" | "metadataTemplate" | "relationships" | "startCharIdx" | "text" | "textResource" | "textTemplate" | "videoResource"> & {
    readonly id: import("typebox").TString;
    readonly embedding: import("typebox").TUnsafe<number[] | null>;
    readonly metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly excludedEmbedMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly excludedLlmMetadataKeys: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly relationships: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly text: import("typebox").TString;
    readonly startCharIdx: import("typebox").TUnsafe<number | null>;
    readonly endCharIdx: import("typebox").TUnsafe<number | null>;
    readonly textTemplate: import("typebox").TString;
    readonly metadataTemplate: import("typebox").TString;
    readonly metadataSeparator: import("typebox").TString;
    readonly textResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly imageResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly audioResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
    readonly videoResource: import("typebox").TUnsafe<Record<string, unknown> | null>;
}>;

declare const ToolOutput: import("typebox").TObject<{
    readonly content: import("typebox").TString;
    readonly toolName: import("typebox").TString;
    readonly rawInput: import("typebox").TUnsafe<unknown>;
    readonly rawOutput: import("typebox").TUnsafe<unknown>;
    readonly isError: import("typebox").TBoolean;
    readonly parts: import("typebox").TUnsafe<readonly ContentPart[] | null>;
    readonly untrusted: import("typebox").TBoolean;
}>;

// ======== @x/core-model/runtime

export * from '@x/core/runtime'

// ======== @x/core-model/async

interface Deadline<T> {
    milliseconds?: number | null | undefined;
    signal?: AbortSignal | undefined;
    error: () => Error;
    untilSettled?: (result: T) => Promise<unknown> | undefined;
}

declare class RetryPolicy {
    constructor(where: string, options: RepeatOptions, table?: OptionTable<RepeatOptions>);
    repeat<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
    waits(signal: AbortSignal | undefined, notify?: (attempt: RetryAttempt) => void): (error: unknown) => Promise<void>;
}

declare function anySignal(...signals: readonly (AbortSignal | undefined)[]): {
    signal: AbortSignal;
    release: () => void;
};

declare function interruptible<T, Result>(items: AsyncGenerator<T, Result>, interrupt: () => unknown): AsyncGenerator<T, Result>;

declare function mapConcurrently<T, R>(items: readonly T[], limit: number, fn: (item: T, index: number) => R | Promise<R>): Promise<R[]>;

declare function pause(milliseconds: number, signal?: AbortSignal): Promise<void>;

declare function raceAbort<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): T | Promise<T>;

declare function relay<T, Result = void>(make: (read: <Item>(source: AnyIterable<Item>) => AnyIterable<Item>) => AsyncGenerator<T, Result>): AsyncGenerator<T, Result>;

declare const repeatOptions: OptionTable<RepeatOptions>;

declare function startTimer(milliseconds: number | null | undefined, onEnd: () => void): () => void;

declare function streamOf<T>(items: AsyncIterable<T>, strategy?: QueuingStrategy<T>): ReadableStream<T>;

declare function untilAborted<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T>;

declare function untilLeft<T, Result = void>(outer: AbortSignal | undefined, make: (signal: AbortSignal) => AsyncGenerator<T, Result>): AsyncGenerator<T, Result>;

declare function withDeadline<T>(deadline: Deadline<T>, work: (signal: AbortSignal | undefined) => T | Promise<T>): T | Promise<T>;

// Computed types, not exported:

type AnyIterable<T> = AsyncIterable<T> | Iterable<T>;

// ======== @x/core-model/text

interface FilteredText {
    text: string;
    thinking: string;
    restarts: boolean;
}

interface TemplateParts {
    readonly texts: readonly string[];
    readonly names: readonly string[];
}

declare class ThinkingFilter {
    push(piece: string): FilteredText;
    end(): FilteredText;
}

declare function countTokens(text: string, tokenizer: Tokenizer): number;

declare function credentialForm(): RegExp;

declare function fillTemplate({ texts, names }: TemplateParts, valueOf: (name: string) => string | undefined): string;

declare function parseLiteralTemplate(template: string, declared: readonly string[]): TemplateParts;

declare function parseTemplate(template: string, where?: string): TemplateParts;

declare function segmentEdges(segmenter: Intl.Segmenter, text: string, from: number, until: number): Generator<number>;

declare function sentenceEnds(text: string, segmenter: Intl.Segmenter): Generator<number>;

declare function valueText(value: unknown, path?: Path): string;

declare function withoutThinking(answer: string): string;

// ======== @x/core-model/data

interface DataUrl {
    mediaType: string;
    data: string;
}

interface SafeNameOptions {
    maxBytes?: number | undefined;
    as?: 'path' | 'identifier' | 'hash' | undefined;
}

declare function fromBase64(text: string): Uint8Array;

declare function idSeries(random?: () => string): () => string;

declare function newId(): string;

declare function readDataUrl(url: string): DataUrl | null;

declare function safeName(where: string, name: unknown, { maxBytes, as }?: SafeNameOptions): string;

declare function sha256(data: string | Uint8Array): string;

declare function toBase64(bytes: Uint8Array): string;

// ======== @x/core-model/components

type ModelCall = <T>(work: (options: EmbedOptions) => Promise<T>) => Promise<T>;

declare function asMessages(value: unknown): ChatMessage[] | null;

declare function causeWithoutSecrets(cause: unknown, secrets?: readonly string[], depth?: number): unknown;

declare function chatMessages(input: ChatInput): readonly ChatMessage[];

declare function checkInputKeys(name: string, { required, optional }: ComponentInputKeys, inputs: Readonly<Dict>): void;

declare function checkOutputKeys(name: string, expected: readonly string[], outputs: Readonly<Dict>): void;

declare function embedQueries(model: EmbeddingModel, queries: readonly string[], call: ModelCall): Promise<number[][]>;

declare function embedQuery(model: EmbeddingModel, { embedding, embeddingStrs }: Pick<QueryBundle, 'embedding' | 'embeddingStrs'>, call: ModelCall): Promise<readonly number[]>;

declare function hasImageFields(node: Model): node is ImageNode | ImageDocument;

declare function inputTextOrStream(value: unknown, key?: string): Promise<string>;

declare function insideEvent<T extends EventOptions>(event: CallbackEvent, options: T): T;

declare function isSystemMessage({ role }: {
    readonly role: string;
}): boolean;

declare function queryFor(step: NodesPostprocessor, query: QueryBundle | null): PostprocessorQuery;

// ======== @x/core-model/python

interface ParseFileOptions extends ParseRawOptions {
    readFile?: (path: string | URL) => Promise<Uint8Array>;
    platform?: Platform;
}

interface ParseRawOptions {
    contentType?: string | null;
    encoding?: string;
    proto?: string | null;
    allowPickle?: boolean;
}

interface PythonLine extends WireLine {
    readonly name: PythonLineName;
    hashOf(node: TextNode): string;
}

type PythonLineName = (typeof pythonLines)[number] | (string & {});

declare const asRead: WireLine;

declare function fromOrm<T extends Model>(modelClass: ModelConstructor<T>, object: object): T;

declare function lineOf(data: unknown, hash?: string | null): PythonLineName | null;

declare function newerLine<T extends PythonLineName | null>(one: T, other: T): T;

declare function parseFile<T extends Model>(modelClass: ModelConstructor<T>, path: string | URL, options?: ParseFileOptions & ReadOptions): Promise<T>;

declare function parseRaw<T extends Model>(modelClass: ModelConstructor<T>, raw: string | Uint8Array, options?: ParseRawOptions & ReadOptions): T;

declare function pythonLine(name: PythonLineName): PythonLine;

declare const pythonLines: readonly ['0.10', '0.11', '0.12', '0.13', '0.14'];

declare function updateForwardRefs(): null;

// ======== @x/core-model/testing

declare class MapDocumentStore implements DocumentStore {
    constructor(nodes?: Iterable<TextNode>);
    getNode(id: string, { raiseError }?: {
        raiseError?: boolean;
    }): Promise<TextNode | null>;
    getNodes(ids: readonly string[], options?: {
        raiseError?: boolean;
    }): Promise<TextNode[]>;
}

type RecordedEvent = {
    phase: 'start';
    type: EventType;
    payload: EventPayload | null;
    id: string;
    parent: string;
} | {
    phase: 'end';
    type: EventType;
    payload: EventPayload | null;
    id: string;
} | {
    phase: 'start_trace';
    trace: string;
} | {
    phase: 'end_trace';
    trace: string;
    traceMap: Readonly<Record<string, readonly string[]>>;
};

declare class RecordingCallbackHandler implements CallbackHandler {
    readonly eventStartsToIgnore: readonly EventType[];
    readonly eventEndsToIgnore: readonly EventType[];
    readonly events: RecordedEvent[];
    constructor({ ignoreStarts, ignoreEnds, }?: {
        ignoreStarts?: readonly EventType[];
        ignoreEnds?: readonly EventType[];
    });
    onEventStart(type: EventType, payload: EventPayload | null, id: string, parent: string): void;
    onEventEnd(type: EventType, payload: EventPayload | null, id: string): void;
    startTrace(trace: string): void;
    endTrace(trace: string, traceMap: Readonly<Record<string, readonly string[]>>): void;
    summary(): [phase: 'start' | 'end', type: EventType, keys: string[]][];
}

declare class UnexpectedCallError extends ToolkitError {
    constructor(message: string);
}
