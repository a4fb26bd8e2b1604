/**
 * The pages of the site that are Markdown files of this repository. The site has no text of its own: a page is its file, with links to
 * other pages, and to the repository where a file is not a page.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileAddress } from './addresses.ts'
import { descriptionOf } from './descriptions.ts'

export const root = join(import.meta.dirname, '..', '..')

export interface Page {
  /** The file, relative to the root; null for a page that is made. */
  readonly source: string | null
  /** The path on the site, without a slash at its begin: `guides/trace`. */
  readonly path: string
  readonly title: string
  /** What the page is about, in one sentence. */
  readonly description: string
  /** The Markdown of the page, with the links of the site. */
  readonly text: string
}

/** The folder of a path. */
const folderOf = (path: string): string => dirname(path).replaceAll('\\', '/')

/** The files that are pages, by their paths on the site. */
function sources(): Map<string, string> {
  const found = new Map<string, string>()
  const add = (pattern: string, pathOf: (source: string) => string) => {
    for (const found_ of globSync(pattern, { cwd: root }).sort()) {
      const source = found_.replaceAll('\\', '/')
      found.set(source, pathOf(source))
    }
  }
  add('docs/**/*.md', (source) => source.slice('docs/'.length, -'.md'.length))
  add('packages/{*,integrations/*}/README.md', (source) => `packages/${folderOf(source).split('/').at(-1)}`)
  add('examples/*/README.md', (source) => folderOf(source))
  for (const source of ['CONTRIBUTING.md', 'SECURITY.md']) found.set(source, source.slice(0, -3).toLowerCase())
  return found
}

const paths = sources()

/** The title of a Markdown text: its first heading. */
const titleOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''

/** The path on the site that a link of a file leads to; null for a file that is not a page. */
function pathOf(target: string): string | null {
  if (target === 'README.md' || target === '.') return ''
  if (target === 'docs/decisions') return 'decisions/'
  return paths.get(target) ?? paths.get(`${target}/README.md`) ?? null
}

/** Returns the Markdown of a file with links of the site. Code stays as it is. */
export function withSiteLinks(source: string, text: string): string {
  const linked = (link: string): string => {
    const [, path = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(link) ?? []
    const target = normalize(join(dirname(source), path))
      .replaceAll('\\', '/')
      .replace(/\/$/, '')
    // Pictures are part of the page.
    if (target.endsWith('.svg')) return `/${target.replace(/^docs\//, '')}`
    const page = pathOf(target)
    if (page !== null) return `/${page}${hash}`
    if (!existsSync(join(root, target))) throw new Error(`${source}: the link ${link} leads nowhere.`)
    return `${fileAddress(target)}${hash}`
  }
  return text
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (_, link: string) => `](${linked(link)})`),
    )
    .join('')
}

/** The settings of a page for VitePress. Those with two programs have no outline beside them, so that both have a column. */
function frontMatterOf(path: string, description: string): string {
  const columns = path.startsWith('come-from/') ? 'aside: false\npageClass: two-programs\n' : ''
  return `---\ndescription: ${JSON.stringify(description)}\n${columns}---\n\n`
}

/** The pages that are files. */
export function filePages(): Page[] {
  return [...paths].map(([source, path]) => {
    const text = readFileSync(join(root, source), 'utf8')
    const description = descriptionOf(path, source, text)
    const linked = withSiteLinks(source, text)
    return { source, path, title: titleOf(text), description, text: frontMatterOf(path, description) + linked }
  })
}

/** Returns a page that is made, which may have settings of its own. */
export function madePage(path: string, text: string): Page {
  const description = descriptionOf(path, null, text)
  const setting = `description: ${JSON.stringify(description)}\n`
  const described = text.startsWith('---\n')
    ? text.replace('---\n', `---\n${setting}`)
    : `---\n${setting}---\n\n${text}`
  return { source: null, path, title: titleOf(text), description, text: described }
}

/** The page with the list of decisions. */
export function decisionsPage(): Page {
  const decisions = filePages().filter(({ path }) => path.startsWith('decisions/'))
  const rows = decisions.map(({ path, title }) => `- [${title}](/${path})`)
  const text = `# Decisions\n\nWhat was chosen, with figures, and what would change it.\n\n${rows.join('\n')}\n`
  return madePage('decisions/index', text)
}
