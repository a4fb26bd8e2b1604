/**
 * @module
 * Nodes with the fields of images.
 */
import type { Model } from '@x/core'
import type { ImageDocument, ImageNode } from './image-node.ts'

/** Whether a model is a node with image fields. */
export function hasImageFields(node: Model): node is ImageNode | ImageDocument {
  return 'imagePath' in Object(node) && 'imageMimetype' in node
}
