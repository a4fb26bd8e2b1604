/**
 * @module
 * Similar words, for a word that no document contains: another form of it, a compound, or the word without a misspelling.
 */

/** The shortest term that is compared, the shortest that may be part of a compound, and the number of characters in which endings differ. */
const SHORTEST = 3
const SHORTEST_PART = 4
const ENDING = 2
/** The maximum number of similar terms. */
const MOST = 8

/** Returns the terms that begin like a term or contain it; without such terms, those that differ by one letter. */
export function nearTerms(term: string, terms: Iterable<string>): string[] {
  if (term.length < SHORTEST) return []
  const start = term.slice(0, Math.max(SHORTEST, term.length - ENDING))
  const forms = new Set<string>()
  const misspelt = new Set<string>()
  for (const other of terms) {
    if (
      other.startsWith(start) ||
      (term.length >= SHORTEST_PART && other.length <= 2 * term.length && other.includes(term))
    )
      forms.add(other)
    else if (term.length > SHORTEST_PART && differsByOne(term, other)) misspelt.add(other)
  }
  const found = [...(forms.size > 0 ? forms : misspelt)]
  return found.sort((one, other) => one.length - other.length || (one < other ? -1 : 1)).slice(0, MOST)
}

/** Whether one letter is changed, added, missing, or two neighbours are swapped. */
function differsByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const left = one.slice(start, one.length - end)
  const right = other.slice(start, other.length - end)
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].reverse().join(''))
}
