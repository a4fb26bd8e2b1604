// The public types of @x/storage, written by `npm run api`.

// ======== @x/storage

interface AddDocumentsOptions {
    allowUpdate?: boolean;
    storeText?: boolean;
}

interface DocumentStoreOptions {
    namespace?: string;
    nodeClasses?: Iterable<ModelClass<TextNode>>;
    registry?: ClassRegistry;
}

declare class InMemoryKeyValueStore implements KeyValueStore {
    private readonly collections;
    static fromDict(data: StoredCollections): InMemoryKeyValueStore;
    toDict(): StoredCollections;
    put(key: string, value: StoredValue, collection?: string): Promise<void>;
    putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<StoredValue | null>;
    getAll(collection?: string): Promise<Record<string, StoredValue>>;
    delete(key: string, collection?: string): Promise<boolean>;
    private write;
    private read;
}

declare class KVDocumentStore implements DocumentStore {
    protected readonly values: KeyValueStore;
    private readonly classes;
    private readonly nodes;
    private readonly hashes;
    private readonly sources;
    private last;
    constructor(keyValueStore: KeyValueStore, { namespace, nodeClasses, registry }?: DocumentStoreOptions);
    addDocuments(nodes: readonly TextNode[], { allowUpdate, storeText }?: AddDocumentsOptions): Promise<void>;
    upsert(nodes: readonly TextNode[]): Promise<UpsertResult>;
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
    documentExists(id: string): Promise<boolean>;
    docs(): Promise<Record<string, TextNode>>;
    getRefDocInfo(id: string): Promise<RefDocInfo | null>;
    getAllRefDocInfo(): Promise<Record<string, RefDocInfo>>;
    refDocExists(id: string): Promise<boolean>;
    deleteDocument(id: string, { raiseError }?: MissingOptions): Promise<void>;
    deleteRefDoc(id: string, { raiseError }?: MissingOptions): Promise<void>;
    setDocumentHash(id: string, hash: string): Promise<void>;
    setDocumentHashes(hashes: Readonly<Record<string, string>>): Promise<void>;
    getDocumentHash(id: string): Promise<string | null>;
    getAllDocumentHashes(): Promise<Record<string, string>>;
    protected inOrder<T>(operation: () => Promise<T>): Promise<T>;
    private read;
    private recordOf;
    private write;
    private remove;
    private readSource;
    private dropNode;
    private dropSource;
}

interface KeyValueStore {
    put(key: string, value: StoredValue, collection?: string): Promise<void>;
    putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<StoredValue | null>;
    getAll(collection?: string): Promise<Record<string, StoredValue>>;
    delete(key: string, collection?: string): Promise<boolean>;
}

interface MissingOptions {
    raiseError?: boolean;
}

declare class NodeExistsError extends ToolkitError {
    readonly nodeId: string;
    constructor(nodeId: string);
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
}

declare class StoreReadError extends ToolkitError {
    readonly path: string;
    readonly byte: number | null;
    constructor(path: string, reason: string, { byte, ...options }?: ToolkitErrorOptions & {
        byte?: number | null;
    });
}

type StoredCollections = Record<string, Record<string, StoredValue>>;

type StoredValue = Record<string, unknown>;

interface UpsertResult {
    added: string[];
    changed: string[];
    unchanged: string[];
    removed: string[];
}

// ======== @x/storage/node

declare class FileChatStore extends SimpleChatStore {
    private lastWriting;
    static fromPersistPath(path?: string): Promise<FileChatStore>;
    persist(path?: string, { format }?: PersistOptions): Promise<void>;
}

declare class FileTaskStore {
    readonly folder: string;
    private readonly pending;
    constructor(folder: string);
    save(taskId: string, task: object): Promise<void>;
    load(taskId: string): Promise<unknown>;
    delete(taskId: string): Promise<void>;
    private inTurn;
    private path;
}

interface PersistOptions {
    format?: 'json' | 'python';
}

declare class SimpleDocumentStore extends InMemoryDocumentStore {
    static readonly name = "SimpleDocumentStore";
    static fromPersistPath(path: string, options?: DocumentStoreOptions): Promise<SimpleDocumentStore>;
    static fromPersistDir(directory?: string, options?: DocumentStoreOptions): Promise<SimpleDocumentStore>;
    persist(path?: string): Promise<void>;
}
