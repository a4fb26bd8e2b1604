/**
 * @module
 * The parts of a report about answers and about agents, for all of its forms.
 */
import { checkOptions } from '@x/core/options'
import type { AgentEvaluation } from '../agents/evaluate-agent.ts'
import type { AnswerResult, AnswersRun } from '../answers/evaluate-answers.ts'
import { estimateText, questionsOf, type ReportOptions, type ReportSubject, reportOptions } from './figures.ts'
import { bars, intervalsOf } from './pictures.ts'

/** The sections of a report about answers or an agent; null for runs of a retriever. */
export function sectionsOf(where: string, subject: ReportSubject, options: ReportOptions): Section[] | null {
  const isOther = 'outcomes' in subject || ('measures' in subject && 'refusedWrongly' in subject)
  if (!isOther) return null
  checkOptions(where, options, reportOptions)
  const { maxMisses = 50 } = options
  return 'outcomes' in subject ? agentSections(subject, maxMisses) : answerSections(subject, maxMisses)
}

/** A part of a report. */
export interface Section {
  title: string | null
  text: string
  /** SVG; empty without a picture. */
  picture: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

const measureTitles: Readonly<Record<keyof AnswersRun['measures'], string>> = {
  citationPrecision: 'citations that are right',
  citationRecall: 'right places that are cited',
  faithfulness: 'sentences that are supported',
  containsExpected: 'answers that contain the expected one',
}

/** @param most - the largest number of faults that are listed. */
function answerSections(run: AnswersRun, most: number): Section[] {
  const { name, measures, judged, unanswerable, refusedWrongly, questions } = run
  const known = Object.entries(measureTitles).flatMap(([measure, title]) => {
    const estimate = measures[measure as keyof AnswersRun['measures']]
    return estimate === null ? [] : [{ title, rows: [{ name, estimate }] }]
  })
  const faults = questions.flatMap(faultsOf)
  return [
    {
      title: null,
      text: `${name}: ${questionsOf(questions.length)}. ${unanswerable.refused} of ${unanswerable.questions} that the texts do not answer were refused, and ${refusedWrongly} of the others. ${judgedText(judged)}Intervals contain 95 % of the means of resampled questions.`,
      picture: known.length === 0 ? '' : intervalsOf(known),
      head: ['measure', 'mean', 'of'],
      rows: [
        ...known.map(({ title, rows: [row] }) => [title, estimateText(row!.estimate), questionsOf(row!.estimate.n)]),
        ...(judged.of > 0 && judged.reason !== null ? [[measureTitles.faithfulness, 'unknown', judged.reason]] : []),
      ],
    },
    ...listed('Faults', ['question', 'fault', 'where'], faults, most),
  ]
}

const judgedText = ({ sentences, of }: AnswersRun['judged']): string =>
  of === 0 ? '' : `${of} sentences, ${sentences} judged. `

/** What is wrong with an answer. */
function faultsOf({ question, answer, statements, citations, isRefusal, citationPrecision }: AnswerResult): string[][] {
  const isAnswerable = citationPrecision !== null
  if (isRefusal) return isAnswerable ? [[question, 'refused', answer]] : []
  if (!isAnswerable) return [[question, 'answered, though the texts do not', answer]]
  return [
    ...statements
      .filter(({ isSupported }) => isSupported === false)
      .map(({ text }) => [question, 'not supported', text]),
    ...citations
      .filter(({ isRight, isGiven }) => !isRight || !isGiven)
      .map(({ place, isGiven }) => [
        question,
        isGiven ? 'cites another place' : 'cites what it did not receive',
        place,
      ]),
  ]
}

function agentSections({ outcomes, cost, recordedCost, results }: AgentEvaluation, most: number): Section[] {
  const costs = [
    ['calls of models', cost.modelCalls, recordedCost.modelCalls],
    ['calls of tools', cost.toolCalls, recordedCost.toolCalls],
    ['tokens of requests', cost.usage.inputTokens, recordedCost.usage.inputTokens],
    ['tokens of answers', cost.usage.outputTokens, recordedCost.usage.outputTokens],
  ]
  const differences = results.flatMap(({ question, differences, error }) => [
    ...differences.map(({ what, expected, received }) => [question, what.replace('_', ' '), expected, received]),
    ...(error === null ? [] : [[question, 'failed', 'an answer', error]]),
  ])
  const counts = Object.entries(outcomes).flatMap(([name, count]) =>
    count === 0 ? [] : [{ name, count, isGood: name === 'same' }],
  )
  return [
    {
      title: null,
      text: `${results.length} cases: ${counts.map(({ name, count }) => `${count} ${name}`).join(', ')}.`,
      picture: counts.length === 0 ? '' : bars(counts, 'Cases by outcome'),
      head: ['cost', 'now', 'recorded'],
      rows: costs.map((row) => row.map(String)),
    },
    ...listed('Differences', ['question', 'what', 'expected', 'received'], differences, most),
  ]
}

function listed(title: string, head: readonly string[], rows: readonly (readonly string[])[], most: number): Section[] {
  if (rows.length === 0) return []
  const text = rows.length > most ? `The first ${most} of ${rows.length}.` : ''
  return [{ title, text, picture: '', head, rows: rows.slice(0, most) }]
}
