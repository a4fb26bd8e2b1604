/** The search of the site: a button and a dialog, in the pages of VitePress and of the reference. The results come from Pagefind. */

interface Section {
  url: string
  title: string
  excerpt: string
  weighted_locations: { balanced_score: number }[]
}

interface Found extends Pick<Section, 'url' | 'excerpt'> {
  meta: { title: string }
  sub_results: Section[]
}

interface Pagefind {
  debouncedSearch(
    words: string,
    options: object,
    delayMs: number,
  ): Promise<{ results: { data(): Promise<Found> }[] } | null>
}

/** The parts of the site, in the order of the results. */
const parts = ['Guides', 'Reference']

/** What the element contains before its script runs. */
export const searchButton = `<button class="search-button" type="button" aria-label="Search" aria-keyshortcuts="Control+K /"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="7" cy="7" r="5" /><path d="m11 11 4 4" /></svg><span>Search</span><kbd>/</kbd></button>`

const dialogOf = (): HTMLDialogElement => {
  const dialog = document.createElement('dialog')
  dialog.className = 'search-dialog'
  dialog.ariaLabel = 'Search'
  dialog.innerHTML = `<div class="search-box">
<label class="visually-hidden" for="search-field">Search the documentation</label>
<input id="search-field" type="text" role="searchbox" placeholder="Search guides, errors and names" autocomplete="off" spellcheck="false">
<button type="button">Close</button></div><p role="status" hidden></p><div class="search-results"></div>`
  return dialog
}

/** A title without the character that stands for the anchor of its heading. */
const plain = (title: string): string => title.replaceAll('\u200b', '').trim()

/** The section of a page that fits best: a page such as that of errors has many. */
function sectionOf({ sub_results }: Found, words: string): Section | undefined {
  const scoreOf = ({ title, weighted_locations }: Section) =>
    (title.toLowerCase().includes(words.trim().toLowerCase()) ? 1e9 : 0) +
    weighted_locations.reduce((sum, { balanced_score }) => sum + balanced_score, 0)
  return sub_results.toSorted((one, other) => scoreOf(other) - scoreOf(one))[0]
}

/** A result as a link. The names of the reference are pages of their own, which the router of VitePress does not know. */
function linkOf(page: Found, part: string, words: string): HTMLElement {
  const isName = part === 'Reference'
  const best = isName ? undefined : sectionOf(page, words)
  const [pageTitle, title] = [plain(page.meta.title), plain(best?.title ?? '')]
  const link = document.createElement('a')
  link.href = isName ? page.url : (best ?? page).url.replace(/\.html(?=#|$)/, '')
  if (isName) link.target = '_self'
  const strong = document.createElement('strong')
  strong.textContent = title === '' || title === pageTitle ? pageTitle : `${pageTitle} › ${title}`
  const excerpt = document.createElement('span')
  // Pagefind marks the words in text of this site.
  excerpt.innerHTML = (best ?? page).excerpt
  link.append(strong, ' ', excerpt)
  const item = document.createElement('li')
  item.append(link)
  return item
}

function sectionWith(part: string, items: readonly HTMLElement[]): HTMLElement {
  const section = document.createElement('section')
  section.ariaLabel = part
  const heading = document.createElement('h2')
  heading.textContent = part
  const list = document.createElement('ul')
  list.append(...items)
  section.append(heading, list)
  return section
}

/** The sections of results, or a sentence; null if the words have changed meanwhile. */
async function sectionsFor(
  words: string,
  load: () => Promise<Pagefind>,
  isOld: () => boolean,
): Promise<HTMLElement[] | string | null> {
  if (words.trim() === '') return ''
  const sections: HTMLElement[] = []
  for (const part of parts) {
    const answer = await (await load()).debouncedSearch(words, { filters: { part } }, 120)
    const found = await Promise.all(answer?.results.slice(0, 8).map((result) => result.data()) ?? [])
    if (answer === null || isOld()) return null
    const links = found.map((page) => linkOf(page, part, words))
    if (links.length > 0) sections.push(sectionWith(part, links))
  }
  return sections.length === 0 ? `Nothing found for “${words}”.` : sections
}

/** Defines `<site-search base="/">`. */
export function defineSearch(): void {
  customElements.define(
    'site-search',
    class extends HTMLElement {
      #dialog = dialogOf()
      #library: Promise<Pagefind> | undefined
      #ended = new AbortController()

      get #field(): HTMLInputElement {
        return this.#dialog.querySelector('input')!
      }

      connectedCallback(): void {
        this.#ended = new AbortController()
        const { signal } = this.#ended
        // Vue replaces what is inside of this element.
        document.body.append(this.#dialog)
        const open = ({ target }: Event) => (target as HTMLElement).closest('button') && this.#open()
        this.addEventListener('click', open, { signal })
        this.#dialog.addEventListener('click', (event) => this.#onClick(event), { signal })
        this.#field.addEventListener('input', () => this.#show(this.#field.value), { signal })
        addEventListener('keydown', (event) => this.#onKey(event), { signal })
      }

      disconnectedCallback(): void {
        this.#ended.abort()
        this.#dialog.remove()
      }

      /** The index is made after the site, so that the address of its program is not known to the bundler. */
      #pagefind(): Promise<Pagefind> {
        const address = `${this.getAttribute('base')}pagefind/pagefind.js`
        return (this.#library ??= import(/* @vite-ignore */ address))
      }

      #open(): void {
        this.#dialog.showModal()
        this.#field.select()
        this.#pagefind().catch(() => {})
      }

      #onKey(event: KeyboardEvent): void {
        const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as HTMLElement).tagName)
        if (!((event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing))) return
        event.preventDefault()
        this.#open()
      }

      /** A link, the button, and the area around the dialog close it. */
      #onClick(event: MouseEvent): void {
        const target = event.target as HTMLElement
        const isNewTab = event.ctrlKey || event.metaKey || event.shiftKey
        if (target === this.#dialog || target.closest('button') || (target.closest('a') && !isNewTab))
          this.#dialog.close()
      }

      async #show(words: string): Promise<void> {
        const isOld = () => words !== this.#field.value
        const found = await sectionsFor(words, () => this.#pagefind(), isOld).catch(
          () => 'The search cannot be loaded.',
        )
        if (found === null) return
        const message = this.#dialog.querySelector<HTMLElement>('[role=status]')!
        message.textContent = typeof found === 'string' ? found : ''
        message.hidden = message.textContent === ''
        this.#dialog.querySelector('.search-results')!.replaceChildren(...(typeof found === 'string' ? [] : found))
      }
    },
  )
}
