import { nullable } from '@x/core-model/schemas'
import { Boolean as Flag, Integer, String as Text } from 'typebox'
import { nodeParser } from './node-parser.schema.ts'
import { tokenizer } from './tokenizer.schema.ts'

export const MarkdownNodeParser = nodeParser('MarkdownNodeParser', 'Cuts Markdown at its headings.', {
  chunkSize: nullable(Integer({ minimum: 1 }), {
    extension: true,
    description: 'Sections with more tokens are cut at blocks, lines, sentences or words; null never cuts.',
    default: null,
  }),
  chunkOverlap: Integer({
    minimum: 0,
    extension: true,
    description: 'Most tokens that two pieces of a section share.',
    default: 0,
  }),
  repeatHeading: Flag({
    extension: true,
    description: 'Put the heading of a cut section in front of its further pieces, in their text only.',
    default: false,
  }),
  headerPath: Flag({
    extension: true,
    description: 'Give nodes the headings above them as one text, `header_path`.',
    default: false,
  }),
  headerPathSeparator: Text({
    extension: true,
    description: 'What stands between headings in `header_path`.',
    default: ' > ',
  }),
  lineNumbers: Flag({
    extension: true,
    description: 'Give nodes `start_line` and `end_line`, from 1.',
    default: false,
  }),
  pageBreak: nullable(Text(), {
    extension: true,
    description:
      'Pattern of the marks between pages, such as `^<!-- page break -->$`: nodes get `page_label`. A first group names the page that begins.',
  }),
  tokenizer,
})
