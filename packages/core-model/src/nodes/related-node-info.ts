import { RelatedNodeInfoModel } from '../generated/related-node-info.ts'

/** A reference to a related node. */
export class RelatedNodeInfo extends RelatedNodeInfoModel {}
