/**
 * @module
 * Types of models, of their classes, and of the options of their methods.
 */

import type { FieldSelection } from './field-selection.ts'
import type { JsonTextOptions } from './json-text.ts'
import type { ModelSpec } from './model-spec.ts'

/** An object with string keys, mostly JSON data. */
export type Dict = Record<string, unknown>

/** Options of `dict` and `toDict`. */
export interface DictOptions {
  /** Includes only these fields. An empty array includes none. */
  include?: FieldSelection
  /** Omits these fields; wins over `include`. */
  exclude?: FieldSelection
  /** Whether to omit fields that were not passed to the constructor. @defaultValue false */
  excludeUnset?: boolean
  /** Whether to omit fields whose value is the default. Arrays and objects never count as defaults. @defaultValue false */
  excludeDefaults?: boolean
  /** Whether to omit fields whose value is null. @defaultValue false */
  excludeNone?: boolean
  /**
   * Writes the form of a release of LlamaIndex for Python: `pythonLine('0.13.6')` of `@x/core-model/python`. Node, Deno and Bun also read
   * the name, `'0.13.6'`; bundles for browsers do not contain the forms, and refuse a name. @defaultValue the line 0.10
   */
  line?: WireLine | string | undefined
}

/** A form of the JSON of models, such as that of a line of LlamaIndex for Python. */
export interface WireLine {
  /** The name of the form. */
  readonly name: string
  /** Returns the form of a model. Nested models are already in this form. @param dict - the result of `toDict` without `line`. */
  write(dict: Dict, model: AnyModel): Dict
}

/** Options of `json` and `toJson`. */
export interface JsonOptions extends DictOptions, JsonTextOptions {}

/** Options of `copy`. */
export interface CopyOptions<T> {
  /** Copies only these fields. Live objects are always copied. */
  include?: FieldSelection
  /** Omits these fields; wins over `include`. */
  exclude?: FieldSelection
  /** New values for fields. They are not validated. */
  update?: Partial<T>
  /** Whether arrays, objects and nested models are copied too, instead of shared. @defaultValue false */
  deep?: boolean
}

/** Finds classes by class name, such as a `ClassRegistry`. */
interface ClassLookup {
  get(className: string): AnyModelClass | undefined
}

/** Options for reading data. */
export interface ReadOptions {
  /** The classes that nested data may name. */
  registry?: ClassLookup
}

/** An instance of any model class. */
export interface AnyModel {
  readonly '~x-model': true
  toDict(options?: DictOptions): Dict
  copy(options?: object): AnyModel
}

/** Returns the default of an omitted field of a new instance. */
export interface MakeDefault {
  (field: string): unknown
  /** The fields that have such a default. @defaultValue all whose default is null */
  readonly fields?: readonly string[]
}

/** A model class. It can be constructed from options and describes its fields. */
export interface AnyModelClass<T = AnyModel> {
  // biome-ignore lint/suspicious/noExplicitAny: options differ per class
  new (options?: any): T
  readonly prototype: T
  spec(): ModelSpec
  className(): string
  nested(): Record<string, readonly AnyModelClass[] | NestedClasses>
  readonly makeDefault: MakeDefault
  fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): T
  /**
   * Returns the data of an instance in the form of a release of LlamaIndex for Python. Classes have it whose form differs between releases.
   */
  inRelease?(dict: Dict, model: AnyModel, release: string): Dict
}

/** The classes of the nested models in a field. */
export interface NestedClasses {
  classes: readonly AnyModelClass[]
  /** Returns the error for a class name that none of `classes` has. */
  unknown?: (className: string) => Error
  /** Returns the class for data without a class name, or the name of a class of the registry. @defaultValue the first of `classes` */
  unnamed?: (data: Readonly<Dict>) => AnyModelClass | string
  /** Methods of other objects that the field accepts too. */
  methods?: readonly string[]
}
