/**
 * @module
 * Colours, where they are wanted.
 */

/** A stream that may be a terminal. */
export interface Output {
  write(text: string): unknown
  isTTY?: boolean | undefined
}

/** Puts texts into colours, or leaves them as they are. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  accent(text: string): string
  bad(text: string): string
}

/** Colours for a terminal; none for files and pipes, nor when `NO_COLOR` is set or the terminal has none. */
export function styleFor({ isTTY }: Output, env: Readonly<Record<string, string | undefined>>): Style {
  const coloured = isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const paint = (code: number) => (text: string) => (coloured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { bold: paint(1), dim: paint(2), accent: paint(36), bad: paint(31) }
}

/** A text without control characters, so that documents and models cannot steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
