import { checkOption, listOf, required, text as string } from '@x/core/options'
import { type BaseLLM, EmptyInputError } from '@x/core-model'
import { parseTemplate } from '@x/core-model/text'
import type { BasePromptTemplate } from './base-prompt-template.ts'

/** Returns the variable names in a template, in order of occurrence, including duplicates. @throws {TemplateSyntaxError} */
export function getTemplateVars(template: string): string[] {
  checkOption('getTemplateVars', 'template', template, required(string))
  return [...parseTemplate(template).names]
}

/** Formats a prompt with an empty string for each variable without a value. Stored values, functions and the parser are applied. */
export function getEmptyPromptTxt(prompt: BasePromptTemplate): string {
  checkOption('getEmptyPromptTxt', 'prompt', prompt, required('a prompt', 'format'))
  const { templateVars, functionMappings, kwargs } = prompt.select()
  const isEmpty = (name: string) => Object.hasOwn(functionMappings ?? {}, name) && !Object.hasOwn(kwargs, name)
  const names = [...prompt.requiredNames(), ...templateVars.filter(isEmpty)]
  return prompt.format(Object.fromEntries(names.map((name) => [name, ''])))
}

/** Returns the prompt with the longest text without values; the first of several. @throws {EmptyInputError} for an empty array. */
export function getBiggestPrompt<P extends BasePromptTemplate>(prompts: readonly P[]): P {
  checkOption('getBiggestPrompt', 'prompts', prompts, listOf('a prompt', 'format'))
  if (prompts.length === 0)
    throw new EmptyInputError('getBiggestPrompt: expected at least one prompt, received an empty array.')
  let biggest = prompts[0]!
  let most = -1
  for (const prompt of prompts) {
    const { length } = [...getEmptyPromptTxt(prompt)]
    if (length > most) [biggest, most] = [prompt, length]
  }
  return biggest
}

/** Whether a model is a chat model. A condition for selectors. */
export function isChatModel(llm: BaseLLM): boolean {
  checkOption('isChatModel', 'llm', llm, required('a model', 'metadata'))
  return llm.metadata.isChatModel
}
