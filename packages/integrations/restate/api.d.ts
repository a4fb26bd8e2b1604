// The public types of @x/restate, written by `npm run api`.

// ======== @x/restate

interface AgentAnswer extends AnswerJson {
    messages?: Dict[];
    conversation?: ConversationRef;
}

type AgentConversationHandlers = {
    chat(ctx: ObjectContext, request: string | AgentRequest): Promise<ConversationAnswer>;
    history(ctx: ObjectSharedContext): Promise<Dict[]>;
    current(ctx: ObjectSharedContext): Promise<string | null>;
    reset(ctx: ObjectContext): Promise<void>;
};

interface AgentConversationOptions<Name extends string = string> {
    restate: RestateSdk;
    name: Name;
    workflow: WorkflowDefinition<string, AgentWorkflowHandlers>;
    chatStore?: ChatStore | undefined;
    options?: ObjectOptions | undefined;
}

type AgentRequest = TaskSubmission;

interface AgentRun {
    readonly taskId: string;
    readonly durable: JournalPort;
    readonly newId: () => string;
    readonly now: () => number;
    readonly signal: AbortSignal;
    readonly headers: ReadonlyMap<string, string>;
    readonly context: Json | undefined;
    readonly replay: RunReplay;
}

interface AgentServiceOptions<Name extends string = string> {
    restate: RestateSdk;
    name: Name;
    agent: (run: AgentRun) => DurableAgent | Promise<DurableAgent>;
    onEvent?: OnRunEvent | undefined;
    retry?: RestateRetryOptions | undefined;
    version?: string | undefined;
}

interface AgentStatus {
    state: 'unknown' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled' | 'refused';
    step: number;
    calls: readonly WaitingCall[];
    error?: TaskFailure;
}

type AgentStepsHandlers = {
    start(ctx: ObjectContext, request: string | AgentRequest): Promise<AgentStatus>;
    decide(ctx: ObjectContext, decision: ToolDecision): Promise<void>;
    status(ctx: ObjectSharedContext): Promise<AgentStatus>;
    answer(ctx: ObjectSharedContext): Promise<AgentAnswer>;
    cancel(ctx: ObjectSharedContext): Promise<boolean>;
    retry(ctx: ObjectContext): Promise<void>;
    fork(ctx: ObjectContext, options?: ForkTaskOptions): Promise<string>;
    forget(ctx: ObjectContext): Promise<void>;
};

interface AgentStepsOptions<Name extends string = string> extends AgentServiceOptions<Name> {
    options?: ObjectOptions | undefined;
}

type AgentWorkflowHandlers = {
    run(ctx: WorkflowContext, request: string | AgentRequest): Promise<AgentAnswer>;
    decide(ctx: WorkflowSharedContext, decision: ToolDecision): Promise<void>;
    status(ctx: WorkflowSharedContext): Promise<AgentStatus>;
    cancel(ctx: WorkflowSharedContext): Promise<boolean>;
};

interface AgentWorkflowOptions<Name extends string = string> extends AgentServiceOptions<Name> {
    chatStore?: ChatStore | undefined;
    options?: WorkflowOptions | undefined;
}

interface ConversationAnswer extends Omit<AgentAnswer, 'messages' | 'conversation'> {
    taskId: string;
}

interface DurableAgent extends DescribedAgent, SteppingAgent, SubmissionAgent {
    runTask(taskId: string, options: DurableRunOptions): Promise<AgentChatResponse>;
    streamTask(taskId: string, options: DurableRunOptions): Promise<AgentChatResponse & {
        done: Promise<void>;
    }>;
    forkTask(taskId: string, options: {
        atStep?: number | undefined;
        taskId?: string;
    }): Promise<unknown>;
    saveTask(taskId: string): unknown;
    loadTask(data: unknown): Promise<unknown>;
}

interface DurableRunOptions {
    signal: AbortSignal;
    context: unknown;
    onEvent?: (event: AgentEvent) => void;
}

interface EventMark {
    taskId: string;
    step: number;
    attempt: number;
    position: number;
}

type IngestionWorkflowHandlers<Outcome extends Json> = {
    run(ctx: WorkflowContext, document: Dict): Promise<Outcome>;
};

interface IngestionWorkflowOptions<Name extends string, Outcome extends Json> {
    restate: RestateSdk;
    name: Name;
    ingest: (document: Document, options: {
        durable: Durable;
        signal: AbortSignal;
    }) => Promise<Outcome>;
    retry?: RestateRetryOptions | undefined;
    options?: WorkflowOptions | undefined;
}

type OnRunEvent = (event: AgentEvent, mark: EventMark) => void | Promise<void>;

type RestateRetryOptions = Omit<Restate.RunOptions<unknown>, 'serde'>;

type RestateSdk = Pick<typeof Restate, 'CancelledError' | 'handlers' | 'object' | 'RestatePromise' | 'RetryableError' | 'rpc' | 'serde' | 'TerminalError' | 'workflow'>;

declare class ResultTooLargeError extends ToolkitError {
    readonly fatal = true;
    constructor(what: string, bytes: number);
}

declare class RetriesExhaustedError extends ToolkitError {
    constructor(message: string);
}

type RunReplay = Pick<ReplayGate, 'isOver' | 'ends' | 'around' | 'deliver'>;

declare function agentConversation<Name extends string>(options: AgentConversationOptions<Name>): VirtualObjectDefinition<Name, AgentConversationHandlers>;

declare function agentSteps<Name extends string>(options: AgentStepsOptions<Name>): VirtualObjectDefinition<Name, AgentStepsHandlers>;

declare function agentWorkflow<Name extends string>(options: AgentWorkflowOptions<Name>): WorkflowDefinition<Name, AgentWorkflowHandlers>;

declare function ingestionWorkflow<Name extends string, Outcome extends Json>(options: IngestionWorkflowOptions<Name, Outcome>): WorkflowDefinition<Name, IngestionWorkflowHandlers<Outcome>>;

declare function reportOnce({ replay }: Pick<AgentRun, 'replay'>, handler: CallbackHandler): CallbackHandler;

// ======== @x/restate/client

export { AgentAnswer } // above

export { AgentRequest } // above

export { AgentStatus } // above

declare class RestateTasks implements DurableTasks {
    private readonly options;
    constructor(options: RestateTasksOptions);
    submit(input: AgentInput, options?: SubmitTaskOptions): Promise<string>;
    status(taskId: string): Promise<TaskStatus>;
    answer(taskId: string): Promise<AgentAnswer>;
    waiting(taskId: string): Promise<readonly WaitingCall[]>;
    decide(taskId: string, decision: ToolDecision): Promise<void>;
    events(taskId: string, options?: TaskEventsOptions): AsyncGenerator<TaskEvents>;
    private follow;
    cancel(taskId: string): Promise<void>;
    retry(taskId: string): Promise<void>;
    fork(taskId: string, { atStep, taskId: newTaskId }?: ForkTaskOptions): Promise<string>;
    private get isWorkflow();
    private refuseWorkflow;
    private look;
    private outputOf;
    private call;
    private request;
    private send;
}

interface RestateTasksOptions {
    ingress: string;
    service: string;
    mode?: 'workflow' | 'steps' | undefined;
    events?: TaskEventLog | undefined;
    headers?: Readonly<Record<string, string>> | undefined;
    pollingIntervalMs?: number | undefined;
    fetch?: typeof globalThis.fetch | undefined;
}

declare function reportTo(log: TaskEventLog): OnRunEvent;
