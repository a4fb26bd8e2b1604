/**
 * Refuses sources, tests and tools that do not compile. They are one program, so that the sources of the packages are checked once instead
 * of once per package; it knows Node and the DOM. The build of each package refuses what its own platforms do not have. Results of
 * earlier runs are used again for files that did not change, but not in CI, which has none.
 *
 * @example node tools/typecheck.ts
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const configs = globSync('{packages,examples/*,tools}/tsconfig.json', { cwd: root }).sort()
/** Where the program and the results of earlier runs are, below `node_modules`, which nobody commits. */
const target = join(root, 'node_modules', '.cache', 'typecheck')
mkdirSync(target, { recursive: true })

/** What a list of all configurations names, as paths from the folder of the program. */
const all = (list: 'include' | 'exclude'): string[] =>
  configs.flatMap((path) => {
    const entries: string[] = JSON.parse(readFileSync(join(root, path), 'utf8'))[list] ?? []
    return entries.map((entry) => relative(target, join(root, dirname(path), entry)).replaceAll('\\', '/'))
  })
const config = {
  extends: relative(target, join(root, 'tsconfig.base.json')),
  include: [relative(target, join(root, 'vitest.config.ts')), ...all('include')],
  exclude: ['**/node_modules', ...all('exclude')],
  compilerOptions: {
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
    jsx: 'react-jsx',
    jsxImportSource: 'preact',
    // The builds write the declarations.
    declaration: false,
    ...(process.env['CI'] ? {} : { incremental: true, tsBuildInfoFile: join(target, 'program.tsbuildinfo') }),
  },
}
const path = join(target, 'program.json')
const text = JSON.stringify(config, null, 2)
// A file that is written again would make the compiler forget its earlier results.
if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
// Several threads check much of the program more than once: two processors have nothing to spare for that.
const threads = availableParallelism() > 2 ? [] : ['--singleThreaded']
const args = [tsc, '-p', path, '--pretty', 'false', ...threads]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
const isRight = status === 0 && configs.length > 8
console.log(`types: ${isRight ? 1 : 0} passed, ${isRight ? 0 : 1} failed`)
process.exitCode = isRight ? 0 : 1
