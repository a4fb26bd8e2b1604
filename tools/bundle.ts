/** The bundle of an application in a browser: what `npm run sizes` and `npm run bench -- sizes` measure. */
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Configuration } from 'webpack'

/** What a size is of, the code that is bundled, and of a peer its package. */
export type Sized = readonly [what: string, code: string, peer?: string]

/** The adapter of OpenAI, as an application needs it. */
const openai = "\nexport { OpenAI } from '@x/openai'"

/** The sizes that the README compares with those of other libraries, by table; `npm run bench -- sizes --write` writes all of them. */
export const inReadme: Readonly<Record<string, readonly Sized[]>> = {
  'an agent with tools and OpenAI': [
    [
      '`@x/agents/loop`: `toolLoop`, other features as values',
      `export { toolLoop, FunctionTool } from '@x/agents/loop'${openai}`,
    ],
    ['`@x/agents`: `FunctionCallingAgent`', `export { FunctionCallingAgent, FunctionTool } from '@x/agents'${openai}`],
    ['`@x/agents`: `ReActAgent`', `export { ReActAgent, FunctionTool } from '@x/agents'${openai}`],
  ],
  'a prompt template': [['`@x/prompts`: `PromptTemplate`', "export { PromptTemplate } from '@x/prompts'"]],
}

/**
 * Returns the minified bundle of a module; packages are looked up from `resolveDir`.
 * @param external - packages that are left out.
 */
export async function bundle(code: string, resolveDir: string, external: readonly string[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir, loader: 'js' },
    bundle: true,
    external: [...external],
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}

/** Returns the size of a string after gzip at its best, in bytes. */
export function gzipSize(text: string): number {
  return gzipSync(text, { level: 9 }).length
}

/** Bundles with webpack. */
export async function webpackBuild(options: Configuration): Promise<void> {
  const { default: webpack } = await import('webpack')
  const compiler = webpack({ mode: 'production', ...options })!
  const stats = await promisify(compiler.run).call(compiler)
  const [fault] = stats?.toJson({ all: false, errors: true }).errors ?? []
  if (fault) throw new Error(fault.message)
}
