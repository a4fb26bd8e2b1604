/**
 * @module
 * The errors of the postprocessors. Each has a stable `code`; recognize one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** The base class of the errors of this package. */
export class PostprocessorError extends ToolkitError {
  /** The class that found the fault; a function of this package is named by itself. */
  readonly className: string

  constructor(name: string, code: string, className: string, message: string, options?: ToolkitErrorOptions) {
    super(name, code, `${className}: ${message}`, options)
    this.className = className
  }
}

/** Both `queryBundle` and `queryStr` were given. */
export class ConflictingQueryError extends PostprocessorError {
  constructor(className: string) {
    super('ConflictingQueryError', 'conflicting_query', className, 'pass queryBundle or queryStr, not both.')
  }
}

/** The class works on a query and none was given, or an empty one that has to be embedded. */
export class MissingQueryError extends PostprocessorError {
  constructor(className: string, message = 'a query is needed; pass queryBundle or queryStr.') {
    super('MissingQueryError', 'missing_query', className, message)
  }
}

/** The model was asked for a direction and named none. */
export class InvalidPredictionError extends PostprocessorError {
  /** What the model answered. */
  readonly answer: string

  constructor(className: string, answer: string) {
    super(
      'InvalidPredictionError',
      'invalid_prediction',
      className,
      'the answer names neither PREVIOUS nor NEXT nor NONE.',
    )
    this.answer = answer
  }
}

/** A line of a choice answer has not the form `Doc: <number>, Relevance: <number>`, or a whole answer chooses nothing. Only when asked to be strict. */
export class ChoiceParseError extends PostprocessorError {
  /** The line or answer, as the model wrote it. */
  readonly line: string

  constructor(line: string, reason: string, className = 'defaultParseChoiceSelectAnswerFn') {
    super('ChoiceParseError', 'choice_parse', className, `${reason}; expected "Doc: <number>, Relevance: <number>".`)
    this.line = line
  }
}

/** A metadata entry that is needed is absent or null. */
export class MissingMetadataError extends PostprocessorError {
  readonly nodeId: string
  readonly key: string

  constructor(className: string, nodeId: string, key: string) {
    super('MissingMetadataError', 'missing_metadata', className, `node "${nodeId}" has no metadata entry "${key}".`)
    this.nodeId = nodeId
    this.key = key
  }
}

/** A date entry cannot be read. */
export class InvalidDateError extends PostprocessorError {
  readonly nodeId: string
  /** What stands in the metadata. */
  readonly value: unknown

  constructor(className: string, nodeId: string, key: string, value: unknown) {
    super(
      'InvalidDateError',
      'invalid_date',
      className,
      `metadata "${key}" of node "${nodeId}" is no date that can be read.`,
    )
    this.nodeId = nodeId
    this.value = value
  }
}

/** A metadata entry has another type than the class works with. */
export class InvalidMetadataError extends PostprocessorError {
  readonly nodeId: string
  readonly key: string

  constructor(className: string, nodeId: string, key: string, expected: string) {
    super(
      'InvalidMetadataError',
      'invalid_metadata',
      className,
      `metadata "${key}" of node "${nodeId}": expected ${expected}.`,
    )
    this.nodeId = nodeId
    this.key = key
  }
}

/** No sentence of a node passes the threshold. */
export class ZeroSentencesError extends PostprocessorError {
  readonly nodeId: string

  constructor(className: string, nodeId: string) {
    super(
      'ZeroSentencesError',
      'zero_sentences',
      className,
      `no sentence of node "${nodeId}" passes the threshold; lower it, or set onEmpty.`,
    )
    this.nodeId = nodeId
  }
}

/** The answer of the masking model has no readable mapping. */
export class PiiParseError extends PostprocessorError {
  /** What the model answered; holds the original data. */
  readonly answer: string

  constructor(className: string, answer: string, reason: string) {
    super('PiiParseError', 'pii_parse', className, `the answer ${reason}.`)
    this.answer = answer
  }
}

/** A reranking model returned another number of scores than texts, or a score that is no finite number. */
export class RerankScoreError extends PostprocessorError {
  constructor(className: string, message: string) {
    super('RerankScoreError', 'rerank_score', className, message)
  }
}

/** A model was not given, or a part of the runtime is not there. The message says what to pass or install. */
export class MissingDependencyError extends PostprocessorError {
  constructor(className: string, message: string) {
    super('MissingDependencyError', 'missing_dependency', className, message)
  }
}
