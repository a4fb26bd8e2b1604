import type { OutputParser } from '@x/core-model'
import { component, type Fields, freeForm, nested, nullable, oneOf } from '@x/core-model/schemas'
import { Array as List, String as Text, Unsafe } from 'typebox'
import type { VariableFunction } from './variable-values.ts'

/** The fields of every prompt template, in wire order. */
export const promptFields = {
  metadata: freeForm({ description: 'Data about the prompt; always holds prompt_type.' }),
  templateVars: List(Text(), { description: 'Variable names in order of occurrence, with repeats.' }),
  kwargs: Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Stored values by variable name.',
  }),
  outputParser: nested<OutputParser>({
    holds: ['parse', 'format', 'formatMessages'],
    required: false,
    description: 'Adds instructions to the filled prompt.',
  }),
  templateVarMappings: nullable(
    Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    { description: 'Name that callers use → name in the template.' },
  ),
  functionMappings: nested<Readonly<Record<string, VariableFunction>>>({
    required: false,
    description: 'Variable name → function of all values that gives its text.',
  }),
}

export const BasePromptTemplate = component(
  'BasePromptTemplate',
  'What all prompt templates have in common.',
  promptFields,
  {
    className: null,
  },
)

/** The schema of a prompt template: its own fields after those of all. The class declares its options itself. */
export function promptTemplate<const F extends Fields>(title: string, description: string, fields: F) {
  return component(title, description, fields, { extends: BasePromptTemplate, options: 'own' })
}

/** The fields of templates whose text is ours to read. */
export const templateFormat = nullable(oneOf(['literal']), {
  extension: true,
  description: 'literal: only {name} of a declared name is a placeholder.',
})
