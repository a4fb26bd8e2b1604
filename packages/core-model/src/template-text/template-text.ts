/**
 * @module
 * The template grammar of all packages: `{name}` is a placeholder, `{{` and `}}` are literal braces.
 * A template is parsed once into parts. Filling it is one pass; values are never scanned.
 */

import { ToolkitError } from '@x/core'
import { checkGiven, text as string } from '@x/core/options'
import { lazy } from '@x/core/values'

/** Thrown when variables of a template are missing. Pass a value for each name in `variables`. */
export class MissingVariableError extends ToolkitError {
  /** All missing names, in order of occurrence. */
  readonly variables: readonly string[]

  /** @param unknown - the names that were passed, but that the template does not have: one of them may be misspelt. */
  constructor(
    variables: readonly string[],
    unknown: readonly string[] = [],
    message = missingText(variables, unknown),
  ) {
    super('MissingVariableError', 'missing_variable', `Template: ${message}.`)
    this.variables = variables
  }
}

function missingText(variables: readonly string[], unknown: readonly string[]): string {
  const others = unknown.length > 0 ? `; the template has no ${inBraces(unknown)}` : ''
  return `no value for ${inBraces(variables)}${others}`
}

/** Returns names for a message: the first ten, each with at most 60 characters. */
function inBraces(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => `{${name.length > 60 ? `${name.slice(0, 60)}…` : name}}`)
  return shown.join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '')
}

/**
 * Thrown when a template is invalid: a brace is unbalanced, or braces enclose something that is not a variable name. Do what `hint`
 * says; a literal brace is written twice.
 */
export class TemplateSyntaxError extends ToolkitError {
  readonly template: string
  /** UTF-16 offset of the brace in the template. */
  readonly offset: number
  /** How to fix the template. */
  readonly hint: string

  constructor(template: string, offset: number, problem: string, hint: string, where = '') {
    super(
      'TemplateSyntaxError',
      'template_syntax',
      `${where}${problem} at offset ${offset}\n${picture(template, offset)}\n${hint}`,
    )
    this.template = template
    this.offset = offset
    this.hint = hint
  }
}

/** The line of the template with a caret under the offset. */
function picture(template: string, offset: number): string {
  const from = Math.max(template.lastIndexOf('\n', offset - 1) + 1, offset - 40)
  const end = template.indexOf('\n', offset)
  const line = template.slice(from, Math.min(end === -1 ? template.length : end, offset + 40)).replaceAll('\r', ' ')
  return `  ${line.replaceAll('\t', ' ')}\n  ${' '.repeat(offset - from)}^`
}

/**
 * A parsed template: literal strings and variable names alternate, starting and ending with a string, so `texts` has one element more
 * than `names`.
 */
export interface TemplateParts {
  readonly texts: readonly string[]
  readonly names: readonly string[]
}

const patterns = /* @__PURE__ */ lazy(() => {
  const name = String.raw`[\p{L}_][\p{L}\p{M}\p{Nd}_-]*`
  return {
    placeholder: new RegExp(String.raw`\{\{|\}\}|\{(${name})\}|[{}]`, 'gu'),
    lookUp: new RegExp(`^${name}[!:.[]`, 'u'),
    spaced: new RegExp(String.raw`^\s*${name}\s*$`, 'u'),
  }
})

/**
 * Parses a template.
 * @param where A prefix of the error message, such as `messageTemplates[1]: `.
 * @throws {TemplateSyntaxError}
 */
export function parseTemplate(template: string, where?: string): TemplateParts {
  const texts: string[] = []
  const names: string[] = []
  let text = ''
  let end = 0
  for (const match of template.matchAll(patterns().placeholder)) {
    const [found, name] = match
    text += template.slice(end, match.index)
    end = match.index + found.length
    if (name !== undefined) {
      texts.push(text)
      names.push(name)
      text = ''
    } else if (found.length === 2) text += found[0]
    else throw syntaxError(template, match.index, where)
  }
  texts.push(text + template.slice(end))
  return { texts, names }
}

/**
 * Parses a template in which only `{name}` of a declared name is a placeholder; everything else, including braces, is text.
 * Declared names contain no braces.
 */
export function parseLiteralTemplate(template: string, declared: readonly string[]): TemplateParts {
  const texts: string[] = []
  const names: string[] = []
  const known = new Set(declared)
  let from = 0
  let close = -1
  for (let open = template.indexOf('{'); open !== -1; ) {
    const next = template.indexOf('{', open + 1)
    // Searched again only when it was passed, so that many opening braces before a distant closing one stay cheap.
    if (close < open) close = template.indexOf('}', open)
    if (close === -1) break
    // A name contains no brace:  {{name}
    //                            ^ so this brace is text
    if ((next === -1 || close < next) && known.has(template.slice(open + 1, close))) {
      texts.push(template.slice(from, open))
      names.push(template.slice(open + 1, close))
      from = close + 1
    }
    open = next
  }
  texts.push(template.slice(from))
  return { texts, names }
}

function syntaxError(template: string, offset: number, where?: string): TemplateSyntaxError {
  const close = template.indexOf('}', offset)
  const inside = template.slice(offset + 1, close)
  const doubled = (braces: string) => `Write ${braces}, or use templateFormat "literal".`
  const [problem, hint] =
    template[offset] === '}'
      ? ['A closing brace without an opening one', doubled('}} for a literal brace')]
      : close === -1
        ? ['An opening brace that is never closed', doubled('{{ for a literal brace')]
        : [
            'The braces do not enclose a variable name',
            patterns().lookUp.test(inside)
              ? 'Conversions, format specs and look-ups are not supported: format the value before passing it.'
              : patterns().spaced.test(inside)
                ? `Write {${inside.trim()}} without white space.`
                : doubled('{{ and }} for literal braces (JSON, code)'),
          ]
  return new TemplateSyntaxError(template, offset, problem, hint, where)
}

/** Returns the text with all braces doubled, so that it parses as plain text. */
export function escapeTemplate(text: string): string {
  checkGiven('escapeTemplate', { text }, string)
  return text.replace(/[{}]/g, '$&$&')
}

/**
 * Fills a parsed template. `valueOf` returns the value of a name, or undefined if it is missing; `unknown` the names that were passed,
 * but that are not in the template.
 * @throws {MissingVariableError} with all missing names.
 */
export function fillTemplate(
  { texts, names }: TemplateParts,
  valueOf: (name: string) => string | undefined,
  unknown?: () => readonly string[],
): string {
  let result = texts[0]!
  let missing: string[] | undefined
  for (let index = 0; index < names.length; index++) {
    const value = valueOf(names[index]!)
    if (value === undefined) (missing ??= []).push(names[index]!)
    else result += value + texts[index + 1]!
  }
  if (missing) throw new MissingVariableError([...new Set(missing)], unknown?.())
  return result
}

declare module '@x/core' {
  interface ToolkitErrors {
    missing_variable: MissingVariableError
    template_syntax: TemplateSyntaxError
  }
}
