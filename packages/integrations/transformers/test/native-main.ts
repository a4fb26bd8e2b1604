/**
 * Runs the checks with the packages and the library that are installed beside this file, which is copied to another folder by
 * `npm run transformers-native`. Prints the failures and a line of counts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelChecks } from './model-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'x-models-'))
let [passed, failed] = [0, 0]
const library = await import('@huggingface/transformers')
for (const [index, [name, check]] of Object.entries(modelChecks).entries()) {
  try {
    await check({}, join(folder, String(index)), library)
    passed += 1
  } catch (error) {
    failed += 1
    console.log(`  ${name}: ${error}`)
  }
}
rmSync(folder, { recursive: true, force: true })
console.log(`transformers.js ${library.env.version}: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
