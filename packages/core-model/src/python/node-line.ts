/**
 * @module
 * Nodes in the forms of the lines of LlamaIndex for Python, and their hashes.
 */
import type { Dict } from '@x/core'
import { isPlainObject, present } from '@x/core/values'
import { Document } from '../nodes/document.ts'
import { hasImageFields } from '../nodes/image-node.ts'
import { imageKeys } from '../nodes/resources.ts'
import { sha256 } from '../nodes/sha256.ts'
import type { TextNode } from '../nodes/text-node.ts'

const head = [
  'id_',
  'embedding',
  'metadata',
  'excluded_embed_metadata_keys',
  'excluded_llm_metadata_keys',
  'relationships',
] as const
const place = ['start_char_idx', 'end_char_idx'] as const

/** The keys of nodes in the order of a line. A key that is not listed follows before `class_name`. */
export interface NodeShape {
  text: readonly string[]
  /** The keys of documents, if they consist of resources. */
  document?: readonly string[]
}

export const nodeShapes = {
  '0.10': { text: [] },
  '0.11': {
    text: [...head, 'text', 'mimetype', ...place, 'text_template', 'metadata_template', 'metadata_seperator'],
  },
  '0.12': {
    text: [
      ...head,
      'metadata_template',
      'metadata_separator',
      'text',
      'mimetype',
      ...place,
      'metadata_seperator',
      'text_template',
    ],
    document: resourceKeys(),
  },
  '0.14': {
    text: [...head, 'metadata_template', 'metadata_separator', 'text', 'mimetype', ...place, 'text_template'],
    document: resourceKeys(),
  },
} as const satisfies Record<string, NodeShape>

function resourceKeys(): readonly string[] {
  const resources = ['text_resource', 'image_resource', 'audio_resource', 'video_resource']
  return [...head, 'metadata_template', 'metadata_separator', ...resources, 'text_template']
}

const resourceOrder = ['embeddings', 'data', 'text', 'path', 'url', 'mimetype'] as const

/** Returns the data of a node in a shape. Fields that were left out stay out. */
export function nodeInShape(dict: Dict, node: TextNode, { text, document }: NodeShape): Dict {
  if (text.length === 0) return dict
  const keys = document && node instanceof Document ? document : text
  const { class_name, ...own } = dict
  const all: Dict = { ...own, ...(text.includes('mimetype') && 'text' in own && { mimetype: 'text/plain' }) }
  if ('metadata_seperator' in all) {
    all['metadata_separator'] = all['metadata_seperator']
    if (!keys.includes('metadata_seperator')) delete all['metadata_seperator']
    if (!keys.includes('metadata_separator')) delete all['metadata_separator']
  }
  if (document && node instanceof Document) documentResources(all, node)
  else if (document) otherResources(all, node)
  const written: Dict = {}
  for (const key of keys) if (key in all) written[key] = all[key]
  Object.assign(written, without(all, keys.includes('text') ? [] : ['text']))
  if (class_name !== undefined) written['class_name'] = class_name
  // Documents have their text once more, for programs that know no resources.
  if (!keys.includes('text') && 'text' in all) written['text'] = all['text']
  return written
}

function without(data: Dict, keys: readonly string[]): Dict {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)))
}

/** Moves text, image and vector of a document into its resources. */
function documentResources(all: Dict, node: TextNode): void {
  delete all['mimetype']
  const { text, text_embedding: dense = null } = all
  const further = present((all['text_resource'] ?? {}) as Dict)
  if ('text' in all) {
    const vectors = dense === null ? null : { ...(further['embeddings'] as object | undefined), dense }
    const rest = { ...further, ...(vectors && { embeddings: vectors }) }
    // An empty string counts as missing, as in Python.
    all['text_resource'] = text === '' && Object.keys(rest).length === 0 ? null : resource({ ...rest, text })
    delete all['text_embedding']
  }
  if (hasImageFields(node)) {
    const image = present((all['image_resource'] ?? {}) as Dict)
    for (const [key, field] of Object.entries(imageKeys)) {
      if ((all[field] ?? null) !== null) image[key] = all[field]
      delete all[field]
    }
    all['image_resource'] = Object.keys(image).length === 0 ? null : resource(image)
  }
  for (const key of ['image_resource', 'audio_resource', 'video_resource']) all[key] ??= null
  for (const key of place) if (all[key] === null) delete all[key]
}

/** Completes the resources of other nodes: Python reads text and image from them if they exist. */
function otherResources(all: Dict, node: TextNode): void {
  const { text_resource: text, image_resource: image } = all
  if (isPlainObject(text)) setResource(all, 'text_resource', text, { text: node.text })
  if (!isPlainObject(image) || !hasImageFields(node)) return
  const fields = Object.entries(imageKeys).map(([key, field]) => [key, all[field] ?? null] as const)
  setResource(all, 'image_resource', image, Object.fromEntries(fields))
}

function setResource(all: Dict, key: string, further: Dict, fields: Dict): void {
  const rest = present(further)
  if (Object.keys(rest).length > 0) all[key] = resource({ ...rest, ...fields })
  else delete all[key]
}

function resource(data: Dict): Dict {
  const whole: Dict = {}
  for (const key of resourceOrder) whole[key] = data[key] ?? null
  return { ...whole, ...data }
}

/** Returns the hash of a node in the lines whose documents consist of resources. */
export function hashOfResources(node: TextNode): string {
  if (!(node instanceof Document)) return hasImageFields(node) ? imageHash(node) : node.hash
  const dict = nodeInShape(node.toDict(), node, nodeShapes['0.14'])
  const identities = ['audio', 'image', 'text', 'video'].flatMap((kind) => {
    const data = dict[`${kind}_resource`]
    return isPlainObject(data) ? [resourceHash(data)] : []
  })
  const metadata = node.getMetadataStr('all')
  return sha256([...(metadata === '' ? [] : [metadata]), ...identities].join('-'))
}

function imageHash(
  node: TextNode & { image: string | null; imagePath: string | null; imageUrl: string | null },
): string {
  const { image, imagePath, imageUrl, text } = node
  return sha256([image, imagePath, imageUrl, text].map((value) => value || 'None').join('-'))
}

function resourceHash({ text, data, path, url }: Dict): string {
  const hashes = [data, path, addressOf(url)].filter((value) => typeof value === 'string').map(sha256)
  const identity = [text ?? '', ...hashes].join('')
  return identity === '' ? '' : sha256(identity)
}

/** Python writes addresses in normal form. */
function addressOf(url: unknown): unknown {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).href : url
}
