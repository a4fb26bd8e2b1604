/**
 * @module
 * Terminal colours.
 */

/** A stream that may be a terminal. */
export interface Output {
  write(text: string): unknown
  isTTY?: boolean | undefined
}

/** Adds colours to strings, or returns them unchanged. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  accent(text: string): string
  bad(text: string): string
}

/** Returns colours for a terminal; no colours for files and pipes, with `NO_COLOR`, and for terminals without colours. */
export function styleFor({ isTTY }: Output, env: Readonly<Record<string, string | undefined>>): Style {
  const coloured = isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const paint = (code: number) => (text: string) => (coloured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { bold: paint(1), dim: paint(2), accent: paint(36), bad: paint(31) }
}

/** Removes control characters, so that documents and models cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
