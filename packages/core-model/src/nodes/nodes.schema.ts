import { Array as List, Number as Num, String as Text, Unsafe } from 'typebox'
import { anything, component, freeForm, nested, nullable, oneOf, record, textList } from '../define.ts'
import { NodeRelationship, ObjectType } from './codes.ts'

const offset = (description: string) => Unsafe<number | null>({ type: ['integer', 'null'], description, default: null })

export const RelatedNodeInfo = component('RelatedNodeInfo', 'A reference to a related node.', {
  nodeId: Text({ description: 'Id of the related node.' }),
  nodeType: nullable(oneOf(Object.values(ObjectType)), {
    description: 'Kind of the related node, a code of ObjectType.',
  }),
  metadata: freeForm({ description: 'Its metadata.', default: {} }),
  hash: nullable(Text(), { description: 'Its hash.' }),
})

/** The fields of every node, in wire order. `id` is made by the class when it is not given. */
const nodeFields = {
  id: Text({
    wire: 'id_',
    aliases: ['nodeId'],
    description: 'Identifier; a random UUID by default.',
    default: null,
  }),
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
    additionalProperties: nested({
      type: 'RelatedNodeInfo | RelatedNodeInfo[]',
      options: 'RelatedNodeInfoOptions | readonly RelatedNodeInfoOptions[]',
      imports: { RelatedNodeInfo: './nodes/related-node-info.ts' },
    }),
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
}

const imageFields = {
  image: nullable(Text(), { description: 'The image as base64 text.' }),
  imagePath: nullable(Text(), { description: 'Path of the image file.' }),
  imageUrl: nullable(Text(), { description: 'Address of the image.' }),
  imageMimetype: nullable(Text(), { description: 'Media type of the image.' }),
  textEmbedding: nullable(List(Num()), {
    description: 'The vector of the text, when embedding contains that of the image.',
  }),
}

const documentFields = { ...nodeFields, id: { ...nodeFields.id, aliases: ['nodeId', 'doc_id'] } }

export const TextNode = component('TextNode', 'A piece of text with metadata and relations.', nodeFields)
export const ImageNode = component('ImageNode', 'A node with an image.', { ...nodeFields, ...imageFields })
export const IndexNode = component('IndexNode', 'A node that stands for another object, such as a table.', {
  ...nodeFields,
  indexId: Text({ description: 'Id of the object that this node stands for.' }),
  obj: anything({ description: 'The object itself.', default: null }),
})
export const Document = component('Document', 'The whole text of a source.', documentFields)
export const ImageDocument = component('ImageDocument', 'The whole text of a source, with an image.', {
  ...documentFields,
  ...imageFields,
})

export const NodeWithScore = component('NodeWithScore', 'A node with the score that a retriever assigned to it.', {
  node: nested({ type: 'TextNode', imports: { TextNode: './nodes/text-node.ts' }, description: 'The node.' }),
  score: nullable(Num(), {
    description: "How well the node fits; the scale is the retriever's. Null is no score, 0 is one.",
  }),
})

export const QueryBundle = record('QueryBundle', 'A query, with the strings or the vector that it is searched by.', {
  queryStr: Text({ description: 'The query.' }),
  imagePath: nullable(Text(), { description: 'Path of an image that belongs to the query.' }),
  customEmbeddingStrs: nullable(List(Text()), { description: 'Strings to embed instead of the query.' }),
  embedding: nullable(List(Num()), { description: 'The vector of the query, when it is known.' }),
})
