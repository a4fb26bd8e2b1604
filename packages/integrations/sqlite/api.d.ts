// The public types of @x/sqlite, written by `npm run api`.

// ======== @x/sqlite

type SqlRow = Record<string, SqlValue>;

type SqlValue = string | number | bigint | null | Uint8Array;

declare class SqliteBusyError extends ToolkitError {
    readonly path: string;
    constructor(path: string, options?: ToolkitErrorOptions);
    get retryable(): boolean;
}

declare class SqliteChatStore implements SyncChatStore {
    private readonly database;
    constructor(database: SqliteDatabase);
    setMessages(key: string, messages: readonly ChatMessage[]): void;
    getMessages(key: string): ChatMessage[];
    addMessage(key: string, message: ChatMessage, index?: number): void;
    deleteMessages(key: string): ChatMessage[] | null;
    deleteMessage(key: string, index: number): ChatMessage | null;
    deleteLastMessage(key: string): ChatMessage | null;
    getKeys(): string[];
    toDict(): {
        store: Record<string, unknown[]>;
        class_name: string;
    };
    private conversationOf;
    private insert;
    private positionAt;
    private makeRoom;
    private deleteAt;
}

declare class SqliteDamagedError extends ToolkitError {
    readonly path: string;
    constructor(path: string, options?: ToolkitErrorOptions);
}

declare class SqliteDatabase {
    readonly path: string;
    readonly hasVectorFunctions: boolean;
    readonly isReadOnly: boolean;
    private readonly connection;
    private readonly statements;
    private isInTransaction;
    close(): void;
    run(sql: string, ...values: SqlValue[]): number;
    get(sql: string, ...values: SqlValue[]): SqlRow | null;
    transaction<T>(work: () => T, ..._notAsync: NotAsync<T>): T;
    private rollback;
    private statement;
    private guarded;
}

declare class SqliteDocumentStore extends BaseDocumentStore {
    private readonly database;
    private readonly records;
    constructor(database: SqliteDatabase, options?: NodeClassOptions);
    addDocuments(nodes: readonly TextNode[], { allowUpdate, storeText }?: AddDocumentsOptions): Promise<void>;
    upsert(nodes: readonly TextNode[]): Promise<UpsertResult>;
    documentExists(id: string): Promise<boolean>;
    docs(options?: ReadAllOptions): Promise<Record<string, TextNode>>;
    nodes(options?: ReadAllOptions): AsyncGenerator<TextNode, void, undefined>;
    getRefDocInfo(id: string): Promise<RefDocInfo | null>;
    getAllRefDocInfo(): Promise<Record<string, RefDocInfo>>;
    refDocExists(id: string): Promise<boolean>;
    protected readNodes(ids: readonly string[]): Promise<(TextNode | null)[]>;
    protected deleteNode(id: string): Promise<boolean>;
    protected deleteSource(id: string): Promise<boolean>;
    setDocumentHashes(hashes: Readonly<Record<string, string>>): Promise<void>;
    getDocumentHash(id: string): Promise<string | null>;
    getAllDocumentHashes(): Promise<Record<string, string>>;
    private write;
    private writeNode;
    private mergeMetadata;
    private dropEmpty;
    private order;
    private infoOf;
    private idsOf;
    private rowOf;
    private recordOf;
    private nodeOf;
}

declare class SqliteFullError extends ToolkitError {
    readonly path: string;
    constructor(path: string, options?: ToolkitErrorOptions);
    get retryable(): boolean;
}

declare class SqliteKeywordRetriever extends Retriever {
    similarityTopK: number;
    private readonly tokenize;
    private readonly database;
    private readonly nodes;
    constructor(database: SqliteDatabase, options?: SqliteKeywordRetrieverOptions);
    get size(): number;
    has(id: string): boolean;
    add(nodes: Iterable<TextNode>): void;
    remove(ids: Iterable<string>): number;
    protected search(query: QueryBundle, { filters }: RetrieveOptions): NodeWithScore[];
    private scores;
    private occurrences;
    private meeting;
}

interface SqliteKeywordRetrieverOptions extends NodeClassOptions, RetrieverOptions {
    similarityTopK?: number | undefined;
    tokenize?: WordTokenizer | undefined;
}

type SqliteLibrary = 'node:sqlite' | 'better-sqlite3';

declare class SqliteOpenError extends ToolkitError {
    readonly path: string;
    constructor(path: string, reason: string, options?: ToolkitErrorOptions);
}

interface SqliteOptions {
    busyTimeoutMs?: number | undefined;
    durability?: 'full' | 'normal' | undefined;
    readOnly?: boolean | undefined;
    library?: SqliteLibrary | undefined;
    sqliteVec?: boolean | undefined;
}

declare class SqliteReadOnlyError extends ToolkitError {
    readonly path: string;
    constructor(path: string, options?: ToolkitErrorOptions);
}

declare class SqliteTaskStore implements TaskStore {
    readonly blobs: TaskBlobs;
    private readonly database;
    constructor(database: SqliteDatabase);
    append(taskId: string, entries: readonly object[], revision: number): boolean;
    load(taskId: string): readonly unknown[] | null;
    list({ unfinished, conversationId }?: TaskFilter): TaskSummary[];
    delete(taskId: string): void;
    private putBlobs;
    private getBlobs;
}

declare class SqliteVectorRetriever extends Retriever {
    similarityTopK: number;
    private readonly embedModel;
    private readonly database;
    private readonly nodes;
    constructor(database: SqliteDatabase, options: SqliteVectorRetrieverOptions);
    get size(): number;
    has(id: string): boolean;
    add(nodes: Iterable<TextNode>, { signal }?: CancelOptions): Promise<void>;
    update(nodes: Iterable<TextNode>): void;
    remove(ids: Iterable<string>): number;
    protected search(query: QueryBundle, { signal, parentId, filters }: RetrieveOptions): Promise<NodeWithScore[]>;
    private get dimension();
    private checkLength;
    private measured;
    private scanned;
}

interface SqliteVectorRetrieverOptions extends NodeClassOptions, VectorRetrieverOptions {
}

declare class SqliteVersionError extends ToolkitError {
    readonly path: string;
    readonly expected: number;
    readonly received: number;
    constructor(path: string, expected: number, received: number);
}

declare function openDatabase(path: string, options?: SqliteOptions): Promise<SqliteDatabase>;

// Computed types, not exported:

type NotAsync<T> = [T] extends [never] ? [] : T extends PromiseLike<unknown> ? [error: 'A transaction is synchronous: do not return a promise.'] : [];
