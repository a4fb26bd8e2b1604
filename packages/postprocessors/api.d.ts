// The public types of @x/postprocessors, written by `npm run api`.

// ======== @x/postprocessors

type AccessListener = (nodes: readonly NodeWithScore[]) => void | Promise<void>;

interface AutoPrevNextNodePostprocessor extends AutoPrevNextNodePostprocessorFields {
}
declare class AutoPrevNextNodePostprocessor extends NodePostprocessor {
    constructor(options: AutoPrevNextNodePostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    needsQuery(): boolean;
    private get model();
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private ask;
}

interface AutoPrevNextNodePostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    docstore: DocumentStore;
    serviceContext?: ServiceContext | null | undefined;
    llm?: LLM | null | undefined;
    numNodes?: number | undefined;
    inferPrevNextTmpl?: string | undefined;
    refinePrevNextTmpl?: string | undefined;
    verbose?: boolean | undefined;
    logger?: ((message: string) => void) | null | undefined;
    onMissing?: 'throw' | 'stop' | undefined;
    onInvalidPrediction?: 'throw' | 'none' | undefined;
    maxConcurrency?: number | undefined;
}

declare class ChoiceParseError extends PostprocessorError {
    readonly line: string;
    constructor(line: string, reason: string, className?: string);
}

type ChoiceParser = (answer: string, numChoices: number) => {
    choices: readonly (number | string)[];
    relevances?: readonly (number | string)[] | null | undefined;
};

interface ChoiceSelection {
    choices: number[];
    relevances: number[];
}

declare class ConflictingQueryError extends PostprocessorError {
    constructor(className: string);
}

interface CrossEncoder {
    predict(pairs: readonly (readonly [query: string, text: string])[], options?: {
        signal?: AbortSignal | undefined;
    }): Promise<readonly number[]>;
    readonly device?: string;
    readonly maxTokens?: number;
    countTokens?(text: string): number;
}

interface Deduplicate extends DeduplicateFields {
}
declare class Deduplicate extends NodePostprocessor {
    constructor(options?: DeduplicateOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface DeduplicateOptions {
    callbackManager?: CallbackManager | null | undefined;
    by?: 'id' | 'hash' | 'text' | undefined;
}

interface DocumentGrouping extends DocumentGroupingFields {
}
declare class DocumentGrouping extends NodePostprocessor {
    constructor(options?: DocumentGroupingOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface DocumentGroupingOptions {
    callbackManager?: CallbackManager | null | undefined;
    groupKey?: string | null | undefined;
    groupOrder?: 'first' | 'best' | undefined;
    maxPerGroup?: number | null | undefined;
    maxGroups?: number | null | undefined;
}

interface EmbeddingRecencyPostprocessor extends EmbeddingRecencyPostprocessorFields {
}
declare class EmbeddingRecencyPostprocessor extends NodePostprocessor {
    constructor(options?: EmbeddingRecencyPostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
}

interface EmbeddingRecencyPostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    embedModel?: EmbeddingModel | null | undefined;
    dateKey?: string | undefined;
    similarityCutoff?: number | undefined;
    queryEmbeddingTmpl?: string | undefined;
    similarity?: 'dot' | 'cosine' | undefined;
    dayFirst?: boolean | undefined;
    onMissingDate?: 'throw' | 'last' | 'drop' | undefined;
}

type EntityRecognizer = (text: string, options?: {
    signal?: AbortSignal | undefined;
}) => readonly NamedEntity[] | Promise<readonly NamedEntity[]>;

interface ExplanationEntry {
    step: number;
    className: string;
    nodeId: string;
    change: NodeChange;
    reason: string;
    rankBefore: number | null;
    rankAfter: number | null;
    scoreBefore: number | null;
    scoreAfter: number | null;
}

declare class ExplanationLedger {
    readonly entries: ExplanationEntry[];
    private steps;
    record(className: string, before: readonly NodeWithScore[], after: readonly NodeWithScore[], reasons: Reasons): void;
    of(nodeId: string): ExplanationEntry[];
    toString(): string;
    private add;
}

interface FixedRecencyPostprocessor extends FixedRecencyPostprocessorFields {
}
declare class FixedRecencyPostprocessor extends NodePostprocessor {
    constructor(options?: FixedRecencyPostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface FixedRecencyPostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    topK?: number | undefined;
    dateKey?: string | undefined;
    dayFirst?: boolean | undefined;
    onMissingDate?: 'throw' | 'last' | 'drop' | undefined;
}

interface FuseOptions {
    mode?: 'reciprocal_rank' | 'relative_score' | 'best_score';
    weights?: readonly number[];
    k?: number;
}

interface Instant {
    seconds: number;
    nanoseconds: number;
}

declare class InvalidDateError extends PostprocessorError {
    readonly nodeId: string;
    readonly value: unknown;
    constructor(className: string, nodeId: string, key: string, value: unknown);
}

declare class InvalidMetadataError extends PostprocessorError {
    readonly nodeId: string;
    readonly key: string;
    constructor(className: string, nodeId: string, key: string, expected: string);
}

declare class InvalidPredictionError extends PostprocessorError {
    readonly answer: string;
    constructor(className: string, answer: string);
}

interface KeywordMatchOptions {
    lang?: string;
    caseSensitive?: boolean;
    wordBoundaries?: boolean;
}

interface KeywordNodePostprocessor extends KeywordNodePostprocessorFields {
}
declare class KeywordNodePostprocessor extends NodePostprocessor {
    constructor(options?: KeywordNodePostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface KeywordNodePostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    requiredKeywords?: readonly string[] | undefined;
    excludeKeywords?: readonly string[] | undefined;
    lang?: string | undefined;
    match?: 'any' | 'all' | undefined;
    caseSensitive?: boolean | undefined;
    wordBoundaries?: boolean | undefined;
}

interface LLMRerank extends LLMRerankFields {
}
declare class LLMRerank extends NodePostprocessor {
    constructor({ topN, choiceBatchSize, choiceSelectPrompt, ...options }: LLMRerankOptions);
    static spec(): import("@x/core-model").ModelSpec;
    static nested(): {
        choiceSelectPrompt: import("@x/core-model").NestedClasses;
    };
    needsQuery(): boolean;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private batches;
    private read;
    private rescored;
}

interface LLMRerankOptions extends Omit<GeneratedOptions, 'topN' | 'choiceBatchSize' | 'choiceSelectPrompt'> {
    topN?: number | undefined;
    choiceBatchSize?: number | undefined;
    choiceSelectPrompt?: GeneratedOptions['choiceSelectPrompt'] | undefined;
}

interface LongContextReorder extends LongContextReorderFields {
}
declare class LongContextReorder extends NodePostprocessor {
    constructor(options?: LongContextReorderOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface LongContextReorderOptions {
    callbackManager?: CallbackManager | null | undefined;
}

type MappingSink = (nodeId: string, mapping: Record<string, unknown>) => void | Promise<void>;

interface MaskedText {
    text: string;
    mapping: Record<string, unknown>;
}

interface MaximalMarginalRelevance extends MaximalMarginalRelevanceFields {
}
declare class MaximalMarginalRelevance extends NodePostprocessor {
    constructor(options?: MaximalMarginalRelevanceOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private vectors;
    private queryVector;
}

interface MaximalMarginalRelevanceOptions {
    callbackManager?: CallbackManager | null | undefined;
    topN?: number | undefined;
    lambda?: number | undefined;
    embedModel?: EmbeddingModel | null | undefined;
}

interface MetadataReplacementPostProcessor extends MetadataReplacementPostProcessorFields {
}
declare class MetadataReplacementPostProcessor extends NodePostprocessor {
    constructor(options: MetadataReplacementPostProcessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface MetadataReplacementPostProcessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    targetMetadataKey: string;
}

declare class MissingDependencyError extends PostprocessorError {
    constructor(className: string, message: string);
}

declare class MissingMetadataError extends PostprocessorError {
    readonly nodeId: string;
    readonly key: string;
    constructor(className: string, nodeId: string, key: string);
}

declare class MissingQueryError extends PostprocessorError {
    constructor(className: string, message?: string);
}

interface NERPIINodePostprocessor extends NERPIINodePostprocessorFields {
}
declare class NERPIINodePostprocessor extends NodePostprocessor {
    constructor(options?: NERPIINodePostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    maskPii(ner: EntityRecognizer, text: string, { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<MaskedText>;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private mask;
}

interface NERPIINodePostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    piiNodeInfoKey?: string | undefined;
    ner?: EntityRecognizer | null | undefined;
    windowSize?: number | null | undefined;
    mappingSink?: MappingSink | null | undefined;
    distinctTags?: boolean | undefined;
    maxConcurrency?: number | undefined;
}

interface NamedEntity {
    entity_group?: string | null;
    entity?: string | null;
    word?: string | null;
    start?: number | null;
    end?: number | null;
    score?: number;
}

type NodeChange = 'kept' | 'dropped' | 'moved' | 'rewritten' | 'added';

interface NodePostprocessor extends NodePostprocessorFields {
}
declare abstract class NodePostprocessor extends Model {
    static spec(): ModelSpec;
    static className(): string;
    needsQuery(): boolean;
    protected abstract process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    postprocessNodes(nodes: readonly NodeWithScore[], options?: PostprocessOptions): Promise<NodeWithScore[]>;
    protected explain(nodes: readonly NodeWithScore[], result: readonly NodeWithScore[], ledger: ExplanationLedger, reasons: Reasons): void;
    setCallbackManager(manager: CallbackManager): void;
    asQueryComponent({ partial }?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
}

interface PIINodePostprocessor extends PIINodePostprocessorFields {
}
declare class PIINodePostprocessor extends NodePostprocessor {
    constructor(options: PIINodePostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    maskPii(text: string, { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<MaskedText>;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private mask;
}

interface PIINodePostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    llm: LLM;
    piiStrTmpl?: string | undefined;
    piiNodeInfoKey?: string | undefined;
    mappingSink?: MappingSink | null | undefined;
    distinctTags?: boolean | undefined;
    maxConcurrency?: number | undefined;
}

type PiiMapping = Readonly<Record<string, unknown>>;

declare class PiiParseError extends PostprocessorError {
    readonly answer: string;
    constructor(className: string, answer: string, reason: string);
}

interface PostprocessOptions {
    queryBundle?: QueryBundle | null | undefined;
    queryStr?: string | null | undefined;
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: PostprocessorProgress) => void) | undefined;
    ledger?: ExplanationLedger | undefined;
}

interface PostprocessRun {
    query: QueryBundle | null;
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: PostprocessorProgress) => void) | undefined;
    ledger?: ExplanationLedger | undefined;
    reasons?: Reasons | undefined;
}

declare class PostprocessorError extends ToolkitError {
    readonly className: string;
    constructor(name: string, code: string, className: string, message: string, options?: ToolkitErrorOptions);
}

interface PostprocessorLike {
    postprocessNodes(nodes: readonly NodeWithScore[], options?: PostprocessOptions): Promise<NodeWithScore[]>;
    needsQuery?(): boolean;
    setCallbackManager?(manager: CallbackManager): void;
}

interface PostprocessorPipeline extends PostprocessorPipelineFields {
}
declare class PostprocessorPipeline extends NodePostprocessor {
    constructor(options: PostprocessorPipelineOptions);
    static spec(): import("@x/core-model").ModelSpec;
    static nested(): {
        postprocessors: import("@x/core-model").NestedClasses;
    };
    needsQuery(): boolean;
    setCallbackManager(manager: CallbackManager): void;
    protected process(nodes: readonly NodeWithScore[], { query, signal, onProgress, ledger }: PostprocessRun): Promise<NodeWithScore[]>;
    protected explain(): void;
}

interface PostprocessorPipelineOptions {
    callbackManager?: CallbackManager | null | undefined;
    postprocessors: readonly PostprocessorLike[];
}

interface PostprocessorProgress {
    className: string;
    done: number;
    total: number;
}

interface PrevNextNodePostprocessor extends PrevNextNodePostprocessorFields {
}
declare class PrevNextNodePostprocessor extends NodePostprocessor {
    constructor(options: PrevNextNodePostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { signal, reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface PrevNextNodePostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    docstore: DocumentStore;
    numNodes?: number | undefined;
    mode?: 'next' | 'previous' | 'both' | undefined;
    onMissing?: 'throw' | 'stop' | undefined;
}

interface RankFusion extends RankFusionFields {
}
declare class RankFusion extends NodePostprocessor {
    constructor(options: RankFusionOptions);
    static spec(): import("@x/core-model").ModelSpec;
    static nested(): {
        rankers: import("@x/core-model").NestedClasses;
    };
    needsQuery(): boolean;
    setCallbackManager(manager: CallbackManager): void;
    protected process(nodes: readonly NodeWithScore[], { query, signal, onProgress, reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface RankFusionOptions {
    callbackManager?: CallbackManager | null | undefined;
    rankers: readonly PostprocessorLike[];
    weights?: readonly number[] | undefined;
    mode?: 'reciprocal_rank' | 'relative_score' | 'best_score' | undefined;
    k?: number | undefined;
    topN?: number | undefined;
    maxConcurrency?: number | undefined;
}

interface ReadDateOptions {
    dayFirst?: boolean;
}

type Reasons = Map<NodeWithScore, string>;

declare class RerankScoreError extends PostprocessorError {
    constructor(className: string, message: string);
}

interface SentenceEmbeddingOptimizer extends SentenceEmbeddingOptimizerFields {
}
declare class SentenceEmbeddingOptimizer extends NodePostprocessor {
    constructor(options?: SentenceEmbeddingOptimizerOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private choose;
}

interface SentenceEmbeddingOptimizerOptions {
    callbackManager?: CallbackManager | null | undefined;
    percentileCutoff?: number | null | undefined;
    thresholdCutoff?: number | null | undefined;
    contextBefore?: number | null | undefined;
    contextAfter?: number | null | undefined;
    embedModel?: EmbeddingModel | null | undefined;
    tokenizerFn?: ((text: string) => readonly string[]) | null | undefined;
    lang?: string | undefined;
    onEmpty?: 'throw' | 'drop' | 'keep' | undefined;
    maxConcurrency?: number | undefined;
}

interface SentenceTransformerRerank extends SentenceTransformerRerankFields {
}
declare class SentenceTransformerRerank extends NodePostprocessor {
    constructor({ model, topN, device, ...options }?: SentenceTransformerRerankOptions);
    static spec(): import("@x/core-model").ModelSpec;
    needsQuery(): boolean;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
}

interface SentenceTransformerRerankOptions extends Omit<GeneratedOptions, 'model' | 'topN' | 'device'> {
    model?: string | undefined;
    topN?: number | undefined;
    device?: string | null | undefined;
}

interface ServiceContext {
    llm: LLM;
    embedModel?: unknown;
}

interface SimilarityPostprocessor extends SimilarityPostprocessorFields {
}
declare class SimilarityPostprocessor extends NodePostprocessor {
    constructor(options?: SimilarityPostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface SimilarityPostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    similarityCutoff?: number | null | undefined;
    keepUnscored?: boolean | undefined;
}

interface TextWindow {
    start: number;
    end: number;
}

interface TextWindowOptions {
    size: number;
    overlap?: number;
    measure?: (text: string) => number;
}

interface TimeWeightedPostprocessor extends TimeWeightedPostprocessorFields {
}
declare class TimeWeightedPostprocessor extends NodePostprocessor {
    constructor(options?: TimeWeightedPostprocessorOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface TimeWeightedPostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
    timeDecay?: number | undefined;
    lastAccessedKey?: string | undefined;
    timeAccessRefresh?: boolean | undefined;
    now?: number | null | undefined;
    topK?: number | undefined;
    hideAccessTime?: boolean | undefined;
    onAccess?: AccessListener | null | undefined;
}

interface TokenBudget extends TokenBudgetFields {
}
declare class TokenBudget extends NodePostprocessor {
    constructor(options: TokenBudgetOptions);
    static spec(): import("@x/core-model").ModelSpec;
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface TokenBudgetOptions {
    callbackManager?: CallbackManager | null | undefined;
    maxTokens: number;
    separatorTokens?: number | undefined;
    overflow?: 'skip' | 'stop' | 'cut' | undefined;
    countTokens?: ((text: string) => number) | null | undefined;
}

interface TopKOptions<Id> {
    similarityFn?: ((a: readonly number[], b: readonly number[]) => number) | undefined;
    topK?: number | null | undefined;
    ids?: readonly Id[] | undefined;
    cutoff?: number | null | undefined;
}

interface WalkOptions {
    onMissing?: 'throw' | 'stop';
    signal?: AbortSignal | undefined;
}

declare class ZeroSentencesError extends PostprocessorError {
    readonly nodeId: string;
    constructor(className: string, nodeId: string);
}

declare function applyPiiMapping(text: string, mapping: PiiMapping): string;

declare function defaultFormatNodeBatchFn(nodes: readonly TextNode[]): string;

declare function defaultParseChoiceSelectAnswerFn(answer: string, numChoices: number, raiseError?: boolean): ChoiceSelection;

declare function findPatterns(text: string): NamedEntity[];

declare function fuseNodes(lists: readonly (readonly NodeWithScore[])[], { mode, weights, k }?: FuseOptions): NodeWithScore[];

declare function getBackwardNodes(entry: NodeWithScore, numNodes: number, docstore: DocumentStore, options?: WalkOptions): Promise<Map<string, NodeWithScore>>;

declare function getForwardNodes(entry: NodeWithScore, numNodes: number, docstore: DocumentStore, options?: WalkOptions): Promise<Map<string, NodeWithScore>>;

declare function getTopKEmbeddings<Id = number>(query: readonly number[], embeddings: readonly (readonly number[])[], { similarityFn, topK, ids, cutoff }?: TopKOptions<Id>): [similarities: number[], ids: Id[]];

declare function keywordMatcher(keywords: readonly string[], { lang, caseSensitive, wordBoundaries, match, }?: KeywordMatchOptions & {
    match?: 'any' | 'all';
}): (text: string) => boolean;

declare function maskEntities(text: string, entities: readonly NamedEntity[]): {
    text: string;
    mapping: Record<string, string>;
};

declare function readDate(value: unknown, { dayFirst }?: ReadDateOptions): Instant | undefined;

declare function splitSentences(text: string, lang?: string): string[];

declare function textWindows(text: string, { size, overlap, measure }: TextWindowOptions): TextWindow[];

declare function unmask(text: string, mapping: PiiMapping): string;

declare function unmaskStream(pieces: AsyncIterable<string> | Iterable<string>, mapping: PiiMapping): AsyncGenerator<string>;

declare function withDistinctTags(masked: readonly MaskedText[]): MaskedText[];

// Used by them, not exported:

interface AutoPrevNextNodePostprocessorFields {
    callbackManager: CallbackManager | null;
    docstore: DocumentStore;
    serviceContext: ServiceContext | null;
    llm: LLM | null;
    readonly numNodes: number;
    inferPrevNextTmpl: string;
    refinePrevNextTmpl: string;
    verbose: boolean;
    logger: ((message: string) => void) | null;
    onMissing: 'throw' | 'stop';
    onInvalidPrediction: 'throw' | 'none';
    readonly maxConcurrency: number;
}

interface DeduplicateFields {
    callbackManager: CallbackManager | null;
    by: 'id' | 'hash' | 'text';
}

interface DocumentGroupingFields {
    callbackManager: CallbackManager | null;
    groupKey: string | null;
    groupOrder: 'first' | 'best';
    readonly maxPerGroup: number | null;
    readonly maxGroups: number | null;
}

interface EmbeddingRecencyPostprocessorFields {
    callbackManager: CallbackManager | null;
    embedModel: EmbeddingModel | null;
    dateKey: string;
    similarityCutoff: number;
    queryEmbeddingTmpl: string;
    similarity: 'dot' | 'cosine';
    dayFirst: boolean;
    onMissingDate: 'throw' | 'last' | 'drop';
}

interface FixedRecencyPostprocessorFields {
    callbackManager: CallbackManager | null;
    readonly topK: number;
    dateKey: string;
    dayFirst: boolean;
    onMissingDate: 'throw' | 'last' | 'drop';
}

interface KeywordNodePostprocessorFields {
    callbackManager: CallbackManager | null;
    requiredKeywords: string[];
    excludeKeywords: string[];
    lang: string;
    match: 'any' | 'all';
    caseSensitive: boolean;
    wordBoundaries: boolean;
}

interface LLMRerankFields {
    callbackManager: CallbackManager | null;
    readonly topN: number;
    choiceSelectPrompt: BasePromptTemplate;
    readonly choiceBatchSize: number;
    llm: LLM;
    formatNodeBatchFn: ((nodes: readonly TextNode[]) => string) | null;
    parseChoiceSelectAnswerFn: ChoiceParser | null;
    onNoChoice: 'drop' | 'keep' | 'throw';
    keepRetrievalScore: boolean;
    readonly maxConcurrency: number;
}

interface LLMRerankOptions {
    callbackManager?: CallbackManager | null | undefined;
    topN: number;
    choiceSelectPrompt: BasePromptTemplate;
    choiceBatchSize: number;
    llm: LLM;
    formatNodeBatchFn?: ((nodes: readonly TextNode[]) => string) | null | undefined;
    parseChoiceSelectAnswerFn?: ChoiceParser | null | undefined;
    onNoChoice?: 'drop' | 'keep' | 'throw' | undefined;
    keepRetrievalScore?: boolean | undefined;
    maxConcurrency?: number | undefined;
}

interface LongContextReorderFields {
    callbackManager: CallbackManager | null;
}

interface MaximalMarginalRelevanceFields {
    callbackManager: CallbackManager | null;
    readonly topN: number;
    readonly lambda: number;
    embedModel: EmbeddingModel | null;
}

interface MetadataReplacementPostProcessorFields {
    callbackManager: CallbackManager | null;
    targetMetadataKey: string;
}

interface NERPIINodePostprocessorFields {
    callbackManager: CallbackManager | null;
    piiNodeInfoKey: string;
    ner: EntityRecognizer | null;
    readonly windowSize: number | null;
    mappingSink: MappingSink | null;
    distinctTags: boolean;
    readonly maxConcurrency: number;
}

interface NodePostprocessorFields {
    callbackManager: CallbackManager | null;
}

interface PIINodePostprocessorFields {
    callbackManager: CallbackManager | null;
    llm: LLM;
    piiStrTmpl: string;
    piiNodeInfoKey: string;
    mappingSink: MappingSink | null;
    distinctTags: boolean;
    readonly maxConcurrency: number;
}

interface PostprocessorPipelineFields {
    callbackManager: CallbackManager | null;
    postprocessors: PostprocessorLike[];
}

interface PrevNextNodePostprocessorFields {
    callbackManager: CallbackManager | null;
    docstore: DocumentStore;
    readonly numNodes: number;
    mode: 'next' | 'previous' | 'both';
    onMissing: 'throw' | 'stop';
}

interface RankFusionFields {
    callbackManager: CallbackManager | null;
    rankers: PostprocessorLike[];
    weights: number[];
    mode: 'reciprocal_rank' | 'relative_score' | 'best_score';
    readonly k: number;
    readonly topN: number;
    readonly maxConcurrency: number;
}

interface SentenceEmbeddingOptimizerFields {
    callbackManager: CallbackManager | null;
    readonly percentileCutoff: number | null;
    thresholdCutoff: number | null;
    readonly contextBefore: number | null;
    readonly contextAfter: number | null;
    embedModel: EmbeddingModel | null;
    tokenizerFn: ((text: string) => readonly string[]) | null;
    lang: string;
    onEmpty: 'throw' | 'drop' | 'keep';
    readonly maxConcurrency: number;
}

interface SentenceTransformerRerankFields {
    callbackManager: CallbackManager | null;
    model: string;
    readonly topN: number;
    device: string;
    keepRetrievalScore: boolean;
    crossEncoder: CrossEncoder | null;
}

interface SentenceTransformerRerankOptions {
    callbackManager?: CallbackManager | null | undefined;
    model: string;
    topN: number;
    device?: string | undefined;
    keepRetrievalScore?: boolean | undefined;
    crossEncoder?: CrossEncoder | null | undefined;
}

interface SimilarityPostprocessorFields {
    callbackManager: CallbackManager | null;
    similarityCutoff: number | null;
    keepUnscored: boolean;
}

interface TimeWeightedPostprocessorFields {
    callbackManager: CallbackManager | null;
    readonly timeDecay: number;
    lastAccessedKey: string;
    timeAccessRefresh: boolean;
    now: number | null;
    readonly topK: number;
    hideAccessTime: boolean;
    onAccess: AccessListener | null;
}

interface TokenBudgetFields {
    callbackManager: CallbackManager | null;
    readonly maxTokens: number;
    readonly separatorTokens: number;
    overflow: 'skip' | 'stop' | 'cut';
    countTokens: ((text: string) => number) | null;
}

// ======== @x/postprocessors/schemas

declare const AutoPrevNextNodePostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly docstore: import("typebox").TUnsafe<unknown>;
    readonly serviceContext: import("typebox").TUnsafe<unknown>;
    readonly llm: import("typebox").TUnsafe<unknown>;
    readonly numNodes: import("typebox").TInteger;
    readonly inferPrevNextTmpl: import("typebox").TString;
    readonly refinePrevNextTmpl: import("typebox").TString;
    readonly verbose: import("typebox").TBoolean;
    readonly logger: import("typebox").TUnsafe<unknown>;
    readonly onMissing: import("typebox").TUnsafe<"stop" | "throw">;
    readonly onInvalidPrediction: import("typebox").TUnsafe<"none" | "throw">;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const Deduplicate: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly by: import("typebox").TUnsafe<"hash" | "id" | "text">;
}>;

declare const DocumentGrouping: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly groupKey: import("typebox").TUnsafe<string | null>;
    readonly groupOrder: import("typebox").TUnsafe<"best" | "first">;
    readonly maxPerGroup: import("typebox").TUnsafe<number | null>;
    readonly maxGroups: import("typebox").TUnsafe<number | null>;
}>;

declare const EmbeddingRecencyPostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly dateKey: import("typebox").TString;
    readonly dayFirst: import("typebox").TBoolean;
    readonly onMissingDate: import("typebox").TUnsafe<"drop" | "last" | "throw">;
    readonly embedModel: import("typebox").TUnsafe<unknown>;
    readonly similarityCutoff: import("typebox").TNumber;
    readonly queryEmbeddingTmpl: import("typebox").TString;
    readonly similarity: import("typebox").TUnsafe<"cosine" | "dot">;
}>;

declare const FixedRecencyPostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly dateKey: import("typebox").TString;
    readonly dayFirst: import("typebox").TBoolean;
    readonly onMissingDate: import("typebox").TUnsafe<"drop" | "last" | "throw">;
    readonly topK: import("typebox").TInteger;
}>;

declare const KeywordNodePostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly requiredKeywords: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly excludeKeywords: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly lang: import("typebox").TString;
    readonly match: import("typebox").TUnsafe<"all" | "any">;
    readonly caseSensitive: import("typebox").TBoolean;
    readonly wordBoundaries: import("typebox").TBoolean;
}>;

declare const LLMRerank: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly topN: import("typebox").TInteger;
    readonly choiceSelectPrompt: import("typebox").TUnsafe<unknown>;
    readonly choiceBatchSize: import("typebox").TInteger;
    readonly llm: import("typebox").TUnsafe<unknown>;
    readonly formatNodeBatchFn: import("typebox").TUnsafe<unknown>;
    readonly parseChoiceSelectAnswerFn: import("typebox").TUnsafe<unknown>;
    readonly onNoChoice: import("typebox").TUnsafe<"drop" | "keep" | "throw">;
    readonly keepRetrievalScore: import("typebox").TBoolean;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const LongContextReorder: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
}>;

declare const MaximalMarginalRelevance: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly topN: import("typebox").TInteger;
    readonly lambda: import("typebox").TNumber;
    readonly embedModel: import("typebox").TUnsafe<unknown>;
}>;

declare const MetadataReplacementPostProcessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly targetMetadataKey: import("typebox").TString;
}>;

declare const NERPIINodePostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly piiNodeInfoKey: import("typebox").TString;
    readonly mappingSink: import("typebox").TUnsafe<unknown>;
    readonly distinctTags: import("typebox").TBoolean;
    readonly maxConcurrency: import("typebox").TInteger;
    readonly ner: import("typebox").TUnsafe<unknown>;
    readonly windowSize: import("typebox").TUnsafe<number | null>;
}>;

declare const NodePostprocessor: import("typebox").TObject<{
    callbackManager: import("typebox").TUnsafe<unknown>;
}>;

declare const PIINodePostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly piiNodeInfoKey: import("typebox").TString;
    readonly mappingSink: import("typebox").TUnsafe<unknown>;
    readonly distinctTags: import("typebox").TBoolean;
    readonly maxConcurrency: import("typebox").TInteger;
    readonly llm: import("typebox").TUnsafe<unknown>;
    readonly piiStrTmpl: import("typebox").TString;
}>;

declare const PostprocessorPipeline: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly postprocessors: import("typebox").TArray<import("typebox").TUnsafe<unknown>>;
}>;

declare const PrevNextNodePostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly docstore: import("typebox").TUnsafe<unknown>;
    readonly numNodes: import("typebox").TInteger;
    readonly mode: import("typebox").TUnsafe<"both" | "next" | "previous">;
    readonly onMissing: import("typebox").TUnsafe<"stop" | "throw">;
}>;

declare const RankFusion: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly rankers: import("typebox").TArray<import("typebox").TUnsafe<unknown>>;
    readonly weights: import("typebox").TArray<import("typebox").TNumber>;
    readonly mode: import("typebox").TUnsafe<"best_score" | "reciprocal_rank" | "relative_score">;
    readonly k: import("typebox").TNumber;
    readonly topN: import("typebox").TInteger;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const SentenceEmbeddingOptimizer: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly percentileCutoff: import("typebox").TUnsafe<number | null>;
    readonly thresholdCutoff: import("typebox").TUnsafe<number | null>;
    readonly contextBefore: import("typebox").TUnsafe<number | null>;
    readonly contextAfter: import("typebox").TUnsafe<number | null>;
    readonly embedModel: import("typebox").TUnsafe<unknown>;
    readonly tokenizerFn: import("typebox").TUnsafe<unknown>;
    readonly lang: import("typebox").TString;
    readonly onEmpty: import("typebox").TUnsafe<"drop" | "keep" | "throw">;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const SentenceTransformerRerank: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly model: import("typebox").TString;
    readonly topN: import("typebox").TInteger;
    readonly device: import("typebox").TString;
    readonly keepRetrievalScore: import("typebox").TBoolean;
    readonly crossEncoder: import("typebox").TUnsafe<unknown>;
}>;

declare const SimilarityPostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly similarityCutoff: import("typebox").TUnsafe<number | null>;
    readonly keepUnscored: import("typebox").TBoolean;
}>;

declare const TimeWeightedPostprocessor: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly timeDecay: import("typebox").TNumber;
    readonly lastAccessedKey: import("typebox").TString;
    readonly timeAccessRefresh: import("typebox").TBoolean;
    readonly now: import("typebox").TUnsafe<number | null>;
    readonly topK: import("typebox").TInteger;
    readonly hideAccessTime: import("typebox").TBoolean;
    readonly onAccess: import("typebox").TUnsafe<unknown>;
}>;

declare const TokenBudget: import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & {
    readonly maxTokens: import("typebox").TInteger;
    readonly separatorTokens: import("typebox").TInteger;
    readonly overflow: import("typebox").TUnsafe<"cut" | "skip" | "stop">;
    readonly countTokens: import("typebox").TUnsafe<unknown>;
}>;

declare function nodePostprocessor<const F extends Fields>(title: string, description: string, fields: F): import("typebox").TObject<{
    readonly callbackManager: import("typebox").TUnsafe<unknown>;
} & F>;

declare const postprocessorFields: {
    callbackManager: import("typebox").TUnsafe<unknown>;
};

// Used by them, not exported:

declare const onMissing: import("typebox").TUnsafe<"stop" | "throw">;
