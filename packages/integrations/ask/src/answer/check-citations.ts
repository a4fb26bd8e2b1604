/**
 * @module
 * Checks the citations of an answer: whether the places exist, were read, and contain the values that the answer takes from them.
 */
import type { ToolOutput } from '@x/core-model'
import { missingValue, statementBefore } from '@x/retrieval/answer'
import { type Place, placeText } from '@x/retrieval/tables'
import type { Docs } from '../docs.ts'
import { linesOf } from '../document-list.ts'
import { citedSources, shownSources, unreadPlaces } from './sources.ts'

/** A place that an answer cites. */
export interface CheckedSource {
  file: string
  from: number
  to: number
  /** The headings above the place. */
  heading: string
  /** Why the place does not support the answer; null if no problem was found. */
  problem: string | null
}

/** The number of lines around a place in which a value may stand: a row is cited with its table, an option with its heading. */
const AROUND = 3

/** Returns the places that an answer cites, in its order; without citations, the places that were read. */
export async function checkCitations(
  answer: string,
  outputs: readonly ToolOutput[],
  docs: Docs,
): Promise<CheckedSource[]> {
  const files = (await docs.documents()).map(({ path }) => path)
  const cited = citedSources(answer, outputs)
  const unread = unreadPlaces(answer, outputs, files)
  const checked = await Promise.all(
    cited.map(async (source) => checkedSource(source, source.heading, await problemOf(answer, source, docs))),
  )
  const unknown = unread.map((place) =>
    checkedSource(place, '', files.includes(place.file) ? 'was not read' : 'does not exist'),
  )
  const all = [...checked, ...unknown]
  return all.length > 0
    ? all
    : shownSources(outputs).map((source) => checkedSource(source, source.heading, 'is not cited'))
}

function checkedSource({ file, line, endLine }: Place, heading: string, problem: string | null): CheckedSource {
  return { file, from: line, to: endLine, heading, problem }
}

/** Returns what is wrong with a citation: a value of the sentence before it that its lines do not contain. */
async function problemOf(answer: string, place: Place, docs: Docs): Promise<string | null> {
  const lines = linesOf(await docs.read(place.file))
  const text = lines.slice(Math.max(0, place.line - 1 - AROUND), place.endLine + AROUND).join('\n')
  const value = missingValue(statementBefore(answer, Math.max(0, answer.indexOf(placeText(place)))), text)
  return value === null ? null : `does not contain ${JSON.stringify(value)}`
}
