// Generated from the schema of the model by x-codegen. Do not edit.
import { Document } from '../nodes/document.ts'
import type { DocumentFields, DocumentOptions } from './document.ts'
import { modelOf } from '@x/core'

/** The fields of {@link ImageDocument}. */
export interface ImageDocumentFields extends DocumentFields {
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

/** Constructor options of {@link ImageDocument}. */
export interface ImageDocumentOptions extends DocumentOptions {
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

declare abstract class Declared extends Document {
  constructor(options?: ImageDocumentOptions)
}
interface Declared extends ImageDocumentFields {}

/** The typed base class of {@link ImageDocument}. */
export const ImageDocumentModel = /* @__PURE__ */ modelOf<typeof Declared>(Document, {
  name: 'ImageDocument',
  description: 'The complete text of a source, with an image.',
  className: 'ImageDocument',
  fields: {
    image: { schema: { type: ['string', 'null'], description: 'The image as base64 text.' } },
    imagePath: { schema: { type: ['string', 'null'], description: 'Path of the image file.' } },
    imageUrl: { schema: { type: ['string', 'null'], description: 'Address of the image.' } },
    imageMimetype: { schema: { type: ['string', 'null'], description: 'Media type of the image.' } },
    textEmbedding: { schema: { items: { type: 'number' }, type: ['array', 'null'], description: 'The vector of the text, if embedding is that of the image.' } },
  },
})
