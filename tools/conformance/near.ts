/** Suggests names that are similar to an unknown one. */

/** Returns up to `limit` names that contain the name or differ from it in few characters, the nearest first. */
export function nearNames(name: string, names: readonly string[], limit = 3): string[] {
  const wanted = name.toLowerCase()
  return names
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** Returns the end of a message about an unknown name. */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = nearNames(name, names)
  return near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : ''
}

/** Number of characters to insert, delete or replace; a part of the other string counts as near. */
function distance(a: string, b: string): number {
  if (a.length >= 3 && (b.includes(a) || a.includes(b))) return Math.min(2, Math.abs(a.length - b.length))
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
