/**
 * @module
 * Headings with an underline: which lines of the paragraph above it belong to the heading.
 */
import { type ContentLines, contentText } from './block.ts'
import { afterDefinitions } from './micromark.ts'

/**
 * Returns the index in `lines` of the first line after the link definitions; -1 if there are only definitions.
 *
 *     [a]: /url
 *     Title        ← 3, because each line has three numbers
 *     =====
 */
export function firstHeadingLine(text: string, lines: ContentLines): number {
  const paragraph = contentText(text, lines)
  const left = afterDefinitions(paragraph)
  if (left < 0) return -1
  let index = 0
  for (let at = paragraph.indexOf('\n'); at >= 0 && at < left; at = paragraph.indexOf('\n', at + 1)) index += 3
  return index
}
