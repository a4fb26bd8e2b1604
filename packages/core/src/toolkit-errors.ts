/**
 * @module
 * Recognizes the errors of the `@x` packages by their code.
 */
import {
  type ClassNameMismatchError,
  type ConfigurationError,
  type EmptyInputError,
  isMarked,
  type ModelValidationError,
  type NotSupportedError,
  type SerializationError,
  type ToolkitError,
  type UnknownClassNameError,
} from './errors.ts'

/**
 * The error class of each code. Every package adds its own errors. Other packages can add their subclasses of
 * `ToolkitError`: `declare module '@x/core' { interface ToolkitErrors { my_code: MyError } }`.
 */
export interface ToolkitErrors {
  class_name_mismatch: ClassNameMismatchError
  configuration: ConfigurationError
  empty_input: EmptyInputError
  model_validation: ModelValidationError
  not_supported: NotSupportedError
  serialization: SerializationError
  unknown_class_name: UnknownClassNameError
}

/**
 * Whether `error` is an error of the `@x` packages and, with `code`, whether it has that code. Narrows the type.
 * Works when several copies of a package are installed, where `instanceof` does not.
 * @example
 * try {
 *   writeJsonText({ size: Number.NaN })
 * } catch (error) {
 *   isToolkitError(error, 'serialization') && error.field // => 'size'
 * }
 */
export function isToolkitError(error: unknown): error is ToolkitError
export function isToolkitError<Code extends keyof ToolkitErrors>(
  error: unknown,
  code: Code,
): error is ToolkitErrors[Code]
export function isToolkitError(error: unknown, code?: string): boolean {
  return isMarked(error) && (code === undefined || error.code === code)
}
