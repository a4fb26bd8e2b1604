// The public types of @x/evaluate, written by `npm run api`.

// ======== @x/evaluate

interface AgentCase {
    id: string;
    question: string;
    recorded?: AgentTrace | null | undefined;
}

interface AgentCaseResult {
    id: string;
    question: string;
    outcome: 'same' | 'different' | 'new' | 'failed';
    differences: TraceDifference[];
    trace: AgentTrace | null;
    error: string | null;
}

interface AgentCost {
    modelCalls: number;
    toolCalls: number;
    usage: TokenUsage;
}

interface AgentEvaluation {
    outcomes: Record<AgentCaseResult['outcome'], number>;
    cost: AgentCost;
    recordedCost: AgentCost;
    results: AgentCaseResult[];
}

interface AgentTolerance {
    answer?: number | undefined;
    isSameAnswer?: ((recorded: string, answer: string) => boolean | Promise<boolean>) | undefined;
    anyOrder?: boolean | undefined;
    ignoredArguments?: readonly string[] | undefined;
    moreCalls?: number | undefined;
    moreModelCalls?: number | undefined;
    moreTokens?: number | undefined;
}

interface AgentTrace {
    answer: string;
    calls: TracedCall[];
    modelCalls: number;
    usage: TokenUsage;
}

interface AnswerCitation {
    place: string;
    isRight: boolean;
    isGiven: boolean;
}

interface AnswerPassage extends RightPlace {
    text: string;
}

interface AnswerResult {
    id: string;
    question: string;
    answer: string;
    isRefusal: boolean;
    citations: AnswerCitation[];
    citationPrecision: number | null;
    citationRecall: number | null;
    statements: Statement[];
    faithfulness: number | null;
    containsExpected: boolean | null;
}

interface AnswersRun {
    name: string;
    measures: Record<'citationPrecision' | 'citationRecall' | 'faithfulness' | 'containsExpected', Estimate | null>;
    judged: {
        sentences: number;
        of: number;
        reason: string | null;
    };
    unanswerable: {
        questions: number;
        refused: number;
    };
    refusedWrongly: number;
    questions: AnswerResult[];
}

interface CompareRunsOptions extends ResamplingOptions {
    measure?: MeasureName | undefined;
}

interface Estimate {
    n: number;
    mean: number;
    low: number;
    high: number;
}

interface EvaluateAgentOptions {
    cases: readonly AgentCase[];
    run: (question: string, callbackManager: CallbackManager, signal: AbortSignal | undefined) => Promise<unknown>;
    tolerance?: AgentTolerance | undefined;
    durable?: Durable | undefined;
    maxConcurrency?: number | undefined;
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: {
        done: number;
        total: number;
    }) => void) | undefined;
}

interface EvaluateAnswersOptions extends ResamplingOptions {
    testSet: readonly TestQuestion[];
    answer: (question: string, options: {
        signal: AbortSignal | undefined;
    }) => Promise<GivenAnswer>;
    llm?: BaseLLM | undefined;
    minJudged?: number | undefined;
    durable?: Durable | undefined;
    sourceText?: SourceText | undefined;
    name?: string | undefined;
    maxConcurrency?: number | undefined;
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: {
        done: number;
        total: number;
    }) => void) | undefined;
}

interface EvaluateRetrieverOptions extends ResamplingOptions {
    retriever: RetrieverLike;
    testSet: readonly TestQuestion[];
    k?: number | undefined;
    postprocessors?: readonly NodesPostprocessor[] | undefined;
    ledger?: (() => NodeLedger) | undefined;
    nodes?: readonly TextNode[] | undefined;
    tokenize?: WordTokenizer | undefined;
    sourceText?: SourceText | undefined;
    name?: string | undefined;
    maxConcurrency?: number | undefined;
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: {
        done: number;
        total: number;
    }) => void) | undefined;
}

interface EvaluationRun {
    name: string;
    k: number;
    measures: Record<MeasureName, Estimate>;
    questions: QuestionResult[];
    unanswerable: number;
}

interface FoundNode {
    nodeId: string;
    place: string;
    score: number | null;
    isRight: boolean;
}

interface GivenAnswer {
    text: string;
    citations: readonly RightPlace[];
    passages: readonly AnswerPassage[];
    isRefusal?: boolean;
}

type MeasureName = (typeof measureNames)[number];

interface Measures {
    ndcg: number;
    recall: number;
    mrr: number;
}

interface Miss {
    place: string;
    kind: MissKind;
    reason: string;
}

type MissKind = 'no_node' | 'no_common_term' | 'not_retrieved' | 'dropped' | 'ranked_low';

interface NodeLedger {
    of(nodeId: string): readonly {
        step: number;
        className: string;
        change: string;
        reason: string;
    }[];
}

declare class PlaceError extends ToolkitError {
    constructor(what: string, message: string);
}

type QuestionOrigin = 'person' | 'text' | 'model';

interface QuestionResult {
    id: string;
    question: string;
    measures: Measures;
    found: FoundNode[];
    misses: Miss[];
}

interface QuestionsFromOptions {
    llm?: BaseLLM | undefined;
    limit?: number | undefined;
    durable?: Durable | undefined;
    maxConcurrency?: number | undefined;
    signal?: AbortSignal | undefined;
}

interface ReportOptions {
    title?: string | undefined;
    measure?: MeasureName | undefined;
    maxMisses?: number | undefined;
}

type ReportSubject = EvaluationRun | readonly EvaluationRun[] | AnswersRun | AgentEvaluation;

interface ResamplingOptions {
    rounds?: number | undefined;
    seed?: number | undefined;
}

interface RetrievalSettings {
    tokenizer: 'default' | TokenizerSettings;
    k1: number;
    b: number;
    weights?: readonly [words: number, vectors: number];
    chunkSize?: number;
}

interface RightPlace {
    source: string;
    lines?: readonly [from: number, to: number];
    offsets?: readonly [start: number, end: number];
    quote?: string;
    grade?: number;
}

interface RunComparison {
    measure: MeasureName;
    difference: Estimate;
    pValue: number;
    wins: number;
    losses: number;
    ties: number;
    better: 'first' | 'second' | 'neither';
}

type SourceText = (source: string) => string | undefined;

interface Statement {
    text: string;
    isSupported: boolean | null;
}

interface TestQuestion {
    id: string;
    question: string;
    places: readonly RightPlace[];
    answer?: string;
    origin?: QuestionOrigin;
}

declare class TestSetError extends ToolkitError {
    readonly line: number;
    constructor(line: number, message: string);
}

interface TokenizerSettings {
    stopWords?: string;
    stem?: boolean;
    ngrams?: number;
}

interface TraceDifference {
    what: 'answer' | 'missing_call' | 'further_calls' | 'model_calls' | 'tokens';
    expected: string;
    received: string;
}

interface TracedCall {
    name: string;
    arguments: unknown;
    isError: boolean;
}

interface TuneOptions extends ResamplingOptions {
    testSet: readonly TestQuestion[];
    nodes?: readonly TextNode[] | undefined;
    parse?: ((chunkSize: number | undefined) => readonly TextNode[] | Promise<readonly TextNode[]>) | undefined;
    chunkSizes?: readonly number[] | undefined;
    baseline?: Partial<RetrievalSettings> | undefined;
    vectors?: ((nodes: readonly TextNode[]) => RetrieverLike | Promise<RetrieverLike>) | undefined;
    tokenizers?: readonly RetrievalSettings['tokenizer'][] | undefined;
    bm25?: readonly (readonly [k1: number, b: number])[] | undefined;
    weights?: readonly (readonly [words: number, vectors: number])[] | undefined;
    origins?: readonly QuestionOrigin[] | undefined;
    measure?: MeasureName | undefined;
    k?: number | undefined;
    folds?: number | undefined;
    sourceText?: SourceText | undefined;
    signal?: AbortSignal | undefined;
    onProgress?: ((progress: {
        done: number;
        settings: RetrievalSettings;
    }) => void) | undefined;
}

interface TuneResult {
    settings: RetrievalSettings;
    isBaseline: boolean;
    reason: string;
    measure: MeasureName;
    k: number;
    questions: number;
    baseline: Estimate & {
        settings: RetrievalSettings;
    };
    best: Estimate & {
        settings: RetrievalSettings;
    };
    heldOut: RunComparison;
    tried: (Estimate & {
        settings: RetrievalSettings;
    })[];
}

declare function bm25OptionsOf({ tokenizer, k1, b }: RetrievalSettings): Required<Bm25Options>;

declare function compareRuns(first: EvaluationRun, second: EvaluationRun, options?: CompareRunsOptions): RunComparison;

declare function compareTraces(recorded: AgentTrace, trace: AgentTrace, tolerance?: AgentTolerance): Promise<TraceDifference[]>;

declare function evaluateAgent(options: EvaluateAgentOptions): Promise<AgentEvaluation>;

declare function evaluateAnswers(options: EvaluateAnswersOptions): Promise<AnswersRun>;

declare function evaluateRetriever(options: EvaluateRetrieverOptions): Promise<EvaluationRun>;

declare function givenAnswerOf(answer: SourcedAnswer, passages: readonly (NodeWithScore | TextNode)[]): GivenAnswer;

declare const measureNames: readonly ['ndcg', 'recall', 'mrr'];

declare function measuresOf(reached: readonly (readonly number[])[], grades: readonly number[], k: number): Measures;

declare function questionsFrom(nodes: readonly TextNode[], options?: QuestionsFromOptions): Promise<TestQuestion[]>;

declare function readTestSet(text: string): TestQuestion[];

declare function reportHtml(subject: ReportSubject, options?: ReportOptions): string;

declare function reportMarkdown(subject: ReportSubject, options?: ReportOptions): string;

declare function traceAgent(run: (callbackManager: CallbackManager) => Promise<unknown>): Promise<AgentTrace>;

declare function tune(options: TuneOptions): Promise<TuneResult>;

declare function writeTestSet(questions: Iterable<TestQuestion>): string;

// ======== @x/evaluate/vitest

type LeastMeasures = Partial<Record<MeasureName | keyof AnswersRun['measures'], number>>;

interface MatcherResult {
    pass: boolean;
    message: () => string;
}

type MeasuredRun = EvaluationRun | AnswersRun;

interface RunMatchers<R = unknown> {
    toReach(least: LeastMeasures): R;
    toBeNoWorseThan(other: EvaluationRun): R;
}

declare const runMatchers: {
    toReach(run: MeasuredRun, least: LeastMeasures): MatcherResult;
    toBeNoWorseThan(run: EvaluationRun, other: EvaluationRun): MatcherResult;
};

// ======== @x/evaluate/node

declare function fileJournal(path: string): Promise<Durable>;
