import { ModelValidationError } from '@x/core-model'
import { parseLiteralTemplate, parseTemplate, type TemplateParts } from '@x/core-model/internal'

/** How a template's text is read. */
export interface TemplateReading {
  templateFormat: 'literal' | null
  /** The declared names, of literal templates. */
  declared: readonly string[]
}

/**
 * The reading that options ask for.
 * @throws {ModelValidationError} for a literal template without declared names, or with one that holds a brace.
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
          message: 'a literal template needs its variable names declared, as a list of texts without braces',
          code: 'required',
        }
      : { path: 'templateFormat', message: 'expected "literal" or null', code: 'enum' },
  ])
}

/** Reads a template's text. @throws {TemplateSyntaxError} */
export function readTemplate(
  template: string,
  { templateFormat, declared }: TemplateReading,
  where?: string,
): TemplateParts {
  return templateFormat === 'literal' ? parseLiteralTemplate(template, declared) : parseTemplate(template, where)
}

/** What the templates of prompts were read into: once per prompt, and shared with copies that have the same template. */
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
