/**
 * Compares the bundle size of an agent with tools and of a prompt with the installed peers: minified by esbuild for browsers, gzip -9,
 * kB of 1,000 bytes. A peer that does not build for browsers is built for Node, without Node's own modules, and marked. With `--write`
 * the tables are written into the README and the page of benchmarks; otherwise it exits with 1 when a row of the README differs by more than 1 kB.
 *
 * @example npm run bench -- sizes
 * @example npm run bench -- sizes --write
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { bundle, gzipSize } from '../tools/bundle.ts'
import {
  type Figure,
  type FigureTable,
  figuresAsMarkdown,
  isWriting,
  peerVersion,
  writeFigures,
} from '../tools/figures.ts'

const root = join(import.meta.dirname, '..')

/** What a row imports: of this repository, or of a peer that is installed beside this file. */
interface Row {
  what: string
  code: string
  /** The package of a peer, whose version is part of the row. */
  peer?: string
}

/** The adapter of OpenAI, as an application needs it. */
const openai = "\nexport { OpenAI } from '@x/openai'"

const tables: Readonly<Record<string, readonly Row[]>> = {
  'an agent with tools and OpenAI': [
    {
      what: '`@x/agents/loop`: `toolLoop`, other features as values',
      code: `export { toolLoop, FunctionTool } from '@x/agents/loop'${openai}`,
    },
    {
      what: '`@x/agents`: `FunctionCallingAgent`',
      code: `export { FunctionCallingAgent, FunctionTool } from '@x/agents'${openai}`,
    },
    {
      what: '`@x/agents`: `ReActAgent`',
      code: `export { ReActAgent, FunctionTool } from '@x/agents'${openai}`,
    },
    {
      what: 'TanStack AI',
      peer: '@tanstack/ai',
      code: "export { chat, toolDefinition } from '@tanstack/ai'\nexport { createOpenaiChat } from '@tanstack/ai-openai'",
    },
    {
      what: 'AI SDK',
      peer: 'ai',
      code: "export { ToolLoopAgent, tool } from 'ai'\nexport { createOpenAI } from '@ai-sdk/openai'",
    },
    {
      what: 'LangChain',
      peer: 'langchain',
      code: "export { createAgent, tool } from 'langchain'\nexport { ChatOpenAI } from '@langchain/openai'",
    },
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

const ofNode = ['node:*', ...builtinModules]

async function measured({ what: name, code, peer }: Row): Promise<Figure> {
  const folder = peer === undefined ? join(root, 'tools') : import.meta.dirname
  const whose = peer === undefined ? { ours: true } : { version: peerVersion(peer) }
  try {
    return { name, value: gzipSize(await bundle(code, folder)) / 1000, ...whose }
  } catch {
    return { name, value: gzipSize(await bundle(code, folder, ofNode)) / 1000, note: 'needs Node', ...whose }
  }
}

const measuredTables = await Promise.all(
  Object.entries(tables).map(
    async ([title, rows]): Promise<FigureTable> => ({
      title,
      measure: 'size',
      unit: 'kB',
      digits: 0,
      better: 'less',
      rows: await Promise.all(rows.map(measured)),
    }),
  ),
)
const text = measuredTables.map((table) => `\n${figuresAsMarkdown(table)}`).join('')
console.log(text.trim())
writeFigures('sizes', measuredTables)

const path = join(root, 'README.md')
const readme = readFileSync(path, 'utf8')
const place = /(?<=<!-- sizes -->\n)[\s\S]*?(?=<!-- \/sizes -->)/
const sizesIn = (table: string) =>
  [...table.matchAll(/^\| (.*) \| ([\d,]+) kB/gm)].map(
    ([, name, size]) => [name, Number(size!.replaceAll(',', ''))] as const,
  )
const stated = new Map(sizesIn(place.exec(readme)?.[0] ?? ''))
const differing = sizesIn(text).filter(([name, size]) => !(Math.abs((stated.get(name) ?? Infinity) - size) <= 1))
if (isWriting()) {
  writeFileSync(path, readme.replace(place, `${text}\n`))
} else if (differing.length > 0) {
  console.error(
    `The README states other sizes: ${differing.map(([name]) => name).join(', ')}. Write them with --write.`,
  )
  process.exitCode = 1
}
