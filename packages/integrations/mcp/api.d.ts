// The public types of @x/mcp, written by `npm run api`.

// ======== @x/mcp

interface AskUserOptions {
    message?: ((call: {
        name: string;
        arguments: Record<string, unknown> | string;
    }) => string) | undefined;
    timeoutMs?: number | undefined;
    user?: ((context: never) => string | undefined) | undefined;
    secret?: Uint8Array | undefined;
    mint?: ((state: string, context: never) => string | Promise<string>) | undefined;
}

interface McpAnswer {
    readonly action: 'accept' | 'decline' | 'cancel';
    readonly content?: Record<string, unknown> | undefined;
}

interface McpBlock {
    readonly type: string;
    readonly text?: string | undefined;
    readonly data?: string | undefined;
    readonly mimeType?: string | undefined;
    readonly uri?: string | undefined;
    readonly name?: string | undefined;
    readonly resource?: {
        uri: string;
        text?: string;
        blob?: string;
        mimeType?: string;
    } | undefined;
}

interface McpCall {
    readonly tool: string;
    readonly context: Partial<ToolCallContext>;
    sendCall(signal: AbortSignal | undefined, params?: object, options?: object): Promise<unknown>;
    inTime<T>(work: (signal: AbortSignal | undefined) => Promise<T>): Promise<T>;
}

type McpCaller = (call: McpCall) => Promise<unknown>;

interface McpClient {
    listTools(params?: {
        cursor: string;
    }, options?: object): Promise<{
        tools: readonly McpTool[];
        nextCursor?: string | undefined;
    }>;
    callTool(params: {
        name: string;
        arguments?: Record<string, unknown>;
    }, ...options: never[]): Promise<unknown>;
    close(): Promise<void>;
}

interface McpDocumentsOptions {
    server?: string | undefined;
    untrusted?: boolean | undefined;
    filter?: ((resource: McpResource) => boolean) | undefined;
    concurrency?: number | undefined;
    onSkipped?: ((resource: McpResource, error: unknown) => void) | undefined;
    limits?: McpLimits | undefined;
    signal?: AbortSignal | undefined;
}

interface McpLimits {
    tools?: number | undefined;
    pages?: number | undefined;
    listBytes?: number | undefined;
    resultBytes?: number | undefined;
}

declare class McpListError extends ToolkitError {
    constructor(message: string);
}

interface McpPage {
    readonly nextCursor?: string | undefined;
}

interface McpPrompt extends McpPromptDescription {
    messages(args?: Readonly<Record<string, string>>, options?: {
        signal?: AbortSignal | undefined;
    }): Promise<ChatMessage[]>;
}

interface McpPromptClient {
    listPrompts(params?: {
        cursor: string;
    }, options?: object): Promise<McpPage & {
        prompts: readonly McpPromptDescription[];
    }>;
    getPrompt(params: {
        name: string;
        arguments?: Record<string, string>;
    }, options?: object): Promise<{
        messages: readonly {
            role: string;
            content: unknown;
        }[];
    }>;
}

interface McpPromptDescription {
    readonly name: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    readonly arguments?: readonly {
        readonly name: string;
        readonly description?: string;
        readonly required?: boolean;
    }[];
}

interface McpPromptsOptions {
    limits?: McpLimits | undefined;
    signal?: AbortSignal | undefined;
}

interface McpQuestion {
    readonly message: string;
    readonly mode?: 'form' | 'url' | undefined;
    readonly requestedSchema?: {
        readonly properties?: Readonly<Record<string, {
            readonly default?: unknown;
        }>>;
        readonly required?: readonly string[];
    } | undefined;
    readonly url?: string | undefined;
    readonly elicitationId?: string | undefined;
}

interface McpResource {
    readonly uri: string;
    readonly name: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    readonly mimeType?: string | undefined;
}

interface McpResourceClient {
    listResources(params?: {
        cursor: string;
    }, options?: object): Promise<McpPage & {
        resources: readonly McpResource[];
    }>;
    readResource(params: {
        uri: string;
    }, options?: object): Promise<{
        contents: readonly {
            uri: string;
            text?: string;
            blob?: string;
            mimeType?: string | undefined;
        }[];
    }>;
}

interface McpResult {
    readonly content?: readonly McpBlock[] | undefined;
    readonly structuredContent?: unknown;
    readonly isError?: boolean | undefined;
}

interface McpServer {
    setRequestHandler(request: never, handler: never): void;
    sendToolListChanged(): Promise<void>;
    elicitInput?(params: never, options?: object): Promise<unknown>;
    getClientCapabilities?(): object | undefined;
}

interface McpTask {
    taskId: string;
    status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
    statusMessage?: string;
    ttl: null;
    createdAt: string;
    lastUpdatedAt: string;
    pollInterval: number;
}

interface McpTaskIds {
    get(key: string): string | null | undefined | Promise<string | null | undefined>;
    set(key: string, taskId: string): unknown;
}

interface McpTool {
    readonly name: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    readonly inputSchema: object;
    readonly outputSchema?: object | undefined;
    readonly annotations?: McpToolAnnotations | undefined;
    readonly execution?: {
        readonly taskSupport?: 'forbidden' | 'optional' | 'required' | undefined;
    } | undefined;
}

interface McpToolAnnotations {
    readonly title?: string | undefined;
    readonly readOnlyHint?: boolean | undefined;
    readonly destructiveHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
    readonly openWorldHint?: boolean | undefined;
}

interface McpToolsDifference {
    readonly added: readonly McpTool[];
    readonly removed: readonly McpTool[];
    readonly changed: readonly {
        readonly before: McpTool;
        readonly after: McpTool;
    }[];
}

interface McpToolsOptions {
    prefix?: string | undefined;
    filter?: ((tool: McpTool) => boolean) | undefined;
    needsApproval?: boolean | ((tool: McpTool) => boolean) | undefined;
    timeoutMs?: number | undefined;
    totalTimeoutMs?: number | undefined;
    limits?: McpLimits | undefined;
    pinned?: boolean | Readonly<Record<string, string>> | undefined;
    onToolsChanged?: ((tools: readonly AsyncBaseTool[], difference: McpToolsDifference) => void) | undefined;
    elicitation?: ((client: McpClient) => McpCaller) | undefined;
    taskIds?: McpTaskIds | undefined;
    unchecked?: 'refuse' | 'accept' | undefined;
    onUnchecked?: ((tool: McpTool, parts: readonly SchemaFault[]) => void) | undefined;
    untrusted?: boolean | undefined;
    onError?: ((error: unknown) => void) | undefined;
    signal?: AbortSignal | undefined;
}

declare class McpToolset {
    private client;
    private readonly connect;
    private connecting;
    private readonly lost;
    private running;
    private readonly options;
    private readonly totalTimeoutMs;
    private makeCall;
    private offered;
    private listed;
    private names;
    private hasTools;
    private readonly guarded;
    private readonly reported;
    private begun;
    private taken;
    private isListing;
    private isOutdated;
    private subscription;
    private isClosed;
    get tools(): readonly AsyncBaseTool[];
    get retriever(): ObjectRetriever<AsyncBaseTool>;
    get hashes(): Record<string, string>;
    refresh({ signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<McpToolsDifference>;
    private offer;
    private report;
    close(): Promise<void>;
    private changed;
    private adapted;
    private hasChanged;
    private reconnect;
    private open;
    private use;
    private call;
}

interface ServeToolsOptions {
    requests?: {
        list: unknown;
        call: unknown;
    } | undefined;
    withoutApproval?: boolean | undefined;
    tasks?: boolean | TaskTool | undefined;
    approvals?: ServedCaller | undefined;
}

interface ServedCall {
    readonly tool: AsyncBaseTool;
    readonly args: Record<string, unknown>;
    readonly server: Pick<McpServer, 'elicitInput' | 'getClientCapabilities'>;
    readonly context: {
        requestId?: string | number;
        authInfo?: {
            clientId?: string;
        } | undefined;
        http?: {
            authInfo?: {
                clientId?: string;
            } | undefined;
        } | undefined;
        mcpReq?: {
            inputResponses?: Readonly<Record<string, McpAnswer>> | undefined;
            requestState?(): unknown;
        };
    };
    readonly signal: AbortSignal | undefined;
    run(more: {
        idempotencyKey?: string;
        decisions?: readonly PendingToolCall[];
    }): Promise<object>;
    failed(text: string): object;
}

type ServedCaller = (call: ServedCall) => Promise<object>;

interface ServedTools {
    replace(tools: Iterable<Tool>): Promise<void>;
}

declare class TaskTool {
    readonly tool: FunctionTool;
    private readonly tasks;
    private readonly options;
    private asker;
    private readonly asking;
    private readonly queues;
    constructor(tasks: DurableTasks, options: TaskToolOptions);
    createTask(_: unknown, __: unknown, request: {
        params?: object;
    }): Promise<McpTask>;
    getTask(taskId: string): Promise<McpTask | null>;
    getTaskResult(taskId: string): Promise<Record<string, unknown>>;
    updateTaskStatus(taskId: string, status: string): Promise<void>;
    storeTaskResult(): Promise<void>;
    listTasks(): Promise<{
        tasks: never[];
    }>;
    enqueue(taskId: string, message: unknown): Promise<void>;
    dequeue(taskId: string): Promise<never | undefined>;
    dequeueAll(taskId: string): Promise<never[]>;
    private ask;
    private get owner();
    private isOwn;
    private checkOwn;
    private submit;
    private found;
    private messageOf;
    private answer;
}

interface TaskToolOptions {
    name: string;
    description: string;
    prefix?: string | undefined;
    context?: Json | undefined;
    pollingIntervalMs?: number | undefined;
}

interface WaitForUserOptions {
    request?: unknown;
}

declare function askUser(options?: AskUserOptions): ServedCaller;

declare function mcpDocuments(client: McpResourceClient, options?: McpDocumentsOptions): Promise<Document[]>;

declare function mcpPrompts(client: McpPromptClient, options?: McpPromptsOptions): Promise<McpPrompt[]>;

declare function mcpTools(client: McpClient | (() => McpClient | Promise<McpClient>), options?: McpToolsOptions): Promise<McpToolset>;

declare function serveTools(server: McpServer, tools: Iterable<Tool>, options?: ServeToolsOptions): ServedTools;

declare function waitForUser(options?: WaitForUserOptions): (client: McpClient) => McpCaller;
