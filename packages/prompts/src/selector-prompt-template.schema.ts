import { component, nested } from '@x/core-model/schemas'
import { promptFields } from './base-prompt-template.schema.ts'

export const SelectorPromptTemplate = component(
  'SelectorPromptTemplate',
  'A default template and conditional ones, chosen by the model.',
  {
    ...promptFields,
    defaultTemplate: nested({
      type: 'BasePromptTemplate',
      imports: { BasePromptTemplate: './base-prompt-template.ts' },
      holds: ['format', 'formatMessages', 'getTemplate', 'partialFormat'],
      description: 'Taken when no condition holds.',
    }),
    conditionals: nested({
      type: 'readonly Conditional[]',
      imports: { Conditional: './selector-prompt-template.ts' },
      required: false,
      description: 'Conditions on the model with their templates; the first that holds wins.',
    }),
  },
)
