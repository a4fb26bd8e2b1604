import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * Runs a program with other versions of its packages, and returns what it prints. Also the packages that it imports receive them.
 * @param versions - the aliases that take the places of packages: `{ pg: 'pg-lowest' }`.
 * @throws with the output of errors, when the program fails.
 */
export async function runWithVersions(program: URL, versions: Readonly<Record<string, string>>): Promise<string> {
  const hooks = new URL('./other-versions.mjs', import.meta.url).href
  const args = ['--conditions=@x/source', '--import', hooks, fileURLToPath(program)]
  const env = { ...process.env, X_VERSIONS: JSON.stringify(versions) }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 50_000 })
  return stdout
}
