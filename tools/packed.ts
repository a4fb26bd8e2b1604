/** Packs packages as they are published, for checks that install them elsewhere. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from './packages.ts'

interface Result {
  status: number | null
  output: string
}

/** Runs a program to its end. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, shell: process.platform === 'win32' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })
}

/** Runs a program to its end, which must be a success. */
export async function mustRun(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { status, output } = await run(command, args, cwd)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  return output
}

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
