/**
 * Refuses to pack the package of this folder when its build is missing or was made from different sources, and when npm packs it, which
 * leaves the versions of other packages as `workspace:^`: `prepack` of every package.
 * Further arguments are files that must exist too. `--stamp`, the last step of every build, takes the mark of private fields from the declarations, which would make the values of two copies
 * of a package different types, and notes the sources that it was made from. `--current` looks only whether the build is theirs.
 * Plain JavaScript without dependencies, because `npm pack` runs it with the Node of the user.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const stamp = join('dist', '.built-from')
const { name, exports, dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** A hash over the names and contents of all sources but tests. */
function hashOfSources() {
  const files = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !/\.test(-d)?\.ts$/.test(file.name))
    .map((file) => join(file.parentPath ?? file.path, file.name))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Returns why the build does not belong to the sources, as the end of a sentence. */
function stale() {
  const more = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
  const targets = [...(JSON.stringify(exports).match(/dist\/[^"]+/g) ?? []), ...more]
  const missing = targets.find((path) => !existsSync(path))
  if (missing !== undefined) return `${missing} does not exist`
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashOfSources()) return 'dist was built from other sources'
}

/** Returns why the package cannot be packed, as the end of a sentence. */
function problem() {
  const reason = stale()
  if (reason !== undefined) return reason
  const byNpm = process.env.npm_config_user_agent?.startsWith('npm/')
  if (byNpm && Object.values({ ...dependencies, ...peerDependencies }).some((range) => range.startsWith('workspace:')))
    return 'npm keeps the ranges "workspace:^" of packages, which no registry knows; pnpm writes versions'
}

function withoutPrivateMarks() {
  for (const file of readdirSync('dist', { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join('dist', file), 'utf8')
    const open = text.replaceAll(/^ *#private;\n/gm, '')
    if (open !== text) writeFileSync(join('dist', file), open)
  }
}

if (process.argv.includes('--stamp')) {
  withoutPrivateMarks()
  writeFileSync(stamp, hashOfSources())
} else if (process.argv.includes('--current')) {
  const reason = stale()
  if (reason !== undefined) console.error(`${name}: ${reason}. Run "pnpm build" first.`)
  process.exitCode = reason === undefined ? 0 : 1
} else if (problem() !== undefined) {
  console.error(`${name} cannot be packed: ${problem()}. Publish with "npm run release", which builds first.`)
  process.exitCode = 1
}
