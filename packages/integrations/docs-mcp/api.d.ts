// The public types of @x/docs-mcp, written by `npm run api`.

// ======== @x/docs-mcp

declare class Docs {
    private readonly folder;
    private readonly index;
    private readonly log;
    private readonly watcher;
    private readonly reading;
    private readonly listeners;
    private readonly closing;
    private readonly list;
    private files;
    private first;
    private failure;
    static open(path: string, options?: DocsOptions): Promise<Docs>;
    private constructor();
    get root(): string;
    get progress(): {
        done: number;
        total: number;
    } | null;
    onChange(listener: (change: DocsChange) => void): () => void;
    upToDate(): Promise<void>;
    documents(within?: string): Promise<DocumentInfo[]>;
    skipped(): Promise<readonly SkippedFile[]>;
    read(path: string): Promise<string>;
    blocks(path: string): Promise<{
        path: string;
        text: string;
        blocks: MarkdownBlock[];
    }>;
    search(query: string, limit: number, options?: DocsSearchOptions): Promise<NodeWithScore[]>;
    tablesOf(path: string): Promise<Table[]>;
    table(id: string): Promise<Table | null>;
    close(): Promise<void>;
    private readOrFail;
    private readFolder;
    private indexAll;
    private indexSome;
    private documentsOf;
    private reportSkipped;
    private notify;
}

interface DocsChange {
    added: string[];
    changed: string[];
    removed: string[];
}

declare class DocsFolderError extends ToolkitError {
    readonly path: string;
    constructor(path: string, reason: string, options?: ToolkitErrorOptions);
}

interface DocsOptions {
    store?: string | undefined;
    quietMs?: number | undefined;
    log?: ((line: string) => void) | undefined;
    fs?: FileSystem | undefined;
    watch?: typeof watch | undefined;
    lookEvery?: number | undefined;
}

declare class DocsPathError extends ToolkitError {
    readonly path: string;
    readonly reason: string;
    constructor(path: string, reason: string, options?: ToolkitErrorOptions);
}

interface DocsSearchOptions {
    within?: string | undefined;
    tablesOnly?: boolean | undefined;
    signal?: AbortSignal | undefined;
}

declare class DocsStoreError extends ToolkitError {
    readonly path: string;
    constructor(path: string, reason: string, options?: ToolkitErrorOptions);
}

interface DocumentInfo {
    path: string;
    title: string | null;
    lines: number;
}

interface SkippedFile {
    path: string;
    reason: string;
}

declare function docsServer(docs: Docs, context?: ServerContext): Server;

declare function docsTools(docs: Docs): FunctionTool[];

// Used by them, not exported:

type FileSystem = Pick<typeof promises, 'lstat' | 'open' | 'readdir' | 'realpath' | 'stat'>;

type ServerContext = Pick<McpRequestContext, 'era' | 'requestInfo'>;
