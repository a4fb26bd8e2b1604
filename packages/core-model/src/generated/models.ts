// Generated from the schemas by tools/codegen. Do not edit.
import type { CallbackManager } from '../callbacks/callback-manager.ts'
import type { PromptLike } from '../contracts/llm.ts'
import type { OutputParser } from '../contracts/output-parser.ts'
import type { ChatMessage } from '../messages/chat-message.ts'
import type { ModelSpec } from '../model/model-spec.ts'
import type { RelatedNodeInfo } from '../nodes/related-node-info.ts'
import type { TextNode } from '../nodes/text-node.ts'

/** The fields of {@link BaseEmbedding}. */
export interface BaseEmbeddingFields {
  /** Receives the events. */
  callbackManager: CallbackManager | null
  /** Name of the model. */
  modelName: string
  /** Texts per request, 1 to 2048. */
  readonly embedBatchSize: number
}

/** What {@link BaseEmbedding} is built from. */
export interface BaseEmbeddingOptions {
  /** Receives the events. */
  callbackManager?: CallbackManager | null | undefined
  /** Name of the model. @defaultValue "unknown" */
  modelName?: string | undefined
  /** Texts per request, 1 to 2048. @defaultValue 10 */
  embedBatchSize?: number | undefined
}

/** @internal */
export const baseEmbeddingSpec: ModelSpec = {"name":"BaseEmbedding","description":"An embedding model.","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"modelName":{"wire":"model_name","schema":{"type":"string"},"default":"unknown"},"embedBatchSize":{"wire":"embed_batch_size","schema":{"type":"integer","exclusiveMinimum":0,"maximum":2048},"default":10,"bounded":true}}}

/** The fields of {@link ChatMessage}. */
export interface ChatMessageFields {
  /** The role of the author. */
  role: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot'
  /** A string, a list of content parts, or null. */
  content: unknown
  /** Data of the provider, such as tool calls. */
  additionalKwargs: Record<string, unknown>
}

/** What {@link ChatMessage} is built from. */
export interface ChatMessageOptions {
  /** The role of the author. @defaultValue "user" */
  role?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | undefined
  /** A string, a list of content parts, or null. @defaultValue "" */
  content?: unknown | undefined
  /** Data of the provider, such as tool calls. @defaultValue {} */
  additionalKwargs?: Record<string, unknown> | undefined
}

/** @internal */
export const chatMessageSpec: ModelSpec = {"name":"ChatMessage","description":"One message of a chat.","className":"ChatMessage","record":true,"fields":{"role":{"schema":{"type":"string","enum":["system","user","assistant","function","tool","chatbot"]},"default":"user"},"content":{"schema":{},"default":"","json":true},"additionalKwargs":{"wire":"additional_kwargs","schema":{"type":"object"},"default":{}}}}

/** The fields of {@link ChatResponse}. */
export interface ChatResponseFields {
  /** The message; in a stream, everything so far. */
  message: ChatMessage
  /** What the provider sent, as plain data. */
  raw: Record<string, unknown> | null
  /** In a stream, the new piece. */
  delta: string | null
  /** Further data of the provider. */
  additionalKwargs: Record<string, unknown>
}

/** What {@link ChatResponse} is built from. */
export interface ChatResponseOptions {
  /** The message; in a stream, everything so far. */
  message: ChatMessage | ChatMessageOptions
  /** What the provider sent, as plain data. @defaultValue null */
  raw?: Record<string, unknown> | null | undefined
  /** In a stream, the new piece. @defaultValue null */
  delta?: string | null | undefined
  /** Further data of the provider. @defaultValue {} */
  additionalKwargs?: Record<string, unknown> | undefined
}

/** @internal */
export const chatResponseSpec: ModelSpec = {"name":"ChatResponse","description":"The answer of a chat model, whole or so far.","className":"ChatResponse","record":true,"fields":{"message":{"schema":{"x-nested":true},"required":true},"raw":{"schema":{"type":["object","null"]}},"delta":{"schema":{"type":["string","null"]}},"additionalKwargs":{"wire":"additional_kwargs","schema":{"type":"object"},"default":{}}}}

/** The fields of {@link CompletionResponse}. */
export interface CompletionResponseFields {
  /** The text; in a stream, everything so far. */
  text: string
  /** Further data of the provider. */
  additionalKwargs: Record<string, unknown>
  /** What the provider sent, as plain data. */
  raw: Record<string, unknown> | null
  /** In a stream, the new piece. */
  delta: string | null
}

/** What {@link CompletionResponse} is built from. */
export interface CompletionResponseOptions {
  /** The text; in a stream, everything so far. */
  text: string
  /** Further data of the provider. @defaultValue {} */
  additionalKwargs?: Record<string, unknown> | undefined
  /** What the provider sent, as plain data. @defaultValue null */
  raw?: Record<string, unknown> | null | undefined
  /** In a stream, the new piece. @defaultValue null */
  delta?: string | null | undefined
}

/** @internal */
export const completionResponseSpec: ModelSpec = {"name":"CompletionResponse","description":"The answer of a completion model, whole or so far.","className":"CompletionResponse","record":true,"fields":{"text":{"schema":{"type":"string"},"required":true},"additionalKwargs":{"wire":"additional_kwargs","schema":{"type":"object"},"default":{}},"raw":{"schema":{"type":["object","null"]}},"delta":{"schema":{"type":["string","null"]}}}}

/** The fields of {@link Document}. */
export interface DocumentFields {
  /** Identifier; a random UUID by default. */
  id: string
  /** The vector of this node. */
  embedding: number[] | null
  /** JSON values by key; the order of the keys matters. */
  metadata: Record<string, unknown>
  /** Metadata keys that embeddings do not see. */
  excludedEmbedMetadataKeys: string[]
  /** Metadata keys that models do not see. */
  excludedLlmMetadataKeys: string[]
  /** Related nodes by code of NodeRelationship; one record, or a list of them. */
  relationships: Record<string, RelatedNodeInfo | RelatedNodeInfo[]>
  /** The text. */
  text: string
  /** Where the text starts in the text of its source, in UTF-16 code units. */
  startCharIdx: number | null
  /** Where the text ends in the text of its source, in UTF-16 code units. */
  endCharIdx: number | null
  /** Template that joins metadata and text; variables metadata_str and content. */
  textTemplate: string
  /** Template of one metadata entry; variables key and value. */
  metadataTemplate: string
  /** Separator between metadata entries. */
  metadataSeparator: string
}

/** What {@link Document} is built from. */
export interface DocumentOptions {
  /** Identifier; a random UUID by default. */
  id?: string | undefined
  /** The vector of this node. @defaultValue null */
  embedding?: readonly number[] | null | undefined
  /** JSON values by key; the order of the keys matters. @defaultValue {} */
  metadata?: Record<string, unknown> | undefined
  /** Metadata keys that embeddings do not see. @defaultValue [] */
  excludedEmbedMetadataKeys?: readonly string[] | undefined
  /** Metadata keys that models do not see. @defaultValue [] */
  excludedLlmMetadataKeys?: readonly string[] | undefined
  /** Related nodes by code of NodeRelationship; one record, or a list of them. @defaultValue {} */
  relationships?: Record<string, RelatedNodeInfo | RelatedNodeInfo[] | RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]> | undefined
  /** The text. @defaultValue "" */
  text?: string | undefined
  /** Where the text starts in the text of its source, in UTF-16 code units. @defaultValue null */
  startCharIdx?: number | null | undefined
  /** Where the text ends in the text of its source, in UTF-16 code units. @defaultValue null */
  endCharIdx?: number | null | undefined
  /** Template that joins metadata and text; variables metadata_str and content. @defaultValue "{metadata_str}\n\n{content}" */
  textTemplate?: string | undefined
  /** Template of one metadata entry; variables key and value. @defaultValue "{key}: {value}" */
  metadataTemplate?: string | undefined
  /** Separator between metadata entries. @defaultValue "\n" */
  metadataSeparator?: string | undefined
}

/** @internal */
export const documentSpec: ModelSpec = {"name":"Document","description":"The whole text of a source.","className":"Document","fields":{"id":{"wire":"id_","aliases":["nodeId","doc_id"],"schema":{"type":"string"}},"embedding":{"schema":{"items":{"type":"number"},"type":["array","null"]}},"metadata":{"aliases":["extra_info"],"schema":{"type":"object"},"default":{}},"excludedEmbedMetadataKeys":{"wire":"excluded_embed_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"excludedLlmMetadataKeys":{"wire":"excluded_llm_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"relationships":{"schema":{"type":"object","propertyNames":{"enum":["1","2","3","4","5"]},"additionalProperties":{"x-nested":true}},"default":{}},"text":{"schema":{"type":"string"},"default":""},"startCharIdx":{"wire":"start_char_idx","schema":{"type":["integer","null"]}},"endCharIdx":{"wire":"end_char_idx","schema":{"type":["integer","null"]}},"textTemplate":{"wire":"text_template","schema":{"type":"string"},"default":"{metadata_str}\n\n{content}"},"metadataTemplate":{"wire":"metadata_template","schema":{"type":"string"},"default":"{key}: {value}"},"metadataSeparator":{"wire":"metadata_seperator","aliases":["metadata_separator"],"schema":{"type":"string"},"default":"\n"}}}

/** The fields of {@link ImageDocument}. */
export interface ImageDocumentFields {
  /** Identifier; a random UUID by default. */
  id: string
  /** The vector of this node. */
  embedding: number[] | null
  /** JSON values by key; the order of the keys matters. */
  metadata: Record<string, unknown>
  /** Metadata keys that embeddings do not see. */
  excludedEmbedMetadataKeys: string[]
  /** Metadata keys that models do not see. */
  excludedLlmMetadataKeys: string[]
  /** Related nodes by code of NodeRelationship; one record, or a list of them. */
  relationships: Record<string, RelatedNodeInfo | RelatedNodeInfo[]>
  /** The text. */
  text: string
  /** Where the text starts in the text of its source, in UTF-16 code units. */
  startCharIdx: number | null
  /** Where the text ends in the text of its source, in UTF-16 code units. */
  endCharIdx: number | null
  /** Template that joins metadata and text; variables metadata_str and content. */
  textTemplate: string
  /** Template of one metadata entry; variables key and value. */
  metadataTemplate: string
  /** Separator between metadata entries. */
  metadataSeparator: string
  /** The image as base64 text. */
  image: string | null
  /** Path of the image file. */
  imagePath: string | null
  /** Address of the image. */
  imageUrl: string | null
  /** Media type of the image. */
  imageMimetype: string | null
  /** The vector of the text, when embedding contains that of the image. */
  textEmbedding: number[] | null
}

/** What {@link ImageDocument} is built from. */
export interface ImageDocumentOptions {
  /** Identifier; a random UUID by default. */
  id?: string | undefined
  /** The vector of this node. @defaultValue null */
  embedding?: readonly number[] | null | undefined
  /** JSON values by key; the order of the keys matters. @defaultValue {} */
  metadata?: Record<string, unknown> | undefined
  /** Metadata keys that embeddings do not see. @defaultValue [] */
  excludedEmbedMetadataKeys?: readonly string[] | undefined
  /** Metadata keys that models do not see. @defaultValue [] */
  excludedLlmMetadataKeys?: readonly string[] | undefined
  /** Related nodes by code of NodeRelationship; one record, or a list of them. @defaultValue {} */
  relationships?: Record<string, RelatedNodeInfo | RelatedNodeInfo[] | RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]> | undefined
  /** The text. @defaultValue "" */
  text?: string | undefined
  /** Where the text starts in the text of its source, in UTF-16 code units. @defaultValue null */
  startCharIdx?: number | null | undefined
  /** Where the text ends in the text of its source, in UTF-16 code units. @defaultValue null */
  endCharIdx?: number | null | undefined
  /** Template that joins metadata and text; variables metadata_str and content. @defaultValue "{metadata_str}\n\n{content}" */
  textTemplate?: string | undefined
  /** Template of one metadata entry; variables key and value. @defaultValue "{key}: {value}" */
  metadataTemplate?: string | undefined
  /** Separator between metadata entries. @defaultValue "\n" */
  metadataSeparator?: string | undefined
  /** The image as base64 text. @defaultValue null */
  image?: string | null | undefined
  /** Path of the image file. @defaultValue null */
  imagePath?: string | null | undefined
  /** Address of the image. @defaultValue null */
  imageUrl?: string | null | undefined
  /** Media type of the image. @defaultValue null */
  imageMimetype?: string | null | undefined
  /** The vector of the text, when embedding contains that of the image. @defaultValue null */
  textEmbedding?: readonly number[] | null | undefined
}

/** @internal */
export const imageDocumentSpec: ModelSpec = {"name":"ImageDocument","description":"The whole text of a source, with an image.","className":"ImageDocument","fields":{"id":{"wire":"id_","aliases":["nodeId","doc_id"],"schema":{"type":"string"}},"embedding":{"schema":{"items":{"type":"number"},"type":["array","null"]}},"metadata":{"aliases":["extra_info"],"schema":{"type":"object"},"default":{}},"excludedEmbedMetadataKeys":{"wire":"excluded_embed_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"excludedLlmMetadataKeys":{"wire":"excluded_llm_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"relationships":{"schema":{"type":"object","propertyNames":{"enum":["1","2","3","4","5"]},"additionalProperties":{"x-nested":true}},"default":{}},"text":{"schema":{"type":"string"},"default":""},"startCharIdx":{"wire":"start_char_idx","schema":{"type":["integer","null"]}},"endCharIdx":{"wire":"end_char_idx","schema":{"type":["integer","null"]}},"textTemplate":{"wire":"text_template","schema":{"type":"string"},"default":"{metadata_str}\n\n{content}"},"metadataTemplate":{"wire":"metadata_template","schema":{"type":"string"},"default":"{key}: {value}"},"metadataSeparator":{"wire":"metadata_seperator","aliases":["metadata_separator"],"schema":{"type":"string"},"default":"\n"},"image":{"schema":{"type":["string","null"]}},"imagePath":{"wire":"image_path","schema":{"type":["string","null"]}},"imageUrl":{"wire":"image_url","schema":{"type":["string","null"]}},"imageMimetype":{"wire":"image_mimetype","schema":{"type":["string","null"]}},"textEmbedding":{"wire":"text_embedding","schema":{"items":{"type":"number"},"type":["array","null"]}}}}

/** The fields of {@link ImageNode}. */
export interface ImageNodeFields {
  /** Identifier; a random UUID by default. */
  id: string
  /** The vector of this node. */
  embedding: number[] | null
  /** JSON values by key; the order of the keys matters. */
  metadata: Record<string, unknown>
  /** Metadata keys that embeddings do not see. */
  excludedEmbedMetadataKeys: string[]
  /** Metadata keys that models do not see. */
  excludedLlmMetadataKeys: string[]
  /** Related nodes by code of NodeRelationship; one record, or a list of them. */
  relationships: Record<string, RelatedNodeInfo | RelatedNodeInfo[]>
  /** The text. */
  text: string
  /** Where the text starts in the text of its source, in UTF-16 code units. */
  startCharIdx: number | null
  /** Where the text ends in the text of its source, in UTF-16 code units. */
  endCharIdx: number | null
  /** Template that joins metadata and text; variables metadata_str and content. */
  textTemplate: string
  /** Template of one metadata entry; variables key and value. */
  metadataTemplate: string
  /** Separator between metadata entries. */
  metadataSeparator: string
  /** The image as base64 text. */
  image: string | null
  /** Path of the image file. */
  imagePath: string | null
  /** Address of the image. */
  imageUrl: string | null
  /** Media type of the image. */
  imageMimetype: string | null
  /** The vector of the text, when embedding contains that of the image. */
  textEmbedding: number[] | null
}

/** What {@link ImageNode} is built from. */
export interface ImageNodeOptions {
  /** Identifier; a random UUID by default. */
  id?: string | undefined
  /** The vector of this node. @defaultValue null */
  embedding?: readonly number[] | null | undefined
  /** JSON values by key; the order of the keys matters. @defaultValue {} */
  metadata?: Record<string, unknown> | undefined
  /** Metadata keys that embeddings do not see. @defaultValue [] */
  excludedEmbedMetadataKeys?: readonly string[] | undefined
  /** Metadata keys that models do not see. @defaultValue [] */
  excludedLlmMetadataKeys?: readonly string[] | undefined
  /** Related nodes by code of NodeRelationship; one record, or a list of them. @defaultValue {} */
  relationships?: Record<string, RelatedNodeInfo | RelatedNodeInfo[] | RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]> | undefined
  /** The text. @defaultValue "" */
  text?: string | undefined
  /** Where the text starts in the text of its source, in UTF-16 code units. @defaultValue null */
  startCharIdx?: number | null | undefined
  /** Where the text ends in the text of its source, in UTF-16 code units. @defaultValue null */
  endCharIdx?: number | null | undefined
  /** Template that joins metadata and text; variables metadata_str and content. @defaultValue "{metadata_str}\n\n{content}" */
  textTemplate?: string | undefined
  /** Template of one metadata entry; variables key and value. @defaultValue "{key}: {value}" */
  metadataTemplate?: string | undefined
  /** Separator between metadata entries. @defaultValue "\n" */
  metadataSeparator?: string | undefined
  /** The image as base64 text. @defaultValue null */
  image?: string | null | undefined
  /** Path of the image file. @defaultValue null */
  imagePath?: string | null | undefined
  /** Address of the image. @defaultValue null */
  imageUrl?: string | null | undefined
  /** Media type of the image. @defaultValue null */
  imageMimetype?: string | null | undefined
  /** The vector of the text, when embedding contains that of the image. @defaultValue null */
  textEmbedding?: readonly number[] | null | undefined
}

/** @internal */
export const imageNodeSpec: ModelSpec = {"name":"ImageNode","description":"A node with an image.","className":"ImageNode","fields":{"id":{"wire":"id_","aliases":["nodeId"],"schema":{"type":"string"}},"embedding":{"schema":{"items":{"type":"number"},"type":["array","null"]}},"metadata":{"aliases":["extra_info"],"schema":{"type":"object"},"default":{}},"excludedEmbedMetadataKeys":{"wire":"excluded_embed_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"excludedLlmMetadataKeys":{"wire":"excluded_llm_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"relationships":{"schema":{"type":"object","propertyNames":{"enum":["1","2","3","4","5"]},"additionalProperties":{"x-nested":true}},"default":{}},"text":{"schema":{"type":"string"},"default":""},"startCharIdx":{"wire":"start_char_idx","schema":{"type":["integer","null"]}},"endCharIdx":{"wire":"end_char_idx","schema":{"type":["integer","null"]}},"textTemplate":{"wire":"text_template","schema":{"type":"string"},"default":"{metadata_str}\n\n{content}"},"metadataTemplate":{"wire":"metadata_template","schema":{"type":"string"},"default":"{key}: {value}"},"metadataSeparator":{"wire":"metadata_seperator","aliases":["metadata_separator"],"schema":{"type":"string"},"default":"\n"},"image":{"schema":{"type":["string","null"]}},"imagePath":{"wire":"image_path","schema":{"type":["string","null"]}},"imageUrl":{"wire":"image_url","schema":{"type":["string","null"]}},"imageMimetype":{"wire":"image_mimetype","schema":{"type":["string","null"]}},"textEmbedding":{"wire":"text_embedding","schema":{"items":{"type":"number"},"type":["array","null"]}}}}

/** The fields of {@link IndexNode}. */
export interface IndexNodeFields {
  /** Identifier; a random UUID by default. */
  id: string
  /** The vector of this node. */
  embedding: number[] | null
  /** JSON values by key; the order of the keys matters. */
  metadata: Record<string, unknown>
  /** Metadata keys that embeddings do not see. */
  excludedEmbedMetadataKeys: string[]
  /** Metadata keys that models do not see. */
  excludedLlmMetadataKeys: string[]
  /** Related nodes by code of NodeRelationship; one record, or a list of them. */
  relationships: Record<string, RelatedNodeInfo | RelatedNodeInfo[]>
  /** The text. */
  text: string
  /** Where the text starts in the text of its source, in UTF-16 code units. */
  startCharIdx: number | null
  /** Where the text ends in the text of its source, in UTF-16 code units. */
  endCharIdx: number | null
  /** Template that joins metadata and text; variables metadata_str and content. */
  textTemplate: string
  /** Template of one metadata entry; variables key and value. */
  metadataTemplate: string
  /** Separator between metadata entries. */
  metadataSeparator: string
  /** Id of the object that this node stands for. */
  indexId: string
  /** The object itself. */
  obj: unknown
}

/** What {@link IndexNode} is built from. */
export interface IndexNodeOptions {
  /** Identifier; a random UUID by default. */
  id?: string | undefined
  /** The vector of this node. @defaultValue null */
  embedding?: readonly number[] | null | undefined
  /** JSON values by key; the order of the keys matters. @defaultValue {} */
  metadata?: Record<string, unknown> | undefined
  /** Metadata keys that embeddings do not see. @defaultValue [] */
  excludedEmbedMetadataKeys?: readonly string[] | undefined
  /** Metadata keys that models do not see. @defaultValue [] */
  excludedLlmMetadataKeys?: readonly string[] | undefined
  /** Related nodes by code of NodeRelationship; one record, or a list of them. @defaultValue {} */
  relationships?: Record<string, RelatedNodeInfo | RelatedNodeInfo[] | RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]> | undefined
  /** The text. @defaultValue "" */
  text?: string | undefined
  /** Where the text starts in the text of its source, in UTF-16 code units. @defaultValue null */
  startCharIdx?: number | null | undefined
  /** Where the text ends in the text of its source, in UTF-16 code units. @defaultValue null */
  endCharIdx?: number | null | undefined
  /** Template that joins metadata and text; variables metadata_str and content. @defaultValue "{metadata_str}\n\n{content}" */
  textTemplate?: string | undefined
  /** Template of one metadata entry; variables key and value. @defaultValue "{key}: {value}" */
  metadataTemplate?: string | undefined
  /** Separator between metadata entries. @defaultValue "\n" */
  metadataSeparator?: string | undefined
  /** Id of the object that this node stands for. */
  indexId: string
  /** The object itself. @defaultValue null */
  obj?: unknown | undefined
}

/** @internal */
export const indexNodeSpec: ModelSpec = {"name":"IndexNode","description":"A node that stands for another object, such as a table.","className":"IndexNode","fields":{"id":{"wire":"id_","aliases":["nodeId"],"schema":{"type":"string"}},"embedding":{"schema":{"items":{"type":"number"},"type":["array","null"]}},"metadata":{"aliases":["extra_info"],"schema":{"type":"object"},"default":{}},"excludedEmbedMetadataKeys":{"wire":"excluded_embed_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"excludedLlmMetadataKeys":{"wire":"excluded_llm_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"relationships":{"schema":{"type":"object","propertyNames":{"enum":["1","2","3","4","5"]},"additionalProperties":{"x-nested":true}},"default":{}},"text":{"schema":{"type":"string"},"default":""},"startCharIdx":{"wire":"start_char_idx","schema":{"type":["integer","null"]}},"endCharIdx":{"wire":"end_char_idx","schema":{"type":["integer","null"]}},"textTemplate":{"wire":"text_template","schema":{"type":"string"},"default":"{metadata_str}\n\n{content}"},"metadataTemplate":{"wire":"metadata_template","schema":{"type":"string"},"default":"{key}: {value}"},"metadataSeparator":{"wire":"metadata_seperator","aliases":["metadata_separator"],"schema":{"type":"string"},"default":"\n"},"indexId":{"wire":"index_id","schema":{"type":"string"},"required":true},"obj":{"schema":{}}}}

/** The fields of {@link LLM}. */
export interface LLMFields {
  /** Receives the events. */
  callbackManager: CallbackManager | null
  /** Prepended to the prompts of predict and stream; chat and complete do not use it. */
  systemPrompt: string | null
  /** Renders messages for a completion model. */
  messagesToPrompt: ((messages: readonly ChatMessage[]) => string) | null
  /** Wraps a prompt for a completion model. */
  completionToPrompt: ((text: string) => string) | null
  /** Adds instructions to prompts and parses answers, in predict. */
  outputParser: OutputParser | null
  /** How structured answers are requested. */
  pydanticProgramMode: 'default' | 'openai' | 'llm' | 'guidance' | 'lm-format-enforcer'
  /** Wraps the whole prompt of a completion model; variable query_str. */
  queryWrapperPrompt: PromptLike | null
}

/** What {@link LLM} is built from. */
export interface LLMOptions {
  /** Receives the events. */
  callbackManager?: CallbackManager | null | undefined
  /** Prepended to the prompts of predict and stream; chat and complete do not use it. @defaultValue null */
  systemPrompt?: string | null | undefined
  /** Renders messages for a completion model. */
  messagesToPrompt?: ((messages: readonly ChatMessage[]) => string) | null | undefined
  /** Wraps a prompt for a completion model. */
  completionToPrompt?: ((text: string) => string) | null | undefined
  /** Adds instructions to prompts and parses answers, in predict. */
  outputParser?: OutputParser | null | undefined
  /** How structured answers are requested. @defaultValue "default" */
  pydanticProgramMode?: 'default' | 'openai' | 'llm' | 'guidance' | 'lm-format-enforcer' | undefined
  /** Wraps the whole prompt of a completion model; variable query_str. */
  queryWrapperPrompt?: PromptLike | null | undefined
}

/** @internal */
export const llmSpec: ModelSpec = {"name":"LLM","description":"A language model.","fields":{"callbackManager":{"wire":"callback_manager","schema":{"type":"object","default":{}},"runtime":true,"holds":["startEvent","event"]},"systemPrompt":{"wire":"system_prompt","schema":{"type":["string","null"]}},"messagesToPrompt":{"wire":"messages_to_prompt","schema":{},"runtime":true,"holds":"function"},"completionToPrompt":{"wire":"completion_to_prompt","schema":{},"runtime":true,"holds":"function"},"outputParser":{"wire":"output_parser","schema":{"type":"object"},"runtime":true,"holds":["parse","format"]},"pydanticProgramMode":{"wire":"pydantic_program_mode","schema":{"type":"string","enum":["default","openai","llm","guidance","lm-format-enforcer"]},"default":"default"},"queryWrapperPrompt":{"wire":"query_wrapper_prompt","schema":{"type":"object"},"runtime":true,"holds":["format"]}}}

/** The fields of {@link LLMMetadata}. */
export interface LLMMetadataFields {
  /** Tokens that prompt and answer may have together. */
  contextWindow: number
  /** Tokens that an answer may have. */
  numOutput: number
  /** Whether the model accepts chat messages. */
  isChatModel: boolean
  /** Whether the model calls tools natively. */
  isFunctionCallingModel: boolean
  /** Name of the model. */
  modelName: string
  /** The role of system messages. */
  systemRole: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot'
}

/** What {@link LLMMetadata} is built from. */
export interface LLMMetadataOptions {
  /** Tokens that prompt and answer may have together. @defaultValue 3900 */
  contextWindow?: number | undefined
  /** Tokens that an answer may have. @defaultValue 256 */
  numOutput?: number | undefined
  /** Whether the model accepts chat messages. @defaultValue false */
  isChatModel?: boolean | undefined
  /** Whether the model calls tools natively. @defaultValue false */
  isFunctionCallingModel?: boolean | undefined
  /** Name of the model. @defaultValue "unknown" */
  modelName?: string | undefined
  /** The role of system messages. @defaultValue "system" */
  systemRole?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | undefined
}

/** @internal */
export const llmMetadataSpec: ModelSpec = {"name":"LLMMetadata","description":"The properties of a language model.","className":"LLMMetadata","record":true,"fields":{"contextWindow":{"wire":"context_window","schema":{"type":"integer"},"default":3900},"numOutput":{"wire":"num_output","schema":{"type":"integer"},"default":256},"isChatModel":{"wire":"is_chat_model","schema":{"type":"boolean"},"default":false},"isFunctionCallingModel":{"wire":"is_function_calling_model","schema":{"type":"boolean"},"default":false},"modelName":{"wire":"model_name","schema":{"type":"string"},"default":"unknown"},"systemRole":{"wire":"system_role","schema":{"type":"string","enum":["system","user","assistant","function","tool","chatbot"]},"default":"system"}}}

/** The fields of {@link NodeWithScore}. */
export interface NodeWithScoreFields {
  /** The node. */
  node: TextNode
  /** How well the node fits; the scale is the retriever's. Null is no score, 0 is one. */
  score: number | null
}

/** What {@link NodeWithScore} is built from. */
export interface NodeWithScoreOptions {
  /** The node. */
  node: TextNode
  /** How well the node fits; the scale is the retriever's. Null is no score, 0 is one. @defaultValue null */
  score?: number | null | undefined
}

/** @internal */
export const nodeWithScoreSpec: ModelSpec = {"name":"NodeWithScore","description":"A node with the score that a retriever assigned to it.","className":"NodeWithScore","fields":{"node":{"schema":{"x-nested":true},"required":true},"score":{"schema":{"type":["number","null"]}}}}

/** The fields of {@link QueryBundle}. */
export interface QueryBundleFields {
  /** The query. */
  queryStr: string
  /** Path of an image that belongs to the query. */
  imagePath: string | null
  /** Strings to embed instead of the query. */
  customEmbeddingStrs: string[] | null
  /** The vector of the query, when it is known. */
  embedding: number[] | null
}

/** What {@link QueryBundle} is built from. */
export interface QueryBundleOptions {
  /** The query. */
  queryStr: string
  /** Path of an image that belongs to the query. @defaultValue null */
  imagePath?: string | null | undefined
  /** Strings to embed instead of the query. @defaultValue null */
  customEmbeddingStrs?: readonly string[] | null | undefined
  /** The vector of the query, when it is known. @defaultValue null */
  embedding?: readonly number[] | null | undefined
}

/** @internal */
export const queryBundleSpec: ModelSpec = {"name":"QueryBundle","description":"A query, with the strings or the vector that it is searched by.","className":"QueryBundle","record":true,"fields":{"queryStr":{"wire":"query_str","schema":{"type":"string"},"required":true},"imagePath":{"wire":"image_path","schema":{"type":["string","null"]}},"customEmbeddingStrs":{"wire":"custom_embedding_strs","schema":{"items":{"type":"string"},"type":["array","null"]}},"embedding":{"schema":{"items":{"type":"number"},"type":["array","null"]}}}}

/** The fields of {@link RelatedNodeInfo}. */
export interface RelatedNodeInfoFields {
  /** Id of the related node. */
  nodeId: string
  /** Kind of the related node, a code of ObjectType. */
  nodeType: '1' | '2' | '3' | '4' | null
  /** Its metadata. */
  metadata: Record<string, unknown>
  /** Its hash. */
  hash: string | null
}

/** What {@link RelatedNodeInfo} is built from. */
export interface RelatedNodeInfoOptions {
  /** Id of the related node. */
  nodeId: string
  /** Kind of the related node, a code of ObjectType. @defaultValue null */
  nodeType?: '1' | '2' | '3' | '4' | null | undefined
  /** Its metadata. @defaultValue {} */
  metadata?: Record<string, unknown> | undefined
  /** Its hash. @defaultValue null */
  hash?: string | null | undefined
}

/** @internal */
export const relatedNodeInfoSpec: ModelSpec = {"name":"RelatedNodeInfo","description":"A reference to a related node.","className":"RelatedNodeInfo","fields":{"nodeId":{"wire":"node_id","schema":{"type":"string"},"required":true},"nodeType":{"wire":"node_type","schema":{"enum":["1","2","3","4",null],"type":["string","null"]}},"metadata":{"schema":{"type":"object"},"default":{}},"hash":{"schema":{"type":["string","null"]}}}}

/** The fields of {@link TextNode}. */
export interface TextNodeFields {
  /** Identifier; a random UUID by default. */
  id: string
  /** The vector of this node. */
  embedding: number[] | null
  /** JSON values by key; the order of the keys matters. */
  metadata: Record<string, unknown>
  /** Metadata keys that embeddings do not see. */
  excludedEmbedMetadataKeys: string[]
  /** Metadata keys that models do not see. */
  excludedLlmMetadataKeys: string[]
  /** Related nodes by code of NodeRelationship; one record, or a list of them. */
  relationships: Record<string, RelatedNodeInfo | RelatedNodeInfo[]>
  /** The text. */
  text: string
  /** Where the text starts in the text of its source, in UTF-16 code units. */
  startCharIdx: number | null
  /** Where the text ends in the text of its source, in UTF-16 code units. */
  endCharIdx: number | null
  /** Template that joins metadata and text; variables metadata_str and content. */
  textTemplate: string
  /** Template of one metadata entry; variables key and value. */
  metadataTemplate: string
  /** Separator between metadata entries. */
  metadataSeparator: string
}

/** What {@link TextNode} is built from. */
export interface TextNodeOptions {
  /** Identifier; a random UUID by default. */
  id?: string | undefined
  /** The vector of this node. @defaultValue null */
  embedding?: readonly number[] | null | undefined
  /** JSON values by key; the order of the keys matters. @defaultValue {} */
  metadata?: Record<string, unknown> | undefined
  /** Metadata keys that embeddings do not see. @defaultValue [] */
  excludedEmbedMetadataKeys?: readonly string[] | undefined
  /** Metadata keys that models do not see. @defaultValue [] */
  excludedLlmMetadataKeys?: readonly string[] | undefined
  /** Related nodes by code of NodeRelationship; one record, or a list of them. @defaultValue {} */
  relationships?: Record<string, RelatedNodeInfo | RelatedNodeInfo[] | RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]> | undefined
  /** The text. @defaultValue "" */
  text?: string | undefined
  /** Where the text starts in the text of its source, in UTF-16 code units. @defaultValue null */
  startCharIdx?: number | null | undefined
  /** Where the text ends in the text of its source, in UTF-16 code units. @defaultValue null */
  endCharIdx?: number | null | undefined
  /** Template that joins metadata and text; variables metadata_str and content. @defaultValue "{metadata_str}\n\n{content}" */
  textTemplate?: string | undefined
  /** Template of one metadata entry; variables key and value. @defaultValue "{key}: {value}" */
  metadataTemplate?: string | undefined
  /** Separator between metadata entries. @defaultValue "\n" */
  metadataSeparator?: string | undefined
}

/** @internal */
export const textNodeSpec: ModelSpec = {"name":"TextNode","description":"A piece of text with metadata and relations.","className":"TextNode","fields":{"id":{"wire":"id_","aliases":["nodeId"],"schema":{"type":"string"}},"embedding":{"schema":{"items":{"type":"number"},"type":["array","null"]}},"metadata":{"aliases":["extra_info"],"schema":{"type":"object"},"default":{}},"excludedEmbedMetadataKeys":{"wire":"excluded_embed_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"excludedLlmMetadataKeys":{"wire":"excluded_llm_metadata_keys","schema":{"type":"array","items":{"type":"string"}},"default":[]},"relationships":{"schema":{"type":"object","propertyNames":{"enum":["1","2","3","4","5"]},"additionalProperties":{"x-nested":true}},"default":{}},"text":{"schema":{"type":"string"},"default":""},"startCharIdx":{"wire":"start_char_idx","schema":{"type":["integer","null"]}},"endCharIdx":{"wire":"end_char_idx","schema":{"type":["integer","null"]}},"textTemplate":{"wire":"text_template","schema":{"type":"string"},"default":"{metadata_str}\n\n{content}"},"metadataTemplate":{"wire":"metadata_template","schema":{"type":"string"},"default":"{key}: {value}"},"metadataSeparator":{"wire":"metadata_seperator","aliases":["metadata_separator"],"schema":{"type":"string"},"default":"\n"}}}

/** The fields of {@link ToolOutput}. */
export interface ToolOutputFields {
  /** The output as a string, as models see it. */
  content: string
  /** Name of the tool. */
  toolName: string
  /** The arguments of the call. */
  rawInput: unknown
  /** The value that the tool returned. */
  rawOutput: unknown
  /** Whether the call failed; content says why. */
  isError: boolean
}

/** What {@link ToolOutput} is built from. */
export interface ToolOutputOptions {
  /** The output as a string, as models see it. */
  content: string
  /** Name of the tool. */
  toolName: string
  /** The arguments of the call. @defaultValue {} */
  rawInput?: unknown | undefined
  /** The value that the tool returned. @defaultValue null */
  rawOutput?: unknown | undefined
  /** Whether the call failed; content says why. @defaultValue false */
  isError?: boolean | undefined
}

/** @internal */
export const toolOutputSpec: ModelSpec = {"name":"ToolOutput","description":"The output of a tool call.","className":"ToolOutput","record":true,"fields":{"content":{"schema":{"type":"string"},"required":true},"toolName":{"wire":"tool_name","schema":{"type":"string"},"required":true},"rawInput":{"wire":"raw_input","schema":{},"default":{}},"rawOutput":{"wire":"raw_output","schema":{}},"isError":{"wire":"is_error","schema":{"type":"boolean"},"default":false}}}
