// Generated from the schemas by tools/codegen. Do not edit.
import type { CrossEncoder } from '../cross-encoder/cross-encoder.ts'
import type { ChoiceParser } from '../llm-rerank/llm-rerank.ts'
import type { NodePostprocessor } from '../node-postprocessor.ts'
import type { EntityRecognizer } from '../pii/mask-entities.ts'
import type { MappingSink } from '../pii/masked-node.ts'
import type { ServiceContext } from '../prev-next/auto-prev-next-node-postprocessor.ts'
import type { AccessListener } from '../recency/time-weighted-postprocessor.ts'
import type { CallbackManager, DocumentStore, EmbeddingModel, LLM, ModelSpec, TextNode } from '@x/core-model'
import type { BasePromptTemplate } from '@x/prompts'

/** The fields of {@link AutoPrevNextNodePostprocessor}. */
export interface AutoPrevNextNodePostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Where neighbours are looked up by id. */
  docstore: DocumentStore
  /** Holds the model; or give llm. */
  serviceContext: ServiceContext | null
  /** The model that decides on the direction. */
  llm: LLM | null
  /** How many neighbours are fetched per node and direction at most. */
  readonly numNodes: number
  /** Asks for the direction; variables context_str and query_str. */
  inferPrevNextTmpl: string
  /** Asks again with more of a long text; variables context_msg, query_str and existing_answer. */
  refinePrevNextTmpl: string
  /** Whether the directions are told to logger. */
  verbose: boolean
  /** Told the direction of each node when verbose is set. */
  logger: ((message: string) => void) | null
  /** What happens at a neighbour that is not in the store. */
  onMissing: 'throw' | 'stop'
  /** What happens when the answer names no direction. */
  onInvalidPrediction: 'throw' | 'none'
  /** How many nodes the model is asked about at once. */
  readonly maxConcurrency: number
}

/** What {@link AutoPrevNextNodePostprocessor} is built from. */
export interface AutoPrevNextNodePostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Where neighbours are looked up by id. */
  docstore: DocumentStore
  /** Holds the model; or give llm. */
  serviceContext?: ServiceContext | null | undefined
  /** The model that decides on the direction. */
  llm?: LLM | null | undefined
  /** How many neighbours are fetched per node and direction at most. @defaultValue 1 */
  numNodes?: number | undefined
  /** Asks for the direction; variables context_str and query_str. @defaultValue "You are given a passage of a document and a question. Decide which text has to be read besides the passage to answer the question.\nAnswer with one word:\nPREVIOUS when the text before the passage is needed,\nNEXT when the text after the passage is needed,\nNONE when the passage is enough or no neighbouring text would help.\n\nExample\nPassage: Because of that, the committee rejected the plan.\nQuestion: Why was the plan rejected?\nAnswer: PREVIOUS\n\nExample\nPassage: The bridge was opened in 1932. The following years brought three changes.\nQuestion: What changed after the bridge was opened?\nAnswer: NEXT\n\nExample\nPassage: The lake is 42 metres deep.\nQuestion: How deep is the lake?\nAnswer: NONE\n\nPassage: {context_str}\nQuestion: {query_str}\nAnswer: " */
  inferPrevNextTmpl?: string | undefined
  /** Asks again with more of a long text; variables context_msg, query_str and existing_answer. @defaultValue "You are reading a long passage of a document part by part, to decide which text has to be read besides the passage to answer a question.\nAnswer with one word: PREVIOUS when the text before the passage is needed, NEXT when the text after it is needed, NONE when neither is.\n\nYour answer for the parts so far: {existing_answer}\nThe next part of the passage: {context_msg}\nQuestion: {query_str}\nKeep your answer, or correct it in the light of this part.\nAnswer: " */
  refinePrevNextTmpl?: string | undefined
  /** Whether the directions are told to logger. @defaultValue false */
  verbose?: boolean | undefined
  /** Told the direction of each node when verbose is set. */
  logger?: ((message: string) => void) | null | undefined
  /** What happens at a neighbour that is not in the store. @defaultValue "throw" */
  onMissing?: 'throw' | 'stop' | undefined
  /** What happens when the answer names no direction. @defaultValue "throw" */
  onInvalidPrediction?: 'throw' | 'none' | undefined
  /** How many nodes the model is asked about at once. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const autoPrevNextNodePostprocessorSpec: ModelSpec = {"name":"AutoPrevNextNodePostprocessor","description":"Adds the nodes before or after each node, in the direction that a model finds.","className":"AutoPrevNextNodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"docstore":{"schema":{"type":"object"},"required":true,"runtime":true,"holds":["getNode"]},"serviceContext":{"wire":"service_context","schema":{"type":"object"},"runtime":true,"holds":[]},"llm":{"schema":{"type":"object"},"runtime":true,"holds":["predict"],"extension":true},"numNodes":{"wire":"num_nodes","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"inferPrevNextTmpl":{"wire":"infer_prev_next_tmpl","schema":{"type":"string"},"default":"You are given a passage of a document and a question. Decide which text has to be read besides the passage to answer the question.\nAnswer with one word:\nPREVIOUS when the text before the passage is needed,\nNEXT when the text after the passage is needed,\nNONE when the passage is enough or no neighbouring text would help.\n\nExample\nPassage: Because of that, the committee rejected the plan.\nQuestion: Why was the plan rejected?\nAnswer: PREVIOUS\n\nExample\nPassage: The bridge was opened in 1932. The following years brought three changes.\nQuestion: What changed after the bridge was opened?\nAnswer: NEXT\n\nExample\nPassage: The lake is 42 metres deep.\nQuestion: How deep is the lake?\nAnswer: NONE\n\nPassage: {context_str}\nQuestion: {query_str}\nAnswer: "},"refinePrevNextTmpl":{"wire":"refine_prev_next_tmpl","schema":{"type":"string"},"default":"You are reading a long passage of a document part by part, to decide which text has to be read besides the passage to answer a question.\nAnswer with one word: PREVIOUS when the text before the passage is needed, NEXT when the text after it is needed, NONE when neither is.\n\nYour answer for the parts so far: {existing_answer}\nThe next part of the passage: {context_msg}\nQuestion: {query_str}\nKeep your answer, or correct it in the light of this part.\nAnswer: "},"verbose":{"schema":{"type":"boolean"},"default":false},"logger":{"schema":{},"runtime":true,"holds":"function"},"onMissing":{"wire":"on_missing","schema":{"type":"string","enum":["throw","stop"]},"default":"throw","extension":true},"onInvalidPrediction":{"wire":"on_invalid_prediction","schema":{"type":"string","enum":["throw","none"]},"default":"throw","extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link Deduplicate}. */
export interface DeduplicateFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** What makes nodes the same: their id, their hash (text and metadata), or their text without regard to case and white space. */
  by: 'id' | 'hash' | 'text'
}

/** What {@link Deduplicate} is built from. */
export interface DeduplicateOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** What makes nodes the same: their id, their hash (text and metadata), or their text without regard to case and white space. @defaultValue "text" */
  by?: 'id' | 'hash' | 'text' | undefined
}

/** @internal */
export const deduplicateSpec: ModelSpec = {"name":"Deduplicate","description":"Keeps one of nodes that are the same.","className":"Deduplicate","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"by":{"schema":{"type":"string","enum":["id","hash","text"]},"default":"text"}}}

/** The fields of {@link DocumentGrouping}. */
export interface DocumentGroupingFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Metadata key that names the document of a node; null takes the source of the node. */
  groupKey: string | null
  /** Documents come in the order of their first node, or of their best score. */
  groupOrder: 'first' | 'best'
  /** How many nodes of one document are kept, the most relevant ones; null keeps all. */
  readonly maxPerGroup: number | null
  /** How many documents are kept; null keeps all. */
  readonly maxGroups: number | null
}

/** What {@link DocumentGrouping} is built from. */
export interface DocumentGroupingOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Metadata key that names the document of a node; null takes the source of the node. @defaultValue null */
  groupKey?: string | null | undefined
  /** Documents come in the order of their first node, or of their best score. @defaultValue "first" */
  groupOrder?: 'first' | 'best' | undefined
  /** How many nodes of one document are kept, the most relevant ones; null keeps all. @defaultValue null */
  maxPerGroup?: number | null | undefined
  /** How many documents are kept; null keeps all. @defaultValue null */
  maxGroups?: number | null | undefined
}

/** @internal */
export const documentGroupingSpec: ModelSpec = {"name":"DocumentGrouping","description":"Puts the nodes of one document together, in document order.","className":"DocumentGrouping","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"groupKey":{"wire":"group_key","schema":{"type":["string","null"]}},"groupOrder":{"wire":"group_order","schema":{"type":"string","enum":["first","best"]},"default":"first"},"maxPerGroup":{"wire":"max_per_group","schema":{"minimum":1,"type":["integer","null"]},"bounded":true},"maxGroups":{"wire":"max_groups","schema":{"minimum":0,"type":["integer","null"]},"bounded":true}}}

/** The fields of {@link EmbeddingRecencyPostprocessor}. */
export interface EmbeddingRecencyPostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Embeds the nodes and the questions for similar ones. */
  embedModel: EmbeddingModel | null
  /** Metadata key of the date. */
  dateKey: string
  /** An older node is dropped when its similarity to a newer one is greater than this. */
  similarityCutoff: number
  /** What is embedded to find older versions of a node; variable context_str. */
  queryEmbeddingTmpl: string
  /** How vectors are compared; dot suits unit vectors. */
  similarity: 'dot' | 'cosine'
  /** Whether 1/2/2020 is the first of February. */
  dayFirst: boolean
  /** What happens to a node without a date: an error, the last place, or it is dropped. */
  onMissingDate: 'throw' | 'last' | 'drop'
}

/** What {@link EmbeddingRecencyPostprocessor} is built from. */
export interface EmbeddingRecencyPostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Embeds the nodes and the questions for similar ones. */
  embedModel?: EmbeddingModel | null | undefined
  /** Metadata key of the date. @defaultValue "date" */
  dateKey?: string | undefined
  /** An older node is dropped when its similarity to a newer one is greater than this. @defaultValue 0.7 */
  similarityCutoff?: number | undefined
  /** What is embedded to find older versions of a node; variable context_str. @defaultValue "This is the current version of a document:\n\n{context_str}\n\nOlder documents that say much the same are wanted." */
  queryEmbeddingTmpl?: string | undefined
  /** How vectors are compared; dot suits unit vectors. @defaultValue "dot" */
  similarity?: 'dot' | 'cosine' | undefined
  /** Whether 1/2/2020 is the first of February. @defaultValue false */
  dayFirst?: boolean | undefined
  /** What happens to a node without a date: an error, the last place, or it is dropped. @defaultValue "throw" */
  onMissingDate?: 'throw' | 'last' | 'drop' | undefined
}

/** @internal */
export const embeddingRecencyPostprocessorSpec: ModelSpec = {"name":"EmbeddingRecencyPostprocessor","description":"Drops older nodes that resemble a newer one.","className":"EmbeddingRecencyPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"embedModel":{"wire":"embed_model","schema":{"x-nested":true},"holds":["getQueryEmbedding","getTextEmbeddingBatch"]},"dateKey":{"wire":"date_key","schema":{"type":"string"},"default":"date"},"similarityCutoff":{"wire":"similarity_cutoff","schema":{"type":"number"},"default":0.7},"queryEmbeddingTmpl":{"wire":"query_embedding_tmpl","schema":{"type":"string"},"default":"This is the current version of a document:\n\n{context_str}\n\nOlder documents that say much the same are wanted."},"similarity":{"schema":{"type":"string","enum":["dot","cosine"]},"default":"dot","extension":true},"dayFirst":{"wire":"day_first","schema":{"type":"boolean"},"default":false,"extension":true},"onMissingDate":{"wire":"on_missing_date","schema":{"type":"string","enum":["throw","last","drop"]},"default":"throw","extension":true}}}

/** The fields of {@link FixedRecencyPostprocessor}. */
export interface FixedRecencyPostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** How many nodes are kept at most. */
  readonly topK: number
  /** Metadata key of the date. */
  dateKey: string
  /** Whether 1/2/2020 is the first of February. */
  dayFirst: boolean
  /** What happens to a node without a date: an error, the last place, or it is dropped. */
  onMissingDate: 'throw' | 'last' | 'drop'
}

/** What {@link FixedRecencyPostprocessor} is built from. */
export interface FixedRecencyPostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** How many nodes are kept at most. @defaultValue 1 */
  topK?: number | undefined
  /** Metadata key of the date. @defaultValue "date" */
  dateKey?: string | undefined
  /** Whether 1/2/2020 is the first of February. @defaultValue false */
  dayFirst?: boolean | undefined
  /** What happens to a node without a date: an error, the last place, or it is dropped. @defaultValue "throw" */
  onMissingDate?: 'throw' | 'last' | 'drop' | undefined
}

/** @internal */
export const fixedRecencyPostprocessorSpec: ModelSpec = {"name":"FixedRecencyPostprocessor","description":"Orders nodes by date, newest first, and keeps the first ones.","className":"FixedRecencyPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"topK":{"wire":"top_k","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"dateKey":{"wire":"date_key","schema":{"type":"string"},"default":"date"},"dayFirst":{"wire":"day_first","schema":{"type":"boolean"},"default":false,"extension":true},"onMissingDate":{"wire":"on_missing_date","schema":{"type":"string","enum":["throw","last","drop"]},"default":"throw","extension":true}}}

/** The fields of {@link KeywordNodePostprocessor}. */
export interface KeywordNodePostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** A node must hold one of these (or all, see match); none asks for nothing. */
  requiredKeywords: string[]
  /** A node that holds one of these is dropped. */
  excludeKeywords: string[]
  /** Language tag of the texts: decides where words begin and end. */
  lang: string
  /** Whether one required keyword is enough or all must occur. */
  match: 'any' | 'all'
  /** Whether Red and red are different words. */
  caseSensitive: boolean
  /** Whether a keyword must stand as whole words; false finds it inside words too. */
  wordBoundaries: boolean
}

/** What {@link KeywordNodePostprocessor} is built from. */
export interface KeywordNodePostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** A node must hold one of these (or all, see match); none asks for nothing. @defaultValue [] */
  requiredKeywords?: readonly string[] | undefined
  /** A node that holds one of these is dropped. @defaultValue [] */
  excludeKeywords?: readonly string[] | undefined
  /** Language tag of the texts: decides where words begin and end. @defaultValue "en" */
  lang?: string | undefined
  /** Whether one required keyword is enough or all must occur. @defaultValue "any" */
  match?: 'any' | 'all' | undefined
  /** Whether Red and red are different words. @defaultValue true */
  caseSensitive?: boolean | undefined
  /** Whether a keyword must stand as whole words; false finds it inside words too. @defaultValue true */
  wordBoundaries?: boolean | undefined
}

/** @internal */
export const keywordNodePostprocessorSpec: ModelSpec = {"name":"KeywordNodePostprocessor","description":"Keeps or drops nodes by the words in their text.","className":"KeywordNodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"requiredKeywords":{"wire":"required_keywords","schema":{"type":"array","items":{"type":"string"}},"default":[]},"excludeKeywords":{"wire":"exclude_keywords","schema":{"type":"array","items":{"type":"string"}},"default":[]},"lang":{"schema":{"type":"string"},"default":"en"},"match":{"schema":{"type":"string","enum":["any","all"]},"default":"any","extension":true},"caseSensitive":{"wire":"case_sensitive","schema":{"type":"boolean"},"default":true,"extension":true},"wordBoundaries":{"wire":"word_boundaries","schema":{"type":"boolean"},"default":true,"extension":true}}}

/** The fields of {@link LLMRerank}. */
export interface LLMRerankFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** How many nodes are kept at most. */
  readonly topN: number
  /** Asks for the relevant documents; variables context_str and query_str. */
  choiceSelectPrompt: BasePromptTemplate
  /** How many nodes are shown to the model at once. */
  readonly choiceBatchSize: number
  /** The model. */
  llm: LLM
  /** Writes the nodes of a batch; the default is defaultFormatNodeBatchFn. */
  formatNodeBatchFn: ((nodes: readonly TextNode[]) => string) | null
  /** Reads the answer; the default is defaultParseChoiceSelectAnswerFn. */
  parseChoiceSelectAnswerFn: ChoiceParser | null
  /** What happens to a batch of which the model chose nothing: it is dropped, kept at the end without scores, or an error. */
  onNoChoice: 'drop' | 'keep' | 'throw'
  /** Whether the score that a node came with is kept as its metadata entry retrieval_score. */
  keepRetrievalScore: boolean
  /** How many batches the model reads at once. */
  readonly maxConcurrency: number
}

/** What {@link LLMRerank} is built from. */
export interface LLMRerankOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** How many nodes are kept at most. */
  topN: number
  /** Asks for the relevant documents; variables context_str and query_str. */
  choiceSelectPrompt: BasePromptTemplate
  /** How many nodes are shown to the model at once. */
  choiceBatchSize: number
  /** The model. */
  llm: LLM
  /** Writes the nodes of a batch; the default is defaultFormatNodeBatchFn. */
  formatNodeBatchFn?: ((nodes: readonly TextNode[]) => string) | null | undefined
  /** Reads the answer; the default is defaultParseChoiceSelectAnswerFn. */
  parseChoiceSelectAnswerFn?: ChoiceParser | null | undefined
  /** What happens to a batch of which the model chose nothing: it is dropped, kept at the end without scores, or an error. @defaultValue "drop" */
  onNoChoice?: 'drop' | 'keep' | 'throw' | undefined
  /** Whether the score that a node came with is kept as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore?: boolean | undefined
  /** How many batches the model reads at once. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const llmRerankSpec: ModelSpec = {"name":"LLMRerank","description":"Orders nodes by the relevance that a language model gives them for the query.","className":"LLMRerank","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"required":true,"bounded":true},"choiceSelectPrompt":{"wire":"choice_select_prompt","schema":{"x-nested":true},"required":true,"holds":["format","formatMessages"]},"choiceBatchSize":{"wire":"choice_batch_size","schema":{"type":"integer","minimum":1},"required":true,"bounded":true},"llm":{"schema":{"x-nested":true},"required":true,"holds":["predict"]},"formatNodeBatchFn":{"wire":"format_node_batch_fn","schema":{},"runtime":true,"holds":"function"},"parseChoiceSelectAnswerFn":{"wire":"parse_choice_select_answer_fn","schema":{},"runtime":true,"holds":"function"},"onNoChoice":{"wire":"on_no_choice","schema":{"type":"string","enum":["drop","keep","throw"]},"default":"drop","extension":true},"keepRetrievalScore":{"wire":"keep_retrieval_score","schema":{"type":"boolean"},"default":false,"extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link LongContextReorder}. */
export interface LongContextReorderFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
}

/** What {@link LongContextReorder} is built from. */
export interface LongContextReorderOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
}

/** @internal */
export const longContextReorderSpec: ModelSpec = {"name":"LongContextReorder","description":"Puts the most relevant nodes at both ends, where models read best.","className":"LongContextReorder","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]}}}

/** The fields of {@link MaximalMarginalRelevance}. */
export interface MaximalMarginalRelevanceFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** How many nodes are kept at most. */
  readonly topN: number
  /** Share of relevance against difference: 1 is by relevance alone, 0 by difference alone. */
  readonly lambda: number
  /** Embeds the query, and the nodes that have no embedding. */
  embedModel: EmbeddingModel | null
}

/** What {@link MaximalMarginalRelevance} is built from. */
export interface MaximalMarginalRelevanceOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** How many nodes are kept at most. @defaultValue 10 */
  topN?: number | undefined
  /** Share of relevance against difference: 1 is by relevance alone, 0 by difference alone. @defaultValue 0.5 */
  lambda?: number | undefined
  /** Embeds the query, and the nodes that have no embedding. */
  embedModel?: EmbeddingModel | null | undefined
}

/** @internal */
export const maximalMarginalRelevanceSpec: ModelSpec = {"name":"MaximalMarginalRelevance","description":"Chooses nodes that are relevant and unlike each other.","className":"MaximalMarginalRelevance","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"default":10,"bounded":true},"lambda":{"schema":{"type":"number","minimum":0,"maximum":1},"default":0.5,"bounded":true},"embedModel":{"wire":"embed_model","schema":{"type":"object"},"runtime":true,"holds":["getQueryEmbedding","getTextEmbeddingBatch"]}}}

/** The fields of {@link MetadataReplacementPostProcessor}. */
export interface MetadataReplacementPostProcessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Key of the entry that becomes the text. */
  targetMetadataKey: string
}

/** What {@link MetadataReplacementPostProcessor} is built from. */
export interface MetadataReplacementPostProcessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Key of the entry that becomes the text. */
  targetMetadataKey: string
}

/** @internal */
export const metadataReplacementPostProcessorSpec: ModelSpec = {"name":"MetadataReplacementPostProcessor","description":"Replaces the text of each node by one of its metadata entries.","className":"MetadataReplacementPostProcessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"targetMetadataKey":{"wire":"target_metadata_key","schema":{"type":"string"},"required":true}}}

/** The fields of {@link NERPIINodePostprocessor}. */
export interface NERPIINodePostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Metadata key of the mapping from tags to the original data. */
  piiNodeInfoKey: string
  /** Finds the entities of a text; @x/transformers makes one from a model name. */
  ner: EntityRecognizer | null
  /** A longer text is given to the model in windows of this many UTF-16 units, because models cut off what is too long; null gives it whole. */
  readonly windowSize: number | null
  /** Takes the mapping of each node; with it the nodes carry none. */
  mappingSink: MappingSink | null
  /** Whether a tag means the same in all nodes of a call, so that an answer that draws on several nodes can be unmasked. */
  distinctTags: boolean
  /** How many nodes are masked at once. */
  readonly maxConcurrency: number
}

/** What {@link NERPIINodePostprocessor} is built from. */
export interface NERPIINodePostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Metadata key of the mapping from tags to the original data. @defaultValue "__pii_node_info__" */
  piiNodeInfoKey?: string | undefined
  /** Finds the entities of a text; @x/transformers makes one from a model name. */
  ner?: EntityRecognizer | null | undefined
  /** A longer text is given to the model in windows of this many UTF-16 units, because models cut off what is too long; null gives it whole. @defaultValue 1000 */
  windowSize?: number | null | undefined
  /** Takes the mapping of each node; with it the nodes carry none. */
  mappingSink?: MappingSink | null | undefined
  /** Whether a tag means the same in all nodes of a call, so that an answer that draws on several nodes can be unmasked. @defaultValue false */
  distinctTags?: boolean | undefined
  /** How many nodes are masked at once. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const nerpiiNodePostprocessorSpec: ModelSpec = {"name":"NERPIINodePostprocessor","description":"Masks personal data with a named-entity model.","className":"NERPIINodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"piiNodeInfoKey":{"wire":"pii_node_info_key","schema":{"type":"string"},"default":"__pii_node_info__"},"ner":{"schema":{},"runtime":true,"holds":"function"},"windowSize":{"wire":"window_size","schema":{"minimum":1,"type":["integer","null"]},"default":1000,"bounded":true,"extension":true},"mappingSink":{"wire":"mapping_sink","schema":{},"runtime":true,"holds":"function"},"distinctTags":{"wire":"distinct_tags","schema":{"type":"boolean"},"default":false,"extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link NodePostprocessor}. */
export interface NodePostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
}

/** What {@link NodePostprocessor} is built from. */
export interface NodePostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
}

/** @internal */
export const nodePostprocessorSpec: ModelSpec = {"name":"NodePostprocessor","description":"Turns a list of scored nodes into another one.","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]}}}

/** The fields of {@link PIINodePostprocessor}. */
export interface PIINodePostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** The model, which sees the data: a local one. */
  llm: LLM
  /** The prompt; variables context_str and query_str. */
  piiStrTmpl: string
  /** Metadata key of the mapping from tags to the original data. */
  piiNodeInfoKey: string
  /** Takes the mapping of each node; with it the nodes carry none. */
  mappingSink: MappingSink | null
  /** Whether a tag means the same in all nodes of a call, so that an answer that draws on several nodes can be unmasked. */
  distinctTags: boolean
  /** How many nodes are masked at once. */
  readonly maxConcurrency: number
}

/** What {@link PIINodePostprocessor} is built from. */
export interface PIINodePostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** The model, which sees the data: a local one. */
  llm: LLM
  /** The prompt; variables context_str and query_str. @defaultValue "Below is a text that may hold personal data: names, addresses, telephone numbers, e-mail addresses, dates of birth, numbers of cards, accounts and documents.\nWrite the text again, word for word, with each such item replaced by a tag in square brackets: upper case, numbered, the same tag for the same item, as in [NAME1].\nThen write a line with \"Output Mapping:\" and, after it, one JSON object that maps each tag, without its brackets, to the original. If there is nothing to mask, the object is empty. Write nothing else.\n\nExample\nText: Hello, I am Mia Berg and my card number is 4000 1234 5678 9010.\nAnswer:\nHello, I am [NAME1] and my card number is [CARD_NUMBER1].\nOutput Mapping:\n{{\"NAME1\": \"Mia Berg\", \"CARD_NUMBER1\": \"4000 1234 5678 9010\"}}\n\nTask: {query_str}\nText: {context_str}\nAnswer:\n" */
  piiStrTmpl?: string | undefined
  /** Metadata key of the mapping from tags to the original data. @defaultValue "__pii_node_info__" */
  piiNodeInfoKey?: string | undefined
  /** Takes the mapping of each node; with it the nodes carry none. */
  mappingSink?: MappingSink | null | undefined
  /** Whether a tag means the same in all nodes of a call, so that an answer that draws on several nodes can be unmasked. @defaultValue false */
  distinctTags?: boolean | undefined
  /** How many nodes are masked at once. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const piiNodePostprocessorSpec: ModelSpec = {"name":"PIINodePostprocessor","description":"Masks personal data with a language model.","className":"PIINodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"llm":{"schema":{"x-nested":true},"required":true,"holds":["predict"]},"piiStrTmpl":{"wire":"pii_str_tmpl","schema":{"type":"string"},"default":"Below is a text that may hold personal data: names, addresses, telephone numbers, e-mail addresses, dates of birth, numbers of cards, accounts and documents.\nWrite the text again, word for word, with each such item replaced by a tag in square brackets: upper case, numbered, the same tag for the same item, as in [NAME1].\nThen write a line with \"Output Mapping:\" and, after it, one JSON object that maps each tag, without its brackets, to the original. If there is nothing to mask, the object is empty. Write nothing else.\n\nExample\nText: Hello, I am Mia Berg and my card number is 4000 1234 5678 9010.\nAnswer:\nHello, I am [NAME1] and my card number is [CARD_NUMBER1].\nOutput Mapping:\n{{\"NAME1\": \"Mia Berg\", \"CARD_NUMBER1\": \"4000 1234 5678 9010\"}}\n\nTask: {query_str}\nText: {context_str}\nAnswer:\n"},"piiNodeInfoKey":{"wire":"pii_node_info_key","schema":{"type":"string"},"default":"__pii_node_info__"},"mappingSink":{"wire":"mapping_sink","schema":{},"runtime":true,"holds":"function"},"distinctTags":{"wire":"distinct_tags","schema":{"type":"boolean"},"default":false,"extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link PostprocessorPipeline}. */
export interface PostprocessorPipelineFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** The steps, in order. */
  postprocessors: NodePostprocessor[]
}

/** What {@link PostprocessorPipeline} is built from. */
export interface PostprocessorPipelineOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** The steps, in order. */
  postprocessors: readonly NodePostprocessor[]
}

/** @internal */
export const postprocessorPipelineSpec: ModelSpec = {"name":"PostprocessorPipeline","description":"Runs postprocessors one after the other.","className":"PostprocessorPipeline","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"postprocessors":{"schema":{"type":"array","items":{"x-nested":true}},"required":true}}}

/** The fields of {@link PrevNextNodePostprocessor}. */
export interface PrevNextNodePostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Where neighbours are looked up by id. */
  docstore: DocumentStore
  /** How many neighbours are fetched per node and direction at most. */
  readonly numNodes: number
  /** In which direction neighbours are fetched. */
  mode: 'next' | 'previous' | 'both'
  /** What happens at a neighbour that is not in the store. */
  onMissing: 'throw' | 'stop'
}

/** What {@link PrevNextNodePostprocessor} is built from. */
export interface PrevNextNodePostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Where neighbours are looked up by id. */
  docstore: DocumentStore
  /** How many neighbours are fetched per node and direction at most. @defaultValue 1 */
  numNodes?: number | undefined
  /** In which direction neighbours are fetched. @defaultValue "next" */
  mode?: 'next' | 'previous' | 'both' | undefined
  /** What happens at a neighbour that is not in the store. @defaultValue "throw" */
  onMissing?: 'throw' | 'stop' | undefined
}

/** @internal */
export const prevNextNodePostprocessorSpec: ModelSpec = {"name":"PrevNextNodePostprocessor","description":"Adds the nodes that stand before or after each node in its document.","className":"PrevNextNodePostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"docstore":{"schema":{"type":"object"},"required":true,"runtime":true,"holds":["getNode"]},"numNodes":{"wire":"num_nodes","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"mode":{"schema":{"type":"string","enum":["next","previous","both"]},"default":"next"},"onMissing":{"wire":"on_missing","schema":{"type":"string","enum":["throw","stop"]},"default":"throw","extension":true}}}

/** The fields of {@link RankFusion}. */
export interface RankFusionFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Each gives one ranking of the nodes. */
  rankers: NodePostprocessor[]
  /** The weight of each ranking; 1 for those that have none. */
  weights: number[]
  /** How rankings are put together; see fuseNodes. */
  mode: 'reciprocal_rank' | 'relative_score' | 'best_score'
  /** Evens out the first ranks. */
  readonly k: number
  /** How many nodes are kept at most. */
  readonly topN: number
  /** How many rankers run at once. */
  readonly maxConcurrency: number
}

/** What {@link RankFusion} is built from. */
export interface RankFusionOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Each gives one ranking of the nodes. */
  rankers: readonly NodePostprocessor[]
  /** The weight of each ranking; 1 for those that have none. @defaultValue [] */
  weights?: readonly number[] | undefined
  /** How rankings are put together; see fuseNodes. @defaultValue "reciprocal_rank" */
  mode?: 'reciprocal_rank' | 'relative_score' | 'best_score' | undefined
  /** Evens out the first ranks. @defaultValue 60 */
  k?: number | undefined
  /** How many nodes are kept at most. @defaultValue 10 */
  topN?: number | undefined
  /** How many rankers run at once. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const rankFusionSpec: ModelSpec = {"name":"RankFusion","description":"Ranks nodes in several ways and makes one ranking of them.","className":"RankFusion","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"rankers":{"schema":{"type":"array","items":{"x-nested":true}},"required":true},"weights":{"schema":{"type":"array","items":{"type":"number","minimum":0}},"default":[]},"mode":{"schema":{"type":"string","enum":["reciprocal_rank","relative_score","best_score"]},"default":"reciprocal_rank"},"k":{"schema":{"type":"number","minimum":0},"default":60,"bounded":true},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"default":10,"bounded":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true}}}

/** The fields of {@link SentenceEmbeddingOptimizer}. */
export interface SentenceEmbeddingOptimizerFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Share of the sentences that is kept, at least one; null keeps all that pass the threshold. */
  readonly percentileCutoff: number | null
  /** A sentence must be closer to the query than this; null asks for nothing. */
  thresholdCutoff: number | null
  /** Sentences kept before each chosen one; null is 1. */
  readonly contextBefore: number | null
  /** Sentences kept after each chosen one; null is 1. */
  readonly contextAfter: number | null
  /** Embeds the query and the sentences. */
  embedModel: EmbeddingModel | null
  /** Cuts a text into sentences; the default is splitSentences. */
  tokenizerFn: ((text: string) => readonly string[]) | null
  /** Language tag of the texts, for the default splitter. */
  lang: string
  /** What happens to a node of which no sentence passes the threshold. */
  onEmpty: 'throw' | 'drop' | 'keep'
  /** How many nodes are embedded at once. */
  readonly maxConcurrency: number
}

/** What {@link SentenceEmbeddingOptimizer} is built from. */
export interface SentenceEmbeddingOptimizerOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Share of the sentences that is kept, at least one; null keeps all that pass the threshold. @defaultValue null */
  percentileCutoff?: number | null | undefined
  /** A sentence must be closer to the query than this; null asks for nothing. @defaultValue null */
  thresholdCutoff?: number | null | undefined
  /** Sentences kept before each chosen one; null is 1. @defaultValue null */
  contextBefore?: number | null | undefined
  /** Sentences kept after each chosen one; null is 1. @defaultValue null */
  contextAfter?: number | null | undefined
  /** Embeds the query and the sentences. */
  embedModel?: EmbeddingModel | null | undefined
  /** Cuts a text into sentences; the default is splitSentences. */
  tokenizerFn?: ((text: string) => readonly string[]) | null | undefined
  /** Language tag of the texts, for the default splitter. @defaultValue "en" */
  lang?: string | undefined
  /** What happens to a node of which no sentence passes the threshold. @defaultValue "throw" */
  onEmpty?: 'throw' | 'drop' | 'keep' | undefined
  /** How many nodes are embedded at once. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

/** @internal */
export const sentenceEmbeddingOptimizerSpec: ModelSpec = {"name":"SentenceEmbeddingOptimizer","description":"Shortens each node to the sentences that are closest to the query.","className":"SentenceEmbeddingOptimizer","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"percentileCutoff":{"wire":"percentile_cutoff","schema":{"minimum":0,"maximum":1,"type":["number","null"]},"bounded":true},"thresholdCutoff":{"wire":"threshold_cutoff","schema":{"type":["number","null"]}},"contextBefore":{"wire":"context_before","schema":{"minimum":0,"type":["integer","null"]},"bounded":true},"contextAfter":{"wire":"context_after","schema":{"minimum":0,"type":["integer","null"]},"bounded":true},"embedModel":{"wire":"embed_model","schema":{"type":"object"},"runtime":true,"holds":["getQueryEmbedding","getTextEmbeddingBatch"],"extension":true},"tokenizerFn":{"wire":"tokenizer_fn","schema":{},"runtime":true,"holds":"function"},"lang":{"schema":{"type":"string"},"default":"en","extension":true},"onEmpty":{"wire":"on_empty","schema":{"type":"string","enum":["throw","drop","keep"]},"default":"throw","extension":true},"maxConcurrency":{"wire":"max_concurrency","schema":{"type":"integer","minimum":1},"default":1,"bounded":true,"extension":true}}}

/** The fields of {@link SentenceTransformerRerank}. */
export interface SentenceTransformerRerankFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Name of the model. */
  model: string
  /** How many nodes are kept at most. */
  readonly topN: number
  /** Where the model computes. */
  device: string
  /** Whether the score that a node came with is kept as its metadata entry retrieval_score. */
  keepRetrievalScore: boolean
  /** The model, loaded. */
  crossEncoder: CrossEncoder | null
}

/** What {@link SentenceTransformerRerank} is built from. */
export interface SentenceTransformerRerankOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Name of the model. */
  model: string
  /** How many nodes are kept at most. */
  topN: number
  /** Where the model computes. @defaultValue "cpu" */
  device?: string | undefined
  /** Whether the score that a node came with is kept as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore?: boolean | undefined
  /** The model, loaded. */
  crossEncoder?: CrossEncoder | null | undefined
}

/** @internal */
export const sentenceTransformerRerankSpec: ModelSpec = {"name":"SentenceTransformerRerank","description":"Orders nodes by the score that a cross-encoder gives them for the query.","className":"SentenceTransformerRerank","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"model":{"schema":{"type":"string"},"required":true},"topN":{"wire":"top_n","schema":{"type":"integer","minimum":0},"required":true,"bounded":true},"device":{"schema":{"type":"string"},"default":"cpu"},"keepRetrievalScore":{"wire":"keep_retrieval_score","schema":{"type":"boolean"},"default":false},"crossEncoder":{"wire":"cross_encoder","schema":{"type":"object"},"runtime":true,"holds":["predict"],"extension":true}}}

/** The fields of {@link SimilarityPostprocessor}. */
export interface SimilarityPostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Lowest score kept, inclusive, on the scale of the scores given; null keeps every node. */
  similarityCutoff: number | null
  /** Whether a node without a score passes a cutoff. */
  keepUnscored: boolean
}

/** What {@link SimilarityPostprocessor} is built from. */
export interface SimilarityPostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Lowest score kept, inclusive, on the scale of the scores given; null keeps every node. @defaultValue null */
  similarityCutoff?: number | null | undefined
  /** Whether a node without a score passes a cutoff. @defaultValue false */
  keepUnscored?: boolean | undefined
}

/** @internal */
export const similarityPostprocessorSpec: ModelSpec = {"name":"SimilarityPostprocessor","description":"Keeps the nodes that score at least a cutoff.","className":"SimilarityPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"similarityCutoff":{"wire":"similarity_cutoff","schema":{"type":["number","null"]}},"keepUnscored":{"wire":"keep_unscored","schema":{"type":"boolean"},"default":false,"extension":true}}}

/** The fields of {@link TimeWeightedPostprocessor}. */
export interface TimeWeightedPostprocessorFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** Share of the bonus that is lost per hour; 0 loses nothing. */
  readonly timeDecay: number
  /** Metadata key of the last access, in seconds since 1970-01-01 UTC. */
  lastAccessedKey: string
  /** Whether the nodes returned carry now as their last access. */
  timeAccessRefresh: boolean
  /** The time of the call in seconds since 1970-01-01 UTC; null reads the clock. */
  now: number | null
  /** How many nodes are kept at most. */
  readonly topK: number
  /** Whether the time of access is kept from models and embeddings on the nodes returned. */
  hideAccessTime: boolean
  /** Called with the nodes returned, to write the new time of access to a store. */
  onAccess: AccessListener | null
}

/** What {@link TimeWeightedPostprocessor} is built from. */
export interface TimeWeightedPostprocessorOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** Share of the bonus that is lost per hour; 0 loses nothing. @defaultValue 0.99 */
  timeDecay?: number | undefined
  /** Metadata key of the last access, in seconds since 1970-01-01 UTC. @defaultValue "__last_accessed__" */
  lastAccessedKey?: string | undefined
  /** Whether the nodes returned carry now as their last access. @defaultValue true */
  timeAccessRefresh?: boolean | undefined
  /** The time of the call in seconds since 1970-01-01 UTC; null reads the clock. @defaultValue null */
  now?: number | null | undefined
  /** How many nodes are kept at most. @defaultValue 1 */
  topK?: number | undefined
  /** Whether the time of access is kept from models and embeddings on the nodes returned. @defaultValue false */
  hideAccessTime?: boolean | undefined
  /** Called with the nodes returned, to write the new time of access to a store. */
  onAccess?: AccessListener | null | undefined
}

/** @internal */
export const timeWeightedPostprocessorSpec: ModelSpec = {"name":"TimeWeightedPostprocessor","description":"Adds a bonus to the score of nodes that were used lately.","className":"TimeWeightedPostprocessor","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"timeDecay":{"wire":"time_decay","schema":{"type":"number","minimum":0,"maximum":1},"default":0.99,"bounded":true},"lastAccessedKey":{"wire":"last_accessed_key","schema":{"type":"string"},"default":"__last_accessed__"},"timeAccessRefresh":{"wire":"time_access_refresh","schema":{"type":"boolean"},"default":true},"now":{"schema":{"type":["number","null"]}},"topK":{"wire":"top_k","schema":{"type":"integer","minimum":0},"default":1,"bounded":true},"hideAccessTime":{"wire":"hide_access_time","schema":{"type":"boolean"},"default":false,"extension":true},"onAccess":{"wire":"on_access","schema":{},"runtime":true,"holds":"function"}}}

/** The fields of {@link TokenBudget}. */
export interface TokenBudgetFields {
  /** Who is told of the reranking event. */
  callbackManager: CallbackManager | null
  /** How many tokens the nodes kept may have together, as models see them. */
  readonly maxTokens: number
  /** Tokens that stand between two nodes. */
  readonly separatorTokens: number
  /** What happens at a node that does not fit: it is left out and less relevant ones are tried, nothing further is taken, or its text is cut and nothing further is taken. */
  overflow: 'skip' | 'stop' | 'cut'
  /** Counts the tokens of a text; the default is estimateTokens. */
  countTokens: ((text: string) => number) | null
}

/** What {@link TokenBudget} is built from. */
export interface TokenBudgetOptions {
  /** Who is told of the reranking event. */
  callbackManager?: CallbackManager | null | undefined
  /** How many tokens the nodes kept may have together, as models see them. */
  maxTokens: number
  /** Tokens that stand between two nodes. @defaultValue 2 */
  separatorTokens?: number | undefined
  /** What happens at a node that does not fit: it is left out and less relevant ones are tried, nothing further is taken, or its text is cut and nothing further is taken. @defaultValue "skip" */
  overflow?: 'skip' | 'stop' | 'cut' | undefined
  /** Counts the tokens of a text; the default is estimateTokens. */
  countTokens?: ((text: string) => number) | null | undefined
}

/** @internal */
export const tokenBudgetSpec: ModelSpec = {"name":"TokenBudget","description":"Keeps the best nodes that fit into a number of tokens.","className":"TokenBudget","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"maxTokens":{"wire":"max_tokens","schema":{"type":"integer","minimum":0},"required":true,"bounded":true},"separatorTokens":{"wire":"separator_tokens","schema":{"type":"integer","minimum":0},"default":2,"bounded":true},"overflow":{"schema":{"type":"string","enum":["skip","stop","cut"]},"default":"skip"},"countTokens":{"wire":"count_tokens","schema":{},"runtime":true,"holds":"function"}}}
