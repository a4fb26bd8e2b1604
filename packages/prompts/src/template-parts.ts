import { ModelValidationError } from '@x/core-model'
import { parseLiteralTemplate, parseTemplate, type TemplateParts } from '@x/core-model/text'

/** Options for parsing a template. */
export interface TemplateReading {
  templateFormat: 'literal' | null
  /** The declared variable names of a literal template. */
  declared: readonly string[]
}

/**
 * Validates the options for parsing.
 * @throws {ModelValidationError} for a literal template without declared names, or with a name that contains a brace.
 */
export function readingOf(className: string, templateFormat: unknown, templateVars: unknown): TemplateReading {
  if (templateFormat === undefined || templateFormat === null) return { templateFormat: null, declared: [] }
  const isName = (name: unknown) => typeof name === 'string' && /^[^{}]+$/.test(name)
  const declared = Array.isArray(templateVars) && templateVars.every(isName) ? templateVars : undefined
  if (templateFormat === 'literal' && declared) return { templateFormat, declared }
  throw new ModelValidationError(className, [
    templateFormat === 'literal'
      ? {
          path: 'templateVars',
          message: 'a literal template requires its variable names, as an array of strings without braces',
          code: 'required',
        }
      : { path: 'templateFormat', message: 'expected "literal" or null', code: 'enum' },
  ])
}

/** Parses a template. @throws {TemplateSyntaxError} */
export function readTemplate(
  template: string,
  { templateFormat, declared }: TemplateReading,
  where?: string,
): TemplateParts {
  return templateFormat === 'literal' ? parseLiteralTemplate(template, declared) : parseTemplate(template, where)
}

/** Returns a cache of parsed templates: each template is parsed once, and copies of a prompt with the same template share the result. */
export function keptParts<Prompt extends object, Parts>(read: (prompt: Prompt) => Parts) {
  const known = new WeakMap<object, Parts>()
  return {
    of(prompt: Prompt): Parts {
      let parts = known.get(prompt)
      if (parts === undefined) known.set(prompt, (parts = read(prompt)))
      return parts
    },
    keep(prompt: Prompt, parts: Parts): void {
      known.set(prompt, parts)
    },
  }
}
