import type { Dict } from '@x/core'
import { fromBase64 } from '../base64.ts'
import { ImageDocumentModel } from '../generated/image-document.ts'
import { type ImageNodeFields, ImageNodeModel } from '../generated/image-node.ts'
import { ObjectType } from './codes.ts'
import { ImageNotSetError } from './node-errors.ts'
import { hashOf } from './node-hash.ts'
import { readImage } from './resources.ts'
import { quotedText } from './value-text.ts'

/** The image of a node: its bytes, or the path of its file. */
type ResolvedImage = { bytes: Uint8Array; path?: undefined } | { path: string; bytes?: undefined }

/** The options of `resolveImage`. No request is made without `fetchImage`. */
interface ResolveImageOptions {
  fetchImage?: (url: string) => Promise<Uint8Array>
}

type ImageFields = Pick<ImageNodeFields, 'image' | 'imagePath' | 'imageUrl' | 'imageMimetype'> & { id: string }

async function resolve(node: ImageFields, { fetchImage }: ResolveImageOptions): Promise<ResolvedImage> {
  if (node.image !== null) {
    try {
      return { bytes: fromBase64(node.image) }
    } catch (cause) {
      throw Object.assign(new ImageNotSetError(node.id, 'contains an image that is not base64 text'), { cause })
    }
  }
  if (node.imagePath !== null) return { path: node.imagePath }
  if (node.imageUrl === null) throw new ImageNotSetError(node.id)
  if (fetchImage === undefined)
    throw new ImageNotSetError(node.id, 'contains the address of an image; pass fetchImage to load it')
  return { bytes: await fetchImage(node.imageUrl) }
}

/** The image fields are part of the hash, so that the hashes of two images without text differ. */
function imageText({ image, imagePath, imageUrl, imageMimetype }: ImageFields): string {
  const set = Object.entries({
    image,
    image_path: imagePath,
    image_url: imageUrl,
    image_mimetype: imageMimetype,
  }).filter(([, value]) => value !== null)
  return set.length === 0 ? '' : quotedText(Object.fromEntries(set))
}

/** A node with an image: as base64 text, by path, or by address. */
export class ImageNode extends ImageNodeModel {
  protected static override wireForm(data: Dict): Dict {
    return readImage(super.wireForm(data))
  }

  override getType(): ObjectType {
    return ObjectType.image
  }

  override get hash(): string {
    return hashOf(this, imageText(this))
  }

  /** Returns the image from base64 text, else the path, else the address. @throws {ImageNotSetError} */
  resolveImage(options: ResolveImageOptions = {}): Promise<ResolvedImage> {
    return resolve(this, options)
  }
}

/** The complete text of a source, with an image. */
export class ImageDocument extends ImageDocumentModel {
  protected static override wireForm(data: Dict): Dict {
    return readImage(super.wireForm(data))
  }

  override get hash(): string {
    return hashOf(this, imageText(this))
  }

  /** Returns the image from base64 text, else the path, else the address. @throws {ImageNotSetError} */
  resolveImage(options: ResolveImageOptions = {}): Promise<ResolvedImage> {
    return resolve(this, options)
  }
}
