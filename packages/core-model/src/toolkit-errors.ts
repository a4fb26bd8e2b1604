/**
 * @module
 * Recognizes the errors of the `@x` packages by their code.
 */

import type { EmbeddingDimensionError } from './embedding/similarity.ts'
import {
  type ChatStoreError,
  type ClassNameMismatchError,
  type ConfigurationError,
  type EmptyInputError,
  isMarked,
  type MissingVariableError,
  type ModelValidationError,
  type NotSupportedError,
  type SerializationError,
  type ToolkitError,
  type UnknownClassNameError,
} from './errors.ts'
import type { ModelCallError } from './llm/model-call-error.ts'
import type { StreamingParserError } from './llm/streaming-parser-error.ts'
import type {
  EmbeddingNotSetError,
  ImageNotSetError,
  NodeNotFoundError,
  RelationshipShapeError,
  ScoreNotSetError,
  UnknownNodeTypeError,
} from './nodes/node-errors.ts'
import type { ComponentInputError, ComponentOutputError } from './query-component/component-errors.ts'
import type { TemplateSyntaxError } from './template-text/template-text.ts'
import type { UnexpectedCallError } from './testing/unexpected-call-error.ts'

/**
 * The error class of each code. Every package adds its own errors. Other packages can add their subclasses of
 * `ToolkitError`: `declare module '@x/core-model' { interface ToolkitErrors { my_code: MyError } }`.
 */
export interface ToolkitErrors {
  chat_store: ChatStoreError
  class_name_mismatch: ClassNameMismatchError
  component_input: ComponentInputError
  component_output: ComponentOutputError
  configuration: ConfigurationError
  embedding_dimension: EmbeddingDimensionError
  embedding_not_set: EmbeddingNotSetError
  empty_input: EmptyInputError
  image_not_set: ImageNotSetError
  missing_variable: MissingVariableError
  model_call: ModelCallError
  model_validation: ModelValidationError
  node_not_found: NodeNotFoundError
  not_supported: NotSupportedError
  relationship_shape: RelationshipShapeError
  score_not_set: ScoreNotSetError
  serialization: SerializationError
  streaming_parser: StreamingParserError
  template_syntax: TemplateSyntaxError
  unexpected_call: UnexpectedCallError
  unknown_class_name: UnknownClassNameError
  unknown_node_type: UnknownNodeTypeError
}

/**
 * Whether `error` is an error of the `@x` packages and, with `code`, whether it has that code. Narrows the type.
 * Works when several copies of a package are installed, where `instanceof` does not.
 * @example
 * try {
 *   parseTemplate('{unclosed')
 * } catch (error) {
 *   isToolkitError(error, 'template_syntax') && error.message.includes('{unclosed') // => true
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
