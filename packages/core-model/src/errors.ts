/**
 * @module
 * The errors of all packages: one base class, a stable code each, recognized by a mark instead of `instanceof`.
 */

const mark = Symbol.for('@x/toolkit-error')

/** What an error may carry besides its message. */
export interface ToolkitErrorOptions {
  /** The error that led to this one. */
  cause?: unknown
}

/**
 * The base class of every error that a package of this family makes.
 * `code` never changes; `name` is the class name also after minification.
 * Errors of models, tools, parsers, callbacks and the file system pass through as they are and are no `ToolkitError`.
 * @example
 * try {
 *   new QueryBundle({ queryStr: 5 as never })
 * } catch (error) {
 *   isToolkitError(error, 'model_validation') // => true
 * }
 */
export class ToolkitError extends Error {
  /** The stable identifier of this kind of error, such as `model_validation`. */
  readonly code: string

  constructor(name: string, code: string, message: string, options?: ToolkitErrorOptions) {
    super(message, options)
    // Not enumerable, so that test runners and loggers show the data fields only.
    Object.defineProperties(this, {
      name: { value: name, configurable: true, writable: true },
      [mark]: { value: true },
    })
    this.code = code
  }

  /** Whether the same operation may succeed later. */
  get retryable(): boolean {
    return false
  }
}

/**
 * Tells whether `error` was made by a package of this family, and, with `code`, whether it is that kind.
 * Works when several copies of a package are installed, where `instanceof` does not.
 */
export function isToolkitError(error: unknown, code?: string): error is ToolkitError {
  if (typeof error !== 'object' || error === null || !(mark in error)) return false
  return code === undefined || (error as unknown as ToolkitError).code === code
}

/** One field that does not fit. */
export interface ValidationIssue {
  /** Where, in API names: `nodes[2].score`; empty for the value as a whole. */
  path: string
  /** What was expected and what kind of value came: `expected a number or null, got a string`. */
  message: string
  /** The kind of fault: `type`, `required`, `bound`, `enum` or another JSON Schema keyword. */
  code: string
}

/** `a` and `b[0]` as `a.b[0]`, `a` and `[0].b` as `a[0].b`. */
export function joinPath(path: string, rest: string): string {
  return path && rest && rest[0] !== '[' ? `${path}.${rest}` : path + rest
}

/** Values, JSON text, bytes or a content type that do not fit a model. Holds every failing field. */
export class ModelValidationError extends ToolkitError {
  /** All failing fields, in field order. */
  readonly issues: readonly ValidationIssue[]

  constructor(className: string, issues: readonly ValidationIssue[], options?: ToolkitErrorOptions) {
    const lines = issues.map(({ path, message }) => `${joinPath(className, path)}: ${message}.`)
    super('ModelValidationError', 'model_validation', lines.join('\n'), options)
    this.issues = issues
  }
}

/** Serialized data names another class than the one that reads it. */
export class ClassNameMismatchError extends ToolkitError {
  readonly expected: string
  readonly received: string

  constructor(expected: string, received: string) {
    super('ClassNameMismatchError', 'class_name_mismatch', `${expected}: the data is of class "${received}".`)
    this.expected = expected
    this.received = received
  }
}

/** Serialized data names a class that nobody registered. */
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

/** A value has no JSON form. `field` says where it stands. */
export class SerializationError extends ToolkitError {
  readonly field: string

  constructor(field: string, message: string, options?: ToolkitErrorOptions) {
    super('SerializationError', 'serialization', `${field}: ${message}.`, options)
    this.field = field
  }
}

/** A template needs variables that were not given. */
export class MissingVariableError extends ToolkitError {
  /** All missing names, in order of occurrence. */
  readonly variables: readonly string[]

  constructor(
    variables: readonly string[],
    message = `no value for ${variables.map((name) => `{${name}}`).join(', ')}`,
  ) {
    super('MissingVariableError', 'missing_variable', `Template: ${message}.`)
    this.variables = variables
  }
}

/** Nothing was given where at least one item is needed. */
export class EmptyInputError extends ToolkitError {
  constructor(message: string) {
    super('EmptyInputError', 'empty_input', message)
  }
}

/** The operation exists but not for this object. */
export class NotSupportedError extends ToolkitError {
  constructor(message: string) {
    super('NotSupportedError', 'not_supported', message)
  }
}

/** Options contradict each other, or a required part is missing. */
export class ConfigurationError extends ToolkitError {
  constructor(message: string, options?: ToolkitErrorOptions) {
    super('ConfigurationError', 'configuration', message, options)
  }
}

/** Data names another chat store than the one that reads it, or is no chat store at all. */
export class ChatStoreError extends ToolkitError {
  constructor(message: string) {
    super('ChatStoreError', 'chat_store', message)
  }
}
