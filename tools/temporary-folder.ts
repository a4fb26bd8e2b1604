/** For `globalSetup` of Vitest: what tests and examples write into the folder for temporary files is deleted after the run. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'x-tests-'))
  // Servers of databases run as another user.
  chmodSync(folder, 0o777)
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
