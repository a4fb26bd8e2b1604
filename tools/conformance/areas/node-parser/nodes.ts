/** Nodes of elements and of documents. */
import { type Dict, isNode } from '@x/core-model'
import { MarkdownElementNodeParser } from '@x/node-parser'
import type { Operations } from '../../case.ts'
import { expectEqual } from '../../compare.ts'
import { nodeOf, nodesOf, unchanged } from '../../stand-ins/nodes.ts'
import { type ElementRecord, elementOf } from './element.ts'
import { type Script, withModel } from './mock-model.ts'
import { elementParser, nodeView, type ParserRecord, parseDocuments } from './parser.ts'

interface OfElements extends ParserRecord {
  elements: ElementRecord[]
  node?: Dict | null
}

export const nodes: Operations = {
  'MarkdownElementNodeParser.get_nodes_from_elements': async ({ elements: records, node, ...given }: OfElements) => {
    const elements = records.map(elementOf)
    const before = structuredClone(elements)
    const input = node ? nodeOf(node) : null
    const made = await unchanged(input ? [input] : [], () =>
      elementParser(given).getNodesFromElements(elements, { node: input }),
    )
    expectEqual(elements, before, {}, 'input elements')
    return made.map(nodeView)
  },

  'MarkdownElementNodeParser.get_nodes_from_documents': (
    { documents, llm: script, ...given }: ParserRecord & { documents: Dict[]; llm?: Script },
    { expect },
  ) => withModel(script, expect, (llm) => parseDocuments(documents, elementParser(given, { llm }))),

  'MarkdownElementNodeParser.get_base_nodes_and_mappings': async (given: { nodes: Dict[] }) => {
    const inputs = nodesOf(given.nodes)
    const { baseNodes, nodeMappings } = await unchanged(inputs, () =>
      new MarkdownElementNodeParser().getBaseNodesAndMappings(inputs),
    )
    return {
      base: baseNodes.map(({ id }) => id),
      mappings: Object.fromEntries(Object.entries(nodeMappings).map(([key, { id }]) => [key, id])),
    }
  },

  'MarkdownElementNodeParser.get_nodes_and_objects': async (given: { nodes: Dict[] }) => {
    const inputs = nodesOf(given.nodes)
    const { nodes, objects } = await unchanged(inputs, () => new MarkdownElementNodeParser().getNodesAndObjects(inputs))
    return {
      nodes: nodes.map(({ id }) => id),
      objects: objects.map(({ id, obj }) => ({ id_: id, obj: isNode(obj) ? obj.id : null })),
    }
  },
}
