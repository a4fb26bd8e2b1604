/**
 * Runs a fuzzer for some seconds and refuses any difference: `packages/<area>/fuzz/main.ts`, or `packages/node-parser/fuzz/<area>.ts`.
 *
 * @example npm run fuzz -- node-parser --seconds 60
 * @example npm run fuzz -- node-parser --seconds 60 --seed 7
 * @example npm run fuzz -- html-tables --seconds 60
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

interface Fuzzer {
  fuzz(seconds: number, seed: number): { documents: number; differences: string[] }
}

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, seed: { type: 'string' } },
  allowPositionals: true,
})
const area = positionals[0] ?? 'node-parser'
const packages = join(import.meta.dirname, '..', '..')
const paths = [join(packages, area, 'fuzz', 'main.ts'), join(packages, 'node-parser', 'fuzz', `${area}.ts`)]
const path = paths.find((candidate) => existsSync(candidate))
const seconds = Number(values.seconds)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
if (path === undefined || !(seconds > 0) || !Number.isInteger(seed)) {
  console.error(
    'Usage: npm run fuzz -- AREA [--seconds N] [--seed N]; an area is a package with a fuzz folder, or html-tables.',
  )
  process.exit(2)
}

const { fuzz } = (await import(pathToFileURL(path).href)) as Fuzzer
const { documents, differences } = fuzz(seconds, seed)
for (const difference of differences) console.log(difference)
console.log(`${area}: ${documents} documents tried, ${differences.length} differences (seed ${seed})`)
process.exitCode = differences.length === 0 ? 0 : 1
