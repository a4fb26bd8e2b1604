/** Runs the cases of `nodes.json` against `@x/core-model` and `@x/storage`. */
import * as core from '@x/core-model'
import { isPlainObject, mapValues } from '@x/core-model/internal'
import { SimpleDocumentStore } from '@x/storage'
import type { Area, Case } from '../area.ts'
import { expectEqual, expectThrows } from '../compare.ts'
import { apiName } from '../names.ts'

// biome-ignore lint/suspicious/noExplicitAny: descriptors are free-form JSON
type Given = any

const classes: Record<string, core.ModelClass> = {
  TextNode: core.TextNode,
  Document: core.Document,
  ImageNode: core.ImageNode,
  ImageDocument: core.ImageDocument,
  IndexNode: core.IndexNode as core.ModelClass,
  RelatedNodeInfo: core.RelatedNodeInfo as core.ModelClass,
  NodeWithScore: core.NodeWithScore as core.ModelClass,
}

/** The node of a record of a case. */
function nodeOf({ class_name: name = 'TextNode', ...fields }: Given): Given {
  const nodeClass = classes[name]
  if (nodeClass === undefined) throw new Error(`there is no class ${name}`)
  const { obj, node, ...plain } = fields
  if (name === 'NodeWithScore') return nodeClass.fromDict(plain, { node: nodeOf(node) })
  const built = nodeClass.fromDict(plain) as Given
  if (name === 'IndexNode' && obj !== undefined)
    built.obj = isPlainObject(obj) && 'class_name' in obj ? nodeOf(obj) : obj
  return built
}

const view = (node: core.TextNode | null) =>
  node && {
    id_: node.id,
    class_name: (node.constructor as typeof core.TextNode).className(),
    text: node.text,
    metadata: node.metadata,
  }

async function runScript({ steps, namespace, state }: Given): Promise<Given> {
  let store = state ? SimpleDocumentStore.fromDict(state, namespace) : new SimpleDocumentStore(undefined, namespace)
  const results: Given[] = []
  for (const step of steps) {
    try {
      results.push({ value: await runStep(step) })
    } catch {
      results.push({ throws: true })
    }
  }
  const collections = Object.fromEntries(
    Object.entries(await store.toDict()).filter(([, collection]) => Object.keys(collection as Given).length > 0),
  )
  return { steps: results, state: collections }

  async function runStep({
    call,
    id,
    ids,
    nodes,
    hash,
    hashes,
    raise_error: raiseError,
    allow_update: allowUpdate,
    store_text: storeText,
  }: Given): Promise<Given> {
    if (call === 'reload') {
      store = SimpleDocumentStore.fromDict(JSON.parse(JSON.stringify(await store.toDict())), namespace)
      return null
    }
    if (call === 'add_documents')
      return (await store.addDocuments(nodes.map(nodeOf), { allowUpdate, storeText })) ?? null
    if (call === 'get_document') return view(await store.getDocument(id, { raiseError }))
    if (call === 'get_node') return view(await store.getNode(id, { raiseError }))
    if (call === 'get_nodes') return (await store.getNodes(ids, { raiseError })).map(view)
    if (call === 'get_node_dict')
      return mapValues((await store.getNodeDict(ids)) as Given, (node) => view(node as core.TextNode))
    if (call === 'docs') return Object.keys(await store.docs()).sort()
    if (call === 'get_ref_doc_info') return infoOf(await store.getRefDocInfo(id))
    if (call === 'get_all_ref_doc_info') return mapValues((await store.getAllRefDocInfo()) as Given, infoOf)
    if (call === 'set_document_hash') return (await store.setDocumentHash(id, hash)) ?? null
    if (call === 'set_document_hashes') return (await store.setDocumentHashes(hashes)) ?? null
    if (call === 'delete_document') return (await store.deleteDocument(id, { raiseError })) ?? null
    if (call === 'delete_ref_doc') return (await store.deleteRefDoc(id, { raiseError })) ?? null
    if (call === 'document_exists') return store.documentExists(id)
    if (call === 'ref_doc_exists') return store.refDocExists(id)
    if (call === 'get_document_hash') return store.getDocumentHash(id)
    if (call === 'get_all_document_hashes') return store.getAllDocumentHashes()
    throw new Error(`unknown step ${call}`)
  }
}

const infoOf = (info: Given) => info && { node_ids: info.nodeIds, metadata: info.metadata }

const relation = (related: Given) =>
  Array.isArray(related)
    ? related.map((info) => info.toDict())
    : typeof related === 'string'
      ? related
      : (related?.toDict() ?? null)

const operations: Record<string, (given: Given) => unknown> = {
  'node.to_dict': ({ node }) => nodeOf(node).toDict(),
  'node.from_dict': ({ class: name, data }) => classes[name]!.fromDict(data).toDict(),
  'node.from_json': ({ class: name, json }) => (classes[name] as typeof core.TextNode).fromJson(json).toDict(),
  'node.hash': ({ node }) => nodeOf(node).hash,
  'node.get_content': ({ node, mode }) => nodeOf(node).getContent(mode),
  'node.get_metadata_str': ({ node, mode }) => nodeOf(node).getMetadataStr(mode),
  'node.relation': ({ node, which }) => relation(nodeOf(node)[apiName(which)]),
  'node.as_related_node_info': ({ node }) => nodeOf(node).asRelatedNodeInfo().toDict(),
  'node.get_type': ({ node }) => nodeOf(node).getType(),
  'node.get_embedding': ({ node }) => nodeOf(node).getEmbedding(),
  'node.get_node_info': ({ node }) => nodeOf(node).getNodeInfo(),
  'node.set_content': ({ node: record, content }) => {
    const node = nodeOf(record)
    node.setContent(content)
    return { text: node.text, hash: node.hash }
  },
  'ImageNode.resolve_image': async ({ node }) => {
    const { bytes, path } = await nodeOf(node).resolveImage()
    return path === undefined ? { base64: Buffer.from(bytes).toString('base64') } : { path }
  },
  'IndexNode.from_text_node': ({ node, index_id }) => core.IndexNode.fromTextNode(nodeOf(node), index_id).toDict(),
  'NodeWithScore.get_score': ({ node, raise_error }) =>
    nodeOf({ class_name: 'NodeWithScore', ...node }).getScore(raise_error),
  'NodeWithScore.passthrough': ({ node: record }) => {
    const node = nodeOf({ class_name: 'NodeWithScore', ...record })
    return {
      node_id: node.nodeId,
      text: node.text,
      metadata: node.metadata,
      embedding: node.embedding,
      content: node.getContent(),
      content_all: node.getContent('all'),
    }
  },
  doc_to_json: ({ node }) => core.docToJson(nodeOf(node)),
  json_to_doc: ({ record }) => core.jsonToDoc(record).toDict(),
  'Document.embedchain': ({ node }) => {
    const out = nodeOf(node).toEmbedchainFormat()
    return { out, back: core.Document.fromEmbedchainFormat(out).toDict() }
  },
  'SimpleDocumentStore.script': runScript,
}

export const area: Area = {
  async check({ op, given, expect }: Case) {
    const operation = operations[op]
    if (operation === undefined) throw new Error(`unknown operation ${op}`)
    const before = JSON.stringify(given)
    if (expect.throws) await expectThrows(async () => operation(given), expect)
    else expectEqual(await operation(given), expect.value)
    if (JSON.stringify(given) !== before) throw new Error('the inputs were changed')
  },
}
