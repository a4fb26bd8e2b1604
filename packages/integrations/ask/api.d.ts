// The public types of @x/ask, written by `npm run api`.

// ======== @x/ask

declare class Docs {
    private readonly folder;
    private readonly reranker;
    private readonly searches;
    private tables;
    private readonly index;
    private readonly kept;
    private words;
    private readonly log;
    private readonly watcher;
    private readonly reading;
    private readonly listeners;
    private readonly closing;
    private readonly list;
    private stamps;
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
    search(question: string, options?: DocsSearchOptions): Promise<FoundSection[]>;
    missing(question: string): Promise<string[]>;
    otherLanguage(question: string): Promise<OtherLanguage | null>;
    hasAddedWords(): Promise<boolean>;
    indexData(): Promise<SectionIndexData>;
    tablesOf(path: string): Promise<Table[]>;
    table(id: string): Promise<Table | null>;
    close(): Promise<void>;
    private readOrFail;
    private readFolder;
    private readFiles;
    private infoOf;
    private forget;
    private reportSkipped;
    private notify;
}

interface DocsChange {
    added: string[];
    changed: string[];
    removed: string[];
}

interface DocsOptions {
    cache?: string | undefined;
    reranker?: CrossEncoder | undefined;
    searches?: ((path: string) => boolean) | undefined;
    quietMs?: number | undefined;
    log?: ((line: string) => void) | undefined;
    fs?: FileSystem | undefined;
    watch?: typeof watch | undefined;
    lookEveryMs?: number | undefined;
}

interface DocsSearchOptions {
    limit?: number | undefined;
    within?: string | undefined;
    tablesOnly?: boolean | undefined;
    addedWords?: boolean | undefined;
}

interface DocsServerInfo {
    name?: string;
    title?: string;
    version?: string;
    instructions?: string;
}

interface DocsStreams {
    stdin: Readable;
    stdout: Writable;
    signal: AbortSignal;
    log: (line: string) => void;
}

interface DocumentInfo {
    path: string;
    title: string | null;
    lines: number;
}

interface Excerpt {
    line: number;
    excerpt: string;
    marks: Mark[];
}

interface FoundSection extends Excerpt {
    file: string;
    from: number;
    to: number;
    path: readonly string[];
    score: number;
    added?: string[];
}

interface IndexPart {
    readonly totals: IndexTotals;
    posting(term: string): ArrayLike<number>;
    added(term: string): ArrayLike<number>;
    terms(): Iterable<string>;
    headLength(position: number): number;
    textLength(position: number): number;
    fileOf(position: number): {
        file: string;
        title: string | null;
    };
    section(position: number): MarkdownSection;
}

interface IndexTotals {
    sections: number;
    head: number;
    text: number;
}

interface Mark {
    start: number;
    end: number;
    kind: 'word' | 'value';
}

interface OtherLanguage {
    question: string;
    documents: string;
}

declare class SectionIndex implements IndexPart {
    private readonly entries;
    private readonly files;
    private readonly postings;
    private readonly addedPostings;
    private readonly stale;
    static from({ files, postings, added }: SectionIndexData): SectionIndex;
    toJSON(): SectionIndexData;
    get size(): number;
    set(file: string, { title, sections }: DocumentSections, words?: readonly (readonly string[])[]): void;
    get paths(): IterableIterator<string>;
    sectionsOf(file: string): MarkdownSection[];
    delete(file: string): void;
    search(question: string, options?: SectionSearchOptions): FoundSection[];
    missing(question: string): string[];
    otherLanguage(question: string): OtherLanguage | null;
    private add;
    private place;
    private clean;
}

interface SectionIndexData {
    files: [path: string, document: DocumentSections, lengths: [head: number, text: number][]][];
    postings: [term: string, posting: number[]][];
    added?: [term: string, sections: number[]][];
}

interface SectionSearchOptions {
    limit?: number | undefined;
    accepts?: ((file: string, section: MarkdownSection) => boolean) | undefined;
    addedWords?: boolean | undefined;
}

declare function docsServer(docs: Docs, context?: Pick<McpRequestContext, 'era' | 'requestInfo'>, info?: DocsServerInfo): Server;

declare function docsTools(docs: Docs): FunctionTool[];

declare function serveDocs(docs: Docs, { stdin, stdout, signal, log }: DocsStreams, info?: DocsServerInfo): Promise<void>;
