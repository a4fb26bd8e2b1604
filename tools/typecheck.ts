/**
 * Refuses sources, tests and tools that do not compile. Folders whose `tsconfig.json` have the same options are one program, so that the
 * sources of the packages are checked a few times instead of once per package. Results of earlier runs are used again for files that did
 * not change.
 *
 * @example node tools/typecheck.ts
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface Config {
  extends: string
  include: string[]
  exclude?: string[]
  compilerOptions?: object
}

const root = join(import.meta.dirname, '..')
const folders = globSync('{packages/*,packages/integrations/*,examples/*,tools}/tsconfig.json', { cwd: root })
/** Where the programs and the results of earlier runs are, below `node_modules`, which nobody commits. */
const target = join(root, 'node_modules', '.cache', 'typecheck')
mkdirSync(target, { recursive: true })

const configs = folders.sort().map((path): Config & { path: string } => {
  return { path, ...JSON.parse(readFileSync(join(root, path), 'utf8')) }
})
/** The folders of each program, by their options. */
const programs = Map.groupBy(configs, ({ compilerOptions = {} }) => JSON.stringify(compilerOptions))

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
let failed = 0
for (const [index, [options, parts]] of [...programs].entries()) {
  const from = (path: string, entries: string[] = []) =>
    entries.map((entry) => relative(target, join(root, dirname(path), entry)).replaceAll('\\', '/'))
  const config = {
    extends: relative(target, join(root, 'tsconfig.base.json')),
    include: parts.flatMap(({ path, include }) => from(path, include)),
    exclude: ['**/node_modules', ...parts.flatMap(({ path, exclude }) => from(path, exclude))],
    compilerOptions: {
      ...JSON.parse(options),
      typeRoots: [join(root, 'node_modules', '@types')],
      incremental: true,
      tsBuildInfoFile: join(target, `program-${index}.tsbuildinfo`),
    },
  }
  const path = join(target, `program-${index}.json`)
  const text = JSON.stringify(config, null, 2)
  // A file that is written again would make the compiler forget its earlier results.
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
  const { status } = spawnSync(process.execPath, [tsc, '-p', path, '--pretty', 'false'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) failed += 1
}
console.log(`types: ${programs.size - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && programs.size > 0 ? 0 : 1
