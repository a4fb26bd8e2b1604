/** Settings of the element parser. */
import { MarkdownElementNodeParser } from '@x/node-parser'
import { type Operations, operation } from '../../case.ts'
import { apiKeys } from '../../names.ts'
import { isObject, object, shape } from '../../reader.ts'
import { elementParser, elementParserKeys } from './parser.ts'

export const settings: Operations = {
  // The default instruction of the summaries may be worded in any way: it is compared only when the case lists it.
  'MarkdownElementNodeParser.to_dict': operation(shape(elementParserKeys), (given, { value }) => {
    const dict = elementParser(given).toDict()
    if (!isObject(value) || !('summary_query_str' in value)) delete dict['summary_query_str']
    return dict
  }),

  'MarkdownElementNodeParser.construct': operation(shape({ parser: object }), ({ parser }) =>
    new MarkdownElementNodeParser(apiKeys(parser)).toDict(),
  ),
}
