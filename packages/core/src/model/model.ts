/**
 * @module
 * `Model`, the base class of objects that are validated on construction and written as JSON.
 */
import { keepNumberTexts } from '#number-texts'
import { checkNames } from '../check-options.ts'
import {
  ClassNameMismatchError,
  isToolkitError,
  type ModelValidationError,
  NotSupportedError,
  SerializationError,
} from '../errors.ts'
import { checkOf } from './check-value.ts'
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
  MakeDefault,
  NestedClasses,
  ReadOptions,
} from './model-class.ts'
import { fieldsOf, fill, put, readFields } from './model-fields.ts'
import { modelSchema, type SchemaOptions } from './model-schema.ts'
import { extendSpec, type ModelSpec } from './model-spec.ts'
import { deepEqual, isPlainObject, type Path } from './plain.ts'
import { parseJson } from './read-text.ts'
import { invalid, pathText } from './report.ts'
import type { StandardResult } from './standard-schema.ts'
import { wireLine } from './wire-line.ts'

/** Passed as constructor options by `bare`: the caller sets the fields. */
const empty = Symbol('empty')

const dictOptions: readonly (keyof DictOptions)[] = [
  'include',
  'exclude',
  'excludeUnset',
  'excludeDefaults',
  'excludeNone',
  'line',
]
const copyOptions: readonly (keyof CopyOptions<Model>)[] = ['include', 'exclude', 'update', 'deep']

/**
 * A validated record with a fixed set of fields and one JSON form.
 *
 * Options are validated on construction. One error reports all invalid fields. Nothing is converted.
 * Fields with bounds are read-only. Arrays and objects in the options are copied one level deep; deeper values are shared.
 * A subclass declares its fields in `spec()` and the classes of nested models in `nested()`; each is called once per class.
 * `copy` does not run the constructors of subclasses: further own properties are shared, `#private` ones are missing in the copy.
 *
 * @throws {ModelValidationError} with an issue for every invalid field.
 * @example
 * class Label extends fields(Model, 'Label', { maxWidth: integer({ minimum: 1, default: 80 }), text: string() }) {}
 * const label = new Label({ text: 'A' })
 * label.toDict() // => { max_width: 80, text: 'A', class_name: 'Label' }
 * Label.fromDict(label.toDict()).equals(label) // => true
 * new Label({ text: 5 as never }) // => throws model_validation
 */
export abstract class Model {
  /** Returns the description of this class and its fields. */
  static spec(): ModelSpec {
    throw new NotSupportedError(`${this.name}: a model class needs a static spec() method.`)
  }

  /** Returns the identifier of this class on the wire; `base_component` for an abstract class. */
  static className(): string {
    return this.spec().className ?? 'base_component'
  }

  /** Returns the classes of the nested models, by field name. */
  static nested(): Record<string, readonly AnyModelClass[] | NestedClasses> {
    return {}
  }

  /** Returns the value of an omitted field whose default is null. Override it for computed defaults, such as identifiers. */
  static makeDefault: MakeDefault = /* @__PURE__ */ Object.assign(() => null, { fields: [] })

  /** Returns data that newer versions of LlamaIndex for Python wrote in the wire form of this class; other data unchanged. */
  protected static wireForm(data: Dict): Dict {
    return data
  }

  /** Creates an instance from fields that were read from data. Override it if the constructor options differ from the fields. */
  protected static fromFields(fields: Dict, _options?: ReadOptions): Model {
    return new (this as unknown as ModelClass)(fields)
  }

  #given!: readonly string[]

  /** Marks models, so that models of another copy of this package are recognized too. */
  get '~x-model'(): true {
    return true
  }

  /** The data that the model was read from, if `wireForm` changed it. It is not enumerable. @internal */
  declare readonly '~read'?: Dict

  /** The names of the fields that were passed to the constructor. */
  get fieldsSet(): ReadonlySet<string> {
    return new Set(this.#given)
  }

  constructor(options?: object) {
    if (options === (empty as unknown)) return
    this.#given = fill(this, new.target as unknown as ModelClass, (options ?? {}) as Dict, true)
  }

  /**
   * Creates an instance from trusted values, with defaults for the rest. Nothing is validated, nested models are not created, and
   * subclass constructors do not run. A required field that is missing stays absent.
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
   * Reads an instance from data in wire form. `overrides`, in API names, have priority and may contain live objects. Unknown keys are
   * ignored.
   * @throws {ModelValidationError} if the data is invalid.
   * @throws {ClassNameMismatchError} if the data names another class.
   * @throws {UnknownClassNameError} if nested data names a class that neither the field nor `registry` contains.
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
    const form = modelClass.wireForm(data)
    const model = modelClass.fromFields(readFields(modelClass, form, overrides, options), options) as T
    keepNumberTexts(model, form)
    return form === data ? model : remember(model, data)
  }

  /** Reads an instance from a JSON string, like `fromDict`. @throws {ModelValidationError} also if the string is not JSON. */
  static fromJson<T extends Model>(
    this: ModelConstructor<T>,
    text: string,
    overrides?: Dict,
    options?: ReadOptions,
  ): T {
    return this.fromDict(parseJson(this.spec().name, text), overrides, options)
  }

  /** Reads an instance from data in wire form, like `fromDict`. */
  static parseObj<T extends Model>(this: ModelConstructor<T>, value: unknown, options?: ReadOptions): T {
    return this.fromDict(value, {}, options)
  }

  /** Reads an instance from data in wire form. An instance is validated again; the result is an independent copy. */
  static validate<T extends Model>(this: ModelConstructor<T>, value: unknown, options?: ReadOptions): T {
    if (!isInstance(value, this)) return this.fromDict(value, {}, options)
    const modelClass = value.constructor as unknown as ModelClass
    const values: Dict = {}
    for (const { name, required, default: byDefault } of fieldsOf(modelClass)) {
      const current = (value as unknown as Dict)[name]
      // Defaults are not validated, as on construction.
      if (required || !deepEqual(current, byDefault)) values[name] = current
    }
    const copied = value.copy()
    fill(copied, modelClass, values, true)
    return copied
  }

  /** Returns the JSON Schema of the wire form, as a new object. Never throws. */
  static schema(options?: SchemaOptions): JsonSchema {
    return modelSchema(this as unknown as ModelClass, options)
  }

  /** Returns `schema()` as a JSON string. */
  static schemaJson(options: SchemaOptions & { indent?: number | string } = {}): string {
    return JSON.stringify(this.schema(options), null, options?.indent)
  }

  /**
   * Makes the class a Standard Schema for its wire form, with its JSON Schema, so that other libraries accept the class.
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

  /**
   * Returns the wire form as an object that shares nothing with this instance.
   * @throws {SerializationError} for NaN and infinities.
   * @throws {ModelValidationError} if an option is unknown.
   */
  toDict(options: DictOptions = {}): Dict {
    const modelClass = this.constructor as unknown as ModelClass
    const { name: title, record } = modelClass.spec()
    checkNames(`${title}.toDict`, options, dictOptions)
    const dict: Dict = {}
    const path: Path = [title]
    const leaf = (value: unknown, selections: Selections): unknown => writeLeaf(value, options, selections, path)
    for (const { name, wire, required, runtime, extension, default: byDefault } of fieldsOf(modelClass)) {
      const value = (this as unknown as Dict)[name]
      const inner = runtime || value === undefined ? null : select(options, name, wire)
      if (
        inner === null ||
        (options.excludeUnset && !this.#given.includes(name)) ||
        // Arrays and objects never count as defaults, because each instance has its own.
        ((extension || options.excludeDefaults) && !required && value === byDefault) ||
        (options.excludeNone && value === null)
      )
        continue
      path[1] = name
      dict[wire] = selectValue(value, inner, leaf, path)
    }
    if (!record) dict['class_name'] = modelClass.className()
    keepNumberTexts(dict, this)
    return wireLine(options.line, title)?.write(dict, this) ?? dict
  }

  /** Alias of `toDict`. */
  dict(options?: DictOptions): Dict {
    return this.toDict(options)
  }

  /** Returns the wire form as a JSON string. @throws {SerializationError} with the path of a value that has no JSON form. */
  toJson(options: JsonOptions = {}): string {
    const { name } = (this.constructor as unknown as ModelClass).spec()
    if (options === null) checkNames(`${name}.toJson`, options, [])
    const { indent: _, sortKeys: _s, encoder: _e, ...selected } = options
    return writeJsonText(this.toDict(selected), options, [name])
  }

  /** Alias of `toJson`. */
  json(options?: JsonOptions): string {
    return this.toJson(options)
  }

  /** Returns the wire form, for `JSON.stringify`. */
  toJSON(): Dict {
    return this.toDict()
  }

  /**
   * Returns a new instance with the selected fields. Live objects are shared. @throws {ModelValidationError} if an option or an updated
   * field is unknown.
   */
  copy(options: CopyOptions<this> = {}): this {
    const modelClass = this.constructor as unknown as ModelClass<this>
    const { name: title, fields } = modelClass.spec()
    checkNames(`${title}.copy`, options, copyOptions)
    const copied = bare<this>(modelClass)
    const given: string[] = []
    let updates = 0
    const leaf = (value: unknown, selections: Selections): unknown =>
      isModel(value) ? value.copy({ ...selections, deep: options.deep }) : value
    for (const field of fieldsOf(modelClass)) {
      const { name, wire, runtime } = field
      const update = options.update && Object.hasOwn(options.update, name) ? (options.update as Dict)[name] : undefined
      if (update !== undefined) updates++
      let value = update === undefined ? (this as unknown as Dict)[name] : update
      if (value === undefined) continue
      if (update === undefined && !runtime && (options.deep || options.include || options.exclude)) {
        const inner = select(options, name, wire)
        if (inner === null) continue
        if (options.deep || inner.include || inner.exclude) value = selectValue(value, inner, leaf)
      }
      put(copied, field, value)
      if (update !== undefined || this.#given.includes(name)) given.push(name)
    }
    copied.#given = given
    if (options.update && updates < Object.keys(options.update).length)
      checkNames(`${title}.copy.update`, options.update, Object.keys(fields))
    const read = this['~read']
    if (read) remember(copied, read)
    keepNumberTexts(copied, this)
    // Other own properties of a subclass, such as a client, are shared.
    for (const name of Object.keys(this))
      if (!Object.hasOwn(fields, name)) (copied as unknown as Dict)[name] = (this as unknown as Dict)[name]
    return copied
  }

  /** Whether `other` has the same wire form. Live objects are not compared. */
  equals(other: unknown): boolean {
    return isModel(other) && deepEqual(this.toDict(), other.toDict())
  }

  /** Returns this component as a query pipeline component. @throws {NotSupportedError} if the class does not support it. */
  asQueryComponent(_options?: { partial?: Dict }): unknown {
    throw new NotSupportedError(
      `${(this.constructor as unknown as ModelClass).spec().name} cannot be a query component.`,
    )
  }
}

/**
 * Returns the typed base class of a model, a subclass of `parent` with further fields. The code that `x-codegen` writes calls it.
 * `own` contains the name of the class and the fields that are new or different from those of `parent`. Inherited fields come first.
 */
export function modelOf<C>(parent: { spec(): ModelSpec; prototype: object }, own: Omit<ModelSpec, 'checkOf'>): C {
  let spec: ModelSpec | undefined
  abstract class TypedBase extends (parent as unknown as typeof Model) {
    static override spec(): ModelSpec {
      spec ??= extendSpec(parent, { ...own, checkOf })
      return spec
    }
  }
  return TypedBase as C
}

/** A model class. It can be constructed from options and describes its fields. */
export interface ModelClass<T extends Model = Model> extends AnyModelClass<T> {}

/** The type of `this` in the static methods: any class with instances of type `T`. */
export type ModelConstructor<T extends Model> = (abstract new (
  ...args: never[]
) => T) &
  Pick<typeof Model, 'spec' | 'className'> & {
    fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): NoInfer<T>
    fromJson(text: string, overrides?: Dict, options?: ReadOptions): NoInfer<T>
  }

/** The Standard Schema of a model class. It reads data in wire form and returns an instance. */
export interface StandardSchemaOfModel<T extends Model = Model> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<T, string | number>
  readonly types?: { readonly input: Dict; readonly output: T } | undefined
  readonly jsonSchema: { input(options?: unknown): Dict; output(options?: unknown): Dict }
}

/** Creates an instance without fields and without running subclass constructors. */
function bare<T extends Model>(modelClass: unknown): T {
  return Reflect.construct(Model as unknown as ModelClass, [empty], modelClass as ModelClass) as T
}

/** Keeps the data that a model was read from, for forms of LlamaIndex for Python. Returns the model. */
export function remember<T extends object>(model: T, read: Dict): T {
  return Object.defineProperty(model, '~read', { value: read, configurable: true })
}

/** Splits a path such as `a[0].b` into its steps. */
function stepsOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([step, index]) => (index ? Number(index) : step))
}

/** Returns the wire form of a value that is not an array or plain object. */
function writeLeaf(value: unknown, options: DictOptions, selections: Selections, path: Path): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new SerializationError(pathText(path), `${value} has no JSON form`)
  const { toDict } = (value ?? {}) as { toDict?: (options?: DictOptions) => unknown }
  if (typeof toDict !== 'function') return value
  return toDict.call(value, isModel(value) ? { ...options, ...selections } : { line: options.line })
}
