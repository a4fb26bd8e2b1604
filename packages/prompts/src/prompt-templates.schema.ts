import type { ChatMessage, ChatMessageOptions, OutputParser } from '@x/core-model'
import { component, type Fields, freeForm, nested, nullable, oneOf, typedData } from '@x/core-model/schemas'
import { Boolean as Bool, Array as List, String as Text, Unsafe } from 'typebox'
import type { ForeignSelector } from './foreign-prompt-template.ts'
import type { StoredPlaceholder } from './message-placeholders.ts'
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
const templateFormat = nullable(oneOf(['literal']), {
  extension: true,
  description: 'literal: only {name} with a declared name is a variable.',
})

export const PromptTemplate = promptTemplate('PromptTemplate', 'A prompt of one string with variables.', {
  template: Text({ description: 'The template. {name} is a variable; {{ and }} are braces.' }),
  templateFormat,
})

export const ChatPromptTemplate = promptTemplate('ChatPromptTemplate', 'A chat prompt with variables.', {
  messageTemplates: List(nested<ChatMessage, ChatMessageOptions>({}), {
    description: 'The messages. {name} is a variable; {{ and }} are braces.',
  }),
  templateFormat,
  placeholders: typedData<StoredPlaceholder[] | null, readonly StoredPlaceholder[]>(
    nullable(List(Unsafe({ type: 'object' })), {
      extension: true,
      description: 'The places for earlier messages and for examples; see history and fewShot.',
    }),
  ),
})

export const ForeignPromptTemplate = promptTemplate('ForeignPromptTemplate', 'A prompt of another framework.', {
  selector: nested<ForeignSelector>({
    required: false,
    description: 'The foreign prompts: the default prompt and conditional prompts.',
  }),
  requiresForeignLlm: Bool({ description: 'Whether a model must wrap a foreign model.', default: false }),
})
