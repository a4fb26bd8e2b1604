// Generated from the schema of the model by x-codegen. Do not edit.
import { TextNode } from '../nodes/text-node.ts'
import type { TextNodeFields, TextNodeOptions } from './text-node.ts'
import { modelOf } from '@x/core'

/** The fields of {@link IndexNode}. */
export interface IndexNodeFields extends TextNodeFields {
  /** Id of the object that this node represents. */
  indexId: string
  /** The object itself. @defaultValue null */
  obj: unknown
}

/** Constructor options of {@link IndexNode}. */
export interface IndexNodeOptions extends TextNodeOptions {
  /** Id of the object that this node represents. */
  indexId: string
  /** The object itself. @defaultValue null */
  obj?: unknown | undefined
}

declare abstract class Declared extends TextNode {
  constructor(options: IndexNodeOptions)
}
interface Declared extends IndexNodeFields {}

/** The typed base class of {@link IndexNode}. */
export const IndexNodeModel = /* @__PURE__ */ modelOf<typeof Declared>(TextNode, {
  name: 'IndexNode',
  description: 'A node that represents another object, such as a table.',
  className: 'IndexNode',
  fields: {
    indexId: { schema: { type: 'string', description: 'Id of the object that this node represents.' }, required: true },
    obj: { schema: { description: 'The object itself.' } },
  },
})
