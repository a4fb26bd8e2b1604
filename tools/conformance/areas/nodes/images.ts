/** Nodes with images. */
import { ImageDocument, ImageNode } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { shape } from '../../reader.ts'
import { node } from '../../stand-ins/nodes.ts'

export const images: Operations = {
  'ImageNode.resolve_image': operation(shape({ node }), async (given) => {
    const built = given.node()
    if (!(built instanceof ImageNode) && !(built instanceof ImageDocument))
      throw new Error('given.node: expected a node with an image')
    const { bytes, path } = await built.resolveImage()
    return bytes === undefined ? { path } : { base64: Buffer.from(bytes).toString('base64') }
  }),
}
