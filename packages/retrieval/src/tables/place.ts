/**
 * @module
 * Positions in files, in the notation of terminals and editors: `README.md:12` or `README.md:12-20`.
 */
import { checkOption, required } from '@x/core/options'
import type { TextNode } from '@x/core-model'

/** A range of lines of a file. Lines start at 1. */
export interface Place {
  file: string
  line: number
  endLine: number
}

/**
 * Returns the file and the lines of a node that was parsed with `lineNumbers: true`. The file is the metadata `file`, or else the id of the
 * source document.
 */
export function placeOf(node: TextNode): Place {
  checkOption('placeOf', 'node', node, required('a node', 'metadata'))
  const { metadata, refDocId } = node
  return {
    file: String(metadata['file'] ?? refDocId ?? ''),
    line: Number(metadata['start_line'] ?? 1),
    endLine: Number(metadata['end_line'] ?? metadata['start_line'] ?? 1),
  }
}

/**
 * Formats a file and lines.
 * @example
 * placeText({ file: 'README.md', line: 12, endLine: 20 }) // => 'README.md:12-20'
 */
export function placeText(place: Place): string {
  checkOption('placeText', 'place', place, required('a place'))
  const { file, line, endLine } = place
  return endLine > line ? `${file}:${line}-${endLine}` : `${file}:${line}`
}

/** Parses the result of {@link placeText}; returns null for any other string. */
export function readPlace(text: string): Place | null {
  const [, file, line, endLine = line] = /^(.+):(\d+)(?:-(\d+))?$/.exec(text) ?? []
  return file === undefined ? null : { file, line: Number(line), endLine: Number(endLine) }
}

/** Returns the headings above a node that was parsed with `headerPath: true`, such as `Install > On Linux`; empty without headings. */
export function headingOf(node: TextNode): string {
  checkOption('headingOf', 'node', node, required('a node', 'metadata'))
  const { metadata } = node
  return String(metadata['header_path'] ?? '')
}
