// The public types of @x/node-parser, written by `npm run api`.

// ======== @x/node-parser

declare abstract class BaseElementNodeParser extends BaseElementNodeParserModel {
    constructor(options?: ElementNodeParserOptions);
    abstract extractElements(text: string, options?: {
        nodeId?: string | null | undefined;
        tableFilters?: readonly TableFilter[] | null | undefined;
    }): Element[];
    filterTable(tableElement: TableCandidate): boolean;
    getTableElements(elements: readonly Element[]): Element[];
    getTextElements(elements: readonly Element[]): Element[];
    extractTableSummaries(elements: readonly Element[], options?: ParseOptions): Promise<void>;
    getNodesFromElements(elements: readonly Element[], options?: {
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
    protected inheritedMetadata(input: TextNode): Record<string, unknown>;
    protected finishNodes(nodes: readonly TextNode[], input: TextNode): void;
    protected linkNodes(nodes: readonly TextNode[]): void;
    private summarize;
    private summaryOf;
    private chosenSummarizer;
    private buildNodes;
    private buildTexts;
    private buildTable;
    private tableRoom;
    private fieldsOf;
}

interface Block {
    kind: BlockKind;
    start: number;
    end: number;
    depth: number;
    textStart: number;
    textEnd: number;
}

type BlockKind = 'paragraph' | 'heading' | 'table' | 'code' | 'html' | 'break' | 'list' | 'quote' | 'mdx';

interface BlockStructure {
    blocks: Block[];
    tables: TableSpan[];
    bracketParagraphs: ContentLines[];
    containedHtml: ContentLines[];
}

interface BuildNodesOptions {
    refDoc?: TextNode | null | undefined;
    idFunc?: IdFunc | null | undefined;
}

interface BuiltTable {
    element: Element;
    part: TablePart;
    summary: string;
    table: TextNode;
    nodes: TextNode[];
}

declare class CodeTextSplitter extends CodeTextSplitterModel {
    constructor(options: CodeTextSplitterOptions);
    protected levels(): PieceEnds[];
    protected breaksOf(text: string, chunkSize: number): ReadonlySet<number>;
    private fits;
}

interface CodeTextSplitterFields extends MetadataAwareTextSplitterFields {
    readonly chunkOverlap: number;
    parser: SyntaxParser;
}

interface CodeTextSplitterOptions extends MetadataAwareTextSplitterOptions {
    chunkOverlap?: number | undefined;
    parser: SyntaxParser;
}

type ColumnAlign = 'left' | 'right' | 'center' | null;

type ConstructReader = (start: number, interrupts: boolean) => number;

type ContentLines = readonly number[];

declare class DanglingIndexNodeError extends ToolkitError {
    readonly nodeId: string;
    readonly indexId: string;
    constructor(nodeId: string, indexId: string);
}

interface DocumentSections {
    title: string | null;
    sections: MarkdownSection[];
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
    info?: Record<string, unknown>;
}

type ElementDivider = (text: string, structure: BlockStructure, elements: readonly Element[]) => Element[];

type ElementNodeParserOptions = Omit<BaseElementNodeParserOptions, 'summarizer'> & {
    summarizer?: 'llm' | 'headers' | TableSummarizer | undefined;
};

type ElementType = 'text' | 'table' | 'table_text' | 'code' | 'image' | 'math' | 'footnote';

interface ExtractOptions {
    nodeId?: string | null | undefined;
    tableFilters?: readonly TableFilter[] | null | undefined;
    htmlTables?: 'text' | 'table' | undefined;
    syntax?: MarkdownSyntax | null | undefined;
    skipFrontMatter?: boolean | undefined;
    elementTypes?: ElementDivider | null | undefined;
}

type FrontMatterReader = (source: string) => Record<string, unknown>;

type IdFunc = (index: number, node: TextNode, made: NewNodeInfo) => string;

interface MarkdownBlock {
    kind: BlockKind | 'front_matter';
    start: number;
    end: number;
    startLine: number;
    endLine: number;
    level: number | null;
    headerPath: readonly string[];
}

declare class MarkdownElementNodeParser extends MarkdownElementNodeParserModel {
    extractElements(text: string, options?: {
        nodeId?: string | null | undefined;
        tableFilters?: readonly TableFilter[] | null | undefined;
    }): Element[];
}

interface MarkdownElementNodeParserFields extends BaseElementNodeParserFields {
}

declare class MarkdownNodeParser extends MarkdownNodeParserModel {
    constructor(options?: MarkdownNodeParserOptions);
    protected parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]>;
    private parseOne;
    protected inheritedMetadata(input: TextNode): Record<string, unknown>;
    private isWorthRepeating;
}

interface MarkdownNodeParserFields extends NodeParserFields {
    readonly chunkSize: number | null;
    readonly minChunkSize: number | null;
    readonly chunkOverlap: number;
    repeatHeading: boolean;
    repeatTableHeader: boolean;
    repeatCodeFence: boolean;
    headerPath: boolean;
    headerPathSeparator: string;
    lineNumbers: boolean;
    pageBreak: string | null;
    frontMatter: FrontMatterReader | null;
    syntax: MarkdownSyntax | null;
    tokenizer: Tokenizer | null;
}

interface MarkdownNodeParserOptions extends NodeParserOptions {
    chunkSize?: number | null | undefined;
    minChunkSize?: number | null | undefined;
    chunkOverlap?: number | undefined;
    repeatHeading?: boolean | undefined;
    repeatTableHeader?: boolean | undefined;
    repeatCodeFence?: boolean | undefined;
    headerPath?: boolean | undefined;
    headerPathSeparator?: string | undefined;
    lineNumbers?: boolean | undefined;
    pageBreak?: string | null | undefined;
    frontMatter?: FrontMatterReader | null | undefined;
    syntax?: MarkdownSyntax | null | undefined;
    tokenizer?: Tokenizer | null | undefined;
}

interface MarkdownSection {
    path: readonly string[];
    from: number;
    to: number;
    blocks: SectionBlock[];
}

interface MarkdownSyntax {
    reader(text: string): ConstructReader;
}

declare abstract class MetadataAwareTextSplitter extends MetadataAwareTextSplitterModel {
    protected get metadataFormatTokens(): number;
    protected abstract levels(): readonly PieceEnds[];
    protected breaksOf(_text: string, _chunkSize: number): ReadonlySet<number> | undefined;
    splitText(text: string): string[];
    splitTexts(texts: readonly string[]): string[];
    splitTextMetadataAware(text: string, metadataStr: string): string[];
    splitTextsMetadataAware(texts: readonly string[], metadataStrs: readonly string[]): string[];
    protected parseNodes(inputs: readonly TextNode[], { parentId }: ParseOptions): Promise<TextNode[][]>;
    private roomBeside;
    private chunksOf;
}

interface MetadataAwareTextSplitterOptions extends TextSplitterOptions {
    chunkSize?: number | undefined;
    chunkOverlap?: number | undefined;
    tokenizer?: Tokenizer | null | undefined;
}

declare class MetadataTooLongError extends ToolkitError {
    readonly metadataTokens: number;
    readonly chunkSize: number;
    constructor(className: string, metadataTokens: number, chunkSize: number, option?: string);
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

type NewRowNode = (row: number, text: string, start: number | null, end: number | null) => IndexNode;

interface NodeChanges {
    unchanged: TextNode[];
    changed: TextNode[];
    added: TextNode[];
    removed: TextNode[];
}

declare abstract class NodeParser extends NodeParserModel {
    static makeDefault(field: string): unknown;
    protected abstract parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]>;
    getNodesFromDocuments(documents: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]>;
    transform(nodes: readonly TextNode[], options?: ParseOptions): Promise<TextNode[]>;
    protected finishNodes(nodes: readonly TextNode[], input: TextNode): void;
    protected inheritedMetadata(input: TextNode): Record<string, unknown>;
    protected linkNodes(nodes: readonly TextNode[]): void;
}

interface NodeParserFields {
    includeMetadata: boolean;
    includePrevNextRel: boolean;
    callbackManager: CallbackManager;
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
    durable?: Durable | undefined;
    parentId?: string | undefined;
}

interface ParseProgress {
    done: number;
    total: number;
}

type PieceEnds = (part: string) => Iterable<number>;

interface ReadBlocksOptions {
    syntax?: MarkdownSyntax | null | undefined;
}

interface ReadSectionsOptions {
    syntax?: MarkdownSyntax | null | undefined;
}

interface RowNodes {
    build(built: BuiltTable, newNode: NewRowNode): void;
    has(node: TextNode): boolean;
    link(nodes: readonly TextNode[]): void;
}

interface SectionBlock {
    kind: 'paragraph' | 'item' | 'row' | 'code' | 'quote' | 'html' | 'mdx' | 'property' | 'description';
    text: string;
    from: number;
    to: number;
    name: string;
    columns?: readonly string[];
    cells?: readonly string[];
}

interface SectionRange {
    start: number;
    end: number;
    level: number;
    headerPath: readonly string[];
}

declare class SemanticSplitterNodeParser extends SemanticSplitterNodeParserModel {
    protected parseNodes(inputs: readonly TextNode[], options: ParseOptions): Promise<TextNode[][]>;
    private chunksOf;
    private unitsOf;
    private distancesOf;
}

interface SemanticSplitterNodeParserFields extends NodeParserFields {
    embedModel: EmbeddingModel;
    readonly bufferSize: number;
    readonly breakpointPercentileThreshold: number;
    sentenceSplitter: ((text: string) => readonly string[]) | null;
    readonly chunkSize: number | null;
    tokenizer: Tokenizer | null;
}

interface SemanticSplitterNodeParserOptions extends NodeParserOptions {
    embedModel: EmbeddingModel;
    bufferSize?: number | undefined;
    breakpointPercentileThreshold?: number | undefined;
    sentenceSplitter?: ((text: string) => readonly string[]) | null | undefined;
    chunkSize?: number | null | undefined;
    tokenizer?: Tokenizer | null | undefined;
}

declare class SentenceSplitter extends SentenceSplitterModel {
    constructor(options?: SentenceSplitterOptions);
    protected levels(): PieceEnds[];
}

interface SentenceSplitterFields extends MetadataAwareTextSplitterFields {
    separator: string;
    paragraphSeparator: string;
    secondaryChunkingRegex: string | null;
    chunkingTokenizerFn: ((text: string) => readonly string[]) | null;
}

interface SentenceSplitterOptions extends MetadataAwareTextSplitterOptions {
    separator?: string | undefined;
    paragraphSeparator?: string | undefined;
    secondaryChunkingRegex?: string | null | undefined;
    chunkingTokenizerFn?: ((text: string) => readonly string[]) | null | undefined;
}

interface StreamNodesOptions {
    document?: TextNode | undefined;
    unit?: 'section' | 'block' | undefined;
    signal?: AbortSignal | undefined;
}

interface StreamOptions extends Omit<ExtractOptions, 'elementTypes'> {
    textUnit?: TextUnit | undefined;
}

interface SummarizeByModelOptions {
    question?: string | undefined;
    tokenizer?: Tokenizer | null | undefined;
}

declare class SummaryFormatError extends ToolkitError {
    readonly answer: string;
    constructor(answer: string, reason: string);
}

interface SyntaxNode {
    readonly type: string;
    readonly startIndex: number;
    readonly endIndex: number;
    readonly children: readonly (SyntaxNode | null)[];
}

interface SyntaxParser {
    parse(text: string): {
        readonly rootNode: SyntaxNode;
        delete?(): void;
    } | null;
}

type TableCandidate = Pick<Element, 'element'> & {
    table?: TableData | null;
};

type TableColumn = {
    colName: string;
    colType: string;
    summary: string | null;
};

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

type TableOutput = {
    summary: string;
    tableTitle: string | null;
    tableId: string | null;
    columns: TableColumn[];
    shouldKeep?: boolean;
};
declare const TableOutput: {
    fromDict(data: unknown): TableOutput;
    toDict(output: TableOutput): Dict;
};

interface TablePart {
    text: string;
    content: string;
    indexText: string;
    data: string;
    startCharIdx: number | null;
    endCharIdx: number | null;
    firstRow: number;
    endRow: number;
}

interface TableRow {
    columns: readonly string[];
    cells: readonly string[];
    row: number;
    summary: string;
}

interface TableRowsOptions {
    text?: ((row: TableRow) => string | null) | undefined;
}

interface TableSpan {
    rowStarts: number[];
    rowEnds: number[];
    root: boolean;
}

type TableSummarizer = (table: TableContext, options: {
    signal?: AbortSignal | undefined;
    parentId?: string | undefined;
}) => TableOutput | Promise<TableOutput>;

declare abstract class TextSplitter extends TextSplitterModel {
    abstract splitText(text: string): readonly string[] | Promise<readonly string[]>;
    protected parseNodes(inputs: readonly TextNode[], _options: ParseOptions): Promise<TextNode[][]>;
}

interface TextSplitterOptions extends NodeParserOptions {
}

type TextUnit = 'all' | 'section' | 'block';

declare class TokenTextSplitter extends TokenTextSplitterModel {
    protected get metadataFormatTokens(): number;
    constructor(options?: TokenTextSplitterOptions);
    protected levels(): PieceEnds[];
}

interface TokenTextSplitterFields extends MetadataAwareTextSplitterFields {
    readonly chunkOverlap: number;
    separator: string;
    backupSeparators: string[];
}

interface TokenTextSplitterOptions extends MetadataAwareTextSplitterOptions {
    chunkOverlap?: number | undefined;
    separator?: string | undefined;
    backupSeparators?: readonly string[] | undefined;
}

type TypedElement = 'code' | 'image' | 'math' | 'footnote';

declare function buildNodesFromSplits(splits: readonly string[], document: TextNode, { refDoc, idFunc }?: BuildNodesOptions): TextNode[];

declare function compareNodes(before: readonly TextNode[], after: readonly TextNode[]): NodeChanges;

declare function extractMarkdownElements(text: string, options?: ExtractOptions): Element[];

declare function fromContent(): IdFunc;

declare function fromSource(): IdFunc;

declare function isSliceOfSource(node: TextNode): boolean;

declare const mdx: MarkdownSyntax;

declare function readBlocks(text: string, { syntax }?: ReadBlocksOptions): MarkdownBlock[];

declare function readFrontMatter(source: string): Record<string, unknown>;

declare function readSections(text: string, options?: ReadSectionsOptions): DocumentSections;

declare function sectionRanges(text: string, { syntax }?: ReadBlocksOptions): SectionRange[];

declare function streamMarkdownElements(source: AsyncIterable<string> | Iterable<string>, options?: StreamOptions): AsyncGenerator<Element, void, undefined>;

declare function streamNodes(parser: NodeParser, source: AsyncIterable<string> | Iterable<string>, options?: StreamNodesOptions): AsyncGenerator<TextNode, void, undefined>;

declare function summarizeByHeaders({ element, captionAbove, captionBelow, headings }: TableContext): TableOutput;

declare function summarizeByModel(llm: BaseLLM, { question, tokenizer }?: SummarizeByModelOptions): TableSummarizer;

declare function tableRows({ text }?: TableRowsOptions): RowNodes;

declare function typedElements(...types: readonly TypedElement[]): ElementDivider;

// Bases of the classes, not exported:

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
    rowNodes: RowNodes | null;
    elementTypes: ElementDivider | null;
    htmlTables: 'text' | 'table';
    onReject: 'keep' | 'text' | 'drop';
    tableData: 'metadata' | 'node';
    headerPath: boolean;
    headerPathSeparator: string;
    lineNumbers: boolean;
    pageBreak: string | null;
    frontMatter: FrontMatterReader | null;
    syntax: MarkdownSyntax | null;
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
    rowNodes?: RowNodes | null | undefined;
    elementTypes?: ElementDivider | null | undefined;
    htmlTables?: 'text' | 'table' | undefined;
    onReject?: 'keep' | 'text' | 'drop' | undefined;
    tableData?: 'metadata' | 'node' | undefined;
    headerPath?: boolean | undefined;
    headerPathSeparator?: string | undefined;
    lineNumbers?: boolean | undefined;
    pageBreak?: string | null | undefined;
    frontMatter?: FrontMatterReader | null | undefined;
    syntax?: MarkdownSyntax | null | undefined;
    tokenizer?: Tokenizer | null | undefined;
    nestedNodeParser?: NodeParser | null | undefined;
}

declare const CodeTextSplitterModel: typeof Declared;

declare abstract class Declared extends BaseElementNodeParser {
}
interface Declared extends MarkdownElementNodeParserFields {
}

declare abstract class Declared extends MetadataAwareTextSplitter {
    constructor(options: CodeTextSplitterOptions);
}
interface Declared extends CodeTextSplitterFields {
}

declare abstract class Declared extends MetadataAwareTextSplitter {
    constructor(options?: SentenceSplitterOptions);
}
interface Declared extends SentenceSplitterFields {
}

declare abstract class Declared extends MetadataAwareTextSplitter {
    constructor(options?: TokenTextSplitterOptions);
}
interface Declared extends TokenTextSplitterFields {
}

declare abstract class Declared extends Model {
    constructor(options?: NodeParserOptions);
}
interface Declared extends NodeParserFields {
}

declare abstract class Declared extends NodeParser {
    constructor(options: SemanticSplitterNodeParserOptions);
}
interface Declared extends SemanticSplitterNodeParserFields {
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

declare abstract class Declared extends NodeParser {
    constructor(options?: TextSplitterOptions);
}
interface Declared extends TextSplitterFields {
}

declare abstract class Declared extends TextSplitter {
    constructor(options?: MetadataAwareTextSplitterOptions);
}
interface Declared extends MetadataAwareTextSplitterFields {
}

declare const MarkdownElementNodeParserModel: typeof Declared;

declare const MarkdownNodeParserModel: typeof Declared;

interface MetadataAwareTextSplitterFields extends TextSplitterFields {
    readonly chunkSize: number;
    readonly chunkOverlap: number;
    tokenizer: Tokenizer | null;
}

declare const MetadataAwareTextSplitterModel: typeof Declared;

declare const NodeParserModel: typeof Declared;

declare const SemanticSplitterNodeParserModel: typeof Declared;

declare const SentenceSplitterModel: typeof Declared;

interface TextSplitterFields extends NodeParserFields {
}

declare const TextSplitterModel: typeof Declared;

declare const TokenTextSplitterModel: typeof Declared;

// ======== @x/node-parser/tables

export { ColumnAlign } // above

interface TableCell {
    text: string;
    isHeader?: boolean | undefined;
    align?: ColumnAlign | undefined;
    columns?: number | undefined;
    rows?: number | undefined;
}

export { TableData } // above

interface TableGroup {
    kind: 'head' | 'body' | 'foot';
    rows: readonly (readonly TableCell[])[];
}

declare function markdownTable({ columns, rows, align, caption }: TableData): string;

declare function tableOfCells(groups: readonly TableGroup[], captions?: readonly string[]): TableData | null;

// ======== @x/node-parser/schemas

declare const BaseElementNodeParser: import("typebox").TObject<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("../build-nodes.ts").IdFunc>;
}, "chunkOverlap" | "chunkSize" | "elementTypes" | "frontMatter" | "headerPath" | "headerPathSeparator" | "htmlTables" | "lineNumbers" | "llm" | "maxTableTokens" | "nestedNodeParser" | "numWorkers" | "onError" | "onReject" | "pageBreak" | "rowNodes" | "showProgress" | "summarizer" | "summaryQueryStr" | "syntax" | "tableData" | "tableSummarizer" | "tokenizer"> & {
    readonly headerPath: import("typebox").TBoolean;
    readonly headerPathSeparator: import("typebox").TString;
    readonly lineNumbers: import("typebox").TBoolean;
    readonly pageBreak: import("typebox").TUnsafe<string | null>;
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
    readonly rowNodes: import("typebox").TUnsafe<RowNodes>;
    readonly elementTypes: import("typebox").TUnsafe<ElementDivider>;
    readonly htmlTables: import("typebox").TUnsafe<"table" | "text">;
    readonly onReject: import("typebox").TUnsafe<"drop" | "keep" | "text">;
    readonly tableData: import("typebox").TUnsafe<"metadata" | "node">;
    readonly frontMatter: import("typebox").TUnsafe<import("../front-matter-metadata.ts").FrontMatterReader>;
    readonly syntax: import("typebox").TUnsafe<import("../index.ts").MarkdownSyntax>;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
    readonly nestedNodeParser: import("typebox").TUnsafe<NodeParser>;
}>;

declare const CodeTextSplitter: import("typebox").TObject<Omit<Omit<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, never>, "chunkOverlap" | "chunkSize" | "tokenizer"> & {
    readonly chunkSize: import("typebox").TInteger;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
}, "chunkOverlap" | "parser"> & {
    readonly parser: import("typebox").TUnsafe<SyntaxParser>;
    readonly chunkOverlap: import("typebox").TInteger;
}>;

declare const MarkdownElementNodeParser: import("typebox").TObject<Omit<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("../build-nodes.ts").IdFunc>;
}, "chunkOverlap" | "chunkSize" | "elementTypes" | "frontMatter" | "headerPath" | "headerPathSeparator" | "htmlTables" | "lineNumbers" | "llm" | "maxTableTokens" | "nestedNodeParser" | "numWorkers" | "onError" | "onReject" | "pageBreak" | "rowNodes" | "showProgress" | "summarizer" | "summaryQueryStr" | "syntax" | "tableData" | "tableSummarizer" | "tokenizer"> & {
    readonly headerPath: import("typebox").TBoolean;
    readonly headerPathSeparator: import("typebox").TString;
    readonly lineNumbers: import("typebox").TBoolean;
    readonly pageBreak: import("typebox").TUnsafe<string | null>;
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
    readonly rowNodes: import("typebox").TUnsafe<import("./table-rows.ts").RowNodes>;
    readonly elementTypes: import("typebox").TUnsafe<import("./element.ts").ElementDivider>;
    readonly htmlTables: import("typebox").TUnsafe<"table" | "text">;
    readonly onReject: import("typebox").TUnsafe<"drop" | "keep" | "text">;
    readonly tableData: import("typebox").TUnsafe<"metadata" | "node">;
    readonly frontMatter: import("typebox").TUnsafe<import("../front-matter-metadata.ts").FrontMatterReader>;
    readonly syntax: import("typebox").TUnsafe<import("../index.ts").MarkdownSyntax>;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
    readonly nestedNodeParser: import("typebox").TUnsafe<import("../node-parser.ts").NodeParser>;
}, never>>;

declare const MarkdownNodeParser: import("typebox").TObject<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, "chunkOverlap" | "chunkSize" | "frontMatter" | "headerPath" | "headerPathSeparator" | "lineNumbers" | "minChunkSize" | "pageBreak" | "repeatCodeFence" | "repeatHeading" | "repeatTableHeader" | "syntax" | "tokenizer"> & {
    readonly headerPath: import("typebox").TBoolean;
    readonly headerPathSeparator: import("typebox").TString;
    readonly lineNumbers: import("typebox").TBoolean;
    readonly pageBreak: import("typebox").TUnsafe<string | null>;
    readonly chunkSize: import("typebox").TUnsafe<number | null>;
    readonly minChunkSize: import("typebox").TUnsafe<number | null>;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly repeatHeading: import("typebox").TBoolean;
    readonly repeatTableHeader: import("typebox").TBoolean;
    readonly repeatCodeFence: import("typebox").TBoolean;
    readonly frontMatter: import("typebox").TUnsafe<import("./front-matter-metadata.ts").FrontMatterReader>;
    readonly syntax: import("typebox").TUnsafe<import("./index.ts").MarkdownSyntax>;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
}>;

declare const MetadataAwareTextSplitter: import("typebox").TObject<Omit<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, never>, "chunkOverlap" | "chunkSize" | "tokenizer"> & {
    readonly chunkSize: import("typebox").TInteger;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
}>;

declare const NodeParser: import("typebox").TObject<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
    idFunc: import("typebox").TUnsafe<IdFunc>;
}>;

declare const SemanticSplitterNodeParser: import("typebox").TObject<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, "breakpointPercentileThreshold" | "bufferSize" | "chunkSize" | "embedModel" | "sentenceSplitter" | "tokenizer"> & {
    readonly embedModel: import("typebox").TUnsafe<EmbeddingModel>;
    readonly bufferSize: import("typebox").TInteger;
    readonly breakpointPercentileThreshold: import("typebox").TNumber;
    readonly sentenceSplitter: import("typebox").TUnsafe<(text: string) => readonly string[]>;
    readonly chunkSize: import("typebox").TUnsafe<number | null>;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
}>;

declare const SentenceSplitter: import("typebox").TObject<Omit<Omit<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, never>, "chunkOverlap" | "chunkSize" | "tokenizer"> & {
    readonly chunkSize: import("typebox").TInteger;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
}, "chunkingTokenizerFn" | "paragraphSeparator" | "secondaryChunkingRegex" | "separator"> & {
    readonly separator: import("typebox").TString;
    readonly paragraphSeparator: import("typebox").TString;
    readonly secondaryChunkingRegex: import("typebox").TUnsafe<string | null>;
    readonly chunkingTokenizerFn: import("typebox").TUnsafe<(text: string) => readonly string[]>;
}>;

declare const TableColumnRecord: import("typebox").TObject<{
    readonly colName: import("typebox").TString;
    readonly colType: import("typebox").TString;
    readonly summary: import("typebox").TUnsafe<string | null>;
}>;

declare const TableOutputRecord: import("typebox").TObject<{
    readonly summary: import("typebox").TString;
    readonly tableTitle: import("typebox").TUnsafe<string | null>;
    readonly tableId: import("typebox").TUnsafe<string | null>;
    readonly columns: import("typebox").TArray<import("typebox").TUnsafe<TableColumn>>;
    readonly shouldKeep: import("typebox").TUnsafe<boolean | null>;
}>;

declare const TextSplitter: import("typebox").TObject<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, never>>;

declare const TokenTextSplitter: import("typebox").TObject<Omit<Omit<Omit<Omit<{}, "callbackManager" | "idFunc" | "includeMetadata" | "includePrevNextRel"> & {
    includeMetadata: import("typebox").TBoolean;
    includePrevNextRel: import("typebox").TBoolean;
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
    idFunc: import("typebox").TUnsafe<import("./build-nodes.ts").IdFunc>;
}, never>, "chunkOverlap" | "chunkSize" | "tokenizer"> & {
    readonly chunkSize: import("typebox").TInteger;
    readonly chunkOverlap: import("typebox").TInteger;
    readonly tokenizer: import("typebox").TUnsafe<import("@x/core-model").Tokenizer>;
}, "backupSeparators" | "chunkOverlap" | "separator"> & {
    readonly chunkOverlap: import("typebox").TInteger;
    readonly separator: import("typebox").TString;
    readonly backupSeparators: import("typebox").TArray<import("typebox").TUnsafe<string>>;
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
