/**
 * @module
 * Writes a project.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ProgramError } from './arguments.ts'
import { type ModelName, models, type Template, type TemplateName, templates } from './templates.ts'

/** What is made. */
export interface ProjectChoice {
  /** The absolute path of the folder. */
  folder: string
  template: TemplateName
  model: ModelName
  manager: Manager
}

/** The package manager that the program was started by. */
export type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const packageRoot = new URL('../', import.meta.url)
const sources = new URL('templates/', packageRoot)

/** What is not committed: installed packages, keys, data, builds, and what a package manager writes. */
const ignored: Readonly<Record<Manager, string>> = {
  npm: '',
  pnpm: '.pnpm-store/\n',
  yarn: '.yarn/\n.pnp.*\n',
  bun: '',
}

/** What a build and a start write. */
const built = { vite: 'dist/\n', next: '.next/\nnext-env.d.ts\n', workers: 'dist/\n.wrangler/\n' }

/**
 * Writes the files of a project into a new or empty folder, which becomes a repository of git where git is installed and the folder is in
 * no other repository.
 * @throws {ProgramError} when the folder is not empty, or cannot be written.
 */
export function makeProject({ folder, template: name, model, manager }: ProjectChoice): void {
  const template: Template = templates[name]
  const files = templateFiles(template)
  const parts = readFileSync(new URL('readme.md', sources), 'utf8').split(/^# /m)
  const part = (title: string) =>
    parts
      .find((text) => text.startsWith(`${title}\n`))!
      .slice(title.length)
      .trim()
  const manifest = manifestOf(basename(folder), template, [...files.values()])
  files.set('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  files.set('README.md', `# ${basename(folder)}\n\n${part(name)}\n\n${part('model')}\n`)
  files.set('.gitignore', `node_modules/\n${built[template.page ?? 'vite']}.env\n*.db*\n${ignored[manager]}`)
  files.set('.env', models[model].env)
  // TypeScript 7 finds no types in archives, where Yarn keeps packages by default.
  if (manager === 'yarn') files.set('.yarnrc.yml', 'nodeLinker: node-modules\n')
  checkEmpty(folder)
  for (const [path, text] of files) write(join(folder, path), text)
  if (!isInRepository(folder)) spawnSync('git', ['init', '--quiet'], { cwd: folder, stdio: 'ignore' })
}

/** The files of a template, and its model, by their paths in the project. */
function templateFiles({ folders, main, without = [] }: Template): Map<string, string> {
  const files = new Map<string, string>()
  for (const name of folders) {
    const folder = fileURLToPath(new URL(`${name}/`, sources))
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      files.set(path.slice(folder.length).replaceAll('\\', '/'), readFileSync(path, 'utf8'))
    }
  }
  for (const path of without) files.delete(path)
  return files.set(`${dirname(main)}/model.ts`, readFileSync(new URL('model.ts', sources), 'utf8'))
}

const isInRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)))

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
  engines: { node: string }
  dependencies: Readonly<Record<string, string>>
  devDependencies: Readonly<Record<string, string>>
}

/** The manifest of this package. The templates are tested with the versions in it; publishing makes those of this family exact. */
const ownManifest = (): Manifest => JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'))

/** The version of this package. */
export const ownVersion = (): string => ownManifest().version

/** The lowest version of Node that runs the projects. */
export const lowestNode = (): string => ownManifest().engines.node.replace('>=', '')

/** What only the development of a project needs. */
const forDevelopment = ['@types/node', 'typescript']
const forVite = ['@types/react', '@types/react-dom', '@vitejs/plugin-react', 'vite']
const forPages = {
  vite: forVite,
  next: ['@types/react', '@types/react-dom'],
  workers: [...forVite, 'wrangler'],
}

/** Returns the manifest of a project, with the packages that its files import. */
function manifestOf(folder: string, { main, page }: Template, texts: readonly string[]): object {
  const { engines, dependencies, devDependencies } = ownManifest()
  const range = (name: string): [string, string] => {
    const version = dependencies[name] ?? devDependencies[name]
    if (version === undefined) throw new Error(`package.json of @x/create has no version of ${name}`)
    return [name, /^\d/.test(version) ? `^${version}` : version]
  }
  const development = [...forDevelopment, ...(page ? forPages[page] : [])].sort()
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^(?:import|export|\}) .*from '(@[^/']+\/[^/']+|[^@./'][^/':]*)['/]/gm)].map(([, name]) => name!),
  )
  // Next brings no React.
  const beside = page === 'next' ? ['react-dom'] : []
  const needed = new Set(
    ['@x/core', '@x/core-model', ...beside, ...imported].filter((name) => !development.includes(name)),
  )
  const node = `node --env-file-if-exists=.env ${main}`
  const scripts = {
    vite: { start: `vite build --logLevel warn && ${node}`, dev: 'vite' },
    workers: {
      start: 'vite build --logLevel warn && wrangler dev --ip 127.0.0.1 --port 3000',
      dev: 'vite',
      deploy: 'vite build --logLevel warn && wrangler deploy',
    },
    next: { start: 'next build && next start -H 127.0.0.1', dev: 'next dev -H 127.0.0.1' },
  }
  return {
    name: packageName(folder),
    private: true,
    type: 'module',
    scripts: { ...(page ? scripts[page] : { start: node }), typecheck: 'tsc' },
    engines,
    // The cores are peers of the others, which not every package manager installs.
    dependencies: Object.fromEntries([...needed].sort().map(range)),
    devDependencies: Object.fromEntries(development.map(range)),
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
