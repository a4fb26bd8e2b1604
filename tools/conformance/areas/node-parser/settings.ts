/** Settings of the element parser. */
import type { Dict } from '@x/core-model'
import { MarkdownElementNodeParser } from '@x/node-parser'
import type { Operations } from '../../case.ts'
import { apiKeys, isObject } from '../../given.ts'
import { elementParser, type ParserRecord } from './parser.ts'

export const settings: Operations = {
  // The default instruction of the summaries may be worded in any way: it is compared only when the case lists it.
  'MarkdownElementNodeParser.to_dict': ({ ...given }: ParserRecord, { expect: { value } }) => {
    const dict = elementParser(given).toDict()
    if (!isObject(value) || !('summary_query_str' in value)) delete dict['summary_query_str']
    return dict
  },

  'MarkdownElementNodeParser.construct': ({ parser }: { parser: Dict }) =>
    new MarkdownElementNodeParser(apiKeys(parser)).toDict(),
}
