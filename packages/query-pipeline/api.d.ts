// The public types of @x/query-pipeline, written by `npm run api`.

// ======== @x/query-pipeline

declare class ArgPackComponent extends OpenComponent {
    private readonly convert;
    constructor(options?: PackOptions);
    protected pack(inputs: Dict, order?: readonly string[]): Promise<Dict>;
}

interface Chainable {
    asQueryComponent(options?: {
        partial?: Dict;
    }): QueryComponent;
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
    constructor({ fn, asyncFn, params, outputKey, partial }: FnComponentOptions);
}

interface FnComponentOptions {
    fn: (inputs: never, options: PipelineRunOptions) => unknown;
    asyncFn?: ((inputs: never, options: PipelineRunOptions) => Promise<unknown>) | undefined;
    params: FnParams;
    outputKey?: string | undefined;
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

interface Intermediate {
    inputs: Readonly<Dict>;
    outputs: Readonly<Dict>;
}

declare class KwargPackComponent extends OpenComponent {
    private readonly convert;
    constructor(options?: PackOptions);
    protected pack(inputs: Dict): Promise<Dict>;
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

type ModuleLike = QueryComponent | Chainable;

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

interface PackOptions {
    convertFn?: ((value: never) => unknown) | undefined;
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

declare class PipelineInputError extends ToolkitError {
    constructor(message: string);
}

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
    callbackManager: CallbackManager;
    verbose: boolean;
    private readonly options;
    private readonly moduleMap;
    private readonly links;
    constructor(options?: QueryPipelineOptions);
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
    get outputKeys(): readonly string[];
    get inputKeys(): Keys;
    get freeReqInputKeys(): readonly string[];
    getStaticOrder(): string[];
    cleanDag(): PipelineDag;
    run(input?: unknown, options?: RunOptions): Promise<unknown>;
    runWithIntermediates(input?: unknown, options?: RunOptions): Promise<[unknown, Record<string, Intermediate>]>;
    runMulti(inputs: Readonly<Record<string, Readonly<Dict>>>, options?: RunOptions): Promise<Record<string, Dict>>;
    runComponent(inputs?: Readonly<Dict>, options?: PipelineRunOptions): Promise<Dict>;
    private runSingle;
    private namedInputs;
    private withQueryEvent;
    private runGraph;
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
    numWorkers?: number | undefined;
    strictPartials?: boolean | undefined;
    partial?: Dict | undefined;
}

declare class RouterComponent extends BaseComponent {
    readonly subQueryComponents: readonly QueryComponent[];
    private readonly selector;
    private readonly choices;
    constructor({ selector, choices, components, partial }: RouterComponentOptions);
    get inputKeys(): InputKeys;
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

interface RunOptions extends PipelineRunOptions {
    returnValuesDirect?: boolean | undefined;
    callbackManager?: CallbackManager | null | undefined;
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
    constructor({ selector, partial }: {
        selector: Selector;
        partial?: Dict | undefined;
    });
}

declare function paramKeys(params: FnParams): {
    required: readonly string[];
    optional: readonly string[];
};

declare function subQueryComponents(component: QueryComponent): readonly QueryComponent[];

declare function toComponent(module: ModuleLike): QueryComponent | undefined;

// Used by them, not exported:

declare abstract class OpenComponent extends BaseComponent {
    get inputKeys(): InputKeys;
    get outputKeys(): readonly string[];
    protected abstract pack(inputs: Dict, order?: readonly string[]): Dict | Promise<Dict>;
    runComponent(inputs?: Readonly<Dict>, options?: PipelineRunOptions): Promise<Dict>;
}
