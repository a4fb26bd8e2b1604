// The public types of @x/retrieval, written by `npm run api`.

// ======== @x/retrieval

declare class Bm25Index {
    private readonly k1;
    private readonly b;
    private readonly tokenize;
    private readonly postings;
    private readonly lengths;
    private readonly sequences;
    private free;
    private removed;
    private count;
    private total;
    private nextSequence;
    private scores;
    constructor(options?: Bm25Options);
    get size(): number;
    add(text: string): number;
    replace(position: number, text: string): number;
    remove(position: number): void;
    search(query: string, limit?: number, accepts?: (position: number) => boolean): Bm25Match[];
    private addScores;
    private liveIn;
    private insert;
    private purge;
}

interface Bm25Match {
    index: number;
    score: number;
}

interface Bm25Options {
    k1?: number;
    b?: number;
    tokenize?: WordTokenizer;
}

declare class Bm25Retriever extends Retriever {
    similarityTopK: number;
    private readonly index;
    private readonly nodes;
    constructor(options?: Bm25RetrieverOptions);
    get size(): number;
    has(id: string): boolean;
    add(nodes: Iterable<TextNode>): void;
    remove(ids: Iterable<string>): number;
    protected search(query: QueryBundle, { filters }: RetrieveOptions): NodeWithScore[];
}

interface Bm25RetrieverOptions extends Bm25Options, RetrieverOptions {
    nodes?: Iterable<TextNode> | undefined;
    similarityTopK?: number | undefined;
}

interface CancelOptions {
    signal?: AbortSignal | undefined;
}

interface ChangeOutcome {
    removed: number;
    missing: string[];
}

interface DatabaseNodes {
    count(): Promise<number>;
    missing(ids: readonly string[]): Promise<string[]>;
}

declare abstract class DatabaseRetriever extends Retriever implements IngestionIndex {
    similarityTopK: number;
    protected readonly nodes: DatabaseNodes;
    constructor(nodes: DatabaseNodes, options?: DatabaseRetrieverOptions);
    protected get limit(): number;
    protected best(limit: number, filters: FiltersInput | undefined, read: (limit: number) => Promise<readonly {
        node: TextNode;
        score: number;
    }[]>): Promise<NodeWithScore[]>;
    protected abstract change(changes: IndexChanges, options?: CancelOptions): Promise<ChangeOutcome>;
    count(): Promise<number>;
    has(id: string): Promise<boolean>;
    missing(ids: readonly string[]): Promise<string[]>;
    add(nodes: Iterable<TextNode>, options?: CancelOptions): Promise<void>;
    remove(ids: Iterable<string>): Promise<number>;
    apply(changes: IndexChanges, options?: CancelOptions): Promise<string[]>;
}

interface DatabaseRetrieverOptions extends RetrieverOptions {
    similarityTopK?: number | undefined;
}

declare abstract class DatabaseVectorRetriever extends DatabaseRetriever {
    private readonly embedModel;
    constructor(nodes: DatabaseNodes, options: VectorRetrieverOptions);
    protected abstract write(nodes: readonly NodeVector[], changes: IndexChanges): Promise<ChangeOutcome>;
    protected abstract nearest(vector: readonly number[], limit: number, filters: FiltersInput | undefined): Promise<NodeWithScore[]>;
    update(nodes: Iterable<TextNode>): Promise<void>;
    protected search(query: QueryBundle, { signal, parentId, filters }: RetrieveOptions): Promise<NodeWithScore[]>;
    protected change(changes: IndexChanges, { signal }?: CancelOptions): Promise<ChangeOutcome>;
}

type FilterOperator = (typeof filterOperators)[number];

type FilterValue = string | number | boolean | bigint | null | readonly (string | number | boolean | bigint)[];

type FiltersInput = MetadataFilters | readonly (MetadataFilter | MetadataFilters)[];

type FusionMode = 'reciprocal_rank' | 'relative_score';

declare class HybridRetriever extends Retriever {
    similarityTopK: number;
    private readonly retrievers;
    private readonly weights;
    private readonly mode;
    private readonly k;
    constructor(options: HybridRetrieverOptions);
    protected search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]>;
}

interface HybridRetrieverOptions extends Omit<RetrieverOptions, 'filters'> {
    retrievers: readonly RetrieverLike[];
    weights?: readonly number[] | undefined;
    mode?: FusionMode | undefined;
    k?: number | undefined;
    similarityTopK?: number | undefined;
}

interface IndexChanges {
    added?: readonly TextNode[] | undefined;
    updated?: readonly TextNode[] | undefined;
    removed?: readonly string[] | undefined;
    kept?: readonly string[] | undefined;
}

declare class IndexNodeFollower {
    private readonly targets;
    private readonly store;
    private readonly maxDepth;
    private readonly onMissing;
    constructor(options?: IndexNodeFollowerOptions);
    postprocessNodes(nodes: readonly NodeWithScore[], options?: RetrieveOptions & {
        queryBundle?: QueryBundle | null | undefined;
        queryStr?: string | null | undefined;
    }): Promise<NodeWithScore[]>;
    private followAll;
    private follow;
    private ask;
    private targetOf;
}

interface IndexNodeFollowerOptions {
    targets?: Readonly<Record<string, IndexTarget>> | readonly TextNode[] | undefined;
    store?: DocumentStore | undefined;
    maxDepth?: number | undefined;
    onMissing?: 'throw' | 'keep' | 'drop' | undefined;
}

declare class IndexObjectRetriever<T> implements ObjectRetriever<T> {
    private readonly find;
    constructor(find: (query: string, options: CancelOptions) => Promise<T[]>);
    retrieve(query: string | QueryBundle, options?: CancelOptions): Promise<T[]>;
    asQueryComponent(options?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
}

type IndexTarget = TextNode | RetrieverLike | QueryEngine;

declare class IndexTargetNotFoundError extends ToolkitError {
    readonly nodeId: string;
    readonly indexId: string;
    constructor(nodeId: string, indexId: string);
}

interface IngestOptions extends CancelOptions {
    durable?: Durable | undefined;
}

interface IngestedDocument {
    hash: string | null;
    nodeIds: readonly string[];
}

type IngestionCounts = Record<IngestionOutcome, number>;

interface IngestionError {
    documentId: string;
    error: unknown;
}

interface IngestionIndex {
    add(nodes: readonly TextNode[], options?: CancelOptions): unknown;
    update?(nodes: readonly TextNode[]): unknown;
    remove(ids: readonly string[]): unknown;
    has?(id: string): boolean | Promise<boolean>;
    missing?(ids: readonly string[]): readonly string[] | Promise<readonly string[]>;
    apply?(changes: IndexChanges, options?: CancelOptions): Promise<readonly string[]>;
}

type IngestionOutcome = 'unchanged' | 'changed' | 'added' | 'removed';

declare class IngestionPipeline {
    private readonly options;
    private readonly target;
    private readonly origin;
    private readonly turns;
    constructor(options: IngestionPipelineOptions);
    run(documents: Iterable<TextNode> | AsyncIterable<TextNode>, options: IngestionRunOptions & {
        onError: 'skip';
    }): Promise<IngestionResult>;
    run(documents: Iterable<TextNode> | AsyncIterable<TextNode>, options?: IngestionRunOptions): Promise<IngestionCounts & {
        errors?: IngestionResult['errors'];
    }>;
    ingest(document: TextNode, options?: IngestOptions): Promise<IngestionOutcome>;
    private process;
    private storedIds;
    private ingested;
    private inTurn;
    private compare;
    private get inProgress();
    private hashOf;
    private withoutUnhashed;
    private isSameContent;
    private write;
    private writeTo;
    remove(id: string): Promise<void>;
    private fillIndexes;
    private nodesOf;
    private embedded;
}

interface IngestionPipelineOptions {
    transformations: readonly Transformation[];
    store: IngestionStore;
    indexes?: readonly IngestionIndex[] | undefined;
    transaction?: (<T>(work: (inside: IngestionTarget) => Promise<T>) => Promise<T>) | undefined;
    embedModel?: EmbeddingModel | undefined;
    version?: string | undefined;
    origin?: string | undefined;
    excludedHashMetadataKeys?: readonly string[] | undefined;
}

interface IngestionProgress {
    done: number;
    total?: number;
    documentId: string;
    outcome: IngestionOutcome | 'failed';
}

interface IngestionResult extends IngestionCounts {
    errors: IngestionError[];
}

interface IngestionRunOptions extends CancelOptions {
    removeMissing?: boolean | undefined;
    maxConcurrency?: number | undefined;
    maxEmbedConcurrency?: number | undefined;
    onError?: 'throw' | 'skip' | undefined;
    onProgress?: ((progress: IngestionProgress) => void) | undefined;
}

interface IngestionStore {
    addDocuments(nodes: readonly TextNode[]): Promise<void>;
    upsert(nodes: readonly TextNode[]): Promise<unknown>;
    getNodes(ids: readonly string[], options: {
        raiseError: false;
    }): Promise<TextNode[]>;
    getRefDocInfo(id: string): Promise<{
        nodeIds: readonly string[];
    } | null>;
    getAllRefDocInfo(): Promise<Readonly<Record<string, {
        nodeIds: readonly string[];
    }>>>;
    deleteRefDoc(id: string, options: {
        raiseError: false;
    }): Promise<void>;
    deleteDocument?(id: string, options: {
        raiseError: false;
    }): Promise<void>;
    getDocumentHash(id: string): Promise<string | null>;
    setDocumentHash(id: string, hash: string): Promise<void>;
    getAllDocumentHashes?(): Promise<Readonly<Record<string, string>>>;
    getIngested?(id: string): Promise<IngestedDocument>;
    beginIngestion?(id: string, nodes: readonly TextNode[], hash: string): Promise<void>;
    endIngestion?(id: string, nodeIds: readonly string[], hash: string, metadata: Readonly<Record<string, unknown>>): Promise<void>;
}

interface IngestionTarget {
    store: IngestionStore;
    indexes: readonly IngestionIndex[];
}

declare class MergingFollower {
    private readonly options;
    constructor(options: MergingFollowerOptions);
    postprocessNodes(nodes: readonly NodeWithScore[], { signal }?: CancelOptions): Promise<NodeWithScore[]>;
    private merge;
}

interface MergingFollowerOptions extends SourceOptions {
    ranges: RangesOf;
    minCovered?: number | undefined;
    maxLength?: number | null | undefined;
}

interface MetadataFilter {
    key: string;
    value?: FilterValue;
    operator?: FilterOperator;
}

interface MetadataFilters {
    filters: readonly (MetadataFilter | MetadataFilters)[];
    condition?: 'and' | 'or' | 'not';
}

type NodeVector = readonly [node: TextNode, embedding: readonly number[] | null];

declare class ObjectIndex<T> {
    private readonly mapping;
    private readonly embedModel;
    private readonly vectors;
    private readonly objects;
    private readonly places;
    constructor(mapping: ObjectNodeMapping<T>, options: ObjectIndexOptions);
    static fromObjects<T>(objects: readonly T[], mapping: ObjectNodeMapping<T>, options: ObjectIndexOptions & CancelOptions): Promise<ObjectIndex<T>>;
    insertObject(object: T, options?: CancelOptions): Promise<void>;
    asRetriever(options?: {
        similarityTopK?: number;
    }): IndexObjectRetriever<T>;
    private put;
}

interface ObjectIndexOptions {
    embedModel: EmbeddingModel;
}

interface ObjectNodeMapping<T> {
    key(object: T): string;
    toNode(object: T): TextNode;
}

type RangesOf = (text: string) => readonly SourceRange[];

declare class RecursiveRetriever extends Retriever {
    private readonly retriever;
    private readonly follower;
    constructor(options: RecursiveRetrieverOptions);
    protected search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]>;
}

interface RecursiveRetrieverOptions extends IndexNodeFollowerOptions, Omit<RetrieverOptions, 'filters'> {
    retriever: RetrieverLike;
}

interface RetrieveOptions extends CancelOptions, RunComponentOptions {
    filters?: FiltersInput | undefined;
    scope?: SearchScope | undefined;
}

declare abstract class Retriever implements RetrieverLike {
    callbackManager: CallbackManager | null;
    readonly scope: readonly string[];
    private readonly ownFilters;
    constructor(callbackManager: CallbackManager | null | undefined, scope?: readonly string[], filters?: FiltersInput);
    protected abstract search(query: QueryBundle, options: RetrieveOptions): NodeWithScore[] | Promise<NodeWithScore[]>;
    retrieve(query: string | QueryBundle, options?: RetrieveOptions): Promise<NodeWithScore[]>;
    asQueryComponent(options?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
}

interface RetrieverLike {
    retrieve(query: string | QueryBundle, options?: RetrieveOptions): Promise<NodeWithScore[]>;
}

interface RetrieverOptions {
    filters?: FiltersInput | undefined;
    scope?: readonly string[] | undefined;
    callbackManager?: CallbackManager | null | undefined;
}

declare class ScopeMissingError extends ToolkitError {
    readonly keys: readonly string[];
    constructor(keys: readonly string[]);
}

type SearchScope = Readonly<Record<string, string | number | boolean>>;

interface SourceOptions {
    source: SourceReader;
    onMissing?: 'throw' | 'keep' | 'drop' | undefined;
}

interface SourceRange {
    start: number;
    end: number;
}

type SourceReader = (id: string, options: CancelOptions) => string | TextNode | null | undefined | Promise<string | TextNode | null | undefined>;

declare class SourceTextError extends ToolkitError {
    readonly sourceId: string;
    readonly nodeId: string;
    constructor(code: 'source_not_found' | 'source_changed', sourceId: string, nodeId: string);
}

interface SqlCondition<V> {
    sql: string;
    values: V[];
}

declare class ToolNodeMapping<T extends ToolLike = ToolLike> implements ObjectNodeMapping<T> {
    key({ metadata }: T): string;
    toNode({ metadata }: T): TextNode;
}

interface Transformation {
    transform(nodes: readonly TextNode[], options?: IngestOptions): Promise<readonly TextNode[]>;
}

declare class VectorIndex {
    private readonly blocks;
    private dimension;
    private readonly sequences;
    private readonly free;
    private nextSequence;
    get size(): number;
    add(vector: readonly number[]): number;
    replace(position: number, vector: readonly number[]): void;
    remove(position: number): void;
    search(query: readonly number[], limit: number, accepts?: (position: number) => boolean): VectorMatch[];
    private perBlock;
    private clear;
    private write;
    private checkPosition;
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
    static fromNodes(nodes: Iterable<TextNode>, options: VectorRetrieverOptions & CancelOptions): Promise<VectorRetriever>;
    get size(): number;
    has(id: string): boolean;
    add(nodes: Iterable<TextNode>, options?: CancelOptions): Promise<void>;
    update(nodes: Iterable<TextNode>): void;
    remove(ids: Iterable<string>): number;
    protected search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]>;
}

interface VectorRetrieverOptions extends RetrieverOptions {
    embedModel: EmbeddingModel;
    similarityTopK?: number | undefined;
}

declare class WindowFollower {
    private readonly options;
    constructor(options: WindowFollowerOptions);
    postprocessNodes(nodes: readonly NodeWithScore[], { signal }?: CancelOptions): Promise<NodeWithScore[]>;
    private windowsOf;
}

interface WindowFollowerOptions extends SourceOptions {
    ranges?: RangesOf | undefined;
    before?: number | undefined;
    after?: number | undefined;
}

interface WordTokenizer {
    (text: string): string[];
    query?: ((text: string) => string[]) | undefined;
}

interface WordTokenizerOptions {
    stopWords?: Iterable<string> | undefined;
    stem?: ((word: string) => string) | undefined;
    ngrams?: number | undefined;
}

declare function allOf<T>(items: Iterable<T>, where: string, name?: string): T[];

declare const bm25Defaults: {
    readonly k1: number;
    readonly b: number;
};

declare function bm25Factors({ k1, b }: {
    readonly k1: number;
    readonly b: number;
}, term: {
    repetitions: number;
    having: number;
}, index: {
    size: number;
    terms: number;
}): {
    weight: number;
    base: number;
    perTerm: number;
};

declare const bm25Options: OptionTable<Bm25Options>;

declare function checkDimension(expected: number, received: number): void;

declare function countTerms(terms: readonly string[]): Map<string, number>;

declare const databaseRetrieverOptions: OptionTable<DatabaseRetrieverOptions>;

declare function embedNodes(nodes: readonly TextNode[], embedModel: EmbeddingModel, signal?: CancelOptions['signal']): Promise<ReadonlyMap<TextNode, number[]>>;

declare function englishStem(word: string): string;

declare const englishStopWords: readonly string[];

declare const filterOperators: readonly ['==', '!=', '>', '>=', '<', '<=', 'in', 'nin', 'any', 'all', 'contains', 'text_match', 'is_empty'];

declare function filterStep(filters: FiltersInput): NodesPostprocessor;

declare const frenchStopWords: readonly string[];

declare const germanStopWords: readonly string[];

declare function nodeFilter(filters: FiltersInput): (node: TextNode) => boolean;

declare function otherTokenizer(where: string, place: string): ConfigurationError;

declare const retrieverOptions: OptionTable<RetrieverOptions>;

declare function scopedStore(store: DocumentStore, scope: SearchScope): Required<DocumentStore>;

declare function searchableText(node: TextNode): string;

declare function sentenceRanges(text: string): SourceRange[];

declare const spanishStopWords: readonly string[];

declare function sqlCondition<V>(all: readonly (FiltersInput | undefined)[], entryCondition: (filter: MetadataFilter) => SqlCondition<V> | null): SqlCondition<V> | null;

declare const tokenizeText: WordTokenizer & {
    readonly query: (text: string) => string[];
};

declare function tokenizeWords(text: string): string[];

declare function tokenizerFingerprint(tokenize: WordTokenizer): string;

declare function unitVector(vector: readonly number[], owner: string): Float32Array;

declare const vectorOptions: OptionTable<VectorRetrieverOptions>;

declare function wordTokenizer(options?: WordTokenizerOptions): WordTokenizer;

// ======== @x/retrieval/answer

interface AnswerOptions extends CancelOptions {
    llm: BaseLLM;
    passages: readonly NodeWithScore[];
    question: string;
    nothingFound?: string | undefined;
    instructions?: string | undefined;
    unmask?: Unmask | undefined;
    mapping?: Record<string, string> | undefined;
    parentId?: string | undefined;
}

interface AnswerSource {
    number: number;
    node: TextNode | null;
    file: string;
    line: number | null;
    endLine: number | null;
    start: number | null;
    end: number | null;
    heading: string;
    problem: string | null;
}

interface CheckedCitation extends Citation {
    problem: string | null;
}

interface Citation {
    start: number;
    end: number;
    numbers: number[];
}

declare class QueryEngineResponse {
    readonly response: string;
    readonly sourceNodes: readonly NodeWithScore[];
    readonly sources: readonly AnswerSource[];
    readonly citations: readonly CheckedCitation[];
    constructor(response: string, sourceNodes: readonly NodeWithScore[], sources: readonly AnswerSource[], citations: readonly CheckedCitation[]);
    toString(): string;
}

declare class QueryFusionRetriever extends Retriever {
    similarityTopK: number;
    private readonly options;
    constructor(options: QueryFusionRetrieverOptions);
    protected search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]>;
}

interface QueryFusionRetrieverOptions {
    retriever: RetrieverLike;
    questions: (question: string, options: CancelOptions & {
        parentId?: string | undefined;
    }) => Promise<readonly string[]>;
    weight?: number | undefined;
    similarityTopK?: number | undefined;
    callbackManager?: CallbackManager | null | undefined;
}

declare class RetrieverQueryEngine implements QueryEngine {
    private readonly options;
    constructor(options: RetrieverQueryEngineOptions);
    retrieve(query: string | QueryBundle, options?: QueryEngineOptions): Promise<readonly NodeWithScore[]>;
    query(query: string | QueryBundle, options?: QueryEngineOptions): Promise<QueryEngineResponse>;
    streamQuery(query: string | QueryBundle, options?: QueryEngineOptions): Promise<{
        answer: SourcedAnswerStream;
        sourceNodes: readonly NodeWithScore[];
    }>;
    asQueryComponent(options?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
}

interface RetrieverQueryEngineOptions {
    retriever: RetrieverLike;
    llm: BaseLLM;
    nodePostprocessors?: readonly NodesPostprocessor[] | undefined;
    nothingFound?: string | undefined;
    instructions?: string | undefined;
    unmask?: Unmask | undefined;
}

interface RewriteOptions extends CancelOptions {
    llm: BaseLLM;
    count?: number | undefined;
    context?: string | undefined;
    parentId?: string | undefined;
}

interface SourcedAnswer {
    text: string;
    sources: AnswerSource[];
    citations: CheckedCitation[];
}

declare class SourcedAnswerStream implements AsyncIterable<string> {
    private readonly run;
    private answer;
    private failure;
    private hasLeft;
    constructor(run: AsyncGenerator<string, SourcedAnswer, undefined>);
    [Symbol.asyncIterator](): AsyncGenerator<string, void, undefined>;
    private pieces;
    result(): Promise<SourcedAnswer>;
}

type Unmask = (pieces: AsyncIterable<string> | Iterable<string>, mapping: Record<string, string>) => AsyncIterable<string>;

declare function answerWithSources(options: AnswerOptions): SourcedAnswerStream;

declare function checkCitations<C extends {
    start: number;
    end: number;
}>(answer: string, citations: readonly C[], textOf: (citation: C) => string): (string | null)[];

declare function findCitations(answer: string): Citation[];

declare function rewriteQuestion(question: string, options: RewriteOptions): Promise<string[]>;

// ======== @x/retrieval/indexeddb

interface IndexedDBIndexOptions {
    indexedDB?: IDBFactory | undefined;
    durability?: 'strict' | 'relaxed' | undefined;
    nodeClasses?: Iterable<ModelClass<TextNode>> | undefined;
}

declare class IndexedDBKeywordRetriever extends DatabaseRetriever {
    private readonly tokenize;
    private constructor();
    static open(name: string, options?: IndexedDBKeywordRetrieverOptions): Promise<IndexedDBKeywordRetriever>;
    close(): void;
    protected search(query: QueryBundle, { filters }: RetrieveOptions): Promise<NodeWithScore[]>;
    protected change({ added, updated, removed, kept }: IndexChanges): Promise<ChangeOutcome>;
}

interface IndexedDBKeywordRetrieverOptions extends IndexedDBIndexOptions, Bm25Options, DatabaseRetrieverOptions {
}

declare class IndexedDBVectorRetriever extends DatabaseVectorRetriever {
    private constructor();
    static open(name: string, options: IndexedDBVectorRetrieverOptions): Promise<IndexedDBVectorRetriever>;
    close(): void;
    protected nearest(vector: readonly number[], limit: number, filters: FiltersInput | undefined): Promise<NodeWithScore[]>;
    protected write(nodes: readonly NodeVector[], { removed, kept }: IndexChanges): Promise<ChangeOutcome>;
}

interface IndexedDBVectorRetrieverOptions extends IndexedDBIndexOptions, VectorRetrieverOptions {
}

// ======== @x/retrieval/folder

declare class DocsFolder {
    readonly root: string;
    private readonly fs;
    private constructor();
    static open(path: string, fs?: FileSystem): Promise<DocsFolder>;
    exists(): Promise<boolean>;
    list(onFolder?: OnFolder): Promise<FolderContent>;
    read(path: string): Promise<string>;
    private bytesOf;
    private listInto;
    private rulesOf;
    private addFile;
    private isFolder;
}

declare class DocsFolderError extends ToolkitError {
    readonly path: string;
    constructor(path: string, reason: string, options?: ToolkitErrorOptions);
}

declare class DocsPathError extends ToolkitError {
    readonly path: string;
    readonly reason: string;
    constructor(path: string, reason: string, options?: ToolkitErrorOptions);
}

interface DocumentFile {
    path: string;
    size: number;
    stamp: string;
}

type FileSystem = Pick<typeof promises, 'lstat' | 'open' | 'readdir' | 'realpath' | 'stat'>;

interface FolderContent {
    files: DocumentFile[];
    skipped: SkippedFile[];
}

interface FolderOptions extends CancelOptions {
    metadata?: ((path: string) => Record<string, unknown>) | undefined;
    onSkip?: ((file: SkippedFile) => void) | undefined;
    fs?: FileSystem | undefined;
}

declare class FolderWatcher {
    private readonly options;
    private readonly watchers;
    private timer;
    private hasFailed;
    private isClosed;
    constructor(options: WatcherOptions);
    add(path: string, identity: string): void;
    retain(paths: ReadonlySet<string>): void;
    close(): void;
    private fail;
    private look;
}

type OnFolder = (path: string, identity: string) => void;

declare class RepeatedWork {
    private readonly work;
    private readonly quietMs;
    private timer;
    private firstEvent;
    private running;
    private isAsked;
    private isClosed;
    constructor(work: () => Promise<void>, quietMs: number);
    soon(): void;
    now(): void;
    done(): Promise<void>;
    close(): Promise<void>;
    private run;
}

interface SkippedFile {
    path: string;
    reason: string;
}

interface WatchOptions extends FolderOptions, Partial<Pick<WatcherOptions, 'watch' | 'lookEveryMs' | 'onProblem'>> {
    quietMs?: number | undefined;
}

interface WatchedFolder {
    documents: Document[];
    removed: string[];
}

interface WatcherOptions {
    root: string;
    onEvent: () => void;
    onProblem: (reason: string) => void;
    watch?: typeof watch | undefined;
    lookEveryMs?: number | undefined;
}

declare function insidePath(path: string): string;

declare function readMarkdownFolder(path: string, options?: FolderOptions): Promise<Document[]>;

declare function watchMarkdownFolder(path: string, options?: WatchOptions): AsyncGenerator<WatchedFolder, void, undefined>;

// ======== @x/retrieval/tables

interface ColumnNumbers {
    count: number;
    sum: string;
    mean: string;
}

type Comparable = {
    quantities: (Quantity | null)[];
    problem?: undefined;
} | {
    quantities?: undefined;
    problem: string;
};

interface FoundRow {
    row: number;
    place: string;
    cells: string[];
}

interface Place {
    file: string;
    line: number;
    endLine: number;
}

interface Quantity {
    amount: number;
    dimension: string;
    factor: number;
    prefix: string;
    suffix: string;
    decimals: number;
}

interface ReadTableRow {
    number: number;
    place: Place;
    cells: string[];
}

interface Table {
    id: string;
    place: Place;
    heading: string;
    columns: string[];
    rows: ReadTableRow[];
}

interface TableCondition {
    column: string;
    is: TableOperator;
    value: string | string[];
}

interface TableLookup {
    table: string;
    place: string;
    heading: string;
    columns: string[];
    rowCount: number;
    matching: number;
    column?: string;
    rows: (FoundRow & {
        value?: string;
    })[];
    next?: number;
    numbers?: ColumnNumbers;
    note?: string;
}

interface TableLookupRequest {
    row?: string;
    column?: string;
    columns?: string[];
    where?: TableCondition[];
    sort_by?: string;
    descending?: boolean;
    offset?: number;
    limit?: number;
}

type TableOperator = 'equals' | 'not' | 'contains' | 'less' | 'at most' | 'more' | 'at least';

declare function bestRows({ rows }: Table, query: string, limit: number, tokenize?: WordTokenizer): ReadTableRow[];

declare function comparable(cells: readonly string[]): Comparable;

declare function findColumn({ columns }: Table, name: string): number;

declare function findPhrase(words: readonly string[], phrase: readonly string[]): number;

declare function findRows({ rows }: Table, name: string): ReadTableRow[];

declare function formatAmount(amount: number, { factor, prefix, suffix }: Quantity, decimals: number): string;

declare function foundRow({ number, place, cells }: ReadTableRow): FoundRow;

declare function headingOf({ metadata }: TextNode): string;

declare function isTableNode(node: TextNode): boolean;

declare function lookUpTable(table: Table, request: TableLookupRequest): TableLookup;

declare function placeOf({ metadata, refDocId }: TextNode): Place;

declare function placeText({ file, line, endLine }: Place): string;

declare function plainText(markdown: string): string;

declare function readPlace(text: string): Place | null;

declare function readQuantity(cell: string): Quantity | null;

declare function readTable(node: TextNode): Table;

declare const tableLookupProperties: {
    readonly row: {
        readonly type: 'string';
        readonly description: 'the text of a cell in the row, or #2 for the second row';
    };
    readonly column: {
        readonly type: 'string';
        readonly description: 'the name of the column whose values, sum and mean are returned, or #2 for the second column';
    };
    readonly columns: {
        readonly type: 'array';
        readonly items: {
            readonly type: 'string';
            readonly description: 'the name of a column, or #2 for the second one';
        };
        readonly description: 'the columns whose cells are returned; all by default';
    };
    readonly where: {
        readonly type: 'array';
        readonly description: 'conditions that rows must meet, all of them';
        readonly items: {
            readonly type: 'object';
            readonly properties: {
                readonly column: {
                    readonly type: 'string';
                    readonly description: 'the name of a column, or #2 for the second one';
                };
                readonly is: {
                    readonly type: 'string';
                    readonly enum: readonly TableOperator[];
                };
                readonly value: {
                    readonly anyOf: readonly [{
                        readonly type: 'string';
                    }, {
                        readonly type: 'array';
                        readonly items: {
                            readonly type: 'string';
                        };
                    }];
                    readonly description: 'one value, or several values of which one must match';
                };
            };
            readonly required: readonly ['column', 'is', 'value'];
        };
    };
    readonly sort_by: {
        readonly type: 'string';
        readonly description: 'the column that rows are sorted by';
    };
    readonly descending: {
        readonly type: 'boolean';
        readonly description: 'whether the largest comes first';
    };
    readonly offset: {
        readonly type: 'integer';
        readonly minimum: 0;
        readonly description: 'how many rows are skipped; to read the next page';
    };
    readonly limit: {
        readonly type: 'integer';
        readonly minimum: 1;
        readonly maximum: 50;
        readonly description: 'how many rows are returned at most';
    };
};

// ======== @x/retrieval/testing

interface CheckedIndexOptions {
    scope?: readonly string[];
}

interface IndexCheck {
    name: string;
    run(): Promise<void>;
}

interface IndexCheckOptions {
    kind: 'words' | 'vectors';
    hasBm25Scores?: boolean | undefined;
}

declare class IndexContractError extends ToolkitError {
    readonly expected: unknown;
    readonly received: unknown;
    constructor(what: string, expected: unknown, received: unknown);
}

declare class LetterEmbedding {
    getQueryEmbedding(text: string): Promise<number[]>;
    getTextEmbedding(text: string): Promise<number[]>;
    getTextEmbeddingBatch(texts: readonly string[]): Promise<number[][]>;
}

interface SearchableIndex extends IngestionIndex {
    similarityTopK: number;
    retrieve(query: string, options?: RetrieveOptions): Promise<NodeWithScore[]>;
}

declare function indexChecks(create: (options: CheckedIndexOptions) => SearchableIndex | Promise<SearchableIndex>, options: IndexCheckOptions): readonly IndexCheck[];
