/**
 * @module
 * Live TypeBox schemas of the prompt templates: entry `@x/prompts/schemas`.
 */
export { BasePromptTemplate, promptFields, promptTemplate } from './base-prompt-template.schema.ts'
export { ChatPromptTemplate } from './chat-prompt-template.schema.ts'
export { ForeignPromptTemplate } from './foreign-prompt-template.schema.ts'
export { PromptTemplate } from './prompt-template.schema.ts'
export { RichPromptTemplate } from './rich/rich-prompt-template.schema.ts'
export { SelectorPromptTemplate } from './selector-prompt-template.schema.ts'
