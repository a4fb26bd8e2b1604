/** Nodes with images. */
import { type Dict, ImageDocument, ImageNode } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { nodeOf } from '../../stand-ins/nodes.ts'

export const images: Operations = {
  'ImageNode.resolve_image': async ({ node }: { node: Dict }) => {
    const built = nodeOf(node)
    if (!(built instanceof ImageNode) && !(built instanceof ImageDocument))
      throw new Error('given.node: expected a node with an image')
    const { bytes, path } = await built.resolveImage()
    return bytes === undefined ? { path } : { base64: Buffer.from(bytes).toString('base64') }
  },
}
