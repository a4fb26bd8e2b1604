/** The skills of the packages for coding assistants, made from the guides and READMEs whose examples run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Skill {
  /** The folder of the package, in `packages`. */
  package: string
  /** The guide, or `README.md` of the package. */
  source: string
  /** When an assistant should read it. */
  when: string
}

const skills: Skill[] = [
  { package: 'agents', source: 'test.md', when: 'writing tests of an agent, of tools, or of code around them' },
  {
    package: 'agents',
    source: 'stream-to-a-web-page.md',
    when: 'an agent answers in a web page, by server-sent events',
  },
  {
    package: 'agents',
    source: 'approve-in-a-web-app.md',
    when: 'a person has to approve, edit or reject calls of tools',
  },
  {
    package: 'agents',
    source: 'run-the-loop.md',
    when: 'an agent needs a small bundle, own layers, or no stored tasks',
  },
  {
    package: 'agents',
    source: 'run-durably.md',
    when: 'tasks of an agent must survive crashes, deployments or the loss of machines',
  },
  {
    package: 'layers',
    source: 'work-for-hours.md',
    when: 'an agent needs files, a to-do list, skills, memory of users, helpers, background work, steering or cost',
  },
  { package: 'llm', source: 'connect-a-model.md', when: 'choosing or configuring a language or embedding model' },
  { package: 'llm', source: 'model-adapter.md', when: 'connecting a model that no package connects' },
  { package: 'storage', source: 'persist.md', when: 'documents, conversations or tasks have to be stored' },
  {
    package: 'retrieval',
    source: 'answer-about-documents.md',
    when: 'answering questions about documents, with citations',
  },
  {
    package: 'retrieval',
    source: 'ingest-with-many-workers.md',
    when: 'many documents are ingested by several workers',
  },
  { package: 'evaluate', source: 'measure-retrieval.md', when: 'measuring or comparing the quality of a search' },
  {
    package: 'integrations/mcp',
    source: 'serve-by-mcp.md',
    when: 'serving tools, retrievers, agents or documents to clients of MCP',
  },
  { package: 'integrations/mcp', source: 'sign-in-to-mcp-servers.md', when: 'an MCP server needs a sign-in' },
  { package: 'integrations/opentelemetry', source: 'trace.md', when: 'tracing models, agents, tools or retrievers' },
  { package: 'prompts', source: 'README.md', when: 'writing, formatting or replacing prompt templates' },
  {
    package: 'postprocessors',
    source: 'README.md',
    when: 'filtering, reranking, expanding, shortening or masking retrieved nodes',
  },
  { package: 'node-parser', source: 'README.md', when: 'splitting Markdown, text or code into nodes, with tables' },
  {
    package: 'query-pipeline',
    source: 'README.md',
    when: 'connecting prompts, models, retrievers and functions as a graph',
  },
]

const nameOf = ({ package: folder, source }: Skill): string => {
  const short = folder.replace('integrations/', '')
  return source === 'README.md' ? short : `${short}-${source.replace('.md', '')}`
}

/** Replaces links, which lead nowhere in an installed package, by their text and the name of the skill behind them. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\((?!https?:)([^)]+)\)/g, (_, words: string, link: string) => {
    const found = skills.find(({ source }) => source !== 'README.md' && link.replace(/#.*$/, '').endsWith(source))
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
  const isReadme = skill.source === 'README.md'
  const source = isReadme ? `packages/${skill.package}/README.md` : `docs/guides/${skill.source}`
  const { name: packageName } = JSON.parse(read(`packages/${skill.package}/package.json`))
  const [, title, body] = /^# (.*)\n([\s\S]*)$/.exec(read(source)) as unknown as [string, string, string]
  // Of a README, what is read to use the package: without the tables of all fields, errors and formats.
  const text = isReadme ? body.split(/^## API$/m)[0]! : body
  const what = isReadme ? `Use ${packageName}.` : `${title} with ${packageName}.`
  return `---
name: ${nameOf(skill)}
description: ${JSON.stringify(`${what} Use when ${skill.when}.`)}
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
  const own = skills.filter((skill) => join(root, 'packages', skill.package) === folder)
  return new Map(own.map((skill) => [`skills/${nameOf(skill)}/SKILL.md`, textOf(skill)]))
}
