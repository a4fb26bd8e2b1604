import { nested } from '@x/core-model/schemas'
import { Boolean as Bool } from 'typebox'
import { promptTemplate } from './base-prompt-template.schema.ts'
import type { ForeignSelector } from './foreign-prompt-template.ts'

export const ForeignPromptTemplate = promptTemplate('ForeignPromptTemplate', 'A prompt of another framework.', {
  selector: nested<ForeignSelector>({
    required: false,
    description: 'The foreign prompts: the default prompt and conditional prompts.',
  }),
  requiresForeignLlm: Bool({ description: 'Whether a model must wrap a foreign model.', default: false }),
})
