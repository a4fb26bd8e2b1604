/**
 * Refuses packages that would not work as published: exports that point nowhere, wrong module formats, files that are missing from the
 * tarball (publint), types that modules do not resolve (attw), source maps, whose sources are not published, and classes in entries that
 * are built apart from the main one: they would be different from those of the main entry.
 *
 * @example node tools/published.ts
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { pack } from '@publint/pack'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packageFolders } from './packages.ts'

const destination = mkdtempSync(join(tmpdir(), 'x-published-'))

/** What is wrong with the types of a tarball for modules: the packages have no others. */
async function typeProblems(tarball: Uint8Array): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(tarball))
  if (!analysis.types) return ['has no types']
  return analysis.problems
    .map((problem) => JSON.stringify(problem))
    .filter((text) => !/"node10"|"node16-cjs"/.test(text))
}

async function problemsOf(pkgDir: string): Promise<string[]> {
  const file = readFileSync(await pack(pkgDir, { packageManager: 'pnpm', ignoreScripts: true, destination }))
  const tarball = new Uint8Array(file)
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: tarball.buffer } })
  // tools/build.ts builds these apart.
  const withClasses = ['schemas.js', 'runtime.js', 'fields.js'].filter((name) => {
    const path = join(pkgDir, 'dist', name)
    return existsSync(path) && /^(?:var \w+ = )?class\b/m.test(readFileSync(path, 'utf8'))
  })
  return [
    ...withClasses.map((name) => `dist/${name} contains its own copy of a class`),
    ...globSync('dist/**/*.map', { cwd: pkgDir }).map((path) => `${path} is a map of sources that are not published`),
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...(await typeProblems(tarball)),
  ]
}

let failed = 0
const folders = packageFolders()
for (const pkgDir of folders) {
  const problems = await problemsOf(pkgDir)
  if (problems.length > 0) failed += 1
  for (const problem of problems) console.log(`  ${relative(process.cwd(), pkgDir)}: ${problem}`)
}
rmSync(destination, { recursive: true })
console.log(`published form: ${folders.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
