/** Parsers that a case describes, and the nodes that they return. */
import { type Dict, isModel, NodeRelationship, type TextNode } from '@x/core-model'
import { type IdFunc, MarkdownElementNodeParser } from '@x/node-parser'
import { expectEqual } from '../../compare.ts'
import { apiKeys } from '../../given.ts'
import { nodesOf, unchanged } from '../../stand-ins/nodes.ts'

/** The description of a parser. */
export interface ParserRecord {
  parser?: Dict
  idFunc?: string
  numWorkers?: number
  summaryQueryStr?: string
}

/** A template in which `{i}` is the number of the node and `{doc}` the id of the input node. */
export function idFunction(template: string): IdFunc {
  return (index, { id }) => template.replaceAll('{i}', String(index)).replaceAll('{doc}', id)
}

/** Constructor options of a parser. */
export function parserOptions({ parser, idFunc, ...options }: ParserRecord): Dict {
  return { ...apiKeys(parser), ...(idFunc !== undefined && { idFunc: idFunction(idFunc) }), ...options }
}

export const elementParser = (given: ParserRecord, more: Dict = {}): MarkdownElementNodeParser =>
  new MarkdownElementNodeParser({ ...parserOptions(given), ...more })

/** Id of the node in a relation, or null. */
export function relatedId({ relationships }: TextNode, code: NodeRelationship): string | null {
  const related = relationships[code]
  return related && !Array.isArray(related) ? related.nodeId : null
}

export function nodeView(node: TextNode): Dict {
  return {
    class_name: node.toDict()['class_name'],
    id_: node.id,
    text: node.text,
    metadata: node.metadata,
    start_char_idx: node.startCharIdx,
    end_char_idx: node.endCharIdx,
    excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
    excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    source: relatedId(node, NodeRelationship.source),
    prev: relatedId(node, NodeRelationship.previous),
    next: relatedId(node, NodeRelationship.next),
    ...('indexId' in node && { index_id: node.indexId }),
  }
}

/** Checks that previous and next records carry the final metadata, hash and type of the neighbours in the list. */
function checkNeighbours(nodes: readonly TextNode[]): void {
  for (const [index, { relationships }] of nodes.entries()) {
    const neighbours = [
      [NodeRelationship.previous, nodes[index - 1]],
      [NodeRelationship.next, nodes[index + 1]],
    ] as const
    for (const [code, neighbour] of neighbours) {
      const record = relationships[code]
      if (isModel(record))
        expectEqual(
          record.toDict(),
          neighbour?.asRelatedNodeInfo().toDict(),
          {},
          `nodes[${index}].relationships[${code}]`,
        )
    }
  }
}

interface Parser {
  getNodesFromDocuments(nodes: TextNode[]): Promise<TextNode[]>
}

/** Parses documents, which must not change, and returns the views of the nodes. */
export async function parseDocuments(documents: readonly Dict[], parser: Parser): Promise<Dict[]> {
  const inputs = nodesOf(documents)
  const nodes = await unchanged(inputs, () => parser.getNodesFromDocuments(inputs))
  checkNeighbours(nodes)
  return nodes.map(nodeView)
}
