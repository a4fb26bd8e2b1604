/**
 * Refuses packages whose unused classes remain in bundles: for each package, one class is bundled by esbuild,
 * Rollup and webpack, and the specs of all its other classes must be absent. Of every built file, nothing may stay when nothing of it is
 * used; esbuild, which assumes the most effects, bundles them as if the manifests promised nothing.
 *
 * @example node tools/shaking.ts
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { rollup } from 'rollup'
import { webpackBuild } from './bundle.ts'
import { check, report } from './checks.ts'
import { packageFolders } from './packages.ts'

/** A class of each package that needs no other class of it, but those that it extends. */
const subjects: [from: string, name: string][] = [
  ['@x/core-model', 'QueryBundle'],
  ['@x/prompts', 'PromptTemplate'],
  ['@x/postprocessors', 'SimilarityPostprocessor'],
  ['@x/node-parser', 'MarkdownNodeParser'],
  ['@x/agents', 'Task'],
]

const folder = mkdtempSync(join(import.meta.dirname, '.shaking-'))
const entry = join(folder, 'entry.js')

const bundlers: Record<string, () => Promise<string>> = {
  async esbuild() {
    const options = { bundle: true, format: 'esm', minify: true, write: false } as const
    const { outputFiles } = await build({ entryPoints: [entry], platform: 'browser', ...options })
    return outputFiles[0]!.text
  },
  async rollup() {
    const resolveId = (id: string) => (id.startsWith('@x/') ? fileURLToPath(import.meta.resolve(id)) : null)
    const bundle = await rollup({ input: entry, plugins: [{ name: 'packages', resolveId }], onLog() {} })
    const { output } = await bundle.generate({ format: 'es' })
    return output[0].code
  },
  async webpack() {
    const output = { path: folder, filename: 'webpack.js', library: { type: 'module' } }
    await webpackBuild({ entry, output, experiments: { outputModule: true } })
    return readFileSync(join(folder, 'webpack.js'), 'utf8')
  },
}

interface ModelClass {
  spec(): { name: string }
}
const isModelClass = (value: unknown): value is ModelClass => typeof value === 'function' && 'spec' in value

/** The names in the specs of the classes of a package that `name` does not extend. */
async function othersThan(from: string, name: string): Promise<string[]> {
  const exported = (await import(from)) as Record<string, unknown>
  const kept = new Set<unknown>()
  for (let each = exported[name]; each; each = Object.getPrototypeOf(each)) kept.add(each)
  const classes = Object.entries(exported).filter(([key, value]) => key !== 'Model' && isModelClass(value))
  const keptNames = new Set(classes.filter(([, value]) => kept.has(value)).map(([key]) => key))
  const names = classes.map(([, value]) => (value as ModelClass).spec().name)
  return [...new Set(names)].filter((other) => !keptNames.has(other))
}

/** Returns what esbuild keeps of a file that is imported for nothing. Dependencies are external. */
async function keptOf(path: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `import ${JSON.stringify(path)}`, resolveDir: folder },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'error',
    // Manifests say that files have no effects, and would hide what stays when something else of a file is used.
    plugins: [
      {
        name: 'files alone',
        setup({ onResolve }) {
          onResolve({ filter: /./ }, ({ path: wanted }) => {
            // The names of `export *` are those of the package.
            if (wanted.startsWith('@x/')) return undefined
            return wanted === path ? { path, sideEffects: true } : { path: wanted, external: true, sideEffects: false }
          })
        },
      },
    ],
  })
  return outputFiles[0]!.text.replaceAll(/^\/\/ .*$/gm, '').trim()
}

for (const [from, name] of subjects) {
  const others = await othersThan(from, name)
  writeFileSync(entry, `export { ${name} } from '${from}'\n`)
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    const text = await bundle()
    const found = others.filter((other) => new RegExp(`name: ?["'\`]${other}["'\`]`).test(text))
    const isThere = new RegExp(`name: ?["'\`]${name}["'\`]`).test(text)
    check(`${from}, ${bundler}: ${name} is there, and keeps nothing else`, isThere && found.length === 0, found)
  }
}
for (const path of packageFolders().flatMap((from) => globSync(join(from, 'dist', '*.js')))) {
  if (/^(?:main|page)\.js$/.test(basename(path))) continue // programs
  const kept = await keptOf(path)
  check(`${relative(process.cwd(), path)} keeps nothing when nothing of it is used`, kept === '', kept)
}
rmSync(folder, { recursive: true })
report('shaking')
