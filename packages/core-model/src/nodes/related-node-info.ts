import { type RelatedNodeInfoFields, type RelatedNodeInfoOptions, relatedNodeInfoSpec } from '../generated/models.ts'
import { Model } from '../model/model.ts'

export interface RelatedNodeInfo extends RelatedNodeInfoFields {}

/** A reference to a related node. */
export class RelatedNodeInfo extends Model {
  constructor(options: RelatedNodeInfoOptions) {
    super(options)
  }

  static override spec() {
    return relatedNodeInfoSpec
  }
}
