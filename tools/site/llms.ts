/** The files for programs that read documentation: `llms.txt` lists the pages, `llms-full.txt` contains them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteAddress } from './addresses.ts'
import { menuOf } from './menu.ts'
import { type Page, root, summaryOf } from './pages.ts'

const title = (): string => {
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `# @x\n\n> ${description}`
}

/** The pages in the order of the menu. */
function inOrder(pages: readonly Page[]): [group: string, pages: Page[]][] {
  const byLink = new Map(pages.map((page) => [`/${page.path.replace(/(^|\/)index$/, '$1')}`, page]))
  return menuOf(pages).map(({ text, items }) => [
    text,
    items.flatMap(({ link }) => {
      const page = byLink.get(link)
      return page === undefined ? [] : [page]
    }),
  ])
}

/** Returns `llms.txt`: every page with its first sentence, as links to Markdown. */
export function llmsList(pages: readonly Page[]): string {
  const groups = inOrder(pages).map(([group, found]) => {
    const lines = found.map((page) => {
      const [first = ''] = summaryOf(page).split(/(?<=[.:?]) /)
      return `- [${page.title}](${siteAddress}/${page.path}.md)${first && `: ${first}`}`
    })
    return `## ${group}\n\n${lines.join('\n')}`
  })
  return `${title()}\n\nAll of it in one file: ${siteAddress}/llms-full.txt\n\n${groups.join('\n\n')}\n`
}

/** Pages that are long, and of no use without a question about them. */
const lists = /^(?:interface|sizes|contributing|decisions\/.*|examples\/.*)$/

/** Returns `llms-full.txt`: the text of the pages, without decisions, lists of names and examples of whole programs. */
export function llmsFull(pages: readonly Page[]): string {
  const texts = inOrder(pages)
    .flatMap(([, found]) => found)
    .filter(({ path }) => !lists.test(path))
    .map(({ path, text }) => {
      const plain = text.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll('[[filter]]\n\n', '')
      return `<!-- ${siteAddress}/${path} -->\n\n${plain.replaceAll('](/', `](${siteAddress}/`).trim()}`
    })
  return `${title()}\n\n${texts.join('\n\n')}\n`
}
