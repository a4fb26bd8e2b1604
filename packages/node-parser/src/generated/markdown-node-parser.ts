// Generated from the schema of the model by x-codegen. Do not edit.
import type { FrontMatterReader } from '../front-matter-metadata.ts'
import type { MarkdownSyntax } from '../markdown/mdx.ts'
import { NodeParser } from '../node-parser.ts'
import type { NodeParserFields, NodeParserOptions } from './node-parser.ts'
import { type Tokenizer, modelOf } from '@x/core-model'

/** The fields of {@link MarkdownNodeParser}. */
export interface MarkdownNodeParserFields extends NodeParserFields {
  /** The maximum size of a node, in tokens. Larger sections are split at blocks, lines, sentences or words; null never splits sections. @defaultValue null */
  readonly chunkSize: number | null
  /** The size, in tokens, below which sections are joined to adjacent ones, within `chunkSize`. Headings without text are joined to the section that follows. Null joins no sections. @defaultValue null */
  readonly minChunkSize: number | null
  /** The maximum overlap of two adjacent nodes of a section, in tokens. @defaultValue 0 */
  readonly chunkOverlap: number
  /** Whether the heading of a split section is repeated at the start of its further nodes, in their text only. @defaultValue false */
  repeatHeading: boolean
  /** Whether the header of a split table is repeated at the start of its further nodes, in their text only. @defaultValue true */
  repeatTableHeader: boolean
  /** Whether a fenced code block that is split is closed at the end of a node and opened again in the next node, in their text only. @defaultValue true */
  repeatCodeFence: boolean
  /** Whether nodes have the metadata `header_path`, the headings above them. @defaultValue false */
  headerPath: boolean
  /** The separator between headings in `header_path`. @defaultValue ' > ' */
  headerPathSeparator: string
  /** Whether nodes have the metadata `start_line` and `end_line`. @defaultValue false */
  lineNumbers: boolean
  /** A regular expression for page breaks, for the metadata `page_label`. @defaultValue null */
  pageBreak: string | null
  /** Reads front matter into metadata, such as `readFrontMatter`. */
  frontMatter: FrontMatterReader | null
  /** The syntax, such as `mdx`; null is Markdown. */
  syntax: MarkdownSyntax | null
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer: Tokenizer | null
}

/** Constructor options of {@link MarkdownNodeParser}. */
export interface MarkdownNodeParserOptions extends NodeParserOptions {
  /** The maximum size of a node, in tokens. Larger sections are split at blocks, lines, sentences or words; null never splits sections. @defaultValue null */
  chunkSize?: number | null | undefined
  /** The size, in tokens, below which sections are joined to adjacent ones, within `chunkSize`. Headings without text are joined to the section that follows. Null joins no sections. @defaultValue null */
  minChunkSize?: number | null | undefined
  /** The maximum overlap of two adjacent nodes of a section, in tokens. @defaultValue 0 */
  chunkOverlap?: number | undefined
  /** Whether the heading of a split section is repeated at the start of its further nodes, in their text only. @defaultValue false */
  repeatHeading?: boolean | undefined
  /** Whether the header of a split table is repeated at the start of its further nodes, in their text only. @defaultValue true */
  repeatTableHeader?: boolean | undefined
  /** Whether a fenced code block that is split is closed at the end of a node and opened again in the next node, in their text only. @defaultValue true */
  repeatCodeFence?: boolean | undefined
  /** Whether nodes have the metadata `header_path`, the headings above them. @defaultValue false */
  headerPath?: boolean | undefined
  /** The separator between headings in `header_path`. @defaultValue ' > ' */
  headerPathSeparator?: string | undefined
  /** Whether nodes have the metadata `start_line` and `end_line`. @defaultValue false */
  lineNumbers?: boolean | undefined
  /** A regular expression for page breaks, for the metadata `page_label`. @defaultValue null */
  pageBreak?: string | null | undefined
  /** Reads front matter into metadata, such as `readFrontMatter`. */
  frontMatter?: FrontMatterReader | null | undefined
  /** The syntax, such as `mdx`; null is Markdown. */
  syntax?: MarkdownSyntax | null | undefined
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer?: Tokenizer | null | undefined
}

declare abstract class Declared extends NodeParser {
  constructor(options?: MarkdownNodeParserOptions)
}
interface Declared extends MarkdownNodeParserFields {}

/** The typed base class of {@link MarkdownNodeParser}. */
export const MarkdownNodeParserModel = /* @__PURE__ */ modelOf<typeof Declared>(NodeParser, {
  name: 'MarkdownNodeParser',
  description: 'Splits Markdown at its headings.',
  className: 'MarkdownNodeParser',
  fields: {
    chunkSize: { schema: { minimum: 1, type: ['integer', 'null'], description: 'The maximum size of a node, in tokens. Larger sections are split at blocks, lines, sentences or words; null never splits sections.' }, bounded: true, extension: true },
    minChunkSize: { schema: { minimum: 1, type: ['integer', 'null'], description: 'The size, in tokens, below which sections are joined to adjacent ones, within `chunkSize`. Headings without text are joined to the section that follows. Null joins no sections.' }, bounded: true, extension: true },
    chunkOverlap: { schema: { type: 'integer', minimum: 0, description: 'The maximum overlap of two adjacent nodes of a section, in tokens.' }, default: 0, bounded: true, extension: true },
    repeatHeading: { schema: { type: 'boolean', description: 'Whether the heading of a split section is repeated at the start of its further nodes, in their text only.' }, default: false, extension: true },
    repeatTableHeader: { schema: { type: 'boolean', description: 'Whether the header of a split table is repeated at the start of its further nodes, in their text only.' }, default: true, extension: true },
    repeatCodeFence: { schema: { type: 'boolean', description: 'Whether a fenced code block that is split is closed at the end of a node and opened again in the next node, in their text only.' }, default: true, extension: true },
    headerPath: { schema: { type: 'boolean', description: 'Whether nodes have the metadata `header_path`, the headings above them.' }, default: false, extension: true },
    headerPathSeparator: { schema: { type: 'string', description: 'The separator between headings in `header_path`.' }, default: ' > ', extension: true },
    lineNumbers: { schema: { type: 'boolean', description: 'Whether nodes have the metadata `start_line` and `end_line`.' }, default: false, extension: true },
    pageBreak: { schema: { type: ['string', 'null'], description: 'A regular expression for page breaks, for the metadata `page_label`.' }, extension: true },
    frontMatter: { schema: { description: 'Reads front matter into metadata, such as `readFrontMatter`.' }, runtime: true, holds: 'function' },
    syntax: { schema: { description: 'The syntax, such as `mdx`; null is Markdown.' }, runtime: true, holds: ['reader'] },
    tokenizer: { schema: { description: 'Counts the tokens of a string; null assumes one per 4 UTF-8 bytes.' }, runtime: true, holds: 'function' },
  },
})
