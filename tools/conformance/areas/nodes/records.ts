/** The wire forms of nodes. */
import { type Dict, Document, docToJson, IndexNode, jsonToDoc } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { nodeClass, nodeOf, recordOf } from '../../stand-ins/nodes.ts'

interface OfNode {
  node: Dict
}

export const records: Operations = {
  'node.to_dict': ({ node }: OfNode) => recordOf(node).toDict(),
  'node.from_dict': (given: { class: string; data: unknown }) => nodeClass(given.class).fromDict(given.data).toDict(),
  'node.from_json': (given: { class: string; json: string }) => nodeClass(given.class).fromJson(given.json).toDict(),
  doc_to_json: ({ node }: OfNode) => docToJson(nodeOf(node)),
  json_to_doc: ({ record }: { record: object }) => jsonToDoc(record).toDict(),
  'IndexNode.from_text_node': ({ node, indexId }: OfNode & { indexId: string }) =>
    IndexNode.fromTextNode(nodeOf(node), indexId).toDict(),

  'Document.embedchain': ({ node }: OfNode) => {
    const document = nodeOf(node)
    if (!(document instanceof Document)) throw new Error('given.node: expected a Document')
    const out = document.toEmbedchainFormat()
    return { out, back: Document.fromEmbedchainFormat(out).toDict() }
  },
}
