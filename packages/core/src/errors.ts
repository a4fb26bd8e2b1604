/**
 * @module
 * The errors of all packages: one base class, a stable code each, recognized by a mark instead of `instanceof`.
 */

const mark = Symbol.for('@x/toolkit-error')

/** The address of the site of these packages, which `npm run rename` writes. */
export const siteAddress = 'https://x.example'

/** The options of {@link ToolkitError}. */
export interface ToolkitErrorOptions {
  /** The error that caused this one. */
  cause?: unknown
}

/**
 * The base class of all errors of the `@x` packages.
 * `code` never changes; `name` is the class name, also after minification.
 * Errors of models, tools, parsers, callbacks and the file system are thrown unchanged and are not `ToolkitError`s.
 * @example
 * try {
 *   writeJsonText({ date: new Date(0) })
 * } catch (error) {
 *   isToolkitError(error, 'serialization') // => true
 * }
 */
export class ToolkitError extends Error {
  /** The stable identifier of this kind of error, such as `model_validation`. */
  readonly code: string
  /**
   * The address of the page about the code. Node.js prints it with the error; it is not part of `message`, which models receive too.
   * The page has no codes of your own: a subclass with such a code sets another address.
   */
  readonly help: string

  constructor(name: string, code: string, message: string, options?: ToolkitErrorOptions) {
    super(message, options)
    // Not enumerable, so that test runners and loggers show only the data fields.
    Object.defineProperties(this, {
      name: { value: name, configurable: true, writable: true },
      [mark]: { value: true },
    })
    this.code = code
    this.help = `${siteAddress}/errors#${code}`
  }

  /** Whether the same operation may succeed later. */
  get retryable(): boolean {
    return false
  }
}

/** Whether a value has the mark of these errors. */
function isMarked(error: unknown): error is ToolkitError {
  return typeof error === 'object' && error !== null && mark in error
}

/** One invalid field. */
export interface ValidationIssue {
  /** The path of the field in API names: `nodes[2].score`; empty for the value as a whole. */
  path: string
  /** The expected value and the type of the value that was received: `expected a number or null, received a string`. */
  message: string
  /** The kind of issue: `type`, `required`, `bound`, `enum` or another JSON Schema keyword. */
  code: string
}

/** `a` and `b[0]` as `a.b[0]`, `a` and `[0].b` as `a[0].b`. */
export function joinPath(path: string, rest: string): string {
  return path && rest && rest[0] !== '[' ? `${path}.${rest}` : path + rest
}

/** Thrown when values, JSON text, bytes or a content type are not valid for a model. Contains every invalid field. */
export class ModelValidationError extends ToolkitError {
  /** All invalid fields, in field order. The message has the first 50. */
  readonly issues: readonly ValidationIssue[]

  constructor(className: string, issues: readonly ValidationIssue[], options?: ToolkitErrorOptions) {
    const most = 50
    const lines = issues.slice(0, most).map(({ path, message }) => `${joinPath(className, path)}: ${message}.`)
    if (issues.length > most) lines.push(`and ${issues.length - most} more.`)
    super('ModelValidationError', 'model_validation', lines.join('\n'), options)
    this.issues = issues
  }
}

/**
 * Thrown when serialized data names a class different from the one that reads it. Read the data with the class that it names, or with a
 * registry that contains it.
 */
export class ClassNameMismatchError extends ToolkitError {
  readonly expected: string
  readonly received: string

  constructor(expected: string, received: string) {
    super('ClassNameMismatchError', 'class_name_mismatch', `${expected}: the data is of class "${received}".`)
    this.expected = expected
    this.received = received
  }
}

/** Thrown when serialized data names a class that is not registered. */
export class UnknownClassNameError extends ToolkitError {
  readonly className: string | null

  constructor(where: string, className: string | null) {
    const what = className === null ? 'the data names no class' : `no class is registered for "${className}"`
    super(
      'UnknownClassNameError',
      'unknown_class_name',
      `${where}: ${what}; pass a registry that knows it, or the object itself in overrides.`,
    )
    this.className = className
  }
}

/** Thrown when a value has no JSON form. `field` is its path. */
export class SerializationError extends ToolkitError {
  readonly field: string

  constructor(field: string, message: string, options?: ToolkitErrorOptions) {
    super('SerializationError', 'serialization', `${field}: ${message}.`, options)
    this.field = field
  }
}

/** Thrown when an empty input must contain at least one item. Pass at least one item, or do not make the call. */
export class EmptyInputError extends ToolkitError {
  constructor(message: string) {
    super('EmptyInputError', 'empty_input', message)
  }
}

/** Thrown when a component cannot do what was asked. Use another method or class: the message names what is missing. */
export class NotSupportedError extends ToolkitError {
  constructor(message: string) {
    super('NotSupportedError', 'not_supported', message)
  }
}

/** Thrown when options contradict each other, or a required part is missing. Correct the options that the message names. */
export class ConfigurationError extends ToolkitError {
  constructor(message: string, options?: ToolkitErrorOptions) {
    super('ConfigurationError', 'configuration', message, options)
  }
}

/** Returns the message of any thrown value. An `AggregateError` without one has those of its errors. */
export function errorMessage(error: unknown): string {
  try {
    const { message, errors } = Object(error) as { message?: unknown; errors?: unknown }
    if (message === '' && Array.isArray(errors)) return errors.map((one) => Object(one).message ?? one).join('; ')
    return typeof message === 'string' ? message : String(error)
  } catch {
    return 'it has no message'
  }
}

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
