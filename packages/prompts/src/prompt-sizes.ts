import { type BaseLLM, EmptyInputError, parseTemplate } from '@x/core-model'
import type { BasePromptTemplate } from './base-prompt-template.ts'

/** The variable names of a template's text, in order of occurrence, with repeats. @throws {TemplateSyntaxError} */
export function getTemplateVars(template: string): string[] {
  return [...parseTemplate(template).names]
}

/** The prompt with every variable that has no value set to empty text; stored values, functions and parser apply. */
export function getEmptyPromptTxt(prompt: BasePromptTemplate): string {
  const given = new Set([...Object.keys(prompt.kwargs), ...Object.keys(prompt.functionMappings ?? {})])
  const callerNames = new Map(Object.entries(prompt.templateVarMappings ?? {}).map(([caller, name]) => [name, caller]))
  const names = prompt.templateVars.map((name) => callerNames.get(name) ?? name).filter((name) => !given.has(name))
  return prompt.format(Object.fromEntries(names.map((name) => [name, ''])))
}

/** The prompt whose emptied text has most characters; the first one of equals. @throws {EmptyInputError} for none. */
export function getBiggestPrompt<P extends BasePromptTemplate>(prompts: readonly P[]): P {
  if (prompts.length === 0) throw new EmptyInputError('getBiggestPrompt: at least one prompt is needed.')
  const sizes = prompts.map((prompt) => [...getEmptyPromptTxt(prompt)].length)
  return prompts[sizes.indexOf(Math.max(...sizes))]!
}

/** Whether a model takes chat messages; for the conditions of selectors. */
export function isChatModel(llm: BaseLLM): boolean {
  return llm.metadata.isChatModel
}
