/**
 * Refuses examples of the documentation that do not compile under `strict`: those of Markdown files exactly as printed, those of docstrings
 * with the imports that `doc-examples.ts` adds. With `--lowest`, those of Markdown files with the oldest supported TypeScript, against the
 * declarations in `dist`. All examples are one program. Also refuses functions of examples, programs in `examples/` and templates whose
 * callers share the memory of an agent (`shared-memory.ts`).
 *
 * @example node tools/doc-types.ts
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Example, examplesOf, guideDocuments, missingNames } from './doc-examples.ts'
import { packageFolders } from './packages.ts'
import { sharedRuns } from './shared-memory.ts'

const root = join(import.meta.dirname, '..')
const lowest = process.argv.includes('--lowest')
const guides = join(root, 'examples', 'guides')

/** The folders with examples, and further documents whose examples run there. */
const places: [folder: string, documents: string[]][] = [
  ...packageFolders().map((folder): [string, string[]] => [folder, []]),
  [guides, guideDocuments()],
]

/** The settings of a user's compiler, apart from the condition that finds the sources. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable', ...(lowest ? [] : ['dom.asynciterable'])],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  module: 'nodenext',
  moduleDetection: 'force',
  skipLibCheck: true,
  ...(lowest ? {} : { customConditions: ['@x/source'], allowImportingTsExtensions: true }),
}

/** The module of an example: each of its lines has the number that it has in its document. */
function moduleOf(example: Example): string {
  const imports = [...missingNames(example)].map(
    ([specifier, { values, types }]) =>
      `import { ${[...values, ...types.map((name) => `type ${name}`)].join(', ')} } from '${specifier}';`,
  )
  return `${imports.join(' ')}${'\n'.repeat(example.line - 1)}${example.code}`
}

/** Examples are in the folder of their package, where the libraries that they import are found. */
const documentOf = new Map<string, string>()
const folders: string[] = []
for (const [folder, documents] of places) {
  const target = join(folder, lowest ? '.doc-types-lowest' : '.doc-types')
  folders.push(target)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  for (const [index, example] of examplesOf(folder, documents).entries()) {
    if (lowest && !example.file.endsWith('.md')) continue
    const path = join(target, `example-${index}.mts`)
    writeFileSync(path, moduleOf(example))
    documentOf.set(relative(root, path), relative(root, join(folder, example.file)))
  }
}

/** Functions whose callers share the memory of an agent, as `file:line`. */
const shared: string[] = []
function findShared(file: string, code: string, line = 1): void {
  for (const { line: at, call } of sharedRuns(code)) shared.push(`${file}:${line + at - 1}: ${call}`)
}
for (const [folder, documents] of places)
  for (const { file, line, code } of examplesOf(folder, documents))
    findShared(relative(root, join(folder, file)), code, line)
for (const file of globSync(['examples/*/src/**/*.ts', 'packages/create/templates/**/*.ts'], { cwd: root }))
  findShared(file, readFileSync(join(root, file), 'utf8'))

const project = mkdtempSync(join(root, 'node_modules', '.doc-types-'))
const files = [...documentOf.keys()].map((path) => join(root, path))
writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
// Several threads check much of the program more than once. The oldest compiler has only one.
const threads = lowest || availableParallelism() > 2 ? [] : ['--singleThreaded']
const compiler = createRequire(import.meta.url).resolve(`typescript${lowest ? '-lowest' : ''}/package.json`)
const { stdout } = spawnSync(
  process.execPath,
  [join(dirname(compiler), 'bin', 'tsc'), '-p', project, '--pretty', 'false', ...threads],
  { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 },
)
for (const folder of [...folders, project]) rmSync(folder, { recursive: true })

const faulty = new Set<string>()
for (const [, path] of stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)) faulty.add(path!)
if (stdout !== '') console.log(stdout.replaceAll(/^\S+?(?=\()/gm, (path) => documentOf.get(path) ?? path).trimEnd())
console.log(`examples compile: ${files.length - faulty.size} passed, ${faulty.size} failed`)
for (const place of shared)
  console.log(
    `${place} in a function has no conversation of its own, so that its callers share one; use once, or pass conversation.`,
  )
process.exitCode = stdout === '' && shared.length === 0 && files.length > 100 ? 0 : 1
