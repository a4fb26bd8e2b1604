/**
 * @module
 * Prompt templates: named variables in, a text or chat messages out.
 */
export { BasePromptTemplate, isPromptTemplate, type PromptOptions } from './base-prompt-template.ts'
export {
  ChatPromptTemplate,
  type ChatPromptTemplateOptions,
  type MessageTemplate,
  type NamesInMessages,
} from './chat-prompt-template.ts'
export { ForeignLLMRequiredError, InvalidVariableError, PromptKeyError } from './errors.ts'
export {
  type ForeignPrompt,
  ForeignPromptTemplate,
  type ForeignPromptTemplateOptions,
  type ForeignSelector,
  type WrapsForeignModel,
} from './foreign-prompt-template.ts'
export {
  getPrompts,
  type HasPrompts,
  type PromptDict,
  PromptMixin,
  type PromptModule,
  updatePrompts,
} from './prompt-mixin.ts'
export { getBiggestPrompt, getEmptyPromptTxt, getTemplateVars, isChatModel } from './prompt-sizes.ts'
export { PromptTemplate, type PromptTemplateOptions } from './prompt-template.ts'
export { type PromptType, promptTypes } from './prompt-type.ts'
export {
  type Conditional,
  SelectorPromptTemplate,
  type SelectorPromptTemplateOptions,
} from './selector-prompt-template.ts'
export type { SourcedMessage, SourcedText, SourceSpan } from './source-map.ts'
export type {
  CallerNames,
  FormatArguments,
  NamesIn,
  RequiredNames,
  TemplateValue,
  VariablesOf,
} from './template-variables.ts'
export type { VariableFunction, Variables } from './variable-values.ts'
