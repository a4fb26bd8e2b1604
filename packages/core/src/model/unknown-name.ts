import type { ValidationIssue } from '../errors.ts'

/** Returns the issue of an option that does not exist, with the most similar name that does. */
export function unknownName(name: string, known: readonly string[]): ValidationIssue {
  let advice = ''
  let most = 0.6
  for (const other of known) {
    const share = likeness(name.toLowerCase(), other.toLowerCase())
    if (share < most) continue
    most = share
    advice = `; did you mean ${other}?`
  }
  return { path: name, message: `unknown option${advice}`, code: 'unknown' }
}

/** Returns how much of two names their common beginning and end are: 1 for equal names. */
function likeness(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return (start + end) / Math.max(a.length, b.length)
}
