/**
 * Publishes every package whose version is not on the registry yet. Builds all of them first, and refuses packages that would not
 * work as published.
 *
 * @example npm run release
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { packageFolders } from './packages.ts'

const root = join(import.meta.dirname, '..')
const steps = [
  // Without the cache: what is published comes from these sources and this toolchain.
  ['turbo', 'run', 'build', 'pages', '--force', '--output-logs=errors-only'],
  [process.execPath, 'tools/manifests.ts'],
  [process.execPath, 'tools/published.ts'],
  ['changeset', 'publish', ...process.argv.slice(2)],
] as const
// Builds leave the files of earlier ones where they are.
for (const folder of packageFolders()) rmSync(join(folder, 'dist'), { recursive: true, force: true })
for (const [command, ...args] of steps) {
  const { status } = runCommand(command, args, { cwd: root })
  if (status !== 0) process.exit(status)
}
