// The public types of @x/node-parser, written by `npm run api`.

// ======== @x/node-parser

declare abstract class BaseElementNodeParser extends BaseElementNodeParserModel {
    constructor({ summarizer, ...options }?: ElementNodeParserOptions);
    abstract extractElements(text: string, options?: {
        nodeId?: string | null | undefined;
        tableFilters?: readonly TableFilter[] | null | undefined;
    }): Element[];
    filterTable(tableElement: TableCandidate): boolean;
    getTableElements(elements: readonly Element[]): Element[];
    getTextElements(elements: readonly Element[]): Element[];
    extractTableSummaries(elements: readonly Element[], options?: ParseOptions): Promise<void>;
    getNodesFromElements(elements: readonly Element[], { node, ...options }?: {
        node?: TextNode | null | undefined;
    } & ParseOptions): Promise<TextNode[]>;
    getNodesFromNode(node: TextNode, options?: ParseOptions): Promise<TextNode[]>;
    getBaseNodesAndMappings(nodes: readonly TextNode[]): {
        baseNodes: TextNode[];
        nodeMappings: Record<string, TextNode>;
    };
    getNodesAndObjects(nodes: readonly TextNode[]): NodesAndObjects;
    transform(nodes: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]>;
    protected parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]>;
    private summarize;
    private summaryOf;
    private chosenSummarizer;
    private buildNodes;
    private buildTexts;
    private buildTable;
    private fieldsOf;
}

interface BuildNodesOptions {
    refDoc?: TextNode | null | undefined;
    idFunc?: IdFunc | null | undefined;
}

type ColumnAlign = 'left' | 'right' | 'center' | null;

declare class DanglingIndexNodeError extends ToolkitError {
    readonly nodeId: string;
    readonly indexId: string;
    constructor(nodeId: string, indexId: string);
}

interface Element {
    id: string;
    type: ElementType;
    element: string;
    titleLevel: null;
    tableOutput: TableOutput | null;
    table: TableData | null;
    startCharIdx: number | null;
    endCharIdx: number | null;
}

type ElementNodeParserOptions = Omit<BaseElementNodeParserOptions, 'summarizer'> & {
    summarizer?: 'llm' | 'headers' | TableSummarizer | undefined;
};

type ElementType = 'text' | 'table' | 'table_text';

interface ExtractOptions {
    nodeId?: string | null | undefined;
    tableFilters?: readonly TableFilter[] | null | undefined;
    htmlTables?: 'text' | 'table' | undefined;
}

type IdFunc = (index: number, node: TextNode, made: NewNodeInfo) => string;

declare class MarkdownElementNodeParser extends MarkdownElementNodeParserModel {
    extractElements(text: string, options?: {
        nodeId?: string | null | undefined;
        tableFilters?: readonly TableFilter[] | null | undefined;
    }): Element[];
    streamElements(source: AsyncIterable<string> | Iterable<string>, options?: {
        nodeId?: string | null | undefined;
        tableFilters?: readonly TableFilter[] | null | undefined;
    }): AsyncGenerator<Element, void, undefined>;
}

interface MarkdownElementNodeParserFields extends BaseElementNodeParserFields {
}

declare class MarkdownNodeParser extends MarkdownNodeParserModel {
    constructor(options?: MarkdownNodeParserOptions);
    protected parseNodes(inputs: readonly TextNode[]): Promise<TextNode[][]>;
    private parseOne;
    private isWorthRepeating;
}

interface MarkdownNodeParserFields extends NodeParserFields {
    readonly chunkSize: number | null;
    readonly chunkOverlap: number;
    repeatHeading: boolean;
    headerPath: boolean;
    headerPathSeparator: string;
    lineNumbers: boolean;
    pageBreak: string | null;
    tokenizer: Tokenizer | null;
}

interface MarkdownNodeParserOptions extends NodeParserOptions {
    chunkSize?: number | null | undefined;
    chunkOverlap?: number | undefined;
    repeatHeading?: boolean | undefined;
    headerPath?: boolean | undefined;
    headerPathSeparator?: string | undefined;
    lineNumbers?: boolean | undefined;
    pageBreak?: string | null | undefined;
    tokenizer?: Tokenizer | null | undefined;
}

declare class MissingModelError extends ToolkitError {
    constructor(className: string);
}

declare class MissingTableOutputError extends ToolkitError {
    readonly elementId: string;
    constructor(elementId: string);
}

interface NewNodeInfo {
    text: string;
    content: string;
    className: string;
}

interface NodeChanges {
    unchanged: TextNode[];
    changed: TextNode[];
    added: TextNode[];
    removed: TextNode[];
}

declare abstract class NodeParser extends NodeParserModel {
    protected abstract parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]>;
    getNodesFromDocuments(documents: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]>;
    transform(nodes: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]>;
    protected finishNodes(nodes: readonly TextNode[], input: TextNode): void;
    private linkNodes;
}

interface NodeParserFields {
    includeMetadata: boolean;
    includePrevNextRel: boolean;
    callbackManager: CallbackManager | null;
    idFunc: IdFunc | null;
}

interface NodeParserOptions {
    includeMetadata?: boolean | undefined;
    includePrevNextRel?: boolean | undefined;
    callbackManager?: CallbackManager | null | undefined;
    idFunc?: IdFunc | null | undefined;
}

interface NodesAndObjects {
    nodes: TextNode[];
    objects: IndexNode[];
}

interface ParseOptions {
    showProgress?: boolean | undefined;
    onProgress?: ((progress: ParseProgress) => void) | undefined;
    signal?: AbortSignal | undefined;
}

interface ParseProgress {
    done: number;
    total: number;
}

interface SummarizeByModelOptions {
    question?: string | undefined;
    tokenizer?: Tokenizer | null | undefined;
}

declare class SummaryFormatError extends ToolkitError {
    readonly answer: string;
    constructor(answer: string, reason: string);
}

type TableCandidate = Pick<Element, 'element'> & {
    table?: TableData | null;
};

interface TableColumn {
    colName: string;
    colType: string;
    summary: string | null;
}

interface TableContext {
    element: Element;
    captionAbove: string | null;
    captionBelow: string | null;
    headings: readonly string[];
    context: string;
}

interface TableData {
    columns: string[];
    rows: string[][];
    align: ColumnAlign[];
    caption?: string;
}

type TableFilter = (table: Element) => boolean;

interface TableOutput {
    summary: string;
    tableTitle: string | null;
    tableId: string | null;
    columns: TableColumn[];
    shouldKeep?: boolean;
}

type TableSummarizer = (table: TableContext, options: {
    signal?: AbortSignal | undefined;
}) => TableOutput | Promise<TableOutput>;

declare abstract class TextSplitter extends NodeParser {
    abstract splitText(text: string): readonly string[] | Promise<readonly string[]>;
    protected parseNodes(inputs: readonly TextNode[]): Promise<TextNode[][]>;
}

declare function buildNodesFromSplits(splits: readonly string[], document: TextNode, { refDoc, idFunc }?: BuildNodesOptions): TextNode[];

declare function compareNodes(before: readonly TextNode[], after: readonly TextNode[]): NodeChanges;

declare function extractMarkdownElements(text: string, options?: ExtractOptions): Element[];

declare function fromContent(): IdFunc;

declare function fromSource(): IdFunc;

declare function isSliceOfSource(node: TextNode): boolean;

declare function streamMarkdownElements(source: AsyncIterable<string> | Iterable<string>, options?: ExtractOptions): AsyncGenerator<Element, void, undefined>;

declare function summarizeByHeaders({ element, captionAbove, captionBelow, headings }: TableContext): TableOutput;

declare function summarizeByModel(llm: BaseLLM, { question, tokenizer }?: SummarizeByModelOptions): TableSummarizer;

// Used by them, not exported:

interface BaseElementNodeParserFields extends NodeParserFields {
    llm: BaseLLM | null;
    summaryQueryStr: string;
    readonly numWorkers: number;
    showProgress: boolean;
    readonly chunkSize: number | null;
    readonly chunkOverlap: number;
    summarizer: 'llm' | 'headers';
    tableSummarizer: TableSummarizer | null;
    onError: 'throw' | 'headers';
    readonly maxTableTokens: number | null;
    htmlTables: 'text' | 'table';
    onReject: 'keep' | 'text' | 'drop';
    tableData: 'metadata' | 'node';
    headerPath: boolean;
    headerPathSeparator: string;
    lineNumbers: boolean;
    pageBreak: string | null;
    tokenizer: Tokenizer | null;
    nestedNodeParser: NodeParser | null;
}

declare const BaseElementNodeParserModel: typeof Declared;

interface BaseElementNodeParserOptions extends NodeParserOptions {
    llm?: BaseLLM | null | undefined;
    summaryQueryStr?: string | undefined;
    numWorkers?: number | undefined;
    showProgress?: boolean | undefined;
    chunkSize?: number | null | undefined;
    chunkOverlap?: number | undefined;
    summarizer?: 'llm' | 'headers' | undefined;
    tableSummarizer?: TableSummarizer | null | undefined;
    onError?: 'throw' | 'headers' | undefined;
    maxTableTokens?: number | null | undefined;
    htmlTables?: 'text' | 'table' | undefined;
    onReject?: 'keep' | 'text' | 'drop' | undefined;
    tableData?: 'metadata' | 'node' | undefined;
    headerPath?: boolean | undefined;
    headerPathSeparator?: string | undefined;
    lineNumbers?: boolean | undefined;
    pageBreak?: string | null | undefined;
    tokenizer?: Tokenizer | null | undefined;
    nestedNodeParser?: NodeParser | null | undefined;
}

declare abstract class Declared extends BaseElementNodeParser {
}
interface Declared extends MarkdownElementNodeParserFields {
}

declare abstract class Declared extends Model {
    constructor(options?: NodeParserOptions);
}
interface Declared extends NodeParserFields {
}

declare abstract class Declared extends NodeParser {
    constructor(options?: BaseElementNodeParserOptions);
}
interface Declared extends BaseElementNodeParserFields {
}

declare abstract class Declared extends NodeParser {
    constructor(options?: MarkdownNodeParserOptions);
}
interface Declared extends MarkdownNodeParserFields {
}

declare const MarkdownElementNodeParserModel: typeof Declared;

declare const MarkdownNodeParserModel: typeof Declared;

declare const NodeParserModel: typeof Declared;

// ======== @x/node-parser/schemas

declare const BaseElementNodeParser: import("typebox").TObject<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("../build-nodes.ts").IdFunc>;
}, "chunkOverlap" | "chunkSize" | "headerPath" | "headerPathSeparator" | "htmlTables" | "lineNumbers" | "llm" | "maxTableTokens" | "nestedNodeParser" | "numWorkers" | "onError" | "onReject" | "pageBreak" | "showProgress" | "summarizer" | "summaryQueryStr" | "tableData" | "tableSummarizer" | "tokenizer"> & {
    readonly llm: import("typebox").TUnsafe<BaseLLM>;
    readonly summaryQueryStr: import("typebox").TString;
    readonly numWorkers: import("typebox").TInteger;
    readonly showProgress: import("typebox").TBoolean;
    readonly chunkSize: import("typebox").TUnsafe<number | null>;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly summarizer: import("typebox").TUnsafe<"headers" | "llm">;
    readonly tableSummarizer: import("typebox").TUnsafe<TableSummarizer>;
    readonly onError: import("typebox").TUnsafe<"headers" | "throw">;
    readonly maxTableTokens: import("typebox").TUnsafe<number | null>;
    readonly htmlTables: import("typebox").TUnsafe<"table" | "text">;
    readonly onReject: import("typebox").TUnsafe<"drop" | "keep" | "text">;
    readonly tableData: import("typebox").TUnsafe<"metadata" | "node">;
    readonly headerPath: import("typebox").TBoolean;
    readonly headerPathSeparator: import("typebox").TString;
    readonly lineNumbers: import("typebox").TBoolean;
    readonly pageBreak: import("typebox").TUnsafe<string | null>;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
    readonly nestedNodeParser: import("typebox").TUnsafe<NodeParser>;
}>;

declare const MarkdownElementNodeParser: import("typebox").TObject<Omit<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("../build-nodes.ts").IdFunc>;
}, "chunkOverlap" | "chunkSize" | "headerPath" | "headerPathSeparator" | "htmlTables" | "lineNumbers" | "llm" | "maxTableTokens" | "nestedNodeParser" | "numWorkers" | "onError" | "onReject" | "pageBreak" | "showProgress" | "summarizer" | "summaryQueryStr" | "tableData" | "tableSummarizer" | "tokenizer"> & {
    readonly llm: import("typebox").TUnsafe<import("@x/core-model").BaseLLM>;
    readonly summaryQueryStr: import("typebox").TString;
    readonly numWorkers: import("typebox").TInteger;
    readonly showProgress: import("typebox").TBoolean;
    readonly chunkSize: import("typebox").TUnsafe<number | null>;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly summarizer: import("typebox").TUnsafe<"headers" | "llm">;
    readonly tableSummarizer: import("typebox").TUnsafe<import("./summarize-table.ts").TableSummarizer>;
    readonly onError: import("typebox").TUnsafe<"headers" | "throw">;
    readonly maxTableTokens: import("typebox").TUnsafe<number | null>;
    readonly htmlTables: import("typebox").TUnsafe<"table" | "text">;
    readonly onReject: import("typebox").TUnsafe<"drop" | "keep" | "text">;
    readonly tableData: import("typebox").TUnsafe<"metadata" | "node">;
    readonly headerPath: import("typebox").TBoolean;
    readonly headerPathSeparator: import("typebox").TString;
    readonly lineNumbers: import("typebox").TBoolean;
    readonly pageBreak: import("typebox").TUnsafe<string | null>;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
    readonly nestedNodeParser: import("typebox").TUnsafe<import("../node-parser.ts").NodeParser>;
}, never>>;

declare const MarkdownNodeParser: import("typebox").TObject<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, "chunkOverlap" | "chunkSize" | "headerPath" | "headerPathSeparator" | "lineNumbers" | "pageBreak" | "repeatHeading" | "tokenizer"> & {
    readonly chunkSize: import("typebox").TUnsafe<number | null>;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly repeatHeading: import("typebox").TBoolean;
    readonly headerPath: import("typebox").TBoolean;
    readonly headerPathSeparator: import("typebox").TString;
    readonly lineNumbers: import("typebox").TBoolean;
    readonly pageBreak: import("typebox").TUnsafe<string | null>;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
}>;

declare const NodeParser: import("typebox").TObject<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
    idFunc: import("typebox").TUnsafe<IdFunc>;
}>;

declare function nodeParser<const F extends Fields>(title: string, description: string, fields: F): import("typebox").TObject<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
    idFunc: import("typebox").TUnsafe<IdFunc>;
}, keyof F> & F>;

declare const nodeParserFields: {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
    idFunc: import("typebox").TUnsafe<IdFunc>;
};
