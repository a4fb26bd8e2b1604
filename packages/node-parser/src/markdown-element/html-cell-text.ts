/**
 * @module
 * Converts the content of a cell to one line of Markdown, with the alternative text of images and the addresses of links.
 */

/** A part of the text: text, or an image; `link` is the address of the link that contains it. */
export interface CellPart {
  text: string
  isImage: boolean
  link: string | null
}

/** The elements that separate words. Others, such as `<sub>`, may occur inside a word. */
export const SEPARATING = new Set(
  (
    'address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p pre search section summary ' +
    'table tbody td textarea tfoot th thead tr ul xmp'
  ).split(' '),
)

/** Parts in order; the parts of a table inside a cell are a nested array. */
export type CellParts = (CellPart | CellParts)[]

/** Returns the text on one line. Adjacent parts of one link become one link. */
export function cellText(tree: CellParts): string {
  const written: string[] = []
  let run: CellPart[] = []
  let link: string | null = null
  const endRun = () => {
    written.push(link === null ? run.map(({ text }) => text).join('') : linkText(run, link))
    run = []
  }
  for (const part of partsOf(tree)) {
    // Blanks belong to the part before them.
    if (part.link !== link && part.text.trim() !== '') {
      endRun()
      link = part.link
    }
    run.push(part)
  }
  endRun()
  return written.join('').replace(/\s+/g, ' ').trim()
}

/** Yields the parts in order. Without recursion, because tables may be nested deeply. */
function* partsOf(tree: CellParts): Generator<CellPart> {
  const open: Iterator<CellPart | CellParts>[] = [tree.values()]
  for (let iterator = open.at(-1); iterator !== undefined; iterator = open.at(-1)) {
    const { done, value } = iterator.next()
    if (done === true) open.pop()
    else if (Array.isArray(value)) open.push(value.values())
    else yield value
  }
}

/** Returns a link as Markdown, and a link without text as blanks. */
function linkText(parts: readonly CellPart[], address: string): string {
  const label = parts.map(({ text, isImage }) => (isImage ? text : escapeBrackets(text))).join('')
  const trimmed = label.trim()
  if (trimmed === '') return label
  const start = label.indexOf(trimmed)
  return `${label.slice(0, start)}[${trimmed}](${destination(address)})${label.slice(start + trimmed.length)}`
}

/** Returns an image as Markdown; only its alternative text if it has no address or contains its own data. */
export function imageText(alternative: string, address: string): string {
  const text = alternative.replace(/\s+/g, ' ').trim()
  return address === '' || /^data:/i.test(address) ? text : `![${escapeBrackets(text)}](${destination(address)})`
}

function escapeBrackets(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&')
}

/** Returns an address as the destination of a Markdown link. */
function destination(address: string): string {
  const trimmed = address.trim().replace(/[\t\n\f\r]/g, '')
  return /[\s()<>]/.test(trimmed) ? `<${trimmed.replace(/[<>\\]/g, '\\$&')}>` : trimmed
}
