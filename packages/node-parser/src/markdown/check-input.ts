/**
 * @module
 * Checks what functions that read Markdown receive.
 */
import { checkOptions, having, invalidOption, type OptionCheck } from '@x/core/options'

/** The check of a syntax. */
export const aSyntax = /* @__PURE__ */ having('a syntax, such as mdx', 'reader')

/**
 * Checks a document and the options of a function that reads it.
 * @param where - the name of the function, for errors.
 * @throws {ModelValidationError} if `text` is not a string, or an option is unknown or invalid.
 */
export function checkInput(
  where: string,
  text: string,
  options: object,
  table: Readonly<Record<string, OptionCheck>>,
): void {
  if (typeof text !== 'string') throw invalidOption(where, 'text', 'a string', text)
  checkOptions(where, options, table)
}
