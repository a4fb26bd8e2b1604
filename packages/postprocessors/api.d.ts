// The public types of @x/postprocessors, written by `npm run api`.

// ======== @x/postprocessors

type AccessListener = (nodes: readonly NodeWithScore[]) => void | Promise<void>;

declare class AutoPrevNextNodePostprocessor extends AutoPrevNextNodePostprocessorModel {
    constructor(options: AutoPrevNextNodePostprocessorOptions);
    needsQuery(): boolean;
    private get model();
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private ask;
}

interface AutoPrevNextNodePostprocessorOptions extends NodePostprocessorOptions {
    docstore: DocumentStore;
    serviceContext?: ServiceContext | null | undefined;
    llm?: PredictingLLM | null | undefined;
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
    unreadable?: boolean | undefined;
};

interface ChoiceSelection {
    choices: number[];
    relevances: number[];
}

declare class ConflictingQueryError extends PostprocessorError {
    constructor(className: string);
}

declare class Deduplicate extends DeduplicateModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface DeduplicateOptions extends NodePostprocessorOptions {
    by?: 'id' | 'hash' | 'text' | 'similar' | undefined;
    minSimilarity?: number | undefined;
}

declare class DocumentGrouping extends DocumentGroupingModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface DocumentGroupingOptions extends NodePostprocessorOptions {
    groupKey?: string | null | undefined;
    groupOrder?: 'first' | 'best' | undefined;
    maxPerGroup?: number | null | undefined;
    maxGroups?: number | null | undefined;
}

declare class EmbeddingRecencyPostprocessor extends EmbeddingRecencyPostprocessorModel {
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
}

interface EmbeddingRecencyPostprocessorOptions extends NodePostprocessorOptions {
    embedModel?: EmbeddingModel | null | undefined;
    dateKey?: string | undefined;
    similarityCutoff?: number | undefined;
    queryEmbeddingTmpl?: string | undefined;
    similarity?: 'dot' | 'cosine' | undefined;
    compareWith?: number | undefined;
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

interface FindPatternsOptions {
    kinds?: readonly PatternKind[] | undefined;
    regions?: PatternKind | undefined;
}

declare class FixedRecencyPostprocessor extends FixedRecencyPostprocessorModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface FixedRecencyPostprocessorOptions extends NodePostprocessorOptions {
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

declare class KeywordNodePostprocessor extends KeywordNodePostprocessorModel {
    constructor(options?: KeywordNodePostprocessorOptions);
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface KeywordNodePostprocessorOptions extends NodePostprocessorOptions {
    requiredKeywords?: readonly string[] | undefined;
    excludeKeywords?: readonly string[] | undefined;
    lang?: string | undefined;
    match?: 'any' | 'all' | undefined;
    caseSensitive?: boolean | undefined;
    wordBoundaries?: boolean | undefined;
}

declare class LLMCompression extends LLMCompressionModel {
    constructor(options: LLMCompressionOptions);
    static nested(): {
        sentenceSelectPrompt: import("@x/core-model").NestedClasses;
    };
    needsQuery(): boolean;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private compressed;
    private kept;
}

interface LLMCompressionOptions extends Omit<GeneratedOptions, 'sentenceSelectPrompt'> {
    sentenceSelectPrompt?: GeneratedOptions['sentenceSelectPrompt'] | undefined;
}

declare class LLMRerank extends LLMRerankModel {
    constructor(options: LLMRerankOptions);
    static nested(): {
        choiceSelectPrompt: import("@x/core-model").NestedClasses;
    };
    needsQuery(): boolean;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private ask;
    private batches;
    private read;
    private rescored;
}

interface LLMRerankOptions extends Omit<GeneratedOptions, 'topN' | 'choiceBatchSize' | 'choiceSelectPrompt'> {
    topN?: number | undefined;
    choiceBatchSize?: number | undefined;
    choiceSelectPrompt?: GeneratedOptions['choiceSelectPrompt'] | undefined;
}

interface LabelledWord {
    start: number;
    end: number;
    labels: readonly TokenLabel[];
    tokens: () => readonly string[];
}

declare class LongContextReorder extends LongContextReorderModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface LongContextReorderOptions extends NodePostprocessorOptions {
}

type MappingSink = (nodeId: string, mapping: Record<string, unknown>) => void | Promise<void>;

interface MaskedText {
    text: string;
    mapping: Record<string, unknown>;
}

declare class MaximalMarginalRelevance extends MaximalMarginalRelevanceModel {
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private vectors;
    private queryVector;
}

interface MaximalMarginalRelevanceOptions extends NodePostprocessorOptions {
    topN?: number | undefined;
    lambda?: number | undefined;
    embedModel?: EmbeddingModel | null | undefined;
}

declare class MetadataReplacementPostProcessor extends MetadataReplacementPostProcessorModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface MetadataReplacementPostProcessorOptions extends NodePostprocessorOptions {
    targetMetadataKey: string;
}

declare class MissingDependencyError extends PostprocessorError {
    constructor(className: string, message: string, options?: ToolkitErrorOptions);
}

declare class MissingMetadataError extends PostprocessorError {
    readonly nodeId: string;
    readonly key: string;
    constructor(className: string, nodeId: string, key: string);
}

declare class MissingQueryError extends PostprocessorError {
    constructor(className: string, message?: string);
}

declare class NERPIINodePostprocessor extends NERPIINodePostprocessorModel {
    maskPii(ner: EntityRecognizer, text: string, { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<MaskedText>;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private find;
}

interface NERPIINodePostprocessorOptions extends NodePostprocessorOptions {
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

declare abstract class NodePostprocessor extends NodePostprocessorModel {
    static className(): string;
    static makeDefault(field: string): unknown;
    needsQuery(): boolean;
    protected abstract process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    postprocessNodes(nodes: readonly NodeWithScore[], options?: PostprocessOptions): Promise<NodeWithScore[]>;
    protected explain(nodes: readonly NodeWithScore[], result: readonly NodeWithScore[], ledger: ExplanationLedger, reasons: Reasons): void;
    setCallbackManager(manager: CallbackManager): void;
    asQueryComponent({ partial }?: {
        partial?: Record<string, unknown>;
    }): QueryComponent;
}

interface NodePostprocessorOptions {
    callbackManager?: CallbackManager | null | undefined;
}

declare class PIINodePostprocessor extends PIINodePostprocessorModel {
    maskPii(text: string, { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<MaskedText>;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private ask;
}

interface PIINodePostprocessorOptions extends NodePostprocessorOptions {
    llm: PredictingLLM;
    piiStrTmpl?: string | undefined;
    piiNodeInfoKey?: string | undefined;
    mappingSink?: MappingSink | null | undefined;
    distinctTags?: boolean | undefined;
    maxConcurrency?: number | undefined;
}

interface PatternKind {
    readonly group: string;
    find(text: string): readonly {
        readonly start: number;
        readonly end: number;
    }[];
}

type PatternRecognizer = (text: string) => NamedEntity[];

type PiiMapping = Readonly<Record<string, unknown>>;

declare class PiiMaskingError extends PostprocessorError {
    readonly nodeId: string | null;
    readonly reason: 'original_left' | 'not_reversible';
    readonly mode: MetadataMode | null;
    constructor(className: string, nodeId: string | null, reason: PiiMaskingError['reason'], mode?: MetadataMode | null);
}

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
    callbackManager?: CallbackManager | undefined;
    parentId?: string | undefined;
}

interface PostprocessRun {
    query: QueryBundle | null;
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: PostprocessorProgress) => void) | undefined;
    ledger?: ExplanationLedger | undefined;
    reasons?: Reasons | undefined;
    callbackManager?: CallbackManager | undefined;
    parentId?: string | undefined;
}

declare class PostprocessorError extends ToolkitError {
    readonly className: string;
    constructor(name: string, code: string, className: string, message: string, options?: ToolkitErrorOptions);
}

interface PostprocessorLike extends NodesPostprocessor {
}

declare class PostprocessorPipeline extends PostprocessorPipelineModel {
    static nested(): {
        postprocessors: import("@x/core-model").NestedClasses;
    };
    needsQuery(): boolean;
    setCallbackManager(manager: CallbackManager): void;
    protected process(nodes: readonly NodeWithScore[], { query, reasons: _, ...run }: PostprocessRun): Promise<NodeWithScore[]>;
    protected explain(): void;
}

interface PostprocessorPipelineOptions extends NodePostprocessorOptions {
    postprocessors: readonly PostprocessorLike[];
}

interface PostprocessorProgress {
    className: string;
    done: number;
    total: number;
}

declare class PrevNextNodePostprocessor extends PrevNextNodePostprocessorModel {
    protected process(nodes: readonly NodeWithScore[], { signal, reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface PrevNextNodePostprocessorOptions extends NodePostprocessorOptions {
    docstore: DocumentStore;
    numNodes?: number | undefined;
    mode?: 'next' | 'previous' | 'both' | undefined;
    onMissing?: 'throw' | 'stop' | undefined;
}

declare class RankFusion extends RankFusionModel {
    constructor(options: RankFusionOptions);
    static nested(): {
        rankers: import("@x/core-model").NestedClasses;
    };
    needsQuery(): boolean;
    setCallbackManager(manager: CallbackManager): void;
    protected process(nodes: readonly NodeWithScore[], { query, reasons, ledger: _, ...run }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface RankFusionOptions extends NodePostprocessorOptions {
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

interface RecognizedEntity {
    entity_group: string;
    word: string;
    start: number;
    end: number;
    score: number;
}

declare class RerankScoreError extends PostprocessorError {
    constructor(className: string, message: string);
}

declare class SentenceEmbeddingOptimizer extends SentenceEmbeddingOptimizerModel {
    constructor(options?: SentenceEmbeddingOptimizerOptions);
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
    private choose;
}

interface SentenceEmbeddingOptimizerOptions extends NodePostprocessorOptions {
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

declare class SentenceTransformerRerank extends SentenceTransformerRerankModel {
    constructor(options?: SentenceTransformerRerankOptions);
    needsQuery(): boolean;
    protected process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]>;
}

interface SentenceTransformerRerankOptions extends Omit<GeneratedOptions, 'model' | 'topN' | 'device'> {
    model?: string | undefined;
    topN?: number | undefined;
    device?: string | null | undefined;
}

interface ServiceContext {
    llm: PredictingLLM;
    embedModel?: unknown;
}

declare class SimilarityPostprocessor extends SimilarityPostprocessorModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface SimilarityPostprocessorOptions extends NodePostprocessorOptions {
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

declare class TimeWeightedPostprocessor extends TimeWeightedPostprocessorModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface TimeWeightedPostprocessorOptions extends NodePostprocessorOptions {
    timeDecay?: number | undefined;
    lastAccessedKey?: string | undefined;
    timeAccessRefresh?: boolean | undefined;
    now?: number | null | undefined;
    topK?: number | undefined;
    hideAccessTime?: boolean | undefined;
    onAccess?: AccessListener | null | undefined;
}

declare class TokenBudget extends TokenBudgetModel {
    protected process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun): Promise<NodeWithScore[]>;
}

interface TokenBudgetOptions extends NodePostprocessorOptions {
    maxTokens: number;
    separatorTokens?: number | undefined;
    overflow?: 'skip' | 'stop' | 'cut' | undefined;
    countTokens?: Tokenizer | null | undefined;
}

interface TokenLabel {
    label: string;
    score: number;
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

declare const birthDates: PatternKind;

declare const cards: PatternKind;

declare const credentials: PatternKind;

declare function defaultFormatNodeBatchFn(nodes: readonly TextNode[]): string;

declare function defaultParseChoiceSelectAnswerFn(answer: string, numChoices: number, raiseError?: boolean): ChoiceSelection;

declare const emails: PatternKind;

declare function entitiesFromTokens(text: string, words: readonly LabelledWord[], unknownToken?: string | null): RecognizedEntity[];

declare function findPatterns(text: string): NamedEntity[];
declare function findPatterns(options: FindPatternsOptions): PatternRecognizer;

declare function fuseNodes(lists: readonly (readonly NodeWithScore[])[], options?: FuseOptions): NodeWithScore[];

declare function getBackwardNodes(entry: NodeWithScore, numNodes: number, docstore: DocumentStore, options?: WalkOptions): Promise<Map<string, NodeWithScore>>;

declare function getForwardNodes(entry: NodeWithScore, numNodes: number, docstore: DocumentStore, options?: WalkOptions): Promise<Map<string, NodeWithScore>>;

declare function getTopKEmbeddings<Id = number>(query: readonly number[], embeddings: readonly (readonly number[])[], { similarityFn, topK, ids, cutoff }?: TopKOptions<Id>): [similarities: number[], ids: Id[]];

declare const ibans: PatternKind;

declare const ips: PatternKind;

declare function keywordMatcher(keywords: readonly string[], { lang, caseSensitive, wordBoundaries, match, }?: KeywordMatchOptions & {
    match?: 'any' | 'all';
}): (text: string) => boolean;

declare const macAddresses: PatternKind;

declare function maskEntities(text: string, entities: readonly NamedEntity[]): {
    text: string;
    mapping: Record<string, unknown>;
};

declare function nationalIdsOf(...regions: readonly string[]): PatternKind;

declare function patternRecognizer(kinds: readonly PatternKind[]): PatternRecognizer;

declare const phones: PatternKind;

declare function readDate(value: unknown, { dayFirst }?: ReadDateOptions): Instant | undefined;

declare function splitSentences(text: string, lang?: string): string[];

declare function textWindows(text: string, { size, overlap, measure }: TextWindowOptions): TextWindow[];

declare function unmask(text: string, mapping: PiiMapping): string;

declare function unmaskStream(pieces: AsyncIterable<string> | Iterable<string>, mapping: PiiMapping): AsyncGenerator<string>;

declare const wallets: PatternKind;

declare function withDistinctTags(masked: readonly MaskedText[]): MaskedText[];

// Bases of the classes, not exported:

interface AutoPrevNextNodePostprocessorFields extends NodePostprocessorFields {
    docstore: DocumentStore;
    serviceContext: ServiceContext | null;
    llm: PredictingLLM | null;
    readonly numNodes: number;
    inferPrevNextTmpl: string;
    refinePrevNextTmpl: string;
    verbose: boolean;
    logger: ((message: string) => void) | null;
    onMissing: 'throw' | 'stop';
    onInvalidPrediction: 'throw' | 'none';
    readonly maxConcurrency: number;
}

declare const AutoPrevNextNodePostprocessorModel: typeof Declared;

declare abstract class Declared extends Model {
    constructor(options?: NodePostprocessorOptions);
}
interface Declared extends NodePostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: AutoPrevNextNodePostprocessorOptions);
}
interface Declared extends AutoPrevNextNodePostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: LLMCompressionOptions);
}
interface Declared extends LLMCompressionFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: LLMRerankOptions);
}
interface Declared extends LLMRerankFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: MetadataReplacementPostProcessorOptions);
}
interface Declared extends MetadataReplacementPostProcessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: PIINodePostprocessorOptions);
}
interface Declared extends PIINodePostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: PostprocessorPipelineOptions);
}
interface Declared extends PostprocessorPipelineFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: PrevNextNodePostprocessorOptions);
}
interface Declared extends PrevNextNodePostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: RankFusionOptions);
}
interface Declared extends RankFusionFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: SentenceTransformerRerankOptions);
}
interface Declared extends SentenceTransformerRerankFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options: TokenBudgetOptions);
}
interface Declared extends TokenBudgetFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: DeduplicateOptions);
}
interface Declared extends DeduplicateFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: DocumentGroupingOptions);
}
interface Declared extends DocumentGroupingFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: EmbeddingRecencyPostprocessorOptions);
}
interface Declared extends EmbeddingRecencyPostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: FixedRecencyPostprocessorOptions);
}
interface Declared extends FixedRecencyPostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: KeywordNodePostprocessorOptions);
}
interface Declared extends KeywordNodePostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: LongContextReorderOptions);
}
interface Declared extends LongContextReorderFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: MaximalMarginalRelevanceOptions);
}
interface Declared extends MaximalMarginalRelevanceFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: NERPIINodePostprocessorOptions);
}
interface Declared extends NERPIINodePostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: SentenceEmbeddingOptimizerOptions);
}
interface Declared extends SentenceEmbeddingOptimizerFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: SimilarityPostprocessorOptions);
}
interface Declared extends SimilarityPostprocessorFields {
}

declare abstract class Declared extends NodePostprocessor {
    constructor(options?: TimeWeightedPostprocessorOptions);
}
interface Declared extends TimeWeightedPostprocessorFields {
}

interface DeduplicateFields extends NodePostprocessorFields {
    by: 'id' | 'hash' | 'text' | 'similar';
    readonly minSimilarity: number;
}

declare const DeduplicateModel: typeof Declared;

interface DocumentGroupingFields extends NodePostprocessorFields {
    groupKey: string | null;
    groupOrder: 'first' | 'best';
    readonly maxPerGroup: number | null;
    readonly maxGroups: number | null;
}

declare const DocumentGroupingModel: typeof Declared;

interface EmbeddingRecencyPostprocessorFields extends NodePostprocessorFields {
    embedModel: EmbeddingModel | null;
    dateKey: string;
    similarityCutoff: number;
    queryEmbeddingTmpl: string;
    similarity: 'dot' | 'cosine';
    readonly compareWith: number;
    dayFirst: boolean;
    onMissingDate: 'throw' | 'last' | 'drop';
}

declare const EmbeddingRecencyPostprocessorModel: typeof Declared;

interface FixedRecencyPostprocessorFields extends NodePostprocessorFields {
    readonly topK: number;
    dateKey: string;
    dayFirst: boolean;
    onMissingDate: 'throw' | 'last' | 'drop';
}

declare const FixedRecencyPostprocessorModel: typeof Declared;

interface KeywordNodePostprocessorFields extends NodePostprocessorFields {
    requiredKeywords: string[];
    excludeKeywords: string[];
    lang: string;
    match: 'any' | 'all';
    caseSensitive: boolean;
    wordBoundaries: boolean;
}

declare const KeywordNodePostprocessorModel: typeof Declared;

interface LLMCompressionFields extends NodePostprocessorFields {
    llm: PredictingLLM;
    sentenceSelectPrompt: BasePromptTemplate;
    lang: string;
    onNone: 'drop' | 'keep';
    onUnreadable: 'keep' | 'drop';
    onError: 'throw' | 'keep';
    readonly maxConcurrency: number;
}

declare const LLMCompressionModel: typeof Declared;

interface LLMCompressionOptions extends NodePostprocessorOptions {
    llm: PredictingLLM;
    sentenceSelectPrompt: BasePromptTemplate;
    lang?: string | undefined;
    onNone?: 'drop' | 'keep' | undefined;
    onUnreadable?: 'keep' | 'drop' | undefined;
    onError?: 'throw' | 'keep' | undefined;
    maxConcurrency?: number | undefined;
}

interface LLMRerankFields extends NodePostprocessorFields {
    readonly topN: number;
    choiceSelectPrompt: BasePromptTemplate;
    readonly choiceBatchSize: number;
    llm: PredictingLLM;
    formatNodeBatchFn: ((nodes: readonly TextNode[]) => string) | null;
    parseChoiceSelectAnswerFn: ChoiceParser | null;
    answerFormat: 'text' | 'schema';
    onNoChoice: 'drop' | 'keep' | 'throw';
    onUnreadable: 'keep' | 'drop' | 'throw';
    onError: 'throw' | 'keep';
    keepRetrievalScore: boolean;
    readonly maxConcurrency: number;
}

declare const LLMRerankModel: typeof Declared;

interface LLMRerankOptions extends NodePostprocessorOptions {
    topN: number;
    choiceSelectPrompt: BasePromptTemplate;
    choiceBatchSize: number;
    llm: PredictingLLM;
    formatNodeBatchFn?: ((nodes: readonly TextNode[]) => string) | null | undefined;
    parseChoiceSelectAnswerFn?: ChoiceParser | null | undefined;
    answerFormat?: 'text' | 'schema' | undefined;
    onNoChoice?: 'drop' | 'keep' | 'throw' | undefined;
    onUnreadable?: 'keep' | 'drop' | 'throw' | undefined;
    onError?: 'throw' | 'keep' | undefined;
    keepRetrievalScore?: boolean | undefined;
    maxConcurrency?: number | undefined;
}

interface LongContextReorderFields extends NodePostprocessorFields {
}

declare const LongContextReorderModel: typeof Declared;

interface MaximalMarginalRelevanceFields extends NodePostprocessorFields {
    readonly topN: number;
    readonly lambda: number;
    embedModel: EmbeddingModel | null;
}

declare const MaximalMarginalRelevanceModel: typeof Declared;

interface MetadataReplacementPostProcessorFields extends NodePostprocessorFields {
    targetMetadataKey: string;
}

declare const MetadataReplacementPostProcessorModel: typeof Declared;

interface NERPIINodePostprocessorFields extends NodePostprocessorFields {
    piiNodeInfoKey: string;
    ner: EntityRecognizer | null;
    readonly windowSize: number | null;
    mappingSink: MappingSink | null;
    distinctTags: boolean;
    readonly maxConcurrency: number;
}

declare const NERPIINodePostprocessorModel: typeof Declared;

interface NodePostprocessorFields {
    callbackManager: CallbackManager;
}

declare const NodePostprocessorModel: typeof Declared;

interface PIINodePostprocessorFields extends NodePostprocessorFields {
    llm: PredictingLLM;
    piiStrTmpl: string;
    piiNodeInfoKey: string;
    mappingSink: MappingSink | null;
    distinctTags: boolean;
    readonly maxConcurrency: number;
}

declare const PIINodePostprocessorModel: typeof Declared;

interface PostprocessorPipelineFields extends NodePostprocessorFields {
    postprocessors: PostprocessorLike[];
}

declare const PostprocessorPipelineModel: typeof Declared;

interface PrevNextNodePostprocessorFields extends NodePostprocessorFields {
    docstore: DocumentStore;
    readonly numNodes: number;
    mode: 'next' | 'previous' | 'both';
    onMissing: 'throw' | 'stop';
}

declare const PrevNextNodePostprocessorModel: typeof Declared;

interface RankFusionFields extends NodePostprocessorFields {
    rankers: PostprocessorLike[];
    weights: number[];
    mode: 'reciprocal_rank' | 'relative_score' | 'best_score';
    readonly k: number;
    readonly topN: number;
    readonly maxConcurrency: number;
}

declare const RankFusionModel: typeof Declared;

interface SentenceEmbeddingOptimizerFields extends NodePostprocessorFields {
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

declare const SentenceEmbeddingOptimizerModel: typeof Declared;

interface SentenceTransformerRerankFields extends NodePostprocessorFields {
    model: string;
    readonly topN: number;
    device: string;
    keepRetrievalScore: boolean;
    onError: 'throw' | 'keep';
    crossEncoder: CrossEncoder | null;
}

declare const SentenceTransformerRerankModel: typeof Declared;

interface SentenceTransformerRerankOptions extends NodePostprocessorOptions {
    model: string;
    topN: number;
    device?: string | undefined;
    keepRetrievalScore?: boolean | undefined;
    onError?: 'throw' | 'keep' | undefined;
    crossEncoder?: CrossEncoder | null | undefined;
}

interface SimilarityPostprocessorFields extends NodePostprocessorFields {
    similarityCutoff: number | null;
    keepUnscored: boolean;
}

declare const SimilarityPostprocessorModel: typeof Declared;

interface TimeWeightedPostprocessorFields extends NodePostprocessorFields {
    readonly timeDecay: number;
    lastAccessedKey: string;
    timeAccessRefresh: boolean;
    now: number | null;
    readonly topK: number;
    hideAccessTime: boolean;
    onAccess: AccessListener | null;
}

declare const TimeWeightedPostprocessorModel: typeof Declared;

interface TokenBudgetFields extends NodePostprocessorFields {
    readonly maxTokens: number;
    readonly separatorTokens: number;
    overflow: 'skip' | 'stop' | 'cut';
    countTokens: Tokenizer | null;
}

declare const TokenBudgetModel: typeof Declared;

// ======== @x/postprocessors/numbering-plans

declare function numberingPlans(...regions: readonly string[]): PatternKind;

// ======== @x/postprocessors/schemas

declare const AutoPrevNextNodePostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "docstore" | "inferPrevNextTmpl" | "llm" | "logger" | "maxConcurrency" | "numNodes" | "onInvalidPrediction" | "onMissing" | "refinePrevNextTmpl" | "serviceContext" | "verbose"> & {
    readonly onMissing: import("typebox").TUnsafe<"stop" | "throw">;
    readonly docstore: import("typebox").TUnsafe<import("@x/core-model").DocumentStore>;
    readonly serviceContext: import("typebox").TUnsafe<ServiceContext>;
    readonly llm: import("typebox").TUnsafe<PredictingLLM>;
    readonly numNodes: import("typebox").TInteger;
    readonly inferPrevNextTmpl: import("typebox").TString;
    readonly refinePrevNextTmpl: import("typebox").TString;
    readonly verbose: import("typebox").TBoolean;
    readonly logger: import("typebox").TUnsafe<(message: string) => void>;
    readonly onInvalidPrediction: import("typebox").TUnsafe<"none" | "throw">;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const Deduplicate: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "by" | "minSimilarity"> & {
    readonly by: import("typebox").TUnsafe<"hash" | "id" | "similar" | "text">;
    readonly minSimilarity: import("typebox").TNumber;
}>;

declare const DocumentGrouping: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "groupKey" | "groupOrder" | "maxGroups" | "maxPerGroup"> & {
    readonly groupKey: import("typebox").TUnsafe<string | null>;
    readonly groupOrder: import("typebox").TUnsafe<"best" | "first">;
    readonly maxPerGroup: import("typebox").TUnsafe<number | null>;
    readonly maxGroups: import("typebox").TUnsafe<number | null>;
}>;

declare const EmbeddingRecencyPostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "compareWith" | "dateKey" | "dayFirst" | "embedModel" | "onMissingDate" | "queryEmbeddingTmpl" | "similarity" | "similarityCutoff"> & {
    readonly dateKey: import("typebox").TString;
    readonly dayFirst: import("typebox").TBoolean;
    readonly onMissingDate: import("typebox").TUnsafe<"drop" | "last" | "throw">;
    readonly embedModel: import("typebox").TUnsafe<EmbeddingModel>;
    readonly similarityCutoff: import("typebox").TNumber;
    readonly queryEmbeddingTmpl: import("typebox").TString;
    readonly similarity: import("typebox").TUnsafe<"cosine" | "dot">;
    readonly compareWith: import("typebox").TInteger;
}>;

declare const FixedRecencyPostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "dateKey" | "dayFirst" | "onMissingDate" | "topK"> & {
    readonly dateKey: import("typebox").TString;
    readonly dayFirst: import("typebox").TBoolean;
    readonly onMissingDate: import("typebox").TUnsafe<"drop" | "last" | "throw">;
    readonly topK: import("typebox").TInteger;
}>;

declare const KeywordNodePostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "caseSensitive" | "excludeKeywords" | "lang" | "match" | "requiredKeywords" | "wordBoundaries"> & {
    readonly requiredKeywords: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly excludeKeywords: import("typebox").TArray<import("typebox").TUnsafe<string>>;
    readonly lang: import("typebox").TString;
    readonly match: import("typebox").TUnsafe<"all" | "any">;
    readonly caseSensitive: import("typebox").TBoolean;
    readonly wordBoundaries: import("typebox").TBoolean;
}>;

declare const LLMCompression: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "lang" | "llm" | "maxConcurrency" | "onError" | "onNone" | "onUnreadable" | "sentenceSelectPrompt"> & {
    readonly llm: import("typebox").TUnsafe<PredictingLLM>;
    readonly sentenceSelectPrompt: import("typebox").TUnsafe<BasePromptTemplate>;
    readonly lang: import("typebox").TString;
    readonly onNone: import("typebox").TUnsafe<"drop" | "keep">;
    readonly onUnreadable: import("typebox").TUnsafe<"drop" | "keep">;
    readonly onError: import("typebox").TUnsafe<"keep" | "throw">;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const LLMRerank: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "answerFormat" | "choiceBatchSize" | "choiceSelectPrompt" | "formatNodeBatchFn" | "keepRetrievalScore" | "llm" | "maxConcurrency" | "onError" | "onNoChoice" | "onUnreadable" | "parseChoiceSelectAnswerFn" | "topN"> & {
    readonly topN: import("typebox").TInteger;
    readonly choiceSelectPrompt: import("typebox").TUnsafe<BasePromptTemplate>;
    readonly choiceBatchSize: import("typebox").TInteger;
    readonly llm: import("typebox").TUnsafe<PredictingLLM>;
    readonly formatNodeBatchFn: import("typebox").TUnsafe<(nodes: readonly TextNode[]) => string>;
    readonly parseChoiceSelectAnswerFn: import("typebox").TUnsafe<ChoiceParser>;
    readonly answerFormat: import("typebox").TUnsafe<"schema" | "text">;
    readonly onNoChoice: import("typebox").TUnsafe<"drop" | "keep" | "throw">;
    readonly onUnreadable: import("typebox").TUnsafe<"drop" | "keep" | "throw">;
    readonly onError: import("typebox").TUnsafe<"keep" | "throw">;
    readonly keepRetrievalScore: import("typebox").TBoolean;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const LongContextReorder: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, never>>;

declare const MaximalMarginalRelevance: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "embedModel" | "lambda" | "topN"> & {
    readonly topN: import("typebox").TInteger;
    readonly lambda: import("typebox").TNumber;
    readonly embedModel: import("typebox").TUnsafe<EmbeddingModel>;
}>;

declare const MetadataReplacementPostProcessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "targetMetadataKey"> & {
    readonly targetMetadataKey: import("typebox").TString;
}>;

declare const NERPIINodePostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "distinctTags" | "mappingSink" | "maxConcurrency" | "ner" | "piiNodeInfoKey" | "windowSize"> & {
    readonly piiNodeInfoKey: import("typebox").TString;
    readonly mappingSink: import("typebox").TUnsafe<MappingSink>;
    readonly distinctTags: import("typebox").TBoolean;
    readonly maxConcurrency: import("typebox").TInteger;
    readonly ner: import("typebox").TUnsafe<EntityRecognizer>;
    readonly windowSize: import("typebox").TUnsafe<number | null>;
}>;

declare const NodePostprocessor: import("typebox").TObject<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
}>;

declare const PIINodePostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "distinctTags" | "llm" | "mappingSink" | "maxConcurrency" | "piiNodeInfoKey" | "piiStrTmpl"> & {
    readonly piiNodeInfoKey: import("typebox").TString;
    readonly mappingSink: import("typebox").TUnsafe<MappingSink>;
    readonly distinctTags: import("typebox").TBoolean;
    readonly maxConcurrency: import("typebox").TInteger;
    readonly llm: import("typebox").TUnsafe<PredictingLLM>;
    readonly piiStrTmpl: import("typebox").TString;
}>;

declare const PostprocessorPipeline: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "postprocessors"> & {
    readonly postprocessors: import("typebox").TArray<import("typebox").TUnsafe<PostprocessorLike>>;
}>;

declare const PrevNextNodePostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "docstore" | "mode" | "numNodes" | "onMissing"> & {
    readonly docstore: import("typebox").TUnsafe<DocumentStore>;
    readonly numNodes: import("typebox").TInteger;
    readonly onMissing: import("typebox").TUnsafe<"stop" | "throw">;
    readonly mode: import("typebox").TUnsafe<"both" | "next" | "previous">;
}>;

declare const RankFusion: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "k" | "maxConcurrency" | "mode" | "rankers" | "topN" | "weights"> & {
    readonly rankers: import("typebox").TArray<import("typebox").TUnsafe<PostprocessorLike>>;
    readonly weights: import("typebox").TArray<import("typebox").TNumber>;
    readonly mode: import("typebox").TUnsafe<"best_score" | "reciprocal_rank" | "relative_score">;
    readonly k: import("typebox").TNumber;
    readonly topN: import("typebox").TInteger;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const SentenceEmbeddingOptimizer: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "contextAfter" | "contextBefore" | "embedModel" | "lang" | "maxConcurrency" | "onEmpty" | "percentileCutoff" | "thresholdCutoff" | "tokenizerFn"> & {
    readonly percentileCutoff: import("typebox").TUnsafe<number | null>;
    readonly thresholdCutoff: import("typebox").TUnsafe<number | null>;
    readonly contextBefore: import("typebox").TUnsafe<number | null>;
    readonly contextAfter: import("typebox").TUnsafe<number | null>;
    readonly embedModel: import("typebox").TUnsafe<EmbeddingModel>;
    readonly tokenizerFn: import("typebox").TUnsafe<(text: string) => readonly string[]>;
    readonly lang: import("typebox").TString;
    readonly onEmpty: import("typebox").TUnsafe<"drop" | "keep" | "throw">;
    readonly maxConcurrency: import("typebox").TInteger;
}>;

declare const SentenceTransformerRerank: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "crossEncoder" | "device" | "keepRetrievalScore" | "model" | "onError" | "topN"> & {
    readonly model: import("typebox").TString;
    readonly topN: import("typebox").TInteger;
    readonly device: import("typebox").TString;
    readonly keepRetrievalScore: import("typebox").TBoolean;
    readonly onError: import("typebox").TUnsafe<"keep" | "throw">;
    readonly crossEncoder: import("typebox").TUnsafe<CrossEncoder>;
}>;

declare const SimilarityPostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "keepUnscored" | "similarityCutoff"> & {
    readonly similarityCutoff: import("typebox").TUnsafe<number | null>;
    readonly keepUnscored: import("typebox").TBoolean;
}>;

declare const TimeWeightedPostprocessor: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "hideAccessTime" | "lastAccessedKey" | "now" | "onAccess" | "timeAccessRefresh" | "timeDecay" | "topK"> & {
    readonly timeDecay: import("typebox").TNumber;
    readonly lastAccessedKey: import("typebox").TString;
    readonly timeAccessRefresh: import("typebox").TBoolean;
    readonly now: import("typebox").TUnsafe<number | null>;
    readonly topK: import("typebox").TInteger;
    readonly hideAccessTime: import("typebox").TBoolean;
    readonly onAccess: import("typebox").TUnsafe<AccessListener>;
}>;

declare const TokenBudget: import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<import("@x/core-model").CallbackManager>;
}, "countTokens" | "maxTokens" | "overflow" | "separatorTokens"> & {
    readonly maxTokens: import("typebox").TInteger;
    readonly separatorTokens: import("typebox").TInteger;
    readonly overflow: import("typebox").TUnsafe<"cut" | "skip" | "stop">;
    readonly countTokens: import("typebox").TUnsafe<Tokenizer>;
}>;

declare function nodePostprocessor<const F extends Fields>(title: string, description: string, fields: F): import("typebox").TObject<Omit<Omit<{}, "callbackManager"> & {
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
}, keyof F> & F>;

declare const postprocessorFields: {
    callbackManager: import("typebox").TUnsafe<CallbackManager>;
};
