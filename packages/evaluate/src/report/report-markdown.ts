/**
 * @module
 * A report as Markdown.
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
  type ReportOptions,
  type ReportSubject,
} from './figures.ts'
import { type Section, sectionsOf } from './sections.ts'

/**
 * Returns a report as Markdown. Of one or several runs of a retriever on the same test set: the measures with intervals, each run compared
 * with the first one, and the misses of the last one with their reasons. Of answers: measures and faults. Of an agent: outcomes, cost and
 * differences.
 * @throws {ConfigurationError} without a run, or if the runs have different questions.
 * @example
 * import { Bm25Retriever } from '@x/retrieval'
 * const retriever = new Bm25Retriever({ nodes: [new TextNode({ id: 'a.md', text: 'Pears' })] })
 * const testSet = readTestSet('{"question":"pear?","places":[{"source":"a.md"}]}')
 * reportMarkdown(await evaluateRetriever({ retriever, testSet })).split('\n')[4]
 * // => '| run | 1.000 (1.000 to 1.000) | 1.000 (1.000 to 1.000) | 1.000 (1.000 to 1.000) |'
 */
export function reportMarkdown(subject: ReportSubject, options: ReportOptions = {}): string {
  checkOption('reportMarkdown', 'subject', subject, required('a run, or an array of runs'))
  const sections = sectionsOf('reportMarkdown', subject, options)
  if (sections) return `# ${inline(options.title ?? 'Evaluation')}\n${sections.map(sectionText).join('')}`
  const runs = subject as EvaluationRun | readonly EvaluationRun[]
  const { title, runs: all, last, comparisons, kinds, misses, further } = figuresOf('reportMarkdown', runs, options)
  const [first] = all as [EvaluationRun]
  const lines = [
    `# ${inline(title)}`,
    '',
    row(['run', ...measureNames.map((name) => measureTitle(name, first.k))]),
    '|---|---|---|---|',
    ...all.map(({ name, measures }) => row([name, ...measureNames.map((measure) => estimateText(measures[measure]))])),
    '',
    `${questionsOf(last.questions.length)} with an answer, ${last.unanswerable} without. In parentheses: the interval that contains 95 % of the means of resampled questions.`,
  ]
  for (const { name, comparison } of comparisons)
    lines.push('', inline(comparisonText(first.name, name, first.k, comparison)))
  if (misses.length > 0) {
    lines.push('', `## Missed by ${inline(last.name)}`, '', ...kinds.map(({ name, count }) => `- ${name}: ${count}`))
    lines.push('', '| question | right place | reason |', '|---|---|---|')
    lines.push(...misses.map(({ question, place, reason }) => row([question, place, reason])))
  }
  if (further > 0) lines.push('', `… and ${further} more.`)
  return `${lines.join('\n')}\n`
}

function sectionText({ title, text, head, rows }: Section): string {
  const table = rows.length === 0 ? [] : ['', row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)]
  const above = [...(title === null ? [] : ['', `## ${inline(title)}`]), ...(text === '' ? [] : ['', inline(text)])]
  return `${[...above, ...table].join('\n')}\n`
}

/** A string inside of a line of Markdown, with every character as itself. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(inline).join(' | ')} |`
}
