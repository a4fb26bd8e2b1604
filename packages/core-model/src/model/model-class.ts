/**
 * @module
 * What the parts of the model layer know about models, their classes and the options of their operations.
 */

import type { FieldSelection } from './field-selection.ts'
import type { JsonTextOptions } from './json-text.ts'
import type { ModelSpec } from './model-spec.ts'

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

/** How `json` and `toJson` write, besides the options of `dict`. */
export interface JsonOptions extends DictOptions, JsonTextOptions {}

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

/** Finds classes by their names on the wire, such as a `ClassRegistry`. */
export interface ClassLookup {
  get(className: string): AnyModelClass | undefined
}

/** How nested components are found when data is read. */
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

/** A class of models: it can be built from options and describes its fields. */
export interface AnyModelClass<T = AnyModel> {
  // biome-ignore lint/suspicious/noExplicitAny: options differ per class
  new (options?: any): T
  readonly prototype: T
  spec(): ModelSpec
  className(): string
  nested(): Record<string, readonly AnyModelClass[] | NestedClasses>
  makeDefault(field: string): unknown
  fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): T
}

/** The classes that a field with nested models may hold; the first one is taken for data without a class name. */
export interface NestedClasses {
  classes: readonly AnyModelClass[]
  /** The error for a class name that belongs to none of them. */
  unknown?: (className: string) => Error
  /** The class of data without a class name. @defaultValue the first of `classes` */
  unnamed?: (data: Readonly<Dict>) => AnyModelClass
  /** Anything else with these methods fits too. */
  methods?: readonly string[]
}
