/** Packs packages as they are published, for checks that install them elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from './command.ts'
import { packageFolders } from './packages.ts'

/**
 * Packs the packages of this repository that the package in `folder` depends on, directly or not, and that package itself if it is
 * published. Returns the specifiers of the tarballs in `target` by package name.
 */
export async function packWithDependencies(folder: string, target: string): Promise<Record<string, string>> {
  const read = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const folders = new Map(packageFolders().map((path) => [read(path).name as string, path]))
  const wanted = new Set<string>()
  const want = (names: readonly string[]): void => {
    for (const name of names) {
      const path = folders.get(name)
      if (path === undefined || wanted.has(name)) continue
      wanted.add(name)
      want(Object.keys(read(path).dependencies ?? {}))
    }
  }
  const { name, dependencies = {} } = read(folder)
  want([name, ...Object.keys(dependencies)])
  await Promise.all(
    [...wanted].map((one) => mustRun('pnpm', ['pack', '--pack-destination', target], folders.get(one)!)),
  )
  const tarballs = readdirSync(target)
  const tarballOf = (one: string) => tarballs.find((file) => file.startsWith(`${one.slice(1).replace('/', '-')}-`))
  return Object.fromEntries([...wanted].map((one) => [one, `file:${join(target, tarballOf(one)!)}`]))
}
