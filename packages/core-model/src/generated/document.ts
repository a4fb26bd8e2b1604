// Generated from the schema of the model by x-codegen. Do not edit.
import { TextNode } from '../nodes/text-node.ts'
import type { TextNodeFields, TextNodeOptions } from './text-node.ts'
import { modelOf } from '@x/core'

/** The fields of {@link Document}. */
export interface DocumentFields extends TextNodeFields {
  /** Identifier; a random UUID by default. */
  id: string
}

/** Constructor options of {@link Document}. */
export interface DocumentOptions extends TextNodeOptions {
  /** Identifier; a random UUID by default. */
  id?: string | undefined
}

declare abstract class Declared extends TextNode {
  constructor(options?: DocumentOptions)
}
interface Declared extends DocumentFields {}

/** The typed base class of {@link Document}. */
export const DocumentModel = /* @__PURE__ */ modelOf<typeof Declared>(TextNode, {
  name: 'Document',
  description: 'The complete text of a source.',
  className: 'Document',
  fields: {
    id: { wire: 'id_', aliases: ['nodeId', 'doc_id'], schema: { type: 'string', description: 'Identifier; a random UUID by default.' } },
  },
})
