/** Builds what a case describes, and notices when a call changes it. */
import { CallbackManager, type Dict, LLMMetadata, type Model, type NodeWithScore, QueryBundle } from '@x/core-model'
import { MapDocumentStore, RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import type { NamedEntity, NodePostprocessor } from '@x/postprocessors'
import { PromptTemplate } from '@x/prompts'
import { expectEqual } from '../../compare.ts'
import { apiKeys, CaseError } from '../../given.ts'
import type { PostprocessorClass } from './class.ts'
import { entryOf, type NodeRecord, nodeOf } from './node-record.ts'

/** A query. */
export interface QueryRecord {
  queryStr?: string
  queryBundle?: Dict
}

/** Entities go to the postprocessor as they are: a model may return anything. */
type Entities = readonly NamedEntity[]

/** The inputs of a case in addition to nodes: settings, stores, models and functions. */
export interface Resources {
  init?: Dict | undefined
  docstore?: NodeRecord[]
  llm?: { responses?: string[] }
  embed?: { texts?: Record<string, number[]>; queries?: Record<string, number[]> }
  crossEncoder?: { scores?: number[] }
  /** Entities of one text, or by text. */
  ner?: NamedEntity[] | Record<string, Entities>
  splitter?: { separator: string }
  hooks?: { format_node_batch?: 'ids'; parse_choice_select?: { choices?: unknown; relevances?: unknown } }
}

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

  nodes(records: readonly NodeRecord[]): NodeWithScore[] {
    const list = records.map((record) => this.watch(entryOf(record)))
    this.lists.push({ list, before: [...list] })
    return list
  }

  documentStore(records: readonly NodeRecord[]): MapDocumentStore {
    return new MapDocumentStore(records.map((record) => this.watch(nodeOf(record))))
  }

  query({ queryStr, queryBundle: bundle }: QueryRecord) {
    return {
      ...(queryStr !== undefined && { queryStr }),
      ...(bundle !== undefined && { queryBundle: this.watch(QueryBundle.fromDict(bundle)) }),
    }
  }

  create(postprocessor: PostprocessorClass, resources: Resources): NodePostprocessor {
    const callbackManager = new CallbackManager([this.handler])
    const { name } = postprocessor.spec()
    const options: Dict = { ...this.options(name, resources), callbackManager }
    if (name === 'SentenceTransformerRerank') options['device'] ??= 'cpu'
    return this.watch(new postprocessor(options))
  }

  /** Constructor options from `init` and the resources. */
  options(className: string, { init, docstore, splitter, hooks, ner, ...models }: Resources): Dict {
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

  private models(className: string, { llm, embed, crossEncoder: encoder }: Resources): Dict {
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
