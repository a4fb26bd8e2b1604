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

declare class AgentChatResponse {
    response: string;
    sources: ToolOutput[];
    sourceNodes: NodeWithScore[];
    constructor(options?: AgentChatResponseOptions);
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

interface AgentChatResponseOptions {
    response?: string | undefined;
    sources?: readonly ToolOutput[] | undefined;
    sourceNodes?: readonly NodeWithScore[] | undefined;
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
}) | {
    type: 'step_end';
    taskId: string;
    stepId: string;
    output: TaskStepOutput;
} | {
    type: 'task_end';
    taskId: string;
    response: AgentChatResponse | StreamingAgentChatResponse;
} | {
    type: 'error';
    taskId: string | null;
    error: unknown;
};

declare class AgentFnComponent extends DefinedComponent {
    constructor({ fn, params, outputKey, partial }: AgentFnComponentOptions);
    get '~x-agent-component'(): AgentComponentKind;
}

interface AgentFnComponentOptions {
    fn: (task: Task, state: AgentComponentState, inputs: never, options: PipelineRunOptions) => unknown;
    params: FnParams;
    outputKey?: string | undefined;
    partial?: Dict | undefined;
}

type AgentFromLlmOptions = Pick<ReActAgentFromToolsOptions, keyof FunctionCallingAgentOptions & keyof ReActAgentFromToolsOptions>;

declare class AgentInputComponent extends BaseComponent {
    private readonly fn;
    constructor(options: {
        fn: (task: Task, state: AgentComponentState, more: Dict) => unknown;
        partial?: Dict | undefined;
    });
    get inputKeys(): InputKeys;
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
    protected advance(state: TaskState, options: Advance): Promise<TaskStepOutput>;
    runStep(taskId: string, options?: RunStepOptions): Promise<TaskStepOutput>;
    streamStep(taskId: string, options?: RunStepOptions): Promise<TaskStepOutput>;
    private runOnly;
    private run;
}

interface AgentRunnerOptions extends BaseAgentRunnerOptions<AgentState> {
    defaultToolChoice?: ToolChoice | undefined;
    verbose?: boolean | undefined;
}

declare class AgentState<State extends TaskState = TaskState> {
    readonly taskDict: BoxedMap<string, State>;
    get(taskId: string): State;
    reset(): void;
}

interface AgentWorker extends HasPrompts {
    initializeStep(task: Task): TaskStep | Promise<TaskStep>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    finalizeTask(task: Task): void | Promise<void>;
    readsState?(extraState: Readonly<Record<string, unknown>>): boolean;
    readonly callbackManager: CallbackManager | null;
    setCallbackManager(callbackManager: CallbackManager): void;
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
    call(args: Record<string, unknown>, context?: ToolCallContext): ToolOutput | Promise<ToolOutput>;
}

declare abstract class BaseAgentRunner<State extends TaskState = TaskState> {
    readonly agentWorker: AgentWorker;
    readonly memory: BaseMemory;
    readonly callbackManager: CallbackManager;
    readonly initTaskStateKwargs: Readonly<Record<string, unknown>>;
    deleteTaskOnFinish: boolean;
    maxFinishedTasks: number | null;
    readonly state: AgentState<State>;
    protected readonly timeouts: RunTimeouts;
    private readonly taskStore;
    private readonly savedClasses;
    private readonly newId;
    private readonly finished;
    private readonly oldestFinished;
    constructor(options: BaseAgentRunnerOptions<AgentState<State>>, emptyState: () => AgentState<State>);
    protected abstract makeState(task: Task, firstStep: TaskStep): State;
    protected abstract advance(state: State, options: Advance): Promise<TaskStepOutput | undefined>;
    protected abstract firstToolChoice(given: ToolChoice | null | undefined): ToolChoice;
    get chatHistory(): ChatMessage[];
    createTask(input: string, options?: {
        taskId?: string;
        extraState?: Readonly<Record<string, unknown>>;
        callbackManager?: CallbackManager;
    }): Promise<Task>;
    private makeTask;
    private add;
    private knows;
    listTasks(): Task[];
    getTask(taskId: string): Task;
    getUpcomingSteps(taskId: string): TaskStep[];
    getCompletedSteps(taskId: string): TaskStepOutput[];
    getCompletedStep(taskId: string, stepId: string): TaskStepOutput;
    deleteTask(taskId: string): Promise<void>;
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
    private runToEnd;
    private withRunDeadline;
    private finish;
    finalizeResponse(taskId: string, stepOutput?: TaskStepOutput | null): Promise<Answer>;
    private finalize;
    private retire;
    private forgetFinished;
    undoStep(taskId: string): Promise<void>;
    forkTask(taskId: string, options?: {
        atStep?: number;
        taskId?: string;
    }): Promise<Task>;
    getPendingApprovals(taskId: string): PendingToolCall[];
    approve(taskId: string, callId: string): Promise<void>;
    reject(taskId: string, callId: string, reason?: string): Promise<void>;
    edit(taskId: string, callId: string, args: Record<string, unknown>): Promise<void>;
    private decide;
    saveTask(taskId: string): SavedTask;
    loadTask(data: unknown): Promise<Task>;
    resumeTask(taskId: string): Promise<Task | null>;
    private save;
    private saveOr;
    protected record(transaction: StepTransaction<State>, outputs: readonly TaskStepOutput[], queued: readonly TaskStep[], failed?: readonly TaskStep[]): Promise<void> | undefined;
    private settle;
    protected runOne(step: TaskStep, task: Task, advance: Advance): Promise<TaskStepOutput>;
    private runWorker;
    protected isAbandonable({ signal }: Advance): boolean;
    query(query: string | QueryBundle, options?: {
        signal?: AbortSignal;
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
    registry?: ClassRegistry | readonly SavableClass[] | undefined;
    newId?: (() => string) | undefined;
}

interface BaseTool {
    readonly metadata: ToolMetadata;
    call(input: string, context?: ToolCallContext): ToolOutput | Promise<ToolOutput>;
}

declare class BudgetExceededError extends TaskError {
    constructor(taskId: string, message: string);
}

interface ChatAgent {
    reset(): Promise<void> | void;
    chat(message: string): Promise<AgentChatResponse>;
    streamChat(message: string): Promise<StreamingAgentChatResponse>;
}

declare class ChatMemoryBuffer implements BaseMemory {
    readonly tokenLimit: number;
    readonly tokenizerFn: Tokenizer;
    readonly chatStore: ChatStore;
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
    private surelyFits;
    private countTokens;
}

interface ChatMemoryBufferDefaults {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | undefined;
    llm?: Pick<BaseLLM, 'metadata'> | undefined;
    tokenLimit?: number | undefined;
    tokenizerFn?: Tokenizer | undefined;
    chatStore?: ChatStore | undefined;
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
    chatStore?: ChatStore | undefined;
    chatStoreKey?: string | undefined;
}

interface ChatOptions {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    toolChoice?: ToolChoice | null | undefined;
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

declare abstract class CustomAgentComponent extends CustomQueryComponent {
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
    getTools(input: string, options?: {
        signal?: AbortSignal | undefined;
    }): Promise<AsyncBaseTool[]>;
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
}

interface CustomSimpleAgentWorkerOptions {
    tools: readonly Tool[];
    llm: BaseLLM;
    callbackManager?: CallbackManager | null | undefined;
    toolRetriever?: ObjectRetriever<Tool> | null | undefined;
    verbose?: boolean | undefined;
}

interface CustomStepOptions {
    input: string | null;
    signal: AbortSignal | undefined;
}

type CustomStepResult = readonly [AgentChatResponse | StreamingAgentChatResponse, boolean];

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

interface FailedToolCall {
    call: ToolCall;
    error: ToolNotFoundError | ToolInputError | ToolArgumentsError;
    tools: readonly AsyncBaseTool[];
}

type FailurePolicy = 'observe' | 'raise';

declare class FunctionCallingAgent extends AgentRunner {
    readonly agentWorker: FunctionCallingAgentWorker;
    constructor(options: FunctionCallingAgentOptions);
    static fromTools(options: FunctionCallingAgentOptions): FunctionCallingAgent;
}

interface FunctionCallingAgentOptions extends FunctionCallingAgentWorkerOptions, RunnerOptionsOfAgent {
    chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
    memory?: BaseMemory | null | undefined;
    memoryCls?: MemoryClass | undefined;
}

declare class FunctionCallingAgentWorker extends ToolLoopWorker {
    maxFunctionCalls: number;
    readonly prefixMessages: readonly ChatMessage[];
    constructor(options: FunctionCallingAgentWorkerOptions);
    protected state(task: Task): FunctionCallingState;
    protected initialState(): Record<string, unknown>;
    protected limitReached(task: Task): boolean;
    protected callsLeft(task: Task): number;
    protected countCall(task: Task): void;
    protected acceptInput(input: string, _step: TaskStep, task: Task): void;
    protected request(tools: readonly AsyncBaseTool[], task: Task, { toolChoice }: StepOptions): ModelRequest;
    protected read(message: ChatMessage, task: Task): Turn;
    protected reader(task: Task): TurnReader;
    protected recordCalls({ message }: Turn & {
        kind: 'calls';
    }, task: Task): void;
    protected recordOutput(call: ToolCall, output: ToolOutput, task: Task): void;
    protected recordAnswer(text: string, turn: Turn, task: Task): void;
    protected outputText(turn: Turn, _outputs: readonly ToolOutput[]): string;
}

interface FunctionCallingAgentWorkerOptions extends ToolLoopOptions {
    maxFunctionCalls?: number | undefined;
    systemPrompt?: string | null | undefined;
    prefixMessages?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined;
}

declare class FunctionTool implements AsyncBaseTool {
    readonly takesArguments = true;
    readonly metadata: ToolMetadata;
    readonly needsApproval: NeedsApproval;
    readonly timeoutMs: number | null | undefined;
    private readonly fn;
    private readonly outputSchema;
    private constructor();
    static fromDefaults<const Schema extends ToolSchema>(options: FunctionToolOptions<Schema>): FunctionTool;
    call(args: Record<string, unknown>, context?: ToolCallContext): ToolOutput | Promise<ToolOutput>;
    private run;
    private checkResult;
    private check;
}

interface FunctionToolOptions<Schema extends ToolSchema> {
    fn: (args: ArgumentsOf<Schema>, context: ToolCallContext) => unknown;
    schema: Schema;
    name?: string | undefined;
    description?: string | undefined;
    parameters?: object | undefined;
    outputSchema?: ToolSchema | undefined;
    returnDirect?: boolean | undefined;
    needsApproval?: boolean | ((args: ArgumentsOf<Schema>) => boolean | Promise<boolean>) | undefined;
    timeoutMs?: number | null | undefined;
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

declare class InvalidStepError extends AgentError {
    constructor(message: string);
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

interface LoopState {
    sources: ToolOutput[];
    new_memory: ChatMemoryBuffer;
    pending_calls?: PendingToolCall[] | undefined;
    failing_call?: {
        key: string;
        times: number;
    } | undefined;
    usage: TaskUsage;
    last_call?: boolean | undefined;
}

declare class MaxIterationsError extends TaskError {
    readonly lastOutput: string | null;
    constructor(taskId: string, limit: string, lastOutput: string | null);
}

interface MemoryClass {
    fromDefaults(options: ChatMemoryBufferDefaults): BaseMemory;
}

declare class MemoryTaskStore implements TaskStore {
    private readonly tasks;
    save(taskId: string, task: SavedTask): void;
    load(taskId: string): unknown;
    delete(taskId: string): void;
    list(): string[];
}

declare class MultimodalReActAgentWorker extends ReActAgentWorker {
    private readonly generateChatMessageFn;
    constructor({ multiModalLlm, generateChatMessageFn, ...options }: MultimodalReActAgentWorkerOptions);
    protected defaultFormatter(): ReActChatFormatter;
    initializeStep(task: Task): TaskStep;
    streamStep(): Promise<TaskStepOutput>;
    protected userMessage(input: string, { stepState }: TaskStep): ChatMessage;
    protected history(task: Task): ChatMessage[];
}

interface MultimodalReActAgentWorkerOptions extends Omit<ReActAgentWorkerOptions, 'llm'> {
    multiModalLlm: BaseLLM;
    generateChatMessageFn?: ((parts: ImageMessageParts) => ChatMessage) | undefined;
}

declare class MultipleFinalStepsError extends TaskError {
    constructor(taskId: string, outputs: number);
}

type NeedsApproval = boolean | ((args: never) => boolean | Promise<boolean>);

declare class NoCompletedStepError extends TaskError {
    constructor(taskId: string);
}

declare class NoUpcomingStepError extends TaskError {
    constructor(taskId: string);
}

declare class NothingToUndoError extends TaskError {
    constructor(taskId: string);
}

interface ObservationReasoningStep {
    readonly kind: 'observation';
    readonly observation: unknown;
}

declare class ParallelAgentRunner extends BaseAgentRunner<DAGTaskState> {
    constructor(options: ParallelAgentRunnerOptions);
    protected makeState(task: Task, firstStep: TaskStep): DAGTaskState;
    protected firstToolChoice(given: ToolChoice | null | undefined): ToolChoice;
    protected advance(state: DAGTaskState, options: Advance): Promise<TaskStepOutput | undefined>;
    runStepsInQueue(taskId: string, options?: {
        mode?: ChatResponseMode;
        toolChoice?: ToolChoice;
        signal?: AbortSignal;
    }): Promise<TaskStepOutput[]>;
    runStep(taskId: string, options?: RunStepOptions): Promise<TaskStepOutput>;
    streamStep(taskId: string, options?: RunStepOptions): Promise<TaskStepOutput>;
    private run;
    private withAbortError;
    private runBatch;
    private runTogether;
}

interface ParallelAgentRunnerOptions extends Omit<BaseAgentRunnerOptions<never>, 'state'> {
    state?: DAGAgentState | null | undefined;
}

interface PendingToolCall extends ToolCall {
    needsApproval: boolean;
    decision: 'approve' | 'reject' | null;
    reason?: string;
}

interface QueryEngine {
    query(query: string, options?: {
        signal?: AbortSignal | undefined;
    }): unknown;
}

declare class QueryEngineTool implements AsyncBaseTool {
    readonly takesArguments = true;
    readonly metadata: ToolMetadata;
    readonly queryEngine: QueryEngine;
    private readonly resolveInputErrors;
    constructor(options: QueryEngineToolOptions);
    static fromDefaults(options: QueryEngineToolOptions): QueryEngineTool;
    call(input: Record<string, unknown> | string | number, context?: ToolCallContext): Promise<ToolOutput>;
    private question;
}

interface QueryEngineToolOptions {
    queryEngine: QueryEngine;
    name?: string | undefined;
    description?: string | undefined;
    resolveInputErrors?: boolean | undefined;
    returnDirect?: boolean | undefined;
}

declare class QueryPipelineAgentWorker extends QueryPipelineAgentWorkerModel implements AgentWorker {
    constructor(options: QueryPipelineAgentWorkerOptions);
    get agentInputComponent(): AgentInputComponent;
    get agentComponents(): (AgentFnComponent | CustomAgentComponent)[];
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    initializeStep(task: Task): TaskStep;
    runStep(step: TaskStep, task: Task, { signal }?: StepOptions): Promise<TaskStepOutput>;
    streamStep(): Promise<TaskStepOutput>;
    finalizeTask(task: Task): void;
}

interface QueryPipelineAgentWorkerFields {
    pipeline: QueryPipeline;
    callbackManager: CallbackManager | null;
}

interface QueryPipelineAgentWorkerOptions {
    pipeline: QueryPipeline;
    callbackManager?: CallbackManager | null | undefined;
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

declare class ReActAgent extends AgentRunner {
    readonly agentWorker: ReActAgentWorker;
    constructor(options: ReActAgentOptions);
    static fromTools(options: ReActAgentFromToolsOptions): ReActAgent;
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
    maxIterations: number;
    readonly outputParser: ReActOutputParser;
    protected formatter: ReActChatFormatter;
    private readonly onParseError;
    constructor(options: ReActAgentWorkerOptions);
    get reactChatFormatter(): ReActChatFormatter;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    getReasoning(task: Task): string[];
    protected defaultFormatter(): ReActChatFormatter;
    protected state(task: Task): ReActState;
    protected initialState(): Record<string, unknown>;
    protected limitReached(task: Task): boolean;
    protected acceptInput(input: string, step: TaskStep, task: Task): void;
    protected userMessage(input: string, _step: TaskStep): ChatMessage;
    protected history(task: Task): ChatMessage[];
    protected request(tools: readonly AsyncBaseTool[], task: Task, _options: StepOptions): ModelRequest;
    protected read(message: ChatMessage, _task: Task): Turn;
    protected reader(_task: Task): TurnReader;
    private holdsCall;
    private parse;
    protected recordCalls(turn: Turn & {
        kind: 'calls';
    }, task: Task): void;
    protected recordOutput(_call: ToolCall, output: ToolOutput, task: Task): void;
    protected recordAnswer(text: string, turn: Turn, task: Task): void;
    protected recordUnreadable({ text, observation }: Turn & {
        kind: 'unreadable';
    }, task: Task): void;
    protected outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
}

interface ReActAgentWorkerOptions extends ToolLoopOptions {
    maxIterations?: number | undefined;
    reactChatFormatter?: ReActChatFormatter | null | undefined;
    outputParser?: ReActOutputParser | null | undefined;
    onParseError?: FailurePolicy | undefined;
}

declare class ReActAnswerStream {
    text: string;
    kind: 'undecided' | 'structured' | 'implicit' | 'answer' | 'action';
    emitted: boolean;
    observationSeen: boolean;
    private word;
    private inputSeen;
    private readonly parser;
    constructor(parser?: ReActOutputParser);
    push(delta: string): string;
    end(): ActionReasoningStep | ResponseReasoningStep;
    private open;
    private readLines;
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
    parse(text: string, options?: {
        isStreaming?: boolean;
    }): ActionReasoningStep | ResponseReasoningStep;
}

declare class ReActParseError extends ToolArgumentsError {
    constructor(message: string, text: string);
}

interface ReActState extends LoopState {
    current_reasoning: ReasoningStep[];
    n_iterations: number;
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

interface ResponseReasoningStep {
    readonly kind: 'response';
    readonly thought: string;
    readonly response: string;
    readonly isStreaming: boolean;
    readonly implicit: boolean;
}

interface RunStepOptions {
    input?: string | null | undefined;
    step?: TaskStep | null | undefined;
    toolChoice?: ToolChoice | null | undefined;
    signal?: AbortSignal | undefined;
}

interface RunTaskOptions {
    toolChoice?: ToolChoice | null | undefined;
    signal?: AbortSignal | undefined;
}

interface RunTimeouts {
    totalMs?: number | null | undefined;
    stepMs?: number | null | undefined;
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

interface SavedTask {
    version: typeof SAVED_TASK_VERSION;
    task: {
        task_id: string;
        input: string;
        extra_state: unknown;
    };
    step_queue: SavedStep[];
    completed_steps: {
        output: unknown;
        task_step: SavedStep;
        next_steps: SavedStep[];
        is_last: boolean;
        status: string;
    }[];
    undo: {
        outputs: number;
        queue: SavedStep[];
        extra_state: unknown;
    }[];
    finalized: boolean;
    memory_length: number | null;
    conversation: unknown[];
    lists: unknown[][];
}

declare class SavedTaskError extends AgentError {
    constructor(message: string, options?: ToolkitErrorOptions);
}

type StepEvent = {
    type: 'reasoning';
    text: string;
} | {
    type: 'tool_call';
    call: ToolCall;
} | {
    type: 'tool_result';
    callId: string;
    output: ToolOutput;
} | {
    type: 'approval_required';
    calls: PendingToolCall[];
} | {
    type: 'answer_delta';
    delta: string;
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

interface StepOptions {
    toolChoice?: ToolChoice | undefined;
    signal?: AbortSignal | undefined;
    onEvent?: ((event: StepEvent) => void) | undefined;
}

interface StepReference {
    task_id: string;
    step_id: string;
}

interface StopContext {
    task: Task;
    outputs: readonly ToolOutput[];
    sources: readonly ToolOutput[];
    usage: Readonly<TaskUsage>;
}

declare class StreamingAgentChatResponse extends AgentChatResponse implements AsyncIterable<string> {
    response: string;
    done: Promise<void>;
    private readonly pieces;
    private state;
    private error;
    private toError;
    private waiting;
    private readonly followers;
    private followed;
    constructor(options: StreamingAgentChatResponseOptions);
    get isDone(): boolean;
    [Symbol.asyncIterator](): AsyncGenerator<string>;
    toReadableStream(): ReadableStream<string>;
    whenDone(finish: Finisher, fail?: Failer): Promise<void>;
    mapError(toError: (error: unknown) => unknown): void;
    private pump;
    private wake;
}

interface StreamingAgentChatResponseOptions extends AgentChatResponseOptions {
    stream: AsyncIterable<string> | Iterable<string>;
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
}

declare class TaskBusyError extends TaskError {
    constructor(taskId: string);
}

interface TaskFields {
    taskId: string;
    input: string;
    memory: BaseMemory;
    callbackManager: CallbackManager | null;
    extraState: Record<string, unknown>;
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
    busy: boolean;
    response: AgentChatResponse | StreamingAgentChatResponse | null;
    constructor(options: {
        task: Task;
        stepQueue?: TaskStep[];
        completedSteps?: TaskStepOutput[];
    });
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
    save(taskId: string, task: SavedTask): Promise<void> | void;
    load(taskId: string): Promise<unknown> | unknown;
    delete(taskId: string): Promise<void> | void;
}

interface TaskUsage {
    modelCalls: number;
    toolCalls: number;
    tokens: number;
}

declare class TokenLimitError extends AgentError {
    constructor(initial: number, limit: number);
}

type Tool = BaseTool | AsyncBaseTool;

declare class ToolArgumentsError extends AgentError {
    readonly text: string;
    constructor(message: string, text: string, code?: 'tool_arguments' | 'react_parse');
}

interface ToolCall {
    id: string;
    name: string;
    arguments: Record<string, unknown> | string;
}

interface ToolCallContext {
    signal?: AbortSignal | undefined;
    toolCallId?: string | undefined;
    task?: Task | undefined;
}

interface ToolCallOptions {
    callbackManager: CallbackManager;
    onToolError?: FailurePolicy | undefined;
    onUnknownTool?: FailurePolicy | undefined;
    repairToolCall?: RepairToolCall | undefined;
    toolTimeoutMs?: number | null | undefined;
    signal?: AbortSignal | undefined;
    task: Task;
    onOutput?: ((output: ToolOutput) => void) | undefined;
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
    onToolError?: FailurePolicy | undefined;
    onUnknownTool?: FailurePolicy | undefined;
    repairToolCall?: RepairToolCall | undefined;
    maxRepeatedFailures?: number | null | undefined;
    maxParallelToolCalls?: number | undefined;
    toolTimeoutMs?: number | null | undefined;
    stopWhen?: ((context: StopContext) => boolean | Promise<boolean>) | undefined;
    onMaxIterations?: 'raise' | 'answer' | undefined;
    budget?: TaskBudget | undefined;
    prepareMessages?: ((messages: ChatMessage[], task: Task) => ChatMessage[] | Promise<ChatMessage[]>) | undefined;
    newId?: (() => string) | undefined;
}

declare abstract class ToolLoopWorker implements AgentWorker {
    readonly llm: BaseLLM;
    verbose: boolean;
    protected manager: CallbackManager;
    protected readonly options: ToolLoopOptions;
    private readonly tools;
    private readonly newId;
    constructor(options: ToolLoopOptions);
    static fromTools<Options, Worker>(this: new (options: Options) => Worker, options: Options): Worker;
    get callbackManager(): CallbackManager;
    setCallbackManager(callbackManager: CallbackManager): void;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    protected abstract initialState(): Record<string, unknown>;
    protected abstract limitReached(task: Task): boolean;
    protected abstract acceptInput(input: string, step: TaskStep, task: Task): void;
    protected abstract request(tools: readonly AsyncBaseTool[], task: Task, options: StepOptions): ModelRequest;
    protected abstract read(message: ChatMessage, task: Task): Turn;
    protected abstract reader(task: Task): TurnReader;
    protected abstract recordCalls(turn: Turn & {
        kind: 'calls';
    }, task: Task): void;
    protected abstract recordOutput(call: ToolCall, output: ToolOutput, task: Task): void;
    protected abstract recordAnswer(text: string, turn: Turn, task: Task): void;
    protected recordUnreadable(_turn: Turn & {
        kind: 'unreadable';
    }, _task: Task): void;
    protected abstract outputText(turn: Turn, outputs: readonly ToolOutput[]): string;
    protected callsLeft(_task: Task): number;
    protected countCall(_task: Task): void;
    initializeStep(task: Task): TaskStep;
    readsState(extraState: Readonly<Record<string, unknown>>): boolean;
    private freshState;
    getTools(input: string, options?: {
        signal?: AbortSignal | undefined;
    }): Promise<AsyncBaseTool[]>;
    runStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput>;
    finalizeTask(task: Task): void;
    protected state(task: Task): LoopState;
    private step;
    private ask;
    private send;
    private takeTurn;
    private awaitApproval;
    private resume;
    private callsToApprove;
    private makeCalls;
    private runCalls;
    private runCall;
    private afterCalls;
    private countFailure;
    private answer;
    private goOn;
    private stream;
    private streamAnswer;
    private streamed;
    private checkBudget;
    private addTokens;
    private log;
}

declare class ToolMetadata implements ToolDescription {
    readonly name: string | null;
    readonly description: string;
    readonly fnSchema: ToolSchema | null;
    readonly returnDirect: boolean;
    readonly jsonSchema: JsonSchema | undefined;
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

interface UnparsedReasoningStep {
    readonly kind: 'unparsed';
    readonly text: string;
}

declare function adaptToAsyncTool(tool: Tool): AsyncBaseTool;

declare function agentFromLlm(options: AgentFromLlmOptions): AgentRunner;

declare function checkArguments(schema: object, value: unknown): CheckedArguments;

declare function imageMessage({ prompt, role, imageDocuments }: ImageMessageParts): ChatMessage;

declare function isChatResponse(value: unknown): value is AgentChatResponse | StreamingAgentChatResponse;

declare function isReasoningDone(step: ReasoningStep): boolean;

declare function readArguments(text: string, start?: number): ReadArguments;

declare function reasoningFromDict(data: unknown): ReasoningStep;

declare function reasoningText(step: ReasoningStep): string;

declare function reasoningToDict(step: ReasoningStep): ReasoningStepDict;

declare function resolveToolChoice(toolChoice: ToolChoice): ToolChoice;

declare function runToolCall(call: ToolCall, tools: readonly AsyncBaseTool[], options: ToolCallOptions): ToolOutput | Promise<ToolOutput>;

declare function toolCallsOf(message: ChatMessage, first?: number): ToolCall[];

// Used by them, not exported:

interface Advance {
    toolChoice: ToolChoice;
    mode: ChatResponseMode;
    signal: AbortSignal | undefined;
    onEvent: OnAgentEvent | undefined;
}

type AgentComponentKind = 'input' | 'function';

declare abstract class AgentError extends ToolkitError {
    constructor(code: string, message: string, options?: ToolkitErrorOptions);
}

type Answer = AgentChatResponse | StreamingAgentChatResponse;

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

interface FunctionCallingState extends LoopState {
    n_function_calls: number;
}

type IsRequired<Schema, Properties, Key extends keyof Properties> = Schema extends {
    '~kind': unknown;
} ? Properties[Key] extends {
    '~optional': true;
} ? false : true : Schema extends {
    required: readonly (infer Name)[];
} ? Key extends Name ? true : false : false;

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

interface ModelRequest {
    messages: ChatMessage[];
    options: Record<string, unknown>;
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

declare const RUNNER_OPTION_NAMES: readonly ['initTaskStateKwargs', 'deleteTaskOnFinish', 'maxFinishedTasks', 'defaultToolChoice', 'timeouts', 'taskStore', 'registry'];

declare const ReActChatFormatterModel: typeof Declared;

declare class RememberingRetriever implements ObjectRetriever<Tool> {
    private readonly retriever;
    private last;
    constructor(retriever: ObjectRetriever<Tool>);
    retrieve(query: string, options?: {
        signal?: AbortSignal | undefined;
    }): Promise<Tool[]>;
    forget(): void;
}

type RunnerOptionsOfAgent = Pick<AgentRunnerOptions, (typeof RUNNER_OPTION_NAMES)[number]>;

type SavedStep = TaskStepDict;

declare class StepTransaction<State extends TaskState = TaskState> {
    readonly state: State;
    readonly task: Task;
    private readonly steps;
    private readonly others;
    private readonly extraState;
    private snapshot;
    constructor(state: State, steps: readonly TaskStep[], isAbandonable: boolean);
    record(outputs: readonly TaskStepOutput[], queued: readonly TaskStep[], failed: readonly TaskStep[]): void;
    end(): void;
    rollBack(): void;
}

declare abstract class TaskError extends AgentError {
    readonly taskId: string;
    constructor(code: string, taskId: string, message: string);
}

declare const TaskModel: typeof Declared;

type Turn = {
    kind: 'answer';
    text: string;
    thought?: string;
    message?: ChatMessage;
} | {
    kind: 'calls';
    calls: ToolCall[];
    thought?: string;
    message: ChatMessage;
}
 | {
    kind: 'unreadable';
    text: string | null;
    observation: string;
};

interface TurnReader {
    push(chunk: ChatResponse): string;
    canStop(): boolean;
    end(): Turn;
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

declare const CustomSimpleAgentWorker: import("typebox").TObject<Omit<{}, "callbackManager" | "llm" | "toolRetriever" | "tools" | "verbose"> & {
    readonly tools: import("typebox").TUnsafe<readonly Tool[]>;
    readonly llm: import("typebox").TUnsafe<BaseLLM>;
    readonly callbackManager: import("typebox").TUnsafe<CallbackManager>;
    readonly toolRetriever: import("typebox").TUnsafe<ObjectRetriever<Tool>>;
    readonly verbose: import("typebox").TBoolean;
}>;

declare const QueryPipelineAgentWorker: import("typebox").TObject<Omit<{}, "callbackManager" | "pipeline"> & {
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
