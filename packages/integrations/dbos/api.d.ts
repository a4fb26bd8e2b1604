// The public types of @x/dbos, written by `npm run api`.

// ======== @x/dbos

interface AgentRun {
    taskId: string;
    durable: JournalPort;
    newId: () => string;
    signal: AbortSignal;
    context: Json | undefined;
}

interface AgentWorkflowOptions {
    dbos: DbosRuntime;
    name: string;
    agent: (run: AgentRun) => BaseAgentRunner | Promise<BaseAgentRunner>;
    chatStore?: ChatStore | undefined;
    retry?: RepeatOptions | undefined;
    streamEvents?: boolean | undefined;
    maxRecoveryAttempts?: number | undefined;
}

interface DbosRuntime {
    readonly workflowID: string | undefined;
    readonly stepID: number | undefined;
    readonly stepStatus: {
        readonly cancelSignal?: AbortSignal | undefined;
    } | undefined;
    isInStep(): boolean;
    registerWorkflow<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>, config?: {
        name?: string;
        maxRecoveryAttempts?: number;
    }): (...args: Args) => Promise<Result>;
    runStep<T>(work: () => Promise<T>, config?: {
        name?: string;
    }): Promise<T>;
    setEvent(key: string, value: unknown): Promise<void>;
    recv<T>(topic?: string, options?: {
        timeoutSeconds?: number;
    }): Promise<T | null>;
    writeStream(key: string, value: unknown): Promise<void>;
}

interface DbosTakeover {
    readonly executorID: string;
    listWorkflows(filter: {
        status: 'PENDING';
        executorId: string[];
        loadInput: false;
    }): Promise<readonly DbosWorkflow[]>;
    resumeWorkflows(workflowIDs: string[], options?: {
        queueName?: string;
    }): Promise<unknown>;
    cancelWorkflows(workflowIDs: string[]): Promise<void>;
}

interface DbosWorkflow {
    readonly workflowID: string;
    readonly status: string;
    readonly queueName?: string;
    readonly queuePartitionKey?: string;
    readonly executorId?: string;
    readonly applicationVersion?: string;
    readonly updatedAt?: number;
    readonly output?: unknown;
    readonly error?: unknown;
}

interface DurableStepsOptions {
    dbos: DbosRuntime;
    retry?: RepeatOptions | undefined;
    cancelled?: ((reason: unknown) => void) | undefined;
}

interface IngestionWorkflowOptions<Outcome extends Json> {
    dbos: DbosRuntime;
    name: string;
    ingest: (document: Document, options: {
        durable: Durable;
        signal: AbortSignal;
    }) => Promise<Outcome>;
    retry?: RepeatOptions | undefined;
    maxRecoveryAttempts?: number | undefined;
}

interface SqlPool {
    query(text: string, values?: unknown[]): Promise<{
        rows: unknown[];
    }>;
}

interface Takeover {
    workflowID: string;
    executorID: string;
    givenUp: boolean;
}

interface TaskAnswer extends AnswerJson {
    output: Json;
}

interface TaskRequest extends TaskSubmission {
    parks?: boolean | undefined;
}

declare class WorkerReaper {
    private readonly options;
    private readonly intervalMs;
    private readonly deadAfterMs;
    private readonly maxTakeovers;
    private timer;
    private running;
    private readonly stopping;
    constructor(options: WorkerReaperOptions);
    start(): Promise<void>;
    stop(): Promise<void>;
    private schedule;
    private tick;
    private report;
    private takeOver;
    private countTakeovers;
}

interface WorkerReaperOptions {
    dbos: DbosTakeover;
    pool: SqlPool;
    application: string;
    executorID: string;
    intervalMs?: number | undefined;
    deadAfterMs?: number | undefined;
    maxTakeovers?: number | undefined;
    onTakeover?: ((takeovers: readonly Takeover[]) => void) | undefined;
    onError?: ((error: unknown) => void) | undefined;
}

declare function agentWorkflow(options: AgentWorkflowOptions): (request: TaskRequest) => Promise<TaskAnswer>;

declare function durableSteps({ dbos, retry, cancelled, events }: DurableStepsOptions): Durable;

declare function ingestionWorkflow<Outcome extends Json>(options: IngestionWorkflowOptions<Outcome>): (document: Json) => Promise<Outcome>;

// ======== @x/dbos/client

interface DbosCommon {
    send(workflowID: string, message: unknown, topic?: string, idempotencyKey?: string): Promise<void>;
    getEvent<T>(workflowID: string, key: string, options?: {
        timeoutSeconds?: number;
    }): Promise<T | null>;
    readStream<T>(workflowID: string, key: string, options?: {
        offset?: number;
        pollingIntervalMs?: number;
    }): AsyncGenerator<T>;
    retrieveWorkflow(workflowID: string): DbosHandle;
    listWorkflows(filter: DbosWorkflowFilter): Promise<readonly DbosWorkflow[]>;
    listWorkflowSteps(workflowID: string): Promise<readonly DbosStep[] | undefined>;
    cancelWorkflow(workflowID: string): Promise<void>;
    retrieveQueue(name: string): Promise<object | null>;
    forkWorkflow(workflowID: string, startStep: number, options?: {
        newWorkflowID?: string;
        applicationVersion?: string;
        queueName?: string;
    }): Promise<unknown>;
    rewindWorkflow(workflowID: string, options?: {
        startStep?: number;
        applicationVersion?: string;
        queueName?: string;
        queuePartitionKey?: string;
    }): Promise<unknown>;
}

type DbosControl = DbosCommon & ({
    enqueue(options: DbosEnqueueOptions, ...args: unknown[]): Promise<DbosHandle>;
} | {
    enqueueWorkflowWithOptions(options: DbosEnqueueOptions, ...args: unknown[]): Promise<DbosHandle>;
});

interface DbosEnqueueOptions {
    queueName: string;
    workflowName: string;
    workflowID?: string;
    appVersion?: string;
    priority?: number;
    queuePartitionKey?: string;
    delaySeconds?: number;
}

interface DbosHandle {
    readonly workflowID: string;
    getStatus(): Promise<DbosWorkflow | null>;
    getResult(options?: {
        pollingIntervalMs?: number;
    }): Promise<unknown>;
}

interface DbosStep {
    readonly functionID: number;
    readonly name: string;
    readonly output: unknown;
    readonly error: unknown;
    readonly startedAtEpochMs?: number;
    readonly completedAtEpochMs?: number;
}

declare class DbosTasks implements DurableTasks {
    private readonly options;
    constructor(options: DbosTasksOptions);
    submit(input: AgentInput, options?: SubmitOptions): Promise<string>;
    answer(taskId: string): Promise<TaskAnswer>;
    status(taskId: string): Promise<TaskStatus>;
    waiting(taskId: string): Promise<readonly WaitingCall[]>;
    decide(taskId: string, decision: ToolDecision): Promise<void>;
    events(taskId: string, { from, signal: outer }?: TaskEventsOptions): AsyncGenerator<TaskEvents>;
    private follow;
    calls(taskId: string): Promise<DbosStep[]>;
    cancel(taskId: string): Promise<void>;
    retry(taskId: string, options?: {
        version?: string;
    }): Promise<void>;
    fork(taskId: string, options?: ForkTaskOptions & {
        version?: string;
    }): Promise<string>;
    private get interval();
    private workflow;
    private ended;
    private look;
    private wake;
    private rewind;
    private steps;
}

interface DbosTasksOptions {
    dbos: DbosControl;
    workflow: string;
    queue: string;
    pollingIntervalMs?: number | undefined;
}

export { DbosWorkflow } // above

interface DbosWorkflowFilter {
    workflow_id_prefix: string;
    status?: 'ENQUEUED';
    loadInput: boolean;
    loadOutput: boolean;
    limit: number;
    offset?: number;
}

interface FailedDocument {
    documentId: string;
    code: string | null;
    message: string;
}

declare class IngestionRuns {
    private readonly options;
    constructor(options: IngestionRunsOptions);
    submit(documents: Iterable<Document> | AsyncIterable<Document>, { run, maxQueued, version, signal }: SubmitDocumentsOptions): Promise<string[]>;
    private enqueue;
    state(run: string): Promise<IngestionState>;
    finished(run: string, { signal, onProgress }?: {
        signal?: AbortSignal;
        onProgress?: (state: IngestionState) => void;
    }): Promise<IngestionState>;
    retry(run: string): Promise<number>;
    private roomInQueue;
    private workflows;
    private pause;
}

interface IngestionRunsOptions {
    dbos: DbosControl;
    workflow: string;
    queue: string;
    pollingIntervalMs?: number | undefined;
}

interface IngestionState {
    total: number;
    queued: number;
    running: number;
    finished: Record<string, number>;
    failed: FailedDocument[];
}

declare class JournalMismatchError extends ToolkitError {
    readonly taskId: string;
    constructor(taskId: string, options?: ToolkitErrorOptions & {
        cause?: Error;
    });
}

interface SubmitDocumentsOptions {
    run: string;
    maxQueued?: number | undefined;
    version?: string | undefined;
    signal?: AbortSignal | undefined;
}

interface SubmitOptions extends SubmitTaskOptions {
    version?: string | undefined;
    priority?: number | undefined;
    partition?: string | undefined;
    delayMs?: number | undefined;
}

declare class TaskAbandonedError extends ToolkitError {
    readonly taskId: string;
    constructor(taskId: string, options?: ToolkitErrorOptions);
}

export { TaskAnswer } // above

export { TaskRequest } // above

declare class UnknownQueueError extends ToolkitError {
    constructor(queue: string);
    get retryable(): boolean;
}
