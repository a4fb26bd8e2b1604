/** Content, hash, relations and embedding of nodes. */
import type { MetadataMode, TextNode } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { argument, named, type Reader, shape } from '../../reader.ts'
import { type Build, node, rememberNodes } from '../../stand-ins/nodes.ts'

interface Relation {
  toDict(): unknown
}

const relations: Readonly<Record<string, (node: TextNode) => Relation | Relation[] | string | null>> = {
  source_node: ({ sourceNode }) => sourceNode,
  prev_node: ({ prevNode }) => prevNode,
  next_node: ({ nextNode }) => nextNode,
  parent_node: ({ parentNode }) => parentNode,
  child_nodes: ({ childNodes }) => childNodes,
  ref_doc_id: ({ refDocId }) => refDocId,
}

function relationForm(related: ReturnType<(typeof relations)[string]>): unknown {
  if (Array.isArray(related)) return related.map((each) => each.toDict())
  return typeof related === 'string' || related === null ? related : related.toDict()
}

/** Runs an operation on a built node, which must not change. */
function reading<T extends { node: Build<TextNode> }>(given: Reader<T>, run: (node: TextNode, given: T) => unknown) {
  return operation(given, (read) => {
    const built = read.node()
    const checkUnchanged = rememberNodes([built])
    const value = run(built, read)
    checkUnchanged()
    return value
  })
}

const withMode = shape({ node, mode: argument<MetadataMode | undefined>() })

export const texts: Operations = {
  'node.hash': reading(shape({ node }), ({ hash }) => hash),

  'node.get_content': reading(withMode, (built, { mode }) => built.getContent(mode)),

  'node.get_metadata_str': reading(withMode, (built, { mode }) => built.getMetadataStr(mode)),

  'node.relation': reading(shape({ node, which: named(relations) }), (built, { which }) => relationForm(which(built))),

  'node.as_related_node_info': reading(shape({ node }), (built) => built.asRelatedNodeInfo().toDict()),

  'node.get_type': reading(shape({ node }), (built) => built.getType()),

  'node.get_embedding': reading(shape({ node }), (built) => built.getEmbedding()),

  'node.get_node_info': reading(shape({ node }), (built) => built.getNodeInfo()),

  'node.set_content': operation(shape({ node, content: argument<string>() }), (given) => {
    const built = given.node()
    built.setContent(given.content)
    return { text: built.text, hash: built.hash }
  }),
}
