/** Differences as lines for a reader. */
import type { Difference } from './compare.ts'

const MAX_LENGTH = 100

/** Returns path, expected and received value of each difference, in at most `maxLines` lines. */
export function showDifferences(differences: readonly Difference[], maxLines = 20): string[] {
  const shown = differences.length * 3 <= maxLines ? differences : differences.slice(0, Math.floor((maxLines - 1) / 3))
  const lines = shown.flatMap(({ path, expected, received }) => {
    const start = firstDifference(expected, received)
    return [path, `  expected ${show(expected, start)}`, `  received ${show(received, start)}`]
  })
  const more = differences.length - shown.length
  return more > 0 ? [...lines, `… and ${more} more ${more === 1 ? 'difference' : 'differences'}`] : lines
}

/** Returns the position where two long strings begin to differ, minus some characters of context. */
function firstDifference(expected: unknown, received: unknown): number {
  if (typeof expected !== 'string' || typeof received !== 'string') return 0
  if (Math.max(expected.length, received.length) <= MAX_LENGTH) return 0
  let index = 0
  while (index < expected.length && expected[index] === received[index]) index++
  return Math.max(0, index - 20)
}

function show(value: unknown, start: number): string {
  if (value === undefined) return '(nothing)'
  if (typeof value === 'string' && start > 0) return `… ${cut(JSON.stringify(value.slice(start)))}`
  return cut(json(value))
}

/** Returns a value as JSON, or as a plain string if it has no JSON form. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

const cut = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
