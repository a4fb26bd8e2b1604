// The public types of @x/lancedb, written by `npm run api`.

// ======== @x/lancedb

declare class LanceKeywordRetriever extends DatabaseRetriever {
    private readonly tokenize;
    private total;
    constructor(connection: Connection, options?: LanceKeywordRetrieverOptions);
    protected search({ queryStr }: QueryBundle, { filters }: RetrieveOptions): Promise<NodeWithScore[]>;
    protected change({ added, updated, ...changes }: IndexChanges, { signal }?: CancelOptions): Promise<{
        removed: number;
        missing: string[];
    }>;
    private ranked;
    private sizes;
    private checkTokenizer;
}

interface LanceKeywordRetrieverOptions extends NodeClassOptions, DatabaseRetrieverOptions {
    tokenize?: WordTokenizer | undefined;
    table?: string | undefined;
}

declare class LanceVectorRetriever extends DatabaseVectorRetriever {
    constructor(connection: Connection, options: LanceVectorRetrieverOptions);
    protected nearest(vector: readonly number[], limit: number, filters: FiltersInput | undefined): Promise<NodeWithScore[]>;
    protected write(nodes: readonly NodeVector[], changes: IndexChanges): Promise<{
        removed: number;
        missing: string[];
    }>;
}

interface LanceVectorRetrieverOptions extends NodeClassOptions, VectorRetrieverOptions {
    table?: string | undefined;
}
