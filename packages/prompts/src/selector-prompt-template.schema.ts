import { nested } from '@x/core-model/schemas'
import type { BasePromptTemplate } from './base-prompt-template.ts'
import { promptTemplate } from './prompt-templates.schema.ts'
import type { Conditional } from './selector-prompt-template.ts'

export const SelectorPromptTemplate = promptTemplate(
  'SelectorPromptTemplate',
  'A default template and conditional templates, selected by the model.',
  {
    defaultTemplate: nested<BasePromptTemplate>({
      holds: ['format', 'formatMessages', 'getTemplate', 'partialFormat'],
      description: 'Used if no condition is true.',
    }),
    conditionals: nested<readonly Conditional[]>({
      required: false,
      description: 'Conditions on the model with their templates; the first true condition is used.',
    }),
  },
)
