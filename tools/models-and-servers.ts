/**
 * Writes the page "Models and servers tried": runs the tests that try each model, server and library, and states which version it was, as
 * installed here, and how many of them passed. Exits with 1 if one failed; a failure is also on the page.
 *
 * @example npm run tried
 * @example npm run tried -- Databases
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'

interface Row {
  /** What was tried. */
  readonly what: string
  /** The package with the adapter, by its folder in `packages/integrations`. */
  readonly adapter: string
  /** The packages whose versions count, as the adapter's folder has them installed. */
  readonly packages: readonly string[]
  /** The test files, relative to the folder of the adapter. */
  readonly files: readonly string[]
  /** The group of tests, if the file tries more than this. */
  readonly group?: string
}

interface Section {
  readonly title: string
  readonly text: string
  readonly rows: readonly Row[]
}

const root = join(import.meta.dirname, '..')
/** What the names of packages may contain. */
const parts: Readonly<Record<string, string>> = {
  tools: '../../../../tools/node_modules',
  platform: process.platform,
  arch: process.arch,
}

/** The tables of the page; `{tools}` is the folder with the servers. The texts say why nothing else was tried. */
const {
  sections,
  untried,
}: { sections: readonly Section[]; untried: readonly (readonly [what: string, why: string])[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'models-and-servers.json'), 'utf8'),
)

let failed = 0

/** The name and version of an installed package, without the alias. */
function versionOf(folder: string, name: string): string {
  const path = name.replace(/\{(\w+)\}/g, (_, part: string) => parts[part]!)
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', path, 'package.json'), 'utf8'))
  return `${manifest.name} ${manifest.version}`
}

function lineOf({ what, adapter, packages, files, group }: Row): string {
  const folder = join(root, 'packages', 'integrations', adapter)
  const results = resultsOf(folder, files).filter(
    (result) => group === undefined || new RegExp(group).test(result.group),
  )
  const passed = results.filter((result) => result.passed).length
  const isGreen = passed === results.length && passed > 0
  if (!isGreen) failed += 1
  const tests = files.map((file) => `[${file}](../packages/integrations/${adapter}/${file})`).join(', ')
  const versions = packages.map((name) => versionOf(folder, name)).join(', ')
  const count = isGreen ? scoreOf(results) : `**red**, ${passed} of ${results.length}`
  console.log(`${isGreen ? 'ok ' : 'RED'} ${what}: ${passed} of ${results.length}, ${versions}`)
  return `| ${what} | [\`@x/${adapter}\`](../packages/integrations/${adapter}) | ${versions || '–'} | ${count} | ${tests} |`
}

/** Returns the number of tests that passed; of odd servers, also how many are impossible. */
function scoreOf(results: readonly TestResult[]): string {
  const servers = results.filter(({ name }) => oddServer.test(name))
  if (servers.length === 0) return `${results.length}`
  const impossible = impossibleOf(servers).length
  return `${servers.length - impossible}${impossible > 0 ? ` and ${impossible}` : ''} of ${servers.length}`
}

const oddServer = /^(?:reads|cannot read) a server that /

/** Returns what the tests say about servers that an adapter cannot read. */
function impossibleOf(results: readonly TestResult[]): string[] {
  return results.filter(({ name }) => name.startsWith('cannot read a server')).map(({ name }) => name)
}

/** Returns the sentences about impossible servers of a section. */
function reasonsOf(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ adapter, files }) =>
    impossibleOf(resultsOf(join(root, 'packages', 'integrations', adapter), files)).map(
      (why) => `- \`@x/${adapter}\` ${why}`,
    ),
  )
  return lines.length > 0 ? `\n\n${lines.join('\n')}` : ''
}

const known = new Map<string, ReturnType<typeof testResults>>()
function resultsOf(folder: string, files: readonly string[]): ReturnType<typeof testResults> {
  const key = [folder, ...files].join(' ')
  const results = known.get(key) ?? testResults(folder, files)
  known.set(key, results)
  return results
}

/** With an argument, only the sections whose titles contain it are tried, and the page is not written. */
const [only = ''] = process.argv.slice(2)
const tables = sections
  .filter(({ title }) => title.includes(only))
  .map(({ title, text, rows }) => {
    const head = '| what | adapter | versions | tests | in |\n| --- | --- | --- | ---: | --- |'
    return `## ${title}\n\n${text}\n\n${head}\n${rows.map(lineOf).join('\n')}${reasonsOf(rows)}`
  })
const missing = untried.map(([what, why]) => `| ${what} | ${why} |`).join('\n')
const page = `# Models and servers tried

What these packages were tried with, in which versions, and by which tests: written by \`npm run tried\`, which runs the tests of each row.
[Where it runs](where-it-runs.md) lists runtimes, bundlers and package managers.

${new Date().toISOString().slice(0, 10)}, ${process.platform} ${process.arch}, Node ${process.versions.node}, SQLite ${process.versions['sqlite']}. "Tests" is the number that passed; a failure would be red.

${tables.join('\n\n')}

## Not tried

| what | why |
| --- | --- |
${missing}
`
if (only === '') writeFileSync(join(root, 'docs', 'models-and-servers.md'), page)
process.exitCode = failed === 0 ? 0 : 1

interface TestResult {
  /** The name of its outer group. */
  readonly group: string
  readonly name: string
  readonly passed: boolean
}

/** Returns the results of test files, whose paths are relative to the folder. @throws if a file cannot be run. */
function testResults(folder: string, files: readonly string[]): TestResult[] {
  const args = ['run', '--mode', 'results', ...files, '--reporter=tap-flat']
  const { stdout, output } = runCommand('vitest', args, { cwd: folder, quiet: true })
  // ok 1 - src/openai.test.ts > OpenAI.chat > sends messages # time=3ms
  const results = [...stdout.matchAll(/^(ok|not ok) \d+ - (.*?) > (.*?)(?: # (?:time=|SKIP).*)?$/gm)]
  for (const file of files) if (!results.some(([, , path]) => path === file)) throw new Error(`${file}: ${output}`)
  return results.map(([, verdict, , title]) => {
    const [group = '', ...names] = title!.split(' > ')
    return { group, name: names.join(' > '), passed: verdict === 'ok' }
  })
}
