import { nested } from '@x/core-model/schemas'
import { Boolean as Bool } from 'typebox'
import { promptTemplate } from './base-prompt-template.schema.ts'
import type { ForeignSelector } from './foreign-prompt-template.ts'

export const ForeignPromptTemplate = promptTemplate('ForeignPromptTemplate', 'A prompt object of another framework.', {
  selector: nested<ForeignSelector>({
    required: false,
    description: 'The foreign prompts: a default one and conditional ones.',
  }),
  requiresForeignLlm: Bool({ description: 'A model that wraps no foreign model is refused.', default: false }),
})
