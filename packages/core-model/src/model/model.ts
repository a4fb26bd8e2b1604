/**
 * @module
 * The base class of everything that is validated on construction and written as JSON.
 */
import { ClassNameMismatchError, type ModelValidationError, NotSupportedError } from '../errors.ts'
import { isToolkitError } from '../toolkit-errors.ts'
import { invalid } from './check-value.ts'
import { fieldsOf, noDefault } from './field.ts'
import { type Selections, select, selectValue } from './field-selection.ts'
import { isInstance, isModel } from './is-model.ts'
import type { JsonSchema } from './json-schema.ts'
import { writeJsonText } from './json-text.ts'
import type {
  AnyModelClass,
  CopyOptions,
  Dict,
  DictOptions,
  JsonOptions,
  NestedClasses,
  ReadOptions,
} from './model-class.ts'
import { modelSchema, type SchemaOptions } from './model-schema.ts'
import type { ModelSpec } from './model-spec.ts'
import { deepEqual, isPlainObject, own, type Path } from './plain.ts'
import { readFields } from './read-fields.ts'
import { type ParseFileOptions, type ParseRawOptions, parseJson, rawText, readTextFile } from './read-text.ts'
import { fill, put } from './validate-fields.ts'
import { writeLeaf } from './write-fields.ts'

/** Given as options: the instance gets its fields from elsewhere. */
const empty = Symbol('empty')

/**
 * A validated record with a fixed set of fields and one JSON form.
 *
 * Options are checked on construction: all failing fields are reported at once, nothing is converted.
 * Fields with bounds are read-only. Lists and objects given are copied one level; deeper values are shared.
 * A subclass gives its fields by `spec()` and the models in them by `nested()`; each class is asked once.
 * `copy` shares further own properties, but no `#private` ones: it makes instances without running subclass constructors.
 *
 * @throws {ModelValidationError} naming every field that does not fit.
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
  static nested(): Record<string, readonly AnyModelClass[] | NestedClasses> {
    return {}
  }

  /** The value of a field that is not given and whose default is null; for defaults that are made, such as identifiers. */
  static makeDefault: (field: string) => unknown = noDefault

  /** Makes an instance of fields that were read from data; for classes whose options are not their fields. */
  protected static fromFields(fields: Dict, _options?: ReadOptions): Model {
    return new (this as unknown as ModelClass)(fields)
  }

  #given!: readonly string[]

  /** Marks models, so that those of another copy of this package are known too. */
  get '~x-model'(): true {
    return true
  }

  /** The names of the fields that were given. */
  get fieldsSet(): ReadonlySet<string> {
    return new Set(this.#given)
  }

  constructor(options?: object) {
    if (options === (empty as unknown)) return
    this.#given = fill(this, new.target as unknown as ModelClass, (options ?? {}) as Dict, true)
  }

  /**
   * An instance of trusted values: defaults for the rest, no validation, no nested building, no constructor logic.
   * A required field that is not given stays absent.
   */
  static construct<T extends Model, O>(
    this: (new (options: O) => T) & Pick<typeof Model, 'spec' | 'nested' | 'makeDefault'>,
    values: Partial<O & T> | Dict = {},
    fieldsSet?: Iterable<string>,
  ): T {
    const model = bare<T>(this)
    const given = fill(model, this, values as Dict, false)
    model.#given = fieldsSet ? [...fieldsSet] : given
    return model
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
    if (!isPlainObject(data)) throw invalid(name, 'an object', data)
    const given = data['class_name']
    if (!record && given !== undefined && given !== this.className()) {
      if (typeof given === 'string') throw new ClassNameMismatchError(this.className(), given)
      throw invalid(name, 'a string', given, ['class_name'])
    }
    const modelClass = this as unknown as typeof Model & ModelClass
    return modelClass.fromFields(readFields(modelClass, data, overrides, options), options) as T
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

  /** Reads an instance from data in wire form; for an instance, checks it again and gives an independent one with the same values. */
  static validate<T extends Model>(this: ModelConstructor<T>, value: unknown, options?: ReadOptions): T {
    if (!isInstance(value, this)) return this.fromDict(value, {}, options)
    const modelClass = value.constructor as unknown as ModelClass
    const values: Dict = {}
    for (const { name, required, default: byDefault } of fieldsOf(modelClass)) {
      const held = (value as unknown as Dict)[name]
      // Defaults are not validated, here as on construction.
      if (required || !deepEqual(held, byDefault)) values[name] = held
    }
    const copied = value.copy()
    fill(copied, modelClass, values, true)
    return copied
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
    const modelClass = this as unknown as typeof Model & ModelClass
    if (typeof object !== 'object' || object === null) throw invalid(this.spec().name, 'an object', object)
    const source = object as Dict
    const options: Dict = {}
    for (const { name, wire } of fieldsOf(modelClass))
      options[name] = source[name] === undefined ? source[wire] : source[name]
    return modelClass.fromFields(options) as T
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
    const jsonSchema = () => modelClass.schema({ extensions: true }) as Dict
    return {
      version: 1,
      vendor: '@x',
      validate(value) {
        try {
          return { value: modelClass.validate(value) }
        } catch (error) {
          if (!isToolkitError(error)) throw error
          const { issues = [{ path: '', message: error.message }] } = error as Partial<ModelValidationError>
          return { issues: issues.map(({ path, message }) => ({ path: stepsOf(path), message })) }
        }
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    }
  }

  /** The wire form as an object that shares nothing with this instance. @throws {SerializationError} for NaN and infinities. */
  toDict(options: DictOptions = {}): Dict {
    const modelClass = this.constructor as unknown as ModelClass
    const { name: title, record } = modelClass.spec()
    const dict: Dict = {}
    const path: Path = [title]
    const leaf = (value: unknown, selections: Selections): unknown => writeLeaf(value, options, selections, path)
    for (const { name, wire, required, runtime, extension, default: byDefault } of fieldsOf(modelClass)) {
      const value = (this as unknown as Dict)[name]
      const inner = runtime || value === undefined ? null : select(options, name, wire)
      if (
        inner === null ||
        (options.excludeUnset && !this.#given.includes(name)) ||
        // Lists and objects never count as defaults, since each instance has its own.
        ((extension || options.excludeDefaults) && !required && value === byDefault) ||
        (options.excludeNone && value === null)
      )
        continue
      path[1] = name
      dict[wire] = selectValue(value, inner, leaf, path)
    }
    if (!record) dict['class_name'] = modelClass.className()
    return dict
  }

  /** The same as `toDict`. */
  dict(options?: DictOptions): Dict {
    return this.toDict(options)
  }

  /** The wire form as JSON text. @throws {SerializationError} naming the value that has no JSON form. */
  toJson(options: JsonOptions = {}): string {
    const { name } = (this.constructor as unknown as ModelClass).spec()
    return writeJsonText(this.toDict(options), options, [name])
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
    const copied = bare<this>(modelClass)
    const given: string[] = []
    const leaf = (value: unknown, selections: Selections): unknown =>
      isModel(value) ? value.copy({ ...selections, deep: options.deep }) : value
    for (const field of fieldsOf(modelClass)) {
      const { name, wire, runtime } = field
      const update = own(options.update ?? {}, name)
      let value = update === undefined ? (this as unknown as Dict)[name] : update
      if (value === undefined) continue
      if (update === undefined && !runtime) {
        const inner = select(options, name, wire)
        if (inner === null) continue
        if (options.deep || inner.include || inner.exclude) value = selectValue(value, inner, leaf)
      }
      put(copied, field, value)
      if (update !== undefined || this.#given.includes(name)) given.push(name)
    }
    copied.#given = given
    // State that a subclass keeps besides its fields, such as a client, is shared.
    const { fields } = modelClass.spec()
    for (const name of Object.keys(this))
      if (!Object.hasOwn(fields, name)) (copied as unknown as Dict)[name] = (this as unknown as Dict)[name]
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

/** A class of models: it can be built from options and describes its fields. */
export interface ModelClass<T extends Model = Model> extends AnyModelClass<T> {}

/** Anything that makes models of a kind; what the static operations need of `this`. */
export type ModelConstructor<T extends Model> = (abstract new (
  ...args: never[]
) => T) &
  Pick<typeof Model, 'spec' | 'className'> & {
    fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): NoInfer<T>
    fromJson(text: string, overrides?: Dict, options?: ReadOptions): NoInfer<T>
  }

/** The Standard Schema of a model class: reads wire data, gives an instance. */
export interface StandardSchemaOfModel<T extends Model = Model> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (
    value: unknown,
  ) =>
    | { value: T; issues?: undefined }
    | { issues: readonly { message: string; path?: readonly (string | number)[] }[] }
  readonly types?: { readonly input: Dict; readonly output: T } | undefined
  readonly jsonSchema: { input(options?: unknown): Dict; output(options?: unknown): Dict }
}

/** An instance without fields, made without subclass constructors. */
function bare<T extends Model>(modelClass: unknown): T {
  return Reflect.construct(Model as unknown as ModelClass, [empty], modelClass as ModelClass) as T
}

/** The steps of `a[0].b`. */
function stepsOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([step, index]) => (index ? Number(index) : step))
}
