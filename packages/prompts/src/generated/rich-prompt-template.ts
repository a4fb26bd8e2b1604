// Generated from the schema of the model by x-codegen. Do not edit.
import { BasePromptTemplate } from '../base-prompt-template.ts'
import type { BasePromptTemplateFields } from './base-prompt-template.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link RichPromptTemplate}. */
export interface RichPromptTemplateFields extends BasePromptTemplateFields {
  /** The Jinja template. */
  templateStr: string
  /** What a variable without a value is where its value is needed: an error, or an empty string as in Python. @defaultValue 'throw' */
  onMissing: 'throw' | 'empty'
}

declare abstract class Declared extends BasePromptTemplate {
  constructor(options: object)
}
interface Declared extends RichPromptTemplateFields {}

/** The typed base class of {@link RichPromptTemplate}. */
export const RichPromptTemplateModel = /* @__PURE__ */ modelOf<typeof Declared>(BasePromptTemplate, {
  name: 'RichPromptTemplate',
  description: 'A Jinja template with variables.',
  className: 'RichPromptTemplate',
  fields: {
    templateStr: { schema: { type: 'string', description: 'The Jinja template.' }, required: true },
    onMissing: { schema: { type: 'string', enum: ['throw', 'empty'], description: 'What a variable without a value is where its value is needed: an error, or an empty string as in Python.' }, default: 'throw', extension: true },
  },
})
