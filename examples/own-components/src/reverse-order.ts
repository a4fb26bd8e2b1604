import type { NodeWithScore } from '@x/core-model'
import { NodePostprocessor } from '@x/postprocessors'

/** Returns the nodes in reverse order. */
export class ReverseOrder extends NodePostprocessor {
  protected override async process(nodes: readonly NodeWithScore[]): Promise<NodeWithScore[]> {
    return [...nodes].reverse()
  }
}
