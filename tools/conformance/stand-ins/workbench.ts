/** The nodes, classes and resources of the cases of postprocessors. */
import {
  CallbackManager,
  type Dict,
  LLMMetadata,
  type Model,
  type ModelClass,
  NodeRelationship,
  NodeWithScore,
  QueryBundle,
  TextNode,
} from '@x/core-model'
import { MapDocumentStore, RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import * as postprocessors from '@x/postprocessors'
import { PromptTemplate } from '@x/prompts'
import { expectEqual } from '../compare.ts'
import { apiKeys, CaseError, isObject, type Json } from '../given.ts'

/** A class that can be built and read. */
export type PostprocessorClass = ModelClass<postprocessors.NodePostprocessor>

const isPostprocessorClass = (value: unknown): value is PostprocessorClass =>
  typeof value === 'function' && value.prototype instanceof postprocessors.NodePostprocessor

/** The classes of postprocessors by name. */
export const classes: Readonly<Record<string, PostprocessorClass>> = Object.fromEntries(
  Object.entries(postprocessors).flatMap(([name, value]) => (isPostprocessorClass(value) ? [[name, value]] : [])),
)

function nodeOf({ prev, next, score: _, ...fields }: Json): TextNode {
  return TextNode.fromDict({
    text: '',
    ...fields,
    relationships: {
      ...(prev && { [NodeRelationship.previous]: { node_id: prev } }),
      ...(next && { [NodeRelationship.next]: { node_id: next } }),
    },
  })
}

export function entryOf(record: Json): NodeWithScore {
  return new NodeWithScore({ node: nodeOf(record), score: record.score ?? null })
}

const comparedFields: Readonly<Dict> = {
  text: '',
  metadata: {},
  excluded_embed_metadata_keys: [],
  excluded_llm_metadata_keys: [],
}

/** The form of a result that the case expects: a field that the case leaves out must be that of the given node. */
export function viewNodes(result: readonly NodeWithScore[], expected: unknown, sources: readonly Json[]): Dict[] {
  const wanted = isObject(expected) && Array.isArray(expected['nodes']) ? expected['nodes'] : []
  return result.map((entry, index) => viewNode(entry, wanted[index], sources))
}

function viewNode(entry: NodeWithScore, wanted: unknown, sources: readonly Json[]): Dict {
  const dict = entry.node.toDict()
  const source = sources.find(({ id_ }) => id_ === entry.nodeId)
  const given: Dict | undefined = source && { ...comparedFields, ...source }
  const view: Dict = { id_: entry.nodeId, score: entry.score }
  for (const key of Object.keys(comparedFields)) {
    const unchanged = given !== undefined && JSON.stringify(dict[key]) === JSON.stringify(given[key])
    if ((isObject(wanted) && key in wanted) || !unchanged) view[key] = dict[key]
  }
  return view
}

/** Only the keys that the case lists. */
export function listedKeys(value: Readonly<Dict>, expected: unknown): Dict {
  if (!isObject(expected)) return value
  return Object.fromEntries(Object.keys(expected).map((key) => [key, value[key]]))
}

// Builds what a case describes, and notices when a call changes it.

/** Entities go to the postprocessor as they are: a model may return anything. */
type Entities = readonly postprocessors.NamedEntity[]

const classesWithModel = ['AutoPrevNextNodePostprocessor', 'LLMRerank', 'PIINodePostprocessor']

/** The objects of one case. */
export class Workbench {
  readonly handler = new RecordingCallbackHandler()
  readonly crossPairs: (readonly string[])[] = []
  private readonly watched: { model: Model; before: Dict }[] = []
  private readonly lists: { list: readonly unknown[]; before: readonly unknown[] }[] = []
  private llm: ScriptedLLM | undefined
  private answers = 0

  /** Runs an operation; afterwards no object may have changed and no answer may be missing. */
  static async run<T>(work: (bench: Workbench) => T | Promise<T>): Promise<T> {
    const bench = new Workbench()
    try {
      return await work(bench)
    } finally {
      bench.check()
    }
  }

  /** Watches a model: its wire form must stay. */
  watch<T extends Model>(model: T): T {
    this.watched.push({ model, before: model.toDict() })
    return model
  }

  private check(): void {
    for (const { model, before } of this.watched)
      expectEqual(model.toDict(), before, {}, `${model.constructor.name}, after the call`)
    for (const { list, before } of this.lists)
      if (list.length !== before.length || list.some((each, index) => each !== before[index]))
        throw new CaseError('the list of nodes was changed')
    if (this.llm && this.llm.calls.length > this.answers)
      throw new CaseError('the model was asked for more answers than the case contains')
  }

  nodes(records: readonly Json[]): NodeWithScore[] {
    const list = records.map((record) => this.watch(entryOf(record)))
    this.lists.push({ list, before: [...list] })
    return list
  }

  documentStore(records: readonly Json[]): MapDocumentStore {
    return new MapDocumentStore(records.map((record) => this.watch(nodeOf(record))))
  }

  query({ queryStr, queryBundle: bundle }: Json) {
    return {
      ...(queryStr !== undefined && { queryStr }),
      ...(bundle !== undefined && { queryBundle: this.watch(QueryBundle.fromDict(bundle)) }),
    }
  }

  create(postprocessor: PostprocessorClass, resources: Json): postprocessors.NodePostprocessor {
    const callbackManager = new CallbackManager([this.handler])
    const { name } = postprocessor.spec()
    const options: Dict = { ...this.options(name, resources), callbackManager }
    if (name === 'SentenceTransformerRerank') options['device'] ??= 'cpu'
    return this.watch(new postprocessor(options))
  }

  /** Constructor options from `init` and the resources. */
  options(className: string, { init, docstore, splitter, hooks, ner, ...models }: Json): Dict {
    const options = apiKeys(init)
    const template = options['choiceSelectPrompt']
    if (typeof template === 'string') options['choiceSelectPrompt'] = new PromptTemplate({ template })
    if (docstore) options['docstore'] = this.documentStore(docstore)
    if (ner && !Array.isArray(ner)) options['ner'] = (text: string): Entities => ner[text] ?? []
    if (splitter)
      options['tokenizerFn'] = (text: string) => text.split(splitter.separator).filter((piece) => piece !== '')
    if (hooks?.format_node_batch)
      options['formatNodeBatchFn'] = (nodes: readonly { id: string }[]) => nodes.map(({ id }) => id).join(',')
    const choices = hooks?.parse_choice_select
    if (choices) options['parseChoiceSelectAnswerFn'] = () => ({ ...choices })
    return { ...options, ...this.models(className, models) }
  }

  private models(className: string, { llm, embed, crossEncoder: encoder }: Json): Dict {
    const models: Dict = {}
    if (llm || classesWithModel.includes(className)) models['llm'] = this.model(llm?.responses ?? [])
    if (embed || className === 'EmbeddingRecencyPostprocessor')
      models['embedModel'] = new TableEmbedding({ texts: embed?.texts ?? {}, queries: embed?.queries ?? {} })
    if (encoder || className === 'SentenceTransformerRerank')
      models['crossEncoder'] = {
        predict: async (pairs: readonly (readonly string[])[]) => {
          this.crossPairs.push(...pairs)
          return [...(encoder?.scores ?? [])]
        },
      }
    return models
  }

  private model(answers: readonly string[]): ScriptedLLM {
    const metadata = new LLMMetadata({ isChatModel: true, contextWindow: 100_000 })
    this.answers = answers.length
    this.llm = new ScriptedLLM({ answers, metadata, wire: false })
    return this.llm
  }

  /** The records that a case may compare in addition to the result. */
  records(): Dict {
    return { llm_calls: this.llmCalls(), cross_pairs: this.crossPairs, events: this.events() }
  }

  /** The text of every prompt: that of a completion, or the content of the single user message. */
  private llmCalls(): unknown[] {
    return (this.llm?.calls ?? []).map(({ messages = [], prompt }) => {
      if (prompt !== undefined) return prompt
      return messages.length === 1 ? messages[0]?.['content'] : messages
    })
  }

  private events(): Dict[] {
    return this.handler.events.flatMap((event) => {
      if (event.phase !== 'start' && event.phase !== 'end') return []
      const { nodes, model_name, query_str, top_k } = event.payload ?? {}
      const payload: Dict = { model_name, query_str, top_k }
      if (Array.isArray(nodes)) payload['node_ids'] = nodes.map((node: NodeWithScore) => node.nodeId)
      return [{ type: event.type, phase: event.phase, payload }]
    })
  }
}
