/**
 * @module
 * Prompts in Jinja syntax, as newer versions of LlamaIndex for Python write them: entry `@x/prompts/rich`.
 */
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export { RichPromptTemplate, type RichPromptTemplateOptions } from './rich/rich-prompt-template.ts'
export type { RichVariables } from './rich/rich-variables.ts'
