/**
 * Compares the bundle size of an agent with tools and of a prompt with the installed peers: minified by esbuild for browsers, gzip -9,
 * kB of 1,000 bytes. Exits with 1 when a bundle of this repository is not smaller than those of all peers.
 *
 * @example npm run bench -- sizes
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, gzipSize } from '../tools/bundle.ts'

const root = join(import.meta.dirname, '..')
const tools = join(root, 'tools')

interface Case {
  what: string
  ours: string
  peers: Readonly<Record<string, string>>
}

const cases: Case[] = [
  {
    what: 'an agent with tools',
    ours: "export { ReActAgent, FunctionTool } from '@x/agents'",
    peers: {
      'ai (ToolLoopAgent, tool)': "export { ToolLoopAgent, tool } from 'ai'",
      'langchain (createAgent, tool)': "export { createAgent, tool } from 'langchain'",
    },
  },
  {
    what: 'a prompt template',
    ours: "export { PromptTemplate } from '@x/prompts'",
    peers: {
      '@langchain/core (PromptTemplate)': "export { PromptTemplate } from '@langchain/core/prompts'",
      '@llamaindex/core (PromptTemplate)': "export { PromptTemplate } from '@llamaindex/core/prompts'",
      dotprompt: "export { Dotprompt } from 'dotprompt'",
    },
  },
]

if (!existsSync(join(root, 'packages', 'agents', 'dist', 'index.js'))) {
  console.error('The packages are not built: npm run bench -- sizes measures builds. Run "npm run build" first.')
  process.exit(1)
}

/** The size in kB, or the reason why a peer does not build for browsers. */
async function sizeOf(code: string, resolveDir: string): Promise<number | string> {
  try {
    return gzipSize(await bundle(code, resolveDir)) / 1000
  } catch (error) {
    return (error as Error).message.split('\n')[1] ?? String(error)
  }
}

const shown = (size: number | string) => (typeof size === 'number' ? `${size.toFixed(1).padStart(7)} kB` : size)
for (const { what, ours, peers } of cases) {
  const own = await sizeOf(ours, tools)
  console.log(`${what}\n  ${'@x'.padEnd(36)} ${shown(own)}`)
  for (const [name, code] of Object.entries(peers)) {
    const size = await sizeOf(code, import.meta.dirname)
    console.log(`  ${name.padEnd(36)} ${shown(size)}`)
    if (typeof own !== 'number' || typeof size !== 'number' || size <= own) process.exitCode = 1
  }
}
