/**
 * Writes a hash of the code of every package into its file `.code`, the input of turbo for the tasks that run the code of other packages:
 * what changes there in comments and types cannot change their results. `test.ts` and, before any other use of turbo, `with-toolchain.mjs`
 * start it. It reads the files that are not as old as at the last time.
 */
import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from './packages.ts'

const path = join(import.meta.dirname, 'node_modules', '.code.json')
/** The times and the hashes of files, by their paths. */
const known: Record<string, [time: number, hash: string]> = existsSync(path)
  ? JSON.parse(readFileSync(path, 'utf8'))
  : {}
const found: typeof known = {}

/** A hash of what an engine runs of a file. */
async function hashOf(file: string): Promise<string> {
  const text = readFileSync(file, 'utf8')
  if (!file.endsWith('.ts')) return hash('sha256', text)
  const { transformSync } = await import('esbuild')
  try {
    return hash('sha256', transformSync(text, { loader: 'ts', minifyWhitespace: true, legalComments: 'none' }).code)
  } catch {
    // It does not compile, which its tests will say.
    return hash('sha256', text)
  }
}

for (const folder of packageFolders()) {
  const files = globSync('src/**/*.*', { cwd: folder, exclude: ['**/*.test.ts', '**/*.test-d.ts'] }).sort()
  let lines = ''
  for (const name of files) {
    const file = join(folder, name)
    const time = statSync(file).mtimeMs
    const value = known[file]?.[0] === time ? known[file][1] : await hashOf(file)
    found[file] = [time, value]
    lines += `${name.replaceAll('\\', '/')} ${value}\n`
  }
  const target = join(folder, '.code')
  const text = hash('sha256', lines)
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text)
}
writeFileSync(path, JSON.stringify(found))
