// The public types of @x/agents, written by `npm run api`.

// ======== @x/agents

declare class AgentChatResponse<Output = unknown> extends ChatAnswer<Output> {
    static [Symbol.hasInstance](value: unknown): boolean;
    static fromDict(data: unknown, options?: ReadOptions): AgentChatResponse;
}

type AgentEvent = {
    type: 'step_start';
    taskId: string;
    stepId: string;
    input: string | null;
} | (StepEvent & {
    taskId: string;
    stepId: string;
})
 | {
    type: 'step_end';
    taskId: string;
    stepId: string;
    text: string;
    isLast: boolean;
    status: TaskStepOutput['status'];
} | {
    type: 'task_end';
    taskId: string;
    answer: AnswerData;
}
 | {
    type: 'error';
    taskId: string | null;
    error: ErrorData;
    usage: TaskUsage | null;
};

interface AgentFromLlmOptions<Context = unknown, Tools extends readonly Tool[] = readonly Tool[], Schema extends ToolSchema | undefined = ToolSchema | undefined> extends Pick<ReActAgentFromToolsOptions<Context, Tools, Schema>, keyof FunctionCallingAgentOptions & keyof ReActAgentFromToolsOptions> {
    systemPrompt?: string | null | undefined;
    context?: string | null | undefined;
}

type AgentInput = MessageContent | ChatMessage;

declare class AgentRunner<Context = unknown, Output = unknown, ToolName extends string = string, ExtraState extends object = Record<string, unknown>> extends BaseAgentRunner<TaskState, Context, Output, ToolName, ExtraState> {
    defaultToolChoice: ToolChoice;
    readonly verbose: boolean;
    constructor(options: AgentRunnerOptions);
}

interface AgentRunnerOptions<ToolName extends string = string> extends BaseAgentRunnerOptions<AgentState> {
    batches?: boolean | undefined;
    defaultToolChoice?: ToolChoice<ToolName> | undefined;
    verbose?: boolean | undefined;
}

declare class AgentTool<Context = unknown, Name extends string = string> extends QuestionTool<Context, Name, AgentInput> {
    readonly agent: ToolAgent<Context>;
    readonly canWait = true;
    readonly isDurable = true;
    private readonly conversation;
    private readonly lasting;
    private readonly running;
    constructor(options: AgentToolOptions<Context, Name>, name?: string);
    call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext<Context>>): Promise<ToolOutput>;
    protected questionFor(input: Record<string, unknown> | string | number, _context: Partial<ToolCallContext<Context>>): Promise<AgentInput>;
    protected memoryOf(context: Partial<ToolCallContext<Context>>): Promise<BaseMemory>;
    private inTurn;
    private run;
    private open;
    private savedTask;
    private fatalError;
    private knows;
    private forget;
    private edit;
    private decide;
}

interface AgentToolOptions<Context = unknown, Name extends string = string> extends QuestionToolOptions<Name, AgentInput> {
    agent: ToolAgent<Context>;
    conversation?: AgentToolConversation<Context> | undefined;
}

interface AnswerJson extends AgentChatResponseDict {
    output?: Json;
    usage?: TaskUsage;
}

interface AsyncBaseTool {
    readonly metadata: ToolMetadata;
    readonly takesArguments: true;
    readonly needsApproval?: NeedsApproval | undefined;
    readonly timeoutMs?: number | null | undefined;
    readonly canWait?: boolean | undefined;
    readonly isDurable?: boolean | undefined;
    readonly sequential?: boolean | undefined;
    readonly isExternal?: boolean | undefined;
    call(args: Record<string, unknown>, context?: Partial<ToolCallContext>): ToolOutput | Promise<ToolOutput>;
}

interface BaseTool {
    readonly metadata: ToolMetadata;
    call(input: string, context?: Partial<ToolCallContext>): ToolOutput | Promise<ToolOutput>;
}

type CallDecision = 
{
    decision: null;
}
 | {
    decision: 'approve';
    always?: boolean | undefined;
}
 | {
    decision: 'reject';
    reason?: string | undefined;
}
 | {
    decision: 'result';
    result: Json;
    isError?: boolean | undefined;
};

declare class ChatMemoryBuffer implements BaseMemory {
    readonly tokenLimit: number;
    readonly tokenizerFn: Tokenizer;
    readonly chatStore: SyncChatStore;
    readonly chatStoreKey: string;
    constructor(options: ChatMemoryBufferOptions);
    static className(): string;
    static fromDefaults(options?: ChatMemoryBufferDefaults): ChatMemoryBuffer;
    get(options?: {
        initialTokenCount?: number;
    }): ChatMessage[];
    getAll(): ChatMessage[];
    put(message: ChatMessage | ChatMessageOptions): void;
    set(messages: readonly (ChatMessage | ChatMessageOptions)[]): void;
    reset(): void;
    fresh(): ChatMemoryBuffer;
    clone(): ChatMemoryBuffer;
    toDict(options?: LineOptions): ChatMemoryBufferDict;
    toParts(): Record<string, unknown>;
    toString(): string;
    static fromDict(data: unknown, options?: {
        tokenizerFn?: Tokenizer;
    }): ChatMemoryBuffer;
    static fromString(text: string, options?: {
        tokenizerFn?: Tokenizer;
    }): ChatMemoryBuffer;
}

interface ChatMemoryBufferOptions {
    tokenLimit: number;
    tokenizerFn?: Tokenizer | undefined;
    chatStore?: SyncChatStore | undefined;
    chatStoreKey?: string | undefined;
}

interface ChatOptions<Context = unknown, ToolName extends string = string> extends RunTaskOptions<Context, ToolName> {
    memory?: BaseMemory | null | undefined;
    conversation?: {
        readonly memory: BaseMemory;
    } | null | undefined;
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    taskId?: string | undefined;
    text?: 'last' | 'all' | undefined;
    keepsReading?: boolean | undefined;
}

interface ContextWindowOptions<Context = unknown> {
    maxTokens?: number | null | undefined;
    reservedTokens?: number | undefined;
    keepTurns?: number | undefined;
    summarize?: boolean | Summarize<Context> | undefined;
    tokenizer?: Tokenizer | undefined;
}

declare class Conversation<Context = unknown, Output = unknown, ToolName extends string = string> {
    readonly memory: BaseMemory;
    private readonly agent;
    get chatHistory(): ChatMessage[];
    chat(input: AgentInput, ...[options]: RunArguments<ConversationOptions<Context, ToolName>, Context>): Promise<AgentChatResponse<Output>>;
    streamChat(input: AgentInput, ...[options]: RunArguments<ConversationOptions<Context, ToolName>, Context>): Promise<StreamingAgentChatResponse<Output>>;
    runEvents(input: AgentInput, ...[options]: RunArguments<ConversationEventsOptions<Context, ToolName>, Context>): AsyncGenerator<AgentEvent>;
}

declare class FunctionCallingAgent<Context = unknown, Output = unknown, ToolName extends string = string> extends AgentRunner<Context, Output, ToolName, LoopState> {
    readonly agentWorker: FunctionCallingAgentWorker;
    constructor(options: FunctionCallingAgentOptions<Context>);
    static fromTools<const Schema extends ToolSchema | undefined = undefined, const Tools extends readonly Tool[] = readonly Tool[], Context = unknown>(options: FunctionCallingAgentOptions<Context & ContextOf<Tools>, Tools, Schema>): FunctionCallingAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>>;
}

interface FunctionCallingAgentOptions<Context = unknown, Tools extends readonly Tool[] = readonly Tool[], Schema extends ToolSchema | undefined = ToolSchema | undefined> extends FunctionCallingAgentWorkerOptions<Context, Tools, Schema>, RunnerOptionsOfAgent<ToolNames<Tools>> {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    memory?: BaseMemory | null | undefined;
    memoryCls?: MemoryClass | undefined;
}

declare class FunctionCallingAgentWorker extends ToolLoopWorker {
    readonly prefixMessages: readonly ChatMessage[];
    constructor(options: FunctionCallingAgentWorkerOptions);
    static fromTools(options: FunctionCallingAgentWorkerOptions): FunctionCallingAgentWorker;
}

interface FunctionCallingAgentWorkerOptions<Context = unknown, Tools extends readonly Tool[] = readonly Tool[], Schema extends ToolSchema | undefined = ToolSchema | undefined> extends ToolLoopOptions<Context, Tools, Schema> {
    systemPrompt?: string | null | undefined;
    prefixMessages?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
}

declare class FunctionTool<Context = unknown, Name extends string = string> implements AsyncBaseTool {
    readonly takesArguments = true;
    readonly metadata: ToolMetadata<Name>;
    readonly needsApproval: NeedsApproval;
    readonly timeoutMs: number | null | undefined;
    readonly sequential: boolean;
    readonly isExternal: boolean;
    private readonly fn;
    private readonly outputSchema;
    private readonly checkOutput;
    private constructor();
    static fromDefaults<const Schema extends ToolSchema, Context = unknown, Name extends string = string>(options: FunctionToolOptions<Schema, Context, unknown, Name> & {
        outputSchema?: undefined;
    }): FunctionTool<Context, Name>;
    static fromDefaults<const Schema extends ToolSchema, const Output extends ToolSchema, Context = unknown, Name extends string = string>(options: FunctionToolOptions<Schema, Context, FunctionResult<Output>, Name> & {
        outputSchema?: Output | undefined;
    }): FunctionTool<Context, Name>;
    static external<const Schema extends ToolSchema, Name extends string = string>(options: Omit<FunctionToolOptions<Schema, unknown, unknown, Name>, 'fn' | 'timeoutMs' | 'sequential'>): FunctionTool<unknown, Name>;
    call(args: Record<string, unknown>, context?: Partial<ToolCallContext<Context>>): Promise<ToolOutput>;
    toOutput(result: unknown, args: unknown, signal?: AbortSignal): Promise<ToolOutput>;
    private checkResult;
}

interface FunctionToolOptions<Schema extends ToolSchema, Context = unknown, Result = unknown, Name extends string = string> {
    fn: (args: ArgumentsOf<Schema>, context: ToolCallContext<Context>) => Result;
    schema: Schema;
    name?: Name | undefined;
    description?: string | undefined;
    parameters?: object | undefined;
    outputSchema?: ToolSchema | undefined;
    unchecked?: UncheckedSchema | undefined;
    returnDirect?: boolean | undefined;
    needsApproval?: boolean | 'after-untrusted' | ((args: ArgumentsOf<Schema>, context: ToolCallContext<Context>) => boolean | Promise<boolean>) | undefined;
    timeoutMs?: number | null | undefined;
    sequential?: boolean | undefined;
    title?: string | undefined;
    annotations?: ToolAnnotations | undefined;
    strict?: boolean | undefined;
}

type Guard<T, Subject = T, Surroundings = GuardContext> = (subject: Subject, context: Surroundings) => GuardVerdict<T> | Promise<GuardVerdict<T>>;

type GuardVerdict<T> = {
    block: string;
} | {
    replace: T;
} | null | undefined;

interface Guards<Context = unknown> {
    input?: Guard<MessageContent, string, InputGuardContext<Context>> | undefined;
    tool?: Guard<Record<string, unknown>, GuardedCall, GuardContext<Context>> | undefined;
    answer?: Guard<string, string, GuardContext<Context>> | undefined;
}

declare class HandoffTool<Context = unknown, Name extends string = string> extends AgentTool<Context, Name> {
    constructor(options: HandoffToolOptions<Context, Name>);
    protected questionFor(input: Record<string, unknown> | string | number, { task }: Partial<ToolCallContext<Context>>): Promise<AgentInput>;
    protected memoryOf(context: Partial<ToolCallContext<Context>>): Promise<BaseMemory>;
}

interface HandoffToolOptions<Context = unknown, Name extends string = string> extends Omit<AgentToolOptions<Context, Name>, 'conversation' | 'returnDirect' | 'schema' | 'toQuestion'> {
    description: string;
}

interface Journal extends ResultCodec {
    readonly store: TaskStore | undefined;
    readonly openConversation: ((conversationId: string) => BaseMemory | Promise<BaseMemory>) | undefined;
}

type JournalPort = Durable & {
    readonly journal: ResultCodec | undefined;
};

declare class MemoryTaskStore implements TaskStore {
    readonly blobs: TaskBlobs;
    private readonly contents;
    private readonly tasks;
    private readonly unfinished;
    append(taskId: string, entries: readonly object[], revision: number): boolean;
    load(taskId: string): readonly unknown[] | null;
    list({ unfinished, conversationId }?: TaskFilter): TaskSummary[];
    delete(taskId: string): void;
}

declare class MultimodalReActAgentWorker extends ReActAgentWorker {
    constructor(given: MultimodalReActAgentWorkerOptions);
    initializeStep(task: Task): TaskStep;
}

interface MultimodalReActAgentWorkerOptions extends Omit<ReActAgentWorkerOptions, 'llm'> {
    multiModalLlm: BaseLLM;
    generateChatMessageFn?: ((parts: ImageMessageParts) => ChatMessage) | undefined;
}

declare class ParallelAgentRunner<Context = unknown, Output = unknown, ToolName extends string = string, ExtraState extends object = Record<string, unknown>> extends BaseAgentRunner<DAGTaskState, Context, Output, ToolName, ExtraState> {
    constructor(options: ParallelAgentRunnerOptions);
    runStepsInQueue(taskId: string, ...[options]: RunArguments<RunTaskOptions<Context, ToolName> & {
        mode?: ChatResponseMode;
    }, Context>): Promise<TaskStepOutput[]>;
}

interface ParallelAgentRunnerOptions extends Omit<BaseAgentRunnerOptions<never>, 'state'> {
    state?: DAGAgentState | null | undefined;
}

type PendingToolCall = TurnCall & CallDecision;

type PrepareStep<Context = unknown, ToolName extends string = string> = (plan: StepPlan<Context>) => PreparedStep<ToolName> | null | undefined | Promise<PreparedStep<ToolName> | null | undefined>;

declare class QueryEngineTool<Name extends string = string> extends QuestionTool<unknown, Name> {
    readonly queryEngine: QueryEngine;
    readonly canWait: boolean;
    readonly isDurable: boolean;
    private readonly agentTool;
    constructor(options: QueryEngineToolOptions<Name>);
    static fromDefaults<Name extends string = string>(options: QueryEngineToolOptions<Name>): QueryEngineTool<Name>;
    call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
}

interface QueryEngineToolOptions<Name extends string = string> extends QuestionToolOptions<Name> {
    queryEngine: QueryEngine;
}

interface QueryOptions<Context = unknown> extends RunContextOptions<Context> {
    signal?: AbortSignal | undefined;
}

declare class ReActAgent<Context = unknown, Output = unknown, ToolName extends string = string> extends AgentRunner<Context, Output, ToolName, ReActState> {
    readonly agentWorker: ReActAgentWorker;
    constructor(options: ReActAgentOptions<Context>);
    static fromTools<const Schema extends ToolSchema | undefined = undefined, const Tools extends readonly Tool[] = readonly Tool[], Context = unknown>(options: ReActAgentFromToolsOptions<Context & ContextOf<Tools>, Tools, Schema>): ReActAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>>;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
}

interface ReActAgentFromToolsOptions<Context = unknown, Tools extends readonly Tool[] = readonly Tool[], Schema extends ToolSchema | undefined = ToolSchema | undefined> extends Omit<ReActAgentOptions<Context, Tools, Schema>, 'memory'> {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    memory?: BaseMemory | null | undefined;
    memoryCls?: MemoryClass | undefined;
}

interface ReActAgentOptions<Context = unknown, Tools extends readonly Tool[] = readonly Tool[], Schema extends ToolSchema | undefined = ToolSchema | undefined> extends ReActAgentWorkerOptions<Context, Tools, Schema>, RunnerOptionsOfAgent<ToolNames<Tools>> {
    memory: BaseMemory;
    systemPrompt?: string | null | undefined;
    context?: string | null | undefined;
}

declare class ReActAgentWorker extends ToolLoopWorker {
    readonly protocol: ReActProtocol;
    constructor(options: ReActAgentWorkerOptions, makeProtocol?: MakeProtocol);
    static fromTools<Options, Worker>(this: new (options: Options) => Worker, options: Options): Worker;
    get reactChatFormatter(): ReActChatFormatter;
    get outputParser(): ReActOutputParser;
    getReasoning(task: Task): string[];
}

interface ReActAgentWorkerOptions<Context = unknown, Tools extends readonly Tool[] = readonly Tool[], Schema extends ToolSchema | undefined = ToolSchema | undefined> extends ToolLoopOptions<Context, Tools, Schema> {
    reactChatFormatter?: ReActChatFormatter | null | undefined;
    outputParser?: ReActOutputParser | null | undefined;
    onParseError?: FailurePolicy | undefined;
}

type RepairToolCall<Context = unknown> = (failed: FailedToolCall<Context>) => ToolCall | null | Promise<ToolCall | null>;

declare class RetrieverTool<Name extends string = string, Context = unknown> extends QuestionTool<Context, Name> {
    readonly retriever: ObjectRetriever<NodeWithScore, Context>;
    private readonly nodePostprocessors;
    constructor(options: RetrieverToolOptions<Name, Context>);
    static fromDefaults<Name extends string = string, Context = unknown>(options: RetrieverToolOptions<Name, Context>): RetrieverTool<Name, Context>;
    call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext<Context>>): Promise<ToolOutput>;
}

interface RetrieverToolOptions<Name extends string = string, Context = unknown> extends QuestionToolOptions<Name> {
    retriever: ObjectRetriever<NodeWithScore, Context>;
    nodePostprocessors?: readonly NodesPostprocessor[] | undefined;
}

interface RunEventsOptions<Context = unknown, ToolName extends string = string> extends Omit<ChatOptions<Context, ToolName>, 'onEvent' | 'text' | 'keepsReading'> {
    stream?: boolean | undefined;
}

type RunOutcome<Answer> = {
    status: 'done';
    answer: Answer;
} | {
    status: 'waiting';
    taskId: string;
    calls: readonly PendingToolCall[];
};

interface RunStepOptions<Context = unknown, ToolName extends string = string> extends RunTaskOptions<Context, ToolName> {
    input?: string | null | undefined;
    step?: TaskStep | null | undefined;
}

interface RunTaskOptions<Context = unknown, ToolName extends string = string> extends RunContextOptions<Context> {
    toolChoice?: ToolChoice<ToolName> | null | undefined;
    signal?: AbortSignal | undefined;
    onEvent?: OnAgentEvent | undefined;
    durable?: JournalPort | undefined;
    checkBudget?: CheckBudget | undefined;
}

interface RunTimeouts {
    totalMs?: number | null | undefined;
    stepMs?: number | null | undefined;
}

declare class StoredChatMemory implements BaseMemory {
    readonly conversationId: string;
    readonly chatStore: ChatStore;
    readonly tokenLimit: number;
    readonly tokenizerFn: Tokenizer;
    readonly length: number | undefined;
    static fromRef({ id, length }: ConversationRef, chatStore: ChatStore, like?: object): StoredChatMemory;
    constructor(options: StoredChatMemoryOptions);
    get({ initialTokenCount: initial }?: {
        initialTokenCount?: number;
    }): Promise<ChatMessage[]>;
    getAll(): Promise<ChatMessage[]>;
    put(message: ChatMessage | ChatMessageOptions): Promise<void>;
    set(messages: readonly (ChatMessage | ChatMessageOptions)[]): Promise<void>;
    reset(): Promise<void>;
    upTo(length: number): StoredChatMemory;
    fresh(): ChatMemoryBuffer;
}

interface StoredChatMemoryOptions {
    chatStore: ChatStore;
    conversationId: string;
    tokenLimit?: number | undefined;
    llm?: Pick<BaseLLM, 'metadata'> | undefined;
    tokenizerFn?: Tokenizer | undefined;
    length?: number | undefined;
}

declare class StreamingAgentChatResponse<Output = unknown> extends ChatAnswer<Output> implements AsyncIterable<string> {
    response: string;
    done: Promise<void>;
    private readonly pieces;
    private readonly listeners;
    private readers;
    private restarts;
    private readonly cancelStream;
    keepsReading: boolean;
    private state;
    private error;
    private toError;
    private readonly waiting;
    private readonly followers;
    private readonly last;
    private followed;
    constructor(options: StreamingAgentChatResponseOptions<Output>);
    get isDone(): boolean;
    [Symbol.asyncIterator](): AsyncGenerator<string>;
    private read;
    cancel(reason?: unknown): void;
    private leave;
    toReadableStream(): ReadableStream<string>;
    private pump;
    private wake;
}

declare class Task<ExtraState extends object = Record<string, unknown>> extends TaskModel {
    extraState: ExtraState & Record<string, unknown>;
    constructor(options: TaskOptions);
    static makeDefault(field: string): unknown;
    static nested(): {
        inputMessage: (typeof ChatMessage)[];
    };
    static fromDict<T extends Model>(this: ModelConstructor<T>, data: unknown, overrides?: Dict, options?: ReadOptions): T;
}

interface TaskBudget {
    maxModelCalls?: number | null | undefined;
    maxToolCalls?: number | null | undefined;
    maxTokens?: number | null | undefined;
    maxInputTokens?: number | null | undefined;
    maxOutputTokens?: number | null | undefined;
}

declare class TaskStep {
    readonly taskId: string;
    readonly stepId: string;
    input: string | null;
    stepState: Record<string, unknown>;
    isReady: boolean;
    private next;
    private prev;
    constructor(options: TaskStepOptions);
    protected get '~x-task-step'(): true;
    get nextSteps(): ReadonlyMap<string, TaskStep>;
    get prevSteps(): ReadonlyMap<string, TaskStep>;
    getNextStep(stepId: string, options?: {
        input?: string | null;
        stepState?: Record<string, unknown>;
    }): TaskStep;
    copy({ taskId, input }?: {
        taskId?: string;
        input?: string | null | undefined;
    }): TaskStep;
    linkStep(next: TaskStep): void;
    toDict(options?: LineOptions): TaskStepDict;
    toParts(): TaskStepDict;
    toJSON(): TaskStepDict;
    static fromDict(data: unknown): TaskStep;
}

declare class TaskStepOutput<Output = unknown> extends StepOutput<Output> {
    static [Symbol.hasInstance](value: unknown): boolean;
    static fromDict(data: unknown, options?: ReadOptions): TaskStepOutput;
}

interface TaskUsage extends TokenUsage {
    modelCalls: number;
    toolCalls: number;
}

type Tool = BaseTool | AsyncBaseTool;

interface ToolCall {
    id: string;
    providerId?: string | undefined;
    name: string;
    arguments: Record<string, unknown> | string;
}

interface ToolCallContext<Context = unknown> {
    signal?: AbortSignal | undefined;
    toolCallId?: string | undefined;
    idempotencyKey?: string | undefined;
    task?: Task | undefined;
    context: Context;
    onProgress?: Receive<unknown> | undefined;
    onUsage?: ((usage: TaskUsage) => void) | undefined;
    checkBudget?: CheckBudget | undefined;
    decisions?: readonly PendingToolCall[] | undefined;
    agentTask?: unknown;
    mustSave?: boolean | undefined;
    durable?: JournalPort | undefined;
    taskStore?: Journal | undefined;
    raisesFailure?: boolean | undefined;
    parentId?: string | undefined;
}

type ToolChoice<ToolName extends string = string> = 'auto' | 'none' | 'required' | 'any' | ToolName | Record<string, unknown>;

type ToolDecision = {
    callId: string;
    by?: string | undefined;
} & ({
    type: 'approve';
    always?: boolean | undefined;
} | {
    type: 'reject';
    reason?: string | undefined;
} | {
    type: 'edit';
    arguments: Record<string, unknown>;
} | {
    type: 'result';
    result: Json;
    isError?: boolean | undefined;
});

declare class ToolMetadata<Name extends string = string> implements ToolDescription {
    readonly name: Name | null;
    readonly description: string;
    readonly fnSchema: ToolSchema | null;
    readonly returnDirect: boolean;
    readonly jsonSchema: JsonSchema | undefined;
    readonly title: string | null;
    readonly annotations: ToolAnnotations;
    readonly outputSchema: JsonSchema | undefined;
    readonly strict: boolean | undefined;
    private schemaText;
    private tool;
    constructor(options: ToolMetadataOptions<Name>);
    private shown;
    getName(): Name;
    getParametersDict(): Record<string, unknown>;
    get fnSchemaStr(): string;
    toOpenaiTool(): {
        type: 'function';
        function: Record<string, unknown>;
    };
    toOpenaiFunction(): Record<string, unknown>;
}

type ToolSchema = object;

interface TurnCall extends ToolCall {
    awaits?: 'approval' | 'result';
    needsApproval: boolean;
    output?: ToolOutput;
    parent?: string;
    taskId?: string;
    schema?: JsonSchema;
    definition?: string | undefined;
    problem?: string;
    place?: string;
    usage?: TaskUsage;
    agentTask?: unknown;
}

declare function agentFromLlm<const Schema extends ToolSchema | undefined = undefined, const Tools extends readonly Tool[] = readonly Tool[], Context = unknown>(given: AgentFromLlmOptions<Context & ContextOf<Tools>, Tools, Schema>): AgentOf<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>>;

declare function answerToJson(answer: AgentChatResponse): AnswerJson;

declare function applyToolDecision(agent: DecidingAgent, taskId: string, decision: ToolDecision): Promise<void>;

declare function isChatResponse(value: unknown): value is ChatAnswer;

declare function journal(store?: TaskStore | null, options?: JournalOptions): Journal;

declare function journalPort(port: Durable, options?: JournalOptions): JournalPort;

declare function keepWithin<Context = unknown>(options?: ContextWindowOptions<Context>): Layer & ContextWindowLayer<Context>;

declare function outcomeOf<Answer>(run: Promise<Answer>): Promise<RunOutcome<Answer>>;

declare function structured<const Schema extends ToolSchema>(schema: Schema, options?: StructuredOptions): Layer & StructuredLayer<Schema>;

declare function summarizeWith(options?: SummarizeOptions): (request: Omit<SummaryRequest, 'context'>) => Promise<Summary>;

// Used by them, not exported:

export { Durable } from '@x/core-model'

export { Json } from '@x/core-model'

// Computed types, not exported:

type AgentOf<Context, Output, ToolName extends string> = ReActAgent<Context, Output, ToolName> | FunctionCallingAgent<Context, Output, ToolName>;

type ContextOfTool<One> = One extends {
    call(input: never, context?: Partial<ToolCallContext<infer Context>>): unknown;
} ? Context : unknown;

type IsRequired<Schema, Properties, Key extends keyof Properties> = Schema extends {
    '~kind': unknown;
} ? Properties[Key] extends {
    '~optional': true;
} ? false : true : Schema extends {
    required: readonly (infer Name)[];
} ? Key extends Name ? true : false : false;

type ObjectOf<Schema, Properties> = {
    [Key in keyof Properties as IsRequired<Schema, Properties, Key> extends true ? Key : never]: ValueOf<Properties[Key]>;
} & {
    [Key in keyof Properties as IsRequired<Schema, Properties, Key> extends true ? never : Key]?: ValueOf<Properties[Key]>;
};

type OfEach<Schema, One> = One extends unknown ? OfType<Schema, One> : never;

type OfType<Schema, Type> = Type extends 'string' ? string : Type extends 'number' | 'integer' ? number : Type extends 'boolean' ? boolean : Type extends 'null' ? null : Type extends 'array' ? Schema extends {
    items: infer Item;
} ? ValueOf<Item>[] : unknown[] : Type extends 'object' ? Schema extends {
    properties: infer Properties;
} ? ObjectOf<Schema, Properties> : Record<string, unknown> : Type extends readonly (infer One)[] ? OfEach<Schema, One> : unknown;

type PartOf<Part> = Part extends unknown ? ValueOf<Part> : never;

type PreparedTools<ToolName extends string> = {
    tools?: undefined;
    toolChoice?: ToolChoice<ToolName> | undefined;
} | {
    tools: readonly (Tool | ToolName)[] | undefined;
    toolChoice?: ToolChoice | undefined;
};

type Receive<Event> = (event: Event) => unknown;

type RunnerOptionsOfAgent<ToolName extends string = string> = Omit<AgentRunnerOptions<ToolName>, 'agentWorker' | 'batches' | 'chatHistory' | 'state' | 'memory' | 'llm' | 'callbackManager' | 'newId' | 'verbose'>;

type ValueOf<Schema> = Schema extends {
    const: infer Value;
} ? Value : Schema extends {
    enum: readonly (infer Value)[];
} ? Value : Schema extends {
    anyOf: readonly (infer Part)[];
} ? PartOf<Part> : Schema extends {
    '~unsafe': infer Value;
} ? Value : Schema extends {
    type: infer Type;
} ? OfType<Schema, Type> : unknown;

// Bases of the classes, not exported:

declare abstract class AgentError extends ToolkitError {
    usage?: TaskUsage;
    constructor(code: string, message: string, options?: ToolkitErrorOptions);
}

declare abstract class Declared extends Model {
    constructor(options: TaskOptions);
}
interface Declared extends TaskFields {
}

declare abstract class Declared extends Model {
    constructor(options?: ReActChatFormatterOptions);
}
interface Declared extends ReActChatFormatterFields {
}

declare abstract class QuestionTool<Context = unknown, Name extends string = string, Question = string> implements AsyncBaseTool {
    readonly takesArguments = true;
    readonly metadata: ToolMetadata<Name>;
    readonly needsApproval: NeedsApproval;
    readonly timeoutMs: number | null | undefined;
    private readonly options;
    private readonly check;
    constructor(options: QuestionToolOptions<Name, Question>, defaults: {
        name: string;
        description: string;
    }, where?: string, further?: Readonly<Record<string, OptionCheck>>);
    abstract call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext<Context>>): Promise<ToolOutput>;
    protected question(input: Record<string, unknown> | string | number): Promise<string | Question>;
    private validated;
}

declare const ReActChatFormatterModel: typeof Declared;

declare const TaskModel: typeof Declared;

// ======== @x/agents/schemas

declare const CustomSimpleAgentWorker: import("typebox").TObject<Omit<{}, "callbackManager" | "llm" | "maxSteps" | "stopWhen" | "toolRetriever" | "tools" | "verbose"> & {
    readonly maxSteps: import("typebox").TUnsafe<number>;
    readonly stopWhen: import("typebox").TUnsafe<StopWhen>;
    readonly tools: import("typebox").TUnsafe<readonly Tool[]>;
    readonly llm: import("typebox").TUnsafe<BaseLLM>;
    readonly callbackManager: import("typebox").TUnsafe<CallbackManager>;
    readonly toolRetriever: import("typebox").TUnsafe<ObjectRetriever<Tool, unknown>>;
    readonly verbose: import("typebox").TBoolean;
}>;

declare const QueryPipelineAgentWorker: import("typebox").TObject<Omit<{}, "callbackManager" | "maxSteps" | "pipeline" | "stopWhen"> & {
    readonly maxSteps: import("typebox").TUnsafe<number>;
    readonly stopWhen: import("typebox").TUnsafe<StopWhen>;
    readonly pipeline: import("typebox").TUnsafe<QueryPipeline>;
    readonly callbackManager: import("typebox").TUnsafe<CallbackManager>;
}>;

declare const ReActChatFormatter: import("typebox").TObject<Omit<{}, "context" | "mergeSameRole" | "observationRole" | "systemHeader"> & {
    readonly systemHeader: import("typebox").TString;
    readonly context: import("typebox").TString;
    readonly observationRole: import("typebox").TUnsafe<"assistant" | "chatbot" | "function" | "system" | "tool" | "user">;
    readonly mergeSameRole: import("typebox").TBoolean;
}>;

declare const Task: import("typebox").TObject<Omit<{}, "callbackManager" | "extraState" | "input" | "inputMessage" | "memory" | "taskId"> & {
    readonly taskId: import("typebox").TString;
    readonly input: import("typebox").TString;
    readonly memory: import("typebox").TUnsafe<BaseMemory>;
    readonly callbackManager: import("typebox").TUnsafe<CallbackManager>;
    readonly extraState: import("typebox").TUnsafe<Record<string, unknown>>;
    readonly inputMessage: import("typebox").TUnsafe<ChatMessage | ChatMessageOptions>;
}>;

// ======== @x/agents/node

declare function terminal(options?: {
    input?: NodeJS.ReadableStream;
    output?: NodeJS.WritableStream;
}): ChatReplIo & {
    close(): void;
};

// ======== @x/agents/replay

declare const RECORDING_VERSION = 1;

interface RecordedError {
    name: string;
    message: string;
    issues?: {
        path: string;
        message: string;
    }[];
}

type RecordedExchange = {
    kind: 'chat';
    messages: unknown[];
    options: Record<string, unknown>;
    responses: unknown[];
    error?: RecordedError;
} | {
    kind: 'tool';
    name: string;
    arguments: Record<string, unknown>;
    output?: unknown;
    error?: RecordedError;
};

interface RecordedRun {
    version: typeof RECORDING_VERSION;
    metadata: Record<string, unknown> | null;
    tools: RecordedTool[];
    exchanges: RecordedExchange[];
}

interface RecordedTool {
    name: string | null;
    description: string;
    parameters: Record<string, unknown> | null;
    return_direct: boolean;
}

declare class Recording {
    private metadata;
    private readonly recordedTools;
    private readonly exchanges;
    llm(llm: BaseLLM): BaseLLM;
    tools(tools: readonly Tool[]): AsyncBaseTool[];
    private tool;
    toDict(): RecordedRun;
    toJSON(): RecordedRun;
}

declare class Replay {
    private readonly run;
    private readonly done;
    constructor(run: RecordedRun);
    llm(): BaseLLM;
    tools(): AsyncBaseTool[];
    assertDone(): void;
    private nextChat;
    private nextTool;
}

// ======== @x/agents/loop

type AcceptInput = (input: ChatMessage, scope: Scope) => void | Promise<void>;

interface ApprovalOptions {
    toolsOf?: (calls: readonly PendingToolCall[], scope: Scope) => Promise<readonly AsyncBaseTool[]>;
}

declare const CONTROL_TOKENS: Readonly<Record<string, RegExp>>;

export { CallDecision } // above

declare class CallIds {
    private readonly state;
    messages: readonly ChatMessage[] | undefined;
    private readonly stepNumber;
    private readonly ids;
    readonly notes: Record<symbol, unknown>;
    constructor(state: LoopState, stepNumber: number);
    id(providerId: string | null, position: number): string;
    private newId;
    positionOf({ id }: ToolCall): number;
    assign(calls: readonly ToolCall[]): (ToolCall & {
        place: string;
    })[];
    private isUsed;
    private get sent();
}

type CallModel = (request: StepRequest, scope: Scope) => Promise<ModelReply>;

type CallTool = (call: LoopCall, scope: Scope) => Promise<ToolOutput | undefined>;

type CheckReply = (reply: ModelReply, request: StepRequest, scope: Scope, ask: CallModel) => ModelReply | Promise<ModelReply>;

interface ContextWindowLayer<Context = unknown> extends OptionLayer {
    readonly '~context'?: (context: Context) => void;
}

interface FailurePolicies {
    onToolError?: FailurePolicy | undefined;
    onUnknownTool?: FailurePolicy | undefined;
}

export { FunctionTool } // above

interface Layer {
    readonly name?: string;
    rank?: number;
    step?(next: RunStep): RunStep;
    input?(next: AcceptInput): AcceptInput;
    request?(next: MakeRequest): MakeRequest;
    model?(next: CallModel): CallModel;
    reply?: CheckReply;
    read?(next: ReadReply): ReadReply;
    calls?(next: MakeCalls): MakeCalls;
    tool?(next: CallTool): CallTool;
    record?(next: RecordTurn): RecordTurn;
    arguments?(next: ReadCallArguments): ReadCallArguments;
    serves?: 'approvals' | 'agentTools' | 'timeLimit';
    tools?: readonly Tool[];
    holdsText?: boolean;
}

interface LayeredLoop extends Loop {
}
declare class LayeredLoop {
    constructor({ llm, tools, protocol, layers: given, maxToolConcurrency }: LoopOptions);
}

type Layers = readonly (Layer | readonly Layer[])[];

interface Limits {
    readonly maxIterations: number;
    readonly maxFunctionCalls?: number | null | undefined;
    readonly onMaxIterations?: 'raise' | 'answer' | undefined;
}

interface Loop {
    readonly llm: BaseLLM;
    readonly tools: readonly AsyncBaseTool[];
    readonly protocol: ToolCallingProtocol;
    readonly parallel: number | undefined;
    readonly holdsText: boolean;
    readonly runStep: RunStep;
    readonly acceptInput: AcceptInput;
    readonly request: MakeRequest;
    readonly callModel: CallModel;
    readonly read: ReadReply;
    readonly makeCalls: MakeCalls;
    readonly callTool: CallTool;
    readonly record: RecordTurn;
    readonly argumentsOf: ReadCallArguments;
}

type LoopCall = (ToolCall & {
    place?: string;
}) | PendingToolCall;

type LoopDecision = Exclude<CallDecision, {
    decision: 'approve' | null;
}>
 | {
    decision: 'approve';
    arguments?: Record<string, unknown> | undefined;
};

interface LoopOptions {
    llm: BaseLLM;
    tools?: readonly Tool[] | undefined;
    protocol: ToolCallingProtocol;
    layers?: Layers | undefined;
    maxToolConcurrency?: number | undefined;
}

interface LoopResult<Output = unknown> {
    status: 'done' | 'waiting';
    text: string;
    output: Output | undefined;
    sources: readonly ToolOutput[];
    messages: ChatMessage[];
    pending: readonly PendingToolCall[];
    usage: TaskUsage | undefined;
    task: TaskLike;
}

interface LoopRunOptions<Context = unknown> {
    messages?: readonly ChatMessage[] | undefined;
    onEvent?: ((event: StepEvent) => void) | undefined;
    signal?: AbortSignal | undefined;
    context?: Context | undefined;
    maxSteps?: number | undefined;
    toolChoice?: ToolChoice | undefined;
    taskId?: string | undefined;
}

type LoopState = {
    protocol: string;
    sources: ToolOutput[];
    new_memory: MessageList;
    n_iterations: number;
    n_function_calls: number;
    usage: TaskUsage;
    counted?: Record<string, TaskUsage> | undefined;
    pending_calls?: PendingToolCall[] | undefined;
    allowed_tools?: string[] | undefined;
    output_repairs?: number | undefined;
    failing_call?: {
        key: string;
        times: number;
    } | undefined;
    left_out?: LeftOutMessages | undefined;
    last_call?: boolean | undefined;
    was_empty?: boolean | undefined;
};

interface LoopTaskDict {
    version: 1;
    task_id: string;
    input: string;
    conversation: Dict[];
    messages: Dict[];
    state: Dict;
}

interface LoopTaskOptions {
    registry?: ClassRegistry | readonly SavableClass[] | undefined;
}

type MakeCalls = (calls: readonly LoopCall[], scope: Scope) => Promise<ToolOutput[] | undefined>;

type MakeRequest = (plan: RequestPlan, scope: Scope) => StepRequest | Promise<StepRequest>;

interface ModelReply extends Partial<SavedReply> {
    message: ChatMessage;
    response?: ChatResponse;
}

interface OptionLayer {
    readonly name: string;
}

type Outcome = {
    kind: 'answer';
    text: string;
    output?: unknown;
} | {
    kind: 'next';
    text: string;
}
 | {
    kind: 'waiting';
};

type OutputIn<Given extends Layers> = ValueOf<Extract<Given[number], {
    readonly answer: unknown;
}>>;

export { PendingToolCall } // above

interface RateLimitOptions {
    requestsPerMinute?: number | undefined;
    tokensPerMinute?: number | undefined;
    concurrentRequests?: number | undefined;
    now?: (() => number) | undefined;
    sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

interface ReActLoopSettings<Tools extends readonly Tool[] = readonly Tool[], Given extends Layers = Layers> extends SmallLoopOptions<Tools, Given> {
    formatter?: ReActChatFormatter | undefined;
}

type ReadCallArguments = (call: ToolCall) => Record<string, unknown>;

type ReadReply = (message: ChatMessage, scope: Scope) => Turn | Promise<Turn>;

type RecordTurn = (turn: Turn, outputs: readonly ToolOutput[], scope: Scope) => Outcome | Promise<Outcome>;

interface RequestPlan {
    llm: BaseLLM;
    tools: readonly AsyncBaseTool[];
    toolChoice: ToolChoice;
    isChosen?: boolean | undefined;
    isLimited?: boolean | undefined;
}

type RunStep = (input: ChatMessage | null, scope: Scope) => Promise<Outcome>;

interface SavedReply {
    message: ChatMessage;
    usage: TokenUsage | null;
    finishReason: FinishReason | null;
}

interface Scope<Context = unknown> {
    readonly loop: Loop;
    readonly task: TaskLike;
    readonly state: LoopState;
    readonly step: StepLike;
    readonly stepNumber: number;
    readonly ids: CallIds;
    readonly tools: readonly AsyncBaseTool[];
    readonly toolChoice: ToolChoice;
    readonly context: Context;
    readonly emit: ((event: StepEvent) => unknown) | undefined;
    readonly ready?: (() => Promise<void> | undefined) | undefined;
    readonly signal: AbortSignal | undefined;
    readonly parentId?: string | undefined;
    readonly mustAnswer?: boolean | undefined;
    readonly waits?: ReadonlyMap<LoopCall, PendingToolCall> | undefined;
    readonly faults?: ReadonlyMap<LoopCall, unknown> | undefined;
    readonly repair?: ((call: LoopCall, error: unknown) => Promise<ToolCall | null>) | undefined;
    readonly inOrder?: boolean | undefined;
    readonly refused?: ReadonlySet<LoopCall> | undefined;
    readonly handles?: ((error: unknown) => boolean) | undefined;
    readonly isRepaired?: boolean | undefined;
    readonly raises?: ((error: unknown) => boolean) | undefined;
    readonly failedAnswer?: (() => ChatAnswer | undefined) | undefined;
    readonly callContext?: Partial<ToolCallContext> | undefined;
    readonly remember?: (<T>(name: string, make: () => Promise<T>, fits: (data: unknown) => boolean) => Promise<T>) | undefined;
    readonly checkBudget?: CheckBudget | undefined;
    readonly durable?: Durable | undefined;
    readonly isRepeated?: boolean | undefined;
    readonly onBroken?: ((last: ChatResponse) => void) | undefined;
    readonly defer?: ((write: (text: string) => void) => void) | undefined;
}

declare class SmallLoop<Context = unknown, Output = undefined> extends LayeredLoop {
    constructor(where: string, options: LoopOptions);
    run(input: string | ChatMessage, options?: LoopRunOptions<Context>): Promise<LoopResult<Output>>;
    resume(task: TaskLike, options?: Omit<LoopRunOptions<Context>, 'messages' | 'taskId'>): Promise<LoopResult<Output>>;
    private newTask;
    private steps;
}

interface SmallLoopOptions<Tools extends readonly Tool[] = readonly Tool[], Given extends Layers = Layers> extends Omit<LoopOptions, 'protocol' | 'tools' | 'layers'> {
    tools?: Tools | undefined;
    layers?: Given | undefined;
}

type StepEvent = 
{
    type: 'text_delta';
    delta: string;
}
 | {
    type: 'reasoning_delta';
    delta: string;
}
 | {
    type: 'reasoning';
    text: string;
}
 | {
    type: 'source';
    source: SourcePart['source'];
}
 | {
    type: 'partial_output';
    output: unknown;
}
 | {
    type: 'tool_input_delta';
    callId: string;
    toolName: string;
    delta: string;
}
 | {
    type: 'tool_call';
    callId: string;
    toolName: string;
    arguments: Record<string, unknown>;
    invalidArguments?: string;
}
 | {
    type: 'tool_progress';
    callId: string;
    toolName: string;
    progress: unknown;
}
 | {
    type: 'tool_result';
    callId: string;
    toolName: string;
    content: string;
    isError: boolean;
    output: unknown;
}
 | {
    type: 'approval_required';
    calls: PendingToolCall[];
}
 | {
    type: 'usage';
    call: TokenUsage | null;
    total: TaskUsage;
}
 | {
    type: 'turn_restarted';
    attempt: number;
    delayMs: number;
    error: ErrorData;
};

type StepRequest = RequestPlan & ModelRequest;

interface StructuredLayer<Schema = unknown> extends OptionLayer {
    readonly answer: {
        readonly tool: AsyncBaseTool | undefined;
    };
    readonly '~schema'?: Schema;
}

interface StructuredOptions {
    mode?: OutputMode | undefined;
    maxRepairs?: number | undefined;
}

export { TaskBudget } // above

interface TaskLike {
    readonly taskId: string;
    readonly input: string;
    readonly memory: MessageSource;
    readonly extraState: Record<string, unknown>;
}

export { TaskUsage } // above

export { ToolCall } // above

interface ToolLoopSettings<Tools extends readonly Tool[] = readonly Tool[], Given extends Layers = Layers> extends SmallLoopOptions<Tools, Given> {
    system?: string | undefined;
}

interface ToolSearchOptions {
    always?: readonly string[] | undefined;
    limit?: number | undefined;
    search?: ((query: string, tools: readonly AsyncBaseTool[]) => readonly string[] | Promise<readonly string[]>) | undefined;
    name?: string | undefined;
}

export { TurnCall } // above

declare function agentTools(options?: {
    budget?: TaskBudget | null | undefined;
}): readonly Layer[];

declare function approvals({ toolsOf }?: ApprovalOptions): readonly Layer[];

declare function budget(limits?: TaskBudget | null): Layer;

declare function clipOutputs(tokens: number): Layer;

declare function cutAnswers(policy?: 'raise' | 'continue'): Layer;

declare function decide(loop: Loop, task: TaskLike, callId: string, decision: LoopDecision): Promise<void>;

declare function eventsOf<Context, Output>(loop: SmallLoop<Context, Output>, input: string | ChatMessage, options?: Omit<LoopRunOptions<Context>, 'onEvent'>): AsyncGenerator<StepEvent, LoopResult<Output>>;

declare function failures(policies: FailurePolicies): Layer;

declare function guards<Context = unknown>(given: Guards<Context>): Layer;

export { keepWithin } // above

declare function lenientArguments(): Layer;

declare function limits(of: Limits): readonly Layer[];

declare function modelOptions(options: CallOptions): Layer;

declare function neutralized(text: string): string;

declare function partialOutput(onPartial?: (output: unknown) => void, toolName?: string): Layer;

declare function prepareMessages<Context = unknown>(hook: (messages: ChatMessage[], task: Task, context: Context) => ChatMessage[] | Promise<ChatMessage[]>): Layer;

declare function prepareStep<Context = unknown>(hook: PrepareStep<Context>): Layer;

declare function rateLimit(options: RateLimitOptions): Layer;

declare function reactLoop<const Tools extends readonly Tool[] = readonly [], const Given extends Layers = readonly []>({ formatter, ...options }: ReActLoopSettings<Tools, Given>): SmallLoop<ContextOf<Tools>, OutputIn<Given>>;

declare function readLoopTask(loop: Loop, data: unknown, { registry }?: LoopTaskOptions): TaskLike;

declare function reasoning(log?: (text: string) => void): Layer;

declare function repairs<Context = unknown>(repair: RepairToolCall<Context>, policies?: FailurePolicies): readonly Layer[];

declare function repeatedFailures(most: number, onLimit?: 'raise' | 'answer'): Layer;

declare function retries(options?: RepeatOptions): readonly Layer[];

declare function stopWhen<Context = unknown>(hook: (context: StopContext<Context>) => boolean | Promise<boolean>): Layer;

declare function streaming(): Layer;

export { structured } // above

declare function timeLimit(defaultMs?: number | null): Layer;

declare function toolLoop<const Tools extends readonly Tool[] = readonly [], const Given extends Layers = readonly []>({ system, ...options }: ToolLoopSettings<Tools, Given>): SmallLoop<ContextOf<Tools>, OutputIn<Given>>;

declare function toolSearch(options?: ToolSearchOptions): Layer;

declare function traced(manager: () => CallbackManager): Layer;

declare function untrusted(tool: Tool): AsyncBaseTool;

declare function writeLoopTask(task: TaskLike, { registry }?: LoopTaskOptions): LoopTaskDict;

// Computed types, not exported:

type ValueOf<Answer> = [Answer] extends [never] ? undefined : Answer extends StructuredLayer<infer Schema> ? OutputOf<Schema> : never;

// ======== @x/agents/testing

interface CheckedTasks {
    tasks: DurableTasks;
    restart?(): Promise<DurableTasks>;
}

interface DurableTasksCheckOptions {
    without?: readonly ('events' | 'fork' | 'retry')[] | undefined;
    patienceMs?: number | undefined;
}

interface KillCheckOptions {
    levels?: readonly number[] | undefined;
    points?: number | undefined;
}

interface StoreCheck {
    name: string;
    run(): Promise<void>;
}

declare function durableTasksChecks(make: (agent: (run: TaskRun) => FunctionCallingAgent) => CheckedTasks | Promise<CheckedTasks>, { without, patienceMs }?: DurableTasksCheckOptions): readonly StoreCheck[];

declare function killChecks<Store extends TaskStore>(create: () => Store | Promise<Store>, reopen?: (store: Store) => TaskStore | Promise<TaskStore>, { levels, points }?: KillCheckOptions): readonly StoreCheck[];

declare function layerChecks(make: () => Layers): readonly StoreCheck[];

declare function taskStoreChecks<Store extends TaskStore>(create: () => Store | Promise<Store>, reopen?: (store: Store) => TaskStore | Promise<TaskStore>): readonly StoreCheck[];

// ======== @x/agents/errors

declare class AbortError extends AgentError {
    constructor(cause: unknown);
}

declare class ApprovalError extends AgentError {
    constructor(message: string);
}

declare class ApprovalRequiredError extends TaskError {
    readonly calls: readonly PendingToolCall[];
    readonly agentTask: unknown;
    constructor(taskId: string, calls: readonly PendingToolCall[], agentTask?: unknown);
}

declare class BudgetExceededError extends TaskError {
    constructor(taskId: string, message: string);
}

declare class ConversationBusyError extends AgentError {
    constructor();
    get retryable(): boolean;
}

declare class CutAnswerError extends TaskError {
    readonly reason: 'length' | 'content_filter';
    readonly text: string;
    constructor(taskId: string, reason: 'length' | 'content_filter', text: string);
}

declare class DeadlineExceededError extends AgentError {
    readonly milliseconds: number;
    constructor(what: string, milliseconds: number);
    get retryable(): boolean;
}

declare class GuardBlockedError extends TaskError {
    readonly stage: 'input' | 'answer';
    readonly reason: string;
    constructor(taskId: string, stage: 'input' | 'answer', reason: string);
}

declare class InvalidAgentOutputError extends AgentError {
    constructor(message: string);
}

declare class InvalidOutputError extends TaskError {
    readonly text: string;
    readonly issues: readonly {
        readonly path: string;
        readonly message: string;
    }[];
    constructor(taskId: string, issues: readonly {
        path: string;
        message: string;
    }[], text: string);
}

declare class InvalidStepError extends AgentError {
    constructor(message: string);
}

declare class MaxIterationsError extends TaskError {
    readonly lastOutput: string | null;
    constructor(taskId: string, limit: string, lastOutput: string | null);
}

declare class MultipleFinalStepsError extends TaskError {
    constructor(taskId: string, outputs: number);
}

declare class NoCompletedStepError extends TaskError {
    constructor(taskId: string);
}

declare class NoUpcomingStepError extends TaskError {
    constructor(taskId: string);
}

declare class NothingToUndoError extends TaskError {
    constructor(taskId: string);
}

declare class ReActParseError extends ToolArgumentsError {
    constructor(message: string, text: string);
}

declare class RepeatedFailureError extends TaskError {
    readonly toolName: string;
    constructor(taskId: string, toolName: string, times: number, output: string);
}

declare class ReplayMismatchError extends AgentError {
    readonly fatal = true;
    constructor(message: string);
}

declare class SavedTaskError extends AgentError {
    constructor(message: string, options?: ToolkitErrorOptions);
}

declare class StepNotFoundError extends AgentError {
    readonly stepId: string;
    constructor(taskId: string, stepId: string);
}

declare class StepNotLastError extends TaskError {
    constructor(taskId: string);
}

declare class StepNotReadyError extends AgentError {
    readonly stepId: string;
    constructor(stepId: string, message?: string);
}

declare class TaskAlreadyExistsError extends TaskError {
    constructor(taskId: string);
}

declare class TaskBusyError extends TaskError {
    constructor(taskId: string);
    get retryable(): boolean;
}

declare class TaskClaimedError extends TaskError {
    constructor(taskId: string);
}

declare class TaskFinalizedError extends TaskError {
    constructor(taskId: string, wanted: string);
}

declare class TaskNotFoundError extends TaskError {
    readonly fatal?: true;
    constructor(taskId: string, { advice, fatal }?: {
        advice?: string;
        fatal?: boolean;
    });
}

declare class TextRestartedError extends AgentError {
    constructor();
    get retryable(): boolean;
}

declare class TokenLimitError extends AgentError {
    constructor(initial: number, limit: number);
}

declare class ToolArgumentsError extends AgentError {
    readonly text: string;
    constructor(message: string, text: string, code?: 'tool_arguments' | 'react_parse');
}

declare class ToolExecutionError extends AgentError {
    readonly toolName: string;
    readonly fatal: boolean;
    constructor(toolName: string, message: string, options?: ToolkitErrorOptions & {
        fatal?: boolean;
    });
    get retryable(): boolean;
}

declare class ToolInputError extends AgentError {
    readonly toolName: string;
    readonly issues: readonly {
        readonly path: string;
        readonly message: string;
    }[];
    constructor(toolName: string, issues: readonly {
        path: string;
        message: string;
    }[], options?: ToolkitErrorOptions);
}

declare class ToolNameError extends AgentError {
    constructor(name?: string, nearest?: string);
}

declare class ToolNotFoundError extends AgentError {
    readonly toolName: string;
    readonly available: readonly string[];
    constructor(toolName: string, available: readonly string[]);
}

declare class ToolSchemaError extends AgentError {
    constructor(message: string, options?: ToolkitErrorOptions);
}

declare class ToolTimeoutError extends AgentError {
    readonly toolName: string;
    readonly milliseconds: number;
    constructor(toolName: string, milliseconds: number);
    get retryable(): boolean;
}

// Bases of the classes, not exported:

declare abstract class TaskError extends AgentError {
    readonly taskId: string;
    constructor(code: string, taskId: string, message: string);
}

// ======== @x/agents/legacy

declare class LegacyFunctionCallingAgent extends LegacyAgent {
    private readonly contextRetriever;
    private readonly qaPrompt;
    private readonly contextSeparator;
    constructor(given: LegacyFunctionCallingAgentOptions);
    static fromTools(options: LegacyFunctionCallingAgentOptions): LegacyFunctionCallingAgent;
    protected prepare(message: string, { signal }: ChatOptions): Promise<string>;
}

interface LegacyFunctionCallingAgentOptions extends FunctionCallingAgentOptions {
    contextRetriever?: ObjectRetriever<Pick<NodeWithScore, 'getContent'>> | undefined;
    qaPrompt?: BasePromptTemplate | undefined;
    contextSeparator?: string | undefined;
}

declare class LegacyReActAgent extends LegacyAgent {
    constructor(options: ReActAgentFromToolsOptions);
    static fromTools(options: ReActAgentFromToolsOptions): LegacyReActAgent;
}

// Bases of the classes, not exported:

declare abstract class LegacyAgent {
    protected readonly agent: AgentRunner;
    private readonly tools;
    chat(message: string, options?: ChatOptions): Promise<AgentChatResponse>;
    streamChat(message: string, options?: ChatOptions): Promise<StreamingAgentChatResponse>;
    get chatHistory(): ChatMessage[];
    reset(): Promise<void>;
    query(query: string | QueryBundle, options?: {
        signal?: AbortSignal;
    }): Promise<QueryResponse>;
    protected prepare(message: string, _options: ChatOptions): string | Promise<string>;
    private keepMessage;
    private keep;
}

// ======== @x/agents/pipeline

type AgentComponentState = Record<string, unknown>;

declare class AgentFnComponent extends DefinedComponent {
    constructor(options: AgentFnComponentOptions);
    get contextKeys(): readonly string[];
}

interface AgentFnComponentOptions {
    fn: (task: Task, state: AgentComponentState, inputs: never, options: PipelineRunOptions) => unknown;
    params: FnParams;
    outputKey?: string | undefined;
    partial?: Dict | undefined;
}

declare class AgentInputComponent extends BaseComponent {
    private readonly fn;
    constructor(options: {
        fn: (task: Task, state: AgentComponentState, more: Dict) => unknown;
        partial?: Dict | undefined;
    });
    get inputKeys(): ComponentInputKeys;
    get contextKeys(): readonly string[];
    get outputKeys(): readonly string[];
    runComponent(inputs?: Readonly<Dict>): Promise<Dict>;
}

declare abstract class CustomAgentComponent extends CustomQueryComponent {
    get contextKeys(): readonly string[];
    get inputKeys(): {
        required: string[];
        optional: readonly string[];
    };
}

declare class QueryPipelineAgentWorker extends QueryPipelineAgentWorkerModel implements AgentWorker {
    static makeDefault(field: string): unknown;
    constructor(options: QueryPipelineAgentWorkerOptions);
    get agentInputComponent(): AgentInputComponent;
    get agentComponents(): (AgentFnComponent | CustomAgentComponent)[];
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    initializeStep(task: Task): TaskStep;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    private step;
    finalizeTask(task: Task): Promise<void>;
}

interface QueryPipelineAgentWorkerFields {
    pipeline: QueryPipeline;
    callbackManager: CallbackManager;
    maxSteps: number | null;
    stopWhen: StopWhen | null;
}

interface QueryPipelineAgentWorkerOptions {
    pipeline: QueryPipeline;
    callbackManager?: CallbackManager | null | undefined;
    maxSteps?: number | null | undefined;
    stopWhen?: StopWhen | null | undefined;
}

declare class ToolRunnerComponent extends DefinedComponent {
    constructor(options: ToolRunnerComponentOptions);
}

interface ToolRunnerComponentOptions {
    tools: readonly Tool[];
    callbackManager?: CallbackManager | undefined;
    partial?: Dict | undefined;
}

// Bases of the classes, not exported:

declare abstract class Declared extends Model {
    constructor(options: QueryPipelineAgentWorkerOptions);
}
interface Declared extends QueryPipelineAgentWorkerFields {
}

declare const QueryPipelineAgentWorkerModel: typeof Declared;

// ======== @x/agents/protocol

interface ActionReasoningStep {
    readonly kind: 'action';
    readonly thought: string;
    readonly action: string;
    readonly actionInput: Readonly<Record<string, unknown>>;
}

type AgentToolConversation<Context = unknown> = 'fresh' | 'lasting' | ((context: Partial<ToolCallContext<Context>>) => BaseMemory | Promise<BaseMemory>);

interface AgentWorker extends HasPrompts {
    initializeStep(task: Task): TaskStep | Promise<TaskStep>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    finalizeTask(task: Task): void | Promise<void>;
    addMessagesOnLoad?(task: Task): void | Promise<void>;
    editCall?(call: PendingToolCall, args: Record<string, unknown>, task: Task): PendingToolCall | Promise<PendingToolCall>;
    readsState?(extraState: Readonly<Record<string, unknown>>): boolean;
    readonly callbackManager: CallbackManager | null;
    setCallbackManager(callbackManager: CallbackManager): void;
}

type Answer = AgentChatResponse | StreamingAgentChatResponse;

interface AnswerData {
    text: string;
    sources: {
        toolName: string;
        content: string;
        isError: boolean;
    }[];
    nodes: {
        nodeId: string;
        score: number | null;
        text: string;
    }[];
    usage: TaskUsage | null;
    output: unknown;
}

interface AnswerTurn {
    kind: 'answer';
    text: string;
    thought?: string;
    message?: ChatMessage;
    output?: unknown;
    shown?: Shown;
}

type ArgumentIssue = Pick<ValidationIssue, 'path' | 'message'>;

type ArgumentsOf<Schema> = Schema extends {
    '~standard': {
        types?: infer Types;
    };
} ? NonNullable<Types> extends {
    output: infer Output;
} ? Output : unknown : Schema extends {
    properties: infer Properties;
} ? ObjectOf<Schema, Properties> : Record<string, unknown>;

declare abstract class BaseAgentRunner<State extends TaskState = TaskState, Context = unknown, Output = unknown, ToolName extends string = string, ExtraState extends object = Record<string, unknown>> {
    readonly agentWorker: AgentWorker;
    readonly memory: BaseMemory;
    readonly callbackManager: CallbackManager;
    readonly initTaskStateKwargs: Readonly<Record<string, unknown>>;
    deleteTaskOnFinish: boolean;
    maxFinishedTasks: number | null;
    readonly state: AgentState<State>;
    private readonly tasks;
    private readonly chats;
    private readonly llm;
    get chatHistory(): ChatMessage[];
    conversation(options?: {
        memory?: BaseMemory | null | undefined;
        chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    }): Conversation<Context, Output, ToolName>;
    reset(): Promise<void>;
    chat(input: AgentInput, ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>): Promise<AgentChatResponse<Output>>;
    once(input: AgentInput, ...[options]: RunArguments<Omit<ChatOptions<Context, ToolName>, 'memory' | 'conversation'>, Context>): Promise<AgentChatResponse<Output>>;
    streamChat(input: AgentInput, ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>): Promise<StreamingAgentChatResponse<Output>>;
    runEvents(input: AgentInput, ...[options]: RunArguments<RunEventsOptions<Context, ToolName>, Context>): AsyncGenerator<AgentEvent>;
    query(query: string | QueryBundle, ...[options]: RunArguments<QueryOptions<Context>, Context>): Promise<QueryResponse>;
    asQueryComponent(...[options]: RunArguments<{
        partial?: Record<string, unknown>;
        context?: Context | undefined;
    }, Context>): QueryComponent;
    chatRepl(io: ChatReplIo, ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>): Promise<void>;
    streamingChatRepl(io: ChatReplIo, ...[options]: RunArguments<ChatOptions<Context, ToolName>, Context>): Promise<void>;
    private repl;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    runTask(taskId: string, ...[options]: RunArguments<RunTaskOptions<Context, ToolName>, Context>): Promise<AgentChatResponse<Output>>;
    streamTask(taskId: string, ...[options]: RunArguments<RunTaskOptions<Context, ToolName>, Context>): Promise<StreamingAgentChatResponse<Output>>;
    runStep(taskId: string, ...[options]: RunArguments<RunStepOptions<Context, ToolName>, Context>): Promise<TaskStepOutput>;
    streamStep(taskId: string, ...[options]: RunArguments<RunStepOptions<Context, ToolName>, Context>): Promise<TaskStepOutput>;
    finalizeResponse(taskId: string, stepOutput?: TaskStepOutput | null): Promise<Answer>;
    createTask<Own extends object = Record<never, never>>(input: AgentInput, options?: CreateTaskOptions<Own>): Promise<Task<ExtraState & Own>>;
    listTasks(): Task<ExtraState>[];
    getTask(taskId: string): Task<ExtraState>;
    getUpcomingSteps(taskId: string): TaskStep[];
    getCompletedSteps(taskId: string): TaskStepOutput[];
    getCompletedStep(taskId: string, stepId: string): TaskStepOutput;
    deleteTask(taskId: string): Promise<void>;
    undoStep(taskId: string): Promise<void>;
    forkTask(taskId: string, options?: {
        atStep?: number;
        taskId?: string;
    }): Promise<Task<ExtraState>>;
    isSaved(taskId: string): boolean;
    getPendingApprovals(taskId: string): PendingToolCall[];
    approve(taskId: string, callId: string, options?: {
        always?: boolean;
        by?: string;
    }): Promise<void>;
    reject(taskId: string, callId: string, reason?: string, options?: {
        by?: string;
    }): Promise<void>;
    edit(taskId: string, callId: string, args: Record<string, unknown>, options?: {
        by?: string;
    }): Promise<void>;
    provideResult(taskId: string, callId: string, result: Json, { isError, by }?: {
        isError?: boolean;
        by?: string;
    }): Promise<void>;
    saveTask(taskId: string): SavedTask;
    loadTask(data: unknown, options?: LoadTaskOptions): Promise<Task<ExtraState>>;
    resumeTask(taskId: string, options?: LoadTaskOptions): Promise<Task<ExtraState> | null>;
}

interface BaseAgentRunnerOptions<State> {
    agentWorker: AgentWorker;
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    state?: State | null | undefined;
    memory?: BaseMemory | null | undefined;
    llm?: Pick<BaseLLM, 'metadata'> | null | undefined;
    callbackManager?: CallbackManager | null | undefined;
    initTaskStateKwargs?: Readonly<Record<string, unknown>> | null | undefined;
    deleteTaskOnFinish?: boolean | undefined;
    maxFinishedTasks?: number | null | undefined;
    maxUndo?: number | null | undefined;
    timeouts?: RunTimeouts | undefined;
    taskStore?: Journal | undefined;
    newId?: (() => string) | undefined;
    now?: (() => number) | undefined;
    durable?: JournalPort | undefined;
}

interface CallsTurn {
    kind: 'calls';
    calls: ToolCall[];
    thought?: string;
    text?: string;
    message: ChatMessage;
    shown?: Shown;
}

interface ChatMemoryBufferDefaults {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | undefined;
    llm?: Pick<BaseLLM, 'metadata'> | undefined;
    tokenLimit?: number | undefined;
    tokenizerFn?: Tokenizer | undefined;
    chatStore?: SyncChatStore | undefined;
    chatStoreKey?: string | undefined;
}

interface ChatReplIo {
    input(prompt: string): Promise<string | null | undefined> | string | null | undefined;
    output(text: string): void;
}

type ChatResponseMode = 'wait' | 'stream';

interface CheckArgumentsOptions {
    unchecked?: 'refuse' | 'accept' | undefined;
}

type CheckBudget = (used: TaskUsage, toolCalls?: number) => void;

interface CheckedArguments {
    value: unknown;
    issues: ArgumentIssue[];
}

type ContextOf<Tools extends readonly TypedTool[]> = (Tools[number] extends infer One ? One extends unknown ? (context: ContextOfTool<One>) => void : never : never) extends (context: infer Context) => void ? Context : never;

type ConversationEventsOptions<Context = unknown, ToolName extends string = string> = Omit<RunEventsOptions<Context, ToolName>, 'memory' | 'conversation' | 'chatHistory'>;

type ConversationOptions<Context = unknown, ToolName extends string = string> = Omit<ChatOptions<Context, ToolName>, 'memory' | 'conversation' | 'chatHistory'>;

declare abstract class CustomSimpleAgentWorker extends CustomSimpleAgentWorkerModel implements AgentWorker {
    static makeDefault(field: string): unknown;
    constructor(options: CustomSimpleAgentWorkerOptions);
    static fromTools<T extends CustomSimpleAgentWorker>(this: new (options: never) => T, options: Omit<CustomSimpleAgentWorkerOptions, 'tools'> & Pick<ToolLoopOptions, 'tools'>): T;
    protected abstract _initializeState(task: Task): Record<string, unknown> | Promise<Record<string, unknown>>;
    protected abstract _runStep(state: Record<string, unknown>, task: Task, options: CustomStepOptions): CustomStepResult | Promise<CustomStepResult>;
    protected _streamStep(state: Record<string, unknown>, task: Task, options: CustomStepOptions): CustomStepResult | Promise<CustomStepResult>;
    protected _finalizeTask(_state: Record<string, unknown>): void | Promise<void>;
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    getTools(input: string, options?: ObjectRetrieveOptions): Promise<AsyncBaseTool[]>;
    initializeStep(task: Task): Promise<TaskStep>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    private traced;
    private step;
    addMessagesOnLoad(task: Task): Promise<void>;
    finalizeTask(task: Task): Promise<void>;
}

interface CustomSimpleAgentWorkerFields {
    tools: readonly Tool[];
    llm: BaseLLM;
    callbackManager: CallbackManager;
    toolRetriever: ObjectRetriever<Tool> | null;
    verbose: boolean;
    maxSteps: number | null;
    stopWhen: StopWhen | null;
}

interface CustomSimpleAgentWorkerOptions {
    tools: readonly Tool[];
    llm: BaseLLM;
    callbackManager?: CallbackManager | null | undefined;
    toolRetriever?: ObjectRetriever<Tool> | null | undefined;
    verbose?: boolean | undefined;
    maxSteps?: number | null | undefined;
    stopWhen?: StopWhen | null | undefined;
}

interface CustomStepOptions<Context = unknown> {
    input: string | null;
    signal: AbortSignal | undefined;
    context: Context;
    durable: Durable;
    stepNumber: number;
    parentId: string | undefined;
}

type CustomStepResult = readonly [AgentChatResponse | StreamingAgentChatResponse, boolean];

interface DecidingAgent {
    approve(taskId: string, callId: string, options: {
        always?: boolean;
        by?: string;
    }): Promise<void>;
    reject(taskId: string, callId: string, reason: string | undefined, options: {
        by?: string;
    }): Promise<void>;
    edit(taskId: string, callId: string, args: Record<string, unknown>, options: {
        by?: string;
    }): Promise<void>;
    provideResult(taskId: string, callId: string, result: Json, options: {
        isError?: boolean;
        by?: string;
    }): Promise<void>;
}

type DescribedTool = Pick<AsyncBaseTool, 'metadata'>;

interface ErrorData {
    name: string;
    code: string | null;
    message: string;
    retryable: boolean;
}

interface FailedToolCall<Context = unknown> {
    call: ToolCall;
    error: ToolNotFoundError | ToolInputError | ToolArgumentsError;
    tools: readonly AsyncBaseTool[];
    context: Context;
}

type FailurePolicy = 'observe' | 'raise';

type FunctionResult<Output extends ToolSchema> = ResultOf<Output> | ToolOutput | Promise<ResultOf<Output> | ToolOutput>;

interface GuardContext<Context = unknown> {
    readonly task: Task;
    readonly context: Context;
    readonly signal: AbortSignal | undefined;
}

interface GuardedCall {
    readonly id: string;
    readonly toolName: string;
    readonly arguments: Readonly<Record<string, unknown>>;
}

interface ImageDocumentLike {
    image?: string | null;
    imageUrl?: string | null;
    image_url?: string | null;
    imagePath?: string | null;
    image_path?: string | null;
    imageMimetype?: string | null;
    image_mimetype?: string | null;
    metadata?: Record<string, unknown> | null;
}

interface ImageMessageParts {
    prompt: string;
    role: MessageRole;
    imageDocuments: readonly ImageDocumentLike[];
    [more: string]: unknown;
}

interface InputGuardContext<Context = unknown> extends GuardContext<Context> {
    readonly message: ChatMessage;
}

declare class JsonProtocol implements ToolCallingProtocol {
    readonly name = "json";
    private readonly systemPrompt;
    constructor(options?: JsonProtocolOptions);
    initialState(): Record<string, unknown>;
    acceptInput(input: ChatMessage, _step: StepLike, task: TaskLike): void;
    request({ task, tools }: RequestContext): Promise<ModelRequest>;
    private systemText;
    read(message: ChatMessage): Turn;
    reader(): TextReader;
    recordCalls({ message }: CallsTurn, task: TaskLike): void;
    editCall({ name, arguments: given }: ToolCall, task: TaskLike): void;
    recordOutput(call: ToolCall, { content, isError }: ToolOutput, task: TaskLike): void;
    recordAnswer(text: string, _turn: Turn, task: TaskLike): void;
    recordUnreadable({ text, observation }: Turn & {
        kind: 'unreadable';
    }, task: TaskLike): void;
    outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
    lastText(task: TaskLike): string | null;
}

interface JsonProtocolOptions {
    systemPrompt?: string | undefined;
}

interface LeftOutMessages {
    messages: number;
    turns: number;
    summary: string | null;
    maxTokens: number | null;
}

export { LoopState } // above

type MakeProtocol = (options: ReActProtocolOptions) => ReActProtocol;

interface MemoryClass {
    fromDefaults(options: ChatMemoryBufferDefaults): BaseMemory;
}

interface MessageList extends MessageSource {
    get(): ChatMessage[];
    getAll(): ChatMessage[];
    put(message: ChatMessage): void;
    set(messages: readonly ChatMessage[]): void;
}

interface MessageSource {
    get(): ChatMessage[] | Promise<ChatMessage[]>;
    getAll(): ChatMessage[] | Promise<ChatMessage[]>;
}

interface ModelRequest {
    messages: ChatMessage[];
    options: CallOptions;
}

declare class NativeProtocol implements ToolCallingProtocol {
    readonly name = "native";
    private readonly prefixMessages;
    constructor(prefixMessages?: readonly ChatMessage[]);
    initialState(): Record<string, unknown>;
    acceptInput(input: ChatMessage, _step: StepLike, task: TaskLike): void;
    request({ task, tools, toolChoice }: RequestContext): ModelRequest | Promise<ModelRequest>;
    read(message: ChatMessage): Turn;
    reader(offersTools: boolean): TextReader;
    recordCalls({ message, calls }: CallsTurn, task: TaskLike, read: (call: ToolCall) => Record<string, unknown>): void;
    editCall(edited: ToolCall, task: TaskLike): void;
    recordOutput(call: ToolCall, output: ToolOutput, task: TaskLike): void;
    recordAnswer(text: string, turn: Turn, task: TaskLike): void;
    recordUnreadable({ text, observation }: Turn & {
        kind: 'unreadable';
    }, task: TaskLike): void;
    outputText(turn: Turn): string;
    lastText(task: TaskLike): string | null;
}

type NeedsApproval = boolean | 'after-untrusted' | ((args: never, context: Partial<ToolCallContext>) => boolean | Promise<boolean>);

interface ObservationReasoningStep {
    readonly kind: 'observation';
    readonly observation: unknown;
}

type OnAgentEvent = Receive<AgentEvent>;

type OutputMode = 'tool' | 'response_format';

type OutputOf<Schema> = Schema extends {
    '~standard': {
        types?: infer Types;
    };
} ? NonNullable<Types> extends {
    output: infer Output;
} ? Output : unknown : Schema extends object ? ResultOf<Schema> : null;

interface PreparedRequest {
    llm?: BaseLLM | undefined;
    messages?: readonly ChatMessage[] | undefined;
    modelOptions?: CallOptions | undefined;
}

type PreparedStep<ToolName extends string = string> = PreparedRequest & PreparedTools<ToolName>;

declare class QueryResponse extends QueryAnswer {
    static [Symbol.hasInstance](value: unknown): boolean;
    static fromDict(data: unknown, options?: ReadOptions): QueryResponse;
}

interface QuestionToolOptions<Name extends string = string, Question = string> {
    name?: Name | undefined;
    description?: string | undefined;
    returnDirect?: boolean | undefined;
    needsApproval?: NeedsApproval | undefined;
    timeoutMs?: number | null | undefined;
    schema?: ToolSchema | undefined;
    toQuestion?: ((args: Record<string, unknown>) => Question) | undefined;
    resolveInputErrors?: boolean | undefined;
    title?: string | undefined;
    annotations?: ToolAnnotations | undefined;
}

declare class ReActAnswerStream {
    text: string;
    thinking: string;
    kind: 'undecided' | 'answer' | 'action';
    emitted: boolean;
    observationSeen: boolean;
    private word;
    private isStart;
    private inputSeen;
    private readonly filter;
    private readonly parser;
    constructor(parser?: ReActOutputParser);
    push(delta: string): string;
    flush(): string;
    end(): ActionReasoningStep | ResponseReasoningStep;
    private add;
    private restart;
    private readLines;
    private decide;
}

declare class ReActChatFormatter extends ReActChatFormatterModel {
    static fromDefaults(options?: Omit<ReActChatFormatterOptions, 'systemHeader' | 'context'> & {
        systemHeader?: string | null | undefined;
        context?: string | null | undefined;
    }): ReActChatFormatter;
    static fromContext(context: string, options?: {
        logger?: (text: string) => void;
    }): ReActChatFormatter;
    format(tools: readonly DescribedTool[], chatHistory: readonly ChatMessage[], currentReasoning?: readonly ReasoningStep[]): ChatMessage[];
    private quotedMessage;
    private rendered;
}

interface ReActChatFormatterFields {
    systemHeader: string;
    context: string;
    observationRole: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot';
    mergeSameRole: boolean;
}

interface ReActChatFormatterOptions {
    systemHeader?: string | undefined;
    context?: string | undefined;
    observationRole?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | undefined;
    mergeSameRole?: boolean | undefined;
}

declare class ReActOutputParser {
    parse(output: string, options?: {
        isStreaming?: boolean;
    }): ActionReasoningStep | ResponseReasoningStep;
}

declare class ReActProtocol implements ToolCallingProtocol {
    readonly name = "react";
    readonly outputParser: ReActOutputParser;
    formatter: ReActChatFormatter;
    private readonly onParseError;
    constructor({ formatter, outputParser, onParseError }: ReActProtocolOptions);
    initialState(): Record<string, unknown>;
    acceptInput(input: ChatMessage, step: StepLike, task: TaskLike): void;
    protected userMessage(input: ChatMessage, _step: StepLike): ChatMessage;
    protected history(task: TaskLike): ChatMessage[] | Promise<ChatMessage[]>;
    request({ task, tools }: RequestContext): ModelRequest | Promise<ModelRequest>;
    read(message: ChatMessage, isStreaming: boolean): Turn;
    reader(): TextReader;
    recordCalls({ calls, thought }: CallsTurn, task: TaskLike): void;
    editCall({ arguments: given }: ToolCall, task: TaskLike): void;
    recordOutput(_call: ToolCall, output: ToolOutput, task: TaskLike): void;
    recordAnswer(text: string, turn: Turn, task: TaskLike): void;
    recordUnreadable({ text, observation }: Turn & {
        kind: 'unreadable';
    }, task: TaskLike): void;
    outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
    lastText(task: TaskLike): string | null;
}

interface ReActProtocolOptions {
    formatter: ReActChatFormatter;
    outputParser: ReActOutputParser;
    onParseError: FailurePolicy;
}

type ReActState = LoopState & {
    current_reasoning: ReasoningStep[];
};

interface ReadArguments {
    value: Record<string, unknown>;
    end: number;
}

type ReasoningStep = ActionReasoningStep | ObservationReasoningStep | ResponseReasoningStep | UnparsedReasoningStep;

type ReasoningStepDict = {
    thought: string;
    action: string;
    action_input: Record<string, unknown>;
} | {
    observation: string;
} | {
    thought: string;
    response: string;
    is_streaming: boolean;
    implicit?: true;
} | {
    text: string;
};

interface RequestContext {
    task: TaskLike;
    tools: readonly AsyncBaseTool[];
    toolChoice: ToolChoice;
}

interface ResponseReasoningStep {
    readonly kind: 'response';
    readonly thought: string;
    readonly response: string;
    readonly isStreaming: boolean;
    readonly implicit: boolean;
}

type ResultOf<Schema> = Schema extends {
    '~standard': {
        types?: infer Types;
    };
} ? NonNullable<Types> extends {
    input: infer Input;
} ? Input : unknown : ValueOf<Schema>;

type RunArguments<Options, Context> = undefined extends Context ? [options?: Options] : [options: Options & {
    context: Context;
}];

interface RunContextOptions<Context = unknown> {
    context?: Context | undefined;
    parentId?: string | undefined;
}

interface SchemaFault {
    path: string;
    what: string;
}

type Shown = 'text' | 'all';

interface StepContext<Context = unknown> {
    readonly signal?: AbortSignal | undefined;
    readonly onEvent?: Receive<StepEvent> | undefined;
    readonly ready?: (() => Promise<void> | undefined) | undefined;
    readonly durable: Durable;
    readonly checkBudget?: CheckBudget | undefined;
    readonly context: Context;
    readonly parentId: string | undefined;
    readonly memory: BaseMemory;
    readonly stepNumber: number;
    readonly completedSteps: number;
    readonly newId: () => string;
    readonly now: () => number;
}

export { StepEvent } // above

interface StepLike {
    readonly stepState: Record<string, unknown>;
}

interface StepOptions extends Partial<StepContext> {
    readonly toolChoice?: ToolChoice | undefined;
}

interface StepPlan<Context = unknown> {
    readonly task: Task;
    readonly stepNumber: number;
    readonly llm: BaseLLM;
    readonly messages: readonly ChatMessage[];
    readonly tools: readonly AsyncBaseTool[];
    readonly toolChoice: ToolChoice;
    readonly sources: readonly ToolOutput[];
    readonly usage: Readonly<TaskUsage>;
    readonly waited: readonly PendingToolCall[];
    readonly context: Context;
}

interface StepRunOptions {
    toolChoice: ToolChoice;
    mode: ChatResponseMode;
    signal: AbortSignal | undefined;
    onEvent?: OnAgentEvent | undefined;
    context?: unknown;
    parentId?: string | undefined;
    durable?: JournalPort | undefined;
    checkBudget?: CheckBudget | undefined;
}

interface StepStopContext {
    task: Task;
    response: unknown;
    steps: number;
}

interface StopContext<Context = unknown> {
    task: Task;
    outputs: readonly ToolOutput[];
    sources: readonly ToolOutput[];
    usage: Readonly<TaskUsage>;
    context: Context;
}

type StopWhen = (context: StepStopContext) => boolean | Promise<boolean>;

interface StreamingAgentChatResponseOptions<Output = unknown> extends AgentChatResponseOptions<Output> {
    stream: AsyncIterable<string> | Iterable<string>;
    cancel?: ((reason: unknown) => void) | undefined;
    keepsReading?: boolean | undefined;
}

export { StructuredOptions } // above

type Summarize<Context = unknown> = (request: SummaryRequest<Context>) => Promise<string | Summary> | string | Summary;

interface SummarizeOptions {
    llm?: BaseLLM | null | undefined;
    prompt?: string | undefined;
}

interface Summary {
    text: string;
    usage?: TokenUsage | null | undefined;
}

interface SummaryRequest<Context = unknown> {
    messages: readonly ChatMessage[];
    previous: string | null;
    maxTokens: number;
    task: Task;
    llm: BaseLLM;
    context: Context;
    signal?: AbortSignal | undefined;
    parentId?: string | undefined;
}

export { TaskLike } // above

interface TextReader {
    push(delta: string): string;
    flush?(): string;
    readonly isAnswer: boolean;
    readonly reasoning?: string;
    readonly thought?: string;
    canStop(): boolean;
}

interface ToolAgent<Context = unknown> {
    readonly memory: BaseMemory;
    createTask(input: AgentInput, options: {
        taskId: string;
        memory: BaseMemory;
        taskStore?: Journal | undefined;
    }): Promise<{
        readonly taskId: string;
    }>;
    resumeTask(taskId: string, options?: {
        memory: BaseMemory;
        taskStore: Journal;
    }): Promise<unknown>;
    getTask(taskId: string): unknown;
    runTask(taskId: string, options: {
        signal?: AbortSignal | undefined;
        context?: Context | undefined;
        parentId?: string | undefined;
        onEvent?: Receive<AgentEvent> | undefined;
        durable?: JournalPort | undefined;
        checkBudget?: CheckBudget | undefined;
    }): Promise<AgentChatResponse>;
    deleteTask(taskId: string): Promise<void>;
    saveTask?(taskId: string): unknown;
    loadTask?(saved: unknown, options: {
        memory: BaseMemory;
        taskStore?: Journal | undefined;
    }): Promise<unknown>;
    isSaved?(taskId: string): boolean;
    getPendingApprovals(taskId: string): readonly PendingToolCall[];
    approve(taskId: string, callId: string, options?: {
        always?: boolean;
    }): Promise<void>;
    reject(taskId: string, callId: string, reason?: string): Promise<void>;
    edit(taskId: string, callId: string, args: Record<string, unknown>): Promise<void>;
    provideResult?(taskId: string, callId: string, result: Json, options: {
        isError: boolean;
    }): Promise<void>;
}

interface ToolAnnotations {
    readOnlyHint?: boolean | undefined;
    destructiveHint?: boolean | undefined;
    idempotentHint?: boolean | undefined;
    openWorldHint?: boolean | undefined;
}

interface ToolCallOptions {
    callbackManager: CallbackManager;
    onToolError?: FailurePolicy | undefined;
    onUnknownTool?: FailurePolicy | undefined;
    repairToolCall?: RepairToolCall | undefined;
    toolTimeoutMs?: number | null | undefined;
    signal?: AbortSignal | undefined;
    task: Task;
    idempotencyKey?: string | undefined;
    context?: unknown;
    onProgress?: Receive<unknown> | undefined;
    stepId?: string | undefined;
    parentId?: string | undefined;
    onOutput?: ((output: ToolOutput) => void) | undefined;
}

interface ToolCallingProtocol extends Partial<HasPrompts> {
    readonly name: string;
    initialState(): Record<string, unknown>;
    acceptInput(input: ChatMessage, step: StepLike, task: TaskLike): void;
    request(context: RequestContext): ModelRequest | Promise<ModelRequest>;
    read(reply: ChatMessage, isStreaming: boolean): Turn;
    reader(offersTools: boolean): TextReader;
    recordCalls(turn: CallsTurn, task: TaskLike, read: (call: ToolCall) => Record<string, unknown>): void;
    editCall(call: ToolCall, task: TaskLike): void;
    recordOutput(call: ToolCall, output: ToolOutput, task: TaskLike): void;
    recordAnswer(text: string, turn: Turn, task: TaskLike): void;
    recordUnreadable(turn: Turn & {
        kind: 'unreadable';
    }, task: TaskLike): void;
    outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
    lastText(task: TaskLike): string | null;
}

interface ToolLoopOptions<Context = unknown, Tools extends readonly Tool[] = readonly Tool[], Schema extends ToolSchema | undefined = ToolSchema | undefined> {
    llm: BaseLLM;
    tools?: Tools | null | undefined;
    toolRetriever?: ObjectRetriever<Tool, Context> | null | undefined;
    callbackManager?: CallbackManager | null | undefined;
    verbose?: boolean | undefined;
    logger?: ((text: string) => void) | undefined;
    maxIterations?: number | undefined;
    maxFunctionCalls?: number | null | undefined;
    onMaxIterations?: 'raise' | 'answer' | undefined;
    budget?: TaskBudget | undefined;
    stopWhen?: ((context: StopContext<Context>) => boolean | Promise<boolean>) | undefined;
    onToolError?: FailurePolicy | undefined;
    onUnknownTool?: FailurePolicy | undefined;
    repairToolCall?: RepairToolCall<Context> | undefined;
    maxRepeatedFailures?: number | null | undefined;
    maxToolConcurrency?: number | undefined;
    toolTimeoutMs?: number | null | undefined;
    onCutAnswer?: 'raise' | 'continue' | 'accept' | undefined;
    retries?: RepeatOptions | false | undefined;
    modelOptions?: CallOptions | undefined;
    maxToolOutputTokens?: number | null | undefined;
    contextWindow?: ContextWindowLayer<Context> | false | undefined;
    prepareStep?: PrepareStep<Context, ToolNames<Tools>> | undefined;
    guards?: Guards<Context> | undefined;
    output?: StructuredLayer<Schema> | undefined;
    prepareMessages?: ((messages: ChatMessage[], task: Task, context: Context) => ChatMessage[] | Promise<ChatMessage[]>) | undefined;
    layers?: Layers | undefined;
    newId?: (() => string) | undefined;
}

declare class ToolLoopWorker implements AgentWorker {
    readonly llm: BaseLLM;
    readonly protocol: ToolCallingProtocol;
    readonly options: ToolLoopOptions;
    verbose: boolean;
    maxIterations: number;
    maxFunctionCalls: number | null;
    private manager;
    private readonly loops;
    readonly tools: AsyncBaseTool[];
    readonly newId: () => string;
    constructor(given: ToolLoopWorkerOptions);
    private loopFor;
    get callbackManager(): CallbackManager;
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    initializeStep(task: Task): TaskStep;
    readsState(extraState: Readonly<Record<string, unknown>>): boolean;
    getTools(input: string, options?: ObjectRetrieveOptions): Promise<AsyncBaseTool[]>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    private traced;
    finalizeTask(task: Task): Promise<void>;
    editCall(call: PendingToolCall, args: Record<string, unknown>, task: Task): Promise<PendingToolCall>;
    log(text: string): void;
    private wholeStep;
    private streamedStep;
    private scopeOf;
    private goOn;
}

interface ToolLoopWorkerOptions extends ToolLoopOptions {
    protocol: ToolCallingProtocol;
}

interface ToolMetadataOptions<Name extends string = string> {
    name?: Name | null | undefined;
    description: string;
    fnSchema?: ToolSchema | null | undefined;
    parameters?: object | undefined;
    returnDirect?: boolean | undefined;
    title?: string | null | undefined;
    annotations?: ToolAnnotations | undefined;
    outputSchema?: ToolSchema | null | undefined;
    strict?: boolean | undefined;
}

type ToolNames<Tools extends readonly TypedTool[]> = Exclude<Tools[number]['metadata']['name'], null>;

type Turn = AnswerTurn | CallsTurn
 | {
    kind: 'unreadable';
    text: string | null;
    observation: string;
};

interface TypedTool {
    readonly metadata: {
        readonly name: string | null;
    };
}

type UncheckedSchema = 'throw' | 'refuse' | 'accept';

interface UnparsedReasoningStep {
    readonly kind: 'unparsed';
    readonly text: string;
}

declare function adaptToAsyncTool(tool: Tool): AsyncBaseTool;

declare function checkArguments(schema: object, value: unknown, { unchecked }?: CheckArgumentsOptions): CheckedArguments;

declare function errorEvent(taskId: string | null, error: unknown): AgentEvent;

declare function imageMessage({ prompt, role, imageDocuments }: ImageMessageParts): ChatMessage;

declare function isReasoningDone(step: ReasoningStep): boolean;

declare function readArguments(text: string, start?: number): ReadArguments;

declare function readToolDecision(data: unknown): ToolDecision;

declare function reasoningFromDict(data: unknown): ReasoningStep;

declare function reasoningText(step: ReasoningStep): string;

declare function reasoningToDict(step: ReasoningStep): ReasoningStepDict;

declare function resolveToolChoice(toolChoice: ToolChoice): ToolChoice;

declare function runToolCall(call: ToolCall, tools: readonly AsyncBaseTool[], options: ToolCallOptions): Promise<ToolOutput>;

declare function stepContext(task: Task, options?: Partial<StepContext>): StepContext;

declare function taskEndEvent(taskId: string, response: AgentChatResponse): AgentEvent;

declare function uncheckedParts(schema: object): SchemaFault[];

// Bases of the classes, not exported:

declare const CustomSimpleAgentWorkerModel: typeof Declared;

declare abstract class Declared extends Model {
    constructor(options: CustomSimpleAgentWorkerOptions);
}
interface Declared extends CustomSimpleAgentWorkerFields {
}

// ======== @x/agents/store

interface AddedItems {
    list: number;
    items: unknown[];
}

interface AgentChatResponseDict {
    response: string;
    sources: Dict[];
    source_nodes: Dict[];
}

interface AgentChatResponseOptions<Output = unknown> {
    response?: string | undefined;
    sources?: readonly ToolOutput[] | undefined;
    sourceNodes?: readonly NodeWithScore[] | undefined;
    usage?: TaskUsage | null | undefined;
    output?: Output | undefined;
}

declare class AgentState<State extends TaskState = TaskState> {
    readonly taskDict: Map<string, State>;
    get(taskId: string): State;
    reset(): void;
}

declare class ChatAnswer<Output = unknown> {
    response: string;
    sources: ToolOutput[];
    sourceNodes: NodeWithScore[];
    usage: TaskUsage | null;
    output: Output;
    constructor(options?: AgentChatResponseOptions<Output>);
    static className(): string;
    get text(): string;
    toString(): string;
    toDict(options?: LineOptions): AgentChatResponseDict;
    toParts(): Dict;
    toJSON(): AgentChatResponseDict;
}

interface ChatMemoryBufferDict {
    token_limit: number;
    chat_store: {
        store: Record<string, unknown[]>;
        class_name: string;
    };
    chat_store_key: string;
    class_name: string;
}

interface CreateTaskOptions<Own extends object = Readonly<Record<string, unknown>>> {
    taskId?: string | undefined;
    extraState?: Own | undefined;
    callbackManager?: CallbackManager | undefined;
    memory?: BaseMemory | null | undefined;
    taskStore?: Journal | undefined;
}

declare class DAGAgentState extends AgentState<DAGTaskState> {
}

declare class DAGTaskState extends TaskState {
    readonly rootStep: TaskStep;
    constructor(options: {
        task: Task;
        rootStep: TaskStep;
        stepQueue?: TaskStep[];
        completedSteps?: TaskStepOutput[];
    });
    get taskId(): string;
}

type JournalEntry = JournalEvent & {
    n: number;
};

type JournalEvent = 
{
    type: 'task';
    task: SavedTask;
    forked_from?: {
        task_id: string;
        at_step: number;
    };
}
 | {
    type: 'step_start';
    steps: ({
        step_id: string;
        number: number;
    } | number)[];
    state?: StateChange;
}
 | {
    type: 'result';
    step?: number;
    name: string;
    value: Json;
}
 | {
    type: 'drop';
    step: number;
}
 | {
    type: 'step';
    steps?: (LeanStep | string)[];
    outputs?: LeanOutput[];
    failed?: string[];
    queue: (LeanStep | string)[];
    state?: StateChange;
}
 | {
    type: 'inner';
    place: string;
    at: number;
    entries: readonly object[];
}
 | {
    type: 'decision';
    call_id: string;
    decision: string;
    by?: string;
    state?: StateChange;
}
 | {
    type: 'undo';
}
 | {
    type: 'finalizing';
    memory_length: number;
}
 | {
    type: 'finalized';
};

interface JournalOptions {
    registry?: ClassRegistry | readonly SavableClass[] | undefined;
    openConversation?: ((conversationId: string) => BaseMemory | Promise<BaseMemory>) | undefined;
}

interface LeanOutput {
    output?: unknown;
    turn?: string;
    task_step?: LeanStep;
    next_steps?: (LeanStep | string)[];
    is_last?: true;
    status?: 'awaiting_approval';
}

type LeanStep = Pick<TaskStepDict, 'step_id'> & Partial<TaskStepDict>;

interface LineOptions {
    line?: WireLine | undefined;
}

interface LoadTaskOptions {
    memory?: BaseMemory | null | undefined;
    taskStore?: Journal | undefined;
}

declare class QueryAnswer {
    readonly response: string;
    readonly sourceNodes: NodeWithScore[];
    constructor(options: {
        response: string;
        sourceNodes?: readonly NodeWithScore[];
    });
    static className(): string;
    toString(): string;
    toDict(): {
        response: string;
        source_nodes: Dict[];
        metadata: null;
    };
    toParts(): Dict;
    toJSON(): Dict;
}

interface ResultCodec {
}

interface ResultKind<T> {
    readonly kind: 'reply' | 'output' | 'data';
    fits?(data: unknown): boolean;
    readonly handles?: ((error: unknown) => boolean) | undefined;
    unhandled?(error: unknown): T | undefined;
    readonly value?: T;
}

declare const SAVED_TASK_VERSION = 1;

interface Savable {
    toDict(): object;
    toParts?(): object;
}

interface SavableClass {
    readonly prototype: Savable;
    className(): string;
    fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): object;
}

interface SavedOpenStep {
    step_id: string;
    number: number;
    results: Record<string, Json>;
}

interface SavedSnapshot {
    outputs: number;
    queue: TaskStepDict[];
    extra_state: unknown;
}

interface SavedStepOutput {
    output: unknown;
    task_step: TaskStepDict;
    next_steps: TaskStepDict[];
    is_last: boolean;
    status: string;
}

interface SavedTask {
    version: typeof SAVED_TASK_VERSION;
    task: {
        task_id: string;
        input: string;
        input_message?: Dict;
        extra_state: unknown;
    };
    step_queue: TaskStepDict[];
    completed_steps: SavedStepOutput[];
    undo: SavedSnapshot[];
    steps_started: number;
    open_steps: SavedOpenStep[];
    finalized: boolean;
    memory_length: number | null;
    conversation_id: string | null;
    conversation_length?: number;
    conversation: unknown[];
    owns_conversation: boolean;
    lists: unknown[][];
}

interface StateChange {
    put?: unknown[][];
    add?: unknown[][];
    unset?: string[];
    lists?: AddedItems[];
}

declare class StepOutput<Output = unknown> {
    readonly output: Output;
    readonly taskStep: TaskStep;
    readonly nextSteps: TaskStep[];
    readonly isLast: boolean;
    readonly status: 'done' | 'awaiting_approval';
    constructor(options: {
        output: Output;
        taskStep: TaskStep;
        nextSteps: TaskStep[];
        isLast?: boolean;
        status?: 'done' | 'awaiting_approval';
    });
    toString(): string;
    toDict(options?: LineOptions): TaskStepOutputDict;
    toJSON(): TaskStepOutputDict;
}

interface StepReference {
    task_id: string;
    step_id: string;
}

interface TaskFields {
    taskId: string;
    input: string;
    memory: BaseMemory;
    callbackManager: CallbackManager;
    extraState: Record<string, unknown>;
    inputMessage: ChatMessage | null;
}

interface TaskOptions {
    taskId?: string | undefined;
    input: string;
    memory: BaseMemory;
    callbackManager?: CallbackManager | null | undefined;
    extraState?: Readonly<Record<string, unknown>> | undefined;
    inputMessage?: ChatMessage | ChatMessageOptions | null | undefined;
}

type TaskPhase = 'open' | 'running' | 'saving' | 'finalizing' | 'finalized';

declare class TaskSnapshot {
    readonly outputs: number;
    readonly queue: TaskStep[];
    private readonly state;
    private readonly shared;
    constructor(options: {
        outputs: number;
        queue: TaskStep[];
        extraState: Record<string, unknown>;
    });
    get extraState(): Record<string, unknown>;
    shareWith(next: TaskSnapshot): void;
}

declare class TaskState {
    readonly task: Task;
    stepQueue: TaskStep[];
    completedSteps: TaskStepOutput[];
    snapshots: TaskSnapshot[];
    memoryLength: number | null;
    conversationLength: number | null;
    finalState: Record<string, unknown> | null;
    lastStepNumber: number;
    readonly stepNumbers: Map<string, number>;
    readonly announced: Set<string>;
    ownsConversation: boolean;
    readonly results: Map<number, Map<string, Json>>;
    readonly live: Map<number, Map<string, () => unknown>>;
    response: AgentChatResponse | StreamingAgentChatResponse | null;
    private current;
    private readonly waiting;
    private awaited;
    private noteAwaited;
    constructor(options: {
        task: Task;
        stepQueue?: TaskStep[];
        completedSteps?: TaskStepOutput[];
    });
    get phase(): TaskPhase;
    get busy(): boolean;
    enter(phase: TaskPhase, reason?: string): void;
    nextPhase(): Promise<void>;
    whenAwaited(): Promise<void>;
    numberOf(stepId: string): number;
    forgetNumber(stepId: string): void;
}

interface TaskStepDict {
    task_id: string;
    step_id: string;
    input: string | null;
    step_state: Record<string, unknown>;
    next_steps: Record<string, StepReference>;
    prev_steps: Record<string, StepReference>;
    is_ready: boolean;
}

interface TaskStepOptions {
    taskId: string;
    stepId: string;
    input?: string | null | undefined;
    stepState?: Record<string, unknown> | undefined;
    nextSteps?: ReadonlyMap<string, TaskStep> | undefined;
    prevSteps?: ReadonlyMap<string, TaskStep> | undefined;
    isReady?: boolean | undefined;
}

interface TaskStepOutputDict {
    output: unknown;
    task_step: TaskStepDict;
    next_steps: TaskStepDict[];
    is_last: boolean;
    status?: 'awaiting_approval';
}

declare function expandJournal(entries: readonly unknown[]): unknown[];

declare function isHandledError(result: unknown): result is {
    readonly $error: Json;
};

declare function journalEntries(store: TaskStore, taskId: string): Promise<unknown[] | null>;

declare const passThrough: JournalPort;

// ======== @x/agents/chats

type AllowFile = (file: SubmittedFile) => boolean;

interface AnswerTurnOptions<Options extends object> {
    run: Options & {
        memory?: BaseMemory | undefined;
    };
    mayContinue: false | ((taskId: string) => boolean | Promise<boolean>);
    allowFile?: AllowFile | undefined;
    by?: string | undefined;
}

interface ChatAgent<Options extends object> extends DecidingAgent, Partial<Pick<TasksAgent, 'taskFor' | 'openTask'>> {
    conversation(): {
        readonly memory: BaseMemory;
    };
    runEvents(input: AgentInput, options: Options & {
        taskId?: string;
        memory?: BaseMemory;
    }): AsyncGenerator<AgentEvent>;
    resumeTask(taskId: string, options: {
        memory: BaseMemory | undefined;
    }): Promise<unknown>;
    getPendingApprovals(taskId: string): readonly {
        id: string;
        awaits?: 'approval' | 'result';
    }[];
}

interface ChatDecisionTurn {
    readonly taskId: string;
    readonly decisions: readonly ToolDecision[];
}

interface ChatMessageTurn {
    readonly content: MessageContent;
    readonly messageId?: string | undefined;
    readonly shown?: readonly string[] | undefined;
    readonly taskId?: never;
}

interface ChatProtocol<Sent extends object = object> {
    read(body: unknown): ChatTurn & {
        readonly id: string;
        readonly sent?: Sent;
    };
    lines(events: AsyncIterable<AgentEvent>, chat: UserChat & Sent): AsyncIterable<string>;
    withoutBody?(): Sent;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly name?: string | undefined;
}

type ChatRouteOptions<Options extends object, Chat extends UserChat = UserChat> = {
    agent: ChatAgent<Options> | ((chat: Chat) => ChatAgent<Options> | Promise<ChatAgent<Options>>);
    user: (request: Request) => string | null | Promise<string | null>;
    chatStore: ChatStore;
    streams?: ChatStreams | undefined;
    allowFile?: AllowFile | undefined;
    origins?: readonly string[] | undefined;
    maxBodyBytes?: number | undefined;
    waitUntil?: ((work: Promise<void>) => void) | undefined;
    onError?: OnChatError | undefined;
} & (Record<never, never> extends Options ? {
    run?: ((chat: Chat) => ChatRun<Options>) | undefined;
} : {
    run: (chat: Chat) => ChatRun<Options>;
});

type ChatRun<Options extends object> = Omit<Options, 'memory' | 'conversation' | 'chatHistory' | 'taskId' | 'signal'> & {
    readonly [Chosen in 'memory' | 'conversation' | 'chatHistory' | 'taskId' | 'signal']?: never;
};

interface ChatStreamWriter {
    readonly stopped: AbortSignal;
    writeLine(line: string): void;
    finish(): Promise<void>;
}

interface ChatStreams {
    begin(chat: string): Promise<ChatStreamWriter | null>;
    follow(chat: string): Promise<AsyncIterable<string> | null>;
    stop(chat: string): Promise<void>;
}

type ChatTurn = ChatMessageTurn | ChatDecisionTurn;

type OnChatError = (error: ErrorData) => string;

interface StoredStreamsOptions {
    pollMs?: number | undefined;
    deadAfterMs?: number | undefined;
}

interface StreamRows {
    put(key: string, value: Record<string, unknown>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<Record<string, unknown> | null>;
    getMany(keys: readonly string[], collection?: string): Promise<(Record<string, unknown> | null)[]>;
    deleteMany(keys: readonly string[], collection?: string): Promise<void>;
}

interface StreamStore extends StreamRows {
    transaction?<T>(work: (store: StreamRows) => Promise<T>): Promise<T>;
}

interface SubmittedFile {
    readonly url: string;
    readonly mediaType: string;
    readonly filename?: string | undefined;
}

interface UserChat {
    readonly user: string;
    readonly id: string;
    readonly request: Request;
}

declare function answerTurn<Options extends object>(agent: ChatAgent<Options>, turn: ChatTurn, { run, mayContinue, allowFile, by }: AnswerTurnOptions<Options>): AsyncGenerator<AgentEvent, void, undefined>;

declare function chatKey(user: string, id: string): string;

declare function chatRoute<Options extends object, Sent extends object = object>(options: ChatRouteOptions<Options, UserChat & Sent>, protocol: ChatProtocol<Sent>): (request: Request) => Promise<Response>;

declare function checkFiles(where: string, content: string | readonly unknown[], isAllowed?: AllowFile): void;

declare function linesResponse(lines: AsyncIterable<string>, headers?: Readonly<Record<string, string>>): Response;

declare function loadChat(chatStore: ChatStore, user: string, id: string): Promise<ChatMessage[]>;

declare function memoryChatStreams(): ChatStreams;

declare function messageId({ additionalKwargs }: ChatMessage): string | undefined;

declare function shownEvents(events: AsyncIterable<AgentEvent>, onError?: OnChatError): AsyncGenerator<AgentEvent, void, undefined>;

declare function storedChatStreams(store: StreamStore, options?: StoredStreamsOptions): ChatStreams;

// ======== @x/agents/durable

type AgentDescription = Readonly<Record<string, string>>;

declare class AgentSetupError extends AgentError {
    constructor(cause: unknown);
    get retryable(): boolean;
}

interface ChatOfTasks {
    readonly conversationId: string;
    readonly chatStore: ChatStore;
}

type ChatTask = OpenTask | {
    readonly taskId: string;
    readonly events?: never;
} | 'busy';

interface DescribedAgent {
    readonly agentWorker: object;
}

interface DurableTasks {
    submit(input: AgentInput, options?: SubmitTaskOptions): Promise<string>;
    status(taskId: string): Promise<TaskStatus>;
    answer(taskId: string): Promise<AnswerJson>;
    waiting(taskId: string): Promise<readonly WaitingCall[]>;
    decide(taskId: string, decision: ToolDecision): Promise<void>;
    events(taskId: string, options?: TaskEventsOptions): AsyncIterable<TaskEvents>;
    cancel(taskId: string): Promise<void>;
    retry(taskId: string): Promise<void>;
    fork(taskId: string, options?: ForkTaskOptions): Promise<string>;
}

interface ForkTaskOptions {
    atStep?: number | undefined;
    taskId?: string | undefined;
}

declare class KeptResults {
    private readonly results;
    constructor(saved?: Iterable<readonly [string, Json]>);
    port(durable: Durable): Durable;
    forRetry(): [string, Json][];
}

interface MayUse {
    (request: Request, use: {
        operation: TaskOperation;
        taskId: string | undefined;
    }): boolean | Promise<boolean>;
    idFor?(request: Request, id: string | undefined): Promise<string | undefined>;
}

declare class MemoryEventLog implements TaskEventLog {
    private readonly maxTasks;
    private readonly tasks;
    constructor({ maxTasks }?: {
        maxTasks?: number;
    });
    addEvents(taskId: string, record: TaskEvents): void;
    readEvents(taskId: string, from: number): readonly TaskEvents[];
}

interface NextStepOptions {
    signal?: AbortSignal | undefined;
    context?: unknown;
    onEvent?: ((event: AgentEvent) => void) | undefined;
}

interface OpenTask {
    readonly taskId: string;
    events(signal?: AbortSignal): AsyncGenerator<AgentEvent, void, undefined>;
    cancel(): Promise<void>;
}

interface OwnedBy {
    (request: Request, use: {
        taskId: string | undefined;
    }): Promise<boolean>;
    idFor(request: Request, id: string | undefined): Promise<string | undefined>;
}

interface RefusedDecision {
    code: string;
    message: string;
    count: number;
}

declare class ReplayGate {
    isOver: boolean;
    readonly ends: (() => void)[];
    around?: <T>(work: () => T) => T;
    private held;
    deliver(report: () => void): void;
    passed(): void;
    end(): void;
    run<T>(work: () => T): T;
}

declare class RunChangedError extends TaskError {
    constructor(taskId: string, changes: string);
    get retryable(): boolean;
}

interface SteppingAgent extends WaitingAgent {
    readonly defaultToolChoice?: unknown;
    getCompletedSteps(taskId: string): readonly {
        isLast: boolean;
    }[];
    runStep(taskId: string, options: NextStepOptions): Promise<{
        isLast: boolean;
        output: unknown;
    }>;
    streamStep(taskId: string, options: NextStepOptions): Promise<{
        isLast: boolean;
        output: unknown;
    }>;
    finalizeResponse(taskId: string): Promise<AgentChatResponse>;
}

declare class StoredTasks implements DurableTasks {
    private readonly options;
    private readonly records;
    private readonly log;
    private readonly worker;
    private readonly changes;
    constructor(options: StoredTasksOptions);
    start(): Promise<void>;
    stop(): Promise<void>;
    list(state?: Exclude<TaskStatus, 'finished'>): Promise<{
        taskId: string;
        status: TaskStatus;
    }[]>;
    changed(): Promise<void>;
    submit(input: AgentInput, options?: SubmitTaskOptions): Promise<string>;
    status(taskId: string): Promise<TaskStatus>;
    answer(taskId: string): Promise<AnswerJson>;
    waiting(taskId: string): Promise<readonly WaitingCall[]>;
    decide(taskId: string, data: ToolDecision): Promise<void>;
    events(taskId: string, options?: TaskEventsOptions): AsyncGenerator<TaskEvents>;
    private follow;
    cancel(taskId: string): Promise<void>;
    retry(taskId: string): Promise<void>;
    fork(taskId: string, options?: ForkTaskOptions): Promise<string>;
    private next;
    private report;
    private reportEvent;
}

interface StoredTasksOptions {
    store: TaskStore;
    agent?: ((run: TaskRun) => BaseAgentRunner | Promise<BaseAgentRunner>) | undefined;
    chatStore?: ChatStore | undefined;
    journal?: JournalOptions | undefined;
    events?: TaskEventLog | undefined;
    maxRunning?: number | undefined;
    maxInterruptions?: number | undefined;
    pollingIntervalMs?: number | undefined;
    onError?: ((error: unknown) => void) | undefined;
}

interface SubmissionAgent {
    readonly memory: BaseMemory;
    createTask(input: AgentInput, options: {
        taskId: string;
        memory?: BaseMemory;
    }): Promise<unknown>;
}

interface SubmitTaskOptions {
    taskId?: string | undefined;
    context?: Json | undefined;
    chatHistory?: readonly ChatMessage[] | undefined;
    conversation?: ConversationRef | undefined;
}

export { SubmittedFile } // above

declare class TaskCancelledError extends TaskError {
    constructor(taskId: string);
}

declare class TaskDecisions {
    private readonly agent;
    private readonly taskId;
    private readonly refused;
    constructor(agent: WaitingAgent, taskId: string, refused?: Iterable<[string, RefusedDecision | undefined]>);
    get calls(): WaitingCall[];
    apply(decision: ToolDecision): Promise<void>;
}

interface TaskEventLog {
    addEvents(taskId: string, record: TaskEvents): Promise<void> | void;
    readEvents(taskId: string, from: number): Promise<readonly TaskEvents[]> | readonly TaskEvents[];
}

interface TaskEvents {
    call: string;
    attempt: string;
    events: AgentEvent[];
}

interface TaskEventsOptions {
    from?: number | undefined;
    signal?: AbortSignal | undefined;
}

interface TaskFailure {
    name: string;
    code: string;
    message: string;
}

type TaskOperation = 'submit' | 'look' | 'answer' | 'events' | 'decide' | 'cancel' | 'retry' | 'fork';

interface TaskRun {
    readonly taskId: string;
    readonly durable?: JournalPort | undefined;
    readonly newId?: (() => string) | undefined;
    readonly now?: (() => number) | undefined;
    readonly taskStore?: Journal | undefined;
    readonly signal: AbortSignal;
    readonly context: Json | undefined;
}

type TaskStatus = 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled';

interface TaskSubmission {
    input: MessageContent | Dict;
    context?: Json | undefined;
    chatHistory?: readonly Dict[] | undefined;
    conversation?: ConversationRef | undefined;
}

declare class TasksAgent {
    readonly agentWorker: object;
    private readonly tasks;
    private readonly continued;
    constructor(tasks: DurableTasks);
    conversation(): {
        readonly memory: BaseMemory;
    };
    runEvents(input: AgentInput, options?: TasksAgentRunOptions): AsyncGenerator<AgentEvent, void, undefined>;
    private run;
    taskFor(chat: ChatOfTasks, message: string): Promise<ChatTask>;
    openTask(chat: ChatOfTasks): Promise<OpenTask | undefined>;
    open(taskId: string): OpenTask;
    private read;
    private untilWaiting;
    private lookForRefusal;
    resumeTask(taskId: string): Promise<boolean>;
    getPendingApprovals(taskId: string): readonly WaitingCall[];
    approve(taskId: string, callId: string, options?: {
        always?: boolean;
        by?: string;
    }): Promise<void>;
    reject(taskId: string, callId: string, reason?: string, options?: {
        by?: string;
    }): Promise<void>;
    edit(taskId: string, callId: string, args: Record<string, unknown>, options?: {
        by?: string;
    }): Promise<void>;
    provideResult(taskId: string, callId: string, result: Json, options?: {
        isError?: boolean;
        by?: string;
    }): Promise<void>;
    private decide;
    private release;
    private submit;
}

interface TasksAgentRunOptions {
    taskId?: string | undefined;
    memory?: BaseMemory | undefined;
    context?: Json | undefined;
    signal?: AbortSignal | undefined;
}

interface TasksHandlerOptions {
    mayUse: MayUse;
    context?: ((request: Request) => Json | undefined | Promise<Json | undefined>) | undefined;
    by?: ((request: Request) => string | undefined | Promise<string | undefined>) | undefined;
    path?: string | undefined;
    maxBodyBytes?: number | undefined;
    allowFile?: ((file: SubmittedFile, request: Request) => boolean) | undefined;
}

declare class UnsupportedOperationError extends AgentError {
    readonly operation: string;
    constructor(where: string, operation: string, advice: string);
}

interface WaitingAgent extends DecidingAgent {
    getPendingApprovals(taskId: string): readonly PendingToolCall[];
}

interface WaitingCall {
    id: string;
    name: string;
    arguments: Record<string, unknown> | string;
    awaits: 'approval' | 'result';
    schema?: JsonSchema;
    parent?: string;
    refused?: RefusedDecision;
}

declare function checkDescription(taskId: string, recorded: AgentDescription, current: AgentDescription): void;

declare function checkForkStep(taskId: string, atStep: number, completed: number): void;

declare function checkRetry(taskId: string, status: TaskStatus): void;

declare function checkTaskId(where: string, taskId: unknown): void;

declare function createAgent<Agent>(create: () => Agent | Promise<Agent>): Promise<Agent>;

declare function createSubmittedTask(where: string, agent: SubmissionAgent, { taskId, submission, chatStore }: {
    taskId: string;
    submission: TaskSubmission;
    chatStore?: ChatStore | undefined;
}): Promise<BaseMemory | undefined>;

declare function describeAgent({ agentWorker }: DescribedAgent, version?: string): AgentDescription;

declare function failureError({ name, code, message }: TaskFailure, options?: ToolkitErrorOptions): ToolkitError;

declare function followEvents(log: TaskEventLog, taskId: string, { from, signal }: TaskEventsOptions, { hasEnded, pause }: {
    hasEnded: () => Promise<boolean>;
    pause: () => Promise<void>;
}): AsyncGenerator<TaskEvents>;

declare function hasEnded(status: TaskStatus): boolean;

declare function isOwned(user: string, id: string): boolean;

declare function isPiece({ type }: Pick<AgentEvent, 'type'>): boolean;

declare function isUser(user: unknown): user is string;

declare function lastMessageKey(conversationId: string): string;

declare function localOnly(handle: (request: Request) => Promise<Response>): (request: Request) => Promise<Response>;

declare function notWaiting(taskId: string, callId: string): ApprovalError;

declare function ownedBy(user: (request: Request) => string | null | Promise<string | null>): OwnedBy;

declare function ownedId(user: string, id?: string): string;

declare function readSubmission(where: string, data: unknown): TaskSubmission;

declare function requestText(request: Request, maxBytes: number): Promise<string | null>;

declare function runNextStep(agent: SteppingAgent, taskId: string, options?: NextStepOptions): Promise<AgentChatResponse | undefined>;

declare function stepNumber(name: string): number;

declare function taskFailure(error: unknown): TaskFailure;

declare function taskSubmission(where: string, input: AgentInput, { context, chatHistory, conversation }: SubmitTaskOptions): TaskSubmission;

declare function tasksHandler(tasks: DurableTasks, options: TasksHandlerOptions): (request: Request) => Promise<Response>;

declare function validEvents(records: readonly TaskEvents[]): AgentEvent[];

declare function waitingCall(taskId: string, calls: readonly WaitingCall[], { callId }: ToolDecision): WaitingCall;
