/**
 * Refuses packages that would not work as published: exports that point nowhere or resolve wrongly, wrong module formats, files
 * that are missing from the tarball, and classes in entries that are built apart from the main one: there they would be other classes.
 *
 * @example node tools/published.ts
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const packages = join(import.meta.dirname, '..', 'packages')
let failed = 0
const names = readdirSync(packages)
for (const name of names) {
  const pkgDir = join(packages, name)
  const { messages } = await publint({ pkgDir, strict: true, pack: 'pnpm' })
  // tools/tsup.ts builds these apart.
  const withClasses = ['schemas.js', 'runtime.js'].filter((file) => {
    const path = join(pkgDir, 'dist', file)
    return existsSync(path) && /^(?:var \w+ = )?class\b/m.test(readFileSync(path, 'utf8'))
  })
  if (messages.length === 0 && withClasses.length === 0) continue
  failed += 1
  for (const file of withClasses) console.log(`  ${name}: dist/${file} holds a class of its own`)
  const manifest = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8'))
  for (const message of messages)
    console.log(`  ${manifest.name}: ${formatMessage(message, manifest, { color: false })}`)
}
console.log(`published form: ${names.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
