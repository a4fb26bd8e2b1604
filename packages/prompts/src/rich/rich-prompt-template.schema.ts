import { oneOf } from '@x/core-model/schemas'
import { String as Text } from 'typebox'
import { promptTemplate } from '../prompt-templates.schema.ts'

export const RichPromptTemplate = promptTemplate('RichPromptTemplate', 'A Jinja template with variables.', {
  templateStr: Text({ description: 'The Jinja template.' }),
  onMissing: oneOf(['throw', 'empty'], {
    extension: true,
    default: 'throw',
    description:
      'What a variable without a value is where its value is needed: an error, or an empty string as in Python.',
  }),
})
