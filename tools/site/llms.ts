/** The files for programs that read documentation: `llms.txt` lists the pages, `llms-full.txt` and its parts contain them. */
import { siteAddress } from './addresses.ts'
import { headline } from './descriptions.ts'
import { menuOf } from './menu.ts'
import type { Page } from './pages.ts'

const title = `# @x\n\n> ${headline}`

/** The pages in the order of the menu. */
function inOrder(pages: readonly Page[]): [group: string, pages: Page[]][] {
  const byLink = new Map(pages.map((page) => [`/${page.path.replace(/(^|\/)index$/, '$1')}`, page]))
  return menuOf(pages).map(({ text, items }) => [text, items.flatMap(({ link }) => byLink.get(link) ?? [])])
}

/** Returns the pages as a list of links with their descriptions. @param address - what stands before the path of a page */
export function pageList(pages: readonly Page[], address: string): string {
  const groups = inOrder(pages).map(([group, found]) => {
    const lines = found.map((page) => `- [${page.title}](${address}${page.path}.md): ${page.description}`)
    return `## ${group}\n\n${lines.join('\n')}`
  })
  return `${title}\n\n${groups.join('\n\n')}\n`
}

/** Returns `llms.txt`: every page with its description, as links to Markdown. */
export function llmsList(pages: readonly Page[]): string {
  const list = pageList(pages, `${siteAddress}/`)
  const files = Object.entries(parts).map(([name, [about]]) => `- [${name}](${siteAddress}/${name}): ${about}`)
  const whole = `All of it in one file: ${siteAddress}/llms-full.txt. What one kind of application needs:\n\n${files.join('\n')}`
  return list.replace('\n\n## ', `\n\n${whole}\n\n## `)
}

/**
 * For one kind of application, by the name of its file: its description, then its pages. Behind `-` are sections of a page that others
 * need.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  'llms-chat.txt': [
    'A chat in a web page, with approvals and stored conversations.',
    'start',
    "guides/connect-a-model - OpenRouter, or Vercel's AI gateway",
    'guides/stream-to-a-web-page',
    'guides/approve-in-a-web-app',
    'guides/persist',
    'guides/test',
    'packages/ai-sdk',
    'packages/chats',
    'packages/sqlite - Documents in, passages out - Search by words and by meaning - In a Durable Object of Cloudflare',
    'packages/agents',
  ],
  'llms-documents.txt': [
    'Answers from documents, with their sources, and how good they are.',
    'start',
    "guides/connect-a-model - OpenRouter, or Vercel's AI gateway",
    'guides/answer-about-documents',
    'guides/measure-retrieval',
    'packages/retrieval - Find tools for an agent',
    'packages/postprocessors - Choose what is masked - EmbeddingRecencyPostprocessor - FixedRecencyPostprocessor - SentenceEmbeddingOptimizer - Serialization',
    'packages/node-parser - Read the outline of a document - Stream nodes - Write a text splitter',
    'packages/readers',
    'packages/evaluate - Score runs of agents',
    'packages/sqlite - Conversations - Tasks of agents - In a Durable Object of Cloudflare',
  ],
  'llms-durable.txt': [
    'Agents that continue after a crash, on stores and engines.',
    'start',
    "guides/connect-a-model - OpenRouter, or Vercel's AI gateway",
    'guides/run-durably - Certify your own task store',
    'guides/other-engines',
    'guides/work-for-hours',
    'guides/persist - Read documents once, and search them after every start',
    'guides/test',
    'packages/durable',
    'packages/layers - The tools',
    'packages/sqlite - Documents in, passages out - Search by words and by meaning - In a Durable Object of Cloudflare - Ship an index - Large stores',
    'packages/postgres - Documents - Answers of models that all processes share - Search by words and by meaning - Share a table with Python',
    'packages/dbos - Documents over many workers',
    'packages/restate - Ingest documents - Conversations',
  ],
  'llms-parts.txt': [
    'Prompts, parsers, postprocessors and loops, each used alone.',
    'start',
    'come-from/llamaindex-python',
    'guides/connect-a-model',
    'guides/model-adapter',
    'guides/serve-by-mcp',
    'packages/postprocessors',
    'packages/prompts',
    'packages/query-pipeline',
    'packages/core-model',
    'packages/storage',
    'packages/migrate',
  ],
  'llms-integrations.txt': [
    'Models, protocols and libraries that the packages connect.',
    'start',
    'guides/connect-a-model',
    'packages/mcp',
    'packages/rerank',
    'packages/readers',
    'packages/openai',
    'packages/langchain',
    'packages/transformers',
    'packages/lancedb',
    'packages/redis',
    'packages/opentelemetry',
  ],
}

/** Returns the parts of `llms-full.txt`, each for one kind of application, by the names of their files. */
export function llmsParts(pages: readonly Page[]): Map<string, string> {
  return new Map(
    Object.entries(parts).map(([name, [, ...paths]]) => {
      const texts = paths.map((entry) => {
        const [path, ...left] = entry.split(' - ')
        const page = pages.find((each) => each.path === path)
        if (page === undefined) throw new Error(`${name}: there is no page ${path}.`)
        return textOf(page)
          .split(/^(?=##)/m)
          .filter((section) => !left.includes(/^#+ (.*)/.exec(section)?.[1] ?? ''))
          .join('')
      })
      return [name, `${title}\n\n${texts.join('\n\n')}\n`]
    }),
  )
}

/** Returns the text of a page without what only the site needs. */
export const plainText = ({ text }: Page): string =>
  text.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll('[[filter]]\n\n', '')

/** The text of a page with its address, and links that lead to the site from anywhere. */
function textOf(page: Page): string {
  const text = plainText(page).replaceAll('](/', `](${siteAddress}/`).trim()
  return `<!-- ${siteAddress}/${page.path} -->\n\n${text}`
}

/** Pages that are long, and of no use without a question about them. */
const lists = /^(?:interface|sizes|contributing|decisions\/.*|examples\/.*)$/

/** Returns `llms-full.txt`: the text of the pages, without decisions, lists of names and examples of whole programs. */
export function llmsFull(pages: readonly Page[]): string {
  const texts = inOrder(pages)
    .flatMap(([, found]) => found)
    .filter(({ path }) => !lists.test(path))
    .map(textOf)
  return `${title}\n\n${texts.join('\n\n')}\n`
}
