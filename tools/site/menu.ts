/** The order of the pages: what a newcomer reads first comes first. */
import type { Page } from './pages.ts'

export interface MenuItem {
  text: string
  link: string
}

export interface MenuGroup {
  text: string
  items: MenuItem[]
}

/** The groups of the menu. A path that ends with `/` stands for all pages below it that no other group names. */
const groups: readonly (readonly [title: string, paths: readonly string[]])[] = [
  ['Start', ['start', 'choose', 'concepts']],
  [
    'Chat in a page',
    [
      'guides/stream-to-a-web-page',
      'guides/approve-in-a-web-app',
      'guides/run-the-loop',
      'guides/sveltekit',
      'guides/nuxt',
      'guides/expo',
      'guides/deploy',
    ],
  ],
  ['Answers from documents', ['guides/answer-about-documents', 'guides/ingest-with-many-workers']],
  [
    'Durable agents',
    [
      'guides/persist',
      'guides/vector-databases',
      'guides/run-durably',
      'guides/other-engines',
      'guides/work-for-hours',
    ],
  ],
  [
    'One part in your framework',
    ['guides/connect-a-model', 'guides/model-adapter', 'guides/serve-by-mcp', 'guides/sign-in-to-mcp-servers'],
  ],
  ['Test and watch', ['guides/test', 'guides/trace', 'guides/measure-retrieval', 'guides/']],
  ['Moving from another library', ['come-from/', 'interface']],
  ['Reference', ['reference/', 'errors', 'events', 'sizes', 'benchmarks', 'where-it-runs', 'models-and-servers']],
  ['Background', ['scale', 'decisions/index', 'security', 'contributing']],
  ['Packages', ['packages/']],
  ['Examples', ['examples/']],
  ['Decisions', ['decisions/']],
]

/** Titles that are too long for the menu, or lack a word there. */
const short: Readonly<Record<string, string>> = {
  interface: 'LlamaIndex for Python: all names',
  scale: 'Scale',
  'decisions/index': 'Decisions',
  security: 'Security',
  contributing: 'Work on this repository',
  'guides/other-engines': 'Other engines',
  'guides/run-durably': 'Run durably',
  'guides/persist': 'Store documents and tasks',
  'guides/answer-about-documents': 'Answer about documents',
}

/** Returns the menu of the pages. Every page is in it once. */
export function menuOf(pages: readonly Page[]): MenuGroup[] {
  const named = new Set(groups.flatMap(([, paths]) => paths.filter((path) => !path.endsWith('/'))))
  const left = new Map(pages.map((page) => [page.path, page]))
  left.delete('index')
  const menu = groups.flatMap(([text, paths]) => {
    const items = paths.flatMap((path) => {
      const found = path.endsWith('/')
        ? [...left.values()].filter((page) => page.path.startsWith(path) && !named.has(page.path))
        : [left.get(path)].filter((page) => page !== undefined)
      for (const page of found) left.delete(page.path)
      return path === 'reference/' ? [{ text: 'All names', link: '/reference/' }] : found.map(itemOf)
    })
    return items.length === 0 ? [] : [{ text, items }]
  })
  if (left.size > 0) throw new Error(`The menu has no place for ${[...left.keys()].join(', ')}.`)
  return menu
}

const itemOf = ({ path, title }: Page): MenuItem => ({
  text: short[path] ?? title.replace(/^Moving from /, ''),
  link: `/${path.replace(/(^|\/)index$/, '$1')}`,
})
