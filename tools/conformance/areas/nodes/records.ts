/** The wire forms of nodes. */
import {
  Document,
  docToJson,
  ImageDocument,
  ImageNode,
  IndexNode,
  jsonToDoc,
  type Model,
  NodeWithScore,
  RelatedNodeInfo,
  TextNode,
} from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { anything, argument, named, shape } from '../../reader.ts'
import { node, record } from '../../stand-ins/nodes.ts'

interface NodeClass {
  fromDict(data: unknown): Model
  fromJson(json: string): Model
}

const nodeClass = named<NodeClass>({
  TextNode,
  Document,
  ImageNode,
  ImageDocument,
  IndexNode,
  RelatedNodeInfo,
  NodeWithScore,
})

export const records: Operations = {
  'node.to_dict': operation(shape({ node: record }), (given) => given.node().toDict()),

  'node.from_dict': operation(shape({ class: nodeClass, data: anything }), (given) =>
    given.class.fromDict(given.data).toDict(),
  ),

  'node.from_json': operation(shape({ class: nodeClass, json: argument<string>() }), (given) =>
    given.class.fromJson(given.json).toDict(),
  ),

  doc_to_json: operation(shape({ node }), (given) => docToJson(given.node())),

  json_to_doc: operation(shape({ record: anything }), (given) => jsonToDoc(given.record).toDict()),

  'IndexNode.from_text_node': operation(shape({ node, index_id: argument<string>() }), (given) =>
    IndexNode.fromTextNode(given.node(), given.index_id).toDict(),
  ),

  'Document.embedchain': operation(shape({ node }), (given) => {
    const document = given.node()
    if (!(document instanceof Document)) throw new Error('given.node: expected a Document')
    const out = document.toEmbedchainFormat()
    return { out, back: Document.fromEmbedchainFormat(out).toDict() }
  }),
}
