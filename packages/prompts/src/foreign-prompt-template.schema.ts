import { component, nested } from '@x/core-model/schemas'
import { Boolean as Bool } from 'typebox'
import { promptFields } from './base-prompt-template.schema.ts'

export const ForeignPromptTemplate = component('ForeignPromptTemplate', 'A prompt object of another framework.', {
  ...promptFields,
  selector: nested({
    type: 'ForeignSelector',
    imports: { ForeignSelector: './foreign-prompt-template.ts' },
    required: false,
    description: 'The foreign prompts: a default one and conditional ones.',
  }),
  requiresForeignLlm: Bool({ description: 'A model that wraps no foreign model is refused.', default: false }),
})
