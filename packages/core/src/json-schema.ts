/**
 * @module
 * The check of a value against a JSON Schema, and its parts. Entry `@x/core/json-schema`.
 */
export { type Check, checkOf, jsonTypes, numberBounds, schemaWords } from './model/check-value.ts'
export {
  arrayKeywords,
  type Keywords,
  type KeywordTest,
  keyOf,
  numberKeywords,
  stringKeywords,
  testsOf,
} from './model/keywords.ts'
export { Report } from './model/report.ts'
