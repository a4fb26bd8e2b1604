/**
 * Builds the package in the working directory into `dist`: one file per entry of its `exports`, `imports` and `bin` for every platform,
 * and the declarations. Shared classes are in further files, so that a class is the same in all entries. Nothing else is shared, because
 * each further file adds a millisecond to the load time of the main entry. The build contains what its sources import from packages that
 * are not dependencies, and their licenses. Then it notes the sources that it was made from, and writes the public names (`api.ts`).
 *
 * @example cd packages/prompts && node ../../tools/build.ts
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Options, build as tsup } from 'tsup'
import { parseAst } from 'vite'
import { runCommand } from './command.ts'
import { withPureMarks } from './pure-marks.ts'

/** Entries without classes. They contain their own copy of the few functions and constants that they share with the main entry. */
const apart = /\/(?:schemas|runtime|fields)\.ts$/
const root = join(import.meta.dirname, '..')
const { name, exports, imports, bin } = JSON.parse(readFileSync('package.json', 'utf8'))

/** What a package needs beyond the settings of all. */
interface Parts {
  /** Files of ours that replace packages, by package name. */
  replace?: Readonly<Record<string, string>>
  /** Packages whose data are in our generated sources, by source file. */
  dataOf?: Readonly<Record<string, string>>
  /** Further builds. */
  builds?: readonly Options[]
}

const partsOf: Readonly<Record<string, Parts>> = {
  '@x/node-parser': {
    // Its browser build uses the DOM.
    replace: { 'decode-named-character-reference': './src/markdown/character-names.ts' },
    dataOf: { 'src/generated/character-names.ts': 'character-entities' },
  },
  '@x/ask': {
    builds: [
      // The script of the page contains everything that it needs.
      {
        entry: { page: 'src/page/page.js' },
        format: ['esm'],
        platform: 'browser',
        target: 'es2022',
        minify: true,
        noExternal: [/./],
        splitting: false,
        clean: false,
        dts: false,
      },
    ],
  },
}
const { replace = {}, dataOf = {}, builds = [] } = partsOf[name] ?? {}
/** Packages that run on Node alone: those with a command, and the server of Restate. */
const isForNode = bin !== undefined || name === '@x/restate'
/** Those whose sources use the types of Node. The compiler refuses its modules and globals in all others. */
const hasNode = isForNode || ['@x/layers', '@x/testing'].includes(name)

function build(entry: string[]): Options {
  return {
    entry,
    format: ['esm'],
    dts: false,
    target: 'es2022',
    platform: isForNode ? 'node' : 'neutral',
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

/**
 * Writes the declarations. They come from `tsc`, because tsup cannot drive TypeScript 7; a configuration of it names the sources without
 * tests.
 */
function declare(): void {
  const project = join('node_modules', '.cache', 'build', 'tsconfig.json')
  const src = join(process.cwd(), 'src').replaceAll('\\', '/')
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    include: [src],
    exclude: [`${src}/**/*.test.ts`, `${src}/**/*.test-d.ts`],
    compilerOptions: {
      customConditions: [],
      noEmit: false,
      emitDeclarationOnly: true,
      rootDir: src,
      outDir: join(process.cwd(), 'dist'),
      types: hasNode ? ['node'] : [],
    },
  }
  mkdirSync(dirname(project), { recursive: true })
  writeFileSync(project, JSON.stringify(config))
  run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project, '--singleThreaded')
}

/** Runs a program of JavaScript or TypeScript; its failure ends the build. */
function run(...args: string[]): void {
  const { status } = runCommand(process.execPath, args)
  if (status !== 0) process.exit(status)
}

rmSync('dist', { recursive: true, force: true })
const entries = [...new Set(JSON.stringify([exports, imports ?? {}]).match(/(?<="\.\/)src\/[^"]+/g))]
if (bin !== undefined) entries.push('src/main.ts')
const together = entries.filter((path) => !apart.test(path))
const all = [together, ...entries.filter((path) => apart.test(path)).map((path) => [path])].map(build)
await Promise.all([...all, ...builds].map((options) => tsup({ ...options, config: false })))
declare()
run(join(root, 'tools', 'assert-built.mjs'), '--stamp')
await import('./api.ts')
