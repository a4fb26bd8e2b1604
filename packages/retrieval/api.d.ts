// The public types of @x/retrieval, written by `npm run api`.

// ======== @x/retrieval

declare class Bm25Index {
    private readonly k1;
    private readonly b;
    private readonly tokenize;
    private readonly postings;
    private readonly lengths;
    private total;
    constructor(options?: Bm25Options);
    get size(): number;
    add(text: string): number;
    search(query: string, limit?: number): Bm25Match[];
}

interface Bm25Match {
    index: number;
    score: number;
}

interface Bm25Options {
    k1?: number;
    b?: number;
    tokenize?: (text: string) => string[];
}

declare class Bm25Retriever extends Retriever {
    similarityTopK: number;
    private readonly index;
    private readonly nodes;
    constructor(options?: Bm25RetrieverOptions);
    get size(): number;
    add(nodes: Iterable<TextNode>): void;
    protected search(query: QueryBundle): NodeWithScore[];
}

interface Bm25RetrieverOptions extends Bm25Options {
    nodes?: Iterable<TextNode> | undefined;
    similarityTopK?: number | undefined;
    callbackManager?: CallbackManager | null | undefined;
}

declare class ObjectIndex<T> {
    private readonly mapping;
    private readonly embedModel;
    private readonly vectors;
    private readonly objects;
    private readonly places;
    constructor(mapping: ObjectNodeMapping<T>, options: ObjectIndexOptions);
    static fromObjects<T>(objects: readonly T[], mapping: ObjectNodeMapping<T>, options: ObjectIndexOptions & RetrieveOptions): Promise<ObjectIndex<T>>;
    insertObject(object: T, options?: RetrieveOptions): Promise<void>;
    asRetriever(options?: {
        similarityTopK?: number;
    }): ObjectRetriever<T>;
    private put;
}

interface ObjectIndexOptions {
    embedModel: EmbeddingModel;
}

interface ObjectNodeMapping<T> {
    key(object: T): string;
    toNode(object: T): TextNode;
}

declare class ObjectRetriever<T> {
    private readonly find;
    constructor(find: (query: string, options: RetrieveOptions) => Promise<T[]>);
    retrieve(query: string | QueryBundle, options?: RetrieveOptions): Promise<T[]>;
    asQueryComponent(options?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
}

interface RetrieveOptions {
    signal?: AbortSignal | undefined;
}

declare abstract class Retriever {
    callbackManager: CallbackManager | null;
    constructor(callbackManager: CallbackManager | null | undefined);
    protected abstract search(query: QueryBundle, options: RetrieveOptions): NodeWithScore[] | Promise<NodeWithScore[]>;
    retrieve(query: string | QueryBundle, options?: RetrieveOptions): Promise<NodeWithScore[]>;
    asQueryComponent(options?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
}

declare class ToolNodeMapping<T extends ToolLike = ToolLike> implements ObjectNodeMapping<T> {
    key({ metadata }: T): string;
    toNode({ metadata }: T): TextNode;
}

declare class VectorIndex {
    private data;
    private dimension;
    private count;
    get size(): number;
    add(vector: readonly number[]): number;
    replace(index: number, vector: readonly number[]): void;
    search(query: readonly number[], limit: number): VectorMatch[];
    private write;
    private checkLength;
}

interface VectorMatch {
    index: number;
    score: number;
}

declare class VectorRetriever extends Retriever {
    similarityTopK: number;
    private readonly embedModel;
    private readonly index;
    private readonly nodes;
    constructor(options: VectorRetrieverOptions);
    static fromNodes(nodes: Iterable<TextNode>, options: VectorRetrieverOptions & RetrieveOptions): Promise<VectorRetriever>;
    get size(): number;
    add(nodes: Iterable<TextNode>, { signal }?: RetrieveOptions): Promise<void>;
    protected search(query: QueryBundle, { signal }: RetrieveOptions): Promise<NodeWithScore[]>;
    private embed;
}

interface VectorRetrieverOptions {
    embedModel: EmbeddingModel;
    similarityTopK?: number | undefined;
    callbackManager?: CallbackManager | null | undefined;
}

declare function tokenizeWords(text: string): string[];
