/** One sentence about each page: for `llms.txt`, the search and the cards of links. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The description of a manifest. That of the root is the headline of the README, of the site and of `llms.txt`. */
const manifestText = (folder: string): string =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).description

/** What one builds with these packages, in one sentence. */
export const headline = manifestText('.')

/** The sentences about the pages of `docs/` and those that are made, by their paths on the site. */
const written: Readonly<Record<string, string>> = {
  index: headline,
  start: 'Build an agent with one tool in five minutes, with a model and without one.',
  choose: 'The packages and a program of fifteen lines for a chat, cited answers, durable agents and single parts.',
  concepts: 'Explains agents, tasks, nodes, retrievers and postprocessors, one sentence and one picture each.',
  scale: 'The storage, model calls, workers and time that a million documents and a million open tasks need.',
  benchmarks: 'Speed, memory and size of agents, searches, Markdown and prompts beside those of other libraries.',
  interface: 'All operations, arguments and fields of LlamaIndex for Python with their names in TypeScript.',
  'where-it-runs':
    'The runtimes, bundlers, package managers and compilers that were tested, with versions and settings.',
  'models-and-servers': 'The models, servers and libraries that the adapters were tested with, in which versions.',
  errors: 'All error codes: what happened, the usual causes, and what to do.',
  events: 'All events of an agent, with a recorded example of each.',
  sizes: 'The measured sizes of what applications import from each package.',
  security: 'How to report a vulnerability, and what the packages protect against.',
  contributing: 'The commands, rules and tests of this repository.',
  'decisions/index': 'What was decided about the design, with figures, and what would change it.',
  'guides/stream-to-a-web-page': 'Send the events of an agent to a page, with conversations that survive a reload.',
  'guides/approve-in-a-web-app': 'Let a person approve, edit or reject tool calls in a web page.',
  'guides/sveltekit': 'Build a chat with approvals in SvelteKit, on the server of the template of npm create.',
  'guides/nuxt': 'Build a chat with approvals in Nuxt, on the server of the template of npm create.',
  'guides/expo': 'Show a chat with approvals in React Native with Expo, as a client of your server.',
  'guides/assistant-ui-and-copilotkit':
    'Show a chat with approvals in the components of assistant-ui or CopilotKit: the server and the client code.',
  'guides/deploy':
    'Deploy a chat on Node, Docker, Fly, Vercel, Lambda or Cloudflare: stores, streams, workers and limits.',
  'guides/run-the-loop': 'Use the loop of the agents alone, import its features one by one, and add your own.',
  'guides/answer-about-documents': 'Get cited answers from a folder of Markdown, and measure how good they are.',
  'guides/ingest-with-many-workers': 'Read millions of documents with workers that may crash at any time.',
  'guides/persist': 'Store documents, search indexes, conversations and tasks in SQLite, Postgres or files.',
  'guides/vector-databases': 'Connect Qdrant, Chroma or another vector database with one class.',
  'guides/other-engines': 'Run agents on Inngest, Trigger.dev, the Workflow SDK or Temporal, without an adapter.',
  'guides/run-durably': 'Run agents that continue after deployments and crashes, on SQLite, Postgres, DBOS or Restate.',
  'guides/work-for-hours':
    'Build an agent that works for hours: a plan, files, helpers, questions of users, and crashes in between.',
  'guides/connect-a-model':
    'Connect OpenAI, Ollama, a provider of the AI SDK or LangChain, or a model in this process.',
  'guides/model-adapter': 'Write a class that connects any other model, and check it.',
  'guides/serve-by-mcp':
    'Offer tools, retrievers and agents to editors and chat programs by the Model Context Protocol.',
  'guides/sign-in-to-mcp-servers': 'Connect to MCP servers that require OAuth 2.1, in a terminal or on a web server.',
  'guides/test': 'Test agents without a model: scripted answers, recordings, and checks of your own adapters.',
  'guides/trace': 'Follow model calls, tools and retrieval in OpenTelemetry or in a handler of your own.',
  'guides/measure-retrieval': 'Choose chunk sizes, tokenizers and models by twenty questions about your own texts.',
  'come-from/ai-sdk': 'The same program with the AI SDK and with these packages, and a table of names.',
  'come-from/langchain': 'The same program with LangChain.js and with these packages, and a table of names.',
  'come-from/llamaindex-python':
    'What is equal to LlamaIndex for Python, what differs, and how data moves between both.',
  'come-from/llamaindex-ts': 'The same program with LlamaIndexTS and with these packages, and a table of names.',
  'come-from/mastra': 'The same program with Mastra and with these packages, and a table of names.',
  'come-from/tanstack-ai': 'The same program with TanStack AI and with these packages, and a table of names.',
}

/** Returns the Markdown as one line of plain text. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The first whole sentence of a page. Decisions begin with a label, such as "**Choice.**". */
function firstSentence(text: string): string {
  const sentences = text
    .replace(/^# .*$/m, '')
    .replaceAll(/^```[\s\S]*?^```$|^\|.*$/gm, '')
    .split(/\n{2,}/)
    .flatMap((paragraph) => plain(paragraph.replace(/^\s*(?:\*\*[^*]*\*\*|\d+\.|-)\s*/, '')).split(/(?<=\.) (?=\S)/))
  return sentences.find((sentence) => /^[A-Z@].{30,}\.$/.test(sentence)) ?? ''
}

/**
 * Returns the description of a page.
 * @param source - the file of the page, relative to the root; null for a page that is made.
 * @throws for a page without one.
 */
export function descriptionOf(path: string, source: string | null, text: string): string {
  const folder = source === null ? '' : dirname(source)
  const ofPackage = /README\.md$/.test(source ?? '') && existsSync(join(root, folder, 'package.json'))
  const found = ofPackage ? manifestText(folder) : (written[path] ?? firstSentence(text))
  if (!found)
    throw new Error(`tools/site/descriptions.ts has no sentence about the page ${path}, which does not begin with one.`)
  return found
}
