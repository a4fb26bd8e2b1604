import { type BaseLLM, EmptyInputError } from '@x/core-model'
import { parseTemplate } from '@x/core-model/internal'
import type { BasePromptTemplate } from './base-prompt-template.ts'

/** The variable names of a template's text, in order of occurrence, with repeats. @throws {TemplateSyntaxError} */
export function getTemplateVars(template: string): string[] {
  return [...parseTemplate(template).names]
}

/** The prompt with every variable that has no value set to empty text; stored values, functions and parser apply. */
export function getEmptyPromptTxt(prompt: BasePromptTemplate): string {
  return prompt.format(Object.fromEntries(prompt.requiredNames().map((name) => [name, ''])))
}

/** The prompt whose emptied text has most characters; the first one of equals. @throws {EmptyInputError} for none. */
export function getBiggestPrompt<P extends BasePromptTemplate>(prompts: readonly P[]): P {
  if (prompts.length === 0) throw new EmptyInputError('getBiggestPrompt: at least one prompt is needed.')
  let biggest = prompts[0]!
  let most = -1
  for (const prompt of prompts) {
    const { length } = [...getEmptyPromptTxt(prompt)]
    if (length > most) [biggest, most] = [prompt, length]
  }
  return biggest
}

/** Whether a model takes chat messages; for the conditions of selectors. */
export function isChatModel(llm: BaseLLM): boolean {
  return llm.metadata.isChatModel
}
