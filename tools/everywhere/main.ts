/**
 * Tries the packages as users install them, from a registry on this machine, in the runtimes, bundlers, test runners, package managers and
 * compilers that users have. Without names, tries all groups and writes `docs/where-it-runs.md`. The tools are installed into a folder for
 * temporary files. Ends with 1 if a row is red that the page does not explain, or if one is green that it calls red.
 *
 * @example npm run everywhere
 * @example npm run everywhere -- node bundlers
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRegistry } from '../rehearsal/registry.ts'
import { browserGroup, nextGroup } from './browsers.ts'
import { bundlerGroup } from './bundlers.ts'
import { compilerGroup } from './compilers.ts'
import { managerGroup } from './managers.ts'
import { nodeGroup, runtimeGroup } from './runtimes.ts'
import { testerGroup } from './testers.ts'
import { failed, type Group, type Row, Trial } from './trial.ts'

const groups: Readonly<Record<string, (trial: Trial) => Promise<Group>>> = {
  node: nodeGroup,
  runtimes: runtimeGroup,
  browsers: browserGroup,
  next: nextGroup,
  bundlers: bundlerGroup,
  testers: testerGroup,
  managers: managerGroup,
  typescript: compilerGroup,
}

const names = process.argv.slice(2)
const unknown = names.find((name) => groups[name] === undefined)
if (unknown !== undefined) {
  console.error(`${unknown}: no such group. There are: ${Object.keys(groups).join(', ')}.`)
  process.exit(2)
}
process.env['NEXT_TELEMETRY_DISABLED'] = '1'
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'x-everywhere-')))
const started = performance.now()
const registry = await startRegistry(folder)
const found: Group[] = []
try {
  const trial = await Trial.start(folder, registry)
  for (const name of names.length > 0 ? names : Object.keys(groups)) {
    const begun = performance.now()
    const group = await groups[name]!(trial).catch(
      (error): Group => ({ name, unit: 'steps', rows: [{ what: name, version: '', ...failed(error) }] }),
    )
    // The folder is another one in each run.
    for (const row of group.rows) row.failures = row.failures.map((failure) => failure.replaceAll(`${folder}/`, ''))
    found.push(group)
    console.log(`${group.name} (${((performance.now() - begun) / 1000).toFixed(0)} s)`)
    for (const { what, version, passed, failures, known } of group.rows) {
      const verdict = failures.length === 0 ? 'ok' : known === undefined ? 'RED' : 'red, as known'
      console.log(`  ${verdict.padEnd(4)} ${what} ${version}: ${passed} passed, ${failures.length} failed`)
      for (const failure of failures) console.log(`       ${failure}`)
    }
  }
} finally {
  registry.process.kill()
  rmSync(folder, { recursive: true, force: true })
}
const rows = found.flatMap((group) => group.rows)
const wrong = rows.filter(({ failures, known }) => failures.length > 0 !== (known !== undefined))
if (names.length === 0) writePage(found, new Date(), `${process.platform} ${process.arch}`)
console.log(`everywhere in ${((performance.now() - started) / 1000).toFixed(0)} s`)
console.log(`${rows.length - wrong.length} passed, ${wrong.length} failed`)
process.exitCode = wrong.length === 0 ? 0 : 1

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function lineOf({ what, version, passed, failures, known, recipe }: Row): string {
  const verdict =
    failures.length === 0
      ? `${passed} of ${passed}`
      : passed === 0
        ? '**red**'
        : `**red**, ${passed} of ${passed + failures.length}`
  const note = known !== undefined ? `${known}: "${failures[0] ?? ''}"` : (recipe ?? failures[0] ?? '')
  return `| ${cell(what)} | ${version} | ${verdict} | ${cell(note)} |`
}

/** Where nothing can be tried on the machines of this command, and why. */
const untried = [
  [
    'Hermes, so React Native on a device',
    'its engine is in no npm package of today; the bundle of Metro runs in Node, see above',
  ],
  ['Firefox, Safari', 'no npm package contains them'],
  ['Electron', 'its npm package downloads the program from elsewhere'],
  ['Windows, macOS', 'CI runs the checks of Node there; this page is from one machine'],
] as const

const intro = () => `# Where it runs

All packages are ES modules of standard JavaScript (ES2022). This page is written by \`npm run everywhere\`: it packs the packages, publishes
them to a registry on the machine, installs them as an application does, and runs a program of 20 steps over twelve of them in each place:
models, prompts, Markdown, postprocessors, search, stores, pipelines, agents with saved tasks and streams, a model server. Red rows are
shown too, with the way around them. "With" names the settings that a row needs; the other rows have none. What is not a runtime itself runs
on Node ${process.versions.node}, unless its row names another one.
`

/** @param system - the machine, such as "Linux x64". */
function writePage(groups: readonly Group[], date: Date, system: string): void {
  const rows = groups.flatMap((group) => group.rows)
  const green = rows.filter(({ failures }) => failures.length === 0).length
  const tables = groups.map(
    ({ name, unit, rows }) =>
      `## ${name}\n\n| where | version | ${unit} | with |\n| --- | --- | --- | --- |\n${rows.map(lineOf).join('\n')}\n`,
  )
  const missing = untried.map(([what, why]) => `| ${what} | ${why} |`).join('\n')
  const text = `${intro()}
${date.toISOString().slice(0, 10)}, ${system}: ${green} of ${rows.length} rows are green.

${tables.join('\n')}
## Not tried

| where | why |
| --- | --- |
${missing}
`
  writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'where-it-runs.md'), text)
}
