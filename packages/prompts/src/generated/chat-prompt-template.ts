// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { StoredPlaceholder } from '../message-placeholders.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { type ChatMessage, modelOf } from '@x/core-model'

/** The fields of {@link ChatPromptTemplate}. */
export interface ChatPromptTemplateFields extends BasePromptTemplateFields {
  /** The messages. {name} is a variable; {{ and }} are braces. */
  messageTemplates: ChatMessage[]
  /** literal: only {name} with a declared name is a variable. @defaultValue null */
  templateFormat: 'literal' | null
  /** The places for earlier messages and for examples; see history and fewShot. @defaultValue null */
  placeholders: StoredPlaceholder[] | null
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends ChatPromptTemplateFields {}

/** The typed base class of {@link ChatPromptTemplate}. */
export const ChatPromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'ChatPromptTemplate',
  description: 'A chat prompt with variables.',
  className: 'ChatPromptTemplate',
  fields: {
    messageTemplates: { schema: { type: 'array', items: { 'x-nested': true }, description: 'The messages. {name} is a variable; {{ and }} are braces.' }, required: true },
    templateFormat: { schema: { enum: ['literal', null], type: ['string', 'null'], description: 'literal: only {name} with a declared name is a variable.' }, extension: true },
    placeholders: { schema: { items: { type: 'object' }, type: ['array', 'null'], description: 'The places for earlier messages and for examples; see history and fewShot.' }, extension: true },
  },
})
