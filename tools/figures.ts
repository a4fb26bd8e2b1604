/**
 * Figures of benchmarks: each suite writes its data into `benchmarks/figures.json`, from which the page `docs/benchmarks.md` and its
 * pictures are rendered. `npm run bench -- --write` does both; otherwise a run only prints.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'

/** A measured value of one contestant. */
export interface Figure {
  readonly name: string
  readonly value: number
  /** The version of a peer; none for code of this repository. */
  readonly version?: string
  /** Whether it is of this repository. */
  readonly ours?: boolean
  /** What one must know to read the value. */
  readonly note?: string
}

export interface FigureTable {
  /** What was done. */
  readonly title: string
  /** What was measured, such as `runs per second`. */
  readonly measure: string
  /** The unit behind a value; empty if the measure says it. */
  readonly unit: string
  readonly digits: number
  /** Which values are better. */
  readonly better: 'more' | 'less'
  readonly rows: readonly Figure[]
  /** What one must know of all rows. */
  readonly text?: string
}

/** What a suite writes. */
export interface Figures {
  readonly suite: string
  /** As `2026-11-23`. */
  readonly date: string
  readonly machine: string
  readonly tables: readonly FigureTable[]
}

const root = join(import.meta.dirname, '..')
const file = join(root, 'benchmarks', 'figures.json')

/** The environment variable that makes a suite write its figures; `tools/bench.ts` sets it. */
export const WRITE = 'X_WRITE_FIGURES'

/** Whether the figures of this run are written. */
export const isWriting = (): boolean => process.env[WRITE] !== undefined

/** Returns the version of a peer that is installed beside the benchmarks. */
export const peerVersion = (name: string): string =>
  JSON.parse(readFileSync(join(root, 'benchmarks', 'node_modules', name, 'package.json'), 'utf8')).version

/** Writes the figures of a suite, if they were asked for. */
export function writeFigures(suite: string, tables: readonly FigureTable[]): void {
  if (!isWriting()) return
  // Other work slows down all contestants of an interleaved run, so that the figures say more in relation to each other than alone.
  const load = `load ${loadavg()[0]!.toFixed(1)} at the end`
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} processors, ${load}`
  const figures: Figures = { suite, date: new Date().toISOString().slice(0, 10), machine, tables }
  const all = [...readFigures().filter((other) => other.suite !== suite), figures]
  writeFileSync(file, `${JSON.stringify(inOrder(all), null, 2)}\n`)
}

const nameOf = ({ name, version }: Figure): string => (version === undefined ? name : `${name} ${version}`)

const sorted = ({ rows, better }: FigureTable): Figure[] =>
  rows.toSorted((one, other) => (better === 'more' ? other.value - one.value : one.value - other.value))

/** Returns a value with its unit. */
function labelOf({ unit, digits }: FigureTable, { value, note }: Figure): string {
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${text}${unit && ` ${unit}`}${note === undefined ? '' : `, ${note}`}`
}

/** Returns a table as Markdown, the best first. */
export function figuresAsMarkdown(table: FigureTable): string {
  const lines = sorted(table).map((row) => `| ${nameOf(row)} | ${labelOf(table, row)} |`)
  return `| ${table.title} | ${table.measure} |\n| --- | ${table.measure === 'size' ? '---' : '---:'} |\n${lines.join('\n')}\n`
}

/** Returns a table as a picture. */
function figuresAsSvg(table: FigureTable): string {
  const bars = sorted(table).map((row) => ({
    name: nameOf(row),
    value: row.value,
    label: labelOf(table, row),
    ours: row.ours === true,
  }))
  return barsAsSvg(`The values of the table: ${table.title}, ${table.measure}.`, bars)
}

/** The suites in the order of the page, with their headings. */
const headings: Readonly<Record<string, string>> = {
  sizes: 'Sizes',
  agents: 'Agents',
  retrieval: 'Retrieval',
  ask: 'Questions about documentations',
  'node-parser': 'Markdown',
  prompts: 'Prompts',
  postprocessors: 'Postprocessors',
  'core-model': 'Models of data',
}

/** Returns suites in the order of the page. */
function inOrder(all: readonly Figures[]): Figures[] {
  const order = Object.keys(headings)
  const unknown = all.find(({ suite }) => !order.includes(suite))
  if (unknown !== undefined) throw new Error(`tools/figures.ts has no heading for the suite ${unknown.suite}.`)
  return all.toSorted((one, other) => order.indexOf(one.suite) - order.indexOf(other.suite))
}

/** Reads the data of all suites. */
export const readFigures = (): Figures[] => JSON.parse(readFileSync(file, 'utf8'))

/** Returns the files that are rendered from the figures, by their paths in the repository. */
export function renderedFigures(all: readonly Figures[]): Map<string, string> {
  const files = new Map<string, string>()
  const sections = all.map(({ suite, date, machine, tables }) => {
    const parts = tables.map((table, index) => {
      const picture = `bench-${suite}-${index + 1}.svg`
      files.set(`docs/pictures/${picture}`, figuresAsSvg(table))
      const better = table.better === 'more' ? 'Longer is better.' : 'Shorter is better.'
      const alt = `Bars: ${table.title}, ${table.measure}. The table below has the same values.`
      const text = table.text === undefined ? '' : `${table.text}\n\n`
      return `### ${table.title[0]!.toUpperCase()}${table.title.slice(1)}\n\n${text}${better}\n\n![${alt}](pictures/${picture})\n\n${figuresAsMarkdown(table)}`
    })
    const run = `\`npm run bench -- ${suite} --write\`, ${date}: ${machine}.`
    return `## ${headings[suite]}\n\n${run}\n\n${parts.join('\n')}`
  })
  const page = `# Benchmarks

Beside other libraries, whose versions are pinned in [\`benchmarks/package.json\`](../benchmarks/package.json). Each table is one run on a machine
with other work, which slows down all contestants: compare values of one table, not of two. Peers that are smaller or faster are shown too.

${sections.join('\n')}`
  files.set('docs/benchmarks.md', page)
  return files
}

/** Writes the page and the pictures. */
export function renderFigures(): void {
  for (const [path, text] of renderedFigures(readFigures())) writeFileSync(join(root, path), text)
}

/**
 * A picture of measured values: a name and a horizontal bar for each, on one linear scale. A peer that would make the other bars tiny is
 * cut.
 */

interface Bar {
  name: string
  value: number
  /** What stands behind the bar. */
  label: string
  /** Whether it is of this repository. */
  ours: boolean
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')
/** Narrow, so that a phone shows readable text. */
const [width, labelWidth, rowHeight] = [400, 150, 42]

/** The mark of a bar that is longer than it is drawn. */
const cutAt = (x: number, y: number): string =>
  `\n  <path class="cut" d="M${x.toFixed(1)} ${y + 20}l6 -20M${(x + 6).toFixed(1)} ${y + 20}l6 -20" />`

/** Returns the picture as SVG, for light and dark pages. The title is for readers who do not see it. */
function barsAsSvg(title: string, bars: readonly Bar[]): string {
  const [longest, second] = [...bars].sort((one, other) => other.value - one.value)
  const isCut = longest !== undefined && second !== undefined && !longest.ours && longest.value > 2 * second.value
  const most = isCut ? 1.1 * second.value : (longest?.value ?? 0)
  const rows = bars.map(({ name, value, label, ours }, index) => {
    const y = 4 + index * rowHeight
    const length = Math.max(2, Math.min(1, value / most) * (width - labelWidth))
    const cut = value > most ? cutAt(length - 24, y + 17) : ''
    return `  <text x="0" y="${y + 14}">${escaped(name)}</text>
  <rect class="${ours ? 'ours' : 'peer'}" x="0" y="${y + 20}" width="${length.toFixed(1)}" height="14" rx="3" />${cut}
  <text class="note" x="${(length + 8).toFixed(1)}" y="${y + 32}">${escaped(label)}</text>`
  })
  const height = 8 + bars.length * rowHeight
  return `<svg class="bars" xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>${escaped(title)}</title>
  <style>
    text { fill: #1f2329; font: 13px system-ui, sans-serif; }
    .note { fill: #4b4f58; }
    .ours { fill: #1d5fbf; }
    .peer { fill: #9ba1ad; }${isCut ? '\n    .cut { stroke: #fff; stroke-width: 2.5; }' : ''}
    @media (prefers-color-scheme: dark) {
      text { fill: #dfdfd6; }
      .note { fill: #b6bac4; }
      .ours { fill: #8cb8ff; }
      .peer { fill: #6b717d; }${isCut ? '\n      .cut { stroke: #0d1117; }' : ''}
    }
  </style>
${rows.join('\n')}
</svg>
`
}
