/**
 * @module
 * Fields that several parsers and splitters have.
 */

import type { Tokenizer } from '@x/core-model'
import { live, nullable } from '@x/core-model/schemas'
import { Boolean as Flag, String as Text } from 'typebox'
import type { FrontMatterReader } from './front-matter-metadata.ts'
import type { MarkdownSyntax } from './markdown/mdx.ts'

/** The fields of the metadata that say where in a document a node is. */
export const place = {
  headerPath: Flag({
    extension: true,
    description: 'Whether nodes have the metadata `header_path`, the headings above them.',
    default: false,
  }),
  headerPathSeparator: Text({
    extension: true,
    description: 'The separator between headings in `header_path`.',
    default: ' > ',
  }),
  lineNumbers: Flag({
    extension: true,
    description: 'Whether nodes have the metadata `start_line` and `end_line`.',
    default: false,
  }),
  pageBreak: nullable(Text(), {
    extension: true,
    description: 'A regular expression for page breaks, for the metadata `page_label`.',
  }),
}

/** The field of the syntax. */
export const syntax = live<MarkdownSyntax>({
  holds: ['reader'],
  description: 'The syntax, such as `mdx`; null is Markdown.',
})

/** The field of the tokenizer. */
export const tokenizer = live<Tokenizer>({
  holds: 'function',
  description: 'Counts the tokens of a string; null assumes one per 4 UTF-8 bytes.',
})

/** The field of the reader of front matter. */
export const frontMatter = live<FrontMatterReader>({
  holds: 'function',
  description: 'Reads front matter into metadata, such as `readFrontMatter`.',
})
