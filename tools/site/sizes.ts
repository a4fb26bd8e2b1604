/** The page of sizes: what `npm run sizes` measures, and every export of every package alone. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { runCommand } from '../command.ts'
import { packageFolders } from '../packages.ts'
import { root } from './pages.ts'

interface ExportSize {
  readonly name: string
  readonly bytes: number
}

interface Manifest {
  readonly name: string
  readonly bin?: unknown
}

const tools = join(root, 'tools')
const kB = (bytes: number): string => (bytes / 1000).toFixed(1)

/** Bundles each export of a package alone, for browsers; libraries that the package connects are left out. */
async function exportSizes(folder: string, manifest: Manifest): Promise<ExportSize[]> {
  const entry = join(folder, 'dist', 'index.js')
  const names = Object.keys(await import(entry))
  const path = relative(tools, entry).replaceAll('\\', '/')
  const { outputFiles } = await build({
    entryPoints: names.map((name) => ({ in: `export:${name}`, out: `${name}-${names.indexOf(name)}` })),
    plugins: [
      {
        name: 'exports',
        setup(plugins) {
          plugins.onResolve({ filter: /^export:/ }, ({ path: name }) => ({ path: name, namespace: 'export' }))
          plugins.onLoad({ filter: /.*/, namespace: 'export' }, ({ path: name }) => ({
            contents: `export { ${name.slice('export:'.length)} } from './${path}'`,
            resolveDir: tools,
          }))
          // A library that the package connects, and modules of Node.
          plugins.onResolve({ filter: /^[^./]/ }, ({ path: name }) =>
            /^(?:@x\/|export:)/.test(name) && !name.startsWith(`${manifest.name}/`) ? undefined : { external: true },
          )
        },
      },
    ],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    outdir: 'sizes',
    write: false,
    logLevel: 'error',
  })
  return names
    .map((name, index) => {
      const file = outputFiles.find((output) => output.path.endsWith(`${name}-${index}.js`))!
      return { name, bytes: gzipSync(file.contents, { level: 9 }).length }
    })
    .sort((one, other) => other.bytes - one.bytes)
}

/** The rows of `npm run sizes`. A size over its budget is a figure here, and a failure there. */
function budgets(): string[] {
  const { output } = runCommand(process.execPath, [join(tools, 'sizes.ts')], { cwd: tools, quiet: true })
  const rows = [...output.matchAll(/^(?!README)(\S.*?) +([\d.]+) kB of +([\d.]+) kB/gm)]
  if (rows.length === 0) throw new Error(output)
  return rows.map(([, what, size, budget]) => `| ${what} | ${size} | ${budget} |`)
}

/** Returns the page. `isQuick`: with the exports of a few packages, and without the sizes that `npm test` has measured. */
export async function sizesPage(isQuick: boolean): Promise<string> {
  const sections: string[] = []
  let count = 0
  for (const folder of packageFolders().filter((_, index) => !isQuick || index % 10 === 0)) {
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (manifest.bin !== undefined) continue
    const sizes = await exportSizes(folder, manifest)
    count += sizes.length
    const rows = sizes.map(({ name, bytes }) => `| \`${name}\` | ${kB(bytes)} |`)
    sections.push(`### ${manifest.name}\n\n| export | kB |\n| --- | ---: |\n${rows.join('\n')}`)
  }
  return `# Sizes

What an import adds to a page: bundled by esbuild for browsers, minified, gzip −9, measured when this page was made. Libraries that a package connects, such as \`pg\` or the AI SDK, are not counted.

## Budgets

A change that makes one of these larger than its budget fails the tests. 1 kB is 1,024 bytes; an integration counts without the packages below it.

| import | kB | budget |
| --- | ---: | ---: |
${isQuick ? '' : budgets().join('\n')}

## Each export alone

The ${count} exports of the main entries, each in a bundle of its own with everything that it needs. 1 kB is 1,000 bytes. Exports share most of their code: two of them together are smaller than the sum. A type costs nothing.

[[filter]]

${sections.join('\n\n')}
`
}
