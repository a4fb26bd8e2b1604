/** Where `npm run everywhere` works: a folder for temporary files, a registry with the packages, and the versions of the tools. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mustRun, runBeside } from '../command.ts'
import { packageFolders } from '../packages.ts'
import type { Registry } from '../rehearsal/registry.ts'

/** A line of the table. */
export interface Row {
  what: string
  version: string
  passed: number
  /** What went wrong, by step; or why nothing ran. */
  failures: string[]
  /** Why this row is red, if that is known, and what to do. */
  known?: string
  /** Settings without which the row would be red. */
  recipe?: string
}

/** A part of the table. */
export interface Group {
  name: string
  /** What a row counts. */
  unit: string
  rows: Row[]
}

const own = import.meta.dirname
const root = join(own, '..', '..')
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const specifiers: Readonly<Record<string, string>> = read(join(own, 'package.json')).dependencies
const manifests: { name: string; version: string; bin?: object }[] = packageFolders().map((folder) =>
  read(join(folder, 'package.json')),
)

/** The packages of the steps. */
const inSteps = [...new Set(readFileSync(join(own, 'steps.mjs'), 'utf8').match(/(?<=from ')@x\/[\w-]+/g))]

/** All published packages. */
export const everyPackage = manifests.map(({ name }) => name)

/** The version of a tool, without the name behind an alias. */
export const versionOf = (tool: string): string => specifiers[tool]!.replace(/^npm:[\w-]+@/, '')

/** Whether all versions of Node are in npm packages for this system. Elsewhere the Node that runs this file is tried. */
export const hasNodes = process.platform === 'linux' && process.arch === 'x64'

/** The line of a program that ran the steps. */
const PROGRAM = `import { runSteps } from './steps.mjs'
runSteps().then((result) => console.log('RESULT ' + JSON.stringify(result)))
`

/** The result in the output of such a program; without a result, a failure with the lines that name an error. */
export function resultIn(output: string): Pick<Row, 'passed' | 'failures'> {
  const found = /RESULT (\{.*\})/.exec(output)?.[1]
  if (found !== undefined) return JSON.parse(found)
  const lines = output.split('\n').map((line) => line.trim())
  const named = lines.filter((line) => /error:|cannot|must use|not found|YN0(?!000)/i.test(line) && !/^at /.test(line))
  return { passed: 0, failures: [(named[0] ?? lines.filter(Boolean).at(-1) ?? 'no output').slice(0, 300)] }
}

/** @throws {Error} unless all packages are built from their sources: publishing them would fail after minutes. */
function mustBeBuilt(): void {
  const stale = packageFolders().flatMap((folder) => {
    const { prepack } = read(join(folder, 'package.json')).scripts
    const files = /assert-built\.mjs ([^&]*)/.exec(prepack)?.[1]?.split(' ').filter(Boolean) ?? []
    const check = [join(root, 'tools', 'assert-built.mjs'), '--current', ...files]
    const { status, stderr } = spawnSync(process.execPath, check, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? [] : [stderr.trim()]
  })
  if (stale.length > 0)
    throw new Error(`npm run everywhere needs builds: run "npm run build" first.\n${stale.join('\n')}`)
}

export class Trial {
  readonly folder: string
  readonly url: string

  constructor(folder: string, url: string) {
    this.folder = folder
    this.url = url
  }

  /** Publishes all packages to the registry. */
  static async start(folder: string, { url, userConfig }: Registry): Promise<Trial> {
    mustBeBuilt()
    // `npm run` sets the name in lower case, which counts.
    const env = { ...process.env, npm_config_userconfig: userConfig, npm_config_registry: url }
    const publish = ['--recursive', '--filter=./packages/**', 'publish', '--no-git-checks', '--registry', url]
    await mustRun('pnpm', publish, root, env)
    return new Trial(folder, url)
  }

  /** The versions of our packages as dependencies. */
  dependencies(names: readonly string[] = inSteps): Record<string, string> {
    const wanted = manifests.filter(({ name }) => names.includes(name))
    return Object.fromEntries(wanted.map(({ name, version }) => [name, version]))
  }

  /** Makes an application without installing anything: the steps, and a program that runs them. */
  make(name: string, dependencies: object, more: object = {}): string {
    const folder = join(this.folder, name)
    mkdirSync(folder, { recursive: true })
    cpSync(join(own, 'steps.mjs'), join(folder, 'steps.mjs'))
    const manifest = { name: 'application', version: '1.0.0', private: true, type: 'module', ...more, dependencies }
    this.write(folder, {
      'package.json': JSON.stringify(manifest),
      '.npmrc': `@x:registry=${this.url}\n`,
      'program.mjs': PROGRAM,
    })
    return folder
  }

  write(folder: string, files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }

  /** Makes an application with tools, and installs it with npm. */
  async install(name: string, tools: readonly string[], ours?: readonly string[], more: object = {}): Promise<string> {
    const theirs = Object.fromEntries(tools.map((tool) => [tool, specifiers[tool]]))
    const folder = this.make(name, { ...this.dependencies(ours), ...theirs }, more)
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
    await mustRun('npm', args, folder)
    return folder
  }
}

/** Runs a program in an application; its output is searched for a result. */
export async function outcome(
  folder: string,
  command: string,
  args: readonly string[],
): Promise<Pick<Row, 'passed' | 'failures'>> {
  return resultIn((await runBeside(command, args, folder)).output)
}

/** What an error says, for a row that could not run. */
export const failed = (error: unknown): Pick<Row, 'passed' | 'failures'> => ({
  passed: 0,
  failures: resultIn(String((error as Error)?.message ?? error)).failures,
})
