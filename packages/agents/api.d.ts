// The public types of @x/agents, written by `npm run api`.

// ======== @x/agents

declare class AbortError extends AgentError {
    constructor(cause: unknown);
}

interface ActionReasoningStep {
    readonly kind: 'action';
    readonly thought: string;
    readonly action: string;
    readonly actionInput: Readonly<Record<string, unknown>>;
}

interface AddedItems {
    list: number;
    items: unknown[];
}

declare class AgentChatResponse<Output = unknown> {
    response: string;
    sources: ToolOutput[];
    sourceNodes: NodeWithScore[];
    usage: TaskUsage | null;
    output: Output;
    constructor(options?: AgentChatResponseOptions<Output>);
    static className(): string;
    toString(): string;
    toDict(): AgentChatResponseDict;
    toParts(): Dict;
    toJSON(): AgentChatResponseDict;
    static fromDict(data: unknown, options?: ReadOptions): AgentChatResponse;
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

type AgentComponentState = Record<string, unknown>;

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
} | {
    type: 'error';
    taskId: string | null;
    error: ErrorData;
};

declare class AgentFnComponent extends DefinedComponent {
    constructor({ fn, params, outputKey, partial }: AgentFnComponentOptions);
    get contextKeys(): readonly string[];
    get '~x-agent-component'(): AgentComponentKind;
}

interface AgentFnComponentOptions {
    fn: (task: Task, state: AgentComponentState, inputs: never, options: PipelineRunOptions) => unknown;
    params: FnParams;
    outputKey?: string | undefined;
    partial?: Dict | undefined;
}

interface AgentFromLlmOptions extends Pick<ReActAgentFromToolsOptions, keyof FunctionCallingAgentOptions & keyof ReActAgentFromToolsOptions> {
    systemPrompt?: string | null | undefined;
    context?: string | null | undefined;
}

declare class AgentInputComponent extends BaseComponent {
    private readonly fn;
    constructor(options: {
        fn: (task: Task, state: AgentComponentState, more: Dict) => unknown;
        partial?: Dict | undefined;
    });
    get inputKeys(): InputKeys;
    get contextKeys(): readonly string[];
    get '~x-agent-component'(): AgentComponentKind;
    get outputKeys(): readonly string[];
    runComponent(inputs?: Readonly<Dict>): Promise<Dict>;
}

declare class AgentRunner extends BaseAgentRunner {
    defaultToolChoice: ToolChoice;
    readonly verbose: boolean;
    constructor(options: AgentRunnerOptions);
    protected makeState(task: Task, firstStep: TaskStep): TaskState;
    protected firstToolChoice(given: ToolChoice | null | undefined): ToolChoice;
}

interface AgentRunnerOptions extends BaseAgentRunnerOptions<AgentState> {
    batches?: boolean | undefined;
    defaultToolChoice?: ToolChoice | undefined;
    verbose?: boolean | undefined;
}

declare class AgentState<State extends TaskState = TaskState> {
    readonly taskDict: BoxedMap<string, State>;
    get(taskId: string): State;
    reset(): void;
}

declare class AgentTool extends QuestionTool {
    readonly agent: ToolAgent;
    readonly canWait = true;
    private readonly conversation;
    private readonly lasting;
    private readonly running;
    constructor(options: AgentToolOptions);
    call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
    protected questionFor(input: Record<string, unknown> | string | number, _context: Partial<ToolCallContext>): Promise<string>;
    protected memoryOf(context: Partial<ToolCallContext>): Promise<BaseMemory>;
    private inTurn;
    private run;
    private knows;
    private forget;
    private decide;
}

type AgentToolConversation = 'fresh' | 'lasting' | ((context: Partial<ToolCallContext>) => BaseMemory | Promise<BaseMemory>);

interface AgentToolOptions extends QuestionToolOptions {
    agent: ToolAgent;
    conversation?: AgentToolConversation | undefined;
}

interface AgentWorker extends HasPrompts {
    initializeStep(task: Task): TaskStep | Promise<TaskStep>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    finalizeTask(task: Task): void | Promise<void>;
    editCall?(call: PendingToolCall, args: Record<string, unknown>, task: Task): PendingToolCall | Promise<PendingToolCall>;
    readsState?(extraState: Readonly<Record<string, unknown>>): boolean;
    readonly callbackManager: CallbackManager | null;
    setCallbackManager(callbackManager: CallbackManager): void;
}

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

declare class ApprovalError extends AgentError {
    constructor(message: string);
}

declare class ApprovalRequiredError extends TaskError {
    readonly calls: readonly PendingToolCall[];
    constructor(taskId: string, calls: readonly PendingToolCall[]);
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

interface AsyncBaseTool {
    readonly metadata: ToolMetadata;
    readonly takesArguments: true;
    readonly needsApproval?: NeedsApproval | undefined;
    readonly timeoutMs?: number | null | undefined;
    readonly canWait?: boolean | undefined;
    readonly isExternal?: boolean | undefined;
    call(args: Record<string, unknown>, context?: Partial<ToolCallContext>): ToolOutput | Promise<ToolOutput>;
}

declare abstract class BaseAgentRunner<State extends TaskState = TaskState> extends RunnerTasks<State> {
    protected readonly timeouts: RunTimeouts;
    protected readonly batches: boolean;
    private readonly steps;
    private readonly conversations;
    constructor(options: BaseAgentRunnerOptions<AgentState<State>>, { emptyState, batches }: {
        emptyState: () => AgentState<State>;
        batches: boolean;
    });
    protected abstract firstToolChoice(given: ToolChoice | null | undefined): ToolChoice;
    get chatHistory(): ChatMessage[];
    conversation(options?: {
        memory?: BaseMemory | null | undefined;
        chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    }): Conversation;
    reset(): Promise<void>;
    chat(message: string, options?: ChatOptions): Promise<AgentChatResponse>;
    streamChat(message: string, options?: ChatOptions): Promise<StreamingAgentChatResponse>;
    runTask(taskId: string, options?: RunTaskOptions): Promise<AgentChatResponse>;
    streamTask(taskId: string, options?: RunTaskOptions): Promise<StreamingAgentChatResponse>;
    runEvents(message: string, options?: ChatOptions & {
        stream?: boolean;
        taskId?: string;
    }): AsyncGenerator<AgentEvent>;
    private converse;
    private memoryOfRun;
    private scratch;
    private runToEnd;
    private withRunDeadline;
    private finish;
    private advance;
    protected runBatch(state: State, steps: readonly TaskStep[], run: StepRunOptions, input?: string | null): Promise<TaskStepOutput[]>;
    runStep(taskId: string, options?: RunStepOptions): Promise<TaskStepOutput>;
    streamStep(taskId: string, options?: RunStepOptions): Promise<TaskStepOutput>;
    private runOnly;
    finalizeResponse(taskId: string, stepOutput?: TaskStepOutput | null): Promise<Answer>;
    query(query: string | QueryBundle, options?: {
        signal?: AbortSignal | undefined;
        parentId?: string | undefined;
    }): Promise<QueryResponse>;
    asQueryComponent(options?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
    chatRepl(io: ChatReplIo): Promise<void>;
    streamingChatRepl(io: ChatReplIo): Promise<void>;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
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
    timeouts?: RunTimeouts | undefined;
    taskStore?: TaskStore | undefined;
    openConversation?: ((conversationId: string) => BaseMemory | Promise<BaseMemory>) | undefined;
    registry?: ClassRegistry | readonly SavableClass[] | undefined;
    newId?: (() => string) | undefined;
    now?: (() => number) | undefined;
    durable?: Durable | undefined;
}

interface BaseTool {
    readonly metadata: ToolMetadata;
    call(input: string, context?: Partial<ToolCallContext>): ToolOutput | Promise<ToolOutput>;
}

declare class BudgetExceededError extends TaskError {
    constructor(taskId: string, message: string);
}

interface CallsTurn {
    kind: 'calls';
    calls: ToolCall[];
    thought?: string;
    text?: string;
    message: ChatMessage;
}

interface ChatAgent {
    reset(): Promise<void> | void;
    chat(message: string): Promise<AgentChatResponse>;
    streamChat(message: string): Promise<StreamingAgentChatResponse>;
}

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
    toDict(): ChatMemoryBufferDict;
    toParts(): Record<string, unknown>;
    toString(): string;
    static fromDict(data: unknown, options?: {
        tokenizerFn?: Tokenizer;
    }): ChatMemoryBuffer;
    static fromString(text: string, options?: {
        tokenizerFn?: Tokenizer;
    }): ChatMemoryBuffer;
}

interface ChatMemoryBufferDefaults {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | undefined;
    llm?: Pick<BaseLLM, 'metadata'> | undefined;
    tokenLimit?: number | undefined;
    tokenizerFn?: Tokenizer | undefined;
    chatStore?: SyncChatStore | undefined;
    chatStoreKey?: string | undefined;
}

interface ChatMemoryBufferDict {
    token_limit: number;
    chat_store: {
        store: Record<string, unknown[]>;
        class_name: string;
    };
    chat_store_key: string;
    class_name: 'ChatMemoryBuffer';
}

interface ChatMemoryBufferOptions {
    tokenLimit: number;
    tokenizerFn?: Tokenizer | undefined;
    chatStore?: SyncChatStore | undefined;
    chatStoreKey?: string | undefined;
}

interface ChatOptions extends RunContextOptions {
    memory?: BaseMemory | null | undefined;
    conversation?: {
        readonly memory: BaseMemory;
    } | null | undefined;
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    toolChoice?: ToolChoice | null | undefined;
    text?: 'last' | 'all' | undefined;
    keepsReading?: boolean | undefined;
    signal?: AbortSignal | undefined;
}

interface ChatReplIo {
    input(prompt: string): Promise<string | null | undefined> | string | null | undefined;
    output(text: string): void;
}

type ChatResponseMode = 'wait' | 'stream';

interface CheckedArguments {
    value: unknown;
    issues: ArgumentIssue[];
}

interface ContextRetriever {
    retrieve(query: string, options?: {
        signal?: AbortSignal | undefined;
    }): Promise<readonly {
        getContent(mode: 'llm'): string;
    }[]>;
}

interface ContextWindowOptions {
    maxTokens?: number | null | undefined;
    reservedTokens?: number | undefined;
    keepTurns?: number | undefined;
    summarize?: boolean | Summarize | undefined;
    tokenizer?: Tokenizer | undefined;
}

declare class Conversation {
    readonly memory: BaseMemory;
    private readonly agent;
    constructor(agent: ConversationAgent, memory: BaseMemory);
    get chatHistory(): ChatMessage[];
    chat(message: string, options?: ConversationOptions): Promise<AgentChatResponse>;
    streamChat(message: string, options?: ConversationOptions): Promise<StreamingAgentChatResponse>;
    runEvents(message: string, options?: ConversationOptions & {
        stream?: boolean;
        taskId?: string;
    }): AsyncGenerator<AgentEvent>;
}

declare class ConversationBusyError extends AgentError {
    constructor();
}

type ConversationOptions = Omit<ChatOptions, 'memory' | 'conversation' | 'chatHistory'>;

interface CreateTaskOptions {
    taskId?: string | undefined;
    extraState?: Readonly<Record<string, unknown>> | undefined;
    callbackManager?: CallbackManager | undefined;
    memory?: BaseMemory | null | undefined;
}

declare abstract class CustomAgentComponent extends CustomQueryComponent {
    get contextKeys(): readonly string[];
    get '~x-agent-component'(): AgentComponentKind;
    get inputKeys(): {
        required: string[];
        optional: readonly string[];
    };
}

declare abstract class CustomSimpleAgentWorker extends CustomSimpleAgentWorkerModel implements AgentWorker {
    constructor(options: CustomSimpleAgentWorkerOptions);
    static fromTools<T extends CustomSimpleAgentWorker>(this: new (options: never) => T, options: Omit<CustomSimpleAgentWorkerOptions, 'tools'> & Pick<ToolLoopOptions, 'tools'>): T;
    protected abstract _initializeState(task: Task): Record<string, unknown> | Promise<Record<string, unknown>>;
    protected abstract _runStep(state: Record<string, unknown>, task: Task, options: CustomStepOptions): CustomStepResult | Promise<CustomStepResult>;
    protected _streamStep(_state: Record<string, unknown>, _task: Task, _options: CustomStepOptions): CustomStepResult | Promise<CustomStepResult>;
    protected _finalizeTask(_state: Record<string, unknown>): void | Promise<void>;
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    getTools(input: string, options?: ObjectRetrieveOptions): Promise<AsyncBaseTool[]>;
    initializeStep(task: Task): Promise<TaskStep>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    private step;
    finalizeTask(task: Task): Promise<void>;
}

interface CustomSimpleAgentWorkerFields {
    tools: readonly Tool[];
    llm: BaseLLM;
    callbackManager: CallbackManager | null;
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

interface CustomStepOptions {
    input: string | null;
    signal: AbortSignal | undefined;
    context: unknown;
}

type CustomStepResult = readonly [AgentChatResponse | StreamingAgentChatResponse, boolean];

declare class CutAnswerError extends TaskError {
    readonly reason: 'length' | 'content_filter';
    readonly text: string;
    constructor(taskId: string, reason: 'length' | 'content_filter', text: string);
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

declare class DeadlineExceededError extends AgentError {
    readonly milliseconds: number;
    constructor(what: string, milliseconds: number);
}

type DescribedTool = Pick<AsyncBaseTool, 'metadata'>;

type Durable = <T extends Json>(name: string, fn: () => Promise<T>) => Promise<T>;

interface ErrorData {
    name: string;
    code: string | null;
    message: string;
    retryable: boolean;
}

interface FailedToolCall {
    call: ToolCall;
    error: ToolNotFoundError | ToolInputError | ToolArgumentsError;
    tools: readonly AsyncBaseTool[];
}

type FailurePolicy = 'observe' | 'raise';

declare class FunctionCallingAgent extends AgentRunner {
    readonly agentWorker: FunctionCallingAgentWorker;
    constructor(options: FunctionCallingAgentOptions);
    static fromTools<const Schema extends ToolSchema | undefined = undefined>(options: FunctionCallingAgentOptions & {
        output?: Schema;
    }): WithOutput<FunctionCallingAgent, Schema>;
}

interface FunctionCallingAgentOptions extends FunctionCallingAgentWorkerOptions, RunnerOptionsOfAgent {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    memory?: BaseMemory | null | undefined;
    memoryCls?: MemoryClass | undefined;
}

declare class FunctionCallingAgentWorker extends ToolLoopWorker {
    readonly prefixMessages: readonly ChatMessage[];
    constructor(options: FunctionCallingAgentWorkerOptions);
    static fromTools(options: FunctionCallingAgentWorkerOptions): FunctionCallingAgentWorker;
}

interface FunctionCallingAgentWorkerOptions extends ToolLoopOptions {
    systemPrompt?: string | null | undefined;
    prefixMessages?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
}

type FunctionResult<Output extends ToolSchema> = ResultOf<Output> | ToolOutput | Promise<ResultOf<Output> | ToolOutput>;

declare class FunctionTool implements AsyncBaseTool {
    readonly takesArguments = true;
    readonly metadata: ToolMetadata;
    readonly needsApproval: NeedsApproval;
    readonly timeoutMs: number | null | undefined;
    readonly isExternal: boolean;
    private readonly fn;
    private readonly outputSchema;
    private constructor();
    static fromDefaults<const Schema extends ToolSchema, Context = unknown>(options: FunctionToolOptions<Schema, Context> & {
        outputSchema?: undefined;
    }): FunctionTool;
    static fromDefaults<const Schema extends ToolSchema, const Output extends ToolSchema, Context = unknown>(options: FunctionToolOptions<Schema, Context, FunctionResult<Output>> & {
        outputSchema?: Output | undefined;
    }): FunctionTool;
    static external<const Schema extends ToolSchema>(options: Omit<FunctionToolOptions<Schema>, 'fn' | 'timeoutMs'>): FunctionTool;
    call(args: Record<string, unknown>, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
    toOutput(result: unknown, args: unknown, signal?: AbortSignal): Promise<ToolOutput>;
    private checkResult;
    private check;
}

interface FunctionToolOptions<Schema extends ToolSchema, Context = unknown, Result = unknown> {
    fn: (args: ArgumentsOf<Schema>, context: ToolCallContext<Context>) => Result;
    schema: Schema;
    name?: string | undefined;
    description?: string | undefined;
    parameters?: object | undefined;
    outputSchema?: ToolSchema | undefined;
    returnDirect?: boolean | undefined;
    needsApproval?: boolean | ((args: ArgumentsOf<Schema>, context: ToolCallContext<Context>) => boolean | Promise<boolean>) | undefined;
    timeoutMs?: number | null | undefined;
    title?: string | undefined;
    annotations?: ToolAnnotations | undefined;
    strict?: boolean | undefined;
}

type Guard<T, Subject = T> = (subject: Subject, context: GuardContext) => GuardVerdict<T> | Promise<GuardVerdict<T>>;

declare class GuardBlockedError extends TaskError {
    readonly stage: 'input' | 'answer';
    readonly reason: string;
    constructor(taskId: string, stage: 'input' | 'answer', reason: string);
}

interface GuardContext {
    readonly task: Task;
    readonly context: unknown;
    readonly signal: AbortSignal | undefined;
}

type GuardVerdict<T> = {
    block: string;
} | {
    replace: T;
} | null | undefined;

interface GuardedCall {
    readonly id: string;
    readonly toolName: string;
    readonly arguments: Readonly<Record<string, unknown>>;
}

interface Guards {
    input?: Guard<string> | undefined;
    tool?: Guard<Record<string, unknown>, GuardedCall> | undefined;
    answer?: Guard<string> | undefined;
}

declare class HandoffTool extends AgentTool {
    constructor(options: HandoffToolOptions);
    protected questionFor(input: Record<string, unknown> | string | number, { task }: Partial<ToolCallContext>): Promise<string>;
    protected memoryOf(context: Partial<ToolCallContext>): Promise<BaseMemory>;
}

interface HandoffToolOptions extends Omit<AgentToolOptions, 'conversation' | 'returnDirect' | 'schema' | 'toQuestion'> {
    description: string;
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
    steps: {
        step_id: string;
        number: number;
    }[];
    state: StateChange;
}
 | {
    type: 'result';
    step: number;
    name: string;
    value: Json;
}
 | {
    type: 'drop';
    step: number;
}
 | {
    type: 'step';
    steps: TaskStepDict[];
    outputs: SavedStepOutput[];
    failed: string[];
    queue: TaskStepDict[];
    state: StateChange;
}
 | {
    type: 'decision';
    call_id: string;
    decision: string;
    by?: string;
    state: StateChange;
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

type Json = null | boolean | number | bigint | string | readonly Json[] | {
    readonly [key: string]: Json | undefined;
};

declare class JsonProtocol implements ToolCallingProtocol {
    readonly name = "json";
    private readonly systemPrompt;
    constructor({ systemPrompt }?: JsonProtocolOptions);
    initialState(): Record<string, unknown>;
    acceptInput(input: string, _step: TaskStep, task: Task): void;
    request({ task, tools }: RequestContext): Promise<ModelRequest>;
    private systemText;
    read(message: ChatMessage): Turn;
    reader(): TextReader;
    recordCalls({ message }: CallsTurn, task: Task): void;
    editCall({ name, arguments: given }: ToolCall, task: Task): void;
    recordOutput(call: ToolCall, { content, isError }: ToolOutput, task: Task): void;
    recordAnswer(text: string, _turn: Turn, task: Task): void;
    recordUnreadable({ text, observation }: Turn & {
        kind: 'unreadable';
    }, task: Task): void;
    outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
    lastText(task: Task): string | null;
}

interface JsonProtocolOptions {
    systemPrompt?: string | undefined;
}

interface LeftOut {
    messages: number;
    turns: number;
    summary: string | null;
    maxTokens: number | null;
}

declare class LegacyFunctionCallingAgent extends LegacyAgent {
    private readonly contextRetriever;
    private readonly qaPrompt;
    private readonly contextSeparator;
    constructor({ contextRetriever, qaPrompt, contextSeparator, ...options }: LegacyFunctionCallingAgentOptions);
    static fromTools(options: LegacyFunctionCallingAgentOptions): LegacyFunctionCallingAgent;
    protected prepare(message: string, { signal }: ChatOptions): Promise<string>;
}

interface LegacyFunctionCallingAgentOptions extends FunctionCallingAgentOptions {
    contextRetriever?: ContextRetriever | undefined;
    qaPrompt?: BasePromptTemplate | undefined;
    contextSeparator?: string | undefined;
}

declare class LegacyReActAgent extends LegacyAgent {
    constructor(options: ReActAgentFromToolsOptions);
    static fromTools(options: ReActAgentFromToolsOptions): LegacyReActAgent;
}

interface LoadTaskOptions {
    memory?: BaseMemory | null | undefined;
}

interface LoopState {
    protocol: string;
    sources: ToolOutput[];
    new_memory: ChatMemoryBuffer;
    n_iterations: number;
    n_function_calls: number;
    usage: TaskUsage;
    pending_calls?: PendingToolCall[] | undefined;
    allowed_tools?: string[] | undefined;
    output_repairs?: number | undefined;
    failing_call?: {
        key: string;
        times: number;
    } | undefined;
    left_out?: LeftOut | undefined;
    last_call?: boolean | undefined;
}

type MakeProtocol = (options: ReActProtocolOptions) => ReActProtocol;

declare class MaxIterationsError extends TaskError {
    readonly lastOutput: string | null;
    constructor(taskId: string, limit: string, lastOutput: string | null);
}

interface MemoryClass {
    fromDefaults(options: ChatMemoryBufferDefaults): BaseMemory;
}

declare class MemoryTaskStore implements TaskStore {
    private readonly tasks;
    append(taskId: string, entries: readonly JournalEntry[], revision: number): boolean;
    load(taskId: string): readonly unknown[] | null;
    list({ unfinished, conversationId }?: TaskFilter): TaskSummary[];
    delete(taskId: string): void;
}

interface ModelRequest {
    messages: ChatMessage[];
    options: CallOptions;
}

declare class MultimodalReActAgentWorker extends ReActAgentWorker {
    constructor({ multiModalLlm, generateChatMessageFn, ...options }: MultimodalReActAgentWorkerOptions);
    initializeStep(task: Task): TaskStep;
    streamStep(): Promise<TaskStepOutput>;
}

interface MultimodalReActAgentWorkerOptions extends Omit<ReActAgentWorkerOptions, 'llm'> {
    multiModalLlm: BaseLLM;
    generateChatMessageFn?: ((parts: ImageMessageParts) => ChatMessage) | undefined;
}

declare class MultipleFinalStepsError extends TaskError {
    constructor(taskId: string, outputs: number);
}

declare class NativeProtocol implements ToolCallingProtocol {
    readonly name = "native";
    private readonly prefixMessages;
    constructor(prefixMessages?: readonly ChatMessage[]);
    initialState(): Record<string, unknown>;
    acceptInput(input: string, _step: TaskStep, task: Task): void;
    request({ task, tools, toolChoice }: RequestContext): Promise<ModelRequest>;
    read(message: ChatMessage): Turn;
    reader(offersTools: boolean): TextReader;
    recordCalls({ message, calls }: CallsTurn, task: Task): void;
    editCall(edited: ToolCall, task: Task): void;
    recordOutput(call: ToolCall, output: ToolOutput, task: Task): void;
    recordAnswer(text: string, turn: Turn, task: Task): void;
    recordUnreadable({ text, observation }: Turn & {
        kind: 'unreadable';
    }, task: Task): void;
    outputText(turn: Turn): string;
    lastText(task: Task): string | null;
}

type NeedsApproval = boolean | ((args: never, context: Partial<ToolCallContext>) => boolean | Promise<boolean>);

declare class NoCompletedStepError extends TaskError {
    constructor(taskId: string);
}

declare class NoUpcomingStepError extends TaskError {
    constructor(taskId: string);
}

interface NodesPostprocessor {
    postprocessNodes(nodes: readonly NodeWithScore[], options: {
        queryStr: string;
        signal?: AbortSignal | undefined;
        onProgress?: ((progress: unknown) => void) | undefined;
    }): Promise<NodeWithScore[]> | NodeWithScore[];
}

declare class NothingToUndoError extends TaskError {
    constructor(taskId: string);
}

interface ObservationReasoningStep {
    readonly kind: 'observation';
    readonly observation: unknown;
}

type OutputMode = 'tool' | 'response_format';

type OutputOf<Schema> = Schema extends {
    '~standard': {
        types?: infer Types;
    };
} ? NonNullable<Types> extends {
    output: infer Output;
} ? Output : unknown : Schema extends object ? ResultOf<Schema> : null;

declare class ParallelAgentRunner extends BaseAgentRunner<DAGTaskState> {
    constructor(options: ParallelAgentRunnerOptions);
    protected makeState(task: Task, firstStep: TaskStep): DAGTaskState;
    protected firstToolChoice(given: ToolChoice | null | undefined): ToolChoice;
    runStepsInQueue(taskId: string, options?: RunTaskOptions & {
        mode?: ChatResponseMode;
    }): Promise<TaskStepOutput[]>;
}

interface ParallelAgentRunnerOptions extends Omit<BaseAgentRunnerOptions<never>, 'state'> {
    state?: DAGAgentState | null | undefined;
}

interface PendingToolCall extends ToolCall {
    awaits?: 'approval' | 'result';
    needsApproval: boolean;
    decision: 'approve' | 'reject' | 'result' | null;
    reason?: string;
    output?: ToolOutput;
    parent?: string;
    taskId?: string;
    result?: Json;
    isError?: boolean;
    place?: string;
}

type PrepareStep = (plan: StepPlan) => PreparedStep | null | undefined | Promise<PreparedStep | null | undefined>;

interface PreparedStep {
    llm?: BaseLLM | undefined;
    tools?: readonly (Tool | string)[] | undefined;
    toolChoice?: ToolChoice | undefined;
    messages?: readonly ChatMessage[] | undefined;
    modelOptions?: CallOptions | undefined;
}

interface QueryEngine {
    query(query: string, options?: {
        signal?: AbortSignal | undefined;
    }): unknown;
}

declare class QueryEngineTool extends QuestionTool {
    readonly queryEngine: QueryEngine;
    readonly canWait: boolean;
    private readonly agentTool;
    constructor(options: QueryEngineToolOptions);
    static fromDefaults(options: QueryEngineToolOptions): QueryEngineTool;
    call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
}

interface QueryEngineToolOptions extends QuestionToolOptions {
    queryEngine: QueryEngine;
}

declare class QueryPipelineAgentWorker extends QueryPipelineAgentWorkerModel implements AgentWorker {
    constructor(options: QueryPipelineAgentWorkerOptions);
    get agentInputComponent(): AgentInputComponent;
    get agentComponents(): (AgentFnComponent | CustomAgentComponent)[];
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    initializeStep(task: Task): TaskStep;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(): Promise<TaskStepOutput>;
    finalizeTask(task: Task): Promise<void>;
}

interface QueryPipelineAgentWorkerFields {
    pipeline: QueryPipeline;
    callbackManager: CallbackManager | null;
    maxSteps: number | null;
    stopWhen: StopWhen | null;
}

interface QueryPipelineAgentWorkerOptions {
    pipeline: QueryPipeline;
    callbackManager?: CallbackManager | null | undefined;
    maxSteps?: number | null | undefined;
    stopWhen?: StopWhen | null | undefined;
}

declare class QueryResponse {
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
    static fromDict(data: unknown, options?: ReadOptions): QueryResponse;
}

interface QuestionToolOptions {
    name?: string | undefined;
    description?: string | undefined;
    returnDirect?: boolean | undefined;
    needsApproval?: NeedsApproval | undefined;
    timeoutMs?: number | null | undefined;
    schema?: ToolSchema | undefined;
    toQuestion?: ((args: Record<string, unknown>) => string) | undefined;
    resolveInputErrors?: boolean | undefined;
    title?: string | undefined;
    annotations?: ToolAnnotations | undefined;
}

declare class ReActAgent extends AgentRunner {
    readonly agentWorker: ReActAgentWorker;
    constructor(options: ReActAgentOptions);
    static fromTools<const Schema extends ToolSchema | undefined = undefined>(options: ReActAgentFromToolsOptions & {
        output?: Schema;
    }): WithOutput<ReActAgent, Schema>;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
}

interface ReActAgentFromToolsOptions extends Omit<ReActAgentOptions, 'memory'> {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    memory?: BaseMemory | null | undefined;
    memoryCls?: MemoryClass | undefined;
}

interface ReActAgentOptions extends ReActAgentWorkerOptions, RunnerOptionsOfAgent {
    memory: BaseMemory;
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

interface ReActAgentWorkerOptions extends ToolLoopOptions {
    reactChatFormatter?: ReActChatFormatter | null | undefined;
    outputParser?: ReActOutputParser | null | undefined;
    onParseError?: FailurePolicy | undefined;
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

declare class ReActParseError extends ToolArgumentsError {
    constructor(message: string, text: string);
}

declare class ReActProtocol implements ToolCallingProtocol {
    readonly name = "react";
    readonly outputParser: ReActOutputParser;
    formatter: ReActChatFormatter;
    private readonly onParseError;
    constructor({ formatter, outputParser, onParseError }: ReActProtocolOptions);
    initialState(): Record<string, unknown>;
    acceptInput(input: string, step: TaskStep, task: Task): void;
    protected userMessage(input: string, _step: TaskStep): ChatMessage;
    protected history(task: Task): ChatMessage[] | Promise<ChatMessage[]>;
    request({ task, tools }: RequestContext): Promise<ModelRequest>;
    read(message: ChatMessage, isStreaming: boolean): Turn;
    reader(): TextReader;
    private holdsCall;
    recordCalls({ calls, thought }: CallsTurn, task: Task): void;
    editCall({ arguments: given }: ToolCall, task: Task): void;
    recordOutput(_call: ToolCall, output: ToolOutput, task: Task): void;
    recordAnswer(text: string, turn: Turn, task: Task): void;
    recordUnreadable({ text, observation }: Turn & {
        kind: 'unreadable';
    }, task: Task): void;
    outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
    lastText(task: Task): string | null;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
}

interface ReActProtocolOptions {
    formatter: ReActChatFormatter;
    outputParser: ReActOutputParser;
    onParseError: FailurePolicy;
}

interface ReActState extends LoopState {
    current_reasoning: ReasoningStep[];
}

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

type RepairToolCall = (failed: FailedToolCall) => ToolCall | null | Promise<ToolCall | null>;

declare class RepeatedFailureError extends TaskError {
    readonly toolName: string;
    constructor(taskId: string, toolName: string, times: number, output: string);
}

declare class ReplayMismatchError extends AgentError {
    readonly fatal = true;
    constructor(message: string);
}

interface RequestContext {
    task: Task;
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

declare class RetrieverTool extends QuestionTool {
    readonly retriever: ObjectRetriever<NodeWithScore>;
    private readonly nodePostprocessors;
    constructor(options: RetrieverToolOptions);
    static fromDefaults(options: RetrieverToolOptions): RetrieverTool;
    call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
}

interface RetrieverToolOptions extends QuestionToolOptions {
    retriever: ObjectRetriever<NodeWithScore>;
    nodePostprocessors?: readonly NodesPostprocessor[] | undefined;
}

interface RunContextOptions {
    context?: unknown;
    parentId?: string | undefined;
}

interface RunStepOptions extends RunTaskOptions {
    input?: string | null | undefined;
    step?: TaskStep | null | undefined;
}

interface RunTaskOptions extends RunContextOptions {
    toolChoice?: ToolChoice | null | undefined;
    signal?: AbortSignal | undefined;
    onEvent?: OnAgentEvent | undefined;
}

interface RunTimeouts {
    totalMs?: number | null | undefined;
    stepMs?: number | null | undefined;
}

declare const SAVED_TASK_VERSION = 2;

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
    conversation: unknown[];
    owns_conversation: boolean;
    lists: unknown[][];
}

declare class SavedTaskError extends AgentError {
    constructor(message: string, options?: ToolkitErrorOptions);
}

interface StateChange {
    set: Record<string, unknown>;
    unset: string[];
    lists: AddedItems[];
}

interface StepContext<Context = unknown> {
    readonly signal?: AbortSignal | undefined;
    readonly onEvent?: ((event: StepEvent) => void) | undefined;
    readonly durable: Durable;
    readonly context: Context;
    readonly parentId: string | undefined;
    readonly memory: BaseMemory;
    readonly stepNumber: number;
    readonly completedSteps: number;
    readonly newId: () => string;
    readonly now: () => number;
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
} | {
    type: 'approval_required';
    calls: PendingToolCall[];
}
 | {
    type: 'usage';
    call: TokenUsage | null;
    total: TaskUsage;
};

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

interface StepOptions extends Partial<StepContext> {
    readonly toolChoice?: ToolChoice | undefined;
}

interface StepPlan {
    readonly task: Task;
    readonly stepNumber: number;
    readonly llm: BaseLLM;
    readonly messages: readonly ChatMessage[];
    readonly tools: readonly AsyncBaseTool[];
    readonly toolChoice: ToolChoice;
    readonly sources: readonly ToolOutput[];
    readonly usage: Readonly<TaskUsage>;
    readonly context: unknown;
}

interface StepReference {
    task_id: string;
    step_id: string;
}

interface StepStopContext {
    task: Task;
    response: unknown;
    steps: number;
}

interface StopContext {
    task: Task;
    outputs: readonly ToolOutput[];
    sources: readonly ToolOutput[];
    usage: Readonly<TaskUsage>;
}

type StopWhen = (context: StepStopContext) => boolean | Promise<boolean>;

declare class StoredChatMemory implements BaseMemory {
    readonly conversationId: string;
    readonly chatStore: ChatStore;
    readonly tokenLimit: number;
    readonly tokenizerFn: Tokenizer;
    constructor(options: StoredChatMemoryOptions);
    get({ initialTokenCount: initial }?: {
        initialTokenCount?: number;
    }): Promise<ChatMessage[]>;
    getAll(): Promise<ChatMessage[]>;
    put(message: ChatMessage | ChatMessageOptions): Promise<void>;
    set(messages: readonly (ChatMessage | ChatMessageOptions)[]): Promise<void>;
    reset(): Promise<void>;
    fresh(): ChatMemoryBuffer;
}

interface StoredChatMemoryOptions {
    chatStore: ChatStore;
    conversationId: string;
    tokenLimit?: number | undefined;
    llm?: Pick<BaseLLM, 'metadata'> | undefined;
    tokenizerFn?: Tokenizer | undefined;
}

declare class StreamingAgentChatResponse<Output = unknown> extends AgentChatResponse<Output> implements AsyncIterable<string> {
    response: string;
    done: Promise<void>;
    private readonly pieces;
    private readonly listeners;
    private readers;
    private readonly cancelStream;
    keepsReading: boolean;
    private state;
    private error;
    private toError;
    private waiting;
    private readonly followers;
    private readonly last;
    private followed;
    constructor(options: StreamingAgentChatResponseOptions<Output>);
    get isDone(): boolean;
    [Symbol.asyncIterator](): AsyncGenerator<string>;
    cancel(reason?: unknown): void;
    private leave;
    onPiece(listener: (piece: string) => void): void;
    toReadableStream(): ReadableStream<string>;
    whenDone(finish: Finisher, fail?: Failer, isRepeatable?: boolean): Promise<void>;
    whenOver(callback: () => void): void;
    mapError(toError: (error: unknown) => unknown): void;
    private pump;
    private wake;
}

interface StreamingAgentChatResponseOptions<Output = unknown> extends AgentChatResponseOptions<Output> {
    stream: AsyncIterable<string> | Iterable<string>;
    cancel?: ((reason: unknown) => void) | undefined;
    keepsReading?: boolean | undefined;
}

type Summarize = (request: SummaryRequest) => Promise<string | Summary> | string | Summary;

interface SummarizeOptions {
    llm?: BaseLLM | null | undefined;
    prompt?: string | undefined;
}

interface Summary {
    text: string;
    usage?: TokenUsage | null | undefined;
}

interface SummaryRequest {
    messages: readonly ChatMessage[];
    previous: string | null;
    maxTokens: number;
    task: Task;
    llm: BaseLLM;
    signal?: AbortSignal | undefined;
}

declare class Task extends TaskModel {
    constructor(options: TaskOptions);
    static fromDict<T extends Model>(this: ModelConstructor<T>, data: unknown, overrides?: Dict, options?: ReadOptions): T;
}

declare class TaskAlreadyExistsError extends TaskError {
    constructor(taskId: string);
}

interface TaskBudget {
    maxModelCalls?: number | null | undefined;
    maxToolCalls?: number | null | undefined;
    maxTokens?: number | null | undefined;
    maxInputTokens?: number | null | undefined;
    maxOutputTokens?: number | null | undefined;
}

declare class TaskBusyError extends TaskError {
    constructor(taskId: string);
}

declare class TaskClaimedError extends TaskError {
    constructor(taskId: string);
}

interface TaskFields {
    taskId: string;
    input: string;
    memory: BaseMemory;
    callbackManager: CallbackManager | null;
    extraState: Record<string, unknown>;
}

interface TaskFilter {
    unfinished?: boolean | undefined;
    conversationId?: string | undefined;
}

declare class TaskFinalizedError extends TaskError {
    constructor(taskId: string, wanted: string);
}

declare class TaskNotFoundError extends TaskError {
    constructor(taskId: string);
}

interface TaskOptions {
    taskId?: string | undefined;
    input: string;
    memory: BaseMemory;
    callbackManager?: CallbackManager | null | undefined;
    extraState?: Readonly<Record<string, unknown>> | undefined;
}

type TaskPhase = 'open' | 'running' | 'saving' | 'finalizing' | 'finalized';

interface TaskSnapshot {
    outputs: number;
    queue: TaskStep[];
    extraState: Record<string, unknown>;
}

declare class TaskState {
    readonly task: Task;
    stepQueue: TaskStep[];
    completedSteps: TaskStepOutput[];
    snapshots: TaskSnapshot[];
    memoryLength: number | null;
    finalState: Record<string, unknown> | null;
    lastStepNumber: number;
    readonly stepNumbers: Map<string, number>;
    readonly announced: Set<string>;
    ownsConversation: boolean;
    readonly results: Map<number, Map<string, Json>>;
    response: AgentChatResponse | StreamingAgentChatResponse | null;
    private current;
    private waiting;
    constructor(options: {
        task: Task;
        stepQueue?: TaskStep[];
        completedSteps?: TaskStepOutput[];
    });
    get phase(): TaskPhase;
    get busy(): boolean;
    enter(phase: TaskPhase, reason?: string): void;
    nextPhase(): Promise<void>;
    numberOf(stepId: string): number;
    forgetNumber(stepId: string): void;
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
    toDict(): TaskStepDict;
    toParts(): TaskStepDict;
    toJSON(): TaskStepDict;
    static fromDict(data: unknown): TaskStep;
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

declare class TaskStepOutput<Output = unknown> {
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
    toDict(): TaskStepOutputDict;
    toJSON(): TaskStepOutputDict;
    static fromDict(data: unknown, options?: ReadOptions): TaskStepOutput;
}

interface TaskStepOutputDict {
    output: unknown;
    task_step: TaskStepDict;
    next_steps: TaskStepDict[];
    is_last: boolean;
    status?: 'awaiting_approval';
}

interface TaskStore {
    append(taskId: string, entries: readonly JournalEntry[], revision: number): Promise<boolean> | boolean;
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

interface TaskUsage extends TokenUsage {
    modelCalls: number;
    toolCalls: number;
}

interface TextReader {
    push(delta: string): string;
    flush?(): string;
    readonly isAnswer: boolean;
    readonly reasoning?: string;
    readonly thought?: string;
    canStop(): boolean;
}

declare class TokenLimitError extends AgentError {
    constructor(initial: number, limit: number);
}

type Tool = BaseTool | AsyncBaseTool;

interface ToolAgent {
    readonly memory: BaseMemory;
    createTask(input: string, options: {
        taskId: string;
        memory: BaseMemory;
    }): Promise<{
        readonly taskId: string;
    }>;
    resumeTask(taskId: string): Promise<unknown>;
    getTask(taskId: string): unknown;
    runTask(taskId: string, options: {
        signal?: AbortSignal | undefined;
        context?: unknown;
        parentId?: string | undefined;
        onEvent?: ((event: AgentEvent) => void) | undefined;
    }): Promise<AgentChatResponse>;
    deleteTask(taskId: string): Promise<void>;
    getPendingApprovals(taskId: string): readonly PendingToolCall[];
    approve(taskId: string, callId: string): Promise<void>;
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

declare class ToolArgumentsError extends AgentError {
    readonly text: string;
    constructor(message: string, text: string, code?: 'tool_arguments' | 'react_parse');
}

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
    onProgress?: ((progress: unknown) => void) | undefined;
    onUsage?: ((usage: TaskUsage) => void) | undefined;
    decisions?: readonly PendingToolCall[] | undefined;
    parentId?: string | undefined;
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
    onProgress?: ((progress: unknown) => void) | undefined;
    onUsage?: ((usage: TaskUsage) => void) | undefined;
    decisions?: readonly PendingToolCall[] | undefined;
    stepId?: string | undefined;
    parentId?: string | undefined;
    once?: ((fn: () => Promise<ToolOutput>, isRepaired: boolean) => Promise<ToolOutput>) | undefined;
    onOutput?: ((output: ToolOutput) => void) | undefined;
}

interface ToolCallingProtocol {
    readonly name: string;
    initialState(): Record<string, unknown>;
    acceptInput(input: string, step: TaskStep, task: Task): void;
    request(context: RequestContext): ModelRequest | Promise<ModelRequest>;
    read(reply: ChatMessage, isStreaming: boolean): Turn;
    reader(offersTools: boolean): TextReader;
    recordCalls(turn: CallsTurn, task: Task): void;
    editCall(call: ToolCall, task: Task): void;
    recordOutput(call: ToolCall, output: ToolOutput, task: Task): void;
    recordAnswer(text: string, turn: Turn, task: Task): void;
    recordUnreadable(turn: Turn & {
        kind: 'unreadable';
    }, task: Task): void;
    outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
    lastText(task: Task): string | null;
    getPrompts?(): PromptDict;
    updatePrompts?(prompts: Readonly<PromptDict>): void;
}

type ToolChoice = string | Record<string, unknown>;

declare class ToolExecutionError extends AgentError {
    readonly toolName: string;
    readonly fatal: boolean;
    constructor(toolName: string, message: string, options?: ToolkitErrorOptions & {
        fatal?: boolean;
    });
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

interface ToolLoopOptions {
    llm: BaseLLM;
    tools?: readonly Tool[] | null | undefined;
    toolRetriever?: ObjectRetriever<Tool> | null | undefined;
    callbackManager?: CallbackManager | null | undefined;
    verbose?: boolean | undefined;
    logger?: ((text: string) => void) | undefined;
    maxIterations?: number | undefined;
    maxFunctionCalls?: number | null | undefined;
    onMaxIterations?: 'raise' | 'answer' | undefined;
    budget?: TaskBudget | undefined;
    stopWhen?: ((context: StopContext) => boolean | Promise<boolean>) | undefined;
    onToolError?: FailurePolicy | undefined;
    onUnknownTool?: FailurePolicy | undefined;
    repairToolCall?: RepairToolCall | undefined;
    maxRepeatedFailures?: number | null | undefined;
    maxParallelToolCalls?: number | undefined;
    toolTimeoutMs?: number | null | undefined;
    onCutAnswer?: 'raise' | 'continue' | 'accept' | undefined;
    modelOptions?: CallOptions | undefined;
    maxToolOutputTokens?: number | null | undefined;
    contextWindow?: ContextWindowOptions | false | undefined;
    prepareStep?: PrepareStep | undefined;
    guards?: Guards | undefined;
    output?: ToolSchema | undefined;
    outputMode?: OutputMode | undefined;
    maxOutputRepairs?: number | undefined;
    prepareMessages?: ((messages: ChatMessage[], task: Task) => ChatMessage[] | Promise<ChatMessage[]>) | undefined;
    newId?: (() => string) | undefined;
}

declare class ToolLoopWorker implements AgentWorker {
    readonly llm: BaseLLM;
    readonly protocol: ToolCallingProtocol;
    readonly options: ToolLoopOptions;
    verbose: boolean;
    maxIterations: number;
    maxFunctionCalls: number | null;
    readonly contextWindow: ContextWindow | undefined;
    readonly answerSchema: AnswerSchema | undefined;
    private manager;
    private readonly tools;
    private readonly newId;
    constructor({ protocol, ...options }: ToolLoopWorkerOptions);
    get callbackManager(): CallbackManager;
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    initializeStep(task: Task): TaskStep;
    readsState(extraState: Readonly<Record<string, unknown>>): boolean;
    getTools(input: string, options?: Pick<StepOptions, 'signal' | 'parentId'>): Promise<AsyncBaseTool[]>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    finalizeTask(task: Task): Promise<void>;
    editCall(call: PendingToolCall, args: Record<string, unknown>, task: Task): Promise<PendingToolCall>;
    log(text: string): void;
    private step;
    private toolsOf;
    private limitReached;
    private wholeTurn;
    private judge;
    private streamTurn;
    private showAnswer;
    private streamAnswer;
    private takeTurn;
    private makeCalls;
    private checkCallLimit;
    private pause;
    private resume;
    private afterCalls;
    private answer;
    private outputOf;
    private goOn;
}

interface ToolLoopWorkerOptions extends ToolLoopOptions {
    protocol: ToolCallingProtocol;
}

declare class ToolMetadata implements ToolDescription {
    readonly name: string | null;
    readonly description: string;
    readonly fnSchema: ToolSchema | null;
    readonly returnDirect: boolean;
    readonly jsonSchema: JsonSchema | undefined;
    readonly title: string | null;
    readonly annotations: ToolAnnotations;
    readonly outputSchema: JsonSchema | undefined;
    readonly strict: boolean | undefined;
    private schemaText;
    constructor(options: ToolMetadataOptions);
    private shown;
    getName(): string;
    getParametersDict(): Record<string, unknown>;
    get fnSchemaStr(): string;
    toOpenaiTool(): {
        type: 'function';
        function: Record<string, unknown>;
    };
    toOpenaiFunction(): Record<string, unknown>;
}

interface ToolMetadataOptions {
    name?: string | null | undefined;
    description: string;
    fnSchema?: ToolSchema | null | undefined;
    parameters?: object | undefined;
    returnDirect?: boolean | undefined;
    title?: string | null | undefined;
    annotations?: ToolAnnotations | undefined;
    outputSchema?: ToolSchema | null | undefined;
    strict?: boolean | undefined;
}

declare class ToolNameError extends AgentError {
    constructor();
}

declare class ToolNotFoundError extends AgentError {
    readonly toolName: string;
    constructor(toolName: string, available: readonly string[]);
}

declare class ToolRunnerComponent extends DefinedComponent {
    constructor({ tools, callbackManager, partial }: ToolRunnerComponentOptions);
}

interface ToolRunnerComponentOptions {
    tools: readonly Tool[];
    callbackManager?: CallbackManager | undefined;
    partial?: Dict | undefined;
}

type ToolSchema = object;

declare class ToolSchemaError extends AgentError {
    constructor(message: string, options?: ToolkitErrorOptions);
}

declare class ToolTimeoutError extends AgentError {
    readonly toolName: string;
    readonly milliseconds: number;
    constructor(toolName: string, milliseconds: number);
}

type Turn = 
{
    kind: 'answer';
    text: string;
    thought?: string;
    message?: ChatMessage;
    output?: unknown;
} | CallsTurn
 | {
    kind: 'unreadable';
    text: string | null;
    observation: string;
};

interface TypedRuns<Output> {
    chat(message: string, options?: ChatOptions): Promise<AgentChatResponse<Output>>;
    streamChat(message: string, options?: ChatOptions): Promise<StreamingAgentChatResponse<Output>>;
    runTask(taskId: string, options?: RunTaskOptions): Promise<AgentChatResponse<Output>>;
    streamTask(taskId: string, options?: RunTaskOptions): Promise<StreamingAgentChatResponse<Output>>;
}

interface UnparsedReasoningStep {
    readonly kind: 'unparsed';
    readonly text: string;
}

type WithOutput<Agent, Schema> = TypedRuns<OutputOf<Schema>> & Agent;

declare function adaptToAsyncTool(tool: Tool): AsyncBaseTool;

declare function agentFromLlm<const Schema extends ToolSchema | undefined = undefined>({ systemPrompt, context, ...options }: AgentFromLlmOptions & {
    output?: Schema;
}): WithOutput<ReActAgent | FunctionCallingAgent, Schema>;

declare function checkArguments(schema: object, value: unknown): CheckedArguments;

declare function factsOf(entries: readonly JournalEntry[]): {
    conversationId?: string | null;
    isFinished?: true;
};

declare function imageMessage({ prompt, role, imageDocuments }: ImageMessageParts): ChatMessage;

declare function isChatResponse(value: unknown): value is AgentChatResponse | StreamingAgentChatResponse;

declare function isReasoningDone(step: ReasoningStep): boolean;

declare const passThrough: Durable;

declare function readArguments(text: string, start?: number): ReadArguments;

declare function reasoningFromDict(data: unknown): ReasoningStep;

declare function reasoningText(step: ReasoningStep): string;

declare function reasoningToDict(step: ReasoningStep): ReasoningStepDict;

declare function resolveToolChoice(toolChoice: ToolChoice): ToolChoice;

declare function runToolCall(call: ToolCall, tools: readonly AsyncBaseTool[], options: ToolCallOptions): Promise<ToolOutput>;

declare function stepContext(task: Task, options?: Partial<StepContext>): StepContext;

declare function summarizeWith(options?: SummarizeOptions): (request: SummaryRequest) => Promise<Summary>;

// Used by them, not exported:

type AgentComponentKind = 'input' | 'function';

declare abstract class AgentError extends ToolkitError {
    constructor(code: string, message: string, options?: ToolkitErrorOptions);
}

type Answer = AgentChatResponse | StreamingAgentChatResponse;

interface AnswerRequest {
    readonly tool: AsyncBaseTool | undefined;
    readonly callOptions: CallOptions | undefined;
}

declare class AnswerSchema {
    readonly tool: FunctionTool | undefined;
    readonly callOptions: CallOptions | undefined;
    private readonly schema;
    private readonly json;
    private readonly isWrapped;
    constructor(schema: ToolSchema, mode?: OutputMode);
    judge(turn: Turn, round: Round): Promise<Turn>;
    valueOf(text: string, { task }: Pick<Round, 'task'>): Promise<unknown>;
    private judgeText;
    private checkText;
    private check;
    private argumentsOf;
    private countRepair;
    private answerTool;
}

declare class BoxedMap<K, V extends object> {
    private readonly boxes;
    get size(): number;
    has(key: K): boolean;
    get(key: K): V | undefined;
    set(key: K, value: V): this;
    delete(key: K): boolean;
    clear(): void;
    keys(): IterableIterator<K>;
    values(): V[];
}

interface ContextRequest {
    llm: BaseLLM;
    messages: readonly ChatMessage[];
    first: ChatMessage | undefined;
    tools?: readonly ToolDefinition[] | undefined;
    leftOut?: LeftOut | undefined;
    smaller?: boolean | undefined;
    task: Task;
    durable: Durable;
    name: string;
    signal?: AbortSignal | undefined;
}

declare class ContextWindow {
    private readonly options;
    private readonly tokenizer;
    private readonly summarize;
    constructor(options?: ContextWindowOptions);
    fit(request: ContextRequest): Promise<FittedRequest>;
    private surelyFits;
    private limitOf;
    private count;
    private leaveOut;
    private summarized;
    private shortened;
    private clipped;
}

interface ConversationAgent {
    chat(message: string, options: ChatOptions): Promise<AgentChatResponse>;
    streamChat(message: string, options: ChatOptions): Promise<StreamingAgentChatResponse>;
    runEvents(message: string, options: ChatOptions & {
        stream?: boolean;
        taskId?: string;
    }): AsyncGenerator<AgentEvent>;
}

declare const CustomSimpleAgentWorkerModel: typeof Declared;

declare abstract class Declared extends Model {
    constructor(options: CustomSimpleAgentWorkerOptions);
}
interface Declared extends CustomSimpleAgentWorkerFields {
}

declare abstract class Declared extends Model {
    constructor(options: QueryPipelineAgentWorkerOptions);
}
interface Declared extends QueryPipelineAgentWorkerFields {
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

type Failer = (error: unknown) => void | Promise<void>;

type Finisher = () => void | Promise<void>;

interface FittedRequest {
    messages: ChatMessage[];
    leftOut: LeftOut | undefined;
    summaryUsage?: TokenUsage | null | undefined;
}

type IsRequired<Schema, Properties, Key extends keyof Properties> = Schema extends {
    '~kind': unknown;
} ? Properties[Key] extends {
    '~optional': true;
} ? false : true : Schema extends {
    required: readonly (infer Name)[];
} ? Key extends Name ? true : false : false;

declare class JournalWriter {
    private readonly parts;
    private state;
    private staged;
    private restorable;
    constructor(classes: SavedClasses, saved?: Pick<SavedTask, 'task' | 'undo'>, lists?: ListTable);
    task(state: TaskState, conversation: readonly ChatMessage[]): SavedTask;
    start(extraState: Dict, steps: {
        step_id: string;
        number: number;
    }[]): JournalEvent;
    step(state: TaskState, { steps, outputs, failed }: StepsDone): JournalEvent;
    decision(state: TaskState, { callId, decision, by }: {
        callId: string;
        decision: string;
        by?: string | undefined;
    }): JournalEvent;
    undo(): JournalEvent;
    commit(type: JournalEvent['type']): void;
    discard(type: JournalEvent['type']): void;
    private change;
}

declare abstract class LegacyAgent {
    protected readonly agent: AgentRunner;
    private readonly tools;
    constructor(agent: AgentRunner, tools: RememberingRetriever | undefined);
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

declare class ListTable {
    added: AddedItems[];
    private readonly known;
    private readonly staged;
    private count;
    private committed;
    constructor(lists?: ReadonlyMap<number, readonly unknown[]>, count?: number);
    note(items: readonly unknown[], path: string): {
        index: number;
        start: number;
    };
    commit(): void;
    discard(): void;
}

interface LoadedJournal {
    saved: SavedTask;
    lists: ListTable;
    revision: number;
}

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

type OnAgentEvent = (event: AgentEvent) => void;

type PartOf<Part> = Part extends unknown ? ValueOf<Part> : never;

declare const QueryPipelineAgentWorkerModel: typeof Declared;

declare abstract class QuestionTool implements AsyncBaseTool {
    readonly takesArguments = true;
    readonly metadata: ToolMetadata;
    readonly needsApproval: NeedsApproval;
    readonly timeoutMs: number | null | undefined;
    private readonly options;
    constructor(options: QuestionToolOptions, defaults: {
        name: string;
        description: string;
    });
    abstract call(input: Record<string, unknown> | string | number, context?: Partial<ToolCallContext>): Promise<ToolOutput>;
    protected question(input: Record<string, unknown> | string | number): Promise<string>;
    private validated;
}

declare const ReActChatFormatterModel: typeof Declared;

declare class RememberingRetriever implements ObjectRetriever<Tool> {
    private readonly retriever;
    private last;
    constructor(retriever: ObjectRetriever<Tool>);
    retrieve(query: string, options?: ObjectRetrieveOptions): Promise<Tool[]>;
    forget(): void;
}

interface Round {
    readonly worker: RoundWorker;
    readonly step: TaskStep;
    readonly task: Task;
    readonly state: LoopState;
    readonly context: StepOptions;
    readonly streaming: boolean;
    llm: BaseLLM;
    tools: readonly AsyncBaseTool[];
    mustAnswer: boolean;
    modelCalls: number;
}

interface RoundWorker {
    readonly llm: BaseLLM;
    readonly protocol: ToolCallingProtocol;
    readonly options: ToolLoopOptions;
    readonly callbackManager: CallbackManager;
    readonly answerSchema: AnswerRequest | undefined;
    readonly maxFunctionCalls: number | null;
    readonly contextWindow: ContextWindow | undefined;
    log(text: string): void;
}

type RunnerOptionsOfAgent = Omit<AgentRunnerOptions, 'agentWorker' | 'batches' | 'chatHistory' | 'state' | 'memory' | 'llm' | 'callbackManager' | 'newId' | 'verbose'>;

declare abstract class RunnerTasks<State extends TaskState> {
    readonly agentWorker: AgentWorker;
    readonly memory: BaseMemory;
    readonly callbackManager: CallbackManager;
    readonly initTaskStateKwargs: Readonly<Record<string, unknown>>;
    deleteTaskOnFinish: boolean;
    maxFinishedTasks: number | null;
    readonly state: AgentState<State>;
    protected readonly options: BaseAgentRunnerOptions<AgentState<State>>;
    protected readonly newId: () => string;
    protected readonly shelf: TaskShelf<State>;
    private readonly savedClasses;
    constructor(options: BaseAgentRunnerOptions<AgentState<State>>, emptyState: () => AgentState<State>);
    protected abstract makeState(task: Task, firstStep: TaskStep): State;
    createTask(input: string, options?: CreateTaskOptions): Promise<Task>;
    protected makeTask(input: string, options: CreateTaskOptions, signal?: AbortSignal): Promise<State>;
    listTasks(): Task[];
    getTask(taskId: string): Task;
    getUpcomingSteps(taskId: string): TaskStep[];
    getCompletedSteps(taskId: string): TaskStepOutput[];
    getCompletedStep(taskId: string, stepId: string): TaskStepOutput;
    deleteTask(taskId: string): Promise<void>;
    undoStep(taskId: string): Promise<void>;
    forkTask(taskId: string, options?: {
        atStep?: number;
        taskId?: string;
    }): Promise<Task>;
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
    private decide;
    saveTask(taskId: string): SavedTask;
    loadTask(data: unknown, options?: LoadTaskOptions): Promise<Task>;
    resumeTask(taskId: string, options?: LoadTaskOptions): Promise<Task | null>;
}

declare class SavedClasses {
    private readonly known;
    private readonly registry;
    constructor(registry?: ClassRegistry | readonly SavableClass[]);
    find(name: unknown): SavableClass | undefined;
    get(name: unknown): ModelClass | undefined;
    nameOf(value: object): string | undefined;
}

interface StepRunOptions {
    toolChoice: ToolChoice;
    mode: ChatResponseMode;
    signal: AbortSignal | undefined;
    onEvent?: OnAgentEvent | undefined;
    context?: unknown;
    parentId?: string | undefined;
}

interface StepsDone {
    steps: readonly TaskStep[];
    outputs: readonly TaskStepOutput[];
    failed: readonly TaskStep[];
}

declare abstract class TaskError extends AgentError {
    readonly taskId: string;
    constructor(code: string, taskId: string, message: string);
}

declare const TaskModel: typeof Declared;

declare class TaskShelf<State extends TaskState> {
    private readonly state;
    private readonly options;
    private readonly journals;
    private readonly finished;
    private readonly oldestFinished;
    constructor(state: AgentState<State>, options: TaskShelfOptions);
    refuseKnown(taskId: string): void;
    add(state: State, forkedFrom?: {
        task_id: string;
        at_step: number;
    }): Promise<void>;
    addLoaded(state: State, loaded: LoadedJournal): void;
    forgetClaimed(taskId: string): void;
    noteFinished(state: State): void;
    knows(state: TaskState): boolean;
    append(state: TaskState, make: (writer: JournalWriter) => JournalEvent): Promise<void>;
    write(state: TaskState): SavedTask;
    delete(taskId: string): Promise<void>;
    reset(): Promise<void>;
    retire(state: State): Promise<void>;
    private erase;
    private forgetFinished;
}

interface TaskShelfOptions {
    store: TaskStore | undefined;
    classes: SavedClasses;
    deleteOnFinish: () => boolean;
    maxFinished: () => number | null;
}

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

// ======== @x/agents/schemas

declare const CustomSimpleAgentWorker: import("typebox").TObject<Omit<{}, "callbackManager" | "llm" | "maxSteps" | "stopWhen" | "toolRetriever" | "tools" | "verbose"> & {
    readonly maxSteps: import("typebox").TUnsafe<number>;
    readonly stopWhen: import("typebox").TUnsafe<StopWhen>;
    readonly tools: import("typebox").TUnsafe<readonly Tool[]>;
    readonly llm: import("typebox").TUnsafe<BaseLLM>;
    readonly callbackManager: import("typebox").TUnsafe<CallbackManager>;
    readonly toolRetriever: import("typebox").TUnsafe<ObjectRetriever<Tool>>;
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

declare const Task: import("typebox").TObject<Omit<{}, "callbackManager" | "extraState" | "input" | "memory" | "taskId"> & {
    readonly taskId: import("typebox").TString;
    readonly input: import("typebox").TString;
    readonly memory: import("typebox").TUnsafe<BaseMemory>;
    readonly callbackManager: import("typebox").TUnsafe<CallbackManager>;
    readonly extraState: import("typebox").TUnsafe<Record<string, unknown>>;
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

// ======== @x/agents/testing

interface StoreCheck {
    name: string;
    run(): Promise<void>;
}

declare function taskStoreChecks(create: () => TaskStore | Promise<TaskStore>): readonly StoreCheck[];
