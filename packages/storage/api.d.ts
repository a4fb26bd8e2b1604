// The public types of @x/storage, written by `npm run api`.

// ======== @x/storage

interface AddDocumentsOptions {
    allowUpdate?: boolean;
    storeText?: boolean;
}

declare abstract class BaseDocumentStore implements DocumentStore {
    abstract addDocuments(nodes: readonly TextNode[], options?: AddDocumentsOptions): Promise<void>;
    abstract upsert(nodes: readonly TextNode[]): Promise<UpsertResult>;
    abstract documentExists(id: string): Promise<boolean>;
    abstract docs(options?: ReadAllOptions): Promise<Record<string, TextNode>>;
    abstract getRefDocInfo(id: string): Promise<RefDocInfo | null>;
    abstract getAllRefDocInfo(): Promise<Record<string, RefDocInfo>>;
    abstract refDocExists(id: string): Promise<boolean>;
    abstract setDocumentHashes(hashes: Readonly<Record<string, string>>): Promise<void>;
    abstract getDocumentHash(id: string): Promise<string | null>;
    abstract getAllDocumentHashes(): Promise<Record<string, string>>;
    protected abstract readNodes(ids: readonly string[]): Promise<(TextNode | null)[]>;
    protected abstract deleteNode(id: string): Promise<boolean>;
    protected abstract deleteSource(id: string): Promise<boolean>;
    getDocument(id: string, options?: {
        raiseError?: true;
    }): Promise<TextNode>;
    getDocument(id: string, options: MissingOptions): Promise<TextNode | null>;
    getNode(id: string, options?: {
        raiseError?: true;
    }): Promise<TextNode>;
    getNode(id: string, options: MissingOptions): Promise<TextNode | null>;
    getNodes(ids: readonly string[], options?: MissingOptions): Promise<TextNode[]>;
    getNodeDict(ids: Readonly<Record<string, string>>): Promise<Record<string, TextNode>>;
    deleteDocument(id: string, options?: MissingOptions): Promise<void>;
    deleteRefDoc(id: string, options?: MissingOptions): Promise<void>;
    setDocumentHash(id: string, hash: string): Promise<void>;
}

interface DocumentCollections {
    nodes: string;
    hashes: string;
    sources: string;
}

interface DocumentStoreOptions extends NodeClassOptions {
    namespace?: string;
}

declare class InMemoryKeyValueStore implements KeyValueStore {
    private readonly collections;
    static fromDict(data: StoredCollections): InMemoryKeyValueStore;
    toDict(): StoredCollections;
    toJsonPieces(name?: string): Generator<string>;
    put(key: string, value: StoredValue, collection?: string): Promise<void>;
    putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<StoredValue | null>;
    getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]>;
    getAll(collection?: string): Promise<Record<string, StoredValue>>;
    delete(key: string, collection?: string): Promise<boolean>;
    deleteMany(keys: readonly string[], collection?: string): Promise<void>;
    private write;
    private read;
}

declare class KVDocumentStore extends BaseDocumentStore {
    protected readonly values: KeyValueStore;
    protected readonly names: DocumentCollections;
    protected readonly records: NodeRecords;
    private last;
    constructor(keyValueStore: KeyValueStore, options?: DocumentStoreOptions);
    addDocuments(nodes: readonly TextNode[], options?: AddDocumentsOptions): Promise<void>;
    upsert(nodes: readonly TextNode[]): Promise<UpsertResult>;
    documentExists(id: string): Promise<boolean>;
    docs(options?: ReadAllOptions): Promise<Record<string, TextNode>>;
    getRefDocInfo(id: string): Promise<RefDocInfo | null>;
    getAllRefDocInfo(): Promise<Record<string, RefDocInfo>>;
    refDocExists(id: string): Promise<boolean>;
    setDocumentHashes(hashes: Readonly<Record<string, string>>): Promise<void>;
    getDocumentHash(id: string): Promise<string | null>;
    getAllDocumentHashes(): Promise<Record<string, string>>;
    protected readNodes(ids: readonly string[]): Promise<(TextNode | null)[]>;
    protected deleteNode(id: string): Promise<boolean>;
    protected deleteSource(id: string): Promise<boolean>;
    protected inOrder<T>(operation: () => Promise<T>): Promise<T>;
    private change;
    private get stored();
    private recordsIn;
}

interface KeyValueOperations {
    put(key: string, value: StoredValue, collection?: string): Promise<void>;
    putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<StoredValue | null>;
    getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]>;
    getAll(collection?: string): Promise<Record<string, StoredValue>>;
    delete(key: string, collection?: string): Promise<boolean>;
    deleteMany(keys: readonly string[], collection?: string): Promise<void>;
}

interface KeyValueStore extends KeyValueOperations {
    transaction?<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T>;
}

interface MissingOptions {
    raiseError?: boolean;
}

interface NodeClassOptions {
    nodeClasses?: Iterable<ModelClass<TextNode>> | undefined;
    registry?: ClassRegistry | undefined;
    line?: PythonLine | undefined;
    checksums?: boolean | undefined;
}

declare class NodeExistsError extends ToolkitError {
    readonly nodeId: string;
    constructor(nodeId: string);
}

declare class NodeRecords {
    private classes;
    readonly line: PythonLine | undefined;
    private readonly checksums;
    constructor(options?: NodeClassOptions);
    recordOf(node: TextNode, changes?: Readonly<Record<string, unknown>>): StoredValue;
    inLine(line: PythonLine): NodeRecords;
    hashOf(node: TextNode): string;
    nodeOf(record: StoredValue, place?: RecordPlace): TextNode;
}

interface ReadAllOptions {
    onUnreadable?: 'throw' | 'skip' | ((error: StoreReadError) => void) | undefined;
}

interface RecordPlace {
    path: string;
    nodeId: string;
}

interface RefDocInfo {
    nodeIds: string[];
    metadata: Record<string, unknown>;
}

declare class RefDocNotFoundError extends ToolkitError {
    readonly refDocId: string;
    constructor(refDocId: string);
}

declare class SimpleDocumentStore extends KVDocumentStore {
    constructor(options?: DocumentStoreOptions, keyValueStore?: InMemoryKeyValueStore);
    static fromDict<T extends SimpleDocumentStore>(this: new (options: DocumentStoreOptions | undefined, values: InMemoryKeyValueStore) => T, data: unknown, options?: DocumentStoreOptions): T;
    toDict(): StoredCollections;
    protected toJsonPieces(): Iterable<string>;
}

declare class StoreChangedError extends ToolkitError {
    readonly path: string;
    constructor(path: string, isKnown: boolean);
}

declare class StoreReadError extends ToolkitError {
    readonly path: string;
    readonly byte: number | null;
    readonly nodeId: string | null;
    constructor(path: string, reason: string, { byte, nodeId, ...options }?: ToolkitErrorOptions & {
        byte?: number | null;
        nodeId?: string | null;
    });
}

declare class StoreTooLargeError extends ToolkitError {
    readonly path: string;
    constructor(path: string, longest: number, options?: ToolkitErrorOptions);
}

type StoredCollections = Record<string, Record<string, StoredValue>>;

type StoredValue = Record<string, unknown>;

interface UpsertResult {
    added: string[];
    changed: string[];
    unchanged: string[];
    removed: string[];
}

declare function mergedMetadata(nodes: Iterable<TextNode>): Map<string, Record<string, unknown>>;

declare const nodeClassOptions: OptionTable<NodeClassOptions>;

declare function nodeOfText(text: string, records: NodeRecords, place?: RecordPlace): TextNode;

declare function nodeReader(where: string, options: ReadAllOptions): (read: () => TextNode) => TextNode | null;

declare function nodeText(node: TextNode, records: NodeRecords, changes?: Readonly<Record<string, unknown>>): string;

// ======== @x/storage/indexeddb

declare class IndexedDBDocumentStore extends KVDocumentStore {
    static open(name: string, options?: IndexedDBOptions & DocumentStoreOptions): Promise<IndexedDBDocumentStore>;
    close(): void;
}

declare class IndexedDBKeyValueStore implements KeyValueStore {
    private readonly database;
    private readonly durability;
    private constructor();
    static open(name: string, options?: IndexedDBOptions): Promise<IndexedDBKeyValueStore>;
    close(): void;
    transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T>;
    put(key: string, value: StoredValue, collection?: string): Promise<void>;
    putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<StoredValue | null>;
    getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]>;
    getAll(collection?: string): Promise<Record<string, StoredValue>>;
    delete(key: string, collection?: string): Promise<boolean>;
    deleteMany(keys: readonly string[], collection?: string): Promise<void>;
    private run;
}

interface IndexedDBOptions {
    indexedDB?: IDBFactory;
    durability?: 'strict' | 'relaxed';
}

// ======== @x/storage/node

declare class FileChatStore extends SimpleChatStore {
    private lastWriting;
    private readonly versions;
    private form;
    private readonly lines;
    static fromPersistPath(path?: string): Promise<FileChatStore>;
    persist(path?: string, options?: PersistOptions): Promise<void>;
    private textIn;
}

declare class FileTaskStore implements TaskStore {
    readonly folder: string;
    readonly blobs: TaskBlobs;
    private readonly pending;
    private readonly known;
    private listed;
    constructor(folder: string);
    append(taskId: string, entries: readonly object[], revision: number): Promise<boolean>;
    private appendLine;
    private endOf;
    load(taskId: string): Promise<unknown[] | null>;
    list({ unfinished, conversationId }?: TaskFilter): Promise<TaskSummary[]>;
    private listedFile;
    delete(taskId: string): Promise<void>;
    private putBlobs;
    private deleteBlobs;
    private inTurn;
    private path;
    private blobFolder;
    private get sharedFolder();
}

interface LeftOut {
    readonly key: string;
    readonly reason: string;
}

interface OverwriteOptions {
    overwrite?: boolean;
}

interface PersistDocumentsOptions extends OverwriteOptions {
    line?: PythonLineName | undefined;
}

interface PersistOptions extends OverwriteOptions {
    format?: 'json' | 'python' | undefined;
    line?: PythonLineName | undefined;
}

declare class SimpleDocumentStore extends InMemoryDocumentStore {
    static readonly name = "SimpleDocumentStore";
    private readonly versions;
    static fromPersistPath(path: string, options?: DocumentStoreOptions): Promise<SimpleDocumentStore>;
    static fromPersistDir(directory?: string, options?: DocumentStoreOptions): Promise<SimpleDocumentStore>;
    persist(path?: string, options?: PersistDocumentsOptions): Promise<void>;
    private piecesIn;
    private compactPiecesIn;
}

declare class StorageFolder {
    readonly documents: SimpleDocumentStore;
    readonly leftOut: readonly LeftOut[];
    private readonly found;
    private readonly vectors;
    private readonly records;
    private readonly graph;
    constructor(documents?: SimpleDocumentStore, read?: {
        leftOut?: LeftOut[];
        records?: Dict;
        graph?: unknown;
    });
    static read(path: string, options?: DocumentStoreOptions): Promise<StorageFolder>;
    get indexes(): readonly StoredIndex[];
    nodesOf(id?: string): Promise<TextNode[]>;
    private vectorOf;
    addIndex(id: string, nodes: readonly TextNode[], vectorStore?: string): Promise<void>;
    write(path: string, options?: WriteFolderOptions): Promise<void>;
    private take;
    private faultOf;
}

interface StoredIndex {
    readonly id: string;
    readonly vectorStores: readonly string[];
    readonly nodeIds: readonly string[];
}

interface VectorEntry {
    source: unknown;
    metadata: unknown;
}

interface WriteFolderOptions {
    line?: PythonLineName | undefined;
    overwrite?: boolean | undefined;
}

declare function indexRecord(id: string, nodes: ReadonlyMap<string, string>, isPython?: boolean): Dict;

declare function pythonText(compact: string): string;

declare function pythonVector(vector: readonly number[]): string;

declare function readIndex(id: string, record: unknown): {
    nodesDict: Dict;
} | {
    reason: string;
};

declare function vectorEntry(node: TextNode): VectorEntry;

// ======== @x/storage/testing

interface ContractCheck {
    name: string;
    run(): Promise<void>;
}

declare class ContractError extends ToolkitError {
    readonly expected: unknown;
    readonly received: unknown;
    constructor(what: string, expected: unknown, received: unknown);
}

type DocumentStoreOperations = Pick<KVDocumentStore, keyof KVDocumentStore>;

declare function chatStoreChecks(create: () => ChatStore | Promise<ChatStore>): readonly ContractCheck[];

declare function documentStoreChecks(create: () => DocumentStoreOperations | Promise<DocumentStoreOperations>): readonly ContractCheck[];

declare function keyValueStoreChecks(create: () => KeyValueStore | Promise<KeyValueStore>): readonly ContractCheck[];
