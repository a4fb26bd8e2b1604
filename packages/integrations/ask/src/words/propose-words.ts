/**
 * @module
 * Proposes words for sections from questions that do not find them.
 */

import { join } from 'node:path'
import { readSections } from '@x/node-parser'
import type { Terminal } from '../ask.ts'
import type { Docs } from '../docs.ts'
import { modelOf } from '../model/choose-model.ts'
import { explainedFailure } from '../model/model-failure.ts'
import type { ModelOptions } from '../model/model-options.ts'
import { isPlace, type KnownQuestion, readQuestions } from '../score.ts'
import { SectionIndex } from '../search/section-index.ts'
import { syntaxOf } from '../table-reader.ts'
import { withoutControls } from '../terminal/text-width.ts'
import { AddedWords, type SectionWords, sectionHash, WORDS_FILE } from './added-words.ts'
import { saveWords, writeWords } from './write-words.ts'

/** The number of sections among which the right one should be. */
const FIRST = 3

/** Words of a question that the section with its answer does not contain. */
interface Proposal {
  file: string
  line: number
  heading: string
  hash: string
  words: string[]
  question: string
}

/**
 * Prints, for each question of a JSON file whose section is not among the first three, its words that the section does not contain.
 * @param writes - whether they are added to the file of words
 */
export async function proposeWords(
  docs: Docs,
  { questions: path, writes }: { questions: string; writes: boolean },
  { stdout }: Terminal,
): Promise<void> {
  const proposals: Proposal[] = []
  const questions = await readQuestions(path)
  for (const known of questions) {
    const found = await docs.search(known.question, { limit: FIRST })
    if (found.some((section) => isPlace(known, section))) continue
    const proposal = await proposalFor(known, docs)
    if (proposal) proposals.push(proposal)
    else stdout.write(`no word is missing: ${withoutControls(known.question)}\n`)
  }
  for (const { file, line, heading, words, question } of proposals)
    for (const text of [`${file}:${line}  ${heading}`, `  + ${words.join(', ')}  (${question})`])
      stdout.write(`${withoutControls(text)}\n`)
  stdout.write(`${questions.length} questions, ${proposals.length} with words for their section.\n`)
  if (writes && proposals.length > 0) await add(docs, proposals)
}

async function proposalFor({ question, file, lines }: KnownQuestion, docs: Docs): Promise<Proposal | null> {
  const { title, sections } = readSections(await docs.read(file), { syntax: syntaxOf(file) })
  const section = sections.find(({ from, to }) => from <= lines[1] && to >= lines[0])
  if (!section) return null
  // What is missing in an index of this section alone is missing in the section.
  const alone = new SectionIndex()
  alone.set(file, { title, sections: [section] })
  const words = alone.missing(question)
  const heading = section.path.join(' > ')
  return words.length === 0 ? null : { file, line: section.from, heading, hash: sectionHash(section), words, question }
}

async function add(docs: Docs, proposals: readonly Proposal[]): Promise<void> {
  const known = await AddedWords.read(docs.root)
  const all = new Map<string, Map<string, SectionWords>>(known.entries())
  for (const { file, hash, heading, words } of proposals) {
    const own = all.get(file) ?? new Map<string, SectionWords>()
    const before = own.get(hash) ?? { heading, words: [], questions: [] }
    own.set(hash, { ...before, words: [...new Set([...before.words, ...words])] })
    all.set(file, own)
  }
  await saveWords(docs.root, all)
}

/** Writes the file of words, and prints what was written. @throws {ProgramError} when the model fails. */
export async function runWriteWords(
  docs: Docs,
  model: ModelOptions,
  languages: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { stdout, stderr, signal } = terminal as Terminal & { stderr: { isTTY?: boolean } }
  const llm = await modelOf(model, terminal)
  const onProgress = (done: number, total: number) => {
    if (stderr.isTTY) stderr.write(`\r${done} of ${total} sections …`)
  }
  try {
    const { written, kept, unread } = await writeWords(docs, { llm, languages, signal, onProgress })
    for (const place of unread) stderr.write(`ask: no words were returned for ${withoutControls(place)}\n`)
    stdout.write(`${join(docs.root, WORDS_FILE)}: words for ${written} sections written, ${kept} kept.\n`)
  } catch (error) {
    throw explainedFailure(error, model)
  }
}
