// Generated from the schema of the model by x-codegen. Do not edit.
import { Model, modelOf } from '@x/core'

/** The fields of {@link RelatedNodeInfo}. */
export interface RelatedNodeInfoFields {
  /** Id of the related node. */
  nodeId: string
  /** Kind of the related node, a code of ObjectType. @defaultValue null */
  nodeType: '1' | '2' | '3' | '4' | '5' | null
  /** Its metadata. @defaultValue {} */
  metadata: Record<string, unknown>
  /** Its hash. @defaultValue null */
  hash: string | null
}

/** Constructor options of {@link RelatedNodeInfo}. */
export interface RelatedNodeInfoOptions {
  /** Id of the related node. */
  nodeId: string
  /** Kind of the related node, a code of ObjectType. @defaultValue null */
  nodeType?: '1' | '2' | '3' | '4' | '5' | null | undefined
  /** Its metadata. @defaultValue {} */
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** Its hash. @defaultValue null */
  hash?: string | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: RelatedNodeInfoOptions)
}
interface Declared extends RelatedNodeInfoFields {}

/** The typed base class of {@link RelatedNodeInfo}. */
export const RelatedNodeInfoModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'RelatedNodeInfo',
  description: 'A reference to a related node.',
  className: 'RelatedNodeInfo',
  fields: {
    nodeId: { schema: { type: 'string', description: 'Id of the related node.' }, required: true },
    nodeType: { schema: { enum: ['1', '2', '3', '4', '5', null], type: ['string', 'null'], description: 'Kind of the related node, a code of ObjectType.' } },
    metadata: { schema: { type: 'object', description: 'Its metadata.' }, default: {} },
    hash: { schema: { type: ['string', 'null'], description: 'Its hash.' } },
  },
})
