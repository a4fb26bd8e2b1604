/**
 * @module
 * Models whose fields are validated, with one JSON form, and the errors of all `@x` packages.
 */
export {
  ClassNameMismatchError,
  ConfigurationError,
  EmptyInputError,
  isToolkitError,
  ModelValidationError,
  NotSupportedError,
  SerializationError,
  ToolkitError,
  type ToolkitErrorOptions,
  type ToolkitErrors,
  UnknownClassNameError,
  type ValidationIssue,
} from './errors.ts'
export { ClassRegistry } from './model/class-registry.ts'
export { isInstance, isModel } from './model/is-model.ts'
export { JsonTextError, readJsonText } from './model/json-reader.ts'
export type { JsonSchema } from './model/json-schema.ts'
export { writeJsonText } from './model/json-text.ts'
export { Model, type ModelClass, type ModelConstructor, modelOf } from './model/model.ts'
export type {
  CopyOptions,
  Dict,
  DictOptions,
  JsonOptions,
  NestedClasses,
  ReadOptions,
  WireLine,
} from './model/model-class.ts'
export type { FieldSpec, ModelSpec } from './model/model-spec.ts'
export type { StandardIssue, StandardResult, StandardSchema } from './model/standard-schema.ts'
