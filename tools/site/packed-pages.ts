/**
 * Writes the pages of the site as Markdown into a folder, with the lists of names and the skills of the packages: the documents of
 * `@x/docs-mcp`. Links lead to its documents. The page of sizes is left out: measuring them takes seven seconds.
 *
 * @example node --conditions=@x/source tools/site/packed-pages.ts packages/integrations/docs-mcp/dist/pages
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { packageFolders } from '../packages.ts'
import { skillTexts } from '../skill-texts.ts'
import { siteAddress } from './addresses.ts'
import { errorsPage } from './errors.ts'
import { eventsPage } from './events.ts'
import { pageList, plainText } from './llms.ts'
import { decisionsPage, filePages, madePage, type Page } from './pages.ts'

/** The pages that are on the site alone. */
const elsewhere = /^(?:sizes|pictures\/.*)$/

/** Links of the site as paths of documents: `/guides/trace#spans` is `guides/trace.md#spans`. */
const withPaths = (text: string): string =>
  text.replaceAll(/\]\(\/([^)\s#]*)(#[^)\s]*)?\)/g, (_, path: string, hash = '') => {
    if (elsewhere.test(path)) return `](${siteAddress}/${path}${hash})`
    return `](${path === '' || path.endsWith('/') ? `${path}index` : path}.md${hash})`
  })

/** A line of a list for the text of a skill. */
function skillLine(name: string, text: string): string {
  const description = /^description: (".*")$/m.exec(text)?.[1]
  if (description === undefined) throw new Error(`The skill ${name} has no description.`)
  return `- [${name}](skills/${name}.md): ${JSON.parse(description)}`
}

const target = process.argv[2]
if (target === undefined) throw new Error('Expected the folder of the pages.')
const pages: Page[] = [
  ...filePages(),
  decisionsPage(),
  madePage('errors', errorsPage()),
  madePage('events', await eventsPage()),
]
const documents = new Map(pages.map((page) => [`${page.path}.md`, withPaths(plainText(page))]))
const [names, skills]: [string[], string[]] = [[], []]
for (const folder of packageFolders()) {
  const reference = `reference/${basename(folder)}.md`
  documents.set(reference, readFileSync(join(folder, 'REFERENCE.md'), 'utf8'))
  names.push(`- [@x/${basename(folder)}](${reference})`)
  for (const [path, text] of skillTexts(folder)) {
    const name = basename(dirname(path))
    documents.set(`skills/${name}.md`, text)
    skills.push(skillLine(name, text))
  }
}
const lists = `## Names of each package\n\n${names.join('\n')}\n\n## Skills\n\n${skills.join('\n')}\n`
documents.set('index.md', `${pageList(pages, '')}\n${lists}`)
rmSync(target, { recursive: true, force: true })
for (const [path, text] of documents) {
  mkdirSync(dirname(join(target, path)), { recursive: true })
  writeFileSync(join(target, path), text)
}
