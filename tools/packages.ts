/** The packages that are published: the folders of `packages` and `packages/integrations` that have a manifest. */
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The absolute folders of the published packages, sorted. */
export function packageFolders(): string[] {
  const manifests = globSync('packages/{*,integrations/*}/package.json', { cwd: root })
  return manifests.map((path) => join(root, dirname(path))).sort()
}
