/**
 * @module
 * The text and the media of nodes of LlamaIndex for Python 0.12 and newer, which consist of resources.
 */
import type { Dict } from '../model/model-class.ts'
import { isPlainObject } from '../model/plain.ts'

/** The keys of an image resource, and the fields of nodes with images. */
export const imageKeys = { data: 'image', path: 'image_path', url: 'image_url', mimetype: 'image_mimetype' }

/** Returns data whose `resource` is in the fields that `keys` names. Other entries of the resource that are not null stay in it. */
export function readResource(data: Dict, resource: string, keys: Readonly<Record<string, string>>): Dict {
  const given = data[resource]
  if (!isPlainObject(given) || !Object.keys(keys).some((key) => key in given)) return data
  const read: Dict = { ...data }
  const rest: Dict = {}
  for (const key in given) {
    const [value, field] = [given[key], keys[key]]
    if (field && (read[field] ?? null) === null) read[field] = value ?? undefined
    else if (!field && value != null) rest[key] = value
  }
  return { ...read, [resource]: Object.keys(rest)[0] ? rest : null }
}
