import { Array as List, Number as Num, String as Text, Unsafe } from 'typebox'
import { component, freeForm, nested, nullable, textList } from '../define.ts'
import type { RelatedNodeInfoOptions } from '../generated/related-node-info.ts'
import { NodeRelationship } from './codes.ts'
import type { RelatedNodeInfo } from './related-node-info.ts'

const offset = (description: string) => Unsafe<number | null>({ type: ['integer', 'null'], description, default: null })

/** The identifier of a node, made by the class by default; `aliases` are further names on the wire. */
export const nodeId = (aliases: readonly string[]) =>
  Text({ wire: 'id_', aliases, description: 'Identifier; a random UUID by default.', default: null })

export const TextNode = component('TextNode', 'A piece of text with metadata and relations.', {
  id: nodeId(['nodeId']),
  embedding: nullable(List(Num()), { description: 'The vector of this node.' }),
  metadata: freeForm({
    aliases: ['extra_info'],
    description: 'JSON values by key; the order of the keys matters.',
    default: {},
  }),
  excludedEmbedMetadataKeys: textList({ description: 'Metadata keys that embeddings do not see.', default: [] }),
  excludedLlmMetadataKeys: textList({ description: 'Metadata keys that models do not see.', default: [] }),
  relationships: Unsafe<Record<string, unknown>>({
    type: 'object',
    propertyNames: { enum: Object.values(NodeRelationship) },
    additionalProperties: nested<
      RelatedNodeInfo | RelatedNodeInfo[],
      RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]
    >({}),
    description: 'Related nodes by code of NodeRelationship; one record, or a list of them.',
    default: {},
  }),
  text: Text({ description: 'The text.', default: '' }),
  startCharIdx: offset('Where the text starts in the text of its source, in UTF-16 code units.'),
  endCharIdx: offset('Where the text ends in the text of its source, in UTF-16 code units.'),
  textTemplate: Text({
    description: 'Template that joins metadata and text; variables metadata_str and content.',
    default: '{metadata_str}\n\n{content}',
  }),
  metadataTemplate: Text({
    description: 'Template of one metadata entry; variables key and value.',
    default: '{key}: {value}',
  }),
  metadataSeparator: Text({
    wire: 'metadata_seperator',
    aliases: ['metadata_separator'],
    description: 'Separator between metadata entries.',
    default: '\n',
  }),
})
