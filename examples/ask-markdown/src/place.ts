/**
 * @module
 * Places in files, in the form that terminals and editors open: `README.md:12` or `README.md:12-20`.
 */
import type { TextNode } from '@x/core-model'

/** A range of lines of a file, starting at 1. */
export interface Place {
  file: string
  line: number
  endLine: number
}

/** Returns the place of a node, from the metadata that the parser writes. */
export function placeOf({ metadata }: TextNode): Place {
  return {
    file: String(metadata['file']),
    line: Number(metadata['start_line'] ?? 1),
    endLine: Number(metadata['end_line'] ?? metadata['start_line'] ?? 1),
  }
}

/** Formats a place: `README.md:12-20`, or `README.md:12` for a single line. */
export function placeText({ file, line, endLine }: Place): string {
  return endLine > line ? `${file}:${line}-${endLine}` : `${file}:${line}`
}

/** Parses the result of `placeText`; null for any other string. */
export function readPlace(text: string): Place | null {
  const [, file, line, endLine = line] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? []
  return file === undefined ? null : { file, line: Number(line), endLine: Number(endLine) }
}

/** Returns the headings above a node, such as `Install > On Linux`; empty if there are none. */
export function headingOf({ metadata }: TextNode): string {
  return String(metadata['header_path'] ?? '')
}
