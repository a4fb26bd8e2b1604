/**
 * @module
 * Custom models, declared in the class head. Entry `@x/core-model/fields`.
 */
export { fields } from './fields/declare-fields.ts'
export {
  anything,
  array,
  boolean,
  freeForm,
  integer,
  live,
  nested,
  nestedLazily,
  nullable,
  number,
  oneOf,
  record,
  string,
} from './fields/field-builders.ts'
export type { AnyModelClass, Classes, Field, Fields, Flag, WithFields } from './fields/field-types.ts'
export { jsonSchema } from './fields/json-schema-field.ts'
