/**
 * Publishes every package whose version is not on the registry yet. Builds all of them first, and refuses packages that would not
 * work as published. With `--pack` it publishes nothing: it writes the tarballs of these packages to the folder `release`, and to
 * `release/versions.txt` a line with name, version and file of each, for a job that has the right to publish. Beside each tarball are its
 * release notes, from the changelog.
 *
 * @example npm run release
 * @example npm run release:pack
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { packageFolders } from './packages.ts'
import { releaseNotes } from './release-notes.ts'

const root = join(import.meta.dirname, '..')
const isPacking = process.argv.includes('--pack')
const steps: readonly (readonly [command: string, ...args: string[]])[] = [
  // Without the cache: what is published comes from these sources and this toolchain.
  ['turbo', 'run', 'build', 'pages', '--force', '--output-logs=errors-only'],
  [process.execPath, 'tools/manifests.ts'],
  [process.execPath, 'tools/published.ts'],
  ...(isPacking ? [] : [['changeset', 'publish', ...process.argv.slice(2)] as const]),
]
// Builds leave the files of earlier ones where they are.
for (const folder of packageFolders()) rmSync(join(folder, 'dist'), { recursive: true, force: true })
for (const [command, ...args] of steps) {
  const { status } = runCommand(command, args, { cwd: root })
  if (status !== 0) process.exit(status)
}
if (isPacking) pack(join(root, 'release'))

/** Writes the tarballs of all packages whose versions are not on the registry. */
function pack(target: string): void {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  const lines: string[] = []
  for (const folder of packageFolders()) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const tag = `${manifest.name}@${manifest.version}`
    if (manifest.private || runCommand('npm', ['view', tag, 'version'], { cwd: root, quiet: true }).status === 0)
      continue
    const before = new Set(readdirSync(target))
    const { status } = runCommand('pnpm', ['pack', '--pack-destination', target], { cwd: folder })
    if (status !== 0) process.exit(status)
    const file = readdirSync(target).find((name) => !before.has(name))
    const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
    writeFileSync(join(target, `${file}.md`), releaseNotes(changelog, manifest.version))
    lines.push(`${tag} ${file}\n`)
  }
  writeFileSync(join(target, 'versions.txt'), lines.join(''))
  console.log(`release: ${lines.length} packages in ${target}`)
}
