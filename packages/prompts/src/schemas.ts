/**
 * @module
 * Live TypeBox schemas of the prompt templates: entry `@x/prompts/schemas`.
 */
export {
  BasePromptTemplate,
  ChatPromptTemplate,
  ForeignPromptTemplate,
  PromptTemplate,
  promptFields,
  promptTemplate,
} from './prompt-templates.schema.ts'
export { RichPromptTemplate } from './rich/rich-prompt-template.schema.ts'
export { SelectorPromptTemplate } from './selector-prompt-template.schema.ts'
