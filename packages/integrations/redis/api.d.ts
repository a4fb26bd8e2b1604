// The public types of @x/redis, written by `npm run api`.

// ======== @x/redis

declare class RedisConflictError extends ToolkitError {
    constructor(attempts: number);
    get retryable(): boolean;
}

declare class RedisKeyValueStore implements KeyValueStore {
    private readonly commands;
    private readonly changes;
    constructor(client: RedisLike | RedisKeyValueStore, options?: RedisStoreOptions);
    put(key: string, value: StoredValue, collection?: string): Promise<void>;
    putAll(pairs: Iterable<readonly [key: string, value: StoredValue]>, collection?: string): Promise<void>;
    get(key: string, collection?: string): Promise<StoredValue | null>;
    getMany(keys: readonly string[], collection?: string): Promise<(StoredValue | null)[]>;
    getAll(collection?: string): Promise<Record<string, StoredValue>>;
    delete(key: string, collection?: string): Promise<boolean>;
    deleteMany(keys: readonly string[], collection?: string): Promise<void>;
    transaction<T>(work: (store: KeyValueOperations) => Promise<T>): Promise<T>;
    private key;
    private hashOf;
    private read;
    private write;
    private commit;
}

type RedisLike = {
    call(command: string, ...args: string[]): Promise<unknown>;
} | {
    sendCommand(args: string[]): Promise<unknown>;
};

interface RedisStoreOptions {
    prefix?: string | undefined;
}

declare class RedisTaskStore implements TaskStore {
    private readonly commands;
    constructor(client: RedisLike, options?: RedisStoreOptions);
    append(taskId: string, entries: readonly object[], revision: number): Promise<boolean>;
    load(taskId: string): Promise<readonly unknown[] | null>;
    list({ unfinished, conversationId }?: TaskFilter): Promise<TaskSummary[]>;
    delete(taskId: string): Promise<void>;
    private summaryOf;
    private key;
    private keysOf;
}
