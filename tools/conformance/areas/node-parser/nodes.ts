/** Nodes of elements and of documents. */
import { isNode } from '@x/core-model'
import { MarkdownElementNodeParser } from '@x/node-parser'
import { type Operations, operation } from '../../case.ts'
import { expectEqual } from '../../compare.ts'
import { list, nullable, optional, shape } from '../../reader.ts'
import { node, rememberNodes } from '../../stand-ins/nodes.ts'
import { element, elementOf } from './element.ts'
import { script, withModel } from './mock-model.ts'
import { documents, elementParser, elementParserKeys, nodeView, parseDocuments } from './parser.ts'

export const nodes: Operations = {
  'MarkdownElementNodeParser.get_nodes_from_elements': operation(
    shape({ ...elementParserKeys, elements: list(element), node: optional(nullable(node)) }),
    async (given) => {
      const elements = given.elements.map(elementOf)
      const before = structuredClone(elements)
      const input = given.node ? given.node() : null
      const checkUnchanged = rememberNodes(input ? [input] : [])
      const made = await elementParser(given).getNodesFromElements(elements, { node: input })
      expectEqual(elements, before, {}, 'input elements')
      checkUnchanged()
      return made.map(nodeView)
    },
  ),

  'MarkdownElementNodeParser.get_nodes_from_documents': operation(
    shape({ ...elementParserKeys, documents, llm: optional(script) }),
    (given, expected) =>
      withModel(given.llm, expected, (llm) => parseDocuments(given.documents, elementParser(given, { llm }))),
  ),

  'MarkdownElementNodeParser.get_base_nodes_and_mappings': operation(shape({ nodes: list(node) }), (given) => {
    const inputs = given.nodes.map((build) => build())
    const checkUnchanged = rememberNodes(inputs)
    const { baseNodes, nodeMappings } = new MarkdownElementNodeParser().getBaseNodesAndMappings(inputs)
    checkUnchanged()
    return {
      base: baseNodes.map(({ id }) => id),
      mappings: Object.fromEntries(Object.entries(nodeMappings).map(([key, { id }]) => [key, id])),
    }
  }),

  'MarkdownElementNodeParser.get_nodes_and_objects': operation(shape({ nodes: list(node) }), (given) => {
    const inputs = given.nodes.map((build) => build())
    const checkUnchanged = rememberNodes(inputs)
    const { nodes, objects } = new MarkdownElementNodeParser().getNodesAndObjects(inputs)
    checkUnchanged()
    return {
      nodes: nodes.map(({ id }) => id),
      objects: objects.map(({ id, obj }) => ({ id_: id, obj: isNode(obj) ? obj.id : null })),
    }
  }),
}
