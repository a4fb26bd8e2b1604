/**
 * @module
 * What a search returns, and its options.
 */
import type { MarkdownSection } from '@x/node-parser'
import type { Excerpt } from './excerpt.ts'

/** A section that matches a question. */
export interface FoundSection extends Excerpt {
  /** The path of the file within the folder, with `/` as separator. */
  file: string
  /** The first line of the section, starting at 1. */
  from: number
  /** The last line of the section. */
  to: number
  /** The headings that contain the section, outermost first. */
  path: readonly string[]
  /** Greater than 0. Comparable only within one search. */
  score: number
  /** The words of the question that the section has only among its added words; absent without any. */
  added?: string[]
}

/** The options of a search. */
export interface SectionSearchOptions {
  /** The maximum number of sections. @defaultValue 10 */
  limit?: number | undefined
  /** Whether a section of this file may be returned. @defaultValue all files */
  accepts?: ((file: string, section: MarkdownSection) => boolean) | undefined
  /** Whether added words are searched. @defaultValue true */
  addedWords?: boolean | undefined
}
