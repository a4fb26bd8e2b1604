import { freeForm, nested, nullable, oneOf } from '@x/core-model/schemas'
import { Array as List, String as Text, Unsafe } from 'typebox'

/** The fields of every prompt template, in wire order. */
export const promptFields = {
  metadata: freeForm({ description: 'Data about the prompt; always holds prompt_type.' }),
  templateVars: List(Text(), { description: 'Variable names in order of occurrence, with repeats.' }),
  kwargs: Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Stored values by variable name.',
  }),
  outputParser: nested({
    type: 'OutputParser',
    imports: { OutputParser: '@x/core-model' },
    holds: ['parse', 'format', 'formatMessages'],
    required: false,
    description: 'Adds instructions to the filled prompt.',
  }),
  templateVarMappings: nullable(
    Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    { description: 'Name that callers use → name in the template.' },
  ),
  functionMappings: nested({
    type: 'Readonly<Record<string, VariableFunction>>',
    imports: { VariableFunction: './variable-values.ts' },
    required: false,
    description: 'Variable name → function of all values that gives its text.',
  }),
}

/** The fields of templates whose text is ours to read. */
export const templateFormat = nullable(oneOf(['literal']), {
  extension: true,
  description: 'literal: only {name} of a declared name is a placeholder.',
})
