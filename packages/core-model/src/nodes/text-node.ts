import type { Dict } from '@x/core'
import { invalid } from '@x/core/reading'
import { nodeInRelease } from '#python-line'
import { TextNodeModel } from '../generated/text-node.ts'
import { newId } from '../new-id.ts'
import {
  fillTemplate,
  MissingVariableError,
  parseTemplate,
  type TemplateParts,
} from '../template-text/template-text.ts'
import { type MetadataMode, metadataModes, NodeRelationship, ObjectType } from './codes.ts'
import { EmbeddingNotSetError, RelationshipShapeError } from './node-errors.ts'
import { hashOf } from './node-hash.ts'
import { RelatedNodeInfo } from './related-node-info.ts'
import { readResource } from './resources.ts'
import { strip } from './strip.ts'
import { entryText } from './value-text.ts'

/**
 * A piece of text with metadata and relations. The base class of all node classes.
 * @throws {ModelValidationError} if a field has the wrong type or a relationship has an unknown code.
 * @example
 * const node = new TextNode({ id: 'a', text: 'Paris is in France.', metadata: { page: 3 } })
 * node.getContent('all') // => 'page: 3\n\nParis is in France.'
 */
export class TextNode extends TextNodeModel {
  static override nested(): Record<string, (typeof RelatedNodeInfo)[]> {
    return { relationships: [RelatedNodeInfo] }
  }

  static override makeDefault: typeof TextNodeModel.makeDefault = /* @__PURE__ */ Object.assign(
    (field: string) => (field === 'id' ? newId() : null),
    { fields: ['id'] },
  )

  /** @internal */
  static inRelease(...args: Parameters<typeof nodeInRelease>): Dict {
    return nodeInRelease(...args)
  }

  protected static override wireForm(data: Dict): Dict {
    const { mimetype = plain, metadata_seperator: own, metadata_separator: base = own } = data
    // A copy, so that what has no field is written again.
    const isOdd = mimetype !== plain || (own !== undefined && own !== base) || 'text_resource' in data
    const read = isOdd ? { ...data } : data
    return readResource(read, 'text_resource', { text: 'text' })
  }

  /** Returns the code of this type of node. */
  getType(): ObjectType {
    return ObjectType.text
  }

  /**
   * SHA-256 of the text, the metadata and the fields of custom classes, as 64 hexadecimal digits. Computed on each read.
   * @throws {SerializationError} if the metadata was assigned a value without a JSON form, such as a `Date`.
   */
  get hash(): string {
    return hashOf(this)
  }

  /** The document that this node comes from, or null. @throws {RelationshipShapeError} if it is a list. */
  get sourceNode(): RelatedNodeInfo | null {
    return oneRelated(this, NodeRelationship.source)
  }

  /** The node before this one, or null. @throws {RelationshipShapeError} if it is a list. */
  get prevNode(): RelatedNodeInfo | null {
    return oneRelated(this, NodeRelationship.previous)
  }

  /** The node after this one, or null. @throws {RelationshipShapeError} if it is a list. */
  get nextNode(): RelatedNodeInfo | null {
    return oneRelated(this, NodeRelationship.next)
  }

  /** The node above this one, or null. @throws {RelationshipShapeError} if it is a list. */
  get parentNode(): RelatedNodeInfo | null {
    return oneRelated(this, NodeRelationship.parent)
  }

  /** The nodes below this one, or null. @throws {RelationshipShapeError} if it is a single record. */
  get childNodes(): RelatedNodeInfo[] | null {
    const related = this.relationships[NodeRelationship.child] ?? null
    if (related !== null && !Array.isArray(related))
      throw new RelationshipShapeError(this.id, NodeRelationship.child, 'a list')
    return related
  }

  /** Id of the document that this node comes from, or null. */
  get refDocId(): string | null {
    return this.sourceNode?.nodeId ?? null
  }

  /** Returns the vector. @throws {EmbeddingNotSetError} if it is missing. */
  getEmbedding(): number[] {
    if (this.embedding === null) throw new EmbeddingNotSetError(this.id)
    return this.embedding
  }

  /** Returns the range of the text in the text of its source, in UTF-16 code units. */
  getNodeInfo(): { start: number | null; end: number | null } {
    return { start: this.startCharIdx, end: this.endCharIdx }
  }

  /** Returns the text without metadata. */
  getText(): string {
    return this.text
  }

  /**
   * Returns the metadata entries for a mode, as a string.
   * @throws {ModelValidationError} for an unknown mode.
   * @throws {MissingVariableError} if the template has a variable other than `key` and `value`.
   * @throws {SerializationError} if an entry was assigned a value without a JSON form.
   */
  getMetadataStr(mode: MetadataMode = 'all'): string {
    if (!metadataModes.includes(mode))
      throw invalid('TextNode', `one of "${metadataModes.join('", "')}"`, mode, ['mode'])
    if (mode === 'none') return ''
    const excluded =
      mode === 'llm' ? this.excludedLlmMetadataKeys : mode === 'embed' ? this.excludedEmbedMetadataKeys : []
    // An absent value is absent on the wire too.
    const shown = Object.entries(this.metadata).filter(([key, value]) => value !== undefined && !excluded.includes(key))
    if (shown.length === 0) return ''
    const template = partsOf(this.metadataTemplate)
    return shown
      .map(([key]) =>
        fill(template, { key, value: entryText(this.metadata, key, [`node ${this.id}`, 'metadata', key]) }),
      )
      .join(this.metadataSeparator)
  }

  /**
   * Returns the text with the metadata for a mode, trimmed. Without metadata entries for the mode, returns the text unchanged.
   * @throws {ModelValidationError} for an unknown mode.
   * @throws {MissingVariableError} if a template has an unknown variable, or is not valid.
   * @throws {SerializationError} if an entry was assigned a value without a JSON form.
   */
  getContent(mode: MetadataMode = 'none'): string {
    const metadata = strip(this.getMetadataStr(mode))
    if (metadata === '') return this.text
    return strip(fill(partsOf(this.textTemplate), { content: this.text, metadata_str: metadata }))
  }

  /** Sets the text, which changes the hash. @throws {ModelValidationError} if it is not a string. */
  setContent(text: string): void {
    this.text = new TextNode({ id: this.id, text }).text
  }

  /** Returns the record by which other nodes refer to this one. */
  asRelatedNodeInfo(): RelatedNodeInfo {
    return new RelatedNodeInfo({ nodeId: this.id, nodeType: this.getType(), metadata: this.metadata, hash: this.hash })
  }

  /** Returns a short human-readable form. */
  override toString(): string {
    return this.text
  }
}

/** The media type that every text has unless Python sets another one. */
const plain = 'text/plain'

/** Returns the single related node for a code, or null. */
function oneRelated(node: TextNode, code: NodeRelationship): RelatedNodeInfo | null {
  const related = node.relationships[code] ?? null
  if (Array.isArray(related)) throw new RelationshipShapeError(node.id, code, 'one record')
  return related
}

const fill = (template: TemplateParts, values: Record<string, string>): string =>
  fillTemplate(template, (name) => (Object.hasOwn(values, name) ? values[name] : undefined))

/** Parses a node's template. An invalid template throws the same error as an unknown variable. */
function partsOf(template: string): TemplateParts {
  try {
    return parseTemplate(template)
  } catch (error) {
    throw new MissingVariableError([], [], `${(error as Error).message.split('\n', 1)[0]} of a node's template`)
  }
}
