/** The cases of `node-parser.json`. */

import { CallbackManager, isNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import {
  buildNodesFromSplits,
  MarkdownElementNodeParser,
  MarkdownNodeParser,
  type TableCandidate,
  type TableFilter,
  TextSplitter,
} from '@x/node-parser'
import { defineArea, type Operations } from '../case.ts'
import { expectEqual } from '../compare.ts'
import { apiKeys, CaseError, isObject, type Json, named } from '../given.ts'
import { nodeOf, nodesOf, unchanged } from '../stand-ins/nodes.ts'
import {
  elementForm,
  elementOf,
  elementParser,
  idFunction,
  MockModel,
  nodeView,
  parseDocuments,
  parserOptions,
  tableOutputForm,
  withModel,
} from '../stand-ins/parsers.ts'
import { invariants } from './node-invariants.ts'

const ownFilter = (parser: MarkdownElementNodeParser): TableFilter[] => [(table) => parser.filterTable(table)]

const filters: Readonly<Record<string, typeof ownFilter>> = {
  default: ownFilter,
  none: () => [],
  reject_all: () => [() => false],
  min_3_rows: (parser) => [...ownFilter(parser), (table) => (table.table?.rows.length ?? 0) >= 3],
}

const elements: Operations = {
  'MarkdownElementNodeParser.extract_elements': ({ text, nodeId, tableFilters: name = 'default' }) => {
    const parser = new MarkdownElementNodeParser()
    const tableFilters = named(filters, name)(parser)
    return parser.extractElements(text, { nodeId, tableFilters }).map(elementForm)
  },

  // A value that is not an object goes to the filter as it is.
  'MarkdownElementNodeParser.filter_table': ({ tableElement }) =>
    new MarkdownElementNodeParser().filterTable(
      isObject(tableElement) ? elementOf(tableElement as Json) : (tableElement as TableCandidate),
    ),
}

// Summaries of tables.

/** A model whose k-th call takes the k-th delay, and which notes how many calls are open at once. */
function slowModel(delays: readonly number[]) {
  const seen = { calls: 0, open: 0, most: 0 }
  const llm = new MockModel(async (prompt) => {
    const delay = delays[seen.calls++]
    seen.most = Math.max(seen.most, ++seen.open)
    await new Promise((resolve) => setTimeout(resolve, delay))
    seen.open -= 1
    return JSON.stringify({ summary: `S${/\| t(\d+) \|/.exec(prompt)?.[1]}`, columns: [] })
  })
  return { llm, seen }
}

const summaries: Operations = {
  'MarkdownElementNodeParser.extract_table_summaries': ({ elements: records, llm: script, ...given }, { expect }) =>
    withModel(script, expect, async (llm) => {
      const elements = records.map(elementOf)
      await elementParser(given, { llm }).extractTableSummaries(elements)
      return { outputs: elements.map(({ tableOutput }: Json) => tableOutputForm(tableOutput)) }
    }),

  'MarkdownElementNodeParser.concurrency': async ({ tables, delaysMs, ...given }) => {
    const { llm, seen } = slowModel(delaysMs)
    const elements = Array.from({ length: tables }, (_, index) =>
      elementOf({ id: `e${index}`, type: 'table_text', element: `| t${index} |` }),
    )
    await elementParser(given, { llm }).extractTableSummaries(elements)
    return { max_in_flight: seen.most, summaries: elements.map(({ tableOutput }) => tableOutput?.summary) }
  },
}

// Nodes of elements and of documents.

const nodeOperations: Operations = {
  'MarkdownElementNodeParser.get_nodes_from_elements': async ({ elements: records, node, ...given }) => {
    const elements = records.map(elementOf)
    const before = structuredClone(elements)
    const input = node ? nodeOf(node) : null
    const made = await unchanged(input ? [input] : [], () =>
      elementParser(given).getNodesFromElements(elements, { node: input }),
    )
    expectEqual(elements, before, {}, 'input elements')
    return made.map(nodeView)
  },

  'MarkdownElementNodeParser.get_nodes_from_documents': ({ documents, llm: script, ...given }, { expect }) =>
    withModel(script, expect, (llm) => parseDocuments(documents, elementParser(given, { llm }))),

  'MarkdownElementNodeParser.get_base_nodes_and_mappings': async (given) => {
    const inputs = nodesOf(given.nodes)
    const { baseNodes, nodeMappings } = await unchanged(inputs, () =>
      new MarkdownElementNodeParser().getBaseNodesAndMappings(inputs),
    )
    return {
      base: baseNodes.map(({ id }) => id),
      mappings: Object.fromEntries(Object.entries(nodeMappings).map(([key, { id }]) => [key, id])),
    }
  },

  'MarkdownElementNodeParser.get_nodes_and_objects': async (given) => {
    const inputs = nodesOf(given.nodes)
    const { nodes, objects } = await unchanged(inputs, () => new MarkdownElementNodeParser().getNodesAndObjects(inputs))
    return {
      nodes: nodes.map(({ id }) => id),
      objects: objects.map(({ id, obj }) => ({ id_: id, obj: isNode(obj) ? obj.id : null })),
    }
  },
}

// Settings of the element parser.

const settings: Operations = {
  // The default instruction of the summaries may be worded in any way: it is compared only when the case lists it.
  'MarkdownElementNodeParser.to_dict': ({ ...given }, { expect: { value } }) => {
    const dict = elementParser(given).toDict()
    if (!isObject(value) || !('summary_query_str' in value)) delete dict['summary_query_str']
    return dict
  },

  'MarkdownElementNodeParser.construct': ({ parser }) => new MarkdownElementNodeParser(apiKeys(parser)).toDict(),
}

// Parsers that cut text into pieces.

/** Cuts text at each occurrence of a string; throws for text with `BOOM`. */
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

const splitting: Operations = {
  'MarkdownNodeParser.get_nodes_from_documents': ({ documents, ...given }) =>
    parseDocuments(documents, new MarkdownNodeParser(parserOptions(given))),

  'TextSplitter.get_nodes_from_documents': ({ documents, splitOn, ...given }) =>
    parseDocuments(documents, TestSplitter.at(splitOn, parserOptions(given))),

  'TextSplitter.events': async ({ documents, splitOn, ...given }) => {
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

  build_nodes_from_splits: async ({ splits, idFunc: template, refDoc: ref, ...given }) => {
    const document = nodeOf(given.document)
    const refDoc = ref ? nodeOf(ref) : null
    const idFunc = template === undefined ? undefined : idFunction(template)
    const nodes = await unchanged(refDoc ? [document, refDoc] : [document], () =>
      buildNodesFromSplits(splits, document, { refDoc, idFunc }),
    )
    return nodes.map((made) => made.toDict())
  },
}

// The cases of `node-parser.json`.

export const area = defineArea([elements, summaries, nodeOperations, settings, splitting, invariants], {
  nullIsAbsent: true,
  inputsStay: true,
})
