/**
 * How much a test tries. `npm test` and `npm run test:system` try some cases of each kind; `npm run test:nightly`, and `vitest run` without
 * a mode, try all of them.
 */

/** Whether everything is tried. */
export const isFull = !['unit', 'system', 'ci'].includes(process.env['MODE'] ?? '')

/** Returns all cases, or `count` of them in even distances, always the same. */
export function someOf<T>(cases: readonly T[], count: number): T[] {
  if (isFull || count >= cases.length) return [...cases]
  return Array.from({ length: count }, (_, index) => cases[Math.floor((index * cases.length) / count)]!)
}

/** Returns the number of all rounds, or that of a few. */
export const rounds = (few: number, all: number): number => (isFull ? all : few)
