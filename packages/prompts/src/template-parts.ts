import { deepCopy, isPlainObject, joinPath, mapItems, maxLevels, mismatch } from '@x/core/values'
import { isTextPart, ModelValidationError } from '@x/core-model'
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
      : { path: 'templateFormat', message: mismatch('"literal" or null', templateFormat), code: 'enum' },
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

/** A content part, or a value in one, that contains templates. */
export interface PartTemplate {
  /** The names of its variables, in order of occurrence. */
  readonly names: readonly string[]
  /** Returns a copy with each template filled. `isText`: the template is the text of a text part. */
  fill(fill: (parts: TemplateParts, isText: boolean) => string): unknown
}

/**
 * Parses each string in a content part, at any depth, except its type and the data of a provider. Returns null if none contains a brace:
 * the part is copied unchanged.
 */
export function readPart(part: unknown, read: (template: string, path: string) => TemplateParts): PartTemplate | null {
  const text = isTextPart(part)
  const readValue = (value: unknown, path: string, level: number): PartTemplate | null => {
    if (typeof value === 'string') {
      if (!/[{}]/.test(value) && !(text && path === 'text')) return null
      const parts = read(value, path)
      return { names: parts.names, fill: (fill) => fill(parts, text && path === 'text') }
    }
    // The constructor of the model reports data that are too deep.
    if (level > maxLevels || !(Array.isArray(value) || isPlainObject(value))) return null
    const inner = new Map<string | number, PartTemplate>()
    mapItems(value, (item, key) => {
      if (level === 0 && (key === 'type' || key === 'provider_metadata')) return
      const template = readValue(item, joinPath(path, typeof key === 'number' ? `[${key}]` : key), level + 1)
      if (template) inner.set(key, template)
    })
    if (inner.size === 0) return null
    return {
      names: [...inner.values()].flatMap(({ names }) => names),
      fill: (fill) => mapItems(value, (item, key) => inner.get(key)?.fill(fill) ?? deepCopy(item)),
    }
  }
  return readValue(part, '', 0)
}
