/**
 * @module
 * Prepares a string for the search: replaces variants of a character by one character, without changing any offset.
 */

const lookAlikes: readonly [RegExp, (char: string) => string][] = [
  // Full-width forms of the ASCII characters, and digits of other scripts.
  [/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0)],
  [/[\u0660-\u0669\u06F0-\u06F9]/g, (char) => String(char.charCodeAt(0) & 0xf)],
  [/[\u0966-\u096F]/g, (char) => String(char.charCodeAt(0) - 0x966)],
  // The line ends of old programs.
  [/\r(?!\n)/g, () => '\n'],
  // A tab separates the cells of a table.
  [/[^\S\t\n]|[\u00AD\u200B-\u200D\u2060]/g, () => ' '],
  [/[\u2010-\u2015\u2043\u2212\uFE58\uFE63]/g, () => '-'],
  [/[\u00B7\u2022\u2024\u2027\u30FB]/g, () => '.'],
  [/[\u2018\u2019\u02BC]/g, () => "'"],
]

/** Returns `text` with ASCII digits, hyphens, full stops, apostrophes and blanks for their variants; every offset stays the same. */
export function withPlainSigns(text: string): string {
  return lookAlikes.reduce((result, [form, replace]) => result.replace(form, replace), text)
}

/** A range of a string; `end` is exclusive. */
export interface Range {
  start: number
  end: number
}
