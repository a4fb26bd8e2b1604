/**
 * @module
 * Functions for JSON text, plain objects and messages of errors. Entry `@x/core/values`.
 */

export { numberTextAt } from '#number-texts'
export { errorMessage, joinPath } from './errors.ts'
export { lazy } from './lazy.ts'
export { addToList, countWhile } from './lists.ts'
export { adviceFor, checkJsonData, maxLevels } from './model/check-value.ts'
export { compactJson, jsonEnd, jsonOr, parseExactly, textOrJson } from './model/json-text.ts'
export {
  deepCopy,
  deepEqual,
  isPlainObject,
  mapEntries,
  mapItems,
  mapValues,
  merge,
  own,
  type Path,
  pick,
  present,
} from './model/plain.ts'
export { parseJson } from './model/read-text.ts'
export { kindOf, mismatch, pathText } from './model/report.ts'
export { isError, resultText } from './model/result-text.ts'
export { toSnakeCase } from './model/snake-case.ts'
export { wellFormed } from './model/well-formed.ts'
