/**
 * @module
 * Functions for your own components: their inputs, events and calls of models. Entry `@x/core-model/components`.
 */
export { insideEvent } from './callbacks/callback-manager.ts'
export { type PostprocessorQuery, queryFor } from './contracts/retrieval.ts'
export { embedQueries, embedQuery } from './embedding/embed-query.ts'
export { chatMessages, isSystemMessage } from './messages/chat-message.ts'
export { hasImageFields } from './nodes/image-fields.ts'
export { checkInputKeys, checkOutputKeys } from './query-component/check-keys.ts'
export { asMessages, inputTextOrStream } from './query-component/input-text.ts'
export { causeWithoutSecrets } from './secrets.ts'
