/** Bundlers with their default settings: they bundle the program of the steps for browsers, and the bundle runs in Node. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { runBeside } from '../command.ts'
import { type Group, type Row, resultIn, type Trial, versionOf } from './trial.ts'

interface Bundler {
  what: string
  /** The package whose version the row states. */
  tool: string
  /** Further packages. */
  tools?: readonly string[]
  /** The arguments of the command of the same name, or of `command`. */
  command?: string
  args: readonly string[]
  files?: Readonly<Record<string, string>>
  manifest?: object
  /** The bundle. */
  output: string
  known?: string
  recipe?: string
}

const parcelTarget = {
  targets: { bundle: { source: 'program.mjs', distDir: 'out', context: 'browser', outputFormat: 'esmodule' } },
}
const parcel = { what: 'Parcel', tool: 'parcel', args: ['build', '--no-cache'], output: 'out/*.js' }

const bundlers: readonly Bundler[] = [
  {
    what: 'esbuild',
    tool: 'esbuild',
    args: ['program.mjs', '--bundle', '--format=esm', '--platform=browser', '--outfile=out/bundle.mjs'],
    output: 'out/bundle.mjs',
  },
  {
    what: 'Rollup',
    tool: 'rollup',
    tools: ['@rollup/plugin-node-resolve'],
    args: ['program.mjs', '-p', '@rollup/plugin-node-resolve={browser:true}', '-f', 'es', '-o', 'out/bundle.mjs'],
    output: 'out/bundle.mjs',
  },
  {
    what: 'webpack',
    tool: 'webpack',
    tools: ['webpack-cli'],
    args: ['--mode=production', '--entry=./program.mjs', '-o', 'out', '--output-filename=bundle.cjs'],
    output: 'out/bundle.cjs',
  },
  {
    what: 'Vite',
    tool: 'vite',
    args: ['build', '--outDir', 'out'],
    files: { 'vite.config.js': "export default { build: { rollupOptions: { input: 'program.mjs' } } }" },
    output: 'out/assets/*.js',
  },
  { ...parcel, manifest: parcelTarget, known: 'by default, Parcel reads no `exports` of packages' },
  {
    ...parcel,
    manifest: { ...parcelTarget, '@parcel/resolver-default': { packageExports: true } },
    recipe: '`"@parcel/resolver-default": { "packageExports": true }` in package.json',
  },
  {
    what: 'Metro, as React Native configures it',
    tool: 'metro',
    tools: ['@react-native/metro-config'],
    args: ['build', 'program.mjs', '--out', 'bundle.js', '--platform', 'ios', '--config', 'metro.config.cjs'],
    files: {
      'metro.config.cjs': `const { getDefaultConfig, mergeConfig } = require('@react-native/metro-config')
// The start of react-native itself, which does not run in Node, is left out.
const serializer = { getModulesRunBeforeMainModule: () => [] }
module.exports = mergeConfig(getDefaultConfig(__dirname), { serializer })
`,
    },
    manifest: { type: 'commonjs' },
    output: 'bundle.js',
  },
]

async function tryBundler(trial: Trial, bundler: Bundler, index: number): Promise<Row> {
  const { what, tool, tools = [], command = tool, args, files = {}, manifest, output, known, recipe } = bundler
  const folder = await trial.install(`bundler-${index}`, [tool, ...tools], undefined, manifest)
  trial.write(folder, files)
  const bundled = await runBeside(join(folder, 'node_modules', '.bin', command), args, folder)
  const [file] = globSync(output, { cwd: folder })
  const ran = file === undefined ? bundled : await runBeside(process.execPath, [file], folder)
  return { what, version: versionOf(tool), ...resultIn(ran.output), ...(known && { known }), ...(recipe && { recipe }) }
}

export async function bundlerGroup(trial: Trial): Promise<Group> {
  const rows: Row[] = []
  for (const [index, bundler] of bundlers.entries()) rows.push(await tryBundler(trial, bundler, index))
  return { name: 'Bundlers', unit: 'steps', rows }
}
