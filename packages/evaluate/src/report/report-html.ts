/**
 * @module
 * A report as one HTML page with pictures, without scripts and without anything to load.
 */
import { checkOption, required } from '@x/core/options'
import { measureNames } from '../measures.ts'
import type { EvaluationRun } from '../run.ts'
import {
  comparisonText,
  estimateText,
  figuresOf,
  measureTitle,
  questionsOf,
  type ReportFigures,
  type ReportOptions,
  type ReportSubject,
} from './figures.ts'
import { bars, differencesPicture, escapeHtml as escaped, intervals } from './pictures.ts'
import { type Section, sectionsOf } from './sections.ts'

const style = `
:root{color-scheme:light dark;--text:#1d2733;--quiet:#5b6775;--line:#d6dce3;--back:#fff;--good:#1f7a5c;--bad:#b3432b}
@media(prefers-color-scheme:dark){:root{--text:#e6ebf1;--quiet:#9aa7b5;--line:#39434e;--back:#14191f;--good:#4fc196;--bad:#ee8267}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2.2rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .7rem .35rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
td.figure{white-space:nowrap;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}.quiet{color:var(--quiet)}svg{display:block;width:100%;min-width:36rem;height:auto;margin:.6rem 0}
svg text{font:13px system-ui,sans-serif;fill:var(--text)}svg .quiet{fill:var(--quiet);font-size:11px}svg line{stroke:var(--line)}svg .mark{stroke:var(--good);stroke-width:3;stroke-linecap:round}
svg .good{fill:var(--good)}svg .bad{fill:var(--bad)}`

/**
 * Returns a report as an HTML page: what `reportMarkdown` contains, with pictures (SVG) of the
 * measures with their intervals, of the differences per question, and of the kinds of misses. All strings are escaped.
 * @throws {ConfigurationError} without a run, or if the runs have different questions.
 * @example
 * import { Bm25Retriever } from '@x/retrieval'
 * const retriever = new Bm25Retriever({ nodes: [new TextNode({ id: 'a.md', text: 'Pears' })] })
 * const testSet = readTestSet('{"question":"<pear>?","places":[{"source":"b.md"}]}')
 * reportHtml(await evaluateRetriever({ retriever, testSet })).includes('<td>&lt;pear&gt;?</td>') // => true
 */
export function reportHtml(subject: ReportSubject, options: ReportOptions = {}): string {
  checkOption('reportHtml', 'subject', subject, required('a run, or an array of runs'))
  const sections = sectionsOf('reportHtml', subject, options)
  if (sections) return page(options.title ?? 'Evaluation', sections.map(sectionHtml).join(''))
  const runs = subject as EvaluationRun | readonly EvaluationRun[]
  const figures = figuresOf('reportHtml', runs, options)
  const { title, runs: all, last } = figures
  const [first] = all as [EvaluationRun]
  const head = ['run', ...measureNames.map((name) => measureTitle(name, first.k))]
  const rows = all.map(({ name, measures }) => [
    name,
    ...measureNames.map((measure) => estimateText(measures[measure])),
  ])
  const note = `${questionsOf(last.questions.length)} with an answer, ${last.unanswerable} without. Intervals contain 95 % of the means of resampled questions.`
  const body = `<p class="quiet">${note}</p>\n${intervals(all)}\n${table(head, rows, 'figure')}\n`
  return page(title, body + comparisonsOf(figures) + missesOf(figures))
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${body}</body>
</html>
`
}

function sectionHtml({ title, text, picture, head, rows }: Section): string {
  const above = title === null ? '' : `<h2>${escaped(title)}</h2>\n`
  const note = text === '' ? '' : `<p class="quiet">${escaped(text)}</p>\n`
  return `${above}${note}${picture}\n${rows.length === 0 ? '' : table(head, rows)}\n`
}

function comparisonsOf({ runs, comparisons, measure }: ReportFigures): string {
  const [first] = runs as [EvaluationRun]
  return comparisons
    .map(({ name, comparison, differences }) => {
      const text = comparisonText(first.name, name, first.k, comparison)
      const picture = differencesPicture(
        differences,
        `${measureTitle(measure, first.k)} of ${name} minus ${first.name}`,
      )
      return `<h2>${escaped(name)} against ${escaped(first.name)}</h2>\n<p>${escaped(text)}</p>\n${picture}\n`
    })
    .join('')
}

function missesOf({ last, kinds, misses, further }: ReportFigures): string {
  if (kinds.length === 0) return ''
  const rows = misses.map(({ question, place, reason }) => [question, place, reason])
  const rest = further > 0 ? `<p class="quiet">… and ${further} more.</p>\n` : ''
  return `<h2>Missed by ${escaped(last.name)}</h2>\n${bars(kinds, 'Misses by kind')}\n${table(['question', 'right place', 'reason'], rows)}\n${rest}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[], kind?: string): string {
  const cell = (text: string) => `<td${kind ? ` class="${kind}"` : ''}>${escaped(text)}</td>`
  const body = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('\n')
  return `<div class="wide"><table>\n<tr>${head.map((text) => `<th>${escaped(text)}</th>`).join('')}</tr>\n${body}\n</table></div>`
}
