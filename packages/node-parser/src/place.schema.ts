import { nullable } from '@x/core-model/schemas'
import { Boolean as Flag, String as Text } from 'typebox'

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
