/**
 * @module
 * Messages, nodes, contracts, components and callbacks of retrieval and agents, and the names of `@x/core`.
 */
export * from '@x/core'
export type { CallbackHandler, EventOutcome } from './callbacks/callback-handler.ts'
export { type EventPayload, type EventType, eventTypes } from './callbacks/callback-handler.ts'
export {
  type CallbackEvent,
  CallbackManager,
  type EventOptions,
  withEvent,
  withTrace,
} from './callbacks/callback-manager.ts'
export { chatTokens, defaultImageTokens } from './chat-tokens.ts'
export type { CrossEncoder } from './contracts/cross-encoder.ts'
export type { Durable, Json } from './contracts/durable.ts'
export type { EmbeddingModel, EmbedOptions, Tokenizer } from './contracts/embedding.ts'
export type { EventPayloads } from './contracts/event-payloads.ts'
export type {
  BaseLLM,
  CallOptions,
  CompleteOptions,
  ModelToolChoice,
  PredictingLLM,
  PromptFormatOptions,
  PromptLike,
  ResponseFormat,
  ToolDefinition,
} from './contracts/llm.ts'
export type { BaseMemory, ConversationRef } from './contracts/memory.ts'
export { BaseOutputParser, type OutputParser } from './contracts/output-parser.ts'
export type {
  NodesPostprocessor,
  ObjectRetrieveOptions,
  ObjectRetriever,
  QueryEngine,
  QueryEngineOptions,
} from './contracts/retrieval.ts'
export type { AnswerCache, DocumentStore } from './contracts/stores.ts'
export {
  type TaskBlobs,
  type TaskFacts,
  type TaskFilter,
  type TaskStore,
  type TaskSummary,
  taskFacts,
} from './contracts/task-store.ts'
export type { ToolDescription, ToolLike } from './contracts/tool.ts'
export { ToolOutput } from './contracts/tool-output.ts'
export { estimateTokens } from './count-tokens.ts'
export {
  EmbeddingDimensionError,
  meanAgg,
  type SimilarityMode,
  similarity,
  similarityModes,
} from './embedding/similarity.ts'
export type { ChatMessageOptions } from './generated/chat-message.ts'
export type { ImageNodeFields } from './generated/image-node.ts'
export type { TextNodeOptions } from './generated/text-node.ts'
export { groupTurns, isOldTurn } from './memory/turns-as-messages.ts'
export {
  AnswerBuilder,
  deltasOf,
  type FurtherPart,
  type StreamDeltas,
  type ToolCallDelta,
} from './messages/answer-builder.ts'
export { type ChatInput, ChatMessage } from './messages/chat-message.ts'
export type { ChatList, ChatListOptions, ChatStore, ListedChat, SyncChatStore } from './messages/chat-store.ts'
export { ChatStoreError, checkChatArguments } from './messages/chat-store.ts'
export {
  type ContentPart,
  type FilePart,
  type ImagePart,
  isFilePart,
  isImagePart,
  isReasoningPart,
  isTextPart,
  type MessageContent,
  type MessagePart,
  type ProviderPart,
  type ReasoningPart,
  type SourcePart,
  type StoredPart,
  type TextPart,
  type ToolCallPart,
} from './messages/content-part.ts'
export {
  type MessageLike,
  type ModelToolCall,
  messageText,
  reasoningOf,
  toolCallsOf,
} from './messages/message-content.ts'
export { messageParts, partsText } from './messages/message-parts.ts'
export { type MessageRole, messageRoles } from './messages/message-role.ts'
export { messagesToHistoryStr, messagesToPrompt, promptToMessages } from './messages/render-messages.ts'
export {
  addUsage,
  type FinishReason,
  finishReasonOf,
  type TokenUsage,
  type TokenUsageRecord,
  usageOf,
  usageRecord,
} from './messages/response-metadata.ts'
export {
  ChatResponse,
  CompletionResponse,
  chatToCompletionResponse,
  completionToChatResponse,
  LLMMetadata,
} from './messages/responses.ts'
export { SimpleChatStore } from './messages/simple-chat-store.ts'
export type {
  CallMark,
  DecidedCall,
  DecideTurns,
  MessagesBefore,
  Turn,
  TurnChange,
  TurnMarks,
  TurnState,
  TurnStore,
  TurnUsage,
} from './messages/turn-store.ts'
export { type MetadataMode, metadataModes, NodeRelationship, ObjectType } from './nodes/codes.ts'
export { Document, type EmbedchainDocument } from './nodes/document.ts'
export { ImageDocument, ImageNode } from './nodes/image-node.ts'
export { IndexNode, jsonToDoc, nodeClasses } from './nodes/index-node.ts'
export {
  EmbeddingNotSetError,
  ImageNotSetError,
  NodeNotFoundError,
  RelationshipShapeError,
  ScoreNotSetError,
  UnknownNodeTypeError,
} from './nodes/node-errors.ts'
export { docToJson, isNode, type NodeRecord } from './nodes/node-record.ts'
export { NodeWithScore } from './nodes/node-with-score.ts'
export { QueryBundle } from './nodes/query-bundle.ts'
export { RelatedNodeInfo } from './nodes/related-node-info.ts'
export { TextNode } from './nodes/text-node.ts'
export type { Platform } from './platform-module.ts'
export type { ComponentInputKeys } from './query-component/check-keys.ts'
export { ComponentInputError, ComponentOutputError } from './query-component/check-keys.ts'
export { inputText } from './query-component/input-text.ts'
export {
  BaseComponent,
  DefinedComponent,
  type QueryComponent,
  type RunComponentOptions,
} from './query-component/query-component.ts'
export { isRetryable, type RepeatOptions, type RetryAttempt } from './retry-policy.ts'
export { requestSecrets, withoutSecrets } from './secrets.ts'
export { escapeTemplate, MissingVariableError, TemplateSyntaxError } from './template-text/template-text.ts'
