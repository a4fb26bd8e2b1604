import { nested } from '@x/core-model/schemas'
import { promptTemplate } from './base-prompt-template.schema.ts'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import type { Conditional } from './selector-prompt-template.ts'

export const SelectorPromptTemplate = promptTemplate(
  'SelectorPromptTemplate',
  'A default template and conditional ones, chosen by the model.',
  {
    defaultTemplate: nested<BasePromptTemplate>({
      holds: ['format', 'formatMessages', 'getTemplate', 'partialFormat'],
      description: 'Taken when no condition holds.',
    }),
    conditionals: nested<readonly Conditional[]>({
      required: false,
      description: 'Conditions on the model with their templates; the first that holds wins.',
    }),
  },
)
