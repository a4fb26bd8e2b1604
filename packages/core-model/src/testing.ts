/**
 * @module
 * Test doubles. Entry `@x/core-model/testing`.
 */
export { MapDocumentStore } from './testing/map-document-store.ts'
export { type RecordedEvent, RecordingCallbackHandler } from './testing/recording-callback-handler.ts'
export {
  type RecordedCall,
  type ScriptedAnswer,
  ScriptedLLM,
  type ScriptedLLMOptions,
  type ScriptedPiece,
} from './testing/scripted-llm.ts'
export { TableEmbedding, type TableEmbeddingOptions, type TableEntry } from './testing/table-embedding.ts'
export { UnexpectedCallError } from './testing/unexpected-call-error.ts'
