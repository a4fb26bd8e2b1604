/**
 * @module
 * Where something stands, in the form that terminals and editors open: `README.md:12`, or `README.md:12-20`.
 */
import type { TextNode } from '@x/core-model'

/** Lines of a file, counted from 1. */
export interface Place {
  file: string
  line: number
  endLine: number
}

/** Where the text of a node stands, as the parser noted it. */
export function placeOf({ metadata }: TextNode): Place {
  return {
    file: String(metadata['file']),
    line: Number(metadata['start_line'] ?? 1),
    endLine: Number(metadata['end_line'] ?? metadata['start_line'] ?? 1),
  }
}

/** `README.md:12-20`, or `README.md:12` for a single line. */
export function placeText({ file, line, endLine }: Place): string {
  return endLine > line ? `${file}:${line}-${endLine}` : `${file}:${line}`
}

/** Reads what `placeText` wrote; null when it is no place. */
export function readPlace(text: string): Place | null {
  const [, file, line, endLine = line] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? []
  return file === undefined ? null : { file, line: Number(line), endLine: Number(endLine) }
}

/** The headings above a node, such as `Install > On Linux`; empty when there are none. */
export function headingOf({ metadata }: TextNode): string {
  return String(metadata['header_path'] ?? '')
}
