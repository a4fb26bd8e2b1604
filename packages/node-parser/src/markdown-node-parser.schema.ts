import { nullable } from '@x/core-model/schemas'
import { Boolean as Flag, Integer } from 'typebox'
import { frontMatter, nodeParser, place, syntax, tokenizer } from './node-parser.schema.ts'

export const MarkdownNodeParser = nodeParser('MarkdownNodeParser', 'Splits Markdown at its headings.', {
  chunkSize: nullable(Integer({ minimum: 1 }), {
    extension: true,
    description:
      'The maximum size of a node, in tokens. Larger sections are split at blocks, lines, sentences or words; null never splits sections.',
    default: null,
  }),
  minChunkSize: nullable(Integer({ minimum: 1 }), {
    extension: true,
    description:
      'The size, in tokens, below which sections are joined to adjacent ones, within `chunkSize`. Headings without text are joined to the section that follows. The metadata of a joined node has only the headings that all its sections have. Null joins no sections.',
    default: null,
  }),
  chunkOverlap: Integer({
    minimum: 0,
    extension: true,
    description: 'The maximum overlap of two adjacent nodes of a section, in tokens.',
    default: 0,
  }),
  repeatHeading: Flag({
    extension: true,
    description:
      'Whether the heading of a split section is repeated at the start of its further nodes, in their text only.',
    default: false,
  }),
  repeatTableHeader: Flag({
    extension: true,
    description:
      'Whether the header of a split table is repeated at the start of its further nodes, in their text only.',
    default: true,
  }),
  repeatCodeFence: Flag({
    extension: true,
    description:
      'Whether a fenced code block that is split is closed at the end of a node and opened again in the next node, in their text only.',
    default: true,
  }),
  ...place,
  frontMatter,
  syntax,
  tokenizer,
})
