// Generated from the schema of the model by x-codegen. Do not edit.
import { TextNode } from '../nodes/text-node.ts'
import type { TextNodeFields, TextNodeOptions } from './text-node.ts'
import { modelOf } from '@x/core'

/** The fields of {@link ImageNode}. */
export interface ImageNodeFields extends TextNodeFields {
  /** The image as base64 text. @defaultValue null */
  image: string | null
  /** Path of the image file. @defaultValue null */
  imagePath: string | null
  /** Address of the image. @defaultValue null */
  imageUrl: string | null
  /** Media type of the image. @defaultValue null */
  imageMimetype: string | null
  /** The vector of the text, if embedding is that of the image. @defaultValue null */
  textEmbedding: number[] | null
}

/** Constructor options of {@link ImageNode}. */
export interface ImageNodeOptions extends TextNodeOptions {
  /** The image as base64 text. @defaultValue null */
  image?: string | null | undefined
  /** Path of the image file. @defaultValue null */
  imagePath?: string | null | undefined
  /** Address of the image. @defaultValue null */
  imageUrl?: string | null | undefined
  /** Media type of the image. @defaultValue null */
  imageMimetype?: string | null | undefined
  /** The vector of the text, if embedding is that of the image. @defaultValue null */
  textEmbedding?: readonly number[] | null | undefined
}

declare abstract class Declared extends TextNode {
  constructor(options?: ImageNodeOptions)
}
interface Declared extends ImageNodeFields {}

/** The typed base class of {@link ImageNode}. */
export const ImageNodeModel = /* @__PURE__ */ modelOf<typeof Declared>(TextNode, {
  name: 'ImageNode',
  description: 'A node with an image.',
  className: 'ImageNode',
  fields: {
    image: { schema: { type: ['string', 'null'], description: 'The image as base64 text.' } },
    imagePath: { schema: { type: ['string', 'null'], description: 'Path of the image file.' } },
    imageUrl: { schema: { type: ['string', 'null'], description: 'Address of the image.' } },
    imageMimetype: { schema: { type: ['string', 'null'], description: 'Media type of the image.' } },
    textEmbedding: { schema: { items: { type: 'number' }, type: ['array', 'null'], description: 'The vector of the text, if embedding is that of the image.' } },
  },
})
