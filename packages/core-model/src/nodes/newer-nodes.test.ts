import { ClassRegistry } from '@x/core'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../../../../tools/thrown.ts'
import { Document } from './document.ts'
import { ImageDocument, ImageNode } from './image-node.ts'
import { jsonToDoc, nodeClasses } from './index-node.ts'
import { NodeWithScore } from './node-with-score.ts'
import { RelatedNodeInfo } from './related-node-info.ts'
import { TextNode } from './text-node.ts'

const media = { embeddings: null, data: null, text: null, path: null, url: null, mimetype: null }
const text_resource = { ...media, text: 'On the picture:' }
const image_resource = { ...media, url: 'https://example.com/a.png', mimetype: 'image/png' }
const image = { imageUrl: 'https://example.com/a.png', imageMimetype: 'image/png', image: null, imagePath: null }

describe('nodes of newer versions of LlamaIndex for Python', () => {
  it('have their text and their image in resources', () => {
    const data = { id_: 'a', text_resource, image_resource, audio_resource: null, video_resource: null }
    expect(ImageDocument.fromDict({ ...data, class_name: 'ImageDocument' })).toMatchObject({
      text: 'On the picture:',
      ...image,
    })
    const path = ImageNode.fromDict({ image_resource: { ...media, path: 'a.png', data: 'AAAA' } })
    expect(path).toMatchObject({ image: 'AAAA', imagePath: 'a.png', imageUrl: null, text: '' })
    expect(Document.fromDict({ id_: 'd', text_resource }).text).toBe('On the picture:')
    // Python reads the resource, too. Some releases write beside it the text as it is shown, without outer blanks.
    expect(Document.fromDict({ text: 'shown', text_resource }).text).toBe('On the picture:')
    expect(ImageNode.fromDict({ image: null, image_resource: { data: 'BB' } }).image).toBe('BB')
    expect(pathsOf(() => Document.fromDict({ text_resource: { text: 5 } }))).toEqual(['text'])
  })

  it.each<[object, unknown, unknown]>([
    [{ text_resource }, TextNode, null],
    [{ text_resource, image_resource: null }, TextNode, null],
    [{ text_resource, image_resource }, ImageNode, 'https://example.com/a.png'],
  ])('may be of the class Node: %j', (data, nodeClass, url) => {
    const dict = { id_: 'n', metadata: { a: 1 }, metadata_separator: ' ', ...data, class_name: 'Node' }
    const registry = new ClassRegistry(nodeClasses().classes)
    const nodes = [
      jsonToDoc({ __data__: dict, __type__: '5' }),
      NodeWithScore.fromDict({ node: dict, score: 1 }).node,
      registry.fromDict(dict) as TextNode,
    ]
    for (const node of nodes) {
      expect(node.constructor).toBe(nodeClass)
      expect(node).toMatchObject({ id: 'n', text: 'On the picture:', metadata: { a: 1 }, metadataSeparator: ' ' })
      expect('imageUrl' in node ? node.imageUrl : null).toBe(url)
      expect(registry.fromDict(node.toDict()).equals(node)).toBe(true)
    }
  })

  it('are image documents if a document of a store has an image', () => {
    const record = (image: unknown) => ({
      __data__: { id_: 'd', text_resource, image_resource: image, class_name: 'Document' },
      __type__: '4',
    })
    expect(jsonToDoc(record(image_resource))).toMatchObject(image)
    expect(jsonToDoc(record(image_resource)).constructor).toBe(ImageDocument)
    expect(jsonToDoc(record(null)).constructor).toBe(Document)
  })

  it('keep an image that their class has no fields for', () => {
    const document = Document.fromDict({ id_: 'd', text_resource, image_resource, class_name: 'Document' })
    expect(document.imageResource).toEqual(image_resource)
    expect(jsonToDoc({ __data__: document.toDict(), __type__: '4' })).toMatchObject(image)
    expect(new Document({ text: 'a' }).toDict()).not.toHaveProperty('image_resource')
  })

  it('keep what the resources contain besides', () => {
    const vectors = { text: [0.5, 1] }
    const data = {
      id_: 'a',
      text_resource: { ...text_resource, embeddings: vectors, path: 'a.txt', url: 'https://example.com/a.txt' },
      image_resource: { ...image_resource, embeddings: vectors, text: 'a picture' },
    }
    for (const nodeClass of [TextNode, Document, ImageNode, ImageDocument]) {
      const node = nodeClass.fromDict(data)
      expect(node.text).toBe('On the picture:')
      expect(node.textResource).toEqual({ embeddings: vectors, path: 'a.txt', url: 'https://example.com/a.txt' })
      expect(node.imageResource).toMatchObject({ embeddings: vectors, text: 'a picture' })
      expect(nodeClass.fromDict(node.toDict()).equals(node)).toBe(true)
    }
    expect(ImageDocument.fromDict(data).imageResource).not.toHaveProperty('url')
  })

  it('keep their audio and video', () => {
    const audio_resource = { ...media, path: 'a.mp3' }
    const video_resource = { ...media, path: 'a.mp4' }
    const node = jsonToDoc({ __data__: { text_resource, audio_resource, video_resource }, __type__: '5' })
    expect(node).toMatchObject({ audioResource: audio_resource, videoResource: video_resource })
    expect(node.toDict()).toMatchObject({ audio_resource, video_resource })
    expect(new TextNode({ text: 'a' }).toDict()).not.toHaveProperty('audio_resource')
  })

  it('refer to multimodal nodes', () => {
    expect(RelatedNodeInfo.fromDict({ node_id: 'a', node_type: '5' }).nodeType).toBe('5')
  })
})
