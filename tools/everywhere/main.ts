/**
 * Tries the packages as users install them, from a registry on this machine, in the runtimes, bundlers, test runners, package managers and
 * compilers that users have. Without names, tries all groups and writes `docs/where-it-runs.md`. The tools are installed into a folder for
 * temporary files. Ends with 1 if a row is red that the page does not explain, or if one is green that it calls red.
 *
 * @example npm run everywhere
 * @example npm run everywhere -- node bundlers
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRegistry } from '../rehearsal/registry.ts'
import { browserGroup, nextGroup } from './browsers.ts'
import { bundlerGroup } from './bundlers.ts'
import { compilerGroup } from './compilers.ts'
import { managerGroup } from './managers.ts'
import { writePage } from './page.ts'
import { nodeGroup, runtimeGroup } from './runtimes.ts'
import { testerGroup } from './testers.ts'
import { failed, type Group, Trial } from './trial.ts'

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
