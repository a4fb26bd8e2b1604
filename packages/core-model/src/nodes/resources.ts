/**
 * @module
 * The text and the media of nodes of LlamaIndex for Python 0.12 and newer, which consist of resources.
 */
import type { Dict } from '@x/core'
import { isPlainObject, present } from '@x/core/values'

/** The keys of an image resource, and the fields of nodes with images. */
export const imageKeys = { data: 'image', path: 'image_path', url: 'image_url', mimetype: 'image_mimetype' }

/**
 * Returns data whose `resource` is in the fields that `keys` names: what Python reads if both are there. Other entries of the resource that
 * are not null stay in it.
 */
export function readResource(data: Dict, resource: string, keys: Readonly<Record<string, string>>): Dict {
  const given = data[resource]
  if (!isPlainObject(given) || !Object.keys(keys).some((key) => key in given)) return data
  const read: Dict = { ...data }
  const rest = present(given)
  for (const key in keys) {
    if (rest[key] !== undefined) read[keys[key]!] = rest[key]
    delete rest[key]
  }
  return { ...read, [resource]: Object.keys(rest).length ? rest : null }
}

/** Returns data whose image and vector of the text are in the fields of nodes with images. */
export function readImage(data: Dict): Dict {
  const read = readResource(data, 'image_resource', imageKeys)
  const { text_resource: text, text_embedding = null } = read
  const { embeddings, ...rest } = (text ?? {}) as Dict
  const { dense, ...others } = Object(embeddings) as Dict
  if (!dense || text_embedding) return read
  const kept = Object.keys(others).length ? { ...rest, embeddings: others } : rest
  return { ...read, text_embedding: dense, text_resource: Object.keys(kept).length ? kept : null }
}
