/**
 * Packs packages as they are published, and installs them elsewhere. Run by itself, packs what the checks of installed packages need into
 * the ignored folder `.packed`, from which they take it with `--packed`, so that each package is packed once.
 *
 * @example node tools/packed.ts packages/create examples/own-components
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun } from './command.ts'
import { packageFolders } from './packages.ts'

interface Manifest {
  dependencies?: object
  peerDependencies?: object
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

/** The specifier of a package's tarball in a folder. */
function tarballOf(folder: string, name: string): string {
  const found = tarballIn(folder, name)
  if (found === undefined) throw new Error(`${folder} has no tarball of ${name}`)
  return `file:${join(folder, found)}`
}

function tarballIn(folder: string, name: string): string | undefined {
  const start = `${name.slice(1).replace('/', '-')}-`
  return readdirSync(folder).find((file) => file.startsWith(start) && /^\d/.test(file.slice(start.length)))
}

/** The packages that a package needs, required peers included. */
export function needsOf({ dependencies, peerDependencies, peerDependenciesMeta = {} }: Manifest): string[] {
  const all = Object.keys({ ...dependencies, ...peerDependencies })
  return all.filter((name) => !peerDependenciesMeta[name]?.optional)
}

const shared = join(import.meta.dirname, '.packed')

/** What is being packed, or was: callers may want the same package at the same time. */
const packing = new Map<string, Promise<unknown>>()

/** The folder for the tarballs of a check that works in `folder`. */
export const packedIn = (folder: string): string =>
  process.argv.includes('--packed') ? shared : join(folder, 'packed')

/**
 * Packs the packages of this repository that the package in `folder` depends on, directly or not, and that package itself if it is
 * published. Returns the specifiers of the tarballs in `target` by package name; what the folder has already is not packed again.
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
      want(needsOf(read(path)))
    }
  }
  mkdirSync(target, { recursive: true })
  want([read(folder).name, ...needsOf(read(folder))])
  const packOnce = (one: string) => {
    const key = join(target, one)
    if (!packing.has(key) && tarballIn(target, one) === undefined)
      packing.set(key, mustRun('pnpm', ['pack', '--pack-destination', target], folders.get(one)!))
    return packing.get(key)
  }
  await Promise.all([...wanted].map(packOnce))
  return Object.fromEntries([...wanted].map((one) => [one, tarballOf(target, one)]))
}

/** Makes a project in a folder that exists, with tarballs and other packages, and installs them with npm. */
export async function installProject(
  folder: string,
  dependencies: object,
  devDependencies: object = {},
): Promise<void> {
  const manifest = { name: 'project', private: true, type: 'module', dependencies, devDependencies }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await installWithNpm(folder)
}

/** Installs what the manifest of a folder names. */
export async function installWithNpm(folder: string): Promise<void> {
  await mustRun('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'], folder)
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  rmSync(shared, { recursive: true, force: true })
  for (const folder of process.argv.slice(2)) await packWithDependencies(join(root, folder), shared)
  const { length } = readdirSync(shared)
  console.log(`packed: ${length} passed, 0 failed`)
}
