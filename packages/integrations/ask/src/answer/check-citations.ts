/**
 * @module
 * Checks the citations of an answer: whether the places exist, were read, and contain the values that the answer takes from them.
 */
import type { ToolOutput } from '@x/core-model'
import { checkCitations as checkStatements } from '@x/retrieval/answer'
import type { Docs } from '../docs.ts'
import { linesOf } from '../document-list.ts'
import { type CitedPlace, citedPlaces, shownSources } from './sources.ts'

/** A place that an answer cites. */
export interface CheckedSource {
  file: string
  from: number
  to: number
  /** The headings above the place. */
  heading: string
  /** Why the place does not support a statement that cites it; null if no problem was found. */
  problem: string | null
}

/** The number of lines around a place in which a value may stand: a row is cited with its table, an option with its heading. */
const AROUND = 3

/**
 * Returns the places that an answer cites, each once, in its order; without citations, the places that were read. Each citation is checked by
 * its own statement; the problem of a place is the first of its citations.
 */
export async function checkCitations(
  answer: string,
  outputs: readonly ToolOutput[],
  docs: Docs,
): Promise<CheckedSource[]> {
  const files = (await docs.documents()).map(({ path }) => path)
  const cited = citedPlaces(answer, outputs, { root: docs.root.replaceAll('\\', '/'), files })
  if (cited.length === 0)
    return shownSources(outputs).map(({ file, line, endLine, heading }) => ({
      file,
      from: line,
      to: endLine,
      heading,
      problem: 'is not cited',
    }))
  const texts = new Map(await Promise.all(cited.map(async (place) => [place, await textOf(place, docs)] as const)))
  const problems = checkStatements(answer, cited, (place) => texts.get(place)!)
  const sources = new Map<string, CheckedSource>()
  for (const [at, { file, line, endLine, heading, state }] of cited.entries()) {
    const key = `${file}:${line}-${endLine}`
    const source = sources.get(key) ?? { file, from: line, to: endLine, heading, problem: null }
    source.problem ??= state === 'read' ? problems[at]! : state === 'unread' ? 'was not read' : 'does not exist'
    sources.set(key, source)
  }
  return [...sources.values()]
}

/** Returns the lines of a place and around it; an empty string if it was not read. */
async function textOf({ file, line, endLine, state }: CitedPlace, docs: Docs): Promise<string> {
  if (state !== 'read') return ''
  const lines = linesOf(await docs.read(file))
  return lines.slice(Math.max(0, line - 1 - AROUND), endLine + AROUND).join('\n')
}
