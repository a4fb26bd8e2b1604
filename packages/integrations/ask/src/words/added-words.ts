/**
 * @module
 * Words and questions of readers that were added to sections: a file in the folder, to be reviewed and committed.
 */
import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentSections, MarkdownSection } from '@x/node-parser'
import { ExitCode, ProgramError } from '../program-error.ts'

/** The name of the file in the folder of the documents. */
export const WORDS_FILE = 'ask-words.json'
const VERSION = 1

/** What was added to a section. */
export interface SectionWords {
  /** The headings of the section, for those who review the file. */
  heading: string
  words: string[]
  questions: string[]
}

/** Per path of a document: what was added to its sections, by their hashes. */
type WordsByFile = Record<string, Record<string, SectionWords>>

/** Returns the hash of a section: another one when its headings or its text change. */
export function sectionHash({ path, blocks }: MarkdownSection): string {
  const text = JSON.stringify([path, blocks.map(({ text }) => text)])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** The words and questions that were added to sections. */
export class AddedWords {
  private readonly files: WordsByFile

  constructor(files: WordsByFile = {}) {
    this.files = files
  }

  /** Reads the file of a folder; without words if there is none. @throws {ProgramError} when it is not a file of words. */
  static async read(folder: string): Promise<AddedWords> {
    const path = join(folder, WORDS_FILE)
    // A link may lead out of the folder.
    const isFile = await lstat(path).then(
      (found) => found.isFile(),
      () => false,
    )
    return isFile ? AddedWords.parse(await readFile(path, 'utf8'), path) : new AddedWords()
  }

  private static parse(text: string, path: string): AddedWords {
    const wrong = (reason: string) => new ProgramError(ExitCode.failed, `${path}: ${reason}.`)
    let data: { version?: unknown; sections?: WordsByFile }
    try {
      data = JSON.parse(text)
    } catch (error) {
      throw wrong((error as Error).message)
    }
    if (data?.version !== VERSION || typeof data.sections !== 'object' || data.sections === null)
      throw wrong(`expected { "version": ${VERSION}, "sections": { … } }`)
    for (const [file, sections] of Object.entries(data.sections))
      for (const [hash, section] of Object.entries(sections ?? {}))
        for (const list of [section?.words, section?.questions])
          if (!Array.isArray(list) || list.some((one) => typeof one !== 'string'))
            throw wrong(`sections["${file}"]["${hash}"]: expected { heading, words: [strings], questions: [strings] }`)
    return new AddedWords(data.sections)
  }

  get isEmpty(): boolean {
    return Object.keys(this.files).length === 0
  }

  /** Returns what was added, per document and section, to be changed. */
  entries(): [string, Map<string, SectionWords>][] {
    return Object.entries(this.files).map(([file, own]) => [file, new Map(Object.entries(own))])
  }

  /** Returns a string that changes when the words of a document change; empty without words. */
  stampOf(file: string): string {
    const words = this.files[file]
    return words === undefined ? '' : createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16)
  }

  /** Returns what was added to the sections of a document, per section; undefined if nothing was. */
  wordsOf(file: string, { sections }: DocumentSections): string[][] | undefined {
    const known = this.files[file]
    if (known === undefined) return undefined
    return sections.map((section) => {
      const { words = [], questions = [] } = known[sectionHash(section)] ?? {}
      return [...words, ...questions]
    })
  }

  /** Returns what was added to a section, in any document: a section may have moved. */
  of(file: string, hash: string): SectionWords | null {
    const own = this.files[file]?.[hash]
    if (own) return own
    for (const sections of Object.values(this.files)) if (sections[hash]) return sections[hash]
    return null
  }

  /** The file as JSON, sorted, so that a change is a short diff. */
  static text(sections: ReadonlyMap<string, ReadonlyMap<string, SectionWords>>): string {
    const sorted = [...sections].filter(([, own]) => own.size > 0).sort(([one], [other]) => (one < other ? -1 : 1))
    const files = Object.fromEntries(sorted.map(([file, own]) => [file, Object.fromEntries(own)]))
    return `${JSON.stringify({ version: VERSION, sections: files }, null, 2)}\n`
  }
}
