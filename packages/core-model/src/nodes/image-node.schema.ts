import { component, nullable } from '@x/core/schemas'
import { Array as List, Number as Num, String as Text } from 'typebox'
import { Document } from './document.schema.ts'
import { TextNode } from './text-node.schema.ts'

const imageFields = {
  image: nullable(Text(), { description: 'The image as base64 text.' }),
  imagePath: nullable(Text(), { description: 'Path of the image file.' }),
  imageUrl: nullable(Text(), { description: 'Address of the image.' }),
  imageMimetype: nullable(Text(), { description: 'Media type of the image.' }),
  textEmbedding: nullable(List(Num()), {
    description: 'The vector of the text, if embedding is that of the image.',
  }),
}

export const ImageNode = component('ImageNode', 'A node with an image.', imageFields, { extends: TextNode })

export const ImageDocument = component('ImageDocument', 'The complete text of a source, with an image.', imageFields, {
  extends: Document,
})
