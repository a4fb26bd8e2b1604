// The public types of @x/evaluate, written by `npm run api`.

// ======== @x/evaluate

interface CompareRunsOptions extends ResamplingOptions {
    measure?: MeasureName | undefined;
}

interface Estimate {
    mean: number;
    low: number;
    high: number;
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
    readonly nodeId: string;
    constructor(nodeId: string, message: string);
}

type QuestionOrigin = 'person' | 'text' | 'model';

interface QuestionResult {
    id: string;
    question: string;
    measures: Measures;
    found: FoundNode[];
    misses: Miss[];
}

interface ReportOptions {
    title?: string | undefined;
    measure?: MeasureName | undefined;
    maxMisses?: number | undefined;
}

interface ResamplingOptions {
    rounds?: number | undefined;
    seed?: number | undefined;
}

interface RightPlace {
    source: string;
    lines?: readonly [from: number, to: number];
    offsets?: readonly [start: number, end: number];
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

declare function compareRuns(first: EvaluationRun, second: EvaluationRun, options?: CompareRunsOptions): RunComparison;

declare function evaluateRetriever(options: EvaluateRetrieverOptions): Promise<EvaluationRun>;

declare const measureNames: readonly ['ndcg', 'recall', 'mrr'];

declare function measuresOf(reached: readonly (readonly number[])[], grades: readonly number[], k: number): Measures;

declare function readTestSet(text: string): TestQuestion[];

declare function reportHtml(runs: EvaluationRun | readonly EvaluationRun[], options?: ReportOptions): string;

declare function reportMarkdown(runs: EvaluationRun | readonly EvaluationRun[], options?: ReportOptions): string;

declare function writeTestSet(questions: Iterable<TestQuestion>): string;

// ======== @x/evaluate/vitest

interface MatcherResult {
    pass: boolean;
    message: () => string;
}

interface RunMatchers<R = unknown> {
    toReach(least: Partial<Record<MeasureName, number>>): R;
    toBeNoWorseThan(other: EvaluationRun): R;
}

declare const runMatchers: {
    toReach(run: EvaluationRun, least: Partial<Record<MeasureName, number>>): MatcherResult;
    toBeNoWorseThan(run: EvaluationRun, other: EvaluationRun): MatcherResult;
};
