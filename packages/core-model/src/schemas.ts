/**
 * @module
 * Live TypeBox schemas of this package's models, and the words to write own ones: entry `@x/core-model/schemas`.
 */

export { ToolOutput } from './contracts/tool-output.schema.ts'
export {
  anything,
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
} from './define.ts'
export { BaseEmbedding, embeddingFields } from './embedding/base-embedding.schema.ts'
export { LLM, llmFields } from './llm/llm.schema.ts'
export { ChatMessage, ChatResponse, CompletionResponse, LLMMetadata } from './messages/messages.schema.ts'
export {
  Document,
  ImageDocument,
  ImageNode,
  IndexNode,
  NodeWithScore,
  QueryBundle,
  RelatedNodeInfo,
  TextNode,
} from './nodes/nodes.schema.ts'
