/** The skills of the packages for coding assistants, made from the guides and READMEs whose examples run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The folder of the package in `packages`, the guide, or `README.md` of the package, and when an assistant should read it. */
type Skill = [folder: string, source: string, when: string]

const skills: Skill[] = [
  ['agents', 'test.md', 'writing tests of an agent, of tools, or of code around them'],
  ['agents', 'stream-to-a-web-page.md', 'an agent answers in a web page, by server-sent events'],
  ['agents', 'approve-in-a-web-app.md', 'a person has to approve, edit or reject calls of tools'],
  ['agents', 'run-the-loop.md', 'an agent needs a small bundle, own layers, or no stored tasks'],
  ['agents', 'run-durably.md', 'tasks of an agent must survive crashes, deployments or the loss of machines'],
  [
    'layers',
    'work-for-hours.md',
    'an agent needs files, a to-do list, skills, memory of users, helpers, background work, steering or cost',
  ],
  ['llm', 'connect-a-model.md', 'choosing or configuring a language or embedding model'],
  ['llm', 'model-adapter.md', 'connecting a model that no package connects'],
  ['storage', 'persist.md', 'documents, conversations or tasks have to be stored'],
  ['retrieval', 'answer-about-documents.md', 'answering questions about documents, with citations'],
  ['retrieval', 'ingest-with-many-workers.md', 'many documents are ingested by several workers'],
  ['evaluate', 'measure-retrieval.md', 'measuring or comparing the quality of a search'],
  ['integrations/mcp', 'serve-by-mcp.md', 'serving tools, retrievers, agents or documents to clients of MCP'],
  ['integrations/mcp', 'sign-in-to-mcp-servers.md', 'an MCP server needs a sign-in'],
  ['integrations/opentelemetry', 'trace.md', 'tracing models, agents, tools or retrievers'],
  ['integrations/ai-sdk', 'README.md', 'using models of the AI SDK, `useChat`, or clients of AG-UI with agents'],
  ['integrations/openai', 'README.md', 'calling models of OpenAI, or of a server with its interface'],
  ['integrations/sqlite', 'README.md', 'storing and searching documents, chats and tasks in an SQLite file'],
  ['integrations/postgres', 'README.md', 'storing and searching documents, chats and tasks in PostgreSQL'],
  ['integrations/dbos', 'README.md', 'running agents or ingestion as workflows of DBOS'],
  ['integrations/restate', 'README.md', 'running agents on a server of Restate'],
  ['prompts', 'README.md', 'writing, formatting or replacing prompt templates'],
  ['postprocessors', 'README.md', 'filtering, reranking, expanding, shortening or masking retrieved nodes'],
  ['node-parser', 'README.md', 'splitting Markdown, text or code into nodes, with tables'],
  ['query-pipeline', 'README.md', 'connecting prompts, models, retrievers and functions as a graph'],
]

const nameOf = ([folder, source]: Skill): string => {
  const short = folder.replace('integrations/', '')
  return source === 'README.md' ? short : `${short}-${source.replace('.md', '')}`
}

/** Replaces links, which lead nowhere in an installed package, by their text and the name of the skill behind them. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\((?!https?:)([^)]+)\)/g, (_, words: string, link: string) => {
    const found = skills.find(([, source]) => source !== 'README.md' && link.replace(/#.*$/, '').endsWith(source))
    return found === undefined ? words : `${words} (skill \`${nameOf(found)}\`)`
  })
}

/** Applies a function to the parts of a Markdown text that are not code. */
const outsideOfCode = (text: string, change: (prose: string) => string): string =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('')

/** The text of a skill. */
function textOf(skill: Skill): string {
  const [folder, source, when] = skill
  const isReadme = source === 'README.md'
  const path = isReadme ? `packages/${folder}/README.md` : `docs/guides/${source}`
  const { name: packageName } = JSON.parse(read(`packages/${folder}/package.json`))
  const [, title, body] = /^# (.*)\n([\s\S]*)$/.exec(read(path)) as unknown as [string, string, string]
  // Of a README, what is read to use the package: without the tables of all fields, errors and formats.
  const text = isReadme ? body.split(/^## API$/m)[0]! : body
  const what = isReadme ? `Use ${packageName}.` : `${title} with ${packageName}.`
  return `---
name: ${nameOf(skill)}
description: ${JSON.stringify(`${what} Use when ${when}.`)}
---

# ${title}

${outsideOfCode(text, withoutLinks).trim()}

## Look up

\`REFERENCE.md\` of each installed package lists every name with a sentence; its \`README.md\` lists the codes of errors. Recognize an error by its
code: \`isToolkitError(error, 'model_validation')\`. Examples use a scripted model, \`ScriptedLLM\` of \`@x/llm/testing\`, so that they run
without a key: replace it in a program, keep it in a test.
`
}

/** The texts of the skills of a package, by the path of each within it. @param folder - the absolute folder of the package. */
export function skillTexts(folder: string): Map<string, string> {
  const own = skills.filter(([name]) => join(root, 'packages', name) === folder)
  return new Map(own.map((skill) => [`skills/${nameOf(skill)}/SKILL.md`, textOf(skill)]))
}
