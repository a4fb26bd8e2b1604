/** Content, hash, relations and embedding of nodes. */
import type { Dict, MetadataMode, TextNode } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { named } from '../../given.ts'
import { nodeOf, unchanged } from '../../stand-ins/nodes.ts'

const relations: Readonly<Record<string, (node: TextNode) => unknown>> = {
  source_node: ({ sourceNode }) => sourceNode?.toDict() ?? null,
  prev_node: ({ prevNode }) => prevNode?.toDict() ?? null,
  next_node: ({ nextNode }) => nextNode?.toDict() ?? null,
  parent_node: ({ parentNode }) => parentNode?.toDict() ?? null,
  child_nodes: ({ childNodes }) => childNodes?.map((each) => each.toDict()) ?? null,
  ref_doc_id: ({ refDocId }) => refDocId,
}

interface OfNode {
  node: Dict
  mode?: MetadataMode
  which?: string
}

/** Runs an operation on a built node, which must not change. */
function reading(run: (node: TextNode, given: OfNode) => unknown) {
  return (given: OfNode) => {
    const built = nodeOf(given.node)
    return unchanged([built], () => run(built, given))
  }
}

export const texts: Operations = {
  'node.hash': reading(({ hash }) => hash),
  'node.get_content': reading((built, { mode }) => built.getContent(mode)),
  'node.get_metadata_str': reading((built, { mode }) => built.getMetadataStr(mode)),
  'node.relation': reading((built, { which }) => named(relations, which)(built)),
  'node.as_related_node_info': reading((built) => built.asRelatedNodeInfo().toDict()),
  'node.get_type': reading((built) => built.getType()),
  'node.get_embedding': reading((built) => built.getEmbedding()),
  'node.get_node_info': reading((built) => built.getNodeInfo()),

  'node.set_content': ({ node, content }: OfNode & { content: string }) => {
    const built = nodeOf(node)
    built.setContent(content)
    return { text: built.text, hash: built.hash }
  },
}
