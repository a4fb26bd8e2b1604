/**
 * Refuses examples of READMEs and guides that do not compile as printed with the oldest supported TypeScript, against the declarations
 * that are published. All of them are one program. Needs built packages.
 *
 * @example node tools/oldest-typescript.ts
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { examplesOf } from './doc-examples.ts'
import { packageFolders } from './packages.ts'

const root = join(import.meta.dirname, '..')
const manifest = createRequire(import.meta.url).resolve('typescript-lowest/package.json')
const examples = join(root, 'examples')
const documents: [folder: string, documents: string[]][] = [
  ...packageFolders().map((folder): [string, string[]] => [folder, []]),
  [join(examples, 'ask-markdown'), [join('..', '..', 'README.md')]],
  [join(examples, 'guides'), globSync('../../docs/guides/*.md', { cwd: join(examples, 'guides') })],
]

/** Examples lie in the folder of their package, where the libraries that they import are found. Each line keeps its number. */
const placeOf = new Map<string, string>()
const targets: string[] = []
for (const [folder, files] of documents) {
  const target = join(folder, '.oldest-typescript')
  targets.push(target)
  mkdirSync(target, { recursive: true })
  for (const [index, { file, line, code }] of examplesOf(folder, files).entries()) {
    if (!file.endsWith('.md')) continue
    const path = join(target, `example-${index}.mts`)
    writeFileSync(path, `${'\n'.repeat(line - 1)}${code}\nexport {}\n`)
    placeOf.set(relative(root, path), relative(root, join(folder, file)))
  }
}

const project = mkdtempSync(join(tmpdir(), 'x-oldest-'))
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  module: 'nodenext',
  skipLibCheck: true,
}
const files = [...placeOf.keys()].map((path) => join(root, path))
writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
const args = [join(dirname(manifest), 'bin', 'tsc'), '-p', project, '--pretty', 'false']
const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
for (const folder of [...targets, project]) rmSync(folder, { recursive: true })

const faulty = new Set<string>()
for (const [, path] of stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)) faulty.add(path!)
if (stdout !== '') console.log(stdout.replaceAll(/^\S+?(?=\()/gm, (path) => placeOf.get(path) ?? path).trimEnd())
console.log(`oldest TypeScript: ${files.length - faulty.size} passed, ${faulty.size} failed`)
process.exitCode = faulty.size === 0 && files.length > 100 ? 0 : 1
