/**
 * Turns the scope of the packages, and the name of their command, into a publisher's own; with an address also states the repository in all
 * manifests, which provenance needs, and the site, which errors name: the third argument, or the pages of a repository on GitHub. Then
 * formats, writes the files of public types again, builds, and lists what remains for a person.
 *
 * @example npm run rename -- @acme https://github.com/acme/parts https://parts.acme.example
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from './command.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const git = (...args: string[]) => runCommand('git', args, { cwd: root, quiet: true }).stdout

const [scope = '', address, site = githubPages(address)] = process.argv.slice(2)
const [before] = JSON.parse(read('packages/core/package.json')).name.split('/') as [string]

/** Returns the address of the site that GitHub has for a repository. */
function githubPages(page = ''): string | undefined {
  const [, owner, name] = /^https:\/\/github\.com\/([^/]+)\/([^/]+?)(?:\.git)?$/.exec(page) ?? []
  return name && `https://${owner}.github.io/${name}`
}

/** Why nothing can be renamed, or null. */
function refusal(): string | null {
  if (!/^@[a-z0-9][a-z0-9-]*$/.test(scope))
    return `scope: expected "@" and lower-case letters, digits or "-", such as @acme, received "${scope}".`
  if (address !== undefined && !/^https:\/\/[^\s/]+\/[^\s/]+\/[^\s/]+$/.test(address.replace(/\.git$/, '')))
    return `address: expected the page of a repository, such as https://github.com/acme/parts, received "${address}".`
  if (site !== undefined && !/^https:\/\/[^\s?#'`]+[^\s?#'`/]$/.test(site))
    return `site: expected an address without a slash at its end, such as https://parts.acme.example, received "${site}".`
  if (git('status', '--porcelain') !== '')
    return 'There are changes that are not committed: the renaming is a commit of its own.'
  return null
}

/** Replaces the scope, and the command `x-codegen`, in all text files. Returns the number of changed files. */
function replaceScope(): number {
  const [old, next] = [before.slice(1), scope.slice(1)]
  const names = new RegExp(`(?<![\\w@])@${old}(?![\\w-])|(?:(?<=\\\\n)|(?<![\\w@-]))${old}(?=-codegen\\b)`, 'g')
  let changed = 0
  for (const path of git('ls-files', '-z').split('\0').filter(Boolean)) {
    const text = read(path)
    if (text.includes('\0')) continue
    const replaced = text.replace(names, (found) => (found.startsWith('@') ? scope : next))
    if (replaced === text) continue
    writeFileSync(join(root, path), replaced)
    changed += 1
  }
  return changed
}

/** States the repository in the manifests, and its address where readers clone it. */
function stateAddress(page: string): void {
  for (const path of ['package.json', ...globSync('packages/{*,integrations/*}/package.json', { cwd: root })]) {
    const { license, repository, homepage, bugs, ...manifest } = JSON.parse(read(path))
    const directory = dirname(path).replaceAll('\\', '/')
    const known = {
      homepage: directory === '.' ? page : `${page}/tree/main/${directory}#readme`,
      bugs: `${page}/issues`,
      repository: { type: 'git', url: `git+${page}.git`, ...(directory !== '.' && { directory }) },
      license,
    }
    // Beside the license, where readers of manifests look for them.
    const entries = Object.entries(manifest)
    const place = entries.findIndex(([name]) => name === 'type' || name === 'packageManager')
    const ordered = Object.fromEntries([...entries.slice(0, place), ...Object.entries(known), ...entries.slice(place)])
    writeFileSync(join(root, path), `${JSON.stringify(ordered, null, 2)}\n`)
  }
  const command = `git clone ${page}.git && cd ${page.split('/').at(-1)}`
  writeFileSync(
    join(root, 'README.md'),
    read('README.md').replace(/git clone (?:<this repository>|\S+) && cd \S+/, command),
  )
}

/** States the site, which errors name. */
function stateSite(to: string): void {
  const path = 'packages/core/src/errors.ts'
  writeFileSync(join(root, path), read(path).replace(/(?<=siteAddress = ')[^']+/, to))
}

/** What a person has to decide or look at. */
function remaining(): string[] {
  const placeholder = git('grep', '-InE', 'git clone <this repository>', '--', '*.md').trim()
  const noSite = git('grep', '-IF', "siteAddress = 'https://x.example'").trim()
  const old = before.slice(1)
  const left = scope === before ? '' : git('grep', '-InE', `@${old}([^[:alnum:]_]|$)`)
  const names = scope === before ? '' : git('grep', '-InE', `"name": "${old}(-[a-z]+)?"`, '--', '*package.json')
  const lines = (left + names).trim()
  return [
    ...(lines === '' ? [] : [`lines that still have the name ${old}:\n${lines.replaceAll(/^/gm, '    ')}`]),
    ...(placeholder === '' ? [] : ['the address of the repository: run this command again with it, after a commit']),
    ...(noSite === '' ? [] : ['the address of the site: run this command again with it, after a commit']),
    `LICENSE names "the authors of ${scope}" as its owner; manifests have no "author"`,
    'SECURITY.md and CODE_OF_CONDUCT.md name the private reports of the page: allow them in its settings',
    'the environment "npm" of .github/workflows/release.yml, and Pages, in the settings of the page',
    `the scope ${scope} on the registry: the first version of each package needs a token`,
  ]
}

const refused = refusal()
if (refused !== null) {
  console.error(refused)
  process.exit(1)
}
if (scope !== before) console.log(`${before} is ${scope} in ${replaceScope()} files`)
if (address !== undefined) stateAddress(address.replace(/\.git$/, ''))
if (site !== undefined) stateSite(site)
// Builds of the old scope, which the caches would keep.
for (const path of globSync('packages/{*,integrations/*}/dist', { cwd: root }))
  rmSync(join(root, path), { recursive: true })
for (const script of ['format', 'build']) {
  const { status, output } = runCommand('npm', ['run', script], { cwd: root, quiet: true })
  if (status === 0) continue
  console.error(`npm run ${script}:\n${output}`)
  process.exit(1)
}
console.log(
  `formatted and built\nWhat remains:\n${remaining()
    .map((line) => `- ${line}`)
    .join('\n')}`,
)
