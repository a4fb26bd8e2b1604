/** What checks outside of a test runner share: they print and count their results. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let [passed, failed] = [0, 0]

/** Prints whether something is true, and what was found otherwise. */
export function check(what: string, isTrue: boolean, found: unknown = ''): void {
  if (isTrue) passed += 1
  else failed += 1
  console.log(`  ${isTrue ? 'ok' : 'FAILED'}: ${what}${isTrue ? '' : ` ${JSON.stringify(found)}`}`)
}

/** Prints how many checks passed and failed. The process exits with 1 if one failed. */
export function report(name: string): void {
  console.log(`${name}: ${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Runs checks in a new folder, which is removed at the end, and reports them. An error that they throw is a failed check. */
export async function runChecks(name: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `x-${name}-`)))
  try {
    await work(folder)
  } catch (error) {
    check('the check runs to its end', false, String(error))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  report(name)
}
