/**
 * Compares the bundle size of an agent with tools and of a prompt with the installed peers: minified by esbuild for browsers, gzip -9,
 * kB of 1,000 bytes. A peer that does not build for browsers is built for Node, without Node's own modules, and marked. With `--write`
 * the tables are written into the README, and a picture of the first one; otherwise it exits with 1 when a row of the README differs by more than 1 kB.
 *
 * @example npm run bench -- sizes
 * @example npm run bench -- sizes --write
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { barsAsSvg } from '../tools/bars.ts'
import { bundle, gzipSize } from '../tools/bundle.ts'

const root = join(import.meta.dirname, '..')

/** What a row imports: of this repository, or of a peer that is installed beside this file. */
interface Row {
  what: string
  code: string
  /** The package of a peer, whose version is part of the row. */
  peer?: string
}

const tables: Readonly<Record<string, readonly Row[]>> = {
  'an agent with tools': [
    {
      what: '`@x/agents/loop`: `toolLoop`, other features as values',
      code: "export { toolLoop, FunctionTool } from '@x/agents/loop'",
    },
    {
      what: '`@x/agents`: `FunctionCallingAgent`',
      code: "export { FunctionCallingAgent, FunctionTool } from '@x/agents'",
    },
    { what: '`@x/agents`: `ReActAgent`', code: "export { ReActAgent, FunctionTool } from '@x/agents'" },
    { what: 'TanStack AI', peer: '@tanstack/ai', code: "export { chat, toolDefinition } from '@tanstack/ai'" },
    { what: 'AI SDK', peer: 'ai', code: "export { ToolLoopAgent, tool } from 'ai'" },
    { what: 'LangChain', peer: 'langchain', code: "export { createAgent, tool } from 'langchain'" },
    { what: 'OpenAI Agents', peer: '@openai/agents', code: "export { Agent, run, tool } from '@openai/agents'" },
    {
      what: 'Mastra',
      peer: '@mastra/core',
      code: "export { Agent } from '@mastra/core/agent'\nexport { createTool } from '@mastra/core/tools'",
    },
  ],
  'a prompt template': [
    { what: '`@x/prompts`: `PromptTemplate`', code: "export { PromptTemplate } from '@x/prompts'" },
    { what: 'Dotprompt', peer: 'dotprompt', code: "export { Dotprompt } from 'dotprompt'" },
    {
      what: 'LangChain',
      peer: '@langchain/core',
      code: "export { PromptTemplate } from '@langchain/core/prompts'",
    },
    {
      what: 'LlamaIndexTS',
      peer: '@llamaindex/core',
      code: "export { PromptTemplate } from '@llamaindex/core/prompts'",
    },
  ],
}

if (!existsSync(join(root, 'packages', 'agents', 'dist', 'index.js'))) {
  console.error('The packages are not built: npm run bench -- sizes measures builds. Run "npm run build" first.')
  process.exit(1)
}

const versionOf = (peer: string): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'node_modules', peer, 'package.json'), 'utf8')).version
const ofNode = ['node:*', ...builtinModules]

interface Measured {
  /** With the version of a peer. */
  name: string
  /** In kB. */
  size: number
  /** Where it runs, if not everywhere. */
  note: string
  ours: boolean
}

async function measured({ what, code, peer }: Row): Promise<Measured> {
  const folder = peer === undefined ? join(root, 'tools') : import.meta.dirname
  const name = peer === undefined ? what : `${what} ${versionOf(peer)}`
  try {
    return { name, size: gzipSize(await bundle(code, folder)) / 1000, note: '', ours: peer === undefined }
  } catch {
    return { name, size: gzipSize(await bundle(code, folder, ofNode)) / 1000, note: 'needs Node', ours: false }
  }
}

const labelOf = ({ size, note }: Measured) => `${size.toFixed(0)} kB${note && `, ${note}`}`
let text = ''
let picture = ''
for (const [title, rows] of Object.entries(tables)) {
  const found = await Promise.all(rows.map(measured))
  found.sort((a, b) => a.size - b.size)
  const lines = found.map((row) => `| ${row.name} | ${labelOf(row)} |`)
  const bars = found.map((row) => ({
    name: row.name.replace(/, .*/, ''),
    value: row.size,
    label: labelOf(row),
    ours: row.ours,
  }))
  picture ||= barsAsSvg(`The sizes of the table: ${title}.`, bars)
  text += `\n| ${title} | size |\n| --- | --- |\n${lines.join('\n')}\n`
}
console.log(text.trim())

const path = join(root, 'README.md')
const readme = readFileSync(path, 'utf8')
const place = /(?<=<!-- sizes -->\n)[\s\S]*?(?=<!-- \/sizes -->)/
const sizesIn = (table: string) =>
  [...table.matchAll(/^\| (.*) \| (\d+) kB/gm)].map(([, name, size]) => [name, Number(size)] as const)
const stated = new Map(sizesIn(place.exec(readme)?.[0] ?? ''))
const differing = sizesIn(text).filter(([name, size]) => !(Math.abs((stated.get(name) ?? Infinity) - size) <= 1))
if (process.argv.includes('--write')) {
  writeFileSync(path, readme.replace(place, `${text}\n`))
  writeFileSync(join(root, 'docs', 'pictures', 'sizes.svg'), picture)
} else if (differing.length > 0) {
  console.error(
    `The README states other sizes: ${differing.map(([name]) => name).join(', ')}. Write them with --write.`,
  )
  process.exitCode = 1
}
