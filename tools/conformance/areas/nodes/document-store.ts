/** Scripts of calls on a document store. */
import type { Dict, TextNode } from '@x/core-model'
import { type RefDocInfo, SimpleDocumentStore } from '@x/storage'
import { type Operations, operation } from '../../case.ts'
import { expectEqual } from '../../compare.ts'
import { argument, CaseError, isObject, list, object, optional, shape, string } from '../../reader.ts'
import { type Call, call, callReader } from '../../script.ts'
import { node } from '../../stand-ins/nodes.ts'

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

const nothing = shape({})
const id = argument<string>()
const withId = shape({ id })
const raise_error = argument<boolean | undefined>()
const withMissing = shape({ id, raise_error })

const documentsToAdd = shape({
  nodes: list(node),
  allow_update: argument<boolean | undefined>(),
  store_text: argument<boolean | undefined>(),
})

const step = callReader<Subject>({
  add_documents: call(documentsToAdd, ({ store }, { nodes, allow_update: allowUpdate, store_text: storeText }) =>
    store.addDocuments(
      nodes.map((build) => build()),
      { allowUpdate, storeText },
    ),
  ),
  get_document: call(withMissing, async ({ store }, given) =>
    view(await store.getDocument(given.id, { raiseError: given.raise_error })),
  ),
  get_node: call(withMissing, async ({ store }, given) =>
    view(await store.getNode(given.id, { raiseError: given.raise_error })),
  ),
  get_nodes: call(shape({ ids: argument<string[]>(), raise_error }), async ({ store }, given) =>
    (await store.getNodes(given.ids, { raiseError: given.raise_error })).map(view),
  ),
  get_node_dict: call(shape({ ids: argument<Record<string, string>>() }), async ({ store }, { ids }) =>
    viewAll(await store.getNodeDict(ids), view),
  ),
  docs: call(nothing, async ({ store }) => Object.keys(await store.docs()).sort()),
  document_exists: call(withId, ({ store }, given) => store.documentExists(given.id)),
  delete_document: call(withMissing, ({ store }, given) =>
    store.deleteDocument(given.id, { raiseError: given.raise_error }),
  ),

  ref_doc_exists: call(withId, ({ store }, given) => store.refDocExists(given.id)),
  get_ref_doc_info: call(withId, async ({ store }, given) => infoView(await store.getRefDocInfo(given.id))),
  get_all_ref_doc_info: call(nothing, async ({ store }) => viewAll(await store.getAllRefDocInfo(), infoView)),
  delete_ref_doc: call(withMissing, ({ store }, given) =>
    store.deleteRefDoc(given.id, { raiseError: given.raise_error }),
  ),

  get_document_hash: call(withId, ({ store }, given) => store.getDocumentHash(given.id)),
  get_all_document_hashes: call(nothing, ({ store }) => store.getAllDocumentHashes()),
  set_document_hash: call(shape({ id, hash: argument<string>() }), ({ store }, given) =>
    store.setDocumentHash(given.id, given.hash),
  ),
  set_document_hashes: call(shape({ hashes: argument<Record<string, string>>() }), ({ store }, { hashes }) =>
    store.setDocumentHashes(hashes),
  ),

  reload: call(nothing, (subject) => subject.reload()),
})

/** Runs one step; a step that throws must leave the store unchanged. */
async function runStep(subject: Subject, run: Call<Subject>, at: string): Promise<Dict> {
  const before = await subject.state()
  try {
    return { value: (await run(subject)) ?? null }
  } catch (error) {
    if (error instanceof CaseError) throw error
    expectEqual(await subject.state(), before, {}, `the store after ${at}, which threw`)
    return { throws: true }
  }
}

export const documentStore: Operations = {
  'SimpleDocumentStore.script': operation(
    shape({ steps: list(step), namespace: optional(string), state: optional(object) }),
    async ({ steps, namespace, state }) => {
      const subject = new Subject(namespace, state)
      const results: Dict[] = []
      for (const [index, run] of steps.entries()) results.push(await runStep(subject, run, `steps[${index}]`))
      const collections = Object.entries(await subject.state()).filter(
        ([, collection]) => isObject(collection) && Object.keys(collection).length > 0,
      )
      return { steps: results, state: Object.fromEntries(collections) }
    },
  ),
}
