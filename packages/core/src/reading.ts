/**
 * @module
 * For classes that read or write their own form: the fields of a class, and the errors of invalid data. Entry `@x/core/reading`.
 */

export { InvalidNested, tryRead } from './model/invalid-nested.ts'
export { checkLiveOptions, writeLiveOptions } from './model/live-options.ts'
export { remember } from './model/model.ts'
export type { AnyModel, AnyModelClass } from './model/model-class.ts'
export { fieldsOf, type ModelFields } from './model/model-fields.ts'
export { refuse } from './model/read-text.ts'
export {
  invalidRecord,
  issuesAt,
  type LineOptions,
  modelReader,
  plainData,
  type RecordReader,
  readRecord,
} from './model/record-reader.ts'
export { invalid } from './model/report.ts'
export { wireLine } from './model/wire-line.ts'
