import type { CallbackManager, Tokenizer } from '@x/core-model'
import { component, type Fields, live, nullable } from '@x/core-model/schemas'
import { Boolean as Flag, String as Text } from 'typebox'
import type { IdFunc } from './build-nodes.ts'
import type { FrontMatterReader } from './input-text.ts'
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

/** The fields of every node parser. */
export const nodeParserFields = {
  includeMetadata: Flag({ description: 'Whether nodes inherit the metadata of their document.', default: true }),
  includePrevNextRel: Flag({
    description: 'Whether adjacent nodes of one document are linked as previous and next node.',
    default: true,
  }),
  callbackManager: live<CallbackManager>({
    holds: ['startEvent', 'event'],
    schema: { type: 'object', default: {} },
    description: 'Receives the events of the parser.',
  }),
  idFunc: live<IdFunc>({
    holds: 'function',
    description: 'Returns the id of each node; null uses random UUIDs.',
  }),
}

export const NodeParser = component('NodeParser', 'Creates nodes from documents.', nodeParserFields, {
  className: null,
})

/** Defines the schema of a node parser: the common fields, followed by its own fields. */
export function nodeParser<const F extends Fields>(title: string, description: string, fields: F) {
  return component(title, description, fields, { extends: NodeParser })
}
