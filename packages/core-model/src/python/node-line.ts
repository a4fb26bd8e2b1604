/**
 * @module
 * Nodes in the forms of the releases of LlamaIndex for Python, and their hashes.
 */
import type { Dict } from '@x/core'
import { isPlainObject, present } from '@x/core/values'
import { ObjectType } from '../nodes/codes.ts'
import { hasImageFields } from '../nodes/image-fields.ts'
import { imageKeys } from '../nodes/resources.ts'
import { sha256 } from '../nodes/sha256.ts'
import { strip } from '../nodes/strip.ts'
import type { TextNode } from '../nodes/text-node.ts'
import { valueText } from '../nodes/value-text.ts'
import { fillTemplate, parseTemplate } from '../template-text/template-text.ts'
import { unchangedData } from './as-read.ts'
import type { Form } from './releases.ts'

/** Returns the data of a node in a form: as it was read, if the form reads that. Fields that were left out stay out. */
export function nodeInForm(dict: Dict, node: TextNode, form: Form): Dict {
  if (form.text.length === 0) return dict
  const read = (node as { '~read'?: Dict })['~read']
  if (read && isReadable(read, form) && Object.keys(node.toDict()).every((key) => key in dict)) {
    const data = unchangedData(node)
    if (data) return data
  }
  const { document } = form
  const isDocument = document !== null && node.getType() === ObjectType.document
  const keys = isDocument ? document : form.text
  const { class_name, ...own } = dict
  const mimetype = read?.['mimetype'] ?? 'text/plain'
  const all: Dict = { ...own, ...(keys.includes('mimetype') && 'text' in own && { mimetype }) }
  if ('metadata_seperator' in all) all['metadata_separator'] = all['metadata_seperator']
  for (const key of ['metadata_seperator', 'metadata_separator']) if (!keys.includes(key)) delete all[key]
  if (isDocument) documentResources(all, node, form)
  else if (document) otherResources(all, node, form)
  const written: Dict = {}
  for (const key of keys) if (key in all) written[key] = all[key]
  for (const key in all) if (keys.includes('text') || key !== 'text') written[key] = all[key]
  if (class_name !== undefined) written['class_name'] = class_name
  // Documents have their text once more, for programs that know no resources.
  if (isDocument && form.copy !== 'none' && 'text' in all)
    written['text'] = form.copy === 'shown' ? shownText(node) : all['text']
  return written
}

/** Whether a form reads data that Python wrote, without losing something. */
function isReadable(read: Dict, { document, copy, emptyIsNull, text }: Form): boolean {
  if (!('text_resource' in read))
    return text.every((key) => key in read) && (text.includes('metadata_separator') || !('metadata_separator' in read))
  const { text_resource: resource } = read
  // The form of 0.10 has only those data of a resource that it has no field for.
  if (isPlainObject(resource) && !('text' in resource)) return false
  if (!document || !('text' in read)) return document !== null
  return copy !== 'none' && (emptyIsNull || isPlainObject(resource))
}

/** Returns the text of a document as some releases write it: as it is shown without metadata. */
function shownText({ text, textTemplate }: TextNode): string {
  try {
    const values: Dict = { content: text, metadata_str: '' }
    return strip(fillTemplate(parseTemplate(textTemplate), (name) => values[name] as string | undefined))
  } catch {
    // Python cannot write a document with this template.
    return text
  }
}

const place = ['start_char_idx', 'end_char_idx']

/** Moves text, image and vector of a document into its resources. */
function documentResources(all: Dict, node: TextNode, form: Form): void {
  const { text, text_embedding: dense = null } = all
  const further = present((all['text_resource'] ?? {}) as Dict)
  if ('text' in all) {
    const vectors = dense === null ? null : { ...(further['embeddings'] as object | undefined), dense }
    const rest = { ...further, ...(vectors && { embeddings: vectors }) }
    const isNull = text === '' && form.emptyIsNull && Object.keys(rest).length === 0
    all['text_resource'] = isNull ? null : resource({ ...rest, text }, form)
    delete all['text_embedding']
  }
  if (hasImageFields(node)) {
    const image = present((all['image_resource'] ?? {}) as Dict)
    for (const [key, field] of Object.entries(imageKeys)) {
      if ((all[field] ?? null) !== null) image[key] = all[field]
      delete all[field]
    }
    all['image_resource'] = Object.keys(image).length === 0 ? null : resource(image, form)
  }
  for (const key of ['image_resource', 'audio_resource', 'video_resource']) all[key] ??= null
  for (const key of place) if (all[key] === null) delete all[key]
}

/** Completes the resources of other nodes: Python reads text and image from them if they exist. */
function otherResources(all: Dict, node: TextNode, form: Form): void {
  const { text_resource: text, image_resource: image } = all
  if (isPlainObject(text)) setResource(all, 'text_resource', text, { text: node.text }, form)
  if (!isPlainObject(image) || !hasImageFields(node)) return
  const fields = Object.entries(imageKeys).map(([key, field]) => [key, all[field] ?? null] as const)
  setResource(all, 'image_resource', image, Object.fromEntries(fields), form)
}

function setResource(all: Dict, key: string, further: Dict, fields: Dict, form: Form): void {
  const rest = present(further)
  if (Object.keys(rest).length > 0) all[key] = resource({ ...rest, ...fields }, form)
  else delete all[key]
}

function resource(data: Dict, form: Form): Dict {
  const whole: Dict = {}
  // Python never writes the data of a resource, but reads it.
  for (const key of form.resource) if (key !== 'data' || (data[key] ?? null) !== null) whole[key] = data[key] ?? null
  return { ...whole, ...data }
}

/** Returns the hash that a release computes for a node. */
export function hashInForm(node: TextNode, form: Form): string {
  if (form.hash === 'own') return node.hash
  if (form.hash === 'text') return hasImageFields(node) ? sha256(node.text + valueText(node.metadata)) : node.hash
  const isNode = (node as { '~read'?: Dict })['~read']?.['class_name'] === 'Node'
  if (form.document && (node.getType() === ObjectType.document || isNode)) return resourcesHash(node, form)
  return hasImageFields(node) ? imageHash(node) : node.hash
}

function resourcesHash(node: TextNode, form: Form): string {
  const dict = nodeInForm(node.toDict(), node, form)
  const identities = ['audio', 'image', 'text', 'video'].flatMap((kind) => {
    const data = dict[`${kind}_resource`]
    return isPlainObject(data) ? [resourceHash(data)] : []
  })
  const metadata = form.hash === 'all' ? node.getMetadataStr('all') : ''
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
