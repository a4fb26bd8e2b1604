/** Parsers that a case describes, and the nodes that they return. */
import { type Dict, isModel, NodeRelationship, type TextNode } from '@x/core-model'
import { type IdFunc, MarkdownElementNodeParser } from '@x/node-parser'
import { expectEqual } from '../../compare.ts'
import { apiKeys } from '../../names.ts'
import { argument, list, object, optional, type Read, type Reader, shape, string } from '../../reader.ts'
import { type Build, node, rememberNodes } from '../../stand-ins/nodes.ts'

/** A template in which `{i}` is the number of the node and `{doc}` the id of the input node. */
export const idFunction: Reader<IdFunc> = (value, at) => {
  const template = string(value, at)
  return (index, { id }) => template.replaceAll('{i}', String(index)).replaceAll('{doc}', id)
}

/** Keys with which every parser is described. */
export const parserKeys = { parser: optional(object), id_func: optional(idFunction) }

const parserInput = shape(parserKeys)

/** Constructor options of a parser. */
export function parserOptions({ parser, id_func: idFunc }: Read<typeof parserInput>): Dict {
  return { ...apiKeys(parser), ...(idFunc && { idFunc }) }
}

export const elementParserKeys = {
  ...parserKeys,
  num_workers: argument<number | undefined>(),
  summary_query_str: argument<string | undefined>(),
}

const elementParserInput = shape(elementParserKeys)

export function elementParser(given: Read<typeof elementParserInput>, more: Dict = {}): MarkdownElementNodeParser {
  const { num_workers: numWorkers, summary_query_str: summaryQueryStr } = given
  return new MarkdownElementNodeParser({
    ...parserOptions(given),
    ...(numWorkers !== undefined && { numWorkers }),
    ...(summaryQueryStr !== undefined && { summaryQueryStr }),
    ...more,
  })
}

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

export const documents = list(node)

interface Parser {
  getNodesFromDocuments(nodes: TextNode[]): Promise<TextNode[]>
}

/** Parses documents, which must not change, and returns the views of the nodes. */
export async function parseDocuments(builds: readonly Build<TextNode>[], parser: Parser): Promise<Dict[]> {
  const inputs = builds.map((build) => build())
  const checkUnchanged = rememberNodes(inputs)
  const nodes = await parser.getNodesFromDocuments(inputs)
  checkUnchanged()
  checkNeighbours(nodes)
  return nodes.map(nodeView)
}
