/**
 * Starts `@x/docs-mcp` on a folder of 2,000 files: the first time, a second time, and after ten files have changed. Times are of the
 * processor, each in a process of its own, modules included. Exits with 1 when a bar is missed.
 *
 * @example npm run bench -- docs-mcp
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Docs } from '../packages/integrations/docs-mcp/src/index.ts'

const FILES = 2_000
const CHANGED = 10
/** The share of the first start that the second one may take. */
const SHARE = 0.25

const [, , folderToOpen, storeToUse] = process.argv
if (folderToOpen?.includes('/') && storeToUse) {
  const log: string[] = []
  const docs = await Docs.open(folderToOpen, { store: storeToUse, log: (line) => log.push(line) })
  await docs.upToDate()
  const { user, system } = process.cpuUsage()
  await docs.close()
  console.log(JSON.stringify({ seconds: (user + system) / 1e6, log: log.at(-1) }))
  process.exit()
}

let state = 1
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const words = Array.from({ length: 5_000 }, (_, i) => `w${(i * 7919).toString(36)}`)
const text = (count: number) => Array.from({ length: count }, () => words[random(words.length)]).join(' ')
const table = () =>
  `| ${text(2)} | ${text(1)} |\n|---|---|\n${Array.from({ length: 8 }, () => `| ${text(2)} | ${random(1000)} |\n`).join('')}`

/** About 6 kB: sections with two paragraphs each, and a table. */
function document(n: number): string {
  const sections = Array.from({ length: 6 }, () => `## ${text(3)}\n\n${text(70)}\n\n${text(70)}\n\n`)
  return `# Document ${n}\n\n${sections.join('')}${table()}`
}

const directory = mkdtempSync(join(tmpdir(), 'x-bench-'))
const [folder, store] = [join(directory, 'docs'), join(directory, 'index.db')]
const write = (n: number) => {
  const path = join(folder, `part${n % 40}`, `${n}.md`)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, document(n))
}

function start(what: string): number {
  const args = ['--conditions=@x/source', import.meta.filename, folder, store]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (!stdout.startsWith('{')) throw new Error(stderr)
  const { seconds, log } = JSON.parse(stdout) as { seconds: number; log: string }
  console.log(`  ${what.padEnd(24)} ${seconds.toFixed(2)} s  (${log})`)
  return seconds
}

for (let n = 0; n < FILES; n++) write(n)
const first = start('first start')
const second = start('second start')
for (let n = 0; n < CHANGED; n++) write(n * 100)
start(`after ${CHANGED} changes`)
const size = ['', '-wal'].reduce((sum, end) => sum + (statSync(store + end, { throwIfNoEntry: false })?.size ?? 0), 0)
console.log(`  index: ${(size / 1e6).toFixed(0)} MB`)
rmSync(directory, { recursive: true })
const isMet = second <= first * SHARE
console.log(
  `  ${isMet ? 'ok' : 'MISSED'}: the second start takes ${(second / first).toFixed(2)} of the first (bar ${SHARE})`,
)
process.exitCode = isMet ? 0 : 1
