/**
 * @module
 * Checks what functions that read Markdown receive.
 */
import { checkOptions, having, invalidOption, type OptionCheck } from '@x/core/options'
import { markdownStart } from './front-matter.ts'

/** The check of a syntax. */
export const aSyntax = /* @__PURE__ */ having('a syntax, such as mdx', 'reader')

/**
 * Returns the offset at which the Markdown of a document begins.
 * @param where - the name of the function, for errors.
 * @throws {ModelValidationError} if `text` is not a string, or an option is unknown or invalid.
 */
export function checkedStart(
  where: string,
  text: string,
  options: object,
  table: Readonly<Record<string, OptionCheck>>,
): number {
  if (typeof text !== 'string') throw invalidOption(where, 'text', 'a string', text)
  checkOptions(where, options, table)
  return markdownStart(text)
}
