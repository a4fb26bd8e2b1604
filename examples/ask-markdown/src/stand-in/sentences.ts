/**
 * @module
 * Splits Markdown into sentences with line numbers.
 */
import { splitSentences } from '@x/postprocessors'
import { plainText } from '@x/retrieval/tables'

/** A sentence without Markdown syntax. */
export interface TextSentence {
  text: string
  /** The number of lines above it. */
  line: number
  isCode: boolean
}

/** Marks of quotes, list items and tasks at the start of a line. */
const MARKS = /^\s*(?:>\s?)*\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?/
const FENCE = /^\s*(?:```|~~~)/
const HEADING = /^#{1,6}(?:\s|$)/
/** Underlines, thematic breaks, and link definitions. */
const NO_TEXT = /^(?:[-=*_\s]+|\[[^\]]+\]:\s.*)$/

/** Returns the sentences in order. Lines of one paragraph are joined, headings are skipped, and each line of code is a sentence. */
export function sentencesOf(markdown: string): TextSentence[] {
  const sentences: TextSentence[] = []
  let paragraph: string[] = []
  let start = 0
  let inCode = false
  const finish = () => {
    const joined = paragraph.join(' ')
    let from = 0
    for (const text of splitSentences(joined)) {
      from = joined.indexOf(text, from)
      sentences.push({ text, line: start + linesBefore(paragraph, from), isCode: looksLikeCode(text) })
      from += text.length
    }
    paragraph = []
  }
  for (const [line, source] of markdown.split(/\r\n|\n|\r/).entries()) {
    const isFence = FENCE.test(source)
    if (isFence || inCode) {
      finish()
      if (!isFence && source.trim() !== '') sentences.push({ text: source.trim(), line, isCode: true })
      if (isFence) inCode = !inCode
      continue
    }
    const content = source.replace(MARKS, '').trim()
    // List and quote marks, headings and blank lines end the paragraph above them.
    if (content !== source.trim() || content === '' || HEADING.test(content) || NO_TEXT.test(content)) finish()
    if (content === '' || HEADING.test(content) || NO_TEXT.test(content)) continue
    if (paragraph.length === 0) start = line
    paragraph.push(plainText(content))
  }
  finish()
  return sentences
}

/** Whether a text is code: a passage may begin within a block of code, without its fence. */
function looksLikeCode(text: string): boolean {
  const signs = text.match(/=>|[{};=]|\)\.|\(\)|\b(?:const|import|await|return|function|new)\b/g)
  return (signs?.length ?? 0) >= 3
}

/** Returns the number of joined lines that end before an offset. */
function linesBefore(lines: readonly string[], offset: number): number {
  let end = 0
  for (const [index, line] of lines.entries()) {
    end += line.length + 1
    if (offset < end) return index
  }
  return Math.max(0, lines.length - 1)
}
