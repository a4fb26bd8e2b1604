// The public types of @x/query-pipeline, written by `npm run api`.

// ======== @x/query-pipeline

declare class ArgPackComponent extends PackComponent {
    protected pack(inputs: Dict, options: PipelineRunOptions): Promise<Dict>;
}

interface Chainable {
    asQueryComponent(options?: {
        partial?: Dict;
    }): QueryComponent;
}

type CheckedInputs<I> = Flat<{
    [K in Exclude<keyof I, OptionalKeys<I>>]: Checked<SpecOf<I[K]>>;
} & {
    [K in OptionalKeys<I>]?: Checked<SpecOf<I[K]>>;
}>;

interface ComponentDefinition<I extends InputSpecs, O extends OutputSpecs, Fixed extends keyof InputValues<I>> {
    name?: string | undefined;
    inputs: I;
    outputs: O;
    run: (inputs: CheckedInputs<I>, options: PipelineRunOptions) => OutputValues<O> | Promise<OutputValues<O>>;
    partial?: Pick<InputValues<I>, Fixed> | undefined;
}

declare abstract class CustomQueryComponent extends DefinedComponent {
    constructor(options?: {
        partial?: Dict | undefined;
    });
    get outputKeys(): readonly string[];
    protected get _inputKeys(): readonly string[];
    protected get _optionalInputKeys(): readonly string[];
    protected get _outputKeys(): readonly string[];
    protected _validateComponentInputs(inputs: Dict): Dict;
    protected _runComponent(_inputs: Dict, _options: PipelineRunOptions): Dict | Promise<Dict>;
}

declare class FnComponent extends DefinedComponent {
    readonly contextKeys: readonly string[];
    constructor(options: FnComponentOptions);
}

interface FnComponentOptions {
    fn: (inputs: never, options: PipelineRunOptions) => unknown;
    asyncFn?: ((inputs: never, options: PipelineRunOptions) => Promise<unknown>) | undefined;
    params: FnParams;
    outputKey?: string | undefined;
    contextKeys?: readonly string[] | undefined;
    partial?: Dict | undefined;
}

type FnParams = {
    required: readonly string[];
    optional?: readonly string[] | undefined;
} | {
    properties: Readonly<Record<string, unknown>>;
    required?: readonly string[] | undefined;
};

declare const FunctionComponent: typeof FnComponent;

declare class InputComponent extends OpenComponent {
    get outputKeys(): readonly string[];
    protected pack(inputs: Dict): Dict;
}

declare class InputKeys implements Keys {
    readonly required: readonly string[];
    readonly optional: readonly string[];
    constructor(required: Iterable<string>, optional?: Iterable<string>);
    validate(keys: Iterable<string>): void;
}

type InputSpecs = Readonly<Record<string, ValueSpec | OptionalInput>>;

type InputValues<I> = Flat<{
    [K in Exclude<keyof I, OptionalKeys<I>>]: Given<SpecOf<I[K]>>;
} & {
    [K in OptionalKeys<I>]?: Given<SpecOf<I[K]>>;
}>;

interface Intermediate {
    inputs: Readonly<Dict>;
    outputs: Readonly<Dict>;
}

declare class KwargPackComponent extends PackComponent {
    protected pack(inputs: Dict, options: PipelineRunOptions): Promise<Dict>;
}

declare class Link {
    readonly src: string;
    readonly dest: string;
    readonly options: LinkOptions;
    constructor(src: string, dest: string, options?: LinkOptions);
}

interface LinkOptions {
    srcKey?: string | null | undefined;
    destKey?: string | null | undefined;
    conditionFn?: ((value: never) => boolean | Promise<boolean>) | null | undefined;
    inputFn?: ((value: never) => unknown) | null | undefined;
}

declare class MapComponent extends BaseComponent {
    readonly subQueryComponents: readonly QueryComponent[];
    private readonly component;
    private readonly itemKey;
    private readonly maxConcurrency;
    constructor(options: MapComponentOptions);
    get inputKeys(): ComponentInputKeys;
    get freeReqInputKeys(): readonly string[];
    get outputKeys(): readonly string[];
    get contextKeys(): readonly string[];
    runComponent(inputs?: Readonly<Dict>, options?: PipelineRunOptions): Promise<Dict>;
}

interface MapComponentOptions {
    component: ModuleLike;
    itemKey?: string | undefined;
    maxConcurrency?: number | undefined;
    partial?: Dict | undefined;
}

type ModuleLike = QueryComponent | Chainable;

interface OptionalInput<S extends ValueSpec = ValueSpec> {
    readonly kind: 'optional';
    readonly spec: S;
}

declare class OutputKeys {
    readonly required: readonly string[];
    constructor(required: Iterable<string>);
    validate(keys: Iterable<string>): void;
}

declare class OutputParserComponent extends DefinedComponent {
    constructor(options: {
        outputParser: OutputParser;
        partial?: Dict | undefined;
    });
}

type OutputSpecs = Readonly<Record<string, ValueSpec>>;

type OutputValues<O> = {
    -readonly [K in keyof O]: Checked<O[K]>;
};

interface PackOptions {
    convertFn?: ((value: never, options: {
        signal: AbortSignal;
    }) => unknown) | undefined;
    maxConcurrency?: number | undefined;
    partial?: Dict | undefined;
}

declare class PipelineConfigError extends ToolkitError {
    constructor(message: string);
}

declare class PipelineCycleError extends ToolkitError {
    constructor(src: string, dest: string);
}

interface PipelineDag {
    modules: string[];
    links: {
        src: string;
        dest: string;
        src_key: string | null;
        dest_key: string | null;
        conditional: boolean;
    }[];
}

interface PipelineDefinition<I extends InputSpecs, Ms extends PipelineModules, O> extends Omit<QueryPipelineOptions, 'chain' | 'modules' | 'links' | 'partial'> {
    inputs: I;
    modules: Ms;
    links: LinksOf<AllOutputs<I, Ms>, Ms>;
    output: O;
}

declare class PipelineInputError extends ToolkitError {
    constructor(message: string);
}

declare class PipelineModuleError extends ToolkitError {
    readonly module: string;
    constructor(module: string, cause: unknown, where?: string);
    get retryable(): boolean;
}

type PipelineModules = Readonly<Record<string, ModuleLike>>;

declare class PipelineOutputError extends ToolkitError {
    constructor(message: string);
}

declare class PipelineRootError extends ToolkitError {
    constructor(roots: readonly string[]);
}

interface PipelineRunOptions extends RunComponentOptions {
    context?: Readonly<Dict> | undefined;
    order?: readonly string[] | undefined;
}

declare class QueryPipeline extends BaseComponent {
    verbose: boolean;
    private readonly options;
    private ownManager;
    private readonly noManager;
    private readonly moduleMap;
    private readonly links;
    constructor(options?: QueryPipelineOptions);
    get callbackManager(): CallbackManager;
    set callbackManager(manager: CallbackManager);
    get modules(): ReadonlyMap<string, QueryComponent>;
    get subQueryComponents(): readonly QueryComponent[];
    add(key: string, module: ModuleLike): void;
    addModules(modules: Readonly<Record<string, ModuleLike>>): void;
    addChain(chain: readonly (ModuleLike | string)[]): void;
    addLink(src: string, dest: string, options?: LinkOptions): void;
    addLinks(links: readonly Link[]): void;
    getRootKeys(): string[];
    getLeafKeys(): string[];
    setCallbackManager(manager: CallbackManager): void;
    get allLinks(): readonly Link[];
    get contextKeys(): readonly string[];
    get outputKeys(): readonly string[];
    get inputKeys(): Keys;
    get freeReqInputKeys(): readonly string[];
    getStaticOrder(): string[];
    cleanDag(): PipelineDag;
    toMermaid(): string;
    run(input?: unknown, options?: RunOptions): Promise<unknown>;
    runWithIntermediates(input?: unknown, options?: RunOptions): Promise<[unknown, Record<string, Intermediate>]>;
    runMulti(inputs: Readonly<Record<string, Readonly<Dict>>>, options?: RunOptions): Promise<Record<string, Dict>>;
    runComponent(inputs?: Readonly<Dict>, options?: PipelineRunOptions): Promise<Dict>;
    protected runSingle(input: unknown, options: RunOptions): Promise<{
        result: unknown;
        outputs: Dict;
    }>;
    private namedInputs;
    private hasKeysOf;
    private onlyRootKey;
    private onlyRoot;
    private module;
}

interface QueryPipelineOptions {
    chain?: readonly (ModuleLike | string)[] | null | undefined;
    modules?: Readonly<Record<string, ModuleLike>> | null | undefined;
    links?: readonly Link[] | null | undefined;
    callbackManager?: CallbackManager | null | undefined;
    verbose?: boolean | undefined;
    logger?: ((text: string) => void) | undefined;
    showProgress?: boolean | undefined;
    onProgress?: ((done: number, all: number) => void) | undefined;
    maxConcurrency?: number | undefined;
    strictPartials?: boolean | undefined;
    partial?: Dict | undefined;
}

declare class RetryComponent extends BaseComponent {
    readonly subQueryComponents: readonly QueryComponent[];
    private readonly component;
    private readonly policy;
    constructor(options: RetryComponentOptions);
    get inputKeys(): ComponentInputKeys;
    get freeReqInputKeys(): readonly string[];
    get outputKeys(): readonly string[];
    get contextKeys(): readonly string[];
    runComponent(inputs?: Readonly<Dict>, options?: PipelineRunOptions): Promise<Dict>;
}

interface RetryComponentOptions extends RepeatOptions {
    component: ModuleLike;
    partial?: Dict | undefined;
}

declare class RouterComponent extends BaseComponent {
    readonly subQueryComponents: readonly QueryComponent[];
    private readonly selector;
    private readonly choices;
    constructor(options: RouterComponentOptions);
    get inputKeys(): ComponentInputKeys;
    get outputKeys(): readonly string[];
    setCallbackManager(manager: CallbackManager): void;
    runComponent(inputs?: Readonly<Dict>, options?: PipelineRunOptions): Promise<Dict>;
}

interface RouterComponentOptions {
    selector: Selector;
    choices: readonly string[];
    components: readonly ModuleLike[];
    partial?: Dict | undefined;
}

interface RunOptions extends Omit<PipelineRunOptions, 'callbackManager'> {
    returnValuesDirect?: boolean | undefined;
    callbackManager?: CallbackManager | null | undefined;
    onModuleStart?: ((key: string, inputs: Readonly<Dict>) => void) | undefined;
    onModuleEnd?: ((key: string, inputs: Readonly<Dict>, outputs: Readonly<Dict>) => void) | undefined;
}

interface Selection {
    index: number;
    reason?: string;
}

interface Selector {
    select(choices: readonly string[], query: string, options?: {
        signal?: AbortSignal | undefined;
    }): readonly Selection[] | Promise<readonly Selection[]>;
}

declare class SelectorComponent extends DefinedComponent {
    constructor(options: {
        selector: Selector;
        partial?: Dict | undefined;
    });
}

interface Typed<T> {
    readonly kind: 'typed';
    readonly type?: T;
}

interface TypedComponent<Inputs, Outputs> extends DefinedComponent {
    readonly '~types'?: {
        inputs: Inputs;
        outputs: Outputs;
    };
    runComponent(inputs?: Readonly<Inputs & Dict>, options?: PipelineRunOptions): Promise<Outputs & Dict>;
}

interface TypedPipeline<Inputs, Result, Outputs> extends QueryPipeline {
    readonly '~types'?: {
        inputs: Inputs;
        outputs: Outputs;
    };
    run(inputs: Inputs, options?: RunOptions): Promise<Result>;
}

type ValueSpec = Typed<unknown> | StandardSchema;

declare function defineComponent<const I extends InputSpecs, const O extends OutputSpecs, Fixed extends keyof InputValues<I> = never>(definition: ComponentDefinition<I, O, Fixed>): TypedComponent<WithFixed<InputValues<I>, Fixed>, OutputValues<O>>;

declare function definePipeline<const I extends InputSpecs, const Ms extends PipelineModules, const O extends OutputSpec<AllOutputs<I, Ms>>>(definition: PipelineDefinition<I, Ms, O>): TypedPipeline<InputValues<I>, ResultOf<AllOutputs<I, Ms>, O>, OutputsOfPipeline<AllOutputs<I, Ms>, O>>;

declare function optional<const S extends ValueSpec>(spec: S): OptionalInput<S>;

declare function paramKeys(params: FnParams): {
    required: readonly string[];
    optional: readonly string[];
};

declare function subQueryComponents(component: QueryComponent): readonly QueryComponent[];

declare function toComponent(module: ModuleLike): QueryComponent | undefined;

declare function typed<T>(): Typed<T>;

// Computed types, not exported:

type AllOutputs<I, Ms> = {
    [K in keyof Ms]: OutputsOf<Ms[K]>;
} & {
    input: InputValues<I>;
};

type Checked<S> = S extends Typed<infer T> ? T : S extends StandardSchema<infer T> ? T : never;

type DetailedLink<All, T> = {
    [S in Sources<All>]: {
        from: S;
        when?: ((value: ValueOf<All, S>) => boolean | Promise<boolean>) | undefined;
        convert: (value: ValueOf<All, S>) => T | Promise<T>;
    } | (ValueOf<All, S> extends T ? {
        from: S;
        when?: ((value: ValueOf<All, S>) => boolean | Promise<boolean>) | undefined;
        convert?: undefined;
    } : never);
}[Sources<All>];

type Flat<T> = {
    [K in keyof T]: T[K];
};

type Given<S> = S extends Typed<infer T> ? T : S extends {
    readonly '~standard': {
        readonly types?: {
            readonly input: infer T;
        } | undefined;
    };
} ? T : never;

type InputsOf<M> = [TypesOf<M>] extends [{
    inputs: infer I;
}] ? ([TypesOf<M>] extends [never] ? Open : I) : Open;

type LinksOf<All, Ms> = {
    [K in NeedsLinks<Ms>]: SourcesFor<All, InputsOf<Ms[K]>, K>;
} & {
    [K in Exclude<keyof Ms, NeedsLinks<Ms>>]?: SourcesFor<All, InputsOf<Ms[K]>, K>;
};

type NeedsLinks<Ms> = {
    [K in keyof Ms]: Record<never, never> extends InputsOf<Ms[K]> ? never : K;
}[keyof Ms];

type Open<Value = any> = Record<string, Value>;

type OptionalKeys<I> = {
    [K in keyof I]: I[K] extends OptionalInput ? K : never;
}[keyof I];

type OutputSpec<All> = Sources<All> | Readonly<Record<string, Sources<All> | readonly Sources<All>[]>>;

type OutputsOf<M> = [TypesOf<M>] extends [{
    outputs: infer O;
}] ? ([TypesOf<M>] extends [never] ? Open : O) : Open;

type OutputsOfPipeline<All, O> = O extends string ? {
    output: ValueOf<All, O>;
} : ResultOf<All, O>;

type ResultOf<All, O> = O extends string ? ValueOf<All, O> : {
    -readonly [K in keyof O]: ValueOfAny<All, O[K]>;
};

type SourceFor<All, T, K extends string> = Exclude<SourcesOf<All, T>, `${K}.${string}`> | DetailedLink<All, T> | readonly (Exclude<SourcesOf<All, T>, `${K}.${string}`> | DetailedLink<All, T>)[];

type Sources<All> = {
    [K in keyof All & string]: `${K}.${keyof All[K] & string}`;
}[keyof All & string];

type SourcesFor<All, Inputs, K> = {
    [I in keyof Inputs]: SourceFor<All, Inputs[I], K & string>;
};

type SourcesOf<All, T> = {
    [S in Sources<All>]: ValueOf<All, S> extends T ? S : never;
}[Sources<All>];

type SpecOf<S> = S extends OptionalInput<infer Inner> ? Inner : S;

type TypesOf<M> = M extends {
    readonly '~types'?: infer T;
} ? Exclude<T, undefined> : never;

type ValueOf<All, S> = S extends `${infer K}.${infer O}` ? K extends keyof All ? O extends keyof All[K] ? All[K][O] : never : never : never;

type ValueOfAny<All, S> = S extends readonly (infer Each)[] ? ValueOf<All, Each> : ValueOf<All, S>;

type WithFixed<Inputs, Fixed extends keyof Inputs> = Flat<Omit<Inputs, Fixed> & Partial<Pick<Inputs, Fixed>>>;

// Bases of the classes, not exported:

declare abstract class OpenComponent extends BaseComponent {
    get inputKeys(): ComponentInputKeys;
    get outputKeys(): readonly string[];
    protected abstract pack(inputs: Dict, options: PipelineRunOptions): Dict | Promise<Dict>;
    runComponent(inputs?: Readonly<Dict>, options?: PipelineRunOptions): Promise<Dict>;
}

declare abstract class PackComponent extends OpenComponent {
    private readonly convertFn;
    private readonly maxConcurrency;
    constructor(options?: PackOptions);
    protected convert(values: readonly unknown[], options: PipelineRunOptions): Promise<unknown[]>;
}
