/**
 * @module
 * The errors of the postprocessors. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { type MetadataMode, ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** The base class of the errors of this package. */
export class PostprocessorError extends ToolkitError {
  /** The name of the class or function that throws. */
  readonly className: string

  constructor(name: string, code: string, className: string, message: string, options?: ToolkitErrorOptions) {
    super(name, code, `${className}: ${message}`, options)
    this.className = className
  }
}

/** Thrown when both `queryBundle` and `queryStr` are passed. Pass one of them. */
export class ConflictingQueryError extends PostprocessorError {
  constructor(className: string) {
    super('ConflictingQueryError', 'conflicting_query', className, 'pass either queryBundle or queryStr, not both.')
  }
}

/** Thrown when a required query is missing, or is empty and must be embedded. Pass `queryBundle` or `queryStr`, with text in it. */
export class MissingQueryError extends PostprocessorError {
  constructor(className: string, message = 'a query is required; pass queryBundle or queryStr.') {
    super('MissingQueryError', 'missing_query', className, message)
  }
}

/**
 * Thrown when the answer to a question for a direction contains none of the expected words. Make the prompt ask for one of these words,
 * or use a stronger model; `answer` is what it said.
 */
export class InvalidPredictionError extends PostprocessorError {
  /** The answer of the model. */
  readonly answer: string

  constructor(className: string, answer: string) {
    super(
      'InvalidPredictionError',
      'invalid_prediction',
      className,
      'expected an answer that contains PREVIOUS, NEXT or NONE.',
    )
    this.answer = answer
  }
}

/**
 * Thrown when a line of an answer does not have the form `Doc: <number>, Relevance: <number>`, or an answer chooses no document or cannot
 * be parsed. Only with the strict options `raiseError`, `onNoChoice: 'throw'` and `onUnreadable: 'throw'`.
 */
export class ChoiceParseError extends PostprocessorError {
  /** The line or the answer, as the model wrote it. */
  readonly line: string

  constructor(line: string, reason: string, className = 'defaultParseChoiceSelectAnswerFn') {
    super('ChoiceParseError', 'choice_parse', className, `${reason}; expected "Doc: <number>, Relevance: <number>".`)
    this.line = line
  }
}

/**
 * Thrown when a required metadata entry is missing or null. Set the entry where the node is made, or name another key in the options.
 */
export class MissingMetadataError extends PostprocessorError {
  readonly nodeId: string
  readonly key: string

  constructor(className: string, nodeId: string, key: string) {
    super('MissingMetadataError', 'missing_metadata', className, `node "${nodeId}" has no metadata entry "${key}".`)
    this.nodeId = nodeId
    this.key = key
  }
}

/** Thrown when the metadata entry with the date of a node cannot be parsed as a date. */
export class InvalidDateError extends PostprocessorError {
  readonly nodeId: string
  /** The value of the metadata entry. */
  readonly value: unknown

  constructor(className: string, nodeId: string, key: string, value: unknown) {
    super(
      'InvalidDateError',
      'invalid_date',
      className,
      `metadata "${key}" of node "${nodeId}": expected a date; see readDate for the accepted forms.`,
    )
    this.nodeId = nodeId
    this.value = value
  }
}

/** Thrown when a metadata entry has the wrong type. Correct the entry where the node is made, or name another key in the options. */
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

/** Thrown when no sentence of a node is above the threshold. */
export class ZeroSentencesError extends PostprocessorError {
  readonly nodeId: string

  constructor(className: string, nodeId: string) {
    super(
      'ZeroSentencesError',
      'zero_sentences',
      className,
      `no sentence of node "${nodeId}" is above thresholdCutoff; lower it, or set onEmpty.`,
    )
    this.nodeId = nodeId
  }
}

/**
 * Thrown when the mapping in the answer of the masking model is missing or invalid. Use a stronger model, or `NERPIINodePostprocessor`,
 * which asks none; `answer` is what the model said.
 */
export class PiiParseError extends PostprocessorError {
  /** The answer of the model. It may contain the original personal data. */
  readonly answer: string

  constructor(className: string, answer: string, reason: string) {
    super('PiiParseError', 'pii_parse', className, `the answer ${reason}.`)
    this.answer = answer
  }
}

/** Thrown when a node cannot be masked safely. The message does not contain the original data. */
export class PiiMaskingError extends PostprocessorError {
  /** The id of the node; null for a string. */
  readonly nodeId: string | null
  /**
   * `original_left`: a model would still receive an original. `original_in_tag`: the name that `tagName` returned contains the original.
   * `not_reversible`: unmasking does not return the original.
   */
  readonly reason: 'original_left' | 'original_in_tag' | 'not_reversible'
  /** The metadata mode of the content that still contains an original. */
  readonly mode: MetadataMode | null

  constructor(
    className: string,
    nodeId: string | null,
    reason: PiiMaskingError['reason'],
    mode: MetadataMode | null = null,
  ) {
    const what = nodeId === null ? 'the string' : `node "${nodeId}"`
    super(
      'PiiMaskingError',
      'pii_masking',
      className,
      {
        original_left: `${what}: an original is still in its content for mode "${mode}", such as in a template of the node.`,
        original_in_tag:
          'tagName returned a name that contains the original; return one that does not, such as that of keyedTags.',
        not_reversible: `${what}: unmasking does not return the original; use tags that cannot be confused with the text.`,
      }[reason],
    )
    this.nodeId = nodeId
    this.reason = reason
    this.mode = mode
  }
}

/**
 * Thrown when a reranking model returns a wrong number of scores, or a score that is not a finite number. Correct the reranking model:
 * it must return one finite number for each string.
 */
export class RerankScoreError extends PostprocessorError {
  constructor(className: string, message: string) {
    super('RerankScoreError', 'rerank_score', className, message)
  }
}

/** Thrown when a model or a feature of the runtime is missing. The message names the option to pass or the package to install. */
export class MissingDependencyError extends PostprocessorError {
  constructor(className: string, message: string, options?: ToolkitErrorOptions) {
    super('MissingDependencyError', 'missing_dependency', className, message, options)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    choice_parse: ChoiceParseError
    conflicting_query: ConflictingQueryError
    invalid_date: InvalidDateError
    invalid_metadata: InvalidMetadataError
    invalid_prediction: InvalidPredictionError
    missing_dependency: MissingDependencyError
    missing_metadata: MissingMetadataError
    missing_query: MissingQueryError
    pii_masking: PiiMaskingError
    pii_parse: PiiParseError
    rerank_score: RerankScoreError
    zero_sentences: ZeroSentencesError
  }
}
