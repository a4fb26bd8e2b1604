/**
 * @module
 * Nodes for the pieces of a text.
 */
import {
  ImageNode,
  type ImageNodeFields,
  NodeRelationship,
  ObjectType,
  type RelatedNodeInfo,
  TextNode,
} from '@x/core-model'
import { hasImageFields, newId, sha256, valueText } from '@x/core-model/internal'

/** What is known of a node when its id is made. */
export interface NewNodeInfo {
  /** The text of the node. */
  text: string
  /** The part of the text that is of the document: a table without the summary in front of it, else all of it. */
  content: string
  /** `TextNode`, `IndexNode` or `ImageNode`. */
  className: string
}

/** Makes the id of a node: `index` counts the nodes made of one input, `node` is that input. */
export type IdFunc = (index: number, node: TextNode, made: NewNodeInfo) => string

/** What `buildNodesFromSplits` takes besides texts and document. */
export interface BuildNodesOptions {
  /** The node that counts as the source. @defaultValue the document */
  refDoc?: TextNode | null | undefined
  /** Makes the ids. @defaultValue random UUIDs */
  idFunc?: IdFunc | null | undefined
}

/**
 * One node per text, in order: an image node with the document's image when it has image fields and is a document,
 * else a text node. Excluded keys, templates and separator are those of the document; metadata and offsets are not set.
 * @example
 * const document = new Document({ id: 'd', text: 'a b' })
 * buildNodesFromSplits(['a', 'b'], document, { idFunc: (index) => `n${index}` }).map((node) => node.id) // => ['n0', 'n1']
 */
export function buildNodesFromSplits(
  splits: readonly string[],
  document: TextNode,
  { refDoc, idFunc }: BuildNodesOptions = {},
): TextNode[] {
  if (splits.length === 0) return []
  const source = recordOf(refDoc ?? document)
  const makeId = idMaker(document, idFunc)
  const image = hasImageFields(document) && document.getType() === ObjectType.document ? imageOf(document) : null
  const look = lookOf(document)
  return splits.map((text) => {
    const options = {
      ...look,
      id: makeId(text, image ? 'ImageNode' : 'TextNode'),
      text,
      relationships: { [NodeRelationship.source]: source.copy() },
    }
    return image ? new ImageNode({ ...options, ...image }) : new TextNode(options)
  })
}

/** How a node's metadata is shown, which its pieces share. */
export function lookOf(node: TextNode) {
  return {
    excludedEmbedMetadataKeys: node.excludedEmbedMetadataKeys,
    excludedLlmMetadataKeys: node.excludedLlmMetadataKeys,
    textTemplate: node.textTemplate,
    metadataTemplate: node.metadataTemplate,
    metadataSeparator: node.metadataSeparator,
  }
}

/** Gives ids for the nodes made of one input, one after the other. */
export function idMaker(
  input: TextNode,
  idFunc: IdFunc | null | undefined,
): (text: string, className: string, content?: string) => string {
  if (idFunc === null || idFunc === undefined) return () => newId()
  let index = 0
  return (text, className, content = text) => idFunc(index++, input, { text, content, className })
}

/**
 * Whether places in the text of an input are places in its source: not so when the text is longer than its place, as with a
 * repeated heading or a summary in front of a table.
 */
export function isSliceOfSource({ sourceNode, startCharIdx, endCharIdx, text }: TextNode): boolean {
  if (sourceNode === null || startCharIdx === null || endCharIdx === null) return true
  return endCharIdx - startCharIdx >= text.length
}

/** The record of what a node of `input` comes from: the input's own source, else the input. */
export function sourceOf(input: TextNode): RelatedNodeInfo {
  return input.sourceNode ?? recordOf(input)
}

/** The record of a source. Pieces are made of text and metadata alone, so an image has no part in its hash. */
function recordOf(source: TextNode): RelatedNodeInfo {
  const record = source.asRelatedNodeInfo()
  if (hasImageFields(source)) record.hash = sha256(source.text + valueText(source.metadata))
  return record
}

function imageOf({ image, imagePath, imageUrl, imageMimetype }: ImageNodeFields) {
  return { image, imagePath, imageUrl, imageMimetype }
}
