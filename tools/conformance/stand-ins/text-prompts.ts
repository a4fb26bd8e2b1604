/** Prompts that a case writes as their templates alone. */
import { type BasePromptTemplate, PromptTemplate } from '@x/prompts'

/** Returns a text prompt for each template. */
export function textPrompts(templates: Readonly<Record<string, string>>): Record<string, BasePromptTemplate> {
  return Object.fromEntries(Object.entries(templates).map(([key, template]) => [key, new PromptTemplate({ template })]))
}

/** Returns the template of each prompt. */
export function templatesOf(prompts: Readonly<Record<string, BasePromptTemplate>>): Record<string, string> {
  return Object.fromEntries(Object.entries(prompts).map(([key, prompt]) => [key, prompt.getTemplate()]))
}
