/**
 * Refuses packages that would not work as published: exports that point nowhere or resolve wrongly, wrong module formats, files
 * that are missing from the tarball, source maps, whose sources are not published, and classes in entries that are built apart from the
 * main one: they would be different from those of the main entry.
 *
 * @example node tools/published.ts
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packageFolders } from './packages.ts'

/** Source maps of a package: their sources are not published. */
function sourceMaps(pkgDir: string): string[] {
  return globSync('dist/**/*.map', { cwd: pkgDir }).map((path) => `${path} is a map of sources that are not published`)
}

let failed = 0
const folders = packageFolders()
for (const pkgDir of folders) {
  const { messages } = await publint({ pkgDir, strict: true, pack: 'pnpm' })
  // tools/build.ts builds these apart.
  const withClasses = ['schemas.js', 'runtime.js', 'fields.js'].filter((file) => {
    const path = join(pkgDir, 'dist', file)
    return existsSync(path) && /^(?:var \w+ = )?class\b/m.test(readFileSync(path, 'utf8'))
  })
  const problems = [
    ...withClasses.map((file) => `dist/${file} contains its own copy of a class`),
    ...sourceMaps(pkgDir),
  ]
  if (messages.length === 0 && problems.length === 0) continue
  failed += 1
  for (const problem of problems) console.log(`  ${basename(pkgDir)}: ${problem}`)
  const manifest = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8'))
  for (const message of messages)
    console.log(`  ${manifest.name}: ${formatMessage(message, manifest, { color: false })}`)
}
console.log(`published form: ${folders.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
