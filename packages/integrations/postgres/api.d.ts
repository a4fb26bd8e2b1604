// The public types of @x/postgres, written by `npm run api`.

// ======== @x/postgres

interface ClaimOptions {
    leaseMs?: number | undefined;
    taskId?: string | undefined;
}

interface HnswOptions {
    m?: number | undefined;
    efConstruction?: number | undefined;
}

declare class PostgresAnswerCache implements AnswerCache {
    private readonly database;
    constructor(database: PostgresDatabase);
    get(key: string): Promise<string | null>;
    set(key: string, answer: string): Promise<void>;
    deleteBefore(time: Date): Promise<number>;
}

declare class PostgresChatStore implements ChatStore {
    private readonly database;
    constructor(database: PostgresDatabase);
    setMessages(key: string, messages: readonly ChatMessage[]): Promise<void>;
    getMessages(key: string): Promise<ChatMessage[]>;
    addMessage(key: string, message: ChatMessage, index?: number): Promise<void>;
    deleteMessages(key: string): Promise<ChatMessage[] | null>;
    deleteMessage(key: string, index: number): Promise<ChatMessage | null>;
    deleteLastMessage(key: string): Promise<ChatMessage | null>;
    getKeys(): Promise<string[]>;
    private deleteAt;
    private locked;
}

interface PostgresClient {
    query(text: string, values?: unknown[]): Promise<PostgresResult>;
    release(error?: Error | boolean): void;
    on(event: 'error', listener: (error: Error) => void): unknown;
    removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

declare class PostgresConflictError extends ToolkitError {
    readonly attempts: number;
    constructor(attempts: number, options?: ToolkitErrorOptions);
    get retryable(): boolean;
}

declare class PostgresConnectionError extends ToolkitError {
    constructor(options: ToolkitErrorOptions);
    get retryable(): boolean;
}

declare class PostgresDatabase {
    private readonly pool;
    private readonly client;
    private last;
    private hasEnded;
    private failure;
    transaction<T>(work: (database: PostgresDatabase) => Promise<T>, { signal, isolation }?: TransactionOptions): Promise<T>;
    private attempt;
    private queryInside;
    private connection;
    private nested;
    private inOrder;
}

declare class PostgresDocumentStore extends BaseDocumentStore {
    private readonly database;
    private readonly records;
    private readonly order;
    constructor(database: PostgresDatabase, options?: NodeClassOptions);
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
    getIngested(id: string): Promise<{
        hash: string | null;
        nodeIds: string[];
    }>;
    beginIngestion(id: string, nodes: readonly TextNode[], hash: string): Promise<void>;
    endIngestion(id: string, nodeIds: readonly string[], hash: string, metadata?: Readonly<Record<string, unknown>>): Promise<void>;
    private change;
    private deleteWhere;
    private read;
    private select;
    private infos;
    private nodeOf;
}

declare class PostgresKeyValueStore implements KeyValueStore {
    private readonly database;
    constructor(database: PostgresDatabase);
    put(key: string, value: StoredValue, collection?: string): Promise<void>;
    putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<StoredValue | null>;
    getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]>;
    getAll(collection?: string): Promise<Record<string, StoredValue>>;
    delete(key: string, collection?: string): Promise<boolean>;
    deleteMany(keys: readonly string[], collection?: string): Promise<void>;
    transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T>;
    private run;
}

declare class PostgresKeywordRetriever extends DatabaseRetriever {
    private readonly k1;
    private readonly b;
    private readonly tokenize;
    private readonly fingerprint;
    constructor(database: PostgresDatabase, options?: PostgresKeywordRetrieverOptions);
    protected search(query: QueryBundle, { filters }: RetrieveOptions): Promise<NodeWithScore[]>;
    private searchStatement;
    protected change(changes: IndexChanges): Promise<ChangeOutcome>;
    private put;
}

interface PostgresKeywordRetrieverOptions extends NodeClassOptions, Bm25Options, DatabaseRetrieverOptions {
}

interface PostgresOptions {
    schema?: string | undefined;
    tablePrefix?: string | undefined;
    pgvector?: boolean | undefined;
}

interface PostgresPool {
    query(text: string, values?: unknown[]): Promise<PostgresResult>;
    connect(): Promise<PostgresClient>;
}

interface PostgresResult {
    rows: any[];
    command?: string;
}

declare class PostgresTaskStore implements TaskStore {
    readonly blobs: TaskBlobs;
    private readonly database;
    private readonly owner;
    private readonly leases;
    constructor(database: PostgresDatabase);
    append(taskId: string, entries: readonly object[], revision: number): Promise<boolean>;
    load(taskId: string): Promise<readonly unknown[] | null>;
    list({ unfinished, conversationId }?: TaskFilter): Promise<TaskSummary[]>;
    delete(taskId: string): Promise<void>;
    claim(options?: ClaimOptions): Promise<TaskSummary | null>;
    release(taskId: string, options?: ReleaseOptions): Promise<void>;
}

declare class PostgresVectorRetriever extends DatabaseVectorRetriever {
    private readonly table;
    constructor(database: PostgresDatabase, options: PostgresVectorRetrieverOptions);
    createHnswIndex(options?: HnswOptions): Promise<void>;
    protected nearest(vector: readonly number[], limit: number, filters: FiltersInput | undefined): Promise<NodeWithScore[]>;
    private searchStatement;
    protected write(nodes: readonly NodeVector[], changes: IndexChanges): Promise<ChangeOutcome>;
    private put;
}

interface PostgresVectorRetrieverOptions extends NodeClassOptions, VectorRetrieverOptions {
    pythonTable?: PythonTable | undefined;
}

declare class PostgresVersionError extends ToolkitError {
    readonly expected: number;
    readonly received: number;
    constructor(where: string, expected: number, received: number);
}

interface PythonTable {
    readonly name: string;
}

interface ReleaseOptions {
    pauseMs?: number | undefined;
}

interface TransactionOptions {
    signal?: AbortSignal | undefined;
    isolation?: 'read committed' | 'serializable' | undefined;
}

declare function openDatabase(pool: PostgresPool, options?: PostgresOptions): Promise<PostgresDatabase>;

declare function pythonTable(name: string): PythonTable;
