/**
 * Compares the bundle size of an agent with tools and of a prompt with the installed peers: minified by esbuild for browsers, gzip -9, kB
 * of 1,000 bytes. A peer that does not build for browsers is built for Node, without Node's own modules, and marked. With `--write` the
 * tables are written into the README and the page of benchmarks; otherwise it exits with 1 when a row of the README differs by more than 1
 * kB.
 *
 * @example npm run bench -- sizes
 * @example npm run bench -- sizes --write
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { bundle, gzipSize, inReadme, type Sized } from '../tools/bundle.ts'
import {
  type Figure,
  type FigureTable,
  figuresAsMarkdown,
  isWriting,
  peerVersion,
  writeFigures,
} from '../tools/figures.ts'

const root = join(import.meta.dirname, '..')

/** The peers that are installed beside this file. */
const peers: typeof inReadme = {
  'an agent with tools and OpenAI': [
    [
      'TanStack AI',
      "export { chat, toolDefinition } from '@tanstack/ai'\nexport { createOpenaiChat } from '@tanstack/ai-openai'",
      '@tanstack/ai',
    ],
    ['AI SDK', "export { ToolLoopAgent, tool } from 'ai'\nexport { createOpenAI } from '@ai-sdk/openai'", 'ai'],
    [
      'LangChain',
      "export { createAgent, tool } from 'langchain'\nexport { ChatOpenAI } from '@langchain/openai'",
      'langchain',
    ],
    ['OpenAI Agents', "export { Agent, run, tool } from '@openai/agents'", '@openai/agents'],
    [
      'Mastra',
      "export { Agent } from '@mastra/core/agent'\nexport { createTool } from '@mastra/core/tools'",
      '@mastra/core',
    ],
  ],
  'a prompt template': [
    ['Dotprompt', "export { Dotprompt } from 'dotprompt'", 'dotprompt'],
    ['LangChain', "export { PromptTemplate } from '@langchain/core/prompts'", '@langchain/core'],
    ['LlamaIndexTS', "export { PromptTemplate } from '@llamaindex/core/prompts'", '@llamaindex/core'],
  ],
}

if (!existsSync(join(root, 'packages', 'agents', 'dist', 'index.js'))) {
  console.error('The packages are not built: npm run bench -- sizes measures builds. Run "npm run build" first.')
  process.exit(1)
}

const ofNode = ['node:*', ...builtinModules]

async function measured([name, code, peer]: Sized): Promise<Figure> {
  const folder = peer === undefined ? join(root, 'tools') : import.meta.dirname
  const whose = peer === undefined ? { ours: true } : { version: peerVersion(peer) }
  try {
    return { name, value: gzipSize(await bundle(code, folder)) / 1000, ...whose }
  } catch {
    return { name, value: gzipSize(await bundle(code, folder, ofNode)) / 1000, note: 'needs Node', ...whose }
  }
}

const measuredTables = await Promise.all(
  Object.entries(peers).map(
    async ([title, rows]): Promise<FigureTable> => ({
      title,
      measure: 'size',
      unit: 'kB',
      digits: 0,
      better: 'less',
      rows: await Promise.all([...inReadme[title]!, ...rows].map(measured)),
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
