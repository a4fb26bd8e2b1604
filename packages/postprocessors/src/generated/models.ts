// Generated from the schemas by tools/codegen. Do not edit.
import type { CrossEncoder } from '../cross-encoder/cross-encoder.ts'
import type { ChoiceParser } from '../llm-rerank/llm-rerank.ts'
import type { PostprocessorLike } from '../node-postprocessor.ts'
import type { EntityRecognizer } from '../pii/mask-entities.ts'
import type { MappingSink } from '../pii/masked-node.ts'
import type { ServiceContext } from '../prev-next/auto-prev-next-node-postprocessor.ts'
import type { AccessListener } from '../recency/time-weighted-postprocessor.ts'
import type { CallbackManager, DocumentStore, EmbeddingModel, LLM, ModelSpec, TextNode } from '@x/core-model'
import type { BasePromptTemplate } from '@x/prompts'

/** The fields of {@link AutoPrevNextNodePostprocessor}. */
export interface AutoPrevNextNodePostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** Contains the language model. Alternatively, pass llm. */
  serviceContext: ServiceContext | null
  /** The language model that chooses the direction. */
  llm: LLM | null
  /** The maximum number of neighbours fetched per node and direction. */
  readonly numNodes: number
  /** The prompt that asks for the direction; variables context_str and query_str. */
  inferPrevNextTmpl: string
  /** The prompt for each further part of a long node; variables context_msg, query_str and existing_answer. */
  refinePrevNextTmpl: string
  /** Whether the directions are logged to logger. */
  verbose: boolean
  /** Receives one message per node with its direction when verbose is set. */
  logger: ((message: string) => void) | null
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. */
  onMissing: 'throw' | 'stop'
  /** How to handle an answer that names no direction: throw, or add no neighbours. */
  onInvalidPrediction: 'throw' | 'none'
  /** The maximum number of nodes that the model is asked about at the same time. */
  readonly maxConcurrency: number
}

/** What {@link AutoPrevNextNodePostprocessor} is built from. */
export interface AutoPrevNextNodePostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** Contains the language model. Alternatively, pass llm. */
  serviceContext?: ServiceContext | null | undefined
  /** The language model that chooses the direction. */
  llm?: LLM | null | undefined
  /** The maximum number of neighbours fetched per node and direction. @defaultValue 1 */
  numNodes?: number | undefined
  /** The prompt that asks for the direction; variables context_str and query_str. @defaultValue "You are given a passage of a document and a question. Decide which text has to be read besides the passage to answer the question.\nAnswer with one word:\nPREVIOUS when the text before the passage is needed,\nNEXT when the text after the passage is needed,\nNONE when the passage is enough or no neighbouring text would help.\n\nExample\nPassage: Because of that, the committee rejected the plan.\nQuestion: Why was the plan rejected?\nAnswer: PREVIOUS\n\nExample\nPassage: The bridge was opened in 1932. The following years brought three changes.\nQuestion: What changed after the bridge was opened?\nAnswer: NEXT\n\nExample\nPassage: The lake is 42 metres deep.\nQuestion: How deep is the lake?\nAnswer: NONE\n\nPassage: {context_str}\nQuestion: {query_str}\nAnswer: " */
  inferPrevNextTmpl?: string | undefined
  /** The prompt for each further part of a long node; variables context_msg, query_str and existing_answer. @defaultValue "You are reading a long passage of a document part by part, to decide which text has to be read besides the passage to answer a question.\nAnswer with one word: PREVIOUS when the text before the passage is needed, NEXT when the text after it is needed, NONE when neither is.\n\nYour answer for the parts so far: {existing_answer}\nThe next part of the passage: {context_msg}\nQuestion: {query_str}\nKeep your answer, or correct it in the light of this part.\nAnswer: " */
  refinePrevNextTmpl?: string | undefined
  /** Whether the directions are logged to logger. @defaultValue false */
  verbose?: boolean | undefined
  /** Receives one message per node with its direction when verbose is set. */
  logger?: ((message: string) => void) | null | undefined
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. @defaultValue "throw" */
  onMissing?: 'throw' | 'stop' | undefined
  /** How to handle an answer that names no direction: throw, or add no neighbours. @defaultValue "throw" */
  onInvalidPrediction?: 'throw' | 'none' | undefined
  /** The maximum number of nodes that the model is asked about at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const autoPrevNextNodePostprocessorSpec: ModelSpec = {"name":"AutoPrevNextNodePostprocessor","description":"Adds the nodes before or after each node, in the direction that a language model chooses.","className":"AutoPrevNextNodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"docstore":{"schema":{"type":"object"},"required":true,"runtime":true,"holds":["getNode"]},"serviceContext":{"wire":"service_context","schema":{"type":"object"},"runtime":true,"holds":[]},"llm":{"schema":{"type":"object"},"runtime":true,"holds":["predict"],"extension":true},"numNodes":{"wire":"num_nodes","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"inferPrevNextTmpl":{"wire":"infer_prev_next_tmpl","schema":{"type":"string"},"default":"You are given a passage of a document and a question. Decide which text has to be read besides the passage to answer the question.\nAnswer with one word:\nPREVIOUS when the text before the passage is needed,\nNEXT when the text after the passage is needed,\nNONE when the passage is enough or no neighbouring text would help.\n\nExample\nPassage: Because of that, the committee rejected the plan.\nQuestion: Why was the plan rejected?\nAnswer: PREVIOUS\n\nExample\nPassage: The bridge was opened in 1932. The following years brought three changes.\nQuestion: What changed after the bridge was opened?\nAnswer: NEXT\n\nExample\nPassage: The lake is 42 metres deep.\nQuestion: How deep is the lake?\nAnswer: NONE\n\nPassage: {context_str}\nQuestion: {query_str}\nAnswer: "},"refinePrevNextTmpl":{"wire":"refine_prev_next_tmpl","schema":{"type":"string"},"default":"You are reading a long passage of a document part by part, to decide which text has to be read besides the passage to answer a question.\nAnswer with one word: PREVIOUS when the text before the passage is needed, NEXT when the text after it is needed, NONE when neither is.\n\nYour answer for the parts so far: {existing_answer}\nThe next part of the passage: {context_msg}\nQuestion: {query_str}\nKeep your answer, or correct it in the light of this part.\nAnswer: "},"verbose":{"schema":{"type":"boolean"},"default":false},"logger":{"schema":{},"runtime":true,"holds":"function"},"onMissing":{"wire":"on_missing","schema":{"type":"string","enum":["throw","stop"]},"default":"throw","extension":true},"onInvalidPrediction":{"wire":"on_invalid_prediction","schema":{"type":"string","enum":["throw","none"]},"default":"throw","extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link Deduplicate}. */
export interface DeduplicateFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** Which nodes are duplicates: those with the same id, the same hash (text and metadata), or the same text, ignoring case and white space. */
  by: 'id' | 'hash' | 'text'
}

/** What {@link Deduplicate} is built from. */
export interface DeduplicateOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** Which nodes are duplicates: those with the same id, the same hash (text and metadata), or the same text, ignoring case and white space. @defaultValue "text" */
  by?: 'id' | 'hash' | 'text' | undefined
}

/** @internal */
export const deduplicateSpec: ModelSpec = {"name":"Deduplicate","description":"Removes duplicate nodes.","className":"Deduplicate","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"by":{"schema":{"type":"string","enum":["id","hash","text"]},"default":"text"}}}

/** The fields of {@link DocumentGrouping}. */
export interface DocumentGroupingFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The metadata key whose value identifies the document of a node; null uses the source relationship of the node. */
  groupKey: string | null
  /** The order of documents: by their first node, or by their best score. */
  groupOrder: 'first' | 'best'
  /** The maximum number of nodes per document; the most relevant are kept. Null keeps all. */
  readonly maxPerGroup: number | null
  /** The maximum number of documents; null keeps all. */
  readonly maxGroups: number | null
}

/** What {@link DocumentGrouping} is built from. */
export interface DocumentGroupingOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The metadata key whose value identifies the document of a node; null uses the source relationship of the node. @defaultValue null */
  groupKey?: string | null | undefined
  /** The order of documents: by their first node, or by their best score. @defaultValue "first" */
  groupOrder?: 'first' | 'best' | undefined
  /** The maximum number of nodes per document; the most relevant are kept. Null keeps all. @defaultValue null */
  maxPerGroup?: number | null | undefined
  /** The maximum number of documents; null keeps all. @defaultValue null */
  maxGroups?: number | null | undefined
}

/** @internal */
export const documentGroupingSpec: ModelSpec = {"name":"DocumentGrouping","description":"Groups nodes by document, in document order.","className":"DocumentGrouping","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"groupKey":{"wire":"group_key","schema":{"type":["string","null"]}},"groupOrder":{"wire":"group_order","schema":{"type":"string","enum":["first","best"]},"default":"first"},"maxPerGroup":{"wire":"max_per_group","schema":{"minimum":1,"type":["integer","null"]},"bounded":true},"maxGroups":{"wire":"max_groups","schema":{"minimum":0,"type":["integer","null"]},"bounded":true}}}

/** The fields of {@link EmbeddingRecencyPostprocessor}. */
export interface EmbeddingRecencyPostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** Embeds the nodes, and the queries that find similar nodes. */
  embedModel: EmbeddingModel | null
  /** The metadata key of the date. */
  dateKey: string
  /** An older node is dropped when its similarity to a newer one is greater than this. */
  similarityCutoff: number
  /** The template of the query that finds older versions of a node; variable context_str. */
  queryEmbeddingTmpl: string
  /** The similarity measure; dot is suitable for unit vectors. */
  similarity: 'dot' | 'cosine'
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January. */
  dayFirst: boolean
  /** How to handle a node without a date: throw, put it last, or drop it. */
  onMissingDate: 'throw' | 'last' | 'drop'
}

/** What {@link EmbeddingRecencyPostprocessor} is built from. */
export interface EmbeddingRecencyPostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** Embeds the nodes, and the queries that find similar nodes. */
  embedModel?: EmbeddingModel | null | undefined
  /** The metadata key of the date. @defaultValue "date" */
  dateKey?: string | undefined
  /** An older node is dropped when its similarity to a newer one is greater than this. @defaultValue 0.7 */
  similarityCutoff?: number | undefined
  /** The template of the query that finds older versions of a node; variable context_str. @defaultValue "This is the current version of a document:\n\n{context_str}\n\nOlder documents that say much the same are wanted." */
  queryEmbeddingTmpl?: string | undefined
  /** The similarity measure; dot is suitable for unit vectors. @defaultValue "dot" */
  similarity?: 'dot' | 'cosine' | undefined
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January. @defaultValue false */
  dayFirst?: boolean | undefined
  /** How to handle a node without a date: throw, put it last, or drop it. @defaultValue "throw" */
  onMissingDate?: 'throw' | 'last' | 'drop' | undefined
}

/** @internal */
export const embeddingRecencyPostprocessorSpec: ModelSpec = {"name":"EmbeddingRecencyPostprocessor","description":"Drops older nodes that are similar to a newer one.","className":"EmbeddingRecencyPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"embedModel":{"wire":"embed_model","schema":{"x-nested":true},"holds":["getQueryEmbedding","getTextEmbeddingBatch"]},"dateKey":{"wire":"date_key","schema":{"type":"string"},"default":"date"},"similarityCutoff":{"wire":"similarity_cutoff","schema":{"type":"number"},"default":0.7},"queryEmbeddingTmpl":{"wire":"query_embedding_tmpl","schema":{"type":"string"},"default":"This is the current version of a document:\n\n{context_str}\n\nOlder documents that say much the same are wanted."},"similarity":{"schema":{"type":"string","enum":["dot","cosine"]},"default":"dot","extension":true},"dayFirst":{"wire":"day_first","schema":{"type":"boolean"},"default":false,"extension":true},"onMissingDate":{"wire":"on_missing_date","schema":{"type":"string","enum":["throw","last","drop"]},"default":"throw","extension":true}}}

/** The fields of {@link FixedRecencyPostprocessor}. */
export interface FixedRecencyPostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The maximum number of nodes returned. */
  readonly topK: number
  /** The metadata key of the date. */
  dateKey: string
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January. */
  dayFirst: boolean
  /** How to handle a node without a date: throw, put it last, or drop it. */
  onMissingDate: 'throw' | 'last' | 'drop'
}

/** What {@link FixedRecencyPostprocessor} is built from. */
export interface FixedRecencyPostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The maximum number of nodes returned. @defaultValue 1 */
  topK?: number | undefined
  /** The metadata key of the date. @defaultValue "date" */
  dateKey?: string | undefined
  /** Whether 1/2/2020 is 1 February; otherwise it is 2 January. @defaultValue false */
  dayFirst?: boolean | undefined
  /** How to handle a node without a date: throw, put it last, or drop it. @defaultValue "throw" */
  onMissingDate?: 'throw' | 'last' | 'drop' | undefined
}

/** @internal */
export const fixedRecencyPostprocessorSpec: ModelSpec = {"name":"FixedRecencyPostprocessor","description":"Keeps the newest nodes, ordered by date.","className":"FixedRecencyPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"topK":{"wire":"top_k","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"dateKey":{"wire":"date_key","schema":{"type":"string"},"default":"date"},"dayFirst":{"wire":"day_first","schema":{"type":"boolean"},"default":false,"extension":true},"onMissingDate":{"wire":"on_missing_date","schema":{"type":"string","enum":["throw","last","drop"]},"default":"throw","extension":true}}}

/** The fields of {@link KeywordNodePostprocessor}. */
export interface KeywordNodePostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** A node must contain one of these keywords, or all of them (see match). An empty list accepts every node. */
  requiredKeywords: string[]
  /** A node that contains one of these keywords is dropped. */
  excludeKeywords: string[]
  /** The language tag of the nodes; it decides where words begin and end. */
  lang: string
  /** Whether any required keyword is enough, or all must occur. */
  match: 'any' | 'all'
  /** Whether Red and red are different keywords. */
  caseSensitive: boolean
  /** Whether a keyword must match whole words; false also matches inside words. */
  wordBoundaries: boolean
}

/** What {@link KeywordNodePostprocessor} is built from. */
export interface KeywordNodePostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** A node must contain one of these keywords, or all of them (see match). An empty list accepts every node. @defaultValue [] */
  requiredKeywords?: readonly string[] | undefined
  /** A node that contains one of these keywords is dropped. @defaultValue [] */
  excludeKeywords?: readonly string[] | undefined
  /** The language tag of the nodes; it decides where words begin and end. @defaultValue "en" */
  lang?: string | undefined
  /** Whether any required keyword is enough, or all must occur. @defaultValue "any" */
  match?: 'any' | 'all' | undefined
  /** Whether Red and red are different keywords. @defaultValue true */
  caseSensitive?: boolean | undefined
  /** Whether a keyword must match whole words; false also matches inside words. @defaultValue true */
  wordBoundaries?: boolean | undefined
}

/** @internal */
export const keywordNodePostprocessorSpec: ModelSpec = {"name":"KeywordNodePostprocessor","description":"Filters nodes by the words in their text.","className":"KeywordNodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"requiredKeywords":{"wire":"required_keywords","schema":{"type":"array","items":{"type":"string"}},"default":[]},"excludeKeywords":{"wire":"exclude_keywords","schema":{"type":"array","items":{"type":"string"}},"default":[]},"lang":{"schema":{"type":"string"},"default":"en"},"match":{"schema":{"type":"string","enum":["any","all"]},"default":"any","extension":true},"caseSensitive":{"wire":"case_sensitive","schema":{"type":"boolean"},"default":true,"extension":true},"wordBoundaries":{"wire":"word_boundaries","schema":{"type":"boolean"},"default":true,"extension":true}}}

/** The fields of {@link LLMRerank}. */
export interface LLMRerankFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The maximum number of nodes returned. */
  readonly topN: number
  /** The prompt that asks for the relevant documents; variables context_str and query_str. */
  choiceSelectPrompt: BasePromptTemplate
  /** The maximum number of nodes per model call. */
  readonly choiceBatchSize: number
  /** The language model. */
  llm: LLM
  /** Formats the nodes of a batch for the prompt; default defaultFormatNodeBatchFn. */
  formatNodeBatchFn: ((nodes: readonly TextNode[]) => string) | null
  /** Parses the answer of the model; default defaultParseChoiceSelectAnswerFn. */
  parseChoiceSelectAnswerFn: ChoiceParser | null
  /** How to handle a batch from which the model chooses no node: drop it, keep it at the end without scores, or throw. */
  onNoChoice: 'drop' | 'keep' | 'throw'
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. */
  keepRetrievalScore: boolean
  /** The maximum number of model calls at the same time. */
  readonly maxConcurrency: number
}

/** What {@link LLMRerank} is built from. */
export interface LLMRerankOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The maximum number of nodes returned. */
  topN: number
  /** The prompt that asks for the relevant documents; variables context_str and query_str. */
  choiceSelectPrompt: BasePromptTemplate
  /** The maximum number of nodes per model call. */
  choiceBatchSize: number
  /** The language model. */
  llm: LLM
  /** Formats the nodes of a batch for the prompt; default defaultFormatNodeBatchFn. */
  formatNodeBatchFn?: ((nodes: readonly TextNode[]) => string) | null | undefined
  /** Parses the answer of the model; default defaultParseChoiceSelectAnswerFn. */
  parseChoiceSelectAnswerFn?: ChoiceParser | null | undefined
  /** How to handle a batch from which the model chooses no node: drop it, keep it at the end without scores, or throw. @defaultValue "drop" */
  onNoChoice?: 'drop' | 'keep' | 'throw' | undefined
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore?: boolean | undefined
  /** The maximum number of model calls at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const llmRerankSpec: ModelSpec = {"name":"LLMRerank","description":"Reranks nodes by the relevance that a language model assigns to them for the query.","className":"LLMRerank","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"required":true,"bounded":true},"choiceSelectPrompt":{"wire":"choice_select_prompt","schema":{"x-nested":true},"required":true,"holds":["format","formatMessages"]},"choiceBatchSize":{"wire":"choice_batch_size","schema":{"type":"integer","minimum":1},"required":true,"bounded":true},"llm":{"schema":{"x-nested":true},"required":true,"holds":["predict"]},"formatNodeBatchFn":{"wire":"format_node_batch_fn","schema":{},"runtime":true,"holds":"function"},"parseChoiceSelectAnswerFn":{"wire":"parse_choice_select_answer_fn","schema":{},"runtime":true,"holds":"function"},"onNoChoice":{"wire":"on_no_choice","schema":{"type":"string","enum":["drop","keep","throw"]},"default":"drop","extension":true},"keepRetrievalScore":{"wire":"keep_retrieval_score","schema":{"type":"boolean"},"default":false,"extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link LongContextReorder}. */
export interface LongContextReorderFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
}

/** What {@link LongContextReorder} is built from. */
export interface LongContextReorderOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
}

/** @internal */
export const longContextReorderSpec: ModelSpec = {"name":"LongContextReorder","description":"Moves the most relevant nodes to both ends of the list, where models read best.","className":"LongContextReorder","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]}}}

/** The fields of {@link MaximalMarginalRelevance}. */
export interface MaximalMarginalRelevanceFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The maximum number of nodes returned. */
  readonly topN: number
  /** The weight of relevance against diversity: 1 is relevance only, 0 is diversity only. */
  readonly lambda: number
  /** Embeds the query and the nodes that have no embedding. */
  embedModel: EmbeddingModel | null
}

/** What {@link MaximalMarginalRelevance} is built from. */
export interface MaximalMarginalRelevanceOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The maximum number of nodes returned. @defaultValue 10 */
  topN?: number | undefined
  /** The weight of relevance against diversity: 1 is relevance only, 0 is diversity only. @defaultValue 0.5 */
  lambda?: number | undefined
  /** Embeds the query and the nodes that have no embedding. */
  embedModel?: EmbeddingModel | null | undefined
}

/** @internal */
export const maximalMarginalRelevanceSpec: ModelSpec = {"name":"MaximalMarginalRelevance","description":"Selects nodes that are relevant and different from each other (maximal marginal relevance).","className":"MaximalMarginalRelevance","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"default":10,"bounded":true},"lambda":{"schema":{"type":"number","minimum":0,"maximum":1},"default":0.5,"bounded":true},"embedModel":{"wire":"embed_model","schema":{"type":"object"},"runtime":true,"holds":["getQueryEmbedding","getTextEmbeddingBatch"]}}}

/** The fields of {@link MetadataReplacementPostProcessor}. */
export interface MetadataReplacementPostProcessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The key of the metadata entry that replaces the text. */
  targetMetadataKey: string
}

/** What {@link MetadataReplacementPostProcessor} is built from. */
export interface MetadataReplacementPostProcessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The key of the metadata entry that replaces the text. */
  targetMetadataKey: string
}

/** @internal */
export const metadataReplacementPostProcessorSpec: ModelSpec = {"name":"MetadataReplacementPostProcessor","description":"Replaces the text of each node by one of its metadata entries.","className":"MetadataReplacementPostProcessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"targetMetadataKey":{"wire":"target_metadata_key","schema":{"type":"string"},"required":true}}}

/** The fields of {@link NERPIINodePostprocessor}. */
export interface NERPIINodePostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The metadata key of the mapping from tags to originals. */
  piiNodeInfoKey: string
  /** Finds the entities in a string: a function around a named-entity model, or findPatterns. */
  ner: EntityRecognizer | null
  /** The size of the windows in which a longer node is passed to the model, in UTF-16 code units, because models truncate long input; null passes the whole node. */
  readonly windowSize: number | null
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink: MappingSink | null
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. */
  distinctTags: boolean
  /** The maximum number of nodes masked at the same time. */
  readonly maxConcurrency: number
}

/** What {@link NERPIINodePostprocessor} is built from. */
export interface NERPIINodePostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The metadata key of the mapping from tags to originals. @defaultValue "__pii_node_info__" */
  piiNodeInfoKey?: string | undefined
  /** Finds the entities in a string: a function around a named-entity model, or findPatterns. */
  ner?: EntityRecognizer | null | undefined
  /** The size of the windows in which a longer node is passed to the model, in UTF-16 code units, because models truncate long input; null passes the whole node. @defaultValue 1000 */
  windowSize?: number | null | undefined
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink?: MappingSink | null | undefined
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. @defaultValue false */
  distinctTags?: boolean | undefined
  /** The maximum number of nodes masked at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const nerpiiNodePostprocessorSpec: ModelSpec = {"name":"NERPIINodePostprocessor","description":"Masks personal data with a named-entity model.","className":"NERPIINodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"piiNodeInfoKey":{"wire":"pii_node_info_key","schema":{"type":"string"},"default":"__pii_node_info__"},"ner":{"schema":{},"runtime":true,"holds":"function"},"windowSize":{"wire":"window_size","schema":{"minimum":1,"type":["integer","null"]},"default":1000,"bounded":true,"extension":true},"mappingSink":{"wire":"mapping_sink","schema":{},"runtime":true,"holds":"function"},"distinctTags":{"wire":"distinct_tags","schema":{"type":"boolean"},"default":false,"extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link NodePostprocessor}. */
export interface NodePostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
}

/** What {@link NodePostprocessor} is built from. */
export interface NodePostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
}

/** @internal */
export const nodePostprocessorSpec: ModelSpec = {"name":"NodePostprocessor","description":"Transforms a list of scored nodes.","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]}}}

/** The fields of {@link PIINodePostprocessor}. */
export interface PIINodePostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The language model. It receives the unmasked data, so use a local one. */
  llm: LLM
  /** The prompt; variables context_str and query_str. */
  piiStrTmpl: string
  /** The metadata key of the mapping from tags to originals. */
  piiNodeInfoKey: string
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink: MappingSink | null
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. */
  distinctTags: boolean
  /** The maximum number of nodes masked at the same time. */
  readonly maxConcurrency: number
}

/** What {@link PIINodePostprocessor} is built from. */
export interface PIINodePostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The language model. It receives the unmasked data, so use a local one. */
  llm: LLM
  /** The prompt; variables context_str and query_str. @defaultValue "Below is a text that may hold personal data: names, addresses, telephone numbers, e-mail addresses, dates of birth, numbers of cards, accounts and documents.\nWrite the text again, word for word, with each such item replaced by a tag in square brackets: upper case, numbered, the same tag for the same item, as in [NAME1].\nThen write a line with \"Output Mapping:\" and, after it, one JSON object that maps each tag, without its brackets, to the original. If there is nothing to mask, the object is empty. Write nothing else.\n\nExample\nText: Hello, I am Mia Berg and my card number is 4000 1234 5678 9010.\nAnswer:\nHello, I am [NAME1] and my card number is [CARD_NUMBER1].\nOutput Mapping:\n{{\"NAME1\": \"Mia Berg\", \"CARD_NUMBER1\": \"4000 1234 5678 9010\"}}\n\nTask: {query_str}\nText: {context_str}\nAnswer:\n" */
  piiStrTmpl?: string | undefined
  /** The metadata key of the mapping from tags to originals. @defaultValue "__pii_node_info__" */
  piiNodeInfoKey?: string | undefined
  /** Receives the mapping of each node; the nodes then do not contain it. */
  mappingSink?: MappingSink | null | undefined
  /** Whether a tag has the same original in all nodes of a call, so that an answer that quotes several nodes can be unmasked. @defaultValue false */
  distinctTags?: boolean | undefined
  /** The maximum number of nodes masked at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const piiNodePostprocessorSpec: ModelSpec = {"name":"PIINodePostprocessor","description":"Masks personal data with a language model.","className":"PIINodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"llm":{"schema":{"x-nested":true},"required":true,"holds":["predict"]},"piiStrTmpl":{"wire":"pii_str_tmpl","schema":{"type":"string"},"default":"Below is a text that may hold personal data: names, addresses, telephone numbers, e-mail addresses, dates of birth, numbers of cards, accounts and documents.\nWrite the text again, word for word, with each such item replaced by a tag in square brackets: upper case, numbered, the same tag for the same item, as in [NAME1].\nThen write a line with \"Output Mapping:\" and, after it, one JSON object that maps each tag, without its brackets, to the original. If there is nothing to mask, the object is empty. Write nothing else.\n\nExample\nText: Hello, I am Mia Berg and my card number is 4000 1234 5678 9010.\nAnswer:\nHello, I am [NAME1] and my card number is [CARD_NUMBER1].\nOutput Mapping:\n{{\"NAME1\": \"Mia Berg\", \"CARD_NUMBER1\": \"4000 1234 5678 9010\"}}\n\nTask: {query_str}\nText: {context_str}\nAnswer:\n"},"piiNodeInfoKey":{"wire":"pii_node_info_key","schema":{"type":"string"},"default":"__pii_node_info__"},"mappingSink":{"wire":"mapping_sink","schema":{},"runtime":true,"holds":"function"},"distinctTags":{"wire":"distinct_tags","schema":{"type":"boolean"},"default":false,"extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link PostprocessorPipeline}. */
export interface PostprocessorPipelineFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The steps, in order. */
  postprocessors: PostprocessorLike[]
}

/** What {@link PostprocessorPipeline} is built from. */
export interface PostprocessorPipelineOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The steps, in order. */
  postprocessors: readonly PostprocessorLike[]
}

/** @internal */
export const postprocessorPipelineSpec: ModelSpec = {"name":"PostprocessorPipeline","description":"Runs postprocessors one after the other.","className":"PostprocessorPipeline","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"postprocessors":{"schema":{"type":"array","items":{"x-nested":true}},"required":true}}}

/** The fields of {@link PrevNextNodePostprocessor}. */
export interface PrevNextNodePostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** The maximum number of neighbours fetched per node and direction. */
  readonly numNodes: number
  /** The direction in which neighbours are fetched. */
  mode: 'next' | 'previous' | 'both'
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. */
  onMissing: 'throw' | 'stop'
}

/** What {@link PrevNextNodePostprocessor} is built from. */
export interface PrevNextNodePostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The store in which neighbours are looked up by id. */
  docstore: DocumentStore
  /** The maximum number of neighbours fetched per node and direction. @defaultValue 1 */
  numNodes?: number | undefined
  /** The direction in which neighbours are fetched. @defaultValue "next" */
  mode?: 'next' | 'previous' | 'both' | undefined
  /** How to handle a neighbour that is not in the store: throw, or stop fetching in that direction. @defaultValue "throw" */
  onMissing?: 'throw' | 'stop' | undefined
}

/** @internal */
export const prevNextNodePostprocessorSpec: ModelSpec = {"name":"PrevNextNodePostprocessor","description":"Adds the nodes before or after each node in its document.","className":"PrevNextNodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"docstore":{"schema":{"type":"object"},"required":true,"runtime":true,"holds":["getNode"]},"numNodes":{"wire":"num_nodes","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"mode":{"schema":{"type":"string","enum":["next","previous","both"]},"default":"next"},"onMissing":{"wire":"on_missing","schema":{"type":"string","enum":["throw","stop"]},"default":"throw","extension":true}}}

/** The fields of {@link RankFusion}. */
export interface RankFusionFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The postprocessors, each of which returns one ranking of the nodes. */
  rankers: PostprocessorLike[]
  /** The weight of each ranking; 1 for rankers without a weight. */
  weights: number[]
  /** How rankings are fused; see fuseNodes. */
  mode: 'reciprocal_rank' | 'relative_score' | 'best_score'
  /** The constant of reciprocal rank fusion: the higher, the smaller the lead of the first ranks. */
  readonly k: number
  /** The maximum number of nodes returned. */
  readonly topN: number
  /** The maximum number of rankers that run at the same time. */
  readonly maxConcurrency: number
}

/** What {@link RankFusion} is built from. */
export interface RankFusionOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The postprocessors, each of which returns one ranking of the nodes. */
  rankers: readonly PostprocessorLike[]
  /** The weight of each ranking; 1 for rankers without a weight. @defaultValue [] */
  weights?: readonly number[] | undefined
  /** How rankings are fused; see fuseNodes. @defaultValue "reciprocal_rank" */
  mode?: 'reciprocal_rank' | 'relative_score' | 'best_score' | undefined
  /** The constant of reciprocal rank fusion: the higher, the smaller the lead of the first ranks. @defaultValue 60 */
  k?: number | undefined
  /** The maximum number of nodes returned. @defaultValue 10 */
  topN?: number | undefined
  /** The maximum number of rankers that run at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const rankFusionSpec: ModelSpec = {"name":"RankFusion","description":"Ranks nodes with several postprocessors and fuses the rankings.","className":"RankFusion","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"rankers":{"schema":{"type":"array","items":{"x-nested":true}},"required":true},"weights":{"schema":{"type":"array","items":{"type":"number","minimum":0}},"default":[]},"mode":{"schema":{"type":"string","enum":["reciprocal_rank","relative_score","best_score"]},"default":"reciprocal_rank"},"k":{"schema":{"type":"number","minimum":0},"default":60,"bounded":true},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"default":10,"bounded":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true}}}

/** The fields of {@link SentenceEmbeddingOptimizer}. */
export interface SentenceEmbeddingOptimizerFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The share of the sentences that is kept, at least one sentence; null keeps all above the threshold. */
  readonly percentileCutoff: number | null
  /** The similarity to the query that a sentence must exceed; null applies no threshold. */
  thresholdCutoff: number | null
  /** The number of sentences kept before each selected one; null means 1. */
  readonly contextBefore: number | null
  /** The number of sentences kept after each selected one; null means 1. */
  readonly contextAfter: number | null
  /** Embeds the query and the sentences. */
  embedModel: EmbeddingModel | null
  /** Splits a string into sentences; default splitSentences. */
  tokenizerFn: ((text: string) => readonly string[]) | null
  /** The language tag of the nodes, for the default tokenizerFn. */
  lang: string
  /** How to handle a node without a sentence above the threshold: throw, drop it, or keep it unchanged. */
  onEmpty: 'throw' | 'drop' | 'keep'
  /** The maximum number of nodes embedded at the same time. */
  readonly maxConcurrency: number
}

/** What {@link SentenceEmbeddingOptimizer} is built from. */
export interface SentenceEmbeddingOptimizerOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The share of the sentences that is kept, at least one sentence; null keeps all above the threshold. @defaultValue null */
  percentileCutoff?: number | null | undefined
  /** The similarity to the query that a sentence must exceed; null applies no threshold. @defaultValue null */
  thresholdCutoff?: number | null | undefined
  /** The number of sentences kept before each selected one; null means 1. @defaultValue null */
  contextBefore?: number | null | undefined
  /** The number of sentences kept after each selected one; null means 1. @defaultValue null */
  contextAfter?: number | null | undefined
  /** Embeds the query and the sentences. */
  embedModel?: EmbeddingModel | null | undefined
  /** Splits a string into sentences; default splitSentences. */
  tokenizerFn?: ((text: string) => readonly string[]) | null | undefined
  /** The language tag of the nodes, for the default tokenizerFn. @defaultValue "en" */
  lang?: string | undefined
  /** How to handle a node without a sentence above the threshold: throw, drop it, or keep it unchanged. @defaultValue "throw" */
  onEmpty?: 'throw' | 'drop' | 'keep' | undefined
  /** The maximum number of nodes embedded at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const sentenceEmbeddingOptimizerSpec: ModelSpec = {"name":"SentenceEmbeddingOptimizer","description":"Shortens each node to the sentences that are most similar to the query.","className":"SentenceEmbeddingOptimizer","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"percentileCutoff":{"wire":"percentile_cutoff","schema":{"minimum":0,"maximum":1,"type":["number","null"]},"bounded":true},"thresholdCutoff":{"wire":"threshold_cutoff","schema":{"type":["number","null"]}},"contextBefore":{"wire":"context_before","schema":{"minimum":0,"type":["integer","null"]},"bounded":true},"contextAfter":{"wire":"context_after","schema":{"minimum":0,"type":["integer","null"]},"bounded":true},"embedModel":{"wire":"embed_model","schema":{"type":"object"},"runtime":true,"holds":["getQueryEmbedding","getTextEmbeddingBatch"],"extension":true},"tokenizerFn":{"wire":"tokenizer_fn","schema":{},"runtime":true,"holds":"function"},"lang":{"schema":{"type":"string"},"default":"en","extension":true},"onEmpty":{"wire":"on_empty","schema":{"type":"string","enum":["throw","drop","keep"]},"default":"throw","extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link SentenceTransformerRerank}. */
export interface SentenceTransformerRerankFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The name of the model. */
  model: string
  /** The maximum number of nodes returned. */
  readonly topN: number
  /** The device that the model runs on. */
  device: string
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. */
  keepRetrievalScore: boolean
  /** The loaded model. */
  crossEncoder: CrossEncoder | null
}

/** What {@link SentenceTransformerRerank} is built from. */
export interface SentenceTransformerRerankOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The name of the model. */
  model: string
  /** The maximum number of nodes returned. */
  topN: number
  /** The device that the model runs on. @defaultValue "cpu" */
  device?: string | undefined
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore?: boolean | undefined
  /** The loaded model. */
  crossEncoder?: CrossEncoder | null | undefined
}

/** @internal */
export const sentenceTransformerRerankSpec: ModelSpec = {"name":"SentenceTransformerRerank","description":"Reranks nodes by the scores of a cross-encoder for the query.","className":"SentenceTransformerRerank","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"model":{"schema":{"type":"string"},"required":true},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"required":true,"bounded":true},"device":{"schema":{"type":"string"},"default":"cpu"},"keepRetrievalScore":{"wire":"keep_retrieval_score","schema":{"type":"boolean"},"default":false},"crossEncoder":{"wire":"cross_encoder","schema":{"type":"object"},"runtime":true,"holds":["predict"],"extension":true}}}

/** The fields of {@link SimilarityPostprocessor}. */
export interface SimilarityPostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The lowest score that is kept, on the scale of the input scores; null keeps every node. */
  similarityCutoff: number | null
  /** Whether a node without a score is kept. */
  keepUnscored: boolean
}

/** What {@link SimilarityPostprocessor} is built from. */
export interface SimilarityPostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The lowest score that is kept, on the scale of the input scores; null keeps every node. @defaultValue null */
  similarityCutoff?: number | null | undefined
  /** Whether a node without a score is kept. @defaultValue false */
  keepUnscored?: boolean | undefined
}

/** @internal */
export const similarityPostprocessorSpec: ModelSpec = {"name":"SimilarityPostprocessor","description":"Keeps the nodes whose score is at least a cutoff.","className":"SimilarityPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"similarityCutoff":{"wire":"similarity_cutoff","schema":{"type":["number","null"]}},"keepUnscored":{"wire":"keep_unscored","schema":{"type":"boolean"},"default":false,"extension":true}}}

/** The fields of {@link TimeWeightedPostprocessor}. */
export interface TimeWeightedPostprocessorFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The share of the bonus that is lost per hour; 0 never reduces the bonus. */
  readonly timeDecay: number
  /** The metadata key of the last access time, in seconds since 1970-01-01 UTC. */
  lastAccessedKey: string
  /** Whether the returned nodes have now as their last access time. */
  timeAccessRefresh: boolean
  /** The current time in seconds since 1970-01-01 UTC; null reads the clock. */
  now: number | null
  /** The maximum number of nodes returned. */
  readonly topK: number
  /** Whether the access time of the returned nodes is hidden from language and embedding models. */
  hideAccessTime: boolean
  /** Called with the returned nodes, for example to save their access time in a store. */
  onAccess: AccessListener | null
}

/** What {@link TimeWeightedPostprocessor} is built from. */
export interface TimeWeightedPostprocessorOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The share of the bonus that is lost per hour; 0 never reduces the bonus. @defaultValue 0.99 */
  timeDecay?: number | undefined
  /** The metadata key of the last access time, in seconds since 1970-01-01 UTC. @defaultValue "__last_accessed__" */
  lastAccessedKey?: string | undefined
  /** Whether the returned nodes have now as their last access time. @defaultValue true */
  timeAccessRefresh?: boolean | undefined
  /** The current time in seconds since 1970-01-01 UTC; null reads the clock. @defaultValue null */
  now?: number | null | undefined
  /** The maximum number of nodes returned. @defaultValue 1 */
  topK?: number | undefined
  /** Whether the access time of the returned nodes is hidden from language and embedding models. @defaultValue false */
  hideAccessTime?: boolean | undefined
  /** Called with the returned nodes, for example to save their access time in a store. */
  onAccess?: AccessListener | null | undefined
}

/** @internal */
export const timeWeightedPostprocessorSpec: ModelSpec = {"name":"TimeWeightedPostprocessor","description":"Raises the score of recently used nodes.","className":"TimeWeightedPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"timeDecay":{"wire":"time_decay","schema":{"type":"number","minimum":0,"maximum":1},"default":0.99,"bounded":true},"lastAccessedKey":{"wire":"last_accessed_key","schema":{"type":"string"},"default":"__last_accessed__"},"timeAccessRefresh":{"wire":"time_access_refresh","schema":{"type":"boolean"},"default":true},"now":{"schema":{"type":["number","null"]}},"topK":{"wire":"top_k","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"hideAccessTime":{"wire":"hide_access_time","schema":{"type":"boolean"},"default":false,"extension":true},"onAccess":{"wire":"on_access","schema":{},"runtime":true,"holds":"function"}}}

/** The fields of {@link TokenBudget}. */
export interface TokenBudgetFields {
  /** Receives the events of this postprocessor. */
  callbackManager: CallbackManager | null
  /** The maximum number of tokens of all returned nodes together, counted on the content visible to language models. */
  readonly maxTokens: number
  /** The number of tokens between two nodes. */
  readonly separatorTokens: number
  /** How to handle a node that does not fit: skip it and try less relevant nodes, stop, or truncate its text and stop. */
  overflow: 'skip' | 'stop' | 'cut'
  /** Counts the tokens of a string; default estimateTokens. */
  countTokens: ((text: string) => number) | null
}

/** What {@link TokenBudget} is built from. */
export interface TokenBudgetOptions {
  /** Receives the events of this postprocessor. */
  callbackManager?: CallbackManager | null | undefined
  /** The maximum number of tokens of all returned nodes together, counted on the content visible to language models. */
  maxTokens: number
  /** The number of tokens between two nodes. @defaultValue 2 */
  separatorTokens?: number | undefined
  /** How to handle a node that does not fit: skip it and try less relevant nodes, stop, or truncate its text and stop. @defaultValue "skip" */
  overflow?: 'skip' | 'stop' | 'cut' | undefined
  /** Counts the tokens of a string; default estimateTokens. */
  countTokens?: ((text: string) => number) | null | undefined
}

/** @internal */
export const tokenBudgetSpec: ModelSpec = {"name":"TokenBudget","description":"Keeps the most relevant nodes that fit a token budget.","className":"TokenBudget","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"maxTokens":{"wire":"max_tokens","schema":{"type":"integer","minimum":0},"required":true,"bounded":true},"separatorTokens":{"wire":"separator_tokens","schema":{"type":"integer","minimum":0},"default":2,"bounded":true},"overflow":{"schema":{"type":"string","enum":["skip","stop","cut"]},"default":"skip"},"countTokens":{"wire":"count_tokens","schema":{},"runtime":true,"holds":"function"}}}
