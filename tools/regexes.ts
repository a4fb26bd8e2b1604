/**
 * Refuses a regular expression in the packages that takes more than linear time on some string. Each is judged by recheck; what recheck
 * does not decide in time is run on strings that are made from its own characters, of two lengths. The verdicts are in `regexes.json`,
 * because judging all of them takes minutes; new ones are judged at once, and `--write` adds them and removes those that are gone.
 * Expressions that programs put together are not seen here: the growth tests of their functions run them.
 *
 * @example node tools/regexes.ts --write
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parseAst } from 'rollup/parseAst'

const root = join(import.meta.dirname, '..')
const file = join(import.meta.dirname, 'regexes.json')
/** Milliseconds that recheck may take. */
const PATIENCE = 8000

interface Found {
  source: string
  flags: string
  place: string
}

function expressionsIn(path: string): Found[] {
  const code = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'))
  const found: Found[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, start } = node as { type?: string; regex?: { pattern: string; flags: string }; start?: number }
    if (type === 'Literal' && regex)
      found.push({
        source: regex.pattern,
        flags: regex.flags,
        place: `${path}:${code.slice(0, start).split('\n').length}`,
      })
    else Object.values(node).forEach(visit)
  }
  visit(parseAst(code))
  return found
}

/** Characters and pairs of them that an expression mentions, as strings to repeat. */
function pumpsOf(source: string): string[] {
  const classes: Record<string, string[]> = {
    d: ['1'],
    s: [' ', '\t', '\n'],
    w: ['a', '_'],
    S: ['a', '.'],
    D: ['a'],
    W: ['-'],
    p: ['a', 'A'],
  }
  const atoms = new Set(['a', '1', ' '])
  for (const [, escaped, plain] of source.matchAll(/\\(.)|([^\\^$.*+?()[\]{}|])/gsu)) {
    if (plain !== undefined) atoms.add(plain)
    else
      for (const one of classes[escaped!] ?? [escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped!])
        atoms.add(one)
  }
  const list = [...atoms].slice(0, 28)
  return [...list, ...list.flatMap((one) => list.map((other) => one + other)).filter((pair) => pair[0] !== pair[1])]
}

/** The milliseconds of one search, at best of two. */
function timeOf({ source, flags }: Found, text: string): number {
  const times = [0, 1].map(() => {
    const expression = new RegExp(source, /[gy]/.test(flags) ? flags : `${flags}g`)
    const start = performance.now()
    text.replace(expression, '')
    return performance.now() - start
  })
  return Math.min(...times)
}

/** Returns a string whose search grows with more than its length; undefined if there is none among those that are tried. */
function growing(found: Found): string | undefined {
  const words = [...found.source.matchAll(/[a-z][a-z:/ ="'-]{2,}/gi)].map(([word]) => word).slice(0, 6)
  for (const pump of pumpsOf(found.source)) {
    for (const start of ['', ...(pump.length === 1 ? words : [])]) {
      for (const end of ['', '\u0000', '\n!']) {
        const text = (length: number) => start + pump.repeat(length / pump.length) + end
        const [few, many] = [timeOf(found, text(4000)), timeOf(found, text(16_000))]
        // Linear is 4, quadratic 16.
        if (many > 4 && many / few > 8 && timeOf(found, text(32_000)) / many > 3)
          return `${start}${JSON.stringify(pump)} × n${JSON.stringify(end)}`
      }
    }
  }
  return undefined
}

/** Whether the string that recheck found takes more than linear time here: what its search says about look-behinds is often wrong. */
function isAttack(found: Found, pattern: string): boolean {
  const text = (part: number): string =>
    new Function(
      `return ${pattern.replace(/repeat\((\d+)\)/g, (_, times) => `repeat(${Math.ceil(Number(times) * part)})`)}`,
    )()
  const [few, many] = [timeOf(found, text(1)), timeOf(found, text(4))]
  return many > 4 && many / few > 8 && (many > 2000 || timeOf(found, text(12)) / many > 6)
}

/** Returns what is wrong with an expression; undefined if it takes linear time. */
async function problemOf(found: Found): Promise<string | undefined> {
  const { source, flags } = found
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  const verdict = checkSync(source, flags.replace('v', 'u').replace('d', ''), { timeout: PATIENCE })
  if (verdict.status === 'safe') return undefined
  if (verdict.status === 'vulnerable' && (verdict.checker !== 'fuzz' || isAttack(found, verdict.attack.pattern)))
    return `${verdict.complexity.summary}, such as on ${verdict.attack.pattern}`
  const string = growing(found)
  return string && `more than linear on ${string}`
}

const keyOf = ({ source, flags }: Found): string =>
  createHash('sha256').update(`/${source}/${flags}`).digest('hex').slice(0, 10)

const folders = ['packages', 'packages/integrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'integrations')
    .map(({ name }) => join(folder, name, 'src')),
)
const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/\.test(-d)?\.ts$|\.d\.ts$/.test(name))
    .map((name) => join(folder, name)),
)
/** Writes the verdicts. */
function save(all: Iterable<string> = [...known, ...judged]): void {
  if (process.argv.includes('--write'))
    writeFileSync(file, `${JSON.stringify([...new Set(all)].sort()).replaceAll(',', ',\n')}\n`)
}
const known = new Set<string>(JSON.parse(readFileSync(file, 'utf8')))
const judged = new Set<string>()
let failed = 0
for (const found of paths.flatMap(expressionsIn)) {
  const key = keyOf(found)
  if (judged.has(key)) continue
  const problem = known.has(key) ? undefined : await problemOf(found)
  if (problem === undefined) {
    judged.add(key)
    if (judged.size % 50 === 0) save()
  } else {
    failed += 1
    console.log(`${found.place} /${found.source}/${found.flags}: ${problem}`)
  }
}
save(judged)
console.log(`regular expressions: ${judged.size} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
