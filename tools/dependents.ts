/**
 * Which packages a release needs besides those that changed. A minor of a package at 0.x, or a major of a later one, leaves the range
 * `^` of its dependents. These must leave their own ranges too: otherwise `npm update` brings a dependent that needs the new version
 * into an application that stays on the old one, which then has two copies.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from './packages.ts'

const levels = ['none', 'patch', 'minor', 'major']
const changesets = join(import.meta.dirname, '..', '.changeset')

export interface Manifest {
  name: string
  version: string
  dependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
}

/** A package that has to be released, and the packages that it needs newer versions of. */
export interface Dependent {
  name: string
  /** `minor` or `major`. */
  type: string
  needs: string[]
}

/** The least change of a version that its range `^` does not contain. */
const leaving = (version: string): string => (version.startsWith('0.') ? 'minor' : 'major')

/**
 * Returns the packages that have to be released with others, or with a larger change than the one that is planned.
 * @param planned - `patch`, `minor` or `major` by the name of a package.
 */
export function dependentsOf(planned: Readonly<Record<string, string>>, manifests: readonly Manifest[]): Dependent[] {
  const types = new Map(Object.entries(planned))
  const found = new Map<string, Dependent>()
  const leaves = ({ name, version }: Manifest): boolean =>
    levels.indexOf(types.get(name) ?? 'none') >= levels.indexOf(leaving(version))
  for (let open = manifests.filter(leaves); open.length > 0; ) {
    const [next, ...rest] = open as [Manifest, ...Manifest[]]
    open = rest
    for (const manifest of manifests) {
      if (!(next.name in { ...manifest.dependencies, ...manifest.peerDependencies })) continue
      const { name, version } = manifest
      if (found.has(name)) found.get(name)!.needs.push(next.name)
      if (leaves(manifest)) continue
      types.set(name, leaving(version))
      found.set(name, { name, type: leaving(version), needs: [next.name] })
      open.push(manifest)
    }
  }
  return [...found.values()]
}

/** Returns the largest change that the changesets of a folder plan for each package. */
function plannedChanges(folder = changesets): Record<string, string> {
  const planned: Record<string, string> = {}
  for (const file of readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md')) {
    const head = readFileSync(join(folder, file), 'utf8').split(/^---$/m)[1] ?? ''
    for (const [, name, type] of head.matchAll(/^["']?([^"'\n]+?)["']?: *(patch|minor|major) *$/gm)) {
      if (levels.indexOf(type!) > levels.indexOf(planned[name!] ?? 'none')) planned[name!] = type!
    }
  }
  return planned
}

/** Whether the next version of a package, by the changesets of a folder, is outside of the ranges of its dependents. */
export function leavesItsRange({ name, version }: Manifest, folder = changesets): boolean {
  return levels.indexOf(plannedChanges(folder)[name] ?? 'none') >= levels.indexOf(leaving(version))
}

/** Returns the dependents that the changesets of this repository do not name yet. */
export function missingDependents(): Dependent[] {
  const manifests = packageFolders().map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  return dependentsOf(plannedChanges(), manifests)
}

/** Writes a changeset for each dependent that is missing. */
export function addDependents(): void {
  for (const { name, type, needs } of missingDependents()) {
    const list = needs.map((needed) => `\`${needed}\``).join(', ')
    const summary = `Needs the new version of ${list}: update them together, so that your application has one copy of each.`
    writeFileSync(
      join(changesets, `with-${name.replace(/\W+/g, '-')}.md`),
      `---\n"${name}": ${type}\n---\n\n${summary}\n`,
    )
  }
}
