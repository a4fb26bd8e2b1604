/**
 * @module
 * The forms of the releases of LlamaIndex for Python as data: what changed, and in which release. Each entry was looked up in the source of
 * its release.
 */
import { ModelValidationError } from '@x/core'

/** The keys of a block after its type, in the order of Python, by the type of the block. */
export type BlockShapes = Readonly<Record<string, readonly string[]>>

/** How a release writes nodes, messages and tool outputs. All other classes have the same form in every release. */
export interface Form {
  /** The keys of text, image and index nodes in their order; empty for the order of this package. */
  readonly text: readonly string[]
  /** The keys of documents, if they consist of resources. */
  readonly document: readonly string[] | null
  /** The keys of a resource in their order. Data is written only if there is any. */
  readonly resource: readonly string[]
  /** What a document has as `text` beside its resource: its text, or the text as it is shown to models. */
  readonly copy: 'none' | 'shown' | 'text'
  /** Whether a document with an empty text has no text resource. */
  readonly emptyIsNull: boolean
  /**
   * What the hash of a document contains: as in this package, text and metadata without an image, its image fields, its resources, or its
   * metadata and its resources.
   */
  readonly hash: 'own' | 'text' | 'image' | 'resources' | 'all'
  /** The blocks of messages; null if messages have content. */
  readonly blocks: BlockShapes | null
  /** Whether an image block with a null address is refused when it is read. */
  readonly refusesNullUrl: boolean
  /** The roles that are not known, and what is written for them. */
  readonly roles: Readonly<Record<string, string>>
  /** Whether tool outputs say if they are errors, and whether they consist of blocks. */
  readonly output: 'plain' | 'errors' | 'blocks'
}

const head = [
  'id_',
  'embedding',
  'metadata',
  'excluded_embed_metadata_keys',
  'excluded_llm_metadata_keys',
  'relationships',
]
const templates = ['metadata_template', 'metadata_separator']
const place = ['start_char_idx', 'end_char_idx']
const own = ['text', 'mimetype', ...place]
const resources = ['text_resource', 'image_resource', 'audio_resource', 'video_resource']
const cited = ['cited_content', 'source', 'title']
const citedPlace = ['cited_block_index', 'inner_start_block_index', 'inner_end_block_index']

type Change = Partial<Omit<Form, 'blocks'>> & { readonly blocks?: BlockShapes }

const first: Form = {
  text: [],
  document: null,
  resource: [],
  copy: 'none',
  emptyIsNull: false,
  hash: 'text',
  blocks: null,
  refusesNullUrl: false,
  roles: { developer: 'system', model: 'assistant' },
  output: 'plain',
}

/** The changes of forms by release, oldest first. Blocks are added to those before. */
const changes: readonly (readonly [release: string, change: Change])[] = [
  ['0.10.16', { roles: { developer: 'system' } }],
  ['0.10.44', { output: 'errors' }],
  ['0.10.48', { text: [...head, ...own, 'text_template', 'metadata_template', 'metadata_seperator'] }],
  ['0.11.10', { hash: 'image' }],
  ['0.12.1', { text: [...head, ...templates, ...own, 'metadata_seperator', 'text_template'] }],
  ['0.12.2', { blocks: { text: ['text'], image: ['image', 'image_path', 'image_url', 'image_mimetype'] } }],
  ['0.12.3', { refusesNullUrl: true, blocks: { image: ['image', 'path', 'url', 'image_mimetype', 'detail'] } }],
  [
    '0.12.6',
    {
      document: [...head, ...templates, ...resources, 'text_template'],
      resource: ['embeddings', 'data', 'text', 'mimetype', 'path', 'url'],
      hash: 'resources',
    },
  ],
  ['0.12.7', { copy: 'shown' }],
  ['0.12.10', { resource: ['embeddings', 'data', 'text', 'path', 'url', 'mimetype'] }],
  ['0.12.17', { blocks: { audio: ['audio', 'path', 'url', 'format'] } }],
  ['0.12.23', { refusesNullUrl: false }],
  ['0.12.24', { copy: 'text' }],
  ['0.12.27', { roles: {} }],
  ['0.12.28', { hash: 'all' }],
  ['0.12.32', { emptyIsNull: true }],
  ['0.12.36', { blocks: { document: ['data', 'path', 'url', 'title', 'document_mimetype'] } }],
  ['0.12.44', { blocks: { cache: ['cache_control'] } }],
  [
    '0.12.45',
    {
      output: 'blocks',
      blocks: {
        citable: ['title', 'source', 'content'],
        citation: [...cited, ...citedPlace, 'additional_location_info'],
      },
    },
  ],
  ['0.12.46', { blocks: { citation: [...cited, 'additional_location_info'] } }],
  ['0.14.1', { blocks: { video: ['video', 'path', 'url', 'video_mimetype', 'detail', 'fps'] } }],
  ['0.14.3', { blocks: { thinking: ['content', 'num_tokens', 'additional_information'] } }],
  ['0.14.5', { blocks: { tool_call: ['tool_call_id', 'tool_name', 'tool_kwargs'] } }],
]

/** The blocks of the newest release that is known. */
export const newestBlocks: BlockShapes = /* @__PURE__ */ Object.assign({}, ...changes.map(([, { blocks }]) => blocks))

/** The release whose form is that of this package. */
const interfaceRelease = '0.10.47'

/**
 * Returns a number by which releases are ordered. A line without a release, such as `0.12`, counts as its newest release; `0.10` is the
 * form of this package.
 * @throws {ModelValidationError} if the name is not that of a release from 0.10 on.
 */
export function releaseNumber(name: string): number {
  const [, major, minor, patch] = /^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,4})(?:\.?[a-z]+\d*)?)?$/.exec(String(name)) ?? []
  const line = Number(major) * 1000 + Number(minor)
  if (!(line >= 10)) {
    const message = `expected a release of LlamaIndex for Python from "0.10" on, such as "0.13.6", received ${JSON.stringify(name)}`
    throw new ModelValidationError('pythonLine', [{ path: 'name', message, code: 'type' }])
  }
  if (name === '0.10') return releaseNumber(interfaceRelease)
  return line * 10_000 + Number(patch ?? 9999)
}

/** Returns the form of a release: that of the newest change that is not newer. */
export function formOf(name: string): Form {
  const release = releaseNumber(name)
  let form = first
  for (const [since, { blocks, ...change }] of changes) {
    if (releaseNumber(since) > release) break
    form = { ...form, ...change, blocks: blocks ? { ...form.blocks, ...blocks } : form.blocks }
  }
  if (name === '0.10') return { ...form, hash: 'own' }
  // All releases of 0.12 with documents of resources read an empty text in a resource; only some read null.
  return name === '0.12' ? { ...form, emptyIsNull: false } : form
}
