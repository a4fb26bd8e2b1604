/**
 * @module
 * Front matter as metadata.
 */

import { isPlainObject, merge } from '@x/core/values'
import type { TextNode } from '@x/core-model'
import { markdownStartOf } from './input-text.ts'
import { frontMatterSource } from './markdown/front-matter.ts'

/** Returns metadata from the source of front matter: the text between its two lines, or JSON. {@link readFrontMatter}, or `parse` of a YAML library. */
export type FrontMatterReader = (source: string) => Record<string, unknown>

/** Keys that packages write and read, such as the file of a citation: front matter, which may be of a stranger, cannot set them. */
const RESERVED = /^(?:file|start_line|end_line|header_path|table_df|table_summary|untrusted|__.*)$/s

/** Returns the metadata of an input and its front matter, without reserved keys. Keys of the input have priority. */
export function metadataWith(reader: FrontMatterReader | null, input: TextNode): Record<string, unknown> {
  const { text, metadata } = input
  const block = reader === null ? '' : text.slice(0, markdownStartOf(input))
  if (reader === null || block.length < 2) return metadata
  const source = frontMatterSource(block)
  const own: unknown = reader(source)
  // A reader of YAML returns a string for TOML.
  if (!isPlainObject(own)) return source.trim() === '' ? metadata : merge({ front_matter: source.trim() }, metadata)
  return merge(Object.fromEntries(Object.entries(own).filter(([key]) => !RESERVED.test(key))), metadata)
}

/** Returns the offset at which the text of the nodes starts: without front matter if it is metadata. */
export function textStart(reader: FrontMatterReader | null, input: TextNode): number {
  const start = markdownStartOf(input)
  return reader || start === 0 ? start : input.text.charCodeAt(0) === 0xfeff ? 1 : 0
}
