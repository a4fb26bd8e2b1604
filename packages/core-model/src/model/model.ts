/**
 * @module
 * The base class of everything that is validated on construction and written as JSON.
 */
import {
  ClassNameMismatchError,
  ModelValidationError,
  NotSupportedError,
  SerializationError,
  type ValidationIssue,
} from '../errors.ts'
import { checkIssues, kindOf, pathText } from './check-issues.ts'
import { type ClassRegistry, unknownClass } from './class-registry.ts'
import { type FieldSelection, type Selections, select, selectValue } from './field-selection.ts'
import type { JsonSchema } from './json-schema.ts'
import { modelSchema, type SchemaOptions } from './model-schema.ts'
import type { FieldSpec, ModelSpec } from './model-spec.ts'
import { deepCopy, deepEqual, isPlainObject, mapValues } from './plain.ts'
import { type ParseFileOptions, type ParseRawOptions, parseJson, rawText, readTextFile } from './read-text.ts'

/** Plain JSON data with string keys. */
export type Dict = Record<string, unknown>

/** What `dict` and `toDict` leave out. */
export interface DictOptions {
  /** Only these fields. An empty list takes nothing. */
  include?: FieldSelection
  /** Not these fields; wins over `include`. */
  exclude?: FieldSelection
  /** Leave out fields that were not given. @defaultValue false */
  excludeUnset?: boolean
  /** Leave out fields whose value is a scalar default. @defaultValue false */
  excludeDefaults?: boolean
  /** Leave out fields whose value is null. @defaultValue false */
  excludeNone?: boolean
}

/** What `json` and `toJson` take besides the options of `dict`. */
export interface JsonOptions extends DictOptions {
  /** Spaces per level, or the text to indent with. */
  indent?: number | string
  /** Write object keys in alphabetical order. @defaultValue false */
  sortKeys?: boolean
  /** Gives the JSON form of a value that has none of its own. */
  encoder?: (value: unknown) => unknown
}

/** What `copy` changes. */
export interface CopyOptions<T> {
  /** Only these fields; live objects are always kept. */
  include?: FieldSelection
  /** Not these fields; wins over `include`. */
  exclude?: FieldSelection
  /** Values put in afterwards, without validation. */
  update?: Partial<T>
  /** Share no list, object or nested model. @defaultValue false */
  deep?: boolean
}

/** How nested components are found when data is read. */
export interface ReadOptions {
  /** The classes that nested data may name. */
  registry?: ClassRegistry
}

/** A class of models: it can be built from options and describes its fields. */
export interface ModelClass<T extends Model = Model> {
  // biome-ignore lint/suspicious/noExplicitAny: options differ per class
  new (options?: any): T
  readonly prototype: T
  spec(): ModelSpec
  className(): string
  fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): T
}

/** The classes that a field with nested models may hold; the first one is taken for data without a class name. */
export interface NestedClasses {
  classes: readonly ModelClass[]
  /** The error for a class name that is none of theirs. */
  unknown?: (className: string) => Error
}

const trusted = Symbol('trusted')
const mark = Symbol.for('@x/model')

/** A nested value that could not be read, carried to the constructor, which reports all faults at once. */
class Unreadable {
  readonly issues: readonly ValidationIssue[]
  constructor(issues: readonly ValidationIssue[]) {
    this.issues = issues
  }
}

/** Tells whether a value is a model, also one of another copy of this package. */
export function isModel(value: unknown): value is Model {
  return typeof value === 'object' && value !== null && mark in value
}

/** Tells whether a value is an instance of a class or of one derived from it, also of another copy of this package. */
export function isInstance<T extends Model>(
  value: unknown,
  modelClass: (abstract new (...args: never[]) => T) & { spec(): ModelSpec },
): value is T {
  if (value instanceof modelClass) return true
  if (!isModel(value)) return false
  const { name } = modelClass.spec()
  for (
    let maker = value.constructor as unknown as ModelClass;
    maker?.spec !== undefined;
    maker = Object.getPrototypeOf(maker)
  ) {
    if (maker !== (Model as unknown) && Object.hasOwn(maker, 'spec') && maker.spec().name === name) return true
  }
  return false
}

/**
 * A validated record with a fixed set of fields and one JSON form.
 *
 * Options are checked on construction: all failing fields are reported at once, nothing is converted.
 * Fields with bounds are read-only. Lists and objects given are copied one level; deeper values are shared.
 * A subclass gives its fields by `spec()`. `copy` shares further own properties, but no `#private` ones: it makes instances
 * without running subclass constructors.
 *
 * @example
 * const message = new ChatMessage({ content: 'Hello' })
 * message.toDict() // => { role: 'user', content: 'Hello', additional_kwargs: {} }
 * ChatMessage.fromDict(message.toDict()).equals(message) // => true
 */
export abstract class Model {
  /** The fields of this class. */
  static spec(): ModelSpec {
    throw new NotSupportedError(`${this.name}: a model class needs a static spec() method.`)
  }

  /** The stable identifier of this class on the wire; `base_component` when it sets none. */
  static className(): string {
    return this.spec().className ?? 'base_component'
  }

  /** For each field with nested models: the classes that it holds. */
  static nested(): Record<string, readonly ModelClass[] | NestedClasses> {
    return {}
  }

  /** Makes an instance of fields that were read from data; for classes whose options are not their fields. */
  protected static fromFields(fields: Dict): Model {
    return new (this as unknown as ModelClass)(fields)
  }

  readonly #set: Set<string>

  /** @throws {ModelValidationError} naming every field that does not fit. */
  constructor(options?: object) {
    // construct() and copy() call this constructor alone, past those of subclasses, with two arguments more.
    const modelClass = this.constructor as unknown as ModelClass
    // biome-ignore lint/complexity/noArguments: the further arguments are not part of the signature
    if (arguments[1] === trusted) {
      // biome-ignore lint/complexity/noArguments: as above
      this.#set = arguments[2] as Set<string>
      assign(this, modelClass.spec(), options as Dict)
      return
    }
    this.#set = new Set()
    assign(this, modelClass.spec(), validated(modelClass, options ?? {}, this.#set))
  }

  /**
   * An instance of trusted values: defaults for the rest, no validation, no nested building, no constructor logic.
   * A required field that is not given stays absent.
   */
  static construct<T extends Model, O>(
    this: (new (options: O) => T) & { spec(): ModelSpec },
    values: Partial<O & T> | Dict = {},
    fieldsSet?: Iterable<string>,
  ): T {
    const { fields } = this.spec()
    const complete: Dict = {}
    for (const name in fields) {
      const field = fields[name]!
      const given = (values as Dict)[name]
      if (given !== undefined) complete[name] = given
      else if (!field.required) complete[name] = deepCopy(field.default ?? null)
    }
    return bare(
      this,
      complete,
      new Set(fieldsSet ?? Object.keys(fields).filter((name) => (values as Dict)[name] !== undefined)),
    )
  }

  /**
   * Reads an instance from data in wire form; `overrides`, in API names, win and may hold live objects. Unknown keys are dropped.
   * @throws {ModelValidationError} when the data does not fit.
   * @throws {ClassNameMismatchError} when the data names another class.
   * @throws {UnknownClassNameError} when nested data names a class that neither the field nor `registry` knows.
   */
  static fromDict<T extends Model>(
    this: ModelConstructor<T>,
    data: unknown,
    overrides: Dict = {},
    options: ReadOptions = {},
  ): T {
    const { name, record } = this.spec()
    if (!isPlainObject(data))
      throw new ModelValidationError(name, [
        { path: '', message: `expected an object, got ${kindOf(data)}`, code: 'type' },
      ])
    const given = data['class_name']
    if (!record && given !== undefined && given !== this.className()) {
      if (typeof given !== 'string')
        throw new ModelValidationError(name, [
          { path: 'class_name', message: `expected a string, got ${kindOf(given)}`, code: 'type' },
        ])
      throw new ClassNameMismatchError(this.className(), given)
    }
    return (this as unknown as typeof Model).fromFields(
      decode(this as unknown as ModelClass, data, overrides, options),
    ) as T
  }

  /** Reads an instance from JSON text, as `fromDict`. @throws {ModelValidationError} also when the text is no JSON. */
  static fromJson<T extends Model>(
    this: ModelConstructor<T>,
    text: string,
    overrides?: Dict,
    options?: ReadOptions,
  ): T {
    return this.fromDict(parseJson(this.spec().name, text), overrides, options)
  }

  /** Reads an instance from data in wire form, as `fromDict`. */
  static parseObj<T extends Model>(this: ModelConstructor<T>, value: unknown, options?: ReadOptions): T {
    return this.fromDict(value, {}, options)
  }

  /** Reads an instance from data in wire form; for an instance, gives an independent one with the same values. */
  static validate<T extends Model>(this: ModelConstructor<T>, value: unknown, options?: ReadOptions): T {
    if (!isInstance(value, this)) return this.fromDict(value, {}, options)
    const twin = value.copy() as unknown as Dict
    for (const name in this.spec().fields) {
      const field = twin[name]
      if (Array.isArray(field) || isPlainObject(field)) Object.defineProperty(twin, name, { value: oneLevel(field) })
    }
    return twin as unknown as T
  }

  /** Reads an instance from raw JSON text or bytes. @throws {ModelValidationError} for bad bytes, bad JSON, or another content type. */
  static parseRaw<T extends Model>(
    this: ModelConstructor<T>,
    raw: string | Uint8Array,
    options: ParseRawOptions & ReadOptions = {},
  ): T {
    return this.fromJson(rawText(this.spec().name, raw, options), {}, options)
  }

  /**
   * Reads an instance from a JSON file. Errors of the file system pass through.
   * Where there is no file system (browsers, edge workers) give `readFile`.
   */
  static async parseFile<T extends Model>(
    this: ModelConstructor<T>,
    path: string | URL,
    options: ParseFileOptions & ReadOptions = {},
  ): Promise<T> {
    return this.fromJson(await readTextFile(this.spec().name, path, options), {}, options)
  }

  /** Reads the declared fields from the properties of any object, by API name, else by wire name. */
  static fromOrm<T extends Model>(this: ModelConstructor<T>, object: object): T {
    const source = object as Dict
    const { fields } = this.spec()
    const options: Dict = {}
    for (const name in fields) options[name] = source[name] ?? source[fields[name]!.wire ?? name]
    return (this as unknown as typeof Model).fromFields(options) as T
  }

  /** The JSON Schema of the wire form; a fresh object on every call. Never throws. */
  static schema(options?: SchemaOptions): JsonSchema {
    return modelSchema(this as unknown as ModelClass, options)
  }

  /** `schema()` as JSON text. */
  static schemaJson(options: SchemaOptions & { indent?: number | string } = {}): string {
    return JSON.stringify(this.schema(options), null, options.indent)
  }

  /** Does nothing; nested classes need no late binding here. */
  static updateForwardRefs(): null {
    return null
  }

  /**
   * Makes the class a Standard Schema over its wire form, with its JSON Schema, so that other libraries take it as it is.
   * @see https://standardschema.dev
   */
  static get '~standard'(): StandardSchemaOfModel {
    const modelClass = this as unknown as ModelConstructor<Model> & typeof Model
    return {
      version: 1,
      vendor: '@x',
      validate(value) {
        try {
          return { value: modelClass.validate(value) }
        } catch (error) {
          if (error instanceof ModelValidationError)
            return { issues: error.issues.map(({ path, message }) => ({ path: pathSteps(path), message })) }
          return { issues: [{ message: (error as Error).message }] }
        }
      },
      jsonSchema: { input: () => modelClass.schema() as Dict, output: () => modelClass.schema() as Dict },
    }
  }

  /** The wire form as an object that shares nothing with this instance. @throws {SerializationError} for NaN and infinities. */
  toDict(options: DictOptions = {}): Dict {
    const { name, fields, record } = (this.constructor as unknown as ModelClass).spec()
    const out: [string, unknown][] = []
    for (const field in fields) {
      const spec = fields[field]!
      const value = (this as unknown as Dict)[field]
      const wire = spec.wire ?? field
      if (spec.runtime || value === undefined) continue
      const inner = select(options, field, wire)
      if (inner === null) continue
      if (options.excludeUnset && !this.#set.has(field)) continue
      if (options.excludeDefaults && (typeof value !== 'object' || value === null) && value === (spec.default ?? null))
        continue
      if (options.excludeNone && value === null) continue
      out.push([
        wire,
        selectValue(value, inner, [`${name}.${field}`], (leaf, selections, path) =>
          writeLeaf(leaf, { ...options, ...selections }, path),
        ),
      ])
    }
    if (!record) out.push(['class_name', (this.constructor as unknown as ModelClass).className()])
    return Object.fromEntries(out)
  }

  /** The same as `toDict`. */
  dict(options?: DictOptions): Dict {
    return this.toDict(options)
  }

  /** The wire form as JSON text. @throws {SerializationError} naming the value that has no JSON form. */
  toJson(options: JsonOptions = {}): string {
    const { name } = (this.constructor as unknown as ModelClass).spec()
    return JSON.stringify(jsonValue(this.toDict(options), options, [name]), null, options.indent)
  }

  /** The same as `toJson`. */
  json(options?: JsonOptions): string {
    return this.toJson(options)
  }

  /** Lets `JSON.stringify` write the wire form. */
  toJSON(): Dict {
    return this.toDict()
  }

  /** A new instance with the selected fields; live objects are kept and shared. */
  copy(options: CopyOptions<this> = {}): this {
    const modelClass = this.constructor as unknown as ModelClass<this>
    const { fields } = modelClass.spec()
    const values: Dict = {}
    const set = new Set<string>()
    const take = (value: unknown): unknown => {
      if (isModel(value)) return options.deep ? value.copy({ deep: true }) : value
      if (!options.deep) return value
      return Array.isArray(value) ? value.map(take) : isPlainObject(value) ? mapValues(value, take) : value
    }
    for (const name in fields) {
      const field = fields[name]!
      let value = (this as unknown as Dict)[name]
      if (value === undefined) continue
      if (!field.runtime) {
        const inner = select(options, name, field.wire ?? name)
        if (inner === null) continue
        if (inner.include ?? inner.exclude) value = partOf(value, inner)
        value = take(value)
      }
      values[name] = value
      if (this.#set.has(name)) set.add(name)
    }
    for (const [name, value] of Object.entries(options.update ?? {})) {
      if (!Object.hasOwn(fields, name)) continue
      values[name] = value
      set.add(name)
    }
    const copied = bare<this>(modelClass, values, set)
    // State that a subclass keeps besides its fields, such as a client, is shared.
    for (const [name, value] of Object.entries(this))
      if (!Object.hasOwn(fields, name)) (copied as unknown as Dict)[name] = value
    return copied
  }

  /** Tells whether `other` has the same wire form; live objects do not count. */
  equals(other: unknown): boolean {
    return isModel(other) && deepEqual(this.toDict(), other.toDict())
  }

  /** This component as a node of a query pipeline. @throws {NotSupportedError} when it is none. */
  asQueryComponent(_options?: { partial?: Dict }): unknown {
    throw new NotSupportedError(
      `${(this.constructor as unknown as ModelClass).spec().name} cannot be a query component.`,
    )
  }
}
Object.defineProperty(Model.prototype, mark, { value: true })

/** Anything that makes models of a kind; what the static operations need of `this`. */
export type ModelConstructor<T extends Model> = (abstract new (
  ...args: never[]
) => T) &
  Pick<typeof Model, 'spec' | 'className'> & {
    fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): NoInfer<T>
    fromJson(text: string, overrides?: Dict, options?: ReadOptions): NoInfer<T>
  }

/** The Standard Schema of a model class: reads wire data, gives an instance. */
export interface StandardSchemaOfModel {
  readonly version: 1
  readonly vendor: string
  readonly validate: (
    value: unknown,
  ) =>
    | { value: Model; issues?: undefined }
    | { issues: readonly { message: string; path?: readonly (string | number)[] }[] }
  readonly types?: { readonly input: Dict; readonly output: Model } | undefined
  readonly jsonSchema: { input(options?: unknown): Dict; output(options?: unknown): Dict }
}

/** An instance with these field values, made without validation and without subclass constructors. */
function bare<T extends Model>(modelClass: unknown, values: Dict, set: Set<string>): T {
  return Reflect.construct(Model as unknown as ModelClass, [values, trusted, set], modelClass as ModelClass) as T
}

function assign(target: object, { fields }: ModelSpec, values: Dict): void {
  for (const name in fields) {
    const value = values[name]
    if (value === undefined) continue
    if (fields[name]!.bounded) Object.defineProperty(target, name, { value, enumerable: true, configurable: true })
    else (target as Dict)[name] = value
  }
}

const oneLevel = (value: readonly unknown[] | Dict): unknown => (Array.isArray(value) ? value.slice() : { ...value })

const nestedClasses = (of: readonly ModelClass[] | NestedClasses): NestedClasses =>
  'classes' in of ? of : { classes: of }

type Nesting = Record<string, readonly ModelClass[] | NestedClasses>

/** The values of all fields, or one error that names every fault. */
function validated(modelClass: ModelClass, options: object, set: Set<string>): Dict {
  const { name: title, fields, check } = modelClass.spec()
  const nested: Nesting = (modelClass as unknown as typeof Model).nested()
  const issues: ValidationIssue[] = []
  const values: Dict = {}
  if (typeof options !== 'object' || Array.isArray(options)) {
    throw new ModelValidationError(title, [
      { path: '', message: `expected an object, got ${kindOf(options)}`, code: 'type' },
    ])
  }
  for (const name in fields) {
    const field = fields[name]!
    let value = (options as Dict)[name]
    if (value === undefined) {
      if (!field.required) values[name] = deepCopy(field.default ?? null)
      continue
    }
    set.add(name)
    if (field.holds || field.runtime) held(field, value, name, issues)
    else if (value === null && field.required && nested[name])
      issues.push({ path: name, message: 'expected an object, got null', code: 'type' })
    else if (nested[name])
      value = build(value, [name], nestedClasses(nested[name]), issues, field.schema.type === 'object')
    else if (Array.isArray(value)) value = value.slice()
    else if (isPlainObject(value)) value = { ...value }
    else if (typeof value === 'object' && value !== null && [field.schema.type].flat().includes('object')) {
      issues.push({ path: name, message: `expected an object, got ${kindOf(value)}`, code: 'type' })
    }
    values[name] = value
  }
  if (!check(values)) {
    const reported = new Set(issues.map(({ path }) => path))
    // Defaults are not validated.
    issues.push(
      ...checkIssues(values, check.errors ?? []).filter(
        ({ path, code }) => !reported.has(path) && (code === 'required' || set.has(path.split(/[.[]/, 1)[0]!)),
      ),
    )
  }
  if (issues.length > 0) throw new ModelValidationError(title, issues)
  return values
}

/** Checks a live object. */
function held({ holds, required }: FieldSpec, value: unknown, path: string, issues: ValidationIssue[]): void {
  if ((value === null && !required) || holds === undefined) return
  const fits =
    holds === 'function'
      ? typeof value === 'function'
      : value !== null &&
        (typeof value === 'object' || typeof value === 'function') &&
        holds.every((method) => typeof (value as Dict)[method] === 'function')
  if (fits) return
  const wanted =
    holds === 'function'
      ? 'a function'
      : holds.length === 0
        ? 'an object'
        : `an object with the methods ${holds.join(', ')}`
  issues.push({ path, message: `expected ${wanted}, got ${kindOf(value)}`, code: 'type' })
}

/** Nested models from instances or options, in a value, a list of them, or a map of either. */
function build(
  value: unknown,
  path: (string | number)[],
  of: NestedClasses,
  issues: ValidationIssue[],
  isMap = false,
): unknown {
  if (value === null) return value
  if (value instanceof Unreadable) {
    issues.push(...value.issues)
    return null
  }
  if (Array.isArray(value)) return value.map((item, index) => build(item, [...path, index], of, issues))
  if (of.classes.some((modelClass) => isInstance(value, modelClass))) return value
  const first = of.classes[0]!
  if (isPlainObject(value)) {
    if (isMap) return mapValues(value, (item, key) => build(item, [...path, key], of, issues))
    const result = attempt(() => new first(value))
    if ('value' in result) return result.value
    issues.push(...within(path, result.issues))
    return null
  }
  issues.push({
    path: pathText(path),
    message: `expected ${of.classes.map((modelClass) => modelClass.spec().name).join(' or ')}, got ${kindOf(value)}`,
    code: 'type',
  })
  return null
}

function attempt<T>(make: () => T): { value: T } | { issues: readonly ValidationIssue[] } {
  try {
    return { value: make() }
  } catch (error) {
    if (error instanceof ModelValidationError) return { issues: error.issues }
    throw error
  }
}

const within = (path: readonly (string | number)[], issues: readonly ValidationIssue[]): ValidationIssue[] =>
  issues.map((issue) => ({
    ...issue,
    path: `${pathText(path)}${issue.path && issue.path[0] !== '[' ? '.' : ''}${issue.path}`,
  }))

const pathSteps = (path: string): (string | number)[] =>
  (path.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** The options in API names that wire data and overrides give. */
function decode(modelClass: ModelClass, data: Dict, overrides: Dict, options: ReadOptions): Dict {
  const { name: title, fields } = modelClass.spec()
  const nested: Nesting = (modelClass as unknown as typeof Model).nested()
  const values: Dict = {}
  for (const name in fields) {
    const field = fields[name]!
    if (overrides[name] !== undefined) values[name] = overrides[name]
    else if (!field.runtime) {
      const key = [field.wire ?? name, ...(field.aliases ?? [])].find((wire) => Object.hasOwn(data, wire))
      if (key === undefined) continue
      const of = nested[name] ? nestedClasses(nested[name]) : field.holds ? { classes: [] } : undefined
      values[name] = of === undefined ? data[key] : read(data[key], [name], title, field, of, options)
    }
  }
  // Options that are no fields, such as the variables of a prompt, reach the constructor as they are.
  for (const name in overrides) if (!(name in values)) values[name] = overrides[name]
  return values
}

/** Nested models read from wire data. */
function read(
  value: unknown,
  path: (string | number)[],
  title: string,
  field: FieldSpec,
  of: NestedClasses,
  options: ReadOptions,
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => read(item, [...path, index], title, field, of, options))
  if (!isPlainObject(value)) return value
  if (field.schema.type === 'object' && path.length === 1)
    return mapValues(value, (item, key) => read(item, [...path, key], title, field, of, options))
  const className = value['class_name']
  const found =
    of.classes.find((modelClass) => modelClass.className() === className) ??
    (typeof className === 'string' ? options.registry?.get(className) : undefined)
  const known = found ?? (className === undefined || of.classes[0]?.spec().record ? of.classes[0] : undefined)
  if (known === undefined)
    throw typeof className === 'string' && of.unknown
      ? of.unknown(className)
      : unknownClass(`${title}.${pathText(path)}`, className)
  const result = attempt(() => known.fromDict(value, {}, options))
  return 'issues' in result ? new Unreadable(within(path, result.issues)) : result.value
}

/** The wire form of a value that is no list or plain object. */
function writeLeaf(value: unknown, options: DictOptions, path: readonly (string | number)[]): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new SerializationError(pathText(path), `${value} has no JSON form`)
  if (isModel(value)) return value.toDict(options)
  if (typeof (value as { toDict?: unknown } | null)?.toDict === 'function')
    return (value as { toDict(): unknown }).toDict()
  return value
}

/** The parts of a value that `copy` keeps. */
function partOf(value: unknown, selections: Selections): unknown {
  return selectValue(value, selections, [], (leaf, { include, exclude }) =>
    isModel(leaf) && (include ?? exclude)
      ? leaf.copy({ ...(include && { include }), ...(exclude && { exclude }) })
      : leaf,
  )
}

/** A value that `JSON.stringify` writes without loss. */
function jsonValue(value: unknown, options: JsonOptions, path: (string | number)[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  const at = (key: string | number, item: unknown): unknown => {
    path.push(key)
    const result = jsonValue(item, options, path)
    path.pop()
    return result
  }
  if (Array.isArray(value)) return value.map((item, index) => at(index, item))
  if (isPlainObject(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    if (options.sortKeys) entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(entries.map(([key, item]) => [key, at(key, item)]))
  }
  if (options.encoder) return jsonValue(options.encoder(value), { ...options, encoder: undefined as never }, path)
  throw new SerializationError(pathText(path), `${kindOf(value)} has no JSON form`)
}
