/**
 * @module
 * Prompt templates: format named variables to a string or to chat messages.
 */
export {
  BasePromptTemplate,
  isPromptTemplate,
  type PromptOptions,
  type PromptType,
  promptTypes,
} from './base-prompt-template.ts'
export { ChatPromptTemplate, type ChatPromptTemplateOptions } from './chat-prompt-template.ts'
export {
  choiceSelectPrompt,
  insertPrompt,
  keywordExtractPrompt,
  queryKeywordExtractPrompt,
  rankGptRerankPrompt,
  refineChatPrompt,
  refinePrompt,
  refineSelector,
  refineTableChatPrompt,
  refineTablePrompt,
  refineTableSelector,
  simpleInputPrompt,
  summaryPrompt,
  textQaChatPrompt,
  textQaPrompt,
  textQaSelector,
  treeSelectMultiplePrompt,
  treeSelectPrompt,
  treeSummarizeChatPrompt,
  treeSummarizePrompt,
  treeSummarizeSelector,
} from './default-prompts.ts'
export { dotPrompt } from './dot-prompt.ts'
export {
  type DotPromptFile,
  readDotPrompt,
  writeDotPrompt,
} from './dot-prompt-file.ts'
export { ForeignLLMRequiredError, InvalidVariableError, PromptKeyError } from './errors.ts'
export { type ForeignPrompt, ForeignPromptTemplate, type ForeignSelector } from './foreign-prompt-template.ts'
export { formatMessagesWithSources, formatWithSources } from './format-with-sources.ts'
export { langChainPrompt } from './langchain-prompt.ts'
export {
  type FewShotMessages,
  fewShot,
  history,
  type MessagesPlaceholder,
  type PromptMessageLike,
  type StoredPlaceholder,
} from './message-placeholders.ts'
export { getPrompts, type HasPrompts, type PromptDict, PromptMixin, updatePrompts } from './prompt-mixin.ts'
export { getBiggestPrompt, getEmptyPromptTxt, getTemplateVars, isChatModel } from './prompt-sizes.ts'
export { PromptTemplate, type PromptTemplateOptions } from './prompt-template.ts'
export { readPrompt } from './read-prompt.ts'
export {
  type Conditional,
  promptClasses,
  SelectorPromptTemplate,
} from './selector-prompt-template.ts'
export type { SourcedMessage, SourcedText, SourceSpan } from './source-map.ts'
export type { VariableFunction, Variables } from './variable-values.ts'
