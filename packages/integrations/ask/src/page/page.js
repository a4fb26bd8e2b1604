/**
 * The page: a question, its sections, and the document beside them. The search runs in the browser, on the index of the server or of the
 * static files. Documents are only set as text.
 */
import { plainText, withoutTags } from '../search/plain-text.ts'
import { SectionIndex } from '../search/section-index.ts'
import { answerElements, element, excerptElement, inlineNodes, itemElement } from './markdown-elements.js'

const byId = (id) => document.getElementById(id)
const [input, list, status, pane, answer] = ['question', 'sections', 'status', 'document', 'answer'].map(byId)
const hasModel = document.body.dataset.model === 'yes'
/** The number of sections that are shown. */
const SHOWN = 10

let index = null
let found = []
let selected = -1
let asking = null

/** Loads the index, if it has changed. */
async function load() {
  const response = await fetch('index.json', { cache: 'no-cache' })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const tag = response.headers.get('etag')
  if (index && tag !== null && tag === load.tag) return
  load.tag = tag
  index = SectionIndex.from(await response.json())
  search()
}

function search() {
  const question = input.value.trim()
  history.replaceState(null, '', question === '' ? location.pathname : `#${encodeURIComponent(question)}`)
  if (!index) return
  found = question === '' ? [] : index.search(question, { limit: SHOWN })
  const missing = question === '' ? [] : index.missing(question)
  list.replaceChildren(
    ...found.map((section, number) => {
      const words = section.added ? ` (found by the added word ${section.added.join(', ')})` : ''
      const place = element('span', { className: 'place', textContent: `${section.file}:${section.line}${words}` })
      const heading = element('strong', {}, ...inlineNodes(section.path.join(' › ') || section.file))
      const excerpt = excerptElement(section.excerpt, section.marks)
      const button = element('button', { type: 'button', onclick: () => choose(number, true) }, place, heading, excerpt)
      return element('li', {}, button)
    }),
  )
  selected = -1
  const words = missing.map((word) => `“${word}”`).join(', ')
  const nothing = words === '' ? 'Nothing found.' : `Nothing found: no document contains ${words}.`
  const some = words === '' ? `${found.length} sections` : `No document contains ${words}.`
  const language = question === '' ? null : index.otherLanguage(question)
  const other = language ? ` The question is in ${language.question}, the documents are in ${language.documents}.` : ''
  status.textContent =
    question === '' ? `${index.size} sections. Type a question.` : (found.length === 0 ? nothing : some) + other
  if (found.length > 0 && matchMedia('(min-width: 60rem)').matches) choose(0, false)
}

/** Selects a section; shows its document, on a phone only if it is opened. */
function choose(number, isOpened) {
  if (!found[number]) return
  selected = number
  for (const [at, item] of [...list.children].entries()) item.classList.toggle('selected', at === number)
  if (isOpened || matchMedia('(min-width: 60rem)').matches) show(found[number], isOpened)
  if (!isOpened) list.children[number].scrollIntoView({ block: 'nearest' })
}

function blockElement({ kind, text, columns, cells, from, to }) {
  const isIn = (element_) => Object.assign(element_, { className: `block ${kind}` })
  if (cells) {
    const parts = cells.map((cell, at) =>
      element(
        'span',
        {},
        element('small', { textContent: plainText(columns[at] ?? '') }),
        ...inlineNodes(withoutTags(cell)),
      ),
    )
    return Object.assign(isIn(element('div', {}, ...parts)), { from, to })
  }
  if (kind === 'code' || kind === 'property' || kind === 'mdx') {
    const code = text.replace(/^\s*(?:```|~~~)[^\n]*\n/, '').replace(/\n\s*(?:```|~~~)\s*$/, '')
    return Object.assign(isIn(element('pre', { textContent: code, tabIndex: 0 })), { from, to })
  }
  const made = isIn(
    kind === 'item' ? itemElement(withoutTags(text)) : element('p', {}, ...inlineNodes(withoutTags(text.trim()))),
  )
  return Object.assign(made, { from, to })
}

/** The blocks, with items that follow each other in one list. */
function inLists(blocks) {
  const shown = []
  for (const block of blocks) {
    if (block.localName !== 'li') shown.push(block)
    else if (shown.at(-1)?.localName === 'ul') shown.at(-1).append(block)
    else shown.push(element('ul', {}, block))
  }
  return shown
}

/** Shows the document of a section, scrolled to its line. */
function show({ file, line, from }, isOpened) {
  let target = null
  const parts = index.sectionsOf(file).flatMap((section) => {
    const level = Math.min(6, section.path.length + 1)
    const heading = section.path.length > 0 ? [element(`h${level}`, {}, ...inlineNodes(section.path.at(-1)))] : []
    if (section.from === from) target = heading[0] ?? target
    const blocks = section.blocks.map(blockElement)
    for (const block of blocks) {
      if (block.from <= line && line <= block.to) {
        target = block
        block.classList.add('here')
      }
    }
    return [...heading, ...inLists(blocks)]
  })
  const back = element('button', { id: 'back', type: 'button', textContent: '← Sections', onclick: close })
  const title = element('p', { className: 'place', textContent: `${file}:${line}` })
  pane.replaceChildren(back, title, ...parts)
  document.body.classList.toggle('reading', isOpened)
  ;(target ?? title).scrollIntoView({ block: 'center' })
  if (isOpened) pane.focus({ preventScroll: true })
}

function close() {
  document.body.classList.remove('reading')
  input.focus()
}

/** Asks the model of the server, and shows its answer while it is written. */
async function ask() {
  asking?.abort()
  asking = new AbortController()
  const text = element('div', { source: '' })
  answer.replaceChildren(element('h2', { textContent: 'Answer' }), text)
  answer.hidden = false
  try {
    const response = await fetch('answer', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: input.value }),
      signal: asking.signal,
    })
    let rest = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop()
      for (const line of lines) receive(JSON.parse(line), text)
    }
  } catch (error) {
    if (error.name !== 'AbortError') add(text, ` (${error.message})`)
  }
}

/** Adds a piece to the Markdown of an answer, and shows it. */
function add(text, piece) {
  text.source += piece
  text.replaceChildren(...answerElements(text.source))
}

function receive({ text: piece, discard, sources, error }, text) {
  if (discard) text.source = ''
  if (discard || piece) add(text, piece ?? '')
  if (error) add(text, ` ${error}`)
  for (const { file, from, heading, problem } of sources ?? []) {
    const label = `${file}:${from} ${problem === null ? heading : `! ${problem}`}`
    const onclick = () => index.sectionsOf(file).length > 0 && show({ file, line: from, from }, true)
    answer.append(element('button', { type: 'button', textContent: label, onclick }))
  }
}

input.addEventListener('input', search)
byId('form').addEventListener('submit', (event) => {
  event.preventDefault()
  if (hasModel && input.value.trim() !== '') ask()
  else choose(Math.max(0, selected), true)
})
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close()
  else if (event.key === '/' && event.target !== input) {
    event.preventDefault()
    close()
  } else if (event.target === input && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    choose(Math.max(0, Math.min(found.length - 1, selected + (event.key === 'ArrowDown' ? 1 : -1))), false)
  }
})
// An address is text of whoever wrote the link, and need not be encoded.
function questionIn(hash) {
  try {
    return decodeURIComponent(hash)
  } catch {
    return hash
  }
}
// A server may have read changed files while the page was in the background.
addEventListener('focus', () => load().catch(() => {}))
input.value = questionIn(location.hash.slice(1))
load().catch((error) => {
  status.textContent = `The index cannot be loaded: ${error.message}`
})
