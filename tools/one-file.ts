import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'

/** What CommonJS packages call, which a module does not have. */
const require =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)"

/** DBOS loads these packages only for logs and traces. */
const OPTIONAL = ['winston', 'winston-transport', '@opentelemetry/*']

/**
 * Writes a program with everything that it imports, packages too, as one file, and returns its path: a process starts from it in a third of
 * the processor time. For programs that a test starts often, and kills, so that they keep nothing of what Node compiles.
 */
export async function oneFile(program: string): Promise<string> {
  let folder = dirname(program)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  const cache = join(folder, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const written = join(cache, `${basename(program, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [program],
    outfile: written,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['@x/source'],
    external: OPTIONAL,
    banner: { js: require },
    logLevel: 'error',
  })
  // Another process may start it just now.
  const path = join(cache, `${basename(program, '.ts')}.mjs`)
  renameSync(written, path)
  return path
}
