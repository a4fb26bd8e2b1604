import { type DocumentOptions, documentSpec } from '../generated/models.ts'
import { ObjectType } from './codes.ts'
import { TextNode } from './text-node.ts'

/** A document as the embedchain library takes it. */
export interface EmbedchainDocument {
  doc_id: string
  data: { content: string; meta_data: Record<string, unknown> }
}

/** A whole text from a data source. */
export class Document extends TextNode {
  constructor(options?: DocumentOptions) {
    super(options)
  }

  static override spec() {
    return documentSpec
  }

  override getType(): ObjectType {
    return ObjectType.document
  }

  /** This document in embedchain's form. */
  toEmbedchainFormat(): EmbedchainDocument {
    return { doc_id: this.id, data: { content: this.text, meta_data: { ...this.metadata } } }
  }

  /** A document from embedchain's form. */
  static fromEmbedchainFormat({ doc_id, data }: EmbedchainDocument): Document {
    return new Document({ id: doc_id, text: data.content, metadata: data.meta_data })
  }
}
