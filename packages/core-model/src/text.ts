/**
 * @module
 * Templates, tokens, sentences and the thinking of models in strings. Entry `@x/core-model/text`.
 */
export { countTokens } from './count-tokens.ts'
export { credentialForm } from './credential-form.ts'
export { type FilteredText, ThinkingFilter, withoutThinking } from './messages/thinking-blocks.ts'
export { strip } from './nodes/strip.ts'
export { valueText } from './nodes/value-text.ts'
export { segmentEdges } from './segment-edges.ts'
export { sentenceEnds } from './sentence-ends.ts'
export { fillTemplate, parseLiteralTemplate, parseTemplate, type TemplateParts } from './template-text/template-text.ts'
