/** The cases of `postprocessors.json`. */
import { type Dict, NodeWithScore, QueryBundle } from '@x/core-model'
import {
  defaultFormatNodeBatchFn,
  defaultParseChoiceSelectAnswerFn,
  getBackwardNodes,
  getForwardNodes,
  getTopKEmbeddings,
  NERPIINodePostprocessor,
  PIINodePostprocessor,
} from '@x/postprocessors'
import { type Area, type Case, defineArea, type Operation, type Operations } from '../case.ts'
import { apiKeys, CaseError, isObject, type Json, named } from '../given.ts'
import { classes, entryOf, listedKeys, type PostprocessorClass, viewNodes, Workbench } from '../stand-ins/workbench.ts'

// Operations that every postprocessor has.

/** An operation of one class. */
type ClassOperation = (postprocessor: PostprocessorClass, given: Json, testCase: Case) => unknown

/** Keys with live objects or prompts, which the cases do not compare. */
const notCompared = ['llm', 'embed_model', 'docstore', 'service_context', 'choice_select_prompt']

function comparable(dict: Dict): Dict {
  return Object.fromEntries(Object.entries(dict).filter(([key]) => !notCompared.includes(key)))
}

/** Returns the records of a list of nodes, or null when the case has another value in its place. */
function recordsOf(nodes: unknown): Json {
  const allRecords = Array.isArray(nodes) && nodes.every((each) => isObject(each) && 'id_' in each)
  return allRecords ? nodes : null
}

const isEntry = (value: unknown): value is NodeWithScore => value instanceof NodeWithScore

const classOperations: Readonly<Record<string, ClassOperation>> = {
  postprocess_nodes: (postprocessor, given, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      const made = bench.create(postprocessor, given)
      const result = await made.postprocessNodes(bench.nodes(given.nodes), bench.query(given))
      const sources = [...given.nodes, ...(given.docstore ?? [])]
      return listedKeys({ nodes: viewNodes(result, value, sources), ...bench.records() }, value)
    }),

  to_dict: (postprocessor, given) => Workbench.run((bench) => comparable(bench.create(postprocessor, given).toDict())),

  from_dict: (postprocessor, { data, kwargs, ...given }) =>
    Workbench.run((bench) => {
      const overrides = bench.options(postprocessor.spec().name, { ...given, init: kwargs })
      return comparable(postprocessor.fromDict(data, overrides).toDict())
    }),

  class_name: (postprocessor) => postprocessor.className(),

  mask_pii: (postprocessor, { text, ner, ...given }, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      const made = bench.create(postprocessor, given)
      if (made instanceof PIINodePostprocessor) {
        const masked = await made.maskPii(text)
        return listedKeys({ ...masked, ...bench.records() }, value)
      }
      if (!(made instanceof NERPIINodePostprocessor)) throw new CaseError(`${made.constructor.name} masks no text`)
      const entities = Array.isArray(ner) ? ner : []
      return listedKeys({ ...(await made.maskPii(() => entities, text)) }, value)
    }),

  'as_query_component.keys': (postprocessor, given) =>
    Workbench.run((bench) => {
      const { inputKeys, outputKeys } = bench.create(postprocessor, given).asQueryComponent()
      return {
        required: [...inputKeys.required].sort(),
        optional: [...inputKeys.optional].sort(),
        outputs: [...outputKeys].sort(),
      }
    }),

  'as_query_component.run': (postprocessor, { kwargs, inputs, ...given }, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      const component = bench.create(postprocessor, given).asQueryComponent({ ...kwargs })
      const { nodes, ...others } = inputs
      const records = recordsOf(nodes)
      const output = await component.runComponent({
        ...others,
        ...(nodes !== undefined && { nodes: records ? bench.nodes(records) : nodes }),
      })
      const found = output['nodes']
      const views = Array.isArray(found) && found.every(isEntry) ? viewNodes(found, value, records ?? []) : found
      return { ...output, nodes: views }
    }),
}

// Postprocessors one after the other.

const chain: Operations = {
  'chain.postprocess_nodes': ({ nodes: records, steps, ...query }, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      let nodes = bench.nodes(records)
      const asked = bench.query(query)
      const sources = [...records]
      for (const step of steps) {
        const { class: name, ...resources } = apiKeys<Json & { class: string }>(step)
        nodes = await bench.create(named(classes, name), resources).postprocessNodes(nodes, asked)
        sources.push(...(resources.docstore ?? []))
      }
      return listedKeys({ nodes: viewNodes(nodes, value, sources) }, value)
    }),
}

// Functions that postprocessors use, queries, and nodes with a score.

const walking =
  (walk: typeof getForwardNodes) =>
  ({ node, numNodes, docstore }: Json) =>
    Workbench.run(async (bench) => {
      const found = await walk(bench.watch(entryOf(node)), numNodes, bench.documentStore(docstore))
      return [...found].map(([id_, { score }]) => ({ id_, score }))
    })

const functions: Operations = {
  get_forward_nodes: walking(getForwardNodes),
  get_backward_nodes: walking(getBackwardNodes),

  get_top_k_embeddings: (given, { expect: { value } }) => {
    const { similarityTopK: topK, similarityCutoff: cutoff, embeddingIds: ids } = given
    const [similarities, found] = getTopKEmbeddings(given.queryEmbedding, given.embeddings, { topK, cutoff, ids })
    return listedKeys({ similarities, ids: found }, value)
  },

  default_parse_choice_select_answer_fn: ({ answer, numChoices, raiseError }, { expect: { value } }) =>
    listedKeys({ ...defaultParseChoiceSelectAnswerFn(answer, numChoices, raiseError) }, value),

  default_format_node_batch_fn: ({ nodes }) =>
    Workbench.run((bench) => defaultFormatNodeBatchFn(bench.nodes(nodes).map(({ node }) => node))),

  'QueryBundle.embedding_strs': ({ queryBundle }) => QueryBundle.fromDict(queryBundle).embeddingStrs,
  'QueryBundle.to_dict': ({ queryBundle }) => QueryBundle.fromDict(queryBundle).toDict(),

  'NodeWithScore.get_score': ({ node, args }) =>
    Workbench.run((bench) => bench.watch(entryOf(node)).getScore(args?.raise_error)),
  'NodeWithScore.to_dict': ({ node }) => entryOf(node).toDict(),
  'NodeWithScore.get_content': ({ node, metadataMode }) =>
    Workbench.run((bench) => bench.watch(entryOf(node)).getContent(metadataMode)),
}

// The cases of `postprocessors.json`.

const byName = defineArea([chain, functions], { nullIsAbsent: true, inputsStay: true })

/** Operations of one class are named `<Class>.<operation>`. */
function find(op: string): Operation | undefined {
  const [className = '', ...parts] = op.split('.')
  const name = parts.join('.')
  if (!Object.hasOwn(classes, className) || !Object.hasOwn(classOperations, name)) return byName.find(op)
  return (given, testCase) => classOperations[name]?.(classes[className]!, given, testCase)
}

export const area: Area = { ...byName, names: [...byName.names, ...Object.keys(classOperations)], find }
