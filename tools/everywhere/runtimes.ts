/** Runtimes of servers: every line of Node that is supported, Bun, Deno, and workerd, which Cloudflare Workers are. */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { mustRun, runBeside } from '../command.ts'
import { registryFolder } from '../rehearsal/registry.ts'
import {
  everyPackage,
  failed,
  type Group,
  hasNodes,
  outcome,
  type Row,
  resultIn,
  type Trial,
  versionOf,
} from './trial.ts'

const nodes = ['node-20.19', 'node-20', 'node-22', 'node-24', 'node-26']
const bun = join(registryFolder, 'node_modules', '.bin', 'bun')

/** The rows of Node: the steps, also without code from strings, and the import of all entries of all packages by `import` and `require`. */
export async function nodeGroup(trial: Trial): Promise<Group> {
  const folder = await trial.install('node', hasNodes ? nodes : [], everyPackage)
  cpSync(join(import.meta.dirname, '..', 'smoke.mjs'), join(folder, 'smoke.mjs'))
  const rows: Row[] = []
  const programs = nodes.map((name) => [join(folder, 'node_modules', name, 'bin', 'node'), versionOf(name)] as const)
  const own = [process.execPath, process.versions.node] as const
  for (const [node, version] of hasNodes ? programs : [own]) {
    rows.push({ what: 'Node', version, ...(await outcome(folder, node, ['program.mjs'])) })
    const strict = ['--disallow-code-generation-from-strings', 'program.mjs']
    rows.push({ what: 'Node without code from strings', version, ...(await outcome(folder, node, strict)) })
    const { output } = await runBeside(node, ['smoke.mjs', join('node_modules', '@x')], folder)
    const [, passed, failures] = /: (\d+) passed, (\d+) failed/.exec(output) ?? []
    const lines = output.split('\n').filter((line) => line.startsWith('  '))
    rows.push({
      what: 'Node: every entry by `import` and `require`',
      version,
      passed: Number(passed ?? 0),
      failures: failures === '0' ? [] : [...lines, ...(lines.length === 0 ? [output.slice(0, 300)] : [])],
    })
  }
  return { name: 'Node', unit: 'steps, or entries', rows }
}

/** Runs the steps in workerd. */
async function workerd(folder: string, flags: readonly string[]): Promise<Pick<Row, 'passed' | 'failures'>> {
  const contents = `import { runSteps } from './steps.mjs'
export default { fetch: async () => new Response('RESULT ' + JSON.stringify(await runSteps())) }`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  })
  const path = createRequire(join(folder, 'program.mjs')).resolve('miniflare')
  const loaded = await import(pathToFileURL(path).href)
  const { Miniflare } = loaded.Miniflare ? loaded : loaded.default
  const server = new Miniflare({
    modules: true,
    script: outputFiles[0]!.text,
    compatibilityDate: '2026-07-01',
    compatibilityFlags: [...flags],
  })
  try {
    return resultIn(await (await server.dispatchFetch('http://localhost/')).text())
  } finally {
    await server.dispose()
  }
}

/** The rows of the other runtimes. */
export async function runtimeGroup(trial: Trial): Promise<Group> {
  const folder = await trial.install('runtimes', ['deno', 'miniflare'])
  const bunVersion = (await mustRun(bun, ['--version'], folder)).trim()
  const deno = join(folder, 'node_modules', '.bin', 'deno')
  const rows: Row[] = [
    { what: 'Bun', version: bunVersion, ...(await outcome(folder, bun, ['program.mjs'])) },
    {
      what: 'Deno, without permissions',
      version: versionOf('deno'),
      ...(await outcome(folder, deno, ['run', '--no-prompt', 'program.mjs'])),
    },
  ]
  const manifest = join(folder, 'node_modules', 'workerd', 'package.json')
  const version = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : versionOf('miniflare')
  for (const flags of [[], ['nodejs_compat']]) {
    const result = await workerd(folder, flags).catch(failed)
    rows.push({ what: `workerd${flags.length > 0 ? ' with `nodejs_compat`' : ''}`, version, ...result })
  }
  return { name: 'Other runtimes of servers', unit: 'steps', rows }
}
