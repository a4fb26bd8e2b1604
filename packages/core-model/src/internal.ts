/**
 * @module
 * Helpers that the `@x` packages share. Not covered by semantic versioning: they may change or go in any release.
 */
export { anySignal, type Deadline, pause, raceAbort, untilAborted, withDeadline } from './abort.ts'
export { fromBase64, toBase64 } from './base64.ts'
export { insideEvent } from './callbacks/callback-manager.ts'
export { checkInteger, checkNumber, invalidOption } from './check-option.ts'
export { queryFor } from './contracts/nodes-postprocessor.ts'
export { countTokens } from './count-tokens.ts'
export { embedQueries, embedQuery } from './embedding/embed-query.ts'
export { errorMessage } from './error-message.ts'
export { joinPath } from './errors.ts'
export { lazy } from './lazy.ts'
export { causeWithoutSecrets } from './llm/secrets.ts'
export { mapConcurrently } from './map-concurrently.ts'
export { chatMessages } from './messages/chat-input.ts'
export { isSystemMessage } from './messages/chat-message.ts'
export { type DataUrl, readDataUrl } from './messages/data-url.ts'
export { ThinkingFilter, withoutThinking } from './messages/thinking-blocks.ts'
export { checkOf } from './model/check-value.ts'
export { checkJsonData } from './model/json-data.ts'
export { jsonTypes, numberBounds, schemaWords } from './model/json-schema-words.ts'
export { compactJson, parseExactly } from './model/json-text.ts'
export {
  arrayKeywords,
  type Keywords,
  type KeywordTest,
  keyOf,
  numberKeywords,
  stringKeywords,
  testsOf,
} from './model/keywords.ts'
export { deepCopy, deepEqual, isPlainObject, mapValues } from './model/plain.ts'
export { parseJson } from './model/read-text.ts'
export { kindOf, Report } from './model/report.ts'
export { toSnakeCase } from './model/snake-case.ts'
export { idSeries, newId } from './new-id.ts'
export { hasImageFields } from './nodes/image-node.ts'
export { sha256 } from './nodes/sha256.ts'
export { valueText } from './nodes/value-text.ts'
export { checkInputKeys, checkOutputKeys } from './query-component/check-keys.ts'
export { inputTextOrStream } from './query-component/input-text.ts'
export { atLeast, RetryPolicy } from './retry-policy.ts'
export { segmentEdges } from './segment-edges.ts'
export { sentenceEnds } from './sentence-ends.ts'
export { fillTemplate, parseLiteralTemplate, parseTemplate, type TemplateParts } from './template-text/template-text.ts'
