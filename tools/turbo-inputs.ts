/**
 * Refuses a task `test` whose cached result could be out of date: every file outside of a package that its tests load has to be an input
 * of the task in `turbo.json`. What its build reads is an input of the build, on which the tests depend.
 *
 * @example node tools/turbo-inputs.ts
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).split('\n')

/** The inputs of the task `test` outside of a package, as paths from the root. */
function inputsOf(folder: string): string[] {
  const read = (path: string): string[] =>
    existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).tasks.test?.inputs ?? []) : []
  const inputs = [...read(join(root, 'turbo.json')), ...read(join(root, folder, 'turbo.json'))]
  return inputs.flatMap((input) => /^\$TURBO_ROOT\$\/(.*)/.exec(input)?.[1] ?? [])
}

/** The files that a file names by a relative path, in an import or a URL. */
function named(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const found = text.matchAll(/(?:from|import\(|import|new URL\()\s*'(\.{1,2}\/[^']+)'/g)
  return [...found]
    .map(([, name]) => relative(root, resolve(root, dirname(path), name!)))
    .filter((name) => existsSync(join(root, name)) && /\.\w+$/.test(name))
}

/** The files outside of a folder that its files load, also by way of others. */
function outside(folder: string): string[] {
  const seen = new Set(files.filter((file) => file.startsWith(`${folder}/`)))
  for (const file of seen) if (file.endsWith('.ts')) for (const name of named(file)) seen.add(name)
  return [...seen].filter((file) => !file.startsWith(`${folder}/`))
}

const folders = new Set(
  files.flatMap((file) => /^(?:packages\/integrations|packages|examples)\/[^/]+(?=\/(?:src|test)\/)/.exec(file) ?? []),
)

let failed = 0
for (const folder of folders) {
  const inputs = inputsOf(folder)
  const missing = outside(folder).filter((file) => !inputs.some((input) => matchesGlob(file, input)))
  if (missing.length === 0) continue
  failed += 1
  console.log(`${folder}: its tests load ${missing.join(', ')}; add them to the inputs of "test" in turbo.json.`)
}
console.log(`turbo inputs: ${folders.size - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
