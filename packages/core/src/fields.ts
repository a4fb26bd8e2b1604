/**
 * @module
 * Custom models, declared in the class head. Entry `@x/core-model/fields`.
 */
export { fields, type ModelFacts } from './fields/declare-fields.ts'
export {
  type ArrayBounds,
  type ArrayOptions,
  anything,
  array,
  boolean,
  type DefaultOption,
  type FieldOptions,
  freeForm,
  integer,
  live,
  type NumberBounds,
  nested,
  nestedLazily,
  nullable,
  number,
  oneOf,
  type PlainOptions,
  type RecordOptions,
  record,
  type StringBounds,
  string,
} from './fields/field-builders.ts'
export type {
  AnyModelClass,
  Classes,
  DeclaredField,
  Field,
  Fields,
  Flag,
  FlagsOf,
  InputOf,
  OptionsOf,
  OptionsOfClass,
  TypeOf,
  ValuesOf,
  WithFields,
} from './fields/field-types.ts'
export { jsonSchema } from './fields/json-schema-field.ts'
