/** The cases of `nodes.json`. */
import {
  type Dict,
  Document,
  docToJson,
  ImageDocument,
  ImageNode,
  IndexNode,
  jsonToDoc,
  type TextNode,
} from '@x/core-model'
import { type RefDocInfo, SimpleDocumentStore } from '@x/storage'
import { defineArea, type Operations } from '../case.ts'
import { expectEqual, thrownBy } from '../compare.ts'
import { CaseError, isObject, type Json, named } from '../given.ts'
import { type CallRecord, type Calls, runCall } from '../script.ts'
import { nodeClass, nodeOf, nodesOf, nodeWithScore, recordOf, unchanged } from '../stand-ins/nodes.ts'

const records: Operations = {
  'node.to_dict': ({ node }) => recordOf(node).toDict(),
  'node.from_dict': (given) => nodeClass(given.class).fromDict(given.data).toDict(),
  'node.from_json': (given) => nodeClass(given.class).fromJson(given.json).toDict(),
  doc_to_json: ({ node }) => docToJson(nodeOf(node)),
  json_to_doc: ({ record }) => jsonToDoc(record).toDict(),
  'IndexNode.from_text_node': ({ node, indexId }) => IndexNode.fromTextNode(nodeOf(node), indexId).toDict(),

  'Document.embedchain': ({ node }) => {
    const document = nodeOf(node)
    if (!(document instanceof Document)) throw new Error('given.node: expected a Document')
    const out = document.toEmbedchainFormat()
    return { out, back: Document.fromEmbedchainFormat(out).toDict() }
  },
}

// Content, hash, relations and embedding of nodes.

const relations: Readonly<Record<string, (node: TextNode) => unknown>> = {
  source_node: ({ sourceNode }) => sourceNode?.toDict() ?? null,
  prev_node: ({ prevNode }) => prevNode?.toDict() ?? null,
  next_node: ({ nextNode }) => nextNode?.toDict() ?? null,
  parent_node: ({ parentNode }) => parentNode?.toDict() ?? null,
  child_nodes: ({ childNodes }) => childNodes?.map((each) => each.toDict()) ?? null,
  ref_doc_id: ({ refDocId }) => refDocId,
}

/** Runs an operation on a built node, which must not change. */
function reading(run: (node: TextNode, given: Json) => unknown) {
  return (given: Json) => {
    const built = nodeOf(given.node)
    return unchanged([built], () => run(built, given))
  }
}

const texts: Operations = {
  'node.hash': reading(({ hash }) => hash),
  'node.get_content': reading((built, { mode }) => built.getContent(mode)),
  'node.get_metadata_str': reading((built, { mode }) => built.getMetadataStr(mode)),
  'node.relation': reading((built, { which }) => named(relations, which)(built)),
  'node.as_related_node_info': reading((built) => built.asRelatedNodeInfo().toDict()),
  'node.get_type': reading((built) => built.getType()),
  'node.get_embedding': reading((built) => built.getEmbedding()),
  'node.get_node_info': reading((built) => built.getNodeInfo()),

  'node.set_content': ({ node, content }) => {
    const built = nodeOf(node)
    built.setContent(content)
    return { text: built.text, hash: built.hash }
  },
}

// Nodes with images.

const images: Operations = {
  'ImageNode.resolve_image': async ({ node }) => {
    const built = nodeOf(node)
    if (!(built instanceof ImageNode) && !(built instanceof ImageDocument))
      throw new Error('given.node: expected a node with an image')
    const { bytes, path } = await built.resolveImage()
    return bytes === undefined ? { path } : { base64: Buffer.from(bytes).toString('base64') }
  },
}

// Nodes with a score.

const scores: Operations = {
  'NodeWithScore.get_score': ({ node, raiseError }) => nodeWithScore(node).getScore(raiseError),

  'NodeWithScore.passthrough': ({ node }) => {
    const built = nodeWithScore(node)
    return {
      node_id: built.nodeId,
      text: built.text,
      metadata: built.metadata,
      embedding: built.embedding,
      content: built.getContent(),
      content_all: built.getContent('all'),
    }
  },
}

// Scripts of calls on a document store.

/** A store that can be written and read again. */
class Subject {
  store: SimpleDocumentStore
  private readonly namespace: string | undefined

  constructor(namespace: string | undefined, state: Dict | undefined) {
    this.namespace = namespace
    this.store = state ? SimpleDocumentStore.fromDict(state, { namespace }) : new SimpleDocumentStore({ namespace })
  }

  async state(): Promise<Dict> {
    return this.store.toDict()
  }

  async reload(): Promise<void> {
    const text = JSON.stringify(await this.store.toDict())
    this.store = SimpleDocumentStore.fromDict(JSON.parse(text), { namespace: this.namespace })
  }
}

function view(found: TextNode | null): Dict | null {
  if (found === null) return null
  const { id: id_, text, metadata } = found
  return { id_, class_name: found.toDict()['class_name'], text, metadata }
}

function infoView(info: RefDocInfo | null): Dict | null {
  return info && { node_ids: info.nodeIds, metadata: info.metadata }
}

function viewAll<T>(found: Readonly<Record<string, T>>, view: (each: T) => Dict | null): Dict {
  return Object.fromEntries(Object.entries(found).map(([key, each]) => [key, view(each)]))
}

const calls: Calls<Subject> = {
  add_documents: ({ store }, { nodes, ...options }) => store.addDocuments(nodesOf(nodes), options),
  get_document: async ({ store }, { id, ...options }) => view(await store.getDocument(id, options)),
  get_node: async ({ store }, { id, ...options }) => view(await store.getNode(id, options)),
  get_nodes: async ({ store }, { ids, ...options }) => (await store.getNodes(ids, options)).map(view),
  get_node_dict: async ({ store }, { ids }) => viewAll(await store.getNodeDict(ids), view),
  docs: async ({ store }) => Object.keys(await store.docs()).sort(),
  document_exists: ({ store }, { id }) => store.documentExists(id),
  delete_document: ({ store }, { id, ...options }) => store.deleteDocument(id, options),

  ref_doc_exists: ({ store }, { id }) => store.refDocExists(id),
  get_ref_doc_info: async ({ store }, { id }) => infoView(await store.getRefDocInfo(id)),
  get_all_ref_doc_info: async ({ store }) => viewAll(await store.getAllRefDocInfo(), infoView),
  delete_ref_doc: ({ store }, { id, ...options }) => store.deleteRefDoc(id, options),

  get_document_hash: ({ store }, { id }) => store.getDocumentHash(id),
  get_all_document_hashes: ({ store }) => store.getAllDocumentHashes(),
  set_document_hash: ({ store }, { id, hash }) => store.setDocumentHash(id, hash),
  set_document_hashes: ({ store }, { hashes }) => store.setDocumentHashes(hashes),

  reload: (subject) => subject.reload(),
}

/** Runs one step; a step that throws must leave the store unchanged. */
async function runStep(subject: Subject, record: CallRecord, at: string): Promise<Dict> {
  const before = await subject.state()
  try {
    return { value: (await runCall(calls, record, subject)) ?? null }
  } catch (thrown) {
    const error = thrownBy(thrown)
    if (error instanceof CaseError) throw error
    expectEqual(await subject.state(), before, {}, `the store after ${at}, which threw`)
    return { throws: true }
  }
}

const documentStore: Operations = {
  'SimpleDocumentStore.script': async (given) => {
    const subject = new Subject(given.namespace, given.state)
    const results: Dict[] = []
    for (const [index, record] of given.steps.entries()) results.push(await runStep(subject, record, `steps[${index}]`))
    const collections = Object.entries(await subject.state()).filter(
      ([, collection]) => isObject(collection) && Object.keys(collection).length > 0,
    )
    return { steps: results, state: Object.fromEntries(collections) }
  },
}

// The cases of `nodes.json`.

export const area = defineArea([records, texts, images, scores, documentStore], {
  nullIsAbsent: true,
  inputsStay: true,
})
