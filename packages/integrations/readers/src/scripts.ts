/**
 * @module
 * Superscripts, subscripts and formulas as text, because Markdown has none of them.
 */
import type { Element, ElementContent, Root } from 'hast'
import { textOf } from './cell-lines.ts'

/** Endings of ordinal numbers and marks that belong to the word before them. */
const ENDING = /^(?:st|nd|rd|th|e|er|ère|re|ème|es|o|a|os|as|º|ª|tm|sm|r|c|™|®|©)$/i

/**
 * Writes `<sup>` and `<sub>` with a sign, so that a number does not become another one: `10^6`, `H_2O`. Marks of notes, such as links and
 * asterisks, have a blank before them. A formula becomes its TeX source, or else its text.
 */
export function writeScripts(root: Root | Element): void {
  root.children = (root.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== 'element') return [child]
    if (child.tagName === 'math') return [raw(child) ?? { type: 'text', value: textOf(child).replace(/\s+/g, ' ') }]
    writeScripts(child)
    return child.tagName === 'sup' || child.tagName === 'sub' ? script(child) : [child]
  }) as typeof root.children
}

function script(element: Element): ElementContent[] {
  const text = textOf(element).trim()
  const sign = element.tagName === 'sup' ? '^' : '_'
  if (text === '') return element.children
  if (element.tagName === 'sup' && ENDING.test(text)) return element.children
  const isPlain = element.children.every(({ type }) => type === 'text')
  if (isPlain && /^[\p{L}\p{N}+−-][\p{L}\p{N}.,+−-]{0,11}$/u.test(text))
    return [{ ...element, properties: { value: sign + text }, children: [] }]
  return [{ type: 'text', value: ' ' }, ...element.children]
}

/** Returns the TeX source that a formula contains. */
function raw(element: Element): ElementContent | undefined {
  for (const child of element.children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'annotation' && /tex/i.test(String(child.properties['encoding'])))
      return { type: 'text', value: `$${textOf(child).trim()}$` }
    const inner = raw(child)
    if (inner) return inner
  }
  return undefined
}
