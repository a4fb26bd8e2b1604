/**
 * Markdown as elements. Strings are only set as text, and links lead to addresses of the web alone.
 */
import { inlineParts } from './inline-markdown.ts'

/** Makes an element. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Returns inline Markdown as nodes. */
export const inlineNodes = (text) => inlineParts(text).map(nodeOf)

function nodeOf({ kind, text, parts, href }) {
  if (kind === 'text') return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  if (kind === 'code') return element('code', { textContent: text })
  const inner = parts.map(nodeOf)
  if (kind !== 'link') return element(kind, {}, ...inner)
  return href === null
    ? element('span', {}, ...inner)
    : element('a', { href, rel: 'noreferrer', target: '_blank' }, ...inner)
}

/** The begin of a value and of a word, and the end of both: characters that pass through Markdown unchanged. */
const [VALUE, WORD, END] = ['\uE000', '\uE001', '\uE002']

/** Returns an excerpt with its words and values marked. Links are their labels, because it is shown within a button. */
export function excerptElement(text, marks) {
  let [source, at] = ['', 0]
  const add = (end, mark = '') => {
    source += text.slice(at, end).replaceAll(/[\uE000-\uE002]/g, '') + mark
    at = end
  }
  for (const { start, end, kind } of marks) {
    if (start < at) continue
    add(start, kind === 'value' ? VALUE : WORD)
    add(end, END)
  }
  add(text.length)
  const shown = element('span', { className: 'excerpt' }, ...inlineNodes(source.replaceAll(/^(\s*)[-*+] /gm, '$1• ')))
  for (const link of shown.querySelectorAll('a')) link.replaceWith(...link.childNodes)
  markTexts(shown)
  return shown
}

/** Puts the text between marks into elements. */
function markTexts(shown) {
  const texts = []
  for (const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT); walker.nextNode(); )
    texts.push(walker.currentNode)
  const tags = { [VALUE]: 'mark', [WORD]: 'b', [END]: '' }
  let tag = ''
  for (const node of texts) {
    const pieces = node.data.split(/([\uE000-\uE002])/).flatMap((piece) => {
      if (piece in tags) tag = tags[piece]
      else if (piece !== '') return tag === '' ? piece : element(tag, { textContent: piece })
      return []
    })
    node.replaceWith(...pieces)
  }
}

/** Returns an item of a list, indented as in its source, with the number of a numbered one. */
export function itemElement(text) {
  const [, indent = '', mark = '', rest = text] = /^(\s*)([-*+]|\d+[.)])\s+([\s\S]*)$/.exec(text) ?? []
  const made = element('li', {}, ...inlineNodes(rest.trim()))
  made.style.marginInlineStart = `${indent.length / 2}ch`
  if (/\d/.test(mark)) made.style.listStyleType = `"${mark} "`
  return made
}

/** Returns the Markdown of an answer, which may be unfinished, as elements: paragraphs, lists, code and headings. */
export function answerElements(source) {
  const shown = []
  let [code, paragraph] = [null, []]
  const endParagraph = () => {
    if (paragraph.length > 0) shown.push(element('p', {}, ...inlineNodes(paragraph.join('\n'))))
    paragraph = []
  }
  for (const line of source.split('\n')) {
    const isFence = /^\s*(?:```|~~~)/.test(line)
    if (code !== null) {
      if (isFence) code = null
      else code.textContent += `${line}\n`
    } else if (isFence) {
      endParagraph()
      code = element('pre', { tabIndex: 0 })
      shown.push(code)
    } else if (/^\s*(?:[-*+]|\d+[.)])\s+\S/.test(line)) {
      endParagraph()
      if (shown.at(-1)?.localName !== 'ul') shown.push(element('ul'))
      shown.at(-1).append(itemElement(line))
    } else if (/^#{1,6} /.test(line)) {
      endParagraph()
      shown.push(element('h3', {}, ...inlineNodes(line.replace(/^#+ /, ''))))
    } else if (line.trim() === '') endParagraph()
    else paragraph.push(line)
  }
  endParagraph()
  return shown
}
