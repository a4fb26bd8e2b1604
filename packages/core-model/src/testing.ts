/**
 * @module
 * Test doubles of the contracts of this package. Entry `@x/core-model/testing`; those of models are in `@x/llm/testing`.
 */
export { MapDocumentStore } from './testing/map-document-store.ts'
export { type RecordedEvent, RecordingCallbackHandler } from './testing/recording-callback-handler.ts'
export { UnexpectedCallError } from './testing/unexpected-call-error.ts'
