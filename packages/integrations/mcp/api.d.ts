// The public types of @x/mcp, written by `npm run api`.

// ======== @x/mcp

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

interface McpResult {
    readonly content?: readonly McpBlock[] | undefined;
    readonly structuredContent?: unknown;
    readonly isError?: boolean | undefined;
}

interface McpServer {
    setRequestHandler(request: never, handler: never): void;
    sendToolListChanged(): Promise<void>;
}

interface McpTool {
    readonly name: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    readonly inputSchema: object;
    readonly outputSchema?: object | undefined;
    readonly annotations?: McpToolAnnotations | undefined;
}

interface McpToolAnnotations {
    readonly title?: string | undefined;
    readonly readOnlyHint?: boolean | undefined;
    readonly destructiveHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
    readonly openWorldHint?: boolean | undefined;
}

interface McpToolsOptions {
    prefix?: string | undefined;
    filter?: ((tool: McpTool) => boolean) | undefined;
    needsApproval?: boolean | ((tool: McpTool) => boolean) | undefined;
    timeoutMs?: number | undefined;
    onToolsChanged?: ((tools: readonly AsyncBaseTool[]) => void) | undefined;
    signal?: AbortSignal | undefined;
}

declare class McpToolset {
    private readonly client;
    private readonly options;
    private listed;
    private subscription;
    private isClosed;
    constructor(client: McpClient, options: McpToolsOptions);
    get tools(): readonly AsyncBaseTool[];
    get retriever(): ObjectRetriever<AsyncBaseTool>;
    refresh({ signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<void>;
    close(): Promise<void>;
    watch(): Promise<void>;
    private changed;
    private adapted;
    private call;
}

interface ServeToolsOptions {
    requests?: {
        list: unknown;
        call: unknown;
    } | undefined;
    withoutApproval?: boolean | undefined;
}

interface ServedTools {
    replace(tools: Iterable<Tool>): Promise<void>;
}

declare function mcpTools(client: McpClient, options?: McpToolsOptions): Promise<McpToolset>;

declare function serveTools(server: McpServer, tools: Iterable<Tool>, options?: ServeToolsOptions): ServedTools;
