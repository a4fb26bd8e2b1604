import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { parseAst } from 'vite'
import { withPureMarks } from './pure-marks.ts'

/** Entries without classes. They contain their own copy of the few functions and constants that they share with the main entry. */
const apart = /\/(?:schemas|runtime|fields)\.ts$/

/**
 * Builds one file per entry, for every platform. Shared classes are in further files, so that a class is the same in all entries.
 * Nothing else is shared, because each further file adds a millisecond to the load time of the main entry.
 * Declarations come from `tsc`, because tsup cannot drive TypeScript 7.
 * The build contains what its sources import from packages that are not dependencies, and their licenses.
 */
export function libraryBuild(entry: string[], parts: Parts = {}) {
  rmSync('dist', { recursive: true, force: true })
  const together = entry.filter((path) => !apart.test(path))
  const builds = [together, ...entry.filter((path) => apart.test(path)).map((path) => [path])]
  return defineConfig(builds.map((entries) => build(entries, parts)))
}

/** Per-package build options. */
interface Parts {
  /** @defaultValue every platform, without Node's modules */
  platform?: 'node' | 'neutral'
  /** Files of ours that replace packages, by package name. */
  replace?: Readonly<Record<string, string>>
  /** Packages whose data are in our generated sources, by source file. */
  dataOf?: Readonly<Record<string, string>>
}

function build(entry: string[], { platform = 'neutral', replace = {}, dataOf = {} }: Parts): Options {
  return {
    entry,
    format: ['esm'],
    dts: false,
    target: 'es2022',
    platform,
    // The build is not minified, and packages contain no sources (docs/decisions/0068-private-names-and-maps.md).
    sourcemap: false,
    // Builds of one package run side by side.
    clean: false,
    splitting: true,
    // An entry that is built apart imports the main one by the package's name.
    external: [/^@x\//, /^node:/, /^#/],
    treeshake: false,
    // Some modules of Node have no other name, such as node:sqlite.
    removeNodeProtocol: false,
    esbuildOptions(options) {
      options.alias = { ...options.alias, ...replace }
    },
    plugins: [{ name: 'names and marks', renderChunk: (code) => ({ code: withPureMarks(withClassNames(code)) }) }],
    esbuildPlugins: [
      {
        name: 'parts of other packages',
        setup(build) {
          build.initialOptions.metafile = true
          build.onEnd(({ metafile }) => {
            const outputs = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.entries(inputs))
            const files = outputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file)
            const data = files.flatMap((file) =>
              dataOf[file] === undefined ? [] : [`./node_modules/${dataOf[file]}/`],
            )
            writeLicenses([...files, ...data], 'dist/LICENSES-OF-PARTS.txt')
          })
        },
      },
    ],
  }
}

/**
 * Restores the names of classes that mention themselves: esbuild writes `var TextNode = class _TextNode`, and users would see the
 * second name in logs. Inside of the class both names are the same value.
 */
function withClassNames(code: string): string {
  const edits: number[] = []
  for (const statement of parseAst(code).body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      if (id.type !== 'Identifier' || init?.type !== 'ClassExpression' || init.id?.name !== `_${id.name}`) continue
      eachReference(init, init.id.name, ({ start }) => edits.push(start))
    }
  }
  let text = code
  for (const start of edits.sort((a, b) => b - a)) text = text.slice(0, start) + text.slice(start + 1)
  return text
}

/** Calls `visit` for each identifier of a name that is a variable, not the name of a property. */
function eachReference(node: object, name: string, visit: (node: { start: number }) => void): void {
  const { type, computed } = node as { type?: string; computed?: boolean }
  if (type === 'Identifier' && (node as { name?: string }).name === name) visit(node as never)
  for (const [key, value] of Object.entries(node)) {
    if (!computed && (key === 'property' || (key === 'key' && type !== 'Property'))) continue
    for (const part of [value].flat()) if (typeof part === 'object' && part !== null) eachReference(part, name, visit)
  }
}

/** Writes the licenses of the packages that files come from, if there are any. */
function writeLicenses(files: string[], path: string): void {
  const folders = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []))
  const texts = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [license] = globSync('{license,LICENSE,LICENCE,licence}*', { cwd: folder })
    if (license === undefined)
      throw new Error(`${name} ${version} has no license file and cannot become part of a build`)
    const text = readFileSync(join(folder, license), 'utf8').trim()
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`])
  }
  if (texts.size === 0) return
  const parts = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `Parts of other packages are in these files.\n\n${parts.join('\n---\n\n')}`)
}
