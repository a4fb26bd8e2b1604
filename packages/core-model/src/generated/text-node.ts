// Generated from the schema of the model by x-codegen. Do not edit.
import type { RelatedNodeInfo } from '../nodes/related-node-info.ts'
import type { RelatedNodeInfoOptions } from './related-node-info.ts'
import { Model, modelOf } from '@x/core'

/** The fields of {@link TextNode}. */
export interface TextNodeFields {
  /** Identifier; a random UUID by default. */
  id: string
  /** The vector of this node. @defaultValue null */
  embedding: number[] | null
  /** JSON values by key; the order of the keys matters. @defaultValue {} */
  metadata: Record<string, unknown>
  /** Metadata keys that are hidden from embedding models. @defaultValue [] */
  excludedEmbedMetadataKeys: string[]
  /** Metadata keys that are hidden from language models. @defaultValue [] */
  excludedLlmMetadataKeys: string[]
  /** Related nodes by code of NodeRelationship; one record, or a list of them. @defaultValue {} */
  relationships: Record<string, RelatedNodeInfo | RelatedNodeInfo[]>
  /** The text. @defaultValue '' */
  text: string
  /** Where the text starts in the text of its source, in UTF-16 code units. @defaultValue null */
  startCharIdx: number | null
  /** Where the text ends in the text of its source, in UTF-16 code units. @defaultValue null */
  endCharIdx: number | null
  /** Template that joins metadata and text; variables metadata_str and content. @defaultValue '{metadata_str}\n\n{content}' */
  textTemplate: string
  /** Template of one metadata entry; variables key and value. @defaultValue '{key}: {value}' */
  metadataTemplate: string
  /** Separator between metadata entries. @defaultValue '\n' */
  metadataSeparator: string
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  textResource: Record<string, unknown> | null
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  imageResource: Record<string, unknown> | null
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  audioResource: Record<string, unknown> | null
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  videoResource: Record<string, unknown> | null
}

/** Constructor options of {@link TextNode}. */
export interface TextNodeOptions {
  /** Identifier; a random UUID by default. */
  id?: string | undefined
  /** The vector of this node. @defaultValue null */
  embedding?: readonly number[] | null | undefined
  /** JSON values by key; the order of the keys matters. @defaultValue {} */
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** Metadata keys that are hidden from embedding models. @defaultValue [] */
  excludedEmbedMetadataKeys?: readonly string[] | undefined
  /** Metadata keys that are hidden from language models. @defaultValue [] */
  excludedLlmMetadataKeys?: readonly string[] | undefined
  /** Related nodes by code of NodeRelationship; one record, or a list of them. @defaultValue {} */
  relationships?: Readonly<Record<string, RelatedNodeInfo | RelatedNodeInfo[] | RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]>> | undefined
  /** The text. @defaultValue '' */
  text?: string | undefined
  /** Where the text starts in the text of its source, in UTF-16 code units. @defaultValue null */
  startCharIdx?: number | null | undefined
  /** Where the text ends in the text of its source, in UTF-16 code units. @defaultValue null */
  endCharIdx?: number | null | undefined
  /** Template that joins metadata and text; variables metadata_str and content. @defaultValue '{metadata_str}\n\n{content}' */
  textTemplate?: string | undefined
  /** Template of one metadata entry; variables key and value. @defaultValue '{key}: {value}' */
  metadataTemplate?: string | undefined
  /** Separator between metadata entries. @defaultValue '\n' */
  metadataSeparator?: string | undefined
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  textResource?: Readonly<Record<string, unknown>> | null | undefined
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  imageResource?: Readonly<Record<string, unknown>> | null | undefined
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  audioResource?: Readonly<Record<string, unknown>> | null | undefined
  /** Further media, as newer LlamaIndex for Python writes it. @defaultValue null */
  videoResource?: Readonly<Record<string, unknown>> | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: TextNodeOptions)
}
interface Declared extends TextNodeFields {}

/** The typed base class of {@link TextNode}. */
export const TextNodeModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'TextNode',
  description: 'A piece of text with metadata and relations.',
  className: 'TextNode',
  fields: {
    id: { wire: 'id_', aliases: ['nodeId'], schema: { type: 'string', description: 'Identifier; a random UUID by default.' } },
    embedding: { schema: { items: { type: 'number' }, type: ['array', 'null'], description: 'The vector of this node.' } },
    metadata: { aliases: ['extra_info'], schema: { type: 'object', description: 'JSON values by key; the order of the keys matters.' }, default: {} },
    excludedEmbedMetadataKeys: { schema: { type: 'array', items: { type: 'string' }, description: 'Metadata keys that are hidden from embedding models.' }, default: [] },
    excludedLlmMetadataKeys: { schema: { type: 'array', items: { type: 'string' }, description: 'Metadata keys that are hidden from language models.' }, default: [] },
    relationships: { schema: { type: 'object', propertyNames: { enum: ['1', '2', '3', '4', '5'] }, additionalProperties: { 'x-nested': true }, description: 'Related nodes by code of NodeRelationship; one record, or a list of them.' }, default: {} },
    text: { otherNames: ['content', 'pageContent', 'page_content'], schema: { type: 'string', description: 'The text.' }, default: '' },
    startCharIdx: { schema: { type: ['integer', 'null'], description: 'Where the text starts in the text of its source, in UTF-16 code units.' } },
    endCharIdx: { schema: { type: ['integer', 'null'], description: 'Where the text ends in the text of its source, in UTF-16 code units.' } },
    textTemplate: { schema: { type: 'string', description: 'Template that joins metadata and text; variables metadata_str and content.' }, default: '{metadata_str}\n\n{content}' },
    metadataTemplate: { schema: { type: 'string', description: 'Template of one metadata entry; variables key and value.' }, default: '{key}: {value}' },
    metadataSeparator: { wire: 'metadata_seperator', aliases: ['metadata_separator'], schema: { type: 'string', description: 'Separator between metadata entries.' }, default: '\n' },
    textResource: { schema: { type: ['object', 'null'], description: 'Further media, as newer LlamaIndex for Python writes it.' }, extension: true },
    imageResource: { schema: { type: ['object', 'null'], description: 'Further media, as newer LlamaIndex for Python writes it.' }, extension: true },
    audioResource: { schema: { type: ['object', 'null'], description: 'Further media, as newer LlamaIndex for Python writes it.' }, extension: true },
    videoResource: { schema: { type: ['object', 'null'], description: 'Further media, as newer LlamaIndex for Python writes it.' }, extension: true },
  },
})
