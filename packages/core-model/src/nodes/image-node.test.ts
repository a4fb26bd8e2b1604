import { describe, expect, it } from 'vitest'
import { hasImageFields } from './image-fields.ts'
import { ImageDocument, ImageNode } from './image-node.ts'
import { QueryBundle } from './query-bundle.ts'
import { TextNode } from './text-node.ts'

describe.each([ImageNode, ImageDocument])('resolveImage of %o', (imageClass) => {
  const urls: string[] = []
  const fetchImage = async (url: string) => {
    urls.push(url)
    return new Uint8Array([9])
  }

  it('prefers base64 to a path, and a path to a URL', async () => {
    const all = { image: 'AQI=', imagePath: 'p.png', imageUrl: 'u' }
    expect(await new imageClass(all).resolveImage({ fetchImage })).toEqual({ bytes: new Uint8Array([1, 2]) })
    expect(await new imageClass({ ...all, image: null }).resolveImage({ fetchImage })).toEqual({ path: 'p.png' })
    expect(urls).toEqual([])
    expect(await new imageClass({ imageUrl: 'u' }).resolveImage({ fetchImage })).toEqual({ bytes: new Uint8Array([9]) })
    expect(urls).toEqual(['u'])
  })

  it('returns an empty image for empty base64', async () => {
    expect(await new imageClass({ image: '', imagePath: 'p' }).resolveImage()).toEqual({ bytes: new Uint8Array() })
  })

  it('throws for a node without an image, a URL without a loader, and invalid base64', async () => {
    await expect(new imageClass({ id: 'a' }).resolveImage()).rejects.toMatchObject({
      code: 'image_not_set',
      message: 'Node "a" has neither image, imagePath nor imageUrl.',
    })
    await expect(new imageClass({ id: 'a', imageUrl: 'u' }).resolveImage()).rejects.toMatchObject({
      code: 'image_not_set',
      message: 'Node "a" contains the address of an image; pass fetchImage to load it.',
    })
    await expect(new imageClass({ image: '%' }).resolveImage()).rejects.toMatchObject({
      code: 'image_not_set',
      cause: { name: 'InvalidCharacterError' },
    })
  })
})

it('hasImageFields recognizes nodes with image fields', () => {
  expect([new ImageNode(), new ImageDocument(), new TextNode()].map(hasImageFields)).toEqual([true, true, false])
  expect(hasImageFields(new QueryBundle({ queryStr: 'q', imagePath: 'p' }))).toBe(false)
})
