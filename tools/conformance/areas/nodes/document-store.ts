/** Scripts of calls on a document store. */
import type { Dict, TextNode } from '@x/core-model'
import { type RefDocInfo, SimpleDocumentStore } from '@x/storage'
import type { Operations } from '../../case.ts'
import { expectEqual, thrownBy } from '../../compare.ts'
import { CaseError, isObject } from '../../given.ts'
import { type CallRecord, type Calls, runCall } from '../../script.ts'
import { nodesOf } from '../../stand-ins/nodes.ts'

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

interface OfId {
  id: string
  raiseError?: boolean
}

interface OfIds {
  ids: string[]
  raiseError?: boolean
}

interface OfNodes {
  nodes: Dict[]
  allowUpdate?: boolean
  storeText?: boolean
}

const calls: Calls<Subject> = {
  add_documents: ({ store }, { nodes, ...options }: OfNodes) => store.addDocuments(nodesOf(nodes), options),
  get_document: async ({ store }, { id, ...options }: OfId) => view(await store.getDocument(id, options)),
  get_node: async ({ store }, { id, ...options }: OfId) => view(await store.getNode(id, options)),
  get_nodes: async ({ store }, { ids, ...options }: OfIds) => (await store.getNodes(ids, options)).map(view),
  get_node_dict: async ({ store }, { ids }: { ids: Record<string, string> }) =>
    viewAll(await store.getNodeDict(ids), view),
  docs: async ({ store }) => Object.keys(await store.docs()).sort(),
  document_exists: ({ store }, { id }: OfId) => store.documentExists(id),
  delete_document: ({ store }, { id, ...options }: OfId) => store.deleteDocument(id, options),

  ref_doc_exists: ({ store }, { id }: OfId) => store.refDocExists(id),
  get_ref_doc_info: async ({ store }, { id }: OfId) => infoView(await store.getRefDocInfo(id)),
  get_all_ref_doc_info: async ({ store }) => viewAll(await store.getAllRefDocInfo(), infoView),
  delete_ref_doc: ({ store }, { id, ...options }: OfId) => store.deleteRefDoc(id, options),

  get_document_hash: ({ store }, { id }: OfId) => store.getDocumentHash(id),
  get_all_document_hashes: ({ store }) => store.getAllDocumentHashes(),
  set_document_hash: ({ store }, { id, hash }: OfId & { hash: string }) => store.setDocumentHash(id, hash),
  set_document_hashes: ({ store }, { hashes }: { hashes: Record<string, string> }) => store.setDocumentHashes(hashes),

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

export const documentStore: Operations = {
  'SimpleDocumentStore.script': async (given: { steps: CallRecord[]; namespace?: string; state?: Dict }) => {
    const subject = new Subject(given.namespace, given.state)
    const results: Dict[] = []
    for (const [index, record] of given.steps.entries()) results.push(await runStep(subject, record, `steps[${index}]`))
    const collections = Object.entries(await subject.state()).filter(
      ([, collection]) => isObject(collection) && Object.keys(collection).length > 0,
    )
    return { steps: results, state: Object.fromEntries(collections) }
  },
}
