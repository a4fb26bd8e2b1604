/**
 * @module
 * Creates nodes for the chunks of a document.
 */
import { callback, checkGiven, checkOptions, having, list } from '@x/core/options'
import {
  ImageNode,
  type ImageNodeFields,
  NodeRelationship,
  ObjectType,
  type RelatedNodeInfo,
  TextNode,
} from '@x/core-model'
import { hasImageFields } from '@x/core-model/components'
import { newId, sha256 } from '@x/core-model/data'
import { valueText } from '@x/core-model/text'

/** The information about a new node that is available to `idFunc`. */
interface NewNodeInfo {
  /** The text of the node. */
  text: string
  /** The part of the text that comes from the document: for a table, the text without its summary; otherwise the whole text. */
  content: string
  /** `TextNode`, `IndexNode` or `ImageNode`. */
  className: string
}

/** Returns the id of a new node. `node` is the input; `index` counts the nodes created from this input, starting at 0. */
export type IdFunc = (index: number, node: TextNode, made: NewNodeInfo) => string

/** The options of {@link buildNodesFromSplits}. */
export interface BuildNodesOptions {
  /** The node that is recorded as the source. @defaultValue the document */
  refDoc?: TextNode | null | undefined
  /** Returns the id of each node. @defaultValue random UUIDs */
  idFunc?: IdFunc | null | undefined
}

/**
 * Creates one node per string, in order: image nodes with the document's image if it is an image document, otherwise text nodes.
 * Excluded metadata keys, templates and the separator are copied from the document; metadata and offsets are not set.
 * @example
 * const document = new Document({ id: 'd', text: 'a b' })
 * buildNodesFromSplits(['a', 'b'], document, { idFunc: (index) => `n${index}` }).map((node) => node.id) // => ['n0', 'n1']
 */
export function buildNodesFromSplits(
  splits: readonly string[],
  document: TextNode,
  options: BuildNodesOptions = {},
): TextNode[] {
  checkOptions('buildNodesFromSplits', options, { refDoc: having('a node', 'asRelatedNodeInfo'), idFunc: callback })
  const { refDoc, idFunc } = options
  checkGiven('buildNodesFromSplits', { splits }, list)
  checkGiven('buildNodesFromSplits', { document }, 'a node', 'text')
  if (splits.length === 0) return []
  const source = recordOf(refDoc ?? document)
  const makeId = idMaker(document, idFunc)
  const image = hasImageFields(document) && document.getType() === ObjectType.document ? imageOf(document) : null
  const settings = displaySettings(document)
  return splits.map((text) => {
    const options = {
      ...settings,
      id: makeId(text, image ? 'ImageNode' : 'TextNode'),
      text,
      relationships: { [NodeRelationship.source]: source.copy() },
    }
    return image ? new ImageNode({ ...options, ...image }) : new TextNode(options)
  })
}

/** Returns the fields that control how metadata is displayed; the chunks of a node inherit them. */
export function displaySettings(node: TextNode) {
  return {
    excludedEmbedMetadataKeys: node.excludedEmbedMetadataKeys,
    excludedLlmMetadataKeys: node.excludedLlmMetadataKeys,
    textTemplate: node.textTemplate,
    metadataTemplate: node.metadataTemplate,
    metadataSeparator: node.metadataSeparator,
  }
}

/** Returns a function that creates the ids of the nodes of one input, in order. */
export function idMaker(
  input: TextNode,
  idFunc: IdFunc | null | undefined,
): (text: string, className: string, content?: string) => string {
  if (idFunc === null || idFunc === undefined) return newId
  let index = 0
  return (text, className, content = text) => idFunc(index++, input, { text, content, className })
}

/**
 * Whether the text of a node is exactly the range of its source between its offsets. False for index nodes, tables with their summary,
 * chunks with a repeated heading, table header or code fence, whose offsets are those of the part from the source, and nodes without
 * offsets. A node without a source is its own source.
 * @example
 * isSliceOfSource(new TextNode({ text: 'a' })) // => true
 */
export function isSliceOfSource(node: TextNode): boolean {
  checkGiven('isSliceOfSource', { node }, 'a node', 'text')
  const { sourceNode, startCharIdx, endCharIdx, text } = node
  if (sourceNode === null) return true
  if (startCharIdx === null || endCharIdx === null) return false
  return endCharIdx - startCharIdx === text.length && isFromSource(node)
}

/**
 * Whether offsets in the text of a node can be mapped to its source. Other parsers may have trimmed the end of the text without
 * changing its range; text that is longer than its range contains additions, such as a repeated heading.
 */
export function isFromSource(node: TextNode): boolean {
  const { sourceNode, startCharIdx, endCharIdx } = node
  if (sourceNode === null) return true
  if ('indexId' in node || Object.hasOwn(node.metadata, 'table_summary')) return false
  return startCharIdx === null || endCharIdx === null || endCharIdx - startCharIdx >= node.text.length
}

/** The metadata keys of line numbers. */
export const LINE_KEYS: readonly string[] = ['start_line', 'end_line']

/** Returns the source record for the nodes of `input`: the source of the input, otherwise the input itself. */
export function sourceOf(input: TextNode): RelatedNodeInfo {
  return input.sourceNode ?? recordOf(input)
}

/** Returns the record of a source. Chunks consist of text and metadata only, so the hash does not include the image. */
function recordOf(source: TextNode): RelatedNodeInfo {
  const record = source.asRelatedNodeInfo()
  if (hasImageFields(source)) record.hash = sha256(source.text + valueText(source.metadata))
  return record
}

function imageOf({ image, imagePath, imageUrl, imageMimetype }: ImageNodeFields) {
  return { image, imagePath, imageUrl, imageMimetype }
}
