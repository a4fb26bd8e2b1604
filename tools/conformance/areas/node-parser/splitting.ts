/** Parsers that cut a text into pieces. */
import { CallbackManager, type Dict } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { buildNodesFromSplits, MarkdownNodeParser, TextSplitter } from '@x/node-parser'
import type { Operations } from '../../case.ts'
import { CaseError } from '../../given.ts'
import { nodeOf, unchanged } from '../../stand-ins/nodes.ts'
import { idFunction, type ParserRecord, parseDocuments, parserOptions } from './parser.ts'

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

interface OfDocuments extends ParserRecord {
  documents: Dict[]
}

interface OfSplitter extends OfDocuments {
  splitOn: string
}

interface OfSplits {
  splits: string[]
  document: Dict
  idFunc?: string
  refDoc?: Dict | null
}

export const splitting: Operations = {
  'MarkdownNodeParser.get_nodes_from_documents': ({ documents, ...given }: OfDocuments) =>
    parseDocuments(documents, new MarkdownNodeParser(parserOptions(given))),

  'TextSplitter.get_nodes_from_documents': ({ documents, splitOn, ...given }: OfSplitter) =>
    parseDocuments(documents, TestSplitter.at(splitOn, parserOptions(given))),

  'TextSplitter.events': async ({ documents, splitOn, ...given }: OfSplitter) => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    const splitter = TestSplitter.at(splitOn, { ...parserOptions(given), callbackManager })
    let throws = false
    try {
      await parseDocuments(documents, splitter)
    } catch (error) {
      if (error instanceof CaseError) throw error
      throws = true
    }
    const events = handler.summary().map(([event, type, keys]) => ({ event, type, payload_keys: keys }))
    return { events, throws }
  },

  build_nodes_from_splits: async ({ splits, idFunc: template, refDoc: ref, ...given }: OfSplits) => {
    const document = nodeOf(given.document)
    const refDoc = ref ? nodeOf(ref) : null
    const idFunc = template === undefined ? undefined : idFunction(template)
    const nodes = await unchanged(refDoc ? [document, refDoc] : [document], () =>
      buildNodesFromSplits(splits, document, { refDoc, idFunc }),
    )
    return nodes.map((made) => made.toDict())
  },
}
