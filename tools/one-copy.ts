/** Checks that an application has one copy of each package after any installs and updates. */
import type { Manifest } from './dependents.ts'

const numbers = (version: string): number[] => version.split('.').map(Number)

/** Whether the range `^base` contains a version, as npm reads it. */
function contains(base: string, version: string): boolean {
  const [low, high] = [numbers(base), numbers(version)]
  const fixed = low.findIndex((number) => number > 0)
  const differs = low.findIndex((number, index) => number !== high[index])
  return differs < 0 || (differs > fixed && high[differs]! > low[differs]!)
}

/**
 * Returns what npm would install twice in an application that installed all packages at one release and updates at a later one.
 * @param releases - all packages after each release, the oldest first.
 */
export function secondCopies(releases: readonly (readonly Manifest[])[]): string[] {
  return releases.flatMap((then, from) =>
    releases.slice(from).flatMap((_, after) => {
      const published = releases.slice(0, from + after + 1).flat()
      const updated = then.map(({ name, version }) =>
        published.findLast((it) => it.name === name && contains(version, it.version)),
      )
      const installed = new Map(updated.map((it) => [it!.name, it!]))
      return [...installed.values()].flatMap(({ name, version, dependencies = {} }) =>
        Object.entries(dependencies)
          .filter(([needed, range]) => !contains(range.slice(1), installed.get(needed)!.version))
          .map(
            ([needed, range]) => `${name} ${version} needs ${needed} ${range} beside ${installed.get(needed)!.version}`,
          ),
      )
    }),
  )
}
