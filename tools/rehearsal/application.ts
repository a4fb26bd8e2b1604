/** Applications that install, update and add packages with the package managers that users have. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { mustRun, runBeside } from '../command.ts'
import { registryFolder } from './registry.ts'

const root = join(import.meta.dirname, '..', '..')
const bin = join(registryFolder, 'node_modules')

/** A package manager: how it is started, and its words for what it does. */
interface Manager {
  program: readonly string[]
  install: readonly string[]
  add: readonly string[]
  create: readonly string[]
  update: readonly string[]
  /** Its settings by file. */
  settings(url: string, cache: string): Record<string, string>
}

export const managers: Readonly<Record<string, Manager>> = {
  npm: {
    program: ['npm'],
    install: ['install', '--no-audit', '--no-fund'],
    add: ['install', '--no-audit', '--no-fund'],
    create: ['create', '--yes', '@x', 'my-app', '--'],
    update: ['update', '--no-audit', '--no-fund'],
    settings: (url, cache) => ({ '.npmrc': `registry=${url}\ncache=${cache}\n` }),
  },
  pnpm: {
    program: ['pnpm'],
    install: ['install'],
    add: ['add'],
    create: ['create', '@x', 'my-app'],
    update: ['update'],
    settings: (url, cache) => ({
      '.npmrc': `registry=${url}\n`,
      'pnpm-workspace.yaml': `packages: []\nstoreDir: ${cache}/store\ncacheDir: ${cache}\nminimumReleaseAge: 0\n`,
    }),
  },
  Yarn: {
    program: [process.execPath, join(bin, '@yarnpkg', 'cli-dist', 'bin', 'yarn.js')],
    install: ['install', '--no-immutable'],
    add: ['add'],
    create: ['create', '@x', 'my-app'],
    update: ['up', '-R', '@x/*'],
    settings: (url, cache) => ({
      'yarn.lock': '',
      '.yarnrc.yml': `npmRegistryServer: ${url}
unsafeHttpWhitelist: ['127.0.0.1']
nodeLinker: node-modules
enableTelemetry: false
npmMinimalAgeGate: 0
globalFolder: ${cache}
`,
    }),
  },
  Bun: {
    program: [join(bin, '.bin', 'bun')],
    install: ['install'],
    add: ['add'],
    create: ['create', '@x', 'my-app'],
    update: ['update'],
    settings: (url, cache) => ({
      'bunfig.toml': `[install]\nregistry = "${url}"\n[install.cache]\ndir = "${cache}"\n`,
    }),
  },
}

/** The compilers: the oldest that the declarations of the packages are written for, and the newest. */
const compilers = {
  'the lowest TypeScript': join(root, 'tools', 'node_modules', 'typescript-lowest', 'bin', 'tsc'),
  'the newest TypeScript': join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
}

/** Compiled files stand beside their sources, where they find the packages of their folder. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
}

/** An application in a folder of its own. */
export class Application {
  private readonly folder: string
  private readonly manager: Manager

  constructor(folder: string, manager: string) {
    this.folder = folder
    this.manager = managers[manager]!
  }

  /** Installs packages from a registry. */
  async install(url: string, cache: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
    mkdirSync(this.folder, { recursive: true })
    const manifest = { name: 'application', version: '1.0.0', private: true, type: 'module', dependencies }
    const files = {
      ...this.manager.settings(url, cache),
      'package.json': JSON.stringify(manifest),
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['main.ts'] }),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text)
    await this.run(this.manager.install)
  }

  /** Makes a project in a folder, with the words of a newcomer. Returns the packages that it names. */
  async create(url: string, cache: string): Promise<Record<string, string>> {
    mkdirSync(this.folder, { recursive: true })
    for (const [name, text] of Object.entries(this.manager.settings(url, cache)))
      writeFileSync(join(this.folder, name), text)
    // Bun reads no settings here, and keeps the command with its other files.
    const env = { ...process.env, BUN_CONFIG_REGISTRY: url, BUN_INSTALL_CACHE_DIR: cache, TMPDIR: this.folder }
    await this.run([...this.manager.create, '--template', 'part'], env)
    return JSON.parse(readFileSync(join(this.folder, 'my-app', 'package.json'), 'utf8')).dependencies
  }

  async update(): Promise<void> {
    await this.run(this.manager.update)
  }

  async add(names: readonly string[]): Promise<void> {
    await this.run([...this.manager.add, ...names])
  }

  private async run(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<void> {
    const [command, ...args] = this.manager.program
    await mustRun(command!, [...args, ...words], this.folder, env)
  }

  /** The versions of our packages that the application and its packages find; a package with several copies has several. */
  copies(): Record<string, string[]> {
    const folders = new Set([this.folder])
    for (const folder of folders) {
      const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      for (const name of Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name.startsWith('@x/')))
        folders.add(realpathSync(dirname(createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`))))
    }
    folders.delete(this.folder)
    const found: Record<string, string[]> = {}
    for (const folder of folders) {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      ;(found[name] ??= []).push(version)
    }
    return found
  }

  /** Compiles a program with the lowest and the newest TypeScript and runs it. Returns what goes wrong. */
  async problemsOf(program: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
    for (const [name, text] of Object.entries({ ...files, 'main.ts': program }))
      writeFileSync(join(this.folder, name), text)
    const problems: string[] = []
    for (const [name, tsc] of Object.entries(compilers)) {
      const compiled = await runBeside(process.execPath, [tsc, '-p', 'tsconfig.json'], this.folder)
      if (compiled.status !== 0) problems.push(`${name}: ${compiled.output}`)
    }
    const ran = await runBeside(process.execPath, ['main.js'], this.folder)
    return ran.status === 0 ? problems : [...problems, ran.output]
  }
}
