/**
 * @module
 * Types that compute the properties and the constructor options of a class from its declared fields.
 */
import type { Model, StandardSchemaOfModel } from '../model/model.ts'
import type { FieldSpec } from '../model/model-spec.ts'

/**
 * `optional`: the option may be omitted. `readonly`: the field has bounds, which the compiler cannot check, so it is read-only on
 * instances.
 */
export type Flag = 'optional' | 'readonly'

/** A declared field, without its types. */
export interface DeclaredField extends FieldSpec {
  /** Returns the classes of the nested models. */
  readonly of?: () => Classes
  /** Returns the default of a new instance. */
  readonly make?: () => unknown
}

/** A declared field with the type of its value, its flags, and the type of its option. Create it with a function of this entry. */
export interface Field<T = unknown, F extends Flag = never, In = T> extends DeclaredField {
  /** Exists only in the type system. */
  readonly '~field'?: { type: T; flags: F; in: In }
}

/** The fields of a class, by name. */
export type Fields = Readonly<Record<string, Field<unknown, Flag, unknown>>>

type Facts<D> = D extends { readonly '~field'?: infer P } ? P & {} : never
/** The type of a field's value. */
export type TypeOf<D> = Facts<D> extends { type: infer T } ? T : never
/** The type of a field's option. */
export type InputOf<D> = Facts<D> extends { in: infer T } ? T : never
/** The flags of a field. */
export type FlagsOf<D> = Facts<D> extends { flags: infer F } ? F : never

/** The properties of an instance. `keyof F as` preserves the comments of the fields. */
type ValuesOf<F> = { [K in keyof F as 'readonly' extends FlagsOf<F[K]> ? never : K]: TypeOf<F[K]> } & {
  readonly [K in keyof F as 'readonly' extends FlagsOf<F[K]> ? K : never]: TypeOf<F[K]>
}

/** The options of the constructor. */
type OptionsOf<F> = {
  [K in keyof F as 'optional' extends FlagsOf<F[K]> ? never : K]: InputOf<F[K]>
} & { [K in keyof F as 'optional' extends FlagsOf<F[K]> ? K : never]?: InputOf<F[K]> | undefined }

/** Any model class, including abstract ones. */
// biome-ignore lint/suspicious/noExplicitAny: options differ per class
export type AnyModelClass = (abstract new (...options: any[]) => Model) & Pick<typeof Model, 'spec' | 'nested'>

/** The classes of nested models. */
export type Classes = AnyModelClass | readonly AnyModelClass[]

/** The constructor options of a class. */
export type OptionsOfClass<B> = B extends abstract new (
  options: infer O,
) => unknown
  ? [keyof (O & {})] extends [never]
    ? unknown
    : Exclude<O, undefined>
  : unknown

/** Merges an intersection into one object type, for readable hovers and messages. */
type Flat<O> = { [K in keyof O]: O[K] } & {}
// biome-ignore lint/complexity/noBannedTypes: tests whether all options are optional
type Given<O> = {} extends O ? [options?: O] : [options: O]

/** The class that `fields` returns: `B` with the declared fields `F`. */
export type WithFields<B extends AnyModelClass, F> = (abstract new (
  ...options: Given<Flat<OptionsOfClass<B> & OptionsOf<F>>>
) => ValuesOf<F> & InstanceType<B>) &
  Omit<B, 'prototype' | '~standard'> & { readonly '~standard': StandardSchemaOfModel<ValuesOf<F> & InstanceType<B>> }

/** Makes keys of `O` that `Known` does not have a compile error. */
export type Only<O, Known> = O & { readonly [K in Exclude<keyof O, keyof Known>]: never }
