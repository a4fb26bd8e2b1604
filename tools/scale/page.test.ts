import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ingestionRate } from './measure.ts'

const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8')

/** The rows of the table whose head begins with these cells. */
function rowsOf(...head: string[]): string[][] {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => head.every((cell, i) => cellsOf(line)[i] === cell))
  if (start < 0) throw new Error(`docs/scale.md: there is no table with the head ${head.join(' | ')}.`)
  const rest = lines.slice(start + 2)
  return rest.slice(0, rest.indexOf('')).map(cellsOf)
}
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The number of a cell, or the first one of a range, in bytes, seconds, or without a unit. */
function valueOf(cell = ''): number {
  const [, number = '', unit = ''] = /^([\d.,]+)(?: to [\d.,]+)?(?: (\S+))?/.exec(cell) ?? []
  return Number(number.replaceAll(',', '')) * (UNITS[unit] ?? Number.NaN)
}
const UNITS: Record<string, number> = { '': 1, kB: 1e3, GB: 1e9, ms: 1e-3, s: 1, min: 60, h: 3600, million: 1e6 }

const documents = rowsOf('', 'one', 'a million')
const tasks = page.slice(page.indexOf('## Tasks of agents'))

/** A difference that rounding explains. */
function expectAbout(actual: number, expected: number, part: number): void {
  expect(actual).toBeGreaterThan(expected * (1 - part))
  expect(actual).toBeLessThan(expected * (1 + part))
}

test.each(documents)('a million times as much as one document: %s', (_, one, million) => {
  expectAbout(valueOf(million), valueOf(one) * 1e6, 0.08)
})

test('a task of six turns takes at most 25 kB in a task store', () => {
  const sizes = [...tasks.matchAll(/^\| journal in \S+ \| (.*?) \| (.*?) \|$/gm)]
  expect(sizes).toHaveLength(2)
  for (const [, one, million] of sizes) {
    expect(valueOf(one)).toBeLessThanOrEqual(25_000)
    expectAbout(valueOf(million), valueOf(one) * 1e6, 0.01)
  }
})

describe('the rates with the figures of the page are those of the page', () => {
  const figure = (name: string) => valueOf(documents.find(([first]) => first === name)?.[1])
  const parseCpu = figure('parsing, one processor')
  const storeSeconds = figure('storing in PostgreSQL, one writer')
  test.each(rowsOf('requests per minute', 'workers', 'documents per second'))(
    '%s requests per minute, %s workers',
    (perMinute, workers, perSecond, million, limit) => {
      const options = { parseCpu, storeSeconds, perMinute: valueOf(perMinute), workers: valueOf(workers) }
      const found = ingestionRate(options)
      expect(found.limit).toBe(limit)
      expectAbout(valueOf(perSecond), found.perSecond, 0.05)
      expectAbout(valueOf(million), 1e6 / valueOf(perSecond), 0.05)
    },
  )
})

test('tasks take longer the more of them run at once, and have the rate that follows', () => {
  const rows = rowsOf('', '1 at once')
  expect(rows.length).toBeGreaterThan(3)
  for (const [engine, ...cells] of rows) {
    const rate = valueOf(cells.at(-1))
    const times = cells.slice(0, -2).map((cell) => cell.split(', ').map(valueOf) as [number, number])
    for (const [p50, p99] of times) expect(p99, engine).toBeGreaterThanOrEqual(p50)
    // 200 tasks at once, each of which takes 1.2 seconds at least.
    expect(rate, engine).toBeLessThan(200 / 1.2)
    expect(times.at(-1)![0], engine).toBeGreaterThan(times[0]![0])
  }
})
