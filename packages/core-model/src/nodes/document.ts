import { merge } from '@x/core/values'
import { DocumentModel } from '../generated/document.ts'
import { ObjectType } from './codes.ts'

/** A document in the form of the embedchain library. */
export interface EmbedchainDocument {
  doc_id: string
  data: { content: string; meta_data: Record<string, unknown> }
}

/** The complete text of a source. */
export class Document extends DocumentModel {
  override getType(): ObjectType {
    return ObjectType.document
  }

  /** Returns this document in the form of embedchain. */
  toEmbedchainFormat(): EmbedchainDocument {
    return { doc_id: this.id, data: { content: this.text, meta_data: merge(this.metadata) } }
  }

  /** Returns a document from the form of embedchain. */
  static fromEmbedchainFormat({ doc_id, data }: EmbedchainDocument): Document {
    return new Document({ id: doc_id, text: data.content, metadata: data.meta_data })
  }
}
