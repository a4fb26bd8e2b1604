/**
 * @module
 * The TypeBox schemas of this package's models, and the functions of `@x/core/schemas`. Entry `@x/core-model/schemas`.
 */
export * from '@x/core/schemas'
export { ToolOutput } from './contracts/tool-output.schema.ts'
export { ChatMessage } from './messages/chat-message.schema.ts'
export { ChatResponse, CompletionResponse, LLMMetadata } from './messages/responses.schema.ts'
export { Document, ImageDocument, ImageNode, IndexNode, QueryBundle, TextNode } from './nodes/nodes.schema.ts'
export { NodeWithScore, RelatedNodeInfo } from './nodes/references.schema.ts'
