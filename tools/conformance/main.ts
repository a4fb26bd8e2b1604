/**
 * Runs the language-neutral cases of `conformance/` against the built packages.
 *
 * @example npm run conformance
 * @example npm run conformance -- --area prompts
 * @example npm run conformance -- path/to/more-cases
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Area, Case } from './area.ts'

const root = join(import.meta.dirname, '..', '..')
const { values, positionals } = parseArgs({
  options: { area: { type: 'string', multiple: true }, help: { type: 'boolean' } },
  allowPositionals: true,
})

if (values.help) {
  console.log(
    'Usage: npm run conformance -- [DIR] [--area NAME]...\nRuns every case of every <area>.json in DIR (default: conformance/).',
  )
  process.exit(0)
}

const folder = resolve(process.env['INIT_CWD'] ?? process.cwd(), positionals[0] ?? join(root, 'conformance'))
if (!existsSync(folder) || !statSync(folder).isDirectory()) {
  console.error(`${folder}: no such folder`)
  process.exit(2)
}

async function areaOf(name: string): Promise<Area | null> {
  const path = join(import.meta.dirname, 'areas', `${name}.ts`)
  return existsSync(path) ? ((await import(path)) as { area: Area }).area : null
}

interface CaseFile {
  area?: string
  cases?: Case[]
}

const total = { passed: 0, failed: 0, skipped: 0 }
const seen = new Set<string>()
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()) {
  const { area = basename(file, '.json'), cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CaseFile
  if (!Array.isArray(cases) || (values.area && !values.area.includes(area))) continue
  seen.add(area)
  const count = { passed: 0, failed: 0, skipped: 0 }
  const runner = await areaOf(area)
  for (const testCase of cases) {
    if (runner === null) {
      count.skipped += 1
      continue
    }
    try {
      await runner.check(testCase)
      count.passed += 1
    } catch (error) {
      count.failed += 1
      console.log(`  ${testCase.id}: ${String((error as Error)?.message ?? error).split('\n', 1)[0]}`)
    }
  }
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += count[key]
  console.log(`${area}: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
}
for (const name of values.area ?? []) {
  if (seen.has(name)) continue
  console.error(`${name}: no such area in ${folder}`)
  process.exitCode = 2
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
if (total.failed + total.skipped > 0 || total.passed === 0) process.exitCode ||= 1
