/**
 * Rehearses a release: runs `npm run release` in a copy of the repository against a registry on this machine, three times, each time with
 * further changes. Applications that installed the first release then update or add packages with npm, pnpm, Yarn and Bun; they must have
 * one copy of each package, compile with the lowest and the newest TypeScript, and run. The packages are also installed alone. The registry
 * and the package managers are installed on first use; nothing leaves this machine, and the checkout stays as it is. With `--built`, it is
 * short: two releases have what the checkout has built, instead of three builds by `npm run release`; the applications have npm, the new
 * projects pnpm; and every sixth package is installed alone.
 *
 * @example npm run release:rehearse
 * @example npm run release:rehearse -- --built
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { check, report } from './checks.ts'
import { cloneTo, linkInstalled } from './clone.ts'
import { runCommand } from './command.ts'
import { declarationErrors } from './everywhere/compilers.ts'
import { packageFolders } from './packages.ts'
import { Application, managers } from './rehearsal/application.ts'
import { type Registry, startRegistry } from './rehearsal/registry.ts'

const { values } = parseArgs({ options: { built: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
const trial = realpathSync(mkdtempSync(join(tmpdir(), 'x-release-')))
const copy = join(trial, 'checkout')
/** The package managers of the applications, and those of new projects. */
const [ofApplications, ofProjects] = values.built ? [['npm'], ['pnpm']] : [Object.keys(managers), Object.keys(managers)]
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

interface Manifest {
  name: string
  version: string
  exports: Readonly<Record<string, unknown>>
  dependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

const manifests = (): Manifest[] =>
  packageFolders().map((folder) => read(join(copy, relative(root, folder), 'package.json')))
const versions = () => Object.fromEntries(manifests().map(({ name, version }) => [name, version]))

/** Runs a program to its end; a failure ends the rehearsal with its output. */
function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, output } = runCommand(command, args, { cwd, env, quiet: true })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${output}`)
  return stdout
}

/** Copies what the builds of the checkout have written. */
function copyBuilds(): void {
  for (const folder of packageFolders())
    for (const name of ['dist', 'REFERENCE.md'])
      cpSync(join(folder, name), join(copy, relative(root, folder), name), { recursive: true })
}

/** Turns the changesets of the copy and further ones into versions, and releases them. Returns the versions that are new. */
function release(changes: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): Record<string, string> {
  const before = versions()
  const lines = Object.entries(changes).map(([name, type]) => `"${name}": ${type}\n`)
  if (lines.length > 0) writeFileSync(join(copy, '.changeset', 'next.md'), `---\n${lines.join('')}---\n\nNext.\n`)
  run('npm', ['run', 'changeset', '--', 'version'], copy, env)
  run('npm', values.built ? ['run', 'changeset', '--', 'publish'] : ['run', 'release'], copy, env)
  return Object.fromEntries(Object.entries(versions()).filter(([name, version]) => before[name] !== version))
}

/** What an application has after the first release, and what it adds later. */
const first = ['@x/core', '@x/core-model', '@x/llm', '@x/prompts', '@x/postprocessors', '@x/agents']
const later = ['@x/retrieval', '@x/storage', '@x/node-parser']

const firstProgram = `import { FunctionTool, ReActAgent } from '@x/agents'
import { NodeWithScore, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { PromptTemplate } from '@x/prompts'

const nodes = [0.9, 0.1].map((score) => new NodeWithScore({ node: new TextNode({ text: 'pears' }), score }))
const [node] = await new SimilarityPostprocessor({ similarityCutoff: 0.5 }).postprocessNodes(nodes)
const question = new PromptTemplate({ template: 'How many {what}?' }).format({ what: node!.text })
const count = FunctionTool.fromDefaults({ name: 'count', schema: { type: 'object', properties: {} }, fn: () => 42 })
const answers = ['Thought: count\\nAction: count\\nAction Input: {}', 'Thought: done\\nAnswer: 42']
const answer = await ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [count] }).chat(question)
if (String(answer) !== '42') throw new Error(String(answer))
`
const laterProgram = `${firstProgram}
import { Document } from '@x/core-model'
import { MarkdownNodeParser } from '@x/node-parser'
import { Bm25Retriever } from '@x/retrieval'
import { SimpleDocumentStore } from '@x/storage'

const store = new SimpleDocumentStore()
await store.addDocuments(await new MarkdownNodeParser().getNodesFromDocuments([new Document({ text: '# Fruit\\n\\npears' })]))
const [found] = await new Bm25Retriever({ nodes: Object.values(await store.docs()) }).retrieve('pears')
if (!found!.text.includes('pears')) throw new Error(found!.text)
`

/** A part of an application with packages of its own, and an application that uses both. */
const partProgram = `import { CallbackManager, ChatMessage, NodeWithScore, QueryBundle, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'

export const nodes = ['pears', 'plums'].map((text, i) => new NodeWithScore({ node: new TextNode({ text }), score: i }))
export const chatHistory = [new ChatMessage({ content: 'Hello' })]
export const callbackManager = new CallbackManager()
export const queryBundle = new QueryBundle({ queryStr: 'plums' })
export const llm = new ScriptedLLM({ answers: ['Thought: done\\nAnswer: 42'] })
export { TextNode }
export const read = (node: TextNode) => TextNode.fromDict(node.toDict())
`
const bothProgram = `import { ReActAgent } from '@x/agents'
import { ChatMessage, isNode, NodeWithScore, TextNode } from '@x/core-model'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { callbackManager, chatHistory, llm, nodes, queryBundle, read, TextNode as Other } from './part/part.js'

if ((TextNode as unknown) === Other) throw new Error('expected two copies')
const mine: NodeWithScore[] = [new NodeWithScore({ node: new Other({ text: 'other' }), score: 1 }), ...nodes]
const kept = await new SimilarityPostprocessor({ similarityCutoff: 0.5, callbackManager }).postprocessNodes(mine, { queryBundle })
if (kept.map(({ text }) => text).join() !== 'other,plums') throw new Error(kept.join())
const again: TextNode = read(new TextNode({ id: 'a', text: 'pears', metadata: { page: 3 } }))
if (!isNode(again) || again.hash !== new TextNode({ id: 'b', text: 'pears', metadata: { page: 3 } }).hash) throw new Error('read')
const messages: ChatMessage[] = [...chatHistory]
const answer = await ReActAgent.fromTools({ llm, tools: [], callbackManager, chatHistory: messages }).chat('How many?')
if (String(answer) !== '42') throw new Error(String(answer))
`

/** Installs two applications with each package manager: one updates its packages, the other only adds some, and has a part of its own. */
async function installApplications(url: string): Promise<(newest: Record<string, string>) => Promise<void>> {
  const dependencies = Object.fromEntries(first.map((name) => [name, '^1.0.0']))
  const applications = await Promise.all(
    ofApplications.map(async (manager) => {
      const [updated, extended] = ['updated', 'extended'].map(
        (name) => new Application(join(trial, manager, name), manager),
      ) as [Application, Application]
      for (const application of [updated, extended])
        await application.install(url, join(trial, 'caches', manager), dependencies)
      return { manager, updated, extended }
    }),
  )
  return async (newest) => {
    for (const { manager, updated, extended } of applications) {
      await updated.update()
      const copies = updated.copies()
      const wanted = Object.fromEntries(Object.keys(copies).map((name) => [name, [newest[name]]]))
      check(`${manager} updates to one copy of the newest versions`, isDeepStrictEqual(copies, wanted), copies)
      const problems = await updated.problemsOf(firstProgram)
      check(`${manager}: the updated application compiles and runs`, problems.length === 0, problems)
      await extended.add(later)
      const twice = Object.entries(extended.copies()).filter(([, found]) => found.length > 1)
      check(`${manager} adds packages beside those of the first release, one copy of each`, twice.length === 0, twice)
      const faults = await extended.problemsOf(laterProgram)
      check(`${manager}: the extended application compiles and runs`, faults.length === 0, faults)
    }
    const old = new Application(join(trial, 'two-copies'), 'npm')
    await old.install(url, join(trial, 'caches', 'npm'), Object.fromEntries(first.map((name) => [name, '1.0.0'])))
    const part = new Application(join(trial, 'two-copies', 'part'), 'npm')
    await part.install(url, join(trial, 'caches', 'npm'), Object.fromEntries(first.map((name) => [name, 'latest'])))
    const problems = await old.problemsOf(bothProgram, { 'part/part.ts': partProgram })
    check('values of two versions of the core fit each other', problems.length === 0, problems)
  }
}

/**
 * The entries that need an optional peer: schemas, whose readers are generators and programs that validate, and classes made from them.
 * The other entries of their packages run without it.
 */
const OPTIONAL: Readonly<Record<string, RegExp>> = { typebox: /^\.\/(?:schemas|runtime)$/ }

const isOwn = (name: string) => name.startsWith('@x/')

/**
 * Installs all packages without other dependencies in one project, where they must work. Checks what each of them brings when it is
 * installed alone, and what its modules import without any other package: a package that an entry needs is a required peer, because package
 * managers do not say that an optional one is missing.
 */
async function checkInstalls(url: string): Promise<void> {
  const project = join(trial, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }')
  // The registry of the rehearsal has no other packages: required peers are not installed.
  const npm = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', '--registry', url]
  npm.push('--cache', join(trial, 'npm-cache'))
  const byName = new Map(manifests().map((manifest) => [manifest.name, manifest]))
  const bringsNoVendor = ({ dependencies = {} }: Manifest): boolean =>
    Object.keys(dependencies).every((name) => byName.has(name) && bringsNoVendor(byName.get(name)!))
  const alone = [...byName.values()].filter(bringsNoVendor)
  run('npm', [...npm, ...alone.map(({ name }) => name)], project)
  const broughtBy = (name: string): string[] => {
    const empty = mkdtempSync(join(trial, 'alone-'))
    writeFileSync(join(empty, 'package.json'), '{ "private": true }')
    run('npm', [...npm, '--package-lock-only', name], empty)
    return Object.keys(read(join(empty, 'package-lock.json')).packages).filter((path) => path !== '')
  }
  const entriesOf = ({ name, exports }: Manifest): string[] =>
    Object.keys(exports).flatMap((entry) => (entry.endsWith('.json') ? [] : [name + entry.slice(1)]))
  const missing = missingPackages(alone.flatMap(entriesOf), project)
  for (const [index, manifest] of alone.entries()) {
    const { name, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
    const brought = values.built && index % 6 > 0 ? [`node_modules/${name}`] : broughtBy(name)
    const foreign = brought.filter((path) => !path.startsWith('node_modules/@x/'))
    const required = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
    const others = entriesOf(manifest).flatMap((specifier) => {
      const [peer, entry] = [missing[specifier], `.${specifier.slice(name.length)}`]
      if (peer === undefined || required.includes(peer) || OPTIONAL[peer]?.test(entry)) return []
      return [`${entry} needs ${peer}`]
    })
    const found = [...foreign, ...others]
    const isRight = brought.length > 0 && found.length === 0
    check(`${name} alone brings no vendor, and its entries need its required peers only`, isRight, found)
  }
  linkPeers(project)
  const wrong = await declarationErrors(project, join(root, 'node_modules'))
  check('the declarations of the installed packages have no errors', wrong.length === 0, wrong.slice(0, 5))
  cpSync(join(import.meta.dirname, 'smoke.mjs'), join(project, 'smoke.mjs'))
  const smoke = run(process.execPath, ['smoke.mjs', join('node_modules', '@x')], project)
  check(`the installed packages work: ${smoke.trim()}`, true)
}

/** The package that an import of each module does not find; the first one, because the import ends there. */
function missingPackages(specifiers: readonly string[], project: string): Record<string, string> {
  const code = `const messages = {}
for (const specifier of ${JSON.stringify(specifiers)})
  await import(specifier).catch(({ message }) => { messages[specifier] = message })
console.log(JSON.stringify(messages))`
  const messages = JSON.parse(run(process.execPath, ['--input-type=module', '--eval', code], project))
  return Object.fromEntries(
    Object.entries<string>(messages).map(([specifier, message]) => [
      specifier,
      /^Cannot find package '([^']+)'/.exec(message)?.[1] ?? message,
    ]),
  )
}

/** The peers of other vendors, which the registry of the rehearsal does not have. */
function linkPeers(project: string): void {
  for (const folder of packageFolders()) {
    const { peerDependencies = {} } = read(join(folder, 'package.json'))
    for (const name of Object.keys(peerDependencies).filter((name) => !isOwn(name))) {
      const [source, link] = [join(folder, 'node_modules', name), join(project, 'node_modules', name)]
      if (!existsSync(source) || existsSync(link)) continue
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(realpathSync(source), link, 'junction')
    }
  }
}

/** `npm create @x`, and the same with the other package managers, as a newcomer types it. */
async function checkCreate(url: string): Promise<void> {
  for (const manager of ofProjects) {
    const application = new Application(join(trial, manager, 'created'), manager)
    const dependencies = await application.create(url, join(trial, 'caches', manager))
    const ranges = Object.values(dependencies)
    const isRight = ranges.length > 3 && ranges.every((range) => range === '^1.0.0')
    check(`${manager} creates a project with the packages of the release`, isRight, dependencies)
  }
}

async function rehearse({ url, userConfig }: Registry): Promise<void> {
  const env = { ...process.env, NPM_CONFIG_USERCONFIG: userConfig, npm_config_userconfig: userConfig }
  Object.assign(env, { npm_config_registry: url })
  // npm looks up the optional peer of all packages.
  const typebox = join(trial, 'typebox')
  cpSync(realpathSync(join(root, 'tools', 'node_modules', 'typebox')), typebox, { recursive: true })
  run('npm', ['publish', '--ignore-scripts'], typebox, env)
  const released = release({}, env)
  const isFirst = Object.values(released).length > 20 && Object.values(released).every((it) => it === '1.0.0')
  check('the first release of every package is 1.0.0', isFirst, released)
  const lookAgain = await installApplications(url)
  await checkInstalls(url)
  await checkCreate(url)
  if (!values.built) {
    const second = release({ '@x/core-model': 'minor' }, env)
    check('a minor of the core is released alone', isDeepStrictEqual(second, { '@x/core-model': '1.1.0' }), second)
  }
  const third = release({ '@x/agents': 'minor', '@x/retrieval': 'minor', '@x/core-model': 'patch' }, env)
  const wanted = { '@x/agents': '1.1.0', '@x/core-model': values.built ? '1.0.1' : '1.1.1', '@x/retrieval': '1.1.0' }
  check('each package has versions of its own', isDeepStrictEqual(third, wanted), third)
  await lookAgain(versions())
}

const started = performance.now()
let registry: Registry | undefined
try {
  cloneTo(copy)
  if (values.built) {
    linkInstalled(copy)
    copyBuilds()
  } else run(process.execPath, ['tools/with-toolchain.mjs'], copy)
  registry = await startRegistry(trial)
  await rehearse(registry)
} catch (error) {
  check('the rehearsal runs to its end', false, String(error))
} finally {
  registry?.process.kill()
  rmSync(trial, { recursive: true, force: true })
}
report(`rehearsal in ${((performance.now() - started) / 1000).toFixed(0)} s`)
