/** What the benchmarks share: interleaved rounds, bars that a run has to reach, and the rows of tables. */
import { type Figure, type FigureTable, peerVersion } from '../tools/figures.ts'

export const print = (line: string) => process.stdout.write(`${line}\n`)

/** Prints whether a value reaches its bar. One that does not makes the run exit with 1. */
export function bar(met: boolean, what: string): void {
  print(`  ${met ? 'ok  ' : 'MISS'} ${what}`)
  if (!met) process.exitCode = 1
}

export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!

/** A linear congruential generator of numbers from 0 to 1: the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

type Work = () => unknown

/**
 * Runs every contestant once per round, so that other work on the machine affects all alike, and returns the median milliseconds of each.
 */
export async function interleaved(contestants: Readonly<Record<string, Work>>, rounds: number, warmUp = 1) {
  const times = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]))
  for (let round = -warmUp; round < rounds; round++)
    for (const [name, run] of Object.entries(contestants)) {
      const start = performance.now()
      await run()
      if (round >= 0) times.get(name)!.push(performance.now() - start)
    }
  return new Map([...times].map(([name, list]) => [name, median(list)]))
}

/**
 * Returns a table with a row per value, prints it, and marks which rows are ours, whose names begin as code, and which version a peer has.
 * @param peers - the packages of peers by the start of their names.
 */
export function tableOf(
  table: Omit<FigureTable, 'rows' | 'unit'> & { unit?: string },
  values: Iterable<readonly [string, number]>,
  peers: Readonly<Record<string, string>> = {},
): FigureTable {
  print(`${table.title}, ${table.measure}`)
  const rows = Array.from(values, ([name, value]): Figure => {
    print(`  ${name.padEnd(36)} ${value.toFixed(table.digits).padStart(12)}`)
    const peer = Object.keys(peers).find((each) => name.startsWith(each))
    if (peer !== undefined) return { name, value, version: peerVersion(peers[peer]!) }
    return name.startsWith('`') ? { name, value, ours: true } : { name, value }
  })
  return { unit: '', ...table, rows }
}
