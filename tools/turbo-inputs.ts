/**
 * Refuses a task whose cached result could be out of date: every file outside of a package that its tests load has to be an input of the
 * task in `turbo.json`, of `test` or, for tests with the tag `system`, of `test:system`. Also refuses alternatives with folders, such as
 * `{packages/*,examples/*}/src/**`, for each of which turbo walks through the whole repository.
 *
 * @example node tools/turbo-inputs.ts
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))

/** The inputs of a task outside of a package, as paths from the root. */
function inputsOf(folder: string, task: string): string[] {
  const read = (path: string): string[] =>
    existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')).tasks[task]?.inputs ?? []) : []
  const inputs = [...read(join(root, 'turbo.json')), ...read(join(root, folder, 'turbo.json'))]
  return inputs.flatMap((input) => /^\$TURBO_ROOT\$\/(.*)/.exec(input)?.[1] ?? [])
}

/** The files that a file names by a relative path, in an import or a URL. */
function named(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const found = text.matchAll(/(?:from|import\(|import|new URL\()\s*'(\.{1,2}\/[^']+)'/g)
  return [...found]
    .map(([, name]) => relative(root, resolve(root, dirname(path), name!)).replaceAll('\\', '/'))
    .filter((name) => existsSync(join(root, name)) && /\.\w+$/.test(name))
}

/** The files outside of a folder that some of its files load, also by way of others. */
function outside(folder: string, own: readonly string[]): string[] {
  const seen = new Set(own)
  for (const file of seen) if (/\.m?ts$|\.mjs$/.test(file)) for (const name of named(file)) seen.add(name)
  return [...seen].filter((file) => !file.startsWith(`${folder}/`))
}

const folders = new Set(
  files.flatMap((file) => /^(?:packages\/integrations|packages|examples)\/[^/]+(?=\/(?:src|test)\/)/.exec(file) ?? []),
)

let [passed, failed] = [0, 0]
for (const path of execFileSync('git', ['ls-files', '*turbo.json'], { cwd: root, encoding: 'utf8' }).trim().split('\n'))
  for (const [slow] of readFileSync(join(root, path), 'utf8').matchAll(/".*\{[^{}"]*\/.*\}.*"/g)) {
    failed += 1
    console.log(`${path}: ${slow} takes turbo half a second; write a line for each folder.`)
  }
for (const folder of folders) {
  const { scripts = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  // Checks of a tarball are tasks of `tools/turbo.json`.
  const own = files.filter(
    (file) => file.startsWith(`${folder}/`) && !/\/test\/(?:packed\.ts|native\.ts|agent-kill-rounds\/)/.test(file),
  )
  const unit = own.filter((file) => !readFileSync(join(root, file), 'utf8').startsWith('// @module-tag system'))
  const tests = [...unit.filter((file) => /\.test(-d)?\.ts$/.test(file)), 'vitest.config.ts']
  for (const [task, loaded] of [
    ['test', tests],
    ['test:system', [...own, 'vitest.config.ts']],
  ] as const) {
    if (scripts[task] === undefined) continue
    const inputs = inputsOf(folder, task)
    const missing = outside(folder, loaded).filter(
      (file) => !/^packages\/[^/]+\/src/.test(file) && !inputs.some((input) => matchesGlob(file, input)),
    )
    if (missing.length === 0) passed += 1
    else {
      failed += 1
      console.log(`${folder}: ${task} loads ${missing.join(', ')}; add them to its inputs in turbo.json.`)
    }
  }
}
console.log(`turbo inputs: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
