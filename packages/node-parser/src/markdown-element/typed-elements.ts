/**
 * @module
 * Finds code, images, math and footnotes as separate elements.
 */
import type { Block } from '../markdown/block.ts'
import { isLineEnd, trimText } from '../markdown/characters.ts'
import { inlineEvents } from '../markdown/micromark.ts'
import { type Element, type ElementDivider, newElement } from './element.ts'

/** The kinds of elements that {@link typedElements} finds. */
export type TypedElement = 'code' | 'image' | 'math' | 'footnote'

/** A part of the text, with its kind and metadata. */
interface Found {
  type: TypedElement
  start: number
  end: number
  info: Record<string, unknown>
}

/** Longer paragraphs are not tested for an image: the time of micromark is quadratic in the number of brackets. */
const MAX_IMAGE_LENGTH = 2000

/**
 * Returns a value for the option `elementTypes` of an element parser: code blocks, paragraphs that consist of one image, math between lines
 * of `$$`, and footnote definitions become separate elements and nodes, each an exact slice. Only root blocks are found, not those in
 * quotes and lists. The metadata key `element_type` of their nodes, hidden from models, contains the kind. Images become `ImageNode`s.
 * @param types - the kinds to find. @defaultValue all
 * @example
 * const parser = new MarkdownElementNodeParser({ summarizer: 'headers', elementTypes: typedElements('code', 'image') })
 * const text = 'Run:\n\n```sh\nls\n```\n\n![A tree](tree.png)'
 * const nodes = await parser.getNodesFromDocuments([new Document({ text })])
 * nodes.map((node) => node.metadata)
 * // => [{}, { element_type: 'code', language: 'sh' }, { element_type: 'image', image_alt: 'A tree' }]
 * nodes[2] instanceof ImageNode && nodes[2].imageUrl // => 'tree.png'
 */
export function typedElements(...types: readonly TypedElement[]): ElementDivider {
  const wanted = new Set<TypedElement>(types.length > 0 ? types : ['code', 'image', 'math', 'footnote'])
  return (text, { blocks }, elements) => {
    const found = findAll(text, blocks, wanted)
    const divided: Element[] = []
    let next = 0
    for (const element of elements) {
      const start = element.startCharIdx as number
      const end = element.endCharIdx as number
      while (next < found.length && (found[next] as Found).start < start) next++
      if (element.type !== 'text') {
        divided.push(element)
        continue
      }
      let from = start
      const addText = (to: number) => {
        const kept = trimText(text, from, to)
        if (kept !== null) divided.push(newElement('text', text.slice(kept.start, kept.end), kept.start, kept.end))
      }
      for (; next < found.length && (found[next] as Found).end <= end; next++) {
        const { type, start: at, end: to, info } = found[next] as Found
        addText(at)
        divided.push({ ...newElement(type, text.slice(at, to), at, to), info: { element_type: type, ...info } })
        from = to
      }
      addText(end)
    }
    const prefix = elements[0]?.id.replace(/\d{1,15}$/, '')
    for (const [index, element] of divided.entries()) element.id = `${prefix}${index}`
    return divided
  }
}

/** Returns the parts that were found, in order, without overlaps. */
function findAll(text: string, blocks: readonly Block[], wanted: ReadonlySet<TypedElement>): Found[] {
  const found: Found[] = []
  const math = new MathEnds(text)
  let covered = 0
  let isFootnote = false
  for (const block of blocks) {
    const { kind, start, end } = block
    if (start < covered) continue
    // Indented code directly behind a footnote continues it.
    if (isFootnote && kind === 'code' && /^(?: {4}| {0,3}\t)/.test(text.slice(start, start + 4))) {
      ;(found.at(-1) as Found).end = end
      continue
    }
    const parts = partsOf(text, block, wanted, math)
    isFootnote = parts.at(-1)?.type === 'footnote'
    found.push(...parts)
    covered = parts.at(-1)?.end ?? covered
  }
  return found
}

function partsOf(
  text: string,
  { kind, start, end }: Block,
  wanted: ReadonlySet<TypedElement>,
  math: MathEnds,
): Found[] {
  const source = text.slice(start, end)
  const found = (type: TypedElement, info: Record<string, unknown>, to = end): Found[] => [
    { type, start, end: to, info },
  ]
  if (kind === 'code') return wanted.has('code') ? found('code', codeInfo(source)) : []
  if (wanted.has('math') && /^ {0,3}\$\$/.test(source)) {
    const mathEnd = math.endOf(start, end)
    if (mathEnd > 0) return found('math', {}, mathEnd)
  }
  if (kind !== 'paragraph') return []
  if (wanted.has('footnote') && /^ {0,3}\[\^/.test(source)) return footnotes(source, start)
  if (!wanted.has('image') || source.length > MAX_IMAGE_LENGTH || !/^ {0,3}\[?!\[/.test(source)) return []
  const info = imageInfo(source.trim())
  return info === null ? [] : found('image', info)
}

/** Returns the language of a fenced block; empty for indented code. */
function codeInfo(source: string): Record<string, unknown> {
  const [, language] = /^ {0,3}(?:`{3,}|~{3,})[ \t]*([^\s`]+)/.exec(source) ?? []
  return language === undefined ? {} : { language }
}

/** Returns the definitions that start at the lines of a paragraph; other lines continue the one above. */
function footnotes(source: string, start: number): Found[] {
  const found: Found[] = []
  for (const { 1: label, index } of source.matchAll(/(?<=^|[\r\n]) {0,3}\[\^([^\s\]]+)\]:/g)) {
    const last = found.at(-1)
    if (last !== undefined) last.end = start + source.slice(0, index).trimEnd().length
    found.push({ type: 'footnote', start: start + index, end: start + source.length, info: { footnote: label } })
  }
  // A paragraph that does not begin with a definition contains none.
  return found[0]?.start === start ? found : []
}

/** Returns the address and the description of the only image of a paragraph, which may be in a link. */
function imageInfo(source: string): Record<string, unknown> | null {
  const info: Record<string, unknown> = {}
  let images = 0
  let depth = 0
  for (const [event, { type, start, end }] of inlineEvents(source, new Set())) {
    if (type === 'image') {
      depth += event === 'enter' ? 1 : -1
      if (event === 'enter') images++
    }
    if (event === 'exit') continue
    const value = source.slice(start.offset, end.offset)
    // Text outside of the image other than the address of a link.
    if (depth === 0 && type === 'data' && value.trim() !== '') return null
    if (depth === 0) continue
    if (type === 'labelText' && !('image_alt' in info)) info['image_alt'] = value
    if (type === 'resourceDestinationString') info['imageUrl'] = value
    if (type === 'resourceTitleString') info['image_title'] = value
  }
  return images === 1 && 'imageUrl' in info ? info : null
}

/** Finds the ends of math between lines of `$$`. */
class MathEnds {
  private readonly text: string
  /** The next line of `$$`. Each part of the text is searched once. */
  private readonly fence = /(?<=[\r\n])[ \t]{0,99}\$\$(?=[ \t]{0,99}(?:[\r\n]|$))/g
  private last = -1
  private isDone = false

  constructor(text: string) {
    this.text = text
  }

  /** Returns the end of the math that starts with a block; -1 if the block does not start math that ends. */
  endOf(start: number, blockEnd: number): number {
    const { text } = this
    let lineEnd = start
    while (lineEnd < text.length && !isLineEnd(text, lineEnd)) lineEnd++
    const line = text.slice(start, lineEnd).trim()
    // `$$ x $$` must be the whole paragraph; with more text it is inline math.
    if (line !== '$$') return line.length > 4 && line.endsWith('$$') && blockEnd <= lineEnd ? blockEnd : -1
    while (!this.isDone && this.last <= lineEnd) {
      const match = this.fence.exec(text)
      this.isDone = match === null
      if (match !== null) this.last = match.index + match[0].length
    }
    return this.last > lineEnd ? this.last : -1
  }
}
