import type { OutputParser } from '@x/core-model'
import { component, type Fields, freeForm, nested, nullable, oneOf } from '@x/core-model/schemas'
import { Array as List, String as Text, Unsafe } from 'typebox'
import type { VariableFunction } from './variable-values.ts'

/** The fields of all prompt templates, in wire order. */
export const promptFields = {
  metadata: freeForm({ description: 'Data about the prompt; always contains prompt_type.' }),
  templateVars: List(Text(), { description: 'Variable names in order of occurrence, including duplicates.' }),
  kwargs: freeForm({
    json: false,
    description:
      'Stored values by variable name: strings, except those of Jinja templates and those that the template does not use.',
  }),
  outputParser: nested<OutputParser>({
    holds: ['parse', 'format', 'formatMessages'],
    required: false,
    description: 'Adds instructions to the formatted prompt.',
  }),
  templateVarMappings: nullable(
    Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    { description: 'Maps the name that callers use to the name in the template.' },
  ),
  functionMappings: nested<Readonly<Record<string, VariableFunction>>>({
    required: false,
    description: 'Maps a variable name to a function that computes its value from all values.',
  }),
}

export const BasePromptTemplate = component('BasePromptTemplate', 'The base of all prompt templates.', promptFields, {
  className: null,
})

/** Returns the schema of a prompt template: the common fields, then its own. The class declares the constructor options. */
export function promptTemplate<const F extends Fields>(title: string, description: string, fields: F) {
  return component(title, description, fields, { extends: BasePromptTemplate, options: 'own' })
}

/** The field of templates whose text this package parses. */
export const templateFormat = nullable(oneOf(['literal']), {
  extension: true,
  description: 'literal: only {name} with a declared name is a variable.',
})
