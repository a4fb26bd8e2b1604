/**
 * Refuses package.json files that npm and its users could not work with: missing descriptions and keywords, a package that can be
 * packed without its build or by npm, facts that differ from those of the root. Refuses READMEs that name packages that do not exist,
 * leave out an entry of the package, or name files and commands of this repository, which readers on npm do not have. Refuses a first
 * release without its text, or with a text of more than 150 words.
 *
 * @example node tools/manifests.ts
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { runCommand } from './command.ts'
import { packageFolders } from './packages.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const shared = read(join(root, 'package.json'))
const { typebox } = read(join(root, 'packages', 'core', 'package.json')).peerDependencies
let [passed, failed] = [0, 0]

function check(what: string, problems: (string | false)[]): void {
  const found = problems.filter((problem) => problem !== false)
  if (found.length === 0) passed += 1
  else failed += 1
  for (const problem of found) console.log(`  ${what}: ${problem}`)
}

/** The repository in the manifest of a package, if the root states one: provenance compares it with the place of the build. */
const repositoryOf = (folder: string): object | undefined =>
  shared.repository && { ...shared.repository, directory: relative(root, folder).replaceAll('\\', '/') }

/** Returns exports or imports as they are published: without the sources, and with declarations only where they have another name. */
function published(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([condition]) => condition !== '@x/source')
  const { types, ...others } = Object.fromEntries(entries.map(([key, one]) => [key, published(one)]))
  const isBeside = typeof others['default'] === 'string' && types === others['default'].replace(/\.js$/, '.d.ts')
  const isPlain = Object.keys(others).join() === 'default' && (types === undefined || isBeside)
  return isPlain ? others['default'] : { ...(types !== undefined && { types }), ...others }
}

function problemsOf(folder: string): (string | false)[] {
  const manifest = read(join(folder, 'package.json'))
  const {
    description,
    keywords,
    publishConfig,
    sideEffects,
    engines,
    scripts,
    files,
    bin,
    dependencies,
    peerDependencies,
  } = manifest
  const guard = relative(folder, join(root, 'tools', 'assert-built.mjs')).replaceAll('\\', '/')
  return [
    !(typeof description === 'string' && description.endsWith('.')) && 'description: expected a sentence',
    !(Array.isArray(keywords) && keywords.length >= 4) && 'keywords: expected at least 4',
    publishConfig?.access !== 'public' &&
      'publishConfig.access: expected "public", because scoped packages are private otherwise',
    publishConfig?.['ignore-scripts'] !== false &&
      'publishConfig.ignore-scripts: expected false, because a setting of the user would skip the check in prepack',
    peerDependencies?.typebox !== typebox &&
      `peerDependencies.typebox: expected "${typebox}", which @x/core has: Yarn installs another copy of it for packages that leave a peer out`,
    !bin &&
      ['@x/core', '@x/core-model'].some((name) => name in (dependencies ?? {})) &&
      'dependencies: expected @x/core and @x/core-model among peerDependencies, so that an application has one copy of each',
    sideEffects !== false && 'sideEffects: expected false',
    !(engines?.node === '>=20.19' || (bin && engines?.node === '>=22.18')) &&
      'engines.node: expected ">=20.19"; a command may need ">=22.18"',
    !scripts?.prepack?.startsWith(`node ${guard}`) && `scripts.prepack: expected "node ${guard}" at its beginning`,
    scripts?.build !== `node ${guard.replace('assert-built.mjs', 'build.ts')}` &&
      'scripts.build: expected "node …/tools/build.ts"',
    !files?.includes('!dist/.built-from') && 'files: expected "!dist/.built-from"',
    ...['exports', 'imports'].map(
      (field) =>
        !isDeepStrictEqual(publishConfig?.[field], published(manifest[field])) &&
        `publishConfig.${field}: expected ${JSON.stringify(published(manifest[field]))}: packages contain no sources`,
    ),
    files?.some((path: string) => path.startsWith('src')) && 'files: expected no sources',
    !files?.includes('REFERENCE.md') && 'files: expected "REFERENCE.md"',
    !isDeepStrictEqual(manifest.repository, repositoryOf(folder)) &&
      `repository: expected ${JSON.stringify(repositoryOf(folder))}, as the root states it`,
    manifest.license !== shared.license && `license: expected "${shared.license}", as in the root`,
  ]
}

const names: string[] = packageFolders().map((folder) => read(join(folder, 'package.json')).name)
for (const folder of packageFolders()) check(relative(root, folder), problemsOf(folder))

for (const folder of packageFolders()) {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const unknown = [...new Set(readme.match(/@x\/[a-z][a-z-]*/g))].filter((name) => !names.includes(name))
  const { name, exports } = read(join(folder, 'package.json'))
  const entries = Object.keys(exports).filter((entry) => entry !== '.' && !entry.endsWith('.json'))
  const links = [...readme.matchAll(/\]\((\.\.?\/[^)]*)\)/g)].map(([, link]) => link)
  const commands = readme.match(/\b(?:npm (?:run|start|test)|pnpm (?!create @)\w|turbo \w)[^`\n]*/g) ?? []
  check(`${relative(root, folder)}/README.md`, [
    ...entries
      .filter((entry) => !readme.includes(name + entry.slice(1)))
      .map((entry) => `does not say what ${entry} is`),
    ...links.map((link) => `links to ${link}, which is not on npm`),
    ...unknown.map((name) => `names ${name}, which does not exist`),
    ...commands.map((command) => `names "${command}", which readers on npm do not have`),
    !/^npm install (?:--save-dev )?@x\/[a-z-]+/m.test(readme) && 'has no install line',
  ])
}

for (const folder of packageFolders()) {
  const { name, version } = read(join(folder, 'package.json'))
  if (version !== '0.0.0') continue
  const path = `.changeset/${basename(folder)}.md`
  const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
  check(path, [
    !text.startsWith(`---\n"${name}": major\n---\n`) && `expected the text of the first release of ${name}, a "major"`,
    text.split(/\s+/).length > 150 && 'expected at most 150 words',
  ])
}

const trial = mkdtempSync(join(tmpdir(), 'x-manifests-'))
const folder = join(trial, 'packages', 'small')
const userConfig = join(trial, 'npmrc')
const guard = 'node ../../tools/assert-built.mjs'

/** Returns the output of an npm command on a small package with the guard that every package has; null when it succeeds. */
function npm(...args: string[]): string | null {
  const { status, output } = runCommand('npm', [...args, '--dry-run', '--offline'], {
    cwd: folder,
    quiet: true,
    // A script of pnpm has the name of pnpm in its environment, which npm would take over.
    env: { ...process.env, npm_config_userconfig: userConfig, npm_config_user_agent: undefined },
  })
  return status === 0 ? null : output
}

/** Writes the manifest of the small package. */
function writeManifest(more: object): void {
  const manifest = { name: 'small', version: '1.0.0', exports: './dist/index.js', scripts: { prepack: guard }, ...more }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
}

mkdirSync(join(folder, 'src'), { recursive: true })
cpSync(join(root, 'tools', 'assert-built.mjs'), join(trial, 'tools', 'assert-built.mjs'))
writeFileSync(userConfig, 'ignore-scripts=true\n')
writeFileSync(join(folder, 'src', 'index.ts'), 'export {}')
writeManifest({ publishConfig: { 'ignore-scripts': false } })
const withoutScripts = 'publishing without a build, where the user ignores scripts'
check(withoutScripts, [!npm('publish')?.includes('dist/index.js does not exist') && 'was not refused'])
writeFileSync(userConfig, '')
check('packing without a build', [!npm('pack')?.includes('dist/index.js does not exist') && 'was not refused'])
mkdirSync(join(folder, 'dist'))
writeFileSync(join(folder, 'dist', 'index.js'), 'export {}')
runCommand(process.execPath, ['../../tools/assert-built.mjs', '--stamp'], { cwd: folder })
check('packing a build', [npm('pack') !== null && `was refused: ${npm('pack')}`])
writeManifest({ dependencies: { '@x/core-model': 'workspace:^' } })
check('packing by npm, which keeps "workspace:^"', [!npm('pack')?.includes('workspace:^') && 'was not refused'])
writeManifest({})
appendFileSync(join(folder, 'src', 'index.ts'), '\nexport const more = 1')
check('packing an old build', [!npm('pack')?.includes('other sources') && 'was not refused'])
rmSync(trial, { recursive: true })

console.log(`${basename(import.meta.filename)}: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
