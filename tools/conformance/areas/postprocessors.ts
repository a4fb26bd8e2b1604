/**
 * The conformance cases of the postprocessors: every case also proves that neither its inputs nor the component are changed.
 */
import {
  CallbackManager,
  type Dict,
  LLMMetadata,
  type Model,
  type ModelClass,
  NodeWithScore,
  QueryBundle,
  TextNode,
} from '@x/core-model'
import { deepCopy } from '@x/core-model/internal'
import { MapDocumentStore, RecordingCallbackHandler, ScriptedLLM, TableEmbedding } from '@x/core-model/testing'
import type { NodePostprocessor } from '@x/postprocessors'
import * as postprocessors from '@x/postprocessors'
import { PromptTemplate } from '@x/prompts'
import type { Area, Case } from '../area.ts'
import { expectEqual, expectThrows } from '../compare.ts'

interface NodeRecord extends Dict {
  id_: string
  score?: number | null
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const camelKeys = (record: Dict = {}): Dict =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [camel(key), value]))

function classOf(name: string): ModelClass<NodePostprocessor> {
  const found = (postprocessors as unknown as Record<string, ModelClass<NodePostprocessor>>)[name]
  if (!found) throw new Error(`@x/postprocessors has no ${name}`)
  return found
}

function toNode({ prev, next, score: _, ...fields }: NodeRecord): TextNode {
  return TextNode.fromDict({
    text: '',
    ...fields,
    relationships: {
      ...(prev !== undefined && { 2: { node_id: prev } }),
      ...(next !== undefined && { 3: { node_id: next } }),
    },
  })
}

const toEntry = (record: NodeRecord) => new NodeWithScore({ node: toNode(record), score: record.score ?? null })

/** Everything of a case that must not change. */
class Given {
  readonly live: Model[] = []
  private readonly before: [value: unknown, copy: unknown][] = []
  readonly handler = new RecordingCallbackHandler()
  readonly crossPairs: (readonly string[])[] = []
  llm: ScriptedLLM | undefined

  keep<T>(value: T): T {
    this.before.push([value, deepCopy(value)])
    return value
  }

  model<T extends Model>(model: T): T {
    this.live.push(model)
    this.before.push([() => model.toDict(), model.toDict()])
    return model
  }

  check(): void {
    for (const [value, copy] of this.before) {
      const now = typeof value === 'function' ? value() : value
      if (JSON.stringify(now) !== JSON.stringify(copy)) throw new Error('an input or the component was changed')
    }
  }

  /** Constructor options from `init` and the resources. */
  options(className: string, { init = {}, ...resources }: Dict): Dict {
    const options = camelKeys(this.keep(init as Dict))
    if (typeof options['choiceSelectPrompt'] === 'string') {
      options['choiceSelectPrompt'] = new PromptTemplate({ template: options['choiceSelectPrompt'] })
    }
    const {
      docstore,
      llm,
      embed,
      cross_encoder: crossEncoder,
      ner,
      splitter,
      hooks,
    } = resources as Record<string, Dict>
    if (docstore)
      options['docstore'] = new MapDocumentStore(
        (docstore as unknown as NodeRecord[]).map((record) => this.model(toNode(record))),
      )
    if (llm || ['AutoPrevNextNodePostprocessor', 'LLMRerank', 'PIINodePostprocessor'].includes(className)) {
      this.llm = new ScriptedLLM({
        answers: (llm?.['responses'] as string[] | undefined) ?? [],
        metadata: new LLMMetadata({ isChatModel: true, contextWindow: 100_000 }),
      })
      options['llm'] = this.llm
    }
    if (embed || className === 'EmbeddingRecencyPostprocessor') {
      options['embedModel'] = new TableEmbedding({
        texts: (embed?.['texts'] as Record<string, number[]> | undefined) ?? {},
        queries: (embed?.['queries'] as Record<string, number[]> | undefined) ?? {},
      })
    }
    if (className === 'SentenceTransformerRerank') {
      options['device'] ??= 'cpu'
      options['crossEncoder'] = {
        predict: async (pairs: readonly (readonly string[])[]) => {
          this.crossPairs.push(...pairs)
          return [...((crossEncoder?.['scores'] as number[] | undefined) ?? [])]
        },
      }
    }
    if (ner && !Array.isArray(ner))
      options['ner'] = (text: string) => this.keep((ner[text] as unknown[] | undefined) ?? [])
    if (splitter)
      options['tokenizerFn'] = (text: string) =>
        text.split(splitter['separator'] as string).filter((piece) => piece !== '')
    if (hooks?.['format_node_batch'] === 'ids') {
      options['formatNodeBatchFn'] = (nodes: readonly TextNode[]) => nodes.map(({ id }) => id).join(',')
    }
    const choices = hooks?.['parse_choice_select'] as Dict | undefined
    if (choices)
      options['parseChoiceSelectAnswerFn'] = () => ({ choices: choices['choices'], relevances: choices['relevances'] })
    if (className !== '') options['callbackManager'] = new CallbackManager([this.handler])
    return options
  }

  create(className: string, given: Dict): NodePostprocessor {
    return this.model(new (classOf(className))(this.options(className, given)))
  }

  nodes(records: unknown): NodeWithScore[] {
    const entries = (records as NodeRecord[]).map((record) => this.model(toEntry(record)))
    const list = [...entries]
    this.before.push([() => entries.map((entry, index) => entry === list[index]), list.map(() => true)])
    return entries
  }

  query({ query_str: queryStr, query_bundle: bundle }: Dict): Dict {
    return {
      ...(queryStr !== undefined && { queryStr }),
      ...(bundle !== undefined && { queryBundle: this.model(QueryBundle.fromDict(bundle)) }),
    }
  }

  /** The result in the form of the expected value: what a node record leaves out must be as it was given. */
  view(
    result: readonly NodeWithScore[],
    expected: readonly NodeRecord[] | undefined,
    sources: readonly NodeRecord[],
  ): Dict[] {
    return result.map((entry, index) => {
      const dict = entry.node.toDict()
      const want = expected?.[index]
      const source = sources.find(({ id_ }) => id_ === entry.nodeId)
      const view: Dict = { id_: entry.nodeId, score: entry.score }
      const defaults: Dict = {
        text: '',
        metadata: {},
        excluded_embed_metadata_keys: [],
        excluded_llm_metadata_keys: [],
      }
      for (const key of Object.keys(defaults)) {
        const unchanged =
          source !== undefined && JSON.stringify(dict[key]) === JSON.stringify(source[key] ?? defaults[key])
        if ((want && key in want) || !unchanged) view[key] = dict[key]
      }
      return view
    })
  }

  /** What the case compares besides the nodes. */
  extras(expected: Dict): Dict {
    return {
      ...('llm_calls' in expected && {
        llm_calls: (this.llm?.calls ?? []).map(({ messages, prompt }) => prompt ?? messages![0]!['content']),
      }),
      ...('cross_pairs' in expected && { cross_pairs: this.crossPairs }),
      ...('events' in expected && { events: this.events() }),
    }
  }

  private events(): Dict[] {
    return this.handler.events.flatMap((event) => {
      if (event.phase !== 'start' && event.phase !== 'end') return []
      const { nodes, model_name, query_str, top_k } = event.payload ?? {}
      const payload = {
        ...(Array.isArray(nodes) && { node_ids: nodes.map((node: NodeWithScore) => node.nodeId) }),
        model_name,
        query_str,
        top_k,
      }
      return [{ type: event.type, phase: event.phase, payload: JSON.parse(JSON.stringify(payload)) as Dict }]
    })
  }
}

const withoutModels = ({
  llm: _,
  embed_model: _e,
  docstore: _d,
  service_context: _s,
  choice_select_prompt: _c,
  ...rest
}: Dict) => rest

/** Runs the operation of a case; gives the actual value. */
async function run(op: string, g: Dict, expected: Dict, given: Given): Promise<unknown> {
  const {
    defaultFormatNodeBatchFn,
    defaultParseChoiceSelectAnswerFn,
    getBackwardNodes,
    getForwardNodes,
    getTopKEmbeddings,
  } = postprocessors
  switch (op) {
    case 'chain.postprocess_nodes': {
      let nodes = given.nodes(g['nodes'])
      const sources = [...(g['nodes'] as NodeRecord[])]
      const query = given.query(g)
      for (const { class: name, ...step } of g['steps'] as Dict[]) {
        sources.push(...((step['docstore'] as NodeRecord[] | undefined) ?? []))
        nodes = await given.create(name as string, step).postprocessNodes(nodes, query)
      }
      return { nodes: given.view(nodes, expected['nodes'] as NodeRecord[], sources) }
    }
    case 'get_forward_nodes':
    case 'get_backward_nodes': {
      const store = new MapDocumentStore((g['docstore'] as NodeRecord[]).map((record) => given.model(toNode(record))))
      const walk = op === 'get_forward_nodes' ? getForwardNodes : getBackwardNodes
      const found = await walk(given.model(toEntry(g['node'] as NodeRecord)), g['num_nodes'] as number, store)
      return [...found].map(([id_, { score }]) => ({ id_, score }))
    }
    case 'get_top_k_embeddings': {
      const [similarities, ids] = getTopKEmbeddings(
        g['query_embedding'] as number[],
        given.keep(g['embeddings']) as number[][],
        {
          topK: g['similarity_top_k'] as number | undefined,
          cutoff: g['similarity_cutoff'] as number | undefined,
          ids: g['embedding_ids'] as string[] | undefined,
        },
      )
      return { similarities, ids }
    }
    case 'default_parse_choice_select_answer_fn':
      return defaultParseChoiceSelectAnswerFn(
        g['answer'] as string,
        g['num_choices'] as number,
        g['raise_error'] as boolean | undefined,
      )
    case 'default_format_node_batch_fn':
      return defaultFormatNodeBatchFn(given.nodes(g['nodes']).map(({ node }) => node))
    case 'QueryBundle.embedding_strs':
      return QueryBundle.fromDict(given.keep(g['query_bundle'])).embeddingStrs
    case 'QueryBundle.to_dict':
      return QueryBundle.fromDict(given.keep(g['query_bundle'])).toDict()
    case 'NodeWithScore.get_score': {
      const { raise_error: raiseError } = (g['args'] as { raise_error?: boolean } | undefined) ?? {}
      return given.model(toEntry(g['node'] as NodeRecord)).getScore(raiseError)
    }
    case 'NodeWithScore.to_dict':
      return toEntry(given.keep(g['node']) as NodeRecord).toDict()
    case 'NodeWithScore.get_content':
      return given.model(toEntry(g['node'] as NodeRecord)).getContent(g['metadata_mode'] as 'none' | undefined)
  }
  const [className, operation] = op.split(/\.(.*)/) as [string, string]
  switch (operation) {
    case 'postprocess_nodes': {
      const postprocessor = given.create(className, g)
      const result = await postprocessor.postprocessNodes(given.nodes(g['nodes']), given.query(g))
      const sources = [...(g['nodes'] as NodeRecord[]), ...((g['docstore'] as NodeRecord[] | undefined) ?? [])]
      return { nodes: given.view(result, expected['nodes'] as NodeRecord[], sources), ...given.extras(expected) }
    }
    case 'mask_pii': {
      const text = g['text'] as string
      if (className === 'NERPIINodePostprocessor') {
        const entities = given.keep(g['ner']) as never[]
        return (
          given.create(className, { init: g['init'] }) as InstanceType<typeof postprocessors.NERPIINodePostprocessor>
        ).maskPii(() => entities, text)
      }
      const masked = await (
        given.create(className, g) as InstanceType<typeof postprocessors.PIINodePostprocessor>
      ).maskPii(text)
      return { ...masked, ...given.extras(expected) }
    }
    case 'to_dict':
      return withoutModels(given.create(className, g).toDict())
    case 'from_dict': {
      const { data, kwargs = {}, ...resources } = g
      const { callbackManager: _, device: _d, ...overrides } = given.options(className, { ...resources, init: kwargs })
      const device = (kwargs as Dict)['device']
      const built = classOf(className).fromDict(given.keep(data), {
        ...overrides,
        ...(device !== undefined && { device }),
      })
      return withoutModels(built.toDict())
    }
    case 'class_name':
      return classOf(className).className()
    case 'as_query_component.keys': {
      const component = given.create(className, g).asQueryComponent()
      const { required, optional } = component.inputKeys
      return {
        required: [...required].sort(),
        optional: [...optional].sort(),
        outputs: [...component.outputKeys].sort(),
      }
    }
    case 'as_query_component.run': {
      const { partial } = (g['kwargs'] as { partial?: Dict } | undefined) ?? {}
      const component = given
        .create(className, g)
        .asQueryComponent({ ...(partial && { partial: given.keep(partial) }) })
      const { nodes, ...inputs } = g['inputs'] as Dict
      const records =
        Array.isArray(nodes) && nodes.every((node) => typeof node === 'object' && node !== null && 'id_' in node)
      const output = await component.runComponent({
        ...inputs,
        ...(nodes !== undefined && { nodes: records ? given.nodes(nodes) : nodes }),
      })
      return {
        ...output,
        nodes: given.view(output['nodes'] as NodeWithScore[], expected['nodes'] as NodeRecord[], nodes as NodeRecord[]),
      }
    }
  }
  throw new Error(`unknown operation ${op}`)
}

/** Only the keys that the case lists; node lists are compared as they are. */
function listed(actual: unknown, expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return actual
  return Object.fromEntries(Object.keys(expected).map((key) => [key, (actual as Dict)[key]]))
}

export const area: Area = {
  async check(testCase: Case): Promise<void> {
    const {
      op,
      given: g,
      expect,
    } = testCase as unknown as { op: string; given: Dict; expect: { value?: unknown; throws?: boolean } }
    const given = new Given()
    if (expect.throws) await expectThrows(() => run(op, g, {}, given))
    else {
      const actual = await run(op, g, (expect.value ?? {}) as Dict, given)
      expectEqual(op.includes('_dict') ? actual : listed(actual, expect.value), expect.value)
    }
    given.check()
  },
}
