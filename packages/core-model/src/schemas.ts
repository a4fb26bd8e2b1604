/**
 * @module
 * The TypeBox schemas of this package's models, and functions for your own schemas. Entry `@x/core-model/schemas`.
 */

export { ToolOutput } from './contracts/tool-output.schema.ts'
export {
  anything,
  type ComponentOptions,
  component,
  type FieldAnnotations,
  type Fields,
  freeForm,
  type HeldAnnotations,
  live,
  nested,
  nullable,
  oneOf,
  record,
  textList,
  typedData,
} from './define.ts'
export { BaseEmbedding, embeddingFields } from './embedding/base-embedding.schema.ts'
export { checkedSchema, modelSpec } from './field-specs.ts'
export { LLM, llmFields } from './llm/llm.schema.ts'
export { ChatMessage } from './messages/chat-message.schema.ts'
export { ChatResponse, CompletionResponse, LLMMetadata } from './messages/responses.schema.ts'
export { Document } from './nodes/document.schema.ts'
export { ImageDocument, ImageNode } from './nodes/image-node.schema.ts'
export { IndexNode } from './nodes/index-node.schema.ts'
export { NodeWithScore } from './nodes/node-with-score.schema.ts'
export { QueryBundle } from './nodes/query-bundle.schema.ts'
export { RelatedNodeInfo } from './nodes/related-node-info.schema.ts'
export { TextNode } from './nodes/text-node.schema.ts'
