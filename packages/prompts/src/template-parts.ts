import { ModelValidationError, parseLiteralTemplate, parseTemplate, type TemplateParts } from '@x/core-model'

/** How a template's text is read. */
export interface TemplateReading {
  templateFormat: 'literal' | null
  /** The declared names, of literal templates. */
  declared: readonly string[]
}

/** The reading that options ask for. @throws {ModelValidationError} for a literal template without declared names. */
export function readingOf(className: string, templateFormat: unknown, templateVars: unknown): TemplateReading {
  if (templateFormat === undefined || templateFormat === null) return { templateFormat: null, declared: [] }
  const declared =
    Array.isArray(templateVars) && templateVars.every((name) => typeof name === 'string') ? templateVars : undefined
  if (templateFormat === 'literal' && declared) return { templateFormat, declared }
  throw new ModelValidationError(className, [
    templateFormat === 'literal'
      ? {
          path: 'templateVars',
          message: 'a literal template needs its variable names declared as a list of texts',
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
