/**
 * @module
 * Declares the fields of a model in TypeBox. Entry `@x/core/schemas`.
 */
export {
  anything,
  component,
  type Fields,
  freeForm,
  live,
  nested,
  nullable,
  oneOf,
  plainRecord,
  textList,
  typedData,
} from './define.ts'
export { checkedSchema, modelSpec } from './field-specs.ts'
