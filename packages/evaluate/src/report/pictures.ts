/**
 * @module
 * The pictures of a report, as SVG. Colors and fonts come from the page.
 */
import { measureNames } from '../measures.ts'
import type { EvaluationRun } from '../run.ts'
import type { Estimate } from '../statistics.ts'
import { estimateText, measureTitle } from './figures.ts'

const WIDTH = 900
/** Where the plots begin; names stand on the left of it. */
const LEFT = 260
const ROW = 26
/** The largest number of characters of a name beside a plot. */
const NAME = 38

const shortened = (name: string): string => {
  const characters = Array.from(name)
  return escapeHtml(characters.length <= NAME ? name : `${characters.slice(0, NAME - 1).join('')}…`)
}
const rounded = (value: number): string => String(Math.round(value * 10) / 10)

function svg(height: number, label: string, parts: readonly string[]): string {
  const box = `viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(label)}"`
  return `<div class="wide"><svg ${box}>\n${parts.join('\n')}\n</svg></div>`
}

/** Means with their intervals under a title. */
export interface IntervalGroup {
  title: string
  rows: readonly { name: string; estimate: Estimate }[]
}

/** The means of all runs with their intervals, one group per measure. */
export function intervals(runs: readonly EvaluationRun[]): string {
  return intervalsOf(
    measureNames.map((measure) => ({
      title: measureTitle(measure, runs[0]!.k),
      rows: runs.map(({ name, measures }) => ({ name, estimate: measures[measure] })),
    })),
  )
}

/** Groups of means with their intervals, from 0 to 1. */
export function intervalsOf(groups: readonly IntervalGroup[]): string {
  const x = (value: number) => LEFT + value * (WIDTH - LEFT - 30)
  const height = (groups.reduce((sum, { rows }) => sum + rows.length + 1, 0) + 1) * ROW
  const parts = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<line x1="${rounded(x(value))}" x2="${rounded(x(value))}" y1="6" y2="${height - 18}"/><text class="quiet" text-anchor="middle" x="${rounded(x(value))}" y="${height - 4}">${value}</text>`,
  )
  let y = ROW
  for (const { title, rows } of groups) {
    parts.push(`<text x="0" y="${y - 6}" font-weight="600">${shortened(title)}</text>`)
    for (const { name, estimate } of rows) {
      const { mean, low, high } = estimate
      parts.push(
        `<g><title>${escapeHtml(name)}: ${estimateText(estimate)}</title><text x="12" y="${y + 15}">${shortened(name)}</text><line class="mark" x1="${rounded(x(low))}" x2="${rounded(x(high))}" y1="${y + 10}" y2="${y + 10}"/><circle class="good" cx="${rounded(x(mean))}" cy="${y + 10}" r="6"/></g>`,
      )
      y += ROW
    }
    y += ROW
  }
  return svg(height, 'Means with intervals', parts)
}

/** The differences of the questions, largest first: gains up, losses down. */
export function differencesPicture(differences: readonly number[], label: string): string {
  const height = 180
  const middle = height / 2
  const sorted = [...differences].sort((a, b) => b - a)
  const step = WIDTH / Math.max(sorted.length, 1)
  const highest = Math.max(sorted[0] ?? 0, -(sorted.at(-1) ?? 0), 0.01)
  const parts = sorted.flatMap((value, at) => {
    if (value === 0) return []
    const tall = (Math.abs(value) / highest) * (middle - 18)
    const y = value > 0 ? middle - tall : middle
    const size = `x="${rounded(at * step)}" y="${rounded(y)}" width="${Math.max(0.5, step - (step > 3 ? 1 : 0)).toFixed(2)}" height="${rounded(tall)}"`
    return [`<rect class="${value > 0 ? 'good' : 'bad'}" ${size}/>`]
  })
  parts.push(`<line x1="0" x2="${WIDTH}" y1="${middle}" y2="${middle}"/>`)
  parts.push(`<text class="quiet" x="0" y="12">+${highest.toFixed(2)}: better</text>`)
  parts.push(`<text class="quiet" x="0" y="${height - 4}">−${highest.toFixed(2)}: worse; one bar per question</text>`)
  return svg(height, label, parts)
}

/** Counts as bars with their names. */
export function bars(counts: readonly { name: string; count: number; isGood?: boolean }[], label: string): string {
  const highest = Math.max(...counts.map(({ count }) => count))
  const parts = counts.map(({ name, count, isGood = false }, at) => {
    const y = at * ROW
    const wide = (count / highest) * (WIDTH - LEFT - 60)
    return `<text x="0" y="${y + 18}">${shortened(name)}</text><rect class="${isGood ? 'good' : 'bad'}" x="${LEFT}" y="${y + 4}" width="${rounded(wide)}" height="18" rx="3"/><text x="${rounded(LEFT + wide + 8)}" y="${y + 18}">${count}</text>`
  })
  return svg(counts.length * ROW + 6, label, parts)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A string as the text of an element or the value of an attribute. Control characters, which HTML does not allow, become spaces. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, ' ')
    .replace(/[&<>"']/g, (character) => entities[character]!)
}
