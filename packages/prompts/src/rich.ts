/**
 * @module
 * Prompts in Jinja syntax, as newer versions of LlamaIndex for Python write them: entry `@x/prompts/rich`.
 */
export { RichPromptTemplate, type RichPromptTemplateOptions } from './rich/rich-prompt-template.ts'
export type { RichVariables } from './rich/rich-variables.ts'
