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

/** Returns the pages as a list of links with their first sentences. @param address - what stands before the path of a page */
export function pageList(pages: readonly Page[], address: string): string {
  const groups = inOrder(pages).map(([group, found]) => {
    const lines = found.map((page) => {
      const [first = ''] = summaryOf(page).split(/(?<=[.:?]) /)
      return `- [${page.title}](${address}${page.path}.md)${first && `: ${first}`}`
    })
    return `## ${group}\n\n${lines.join('\n')}`
  })
  return `${title()}\n\n${groups.join('\n\n')}\n`
}

/** Returns `llms.txt`: every page with its first sentence, as links to Markdown. */
export function llmsList(pages: readonly Page[]): string {
  const list = pageList(pages, `${siteAddress}/`)
  return list.replace('\n\n## ', `\n\nAll of it in one file: ${siteAddress}/llms-full.txt\n\n## `)
}

/** Returns the text of a page without what only the site needs. */
export const plainText = ({ text }: Page): string =>
  text.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll('[[filter]]\n\n', '')

/** Pages that are long, and of no use without a question about them. */
const lists = /^(?:interface|sizes|contributing|decisions\/.*|examples\/.*)$/

/** Returns `llms-full.txt`: the text of the pages, without decisions, lists of names and examples of whole programs. */
export function llmsFull(pages: readonly Page[]): string {
  const texts = inOrder(pages)
    .flatMap(([, found]) => found)
    .filter(({ path }) => !lists.test(path))
    .map((page) => {
      const plain = plainText(page).replaceAll('](/', `](${siteAddress}/`).trim()
      return `<!-- ${siteAddress}/${page.path} -->\n\n${plain}`
    })
  return `${title()}\n\n${texts.join('\n\n')}\n`
}
