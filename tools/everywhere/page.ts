/** Writes the page "Where it runs" from the rows of a whole run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Group, Row } from './trial.ts'

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
export function writePage(groups: readonly Group[], date: Date, system: string): void {
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
