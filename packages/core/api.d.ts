// The public types of @x/core, written by `npm run api`.

// ======== @x/core

interface ClassLookup {
    get(className: string): AnyModelClass | undefined;
}

declare class ClassNameMismatchError extends ToolkitError {
    readonly expected: string;
    readonly received: string;
    constructor(expected: string, received: string);
}

declare class ClassRegistry {
    constructor(classes: Iterable<ModelClass>);
    get(className: string): ModelClass | undefined;
    fromDict(data: unknown, overrides?: Dict): Model;
}

declare class ConfigurationError extends ToolkitError {
    constructor(message: string, options?: ToolkitErrorOptions);
}

interface CopyOptions<T> {
    include?: FieldSelection;
    exclude?: FieldSelection;
    update?: Partial<T>;
    deep?: boolean;
}

type Dict = Record<string, unknown>;

interface DictOptions {
    include?: FieldSelection;
    exclude?: FieldSelection;
    excludeUnset?: boolean;
    excludeDefaults?: boolean;
    excludeNone?: boolean;
    line?: WireLine | undefined;
}

declare class EmptyInputError extends ToolkitError {
    constructor(message: string);
}

type FieldSelection = readonly string[] | {
    readonly [name: string]: FieldSelection | true;
};

interface FieldSpec {
    wire?: string;
    aliases?: readonly string[];
    otherNames?: readonly string[];
    schema: JsonSchema;
    default?: unknown;
    required?: true;
    runtime?: true;
    holds?: 'function' | readonly string[];
    bounded?: true;
    extension?: true;
    json?: boolean;
    check?: (schema: JsonSchema, checkOf: CheckMaker) => Check | undefined;
}

interface JsonOptions extends DictOptions, JsonTextOptions {
}

interface JsonSchema {
    title?: string;
    description?: string;
    type?: string | readonly string[];
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
    items?: JsonSchema;
    additionalProperties?: JsonSchema | boolean;
    enum?: readonly unknown[];
    const?: unknown;
    anyOf?: readonly JsonSchema[];
    default?: unknown;
    minimum?: number;
    maximum?: number;
    exclusiveMinimum?: number;
    exclusiveMaximum?: number;
    definitions?: Record<string, JsonSchema>;
    $ref?: string;
    [keyword: string]: unknown;
}

declare class JsonTextError extends SyntaxError {
    readonly position: number;
    constructor(text: string, position: number, reason: string);
}

interface JsonTextOptions {
    indent?: number | string;
    sortKeys?: boolean;
    encoder?: ((value: unknown) => unknown) | undefined;
}

declare abstract class Model {
    static spec(): ModelSpec;
    static className(): string;
    static nested(): Record<string, readonly AnyModelClass[] | NestedClasses>;
    static makeDefault: (field: string) => unknown;
    protected static wireForm(data: Dict): Dict;
    protected static fromFields(fields: Dict, _options?: ReadOptions): Model;
    get '~x-model'(): true;
    get fieldsSet(): ReadonlySet<string>;
    constructor(options?: object);
    static construct<T extends Model, O>(this: (new (options: O) => T) & Pick<typeof Model, 'spec' | 'nested' | 'makeDefault'>, values?: Partial<O & T> | Dict, fieldsSet?: Iterable<string>): T;
    static fromDict<T extends Model>(this: ModelConstructor<T>, data: unknown, overrides?: Dict, options?: ReadOptions): T;
    static fromJson<T extends Model>(this: ModelConstructor<T>, text: string, overrides?: Dict, options?: ReadOptions): T;
    static parseObj<T extends Model>(this: ModelConstructor<T>, value: unknown, options?: ReadOptions): T;
    static validate<T extends Model>(this: ModelConstructor<T>, value: unknown, options?: ReadOptions): T;
    static schema(options?: SchemaOptions): JsonSchema;
    static schemaJson(options?: SchemaOptions & {
        indent?: number | string;
    }): string;
    static get '~standard'(): StandardSchemaOfModel;
    toDict(options?: DictOptions): Dict;
    dict(options?: DictOptions): Dict;
    toJson(options?: JsonOptions): string;
    json(options?: JsonOptions): string;
    toJSON(): Dict;
    copy(options?: CopyOptions<this>): this;
    equals(other: unknown): boolean;
    asQueryComponent(_options?: {
        partial?: Dict;
    }): unknown;
}

interface ModelClass<T extends Model = Model> extends AnyModelClass<T> {
}

type ModelConstructor<T extends Model> = (abstract new (...args: never[]) => T) & Pick<typeof Model, 'spec' | 'className'> & {
    fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): NoInfer<T>;
    fromJson(text: string, overrides?: Dict, options?: ReadOptions): NoInfer<T>;
};

interface ModelSpec {
    name: string;
    description?: string;
    className?: string;
    record?: boolean;
    fields: Readonly<Record<string, FieldSpec>>;
    checkOf: CheckMaker;
    check?: (schema: JsonSchema) => Check | undefined;
    mayOverwrite?: (modelClass: object) => boolean;
}

declare class ModelValidationError extends ToolkitError {
    readonly issues: readonly ValidationIssue[];
    constructor(className: string, issues: readonly ValidationIssue[], options?: ToolkitErrorOptions);
}

interface NestedClasses {
    classes: readonly AnyModelClass[];
    unknown?: (className: string) => Error;
    unnamed?: (data: Readonly<Dict>) => AnyModelClass | string;
    methods?: readonly string[];
}

declare class NotSupportedError extends ToolkitError {
    constructor(message: string);
}

interface ReadOptions {
    registry?: ClassLookup;
}

interface SchemaOptions {
    byAlias?: boolean;
    extensions?: boolean;
    refTemplate?: string;
}

declare class SerializationError extends ToolkitError {
    readonly field: string;
    constructor(field: string, message: string, options?: ToolkitErrorOptions);
}

interface StandardIssue<Step = PropertyKey | {
    readonly key: PropertyKey;
}> {
    readonly message: string;
    readonly path?: readonly Step[] | undefined;
}

type StandardResult<Output, Step = PropertyKey | {
    readonly key: PropertyKey;
}> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: readonly StandardIssue<Step>[];
};

interface StandardSchema<Output = unknown> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
        readonly types?: {
            readonly input: unknown;
            readonly output: Output;
        } | undefined;
        readonly jsonSchema?: {
            readonly input: (options: {
                target: string;
            }) => Record<string, unknown>;
        } | undefined;
    };
}

interface StandardSchemaOfModel<T extends Model = Model> {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<T, string | number>;
    readonly types?: {
        readonly input: Dict;
        readonly output: T;
    } | undefined;
    readonly jsonSchema: {
        input(options?: unknown): Dict;
        output(options?: unknown): Dict;
    };
}

declare class ToolkitError extends Error {
    readonly code: string;
    readonly help: string;
    constructor(name: string, code: string, message: string, options?: ToolkitErrorOptions);
    get retryable(): boolean;
}

interface ToolkitErrorOptions {
    cause?: unknown;
}

interface ToolkitErrors {
    class_name_mismatch: ClassNameMismatchError;
    configuration: ConfigurationError;
    empty_input: EmptyInputError;
    model_validation: ModelValidationError;
    not_supported: NotSupportedError;
    serialization: SerializationError;
    unknown_class_name: UnknownClassNameError;
}

declare class UnknownClassNameError extends ToolkitError {
    readonly className: string | null;
    constructor(where: string, className: string | null);
}

interface ValidationIssue {
    path: string;
    message: string;
    code: string;
}

interface WireLine {
    readonly name: string;
    write(dict: Dict, model: AnyModel): Dict;
}

declare function isInstance<T extends object>(value: unknown, modelClass: (abstract new (...args: never[]) => T) & {
    spec(): ModelSpec;
}): value is T;

declare function isModel(value: unknown): value is AnyModel;

declare function isToolkitError(error: unknown): error is ToolkitError;
declare function isToolkitError<Code extends keyof ToolkitErrors>(error: unknown, code: Code): error is ToolkitErrors[Code];

declare function modelOf<C>(parent: {
    spec(): ModelSpec;
    prototype: object;
}, own: Omit<ModelSpec, 'checkOf'>): C;

declare function readJsonText(text: string, { nonFinite }?: {
    nonFinite?: boolean | undefined;
}): unknown;

declare function writeJsonText(value: unknown, options?: JsonTextOptions, path?: Path): string;

// ======== @x/core/fields

type AnyModelClass = (abstract new (...options: any[]) => Model) & Pick<typeof Model, 'spec' | 'nested'>;

interface ArrayBounds {
    minItems?: number;
    maxItems?: number;
    uniqueItems?: boolean;
}

interface ArrayOptions<T> extends FieldOptions, DefaultOption<readonly T[]>, ArrayBounds {
}

type Classes = AnyModelClass | readonly AnyModelClass[];

interface DeclaredField extends FieldSpec {
    readonly of?: () => Classes;
    readonly make?: () => unknown;
}

interface DefaultOption<T> {
    default?: T | (() => T);
}

interface Field<T = unknown, F extends Flag = never, In = T> extends DeclaredField {
    readonly '~field'?: {
        type: T;
        flags: F;
        in: In;
    };
}

interface FieldOptions {
    description?: string;
    wire?: string;
    aliases?: readonly string[];
    otherNames?: readonly string[];
    extension?: boolean;
}

type Fields = Readonly<Record<string, Field<unknown, Flag, unknown>>>;

type Flag = 'optional' | 'readonly';

type FlagsOf<D> = Facts<D> extends {
    flags: infer F;
} ? F : never;

type InputOf<D> = Facts<D> extends {
    in: infer T;
} ? T : never;

interface LiveOptions extends FieldOptions {
    required?: boolean;
    schema?: JsonSchema;
}

interface ModelFacts {
    description?: string;
    className?: string | null;
    plainRecord?: boolean;
}

interface NumberBounds {
    minimum?: number;
    maximum?: number;
    exclusiveMinimum?: number;
    exclusiveMaximum?: number;
    multipleOf?: number;
}

interface NumberOptions extends FieldOptions, DefaultOption<number>, NumberBounds {
}

type OptionsOf<F> = {
    [K in keyof F as 'optional' extends FlagsOf<F[K]> ? never : K]: InputOf<F[K]>;
} & {
    [K in keyof F as 'optional' extends FlagsOf<F[K]> ? K : never]?: InputOf<F[K]> | undefined;
};

type OptionsOfClass<B> = B extends abstract new (options: infer O) => unknown ? [keyof (O & {})] extends [never] ? unknown : Exclude<O, undefined> : unknown;

interface PlainOptions<T> extends FieldOptions, DefaultOption<T> {
}

interface RecordOptions<T> extends FieldOptions, DefaultOption<Readonly<Record<string, T>>> {
    keys?: readonly string[];
}

interface StringBounds {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    format?: string;
}

interface StringOptions extends FieldOptions, DefaultOption<string>, StringBounds {
}

type TypeOf<D> = Facts<D> extends {
    type: infer T;
} ? T : never;

type ValuesOf<F> = {
    [K in keyof F as 'readonly' extends FlagsOf<F[K]> ? never : K]: TypeOf<F[K]>;
} & {
    readonly [K in keyof F as 'readonly' extends FlagsOf<F[K]> ? K : never]: TypeOf<F[K]>;
};

type WithFields<B extends AnyModelClass, F> = (abstract new (...options: Given<Flat<OptionsOfClass<B> & OptionsOf<F>>>) => ValuesOf<F> & InstanceType<B>) & Omit<B, 'prototype' | '~standard'> & {
    readonly '~standard': StandardSchemaOfModel<ValuesOf<F> & InstanceType<B>>;
};

declare function anything<const O extends PlainOptions<unknown> = object>(options?: Only<O, PlainOptions<unknown>>): Field<unknown, OptionalFlag<O>>;

declare function array<I extends Field<unknown, Flag, unknown>, const O extends ArrayOptions<NoInfer<InputOf<I>>> = object>(item: I, options?: Only<O, ArrayOptions<unknown>>): Field<TypeOf<I>[], OptionalFlag<O>, readonly InputOf<I>[]>;

declare function boolean<const O extends PlainOptions<boolean> = object>(options?: Only<O, PlainOptions<boolean>>): Field<boolean, OptionalFlag<O>>;

declare function fields<B extends AnyModelClass, F extends Fields = Record<never, Field>>(base: B, name: string, own?: F, facts?: ModelFacts): WithFields<B, F>;

declare function freeForm<const O extends PlainOptions<Readonly<Dict>> = object>(options?: Only<O, PlainOptions<Dict>>): Field<Dict, OptionalFlag<O>, Readonly<Dict>>;

declare function integer<const O extends NumberOptions = object>(options?: Only<O, NumberOptions>): Field<number, FlagsFor<O>>;

declare function jsonSchema<T>(schema: JsonSchema, options: FieldOptions & {
    default: T | (() => T);
}): Field<T, 'optional'>;
declare function jsonSchema<T>(schema: JsonSchema, options?: FieldOptions): Field<T>;

declare function live<T>(holds: 'function' | readonly (keyof T & string)[], options: LiveOptions & {
    required: true;
}): Field<T>;
declare function live<T>(holds: 'function' | readonly (keyof T & string)[], options?: LiveOptions): Field<T | null, 'optional'>;

declare function nested<C extends AnyModelClass>(classes: C | readonly C[], options?: FieldOptions): Field<InstanceType<C>, never, NestedInput<C>>;

declare function nestedLazily<T>(classes: () => Classes, options?: FieldOptions): Field<T, never, T | Readonly<Dict>>;

declare function nullable<I extends Field<unknown, Flag, unknown>, const O extends PlainOptions<NoInfer<InputOf<I>> | null> = object>(inner: I, options?: Only<O, PlainOptions<unknown>>): Field<TypeOf<I> | null, 'optional' | Extract<FlagsOf<I>, 'readonly'>, InputOf<I> | null>;

declare function number<const O extends NumberOptions = object>(options?: Only<O, NumberOptions>): Field<number, FlagsFor<O>>;

declare function oneOf<const V extends string | number | boolean, const O extends PlainOptions<NoInfer<V>> = object>(values: readonly V[], options?: Only<O, PlainOptions<V>>): Field<V, OptionalFlag<O>>;

declare function record<I extends Field<unknown, Flag, unknown>, const O extends RecordOptions<NoInfer<InputOf<I>>> = object>(value: I, options?: Only<O, RecordOptions<unknown>>): Field<Record<string, TypeOf<I>>, OptionalFlag<O>, Readonly<Record<string, InputOf<I>>>>;

declare function string<const O extends StringOptions = object>(options?: Only<O, StringOptions>): Field<string, FlagsFor<O>>;

// Computed types, not exported:

type BoundFlag<O> = Extract<keyof O, keyof NumberBounds | Exclude<keyof StringBounds, 'format'>> extends never ? never : 'readonly';

type Facts<D> = D extends {
    readonly '~field'?: infer P;
} ? P & {} : never;

type FlagsFor<O> = OptionalFlag<O> | BoundFlag<O>;

type Flat<O> = {
    [K in keyof O]: O[K];
} & {};

type Given<O> = {} extends O ? [options?: O] : [options: O];

type NestedInput<C extends AnyModelClass> = InstanceType<C> | (unknown extends OptionsOfClass<C> ? never : OptionsOfClass<C>);

type Only<O, Known> = O & {
    readonly [K in Exclude<keyof O, keyof Known>]: never;
};

type OptionalFlag<O> = O extends {
    default: unknown;
} ? 'optional' : never;

// ======== @x/core/schemas

interface ComponentOptions<P extends Fields = Fields> {
    className?: string | null;
    extends?: TObject<P>;
    options?: 'own' | 'inherited';
}

interface FieldAnnotations {
    description?: string;
    wire?: string;
    aliases?: readonly string[];
    otherNames?: readonly string[];
    extension?: boolean;
}

type Fields = Record<string, TSchema>;

interface HeldAnnotations extends FieldAnnotations {
    required?: boolean;
    holds?: 'function' | readonly string[];
    schema?: Record<string, unknown>;
}

declare function anything(annotations?: FieldAnnotations & {
    default?: unknown;
    json?: true;
}): import("typebox").TUnsafe<unknown>;

declare function checkedSchema(model: JsonSchema): JsonSchema;

declare function component<const F extends Fields, const P extends Fields = {}>(title: string, description: string, fields: F, { className, extends: parent, options }?: ComponentOptions<P>): TObject<AllFields<P, F>>;

declare function freeForm(annotations?: FieldAnnotations & {
    default?: Record<string, unknown>;
    json?: false;
}): import("typebox").TUnsafe<Record<string, unknown>>;

declare function live<T = unknown>({ required, ...annotations }?: HeldAnnotations): import("typebox").TUnsafe<T>;

declare function modelSpec(model: JsonSchema): ModelSpec;

declare function nested<T = unknown, Option = T>({ required, ...annotations }?: HeldAnnotations): import("typebox").TUnsafe<Option | T>;

declare function nullable<const S extends TSchema>(schema: S, annotations?: FieldAnnotations & {
    default?: Static<S> | null;
}): import("typebox").TUnsafe<import("typebox").StaticType<[], "Encode", {}, {}, S> | null>;

declare function oneOf<const V extends readonly string[]>(values: V, annotations?: FieldAnnotations & {
    default?: V[number];
}): import("typebox").TUnsafe<V[number]>;

declare function plainRecord<const F extends Fields>(title: string, description: string, fields: F): TObject<F>;

declare function textList(annotations?: FieldAnnotations & {
    default?: string[];
}): import("typebox").TArray<import("typebox").TUnsafe<string>>;

declare function typedData<T, Option = T>(schema: TSchema): import("typebox").TUnsafe<Option | T>;

// Computed types, not exported:

type AllFields<P, F> = Omit<P, keyof F> & F;

// ======== @x/core/runtime

declare function runtimeSpec(schema: TSchema): ModelSpec;

declare function typebox<S extends TSchema>(schema: S, options: FieldOptions & {
    default: Static<S> | (() => Static<S>);
}): Field<Static<S>, 'optional'>;
declare function typebox<S extends TSchema>(schema: S, options?: FieldOptions): Field<Static<S>>;

// ======== @x/core/values

type Path = (string | number)[];

declare function adviceFor(value: unknown): string;

declare function checkJsonData(value: unknown, report: Report): void;

declare function compactJson(value: unknown): string;

declare function deepCopy<T>(value: T): T;

declare function deepEqual(a: unknown, b: unknown): boolean;

declare function errorMessage(error: unknown): string;

declare function isPlainObject(value: unknown): value is Record<string, unknown>;

declare function joinPath(path: string, rest: string): string;

declare function kindOf(value: unknown): string;

declare function lazy<T>(make: () => T): () => T;

declare function mapItems(value: unknown, map: (item: unknown, key: string | number) => unknown, path?: Path): unknown[] | Record<string, unknown> | undefined;

declare function mapValues<T>(object: Readonly<Record<string, unknown>>, map: (value: unknown, key: string) => T): Record<string, T>;

declare const maxLevels = 1000;

declare function mismatch(expected: string, value: unknown, path?: string): string;

declare function own(object: object, key: string | number): unknown;

declare function parseExactly(text: string): unknown;

declare function parseJson(title: string, text: string): unknown;

declare function pathText(path: Path): string;

declare function present(data: Readonly<Record<string, unknown>>): Record<string, unknown>;

declare function textOrJson(value: unknown): string;

declare function toSnakeCase(name: string): string;

// ======== @x/core/options

interface OptionCheck {
    (value: unknown): string | readonly ValidationIssue[] | undefined;
    readonly isRequired?: true;
}

type OptionChecks = Readonly<Record<string, OptionCheck | string>>;

type OptionTable<Options> = Readonly<Record<keyof Options, OptionCheck>>;

declare const callOptions: {
    signal: OptionCheck;
    parentId: OptionCheck;
};

declare const callback: OptionCheck;

declare function checkOption(where: string, option: string, value: unknown, check: OptionCheck): void;

declare function checkOptions(where: string, options: unknown, table: OptionChecks): void;

declare function choice(...values: readonly unknown[]): OptionCheck;

declare const flag: OptionCheck;

declare function group(table: Readonly<Record<string, OptionCheck>>): OptionCheck;

declare function having(what: string, ...names: readonly string[]): OptionCheck;

declare function invalidOption(where: string, option: string, expected: string, value: unknown): ModelValidationError;

declare const list: OptionCheck;

declare function milliseconds(min?: number, or?: '' | 'or null'): OptionCheck;

declare function numberFrom(min: number, max?: number): OptionCheck;

declare function required(what: string | OptionCheck, ...names: readonly string[]): OptionCheck;

declare const text: OptionCheck;

declare const unchecked: OptionCheck;

declare function wholeNumber(min: number, or?: '' | 'or null' | 'or infinity'): OptionCheck;

// ======== @x/core/json-schema

type Check = (value: unknown, report: Report) => void;

type CheckMaker = (schema: JsonSchema, inner?: CheckMaker, json?: boolean) => Check | undefined;

type KeywordTest = readonly [keyword: string, test: (value: unknown) => string | undefined];

type Keywords = Readonly<Record<string, (operand: never) => (value: unknown) => string | undefined>>;

declare class Report {
    readonly path: Path;
    readonly issues: ValidationIssue[];
    constructor(path?: Path);
    addAll(issues: readonly ValidationIssue[]): void;
    add(expected: string, value: unknown, code?: string, advice?: string): this;
}

declare const arrayKeywords: Keywords;

declare function checkOf(schema: JsonSchema, inner?: CheckMaker, json?: boolean): Check | undefined;

declare const jsonTypes: Readonly<Record<string, readonly [words: string, fits: (value: unknown) => boolean]>>;

declare function keyOf(value: unknown): string;

declare const numberBounds: readonly (readonly [
    keyword: string,
    words: string,
    isWithin: (value: number, bound: number) => boolean
])[];

declare const numberKeywords: Keywords;

declare function schemaWords(schema: JsonSchema): string;

declare const stringKeywords: Keywords;

declare function testsOf(schema: JsonSchema, keywords: Keywords): KeywordTest[];

// ======== @x/core/reading

interface AnyModel {
    readonly '~x-model': true;
    toDict(options?: DictOptions): Dict;
    copy(options?: object): AnyModel;
}

interface AnyModelClass<T = AnyModel> {
    new (options?: any): T;
    readonly prototype: T;
    spec(): ModelSpec;
    className(): string;
    nested(): Record<string, readonly AnyModelClass[] | NestedClasses>;
    makeDefault(field: string): unknown;
    fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): T;
}

type FieldSource = Pick<AnyModelClass, 'spec' | 'nested' | 'makeDefault'>;

declare class InvalidNested {
    readonly issues: readonly ValidationIssue[];
    constructor(issues: readonly ValidationIssue[]);
}

interface ModelField {
    name: string;
    spec: FieldSpec;
    wire: string;
    required: boolean | undefined;
    runtime: boolean | undefined;
    bounded: boolean | undefined;
    extension: boolean | undefined;
    default: unknown;
    of: NestedClasses | undefined;
    strings: 'all' | readonly unknown[] | undefined;
    keep: (value: unknown, report: Report) => unknown;
    fresh: (() => unknown) | undefined;
}

interface ModelFields extends ReadonlyArray<ModelField> {
    given: readonly string[];
    guarded: number;
}

declare function fieldsOf(modelClass: FieldSource): ModelFields;

declare function invalid(title: string, expected: string, value: unknown, path?: Path): ModelValidationError;

declare function refuse(title: string, code: string, message: string, cause?: unknown): never;

declare function remember<T extends object>(model: T, read: Dict): T;

declare function tryRead<T>(path: Path, make: () => T): T | InvalidNested;
