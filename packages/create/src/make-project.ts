/**
 * @module
 * Writes a project.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Door, type DoorName, doors, type ModelName, models } from './doors.ts'
import { ProgramError } from './program-error.ts'

/** What is made. */
export interface ProjectChoice {
  /** The absolute path of the folder. */
  folder: string
  door: DoorName
  model: ModelName
  manager: Manager
}

/** The package manager that the program was started by. */
export type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const packageRoot = new URL('../', import.meta.url)
const templates = new URL('templates/', packageRoot)
/** What every project contains. */
const shared = ['src/model.ts', 'tsconfig.json']

/** Writes the files of a project into a new or empty folder. @throws {ProgramError} when the folder is not empty, or cannot be written. */
export function makeProject({ folder, door: name, model, manager }: ProjectChoice): void {
  const door: Door = doors[name]
  const files = new Map(
    [door.main, ...door.files, ...shared].map((path) => [path, readFileSync(new URL(path, templates), 'utf8')]),
  )
  const part = (page: string) => readFileSync(new URL(`readme/${page}.md`, templates), 'utf8')
  const manifest = manifestOf(basename(folder), door, [...files.values()])
  files.set('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  files.set('README.md', `# ${basename(folder)}\n\n${part(name)}\n${part('model')}`)
  files.set('.gitignore', 'node_modules/\n.env\n*.db*\n')
  files.set('.env', models[model].env)
  // TypeScript 7 finds no types in archives, where Yarn keeps packages by default.
  if (manager === 'yarn') files.set('.yarnrc.yml', 'nodeLinker: node-modules\n')
  checkEmpty(folder)
  for (const [path, text] of files) write(join(folder, path), text)
}

/** Refuses a folder with files. That of a new repository of git counts as empty. */
function checkEmpty(folder: string): void {
  try {
    const [first] = readdirSync(folder).filter((name) => name !== '.git')
    if (first !== undefined)
      throw new ProgramError(1, `${folder}: expected an empty folder, found ${first} in it. Nothing was written.`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error instanceof ProgramError ? error : failure(error)
  }
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    // Fails if a file appeared meanwhile.
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    throw failure(error)
  }
}

const failure = (cause: unknown) => new ProgramError(1, `The project cannot be written: ${(cause as Error).message}.`)

interface Manifest {
  version: string
  engines: object
  dependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
}

/** The manifest of this package. The templates are tested with the versions in it; publishing makes those of this family exact. */
const ownManifest = (): Manifest => JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'))

/** The version of this package. */
export const ownVersion = (): string => ownManifest().version

/** Returns the manifest of a project, with the packages that its texts import. */
function manifestOf(folder: string, { main, scripts }: Door, texts: readonly string[]): object {
  const { engines, dependencies, devDependencies } = ownManifest()
  const range = (name: string): [string, string] => {
    const version = dependencies[name] ?? devDependencies[name]
    if (version === undefined) throw new Error(`package.json of @x/create has no version of ${name}`)
    return [name, /^\d/.test(version) ? `^${version}` : version]
  }
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^import .* from '(@[^/']+\/[^/']+|[^@./'][^/':]*)[/']/gm)].map(([, name]) => name!),
  )
  const start = `node --env-file-if-exists=.env ${main}`
  const more = Object.entries(scripts).map(([name, args]) => [name, `${start} ${args}`])
  return {
    name: packageName(folder),
    private: true,
    type: 'module',
    scripts: { start, ...Object.fromEntries(more), typecheck: 'tsc' },
    engines,
    // The cores are peers of the others, which not every package manager installs.
    dependencies: Object.fromEntries([...new Set(['@x/core', '@x/core-model', ...imported])].sort().map(range)),
    devDependencies: Object.fromEntries(['@types/node', 'typescript'].map(range)),
  }
}

/** Returns a name that npm accepts. */
export function packageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  let end = name.length
  while (name[end - 1] === '-') end--
  return name.slice(0, end) || 'project'
}
