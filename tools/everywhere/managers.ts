/** Package managers: they install the packages, and Node or their own runtime runs the steps. */
import { join } from 'node:path'
import { mustRun } from '../command.ts'
import { registryFolder } from '../rehearsal/registry.ts'
import { failed, type Group, outcome, type Row, type Trial } from './trial.ts'

interface Manager {
  what: string
  /** The command and its first arguments; `tools` is the folder of the tools that come from the registry. */
  program(tools: string): readonly string[]
  install: readonly string[]
  /** Settings by file. */
  settings(url: string, cache: string): Record<string, string>
  /** How the program is started; otherwise by Node. */
  run?: readonly string[]
  recipe?: string
}

const yarn4 = (linker: string): Pick<Manager, 'program' | 'install' | 'settings'> => ({
  program: () => [process.execPath, join(registryFolder, 'node_modules', '@yarnpkg', 'cli-dist', 'bin', 'yarn.js')],
  install: ['install', '--no-immutable'],
  settings: (url, cache) => ({
    'yarn.lock': '',
    '.yarnrc.yml': `npmScopes: { x: { npmRegistryServer: '${url}' } }
unsafeHttpWhitelist: ['127.0.0.1']
nodeLinker: ${linker}
enableTelemetry: false
npmPreapprovedPackages: ['@x/*']
globalFolder: ${cache}
`,
  }),
})
/** These managers refuse versions that were published a short time ago. */
const aged = 'right after a release'

const managers: readonly Manager[] = [
  { what: 'npm', program: () => ['npm'], install: ['install', '--no-audit', '--no-fund'], settings: () => ({}) },
  {
    what: 'npm, linked',
    program: () => ['npm'],
    install: ['install', '--no-audit', '--no-fund', '--install-strategy=linked'],
    settings: () => ({}),
  },
  {
    what: 'pnpm',
    program: () => ['pnpm'],
    install: ['install'],
    settings: (_, cache) => ({ 'pnpm-workspace.yaml': `packages: []\ncacheDir: ${cache}\nminimumReleaseAge: 0\n` }),
    recipe: `${aged}: \`minimumReleaseAge: 0\``,
  },
  {
    what: 'Yarn 1',
    program: (tools) => [process.execPath, join(tools, 'yarn', 'bin', 'yarn.js')],
    install: ['install', '--no-progress', '--ignore-engines'],
    settings: (url, cache) => ({ '.yarnrc': `"@x:registry" "${url}"\ncache-folder "${cache}"\n`, 'yarn.lock': '' }),
  },
  { what: 'Yarn 4, `node_modules`', ...yarn4('node-modules'), recipe: `${aged}: \`npmPreapprovedPackages: ["@x/*"]\`` },
  {
    what: 'Yarn 4, Plug’n’Play',
    ...yarn4('pnp'),
    run: ['node', 'program.mjs'],
    recipe: `${aged}: \`npmPreapprovedPackages: ["@x/*"]\``,
  },
  {
    what: 'Bun',
    program: () => [join(registryFolder, 'node_modules', '.bin', 'bun')],
    install: ['install'],
    settings: (url, cache) => ({
      'bunfig.toml': `[install.scopes]\n"@x" = "${url}"\n[install.cache]\ndir = "${cache}"\n`,
    }),
  },
  {
    what: 'Deno',
    program: (tools) => [join(tools, '.bin', 'deno')],
    install: ['install', '--minimum-dependency-age=0'],
    settings: () => ({}),
    run: ['run', '--no-prompt', 'program.mjs'],
    recipe: `${aged}: \`--minimum-dependency-age=0\``,
  },
]

async function tryManager(trial: Trial, tools: string, manager: Manager, index: number): Promise<Row> {
  const { what, program, install, settings, run, recipe } = manager
  const [command, ...first] = program(tools) as [string, ...string[]]
  const folder = trial.make(`manager-${index}`, trial.dependencies())
  trial.write(folder, settings(trial.url, join(trial.folder, `cache-${index}`)))
  const version = (await mustRun(command, [...first, '--version'], folder)).match(/\d+\.\d+\.\d+/)?.[0] ?? ''
  try {
    await mustRun(command, [...first, ...install], folder)
    const start: readonly string[] = run === undefined ? [process.execPath, 'program.mjs'] : [command, ...first, ...run]
    const result = await outcome(folder, start[0]!, start.slice(1))
    return { what, version, ...result, ...(recipe && { recipe }) }
  } catch (error) {
    return { what, version, ...failed(error) }
  }
}

export async function managerGroup(trial: Trial): Promise<Group> {
  const tools = join(await trial.install('managers', ['yarn', 'deno'], []), 'node_modules')
  const rows: Row[] = []
  for (const [index, manager] of managers.entries()) rows.push(await tryManager(trial, tools, manager, index))
  return { name: 'Package managers', unit: 'steps', rows }
}
