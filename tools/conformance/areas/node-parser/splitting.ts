/** Parsers that cut a text into pieces. */
import { CallbackManager } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { buildNodesFromSplits, MarkdownNodeParser, TextSplitter } from '@x/node-parser'
import { type Operations, operation } from '../../case.ts'
import { CaseError, list, nullable, optional, shape, string } from '../../reader.ts'
import { node, rememberNodes } from '../../stand-ins/nodes.ts'
import { documents, idFunction, parseDocuments, parserKeys, parserOptions } from './parser.ts'

/** Cuts a text at each occurrence of a string; throws for a text with `BOOM`. */
class TestSplitter extends TextSplitter {
  declare private splitOn: string

  static override spec() {
    return { ...MarkdownNodeParser.spec(), name: 'TestSplitter', className: 'TestSplitter' }
  }

  static at(splitOn: string, options: object): TestSplitter {
    const splitter = new TestSplitter(options)
    splitter.splitOn = splitOn
    return splitter
  }

  override splitText(text: string): string[] {
    if (text.includes('BOOM')) throw new Error('BOOM')
    return text.split(this.splitOn)
  }
}

const splitterInput = shape({ ...parserKeys, documents, split_on: string })

export const splitting: Operations = {
  'MarkdownNodeParser.get_nodes_from_documents': operation(shape({ ...parserKeys, documents }), (given) =>
    parseDocuments(given.documents, new MarkdownNodeParser(parserOptions(given))),
  ),

  'TextSplitter.get_nodes_from_documents': operation(splitterInput, (given) =>
    parseDocuments(given.documents, TestSplitter.at(given.split_on, parserOptions(given))),
  ),

  'TextSplitter.events': operation(splitterInput, async (given) => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    const splitter = TestSplitter.at(given.split_on, { ...parserOptions(given), callbackManager })
    let throws = false
    try {
      await parseDocuments(given.documents, splitter)
    } catch (error) {
      if (error instanceof CaseError) throw error
      throws = true
    }
    const events = handler.summary().map(([event, type, keys]) => ({ event, type, payload_keys: keys }))
    return { events, throws }
  }),

  build_nodes_from_splits: operation(
    shape({
      splits: list(string),
      document: node,
      id_func: optional(idFunction),
      ref_doc: optional(nullable(node)),
    }),
    (given) => {
      const document = given.document()
      const refDoc = given.ref_doc ? given.ref_doc() : null
      const checkUnchanged = rememberNodes(refDoc ? [document, refDoc] : [document])
      const nodes = buildNodesFromSplits(given.splits, document, { refDoc, idFunc: given.id_func })
      checkUnchanged()
      return nodes.map((made) => made.toDict())
    },
  ),
}
