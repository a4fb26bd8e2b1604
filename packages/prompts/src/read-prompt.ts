import { invalid } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'
import { type Dict, type ReadOptions, UnknownClassNameError } from '@x/core-model'
import { type BasePromptTemplate, isPromptTemplate } from './base-prompt-template.ts'
import { promptClasses } from './selector-prompt-template.ts'

/**
 * Reads a prompt whose class is not known, such as one of a configuration: by its `class_name` or, as LlamaIndex for Python writes none, by
 * its keys. `overrides` are constructor options with live objects, such as `outputParser`. For a prompt in Jinja, put
 * `RichPromptTemplate` into the registry of `options`.
 * @throws {UnknownClassNameError} for a class that is neither a prompt of this package nor a prompt of the registry.
 * @throws {ModelValidationError} for invalid data.
 * @example
 * readPrompt({ message_templates: [{ role: 'user', content: 'Hi {name}' }] }).formatMessages({ name: 'Ada' }).map(String) // => ['user: Hi Ada']
 */
export function readPrompt(
  data: Readonly<Dict>,
  overrides: Readonly<Dict> = {},
  options: ReadOptions = {},
): BasePromptTemplate {
  if (!isPlainObject(data)) throw invalid('readPrompt', 'an object', data, ['data'])
  const { classes, unnamed } = promptClasses()
  const named = data['class_name'] ?? unnamed!(data)
  const found =
    typeof named === 'string'
      ? (classes.find((known) => known.className() === named) ?? options.registry?.get(named))
      : unnamed!(data)
  const prompt = typeof found === 'function' ? found.fromDict(data, { ...overrides }, options) : null
  if (isPromptTemplate(prompt)) return prompt
  throw new UnknownClassNameError('readPrompt', typeof named === 'string' ? named : null)
}
