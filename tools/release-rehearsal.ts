/**
 * Rehearses a release against a registry on this machine: versions and publishes a copy of the packages, installs them with npm into
 * an empty project, and runs the smoke test there. Then it versions a row of further changes, and checks that no update of an application
 * brings a second copy of a package.
 * The registry is installed on first use; nothing leaves this machine, and the checkout stays as it is.
 *
 * @example npm run release:rehearse
 */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runCommand } from './command.ts'
import type { Manifest as PublishedManifest } from './dependents.ts'
import { secondCopies } from './one-copy.ts'
import { packageFolders } from './packages.ts'

const root = join(import.meta.dirname, '..')
const trial = mkdtempSync(join(tmpdir(), 'x-release-'))
const copy = join(trial, 'checkout')
const manifests = packageFolders().map((folder) => join(relative(root, folder), 'package.json'))
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const versions = () =>
  Object.fromEntries(manifests.map((path) => [read(join(copy, path)).name, read(join(copy, path)).version]))

/** Runs a program to its end; a failure ends the rehearsal with its output. */
function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, output } = runCommand(command, args, { cwd, env, quiet: true })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${output}`)
  return stdout
}

/** The parts of the checkout that a release needs: manifests, builds, sources and changesets, and the tools by links. */
function copyCheckout(): void {
  for (const path of [
    'package.json',
    'pnpm-workspace.yaml',
    'pnpm-lock.yaml',
    'LICENSE',
    '.changeset',
    'tools/package.json',
  ]) {
    cpSync(join(root, path), join(copy, path), { recursive: true })
  }
  const tools = [
    'with-toolchain.mjs',
    'assert-built.mjs',
    'changeset.ts',
    'command.ts',
    'changelog.ts',
    'dependents.ts',
    'packages.ts',
  ]
  for (const tool of tools) cpSync(join(root, 'tools', tool), join(copy, 'tools', tool))
  symlinkSync(join(root, 'tools', 'toolchain'), join(copy, 'tools', 'toolchain'), 'junction')
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  for (const folder of packageFolders()) {
    const target = join(copy, relative(root, folder))
    const skip = new RegExp(`\\${sep}(?:node_modules|\\.\\w[\\w-]*)$`)
    cpSync(folder, target, { recursive: true, filter: (path) => path.endsWith('.built-from') || !skip.test(path) })
    linkDependencies(target)
  }
  const git = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost']
  run('git', ['init', '-q', '-b', 'main'], copy)
  run('git', [...git, 'add', '.changeset', 'packages'], copy)
  run('git', [...git, 'commit', '-q', '-m', 'rehearsal'], copy)
}

const folderOf = new Map(manifests.map((path) => [read(join(root, path)).name as string, dirname(path)]))

/** Packing reads the versions of workspace packages from `node_modules`. */
function linkDependencies(folder: string): void {
  const { dependencies, devDependencies } = read(join(folder, 'package.json'))
  for (const name of Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name.startsWith('@x/'))) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(copy, folderOf.get(name)!), link, 'junction')
  }
}

/** The peers, which the registry of the rehearsal does not have. */
function linkPeers(project: string): void {
  for (const folder of packageFolders()) {
    const { peerDependencies = {} } = read(join(folder, 'package.json'))
    for (const name of Object.keys(peerDependencies)) {
      const [source, link] = [join(folder, 'node_modules', name), join(project, 'node_modules', name)]
      if (!existsSync(source) || existsSync(link)) continue
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(realpathSync(source), link, 'junction')
    }
  }
}

/** A free port of this machine. */
function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    }),
  )
}

interface Manifest {
  name: string
  exports: Readonly<Record<string, unknown>>
  peerDependencies?: Readonly<Record<string, string>>
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

interface Registry {
  url: string
  /** An npmrc with a token that may publish. */
  userConfig: string
  process: ChildProcess
}

/** Starts a registry that knows no other, where publishing needs a token. */
async function startRegistry(): Promise<Registry> {
  const folder = join(import.meta.dirname, 'registry')
  run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--loglevel=warn'], folder)
  const url = `http://127.0.0.1:${await freePort()}`
  const config = join(trial, 'registry.yaml') // JSON is YAML
  const rights = { access: '$all', publish: '$authenticated' }
  const settings = {
    storage: join(trial, 'storage'),
    auth: { htpasswd: { file: join(trial, 'htpasswd') } },
    packages: { '**': rights },
    log: { type: 'stdout', format: 'json', level: 'error' },
  }
  writeFileSync(config, JSON.stringify(settings))
  const bin = join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const args = [bin, '--config', config, '--listen', url.slice('http://'.length)]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  try {
    for (let tries = 0; !(await fetch(`${url}/-/ping`).catch(() => null))?.ok; tries += 1) {
      if (tries === 200) throw new Error('The registry did not start.')
      await setTimeout(100)
    }
    const response = await fetch(`${url}/-/user/org.couchdb.user:rehearsal`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'rehearsal', password: 'rehearsal-only' }),
    })
    const { token } = (await response.json()) as { token: string }
    const userConfig = join(trial, 'npmrc')
    writeFileSync(userConfig, `registry=${url}/\n${url.slice('http:'.length)}/:_authToken=${token}\n`)
    return { url, userConfig, process: child }
  } catch (error) {
    child.kill()
    throw error
  }
}

/** Runs changesets in the copy, as `npm run changeset` and `npm run release` do. */
const changeset = (args: string[], env: NodeJS.ProcessEnv) =>
  run(process.execPath, ['tools/with-toolchain.mjs', 'node', 'tools/changeset.ts', ...args], copy, env)

/**
 * The entries that need an optional peer: schemas, whose readers are generators and programs that validate, and classes made from them.
 * The other entries of their packages run without it.
 */
const OPTIONAL: Readonly<Record<string, RegExp>> = { typebox: /^\.\/(?:schemas|runtime)$/ }

/**
 * Checks what each package brings when it is installed alone, and what its modules import, in a project without any other package. A
 * package that an entry needs is a required peer: package managers do not say that an optional one is missing.
 */
function checkVendors(packages: readonly Manifest[], project: string, npm: string[], env: NodeJS.ProcessEnv): void {
  for (const { name, exports, peerDependencies = {}, peerDependenciesMeta = {} } of packages) {
    const empty = mkdtempSync(join(trial, 'alone-'))
    writeFileSync(join(empty, 'package.json'), '{ "private": true }')
    run('npm', [...npm, '--package-lock-only', name], empty, env)
    const brought = Object.keys(read(join(empty, 'package-lock.json')).packages).filter((path) => path !== '')
    const foreign = brought.filter((path) => !path.startsWith('node_modules/@x/'))
    const required = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
    const others = entries.flatMap((entry) =>
      missingPackages(name + entry.slice(1), project)
        .filter((missing) => !required.includes(missing) && !OPTIONAL[missing]?.test(entry))
        .map((missing) => `${entry} needs ${missing}`),
    )
    const found = [...foreign, ...others]
    check(
      `${name} alone brings no vendor, and its entries need its required peers only`,
      brought.length > 0 && found.length === 0,
      found,
    )
  }
}

/** The packages that an import of a module does not find. The first one only, because it ends there. */
function missingPackages(specifier: string, project: string): string[] {
  const code = `await import(${JSON.stringify(specifier)}).catch(({ message }) => console.log(message))`
  const message = run(process.execPath, ['--input-type=module', '--eval', code], project)
  return message === '' ? [] : [/^Cannot find package '([^']+)'/.exec(message)?.[1] ?? message]
}

const isOwn = (dependencies: object) => Object.keys(dependencies).every((name) => name.startsWith('@x/'))

let [passed, failed] = [0, 0]
function check(what: string, holds: boolean, found: unknown = ''): void {
  if (holds) passed += 1
  else failed += 1
  console.log(`  ${holds ? 'ok' : 'FAILED'}: ${what}${holds ? '' : ` ${JSON.stringify(found)}`}`)
}

function rehearse({ url, userConfig }: Registry): void {
  const env = {
    ...process.env,
    NPM_CONFIG_USERCONFIG: userConfig,
    npm_config_userconfig: userConfig,
    npm_config_registry: url,
  }
  changeset(['version'], env)
  const first = versions()
  check(
    'one changeset per package makes every version 0.1.0',
    Object.values(first).every((it) => it === '0.1.0'),
    first,
  )
  changeset(['publish'], env)

  const project = join(trial, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }')
  // The registry of the rehearsal has no other packages: required peers are not installed, and packages with other dependencies are
  // published only.
  const npm = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', '--registry', url]
  npm.push('--cache', join(trial, 'npm-cache'))
  const all: (Manifest & { dependencies?: object })[] = manifests.map((path) => read(join(copy, path)))
  const alone = all.filter(({ dependencies = {} }) => isOwn(dependencies))
  run('npm', [...npm, ...alone.map(({ name }) => name)], project, env)
  const installed = readdirSync(join(project, 'node_modules', '@x'))
  check('npm installs the packages, one copy of each', installed.length === alone.length && alone.length > 8, installed)
  cpSync(join(import.meta.dirname, 'smoke.mjs'), join(project, 'smoke.mjs'))
  checkVendors(alone, project, npm, env)
  linkPeers(project)
  const smoke = run(process.execPath, ['smoke.mjs', join('node_modules', '@x')], project)
  check(`the installed packages work: ${smoke.trim()}`, true)
  const dependencies = Object.values(read(join(project, 'node_modules', '@x', 'agents', 'package.json')).dependencies)
  check(
    'dependencies of the tarballs are ranges of versions',
    dependencies.every((range) => range === '^0.1.0'),
    dependencies,
  )

  checkUpdates(env)
}

/** Versions one change after the other, and checks the versions and what an application gets from its updates. */
function checkUpdates(env: NodeJS.ProcessEnv): void {
  const releases = [publishedManifests()]
  const release = (name: string, type: string) => {
    writeFileSync(join(copy, '.changeset', 'next.md'), `---\n"@x/${name}": ${type}\n---\n\nNext.\n`)
    changeset(['version'], env)
    releases.push(publishedManifests())
    return versions()
  }
  const afterAgents = release('agents', 'minor')
  const wanted = { '@x/agents': '0.2.0', '@x/mcp': '0.2.0', '@x/core-model': '0.1.0', '@x/storage': '0.1.0' }
  check('a minor of a package is one of its dependents alone', holds(afterAgents, wanted), afterAgents)
  const afterPatch = release('core-model', 'patch')
  check(
    'a patch of the core leaves the others alone',
    holds(afterPatch, { ...afterAgents, '@x/core-model': '0.1.1' }),
    afterPatch,
  )
  const afterCore = release('core-model', 'minor')
  check(
    'a minor of the core is a minor of what depends on it',
    Object.keys(afterCore).every((name) => afterCore[name] !== afterPatch[name] && afterCore[name].endsWith('.0')),
    afterCore,
  )
  for (const [name, type] of [
    ['mcp', 'major'],
    ['core-model', 'patch'],
    ['retrieval', 'major'],
    ['prompts', 'minor'],
  ] as const)
    release(name, type)
  const twice = secondCopies(releases)
  check('no update brings a second copy of a package', twice.length === 0, twice.slice(0, 3))
  const changelog = readFileSync(join(copy, 'packages', 'storage', 'CHANGELOG.md'), 'utf8')
  check(
    'a changelog says why a dependent has a new version',
    changelog.includes('Needs the new version of `@x/core-model`'),
    changelog,
  )
}

const holds = (found: Record<string, string>, wanted: Record<string, string>) =>
  Object.entries(wanted).every(([name, version]) => found[name] === version)

/** The manifests as pnpm would publish them now. A package that is not released again keeps the one that it had. */
function publishedManifests(): PublishedManifest[] {
  const now = versions()
  return manifests.map((path) => {
    const { name, version, dependencies = {} } = read(join(copy, path))
    const earlier = published.get(`${name}@${version}`)
    if (earlier !== undefined) return earlier
    const own = Object.keys(dependencies).filter((needed) => needed in now)
    const manifest = {
      name,
      version,
      dependencies: Object.fromEntries(own.map((needed) => [needed, `^${now[needed]}`])),
    }
    published.set(`${name}@${version}`, manifest)
    return manifest
  })
}
const published = new Map<string, PublishedManifest>()

const started = performance.now()
let registry: Registry | undefined
try {
  copyCheckout()
  registry = await startRegistry()
  rehearse(registry)
} catch (error) {
  check('the rehearsal runs to its end', false, String(error))
} finally {
  registry?.process.kill()
  rmSync(trial, { recursive: true, force: true })
}
console.log(`rehearsal in ${((performance.now() - started) / 1000).toFixed(0)} s: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
