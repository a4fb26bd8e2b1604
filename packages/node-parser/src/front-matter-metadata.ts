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

/** Returns the metadata of an input and its front matter. Keys of the input have priority. */
export function metadataWith(reader: FrontMatterReader | null, input: TextNode): Record<string, unknown> {
  const { text, metadata } = input
  const block = reader === null ? '' : text.slice(0, markdownStartOf(input))
  if (reader === null || block.length < 2) return metadata
  const source = frontMatterSource(block)
  const own: unknown = reader(source)
  // A reader of YAML returns a string for TOML.
  return merge(isPlainObject(own) ? own : source.trim() === '' ? {} : { front_matter: source.trim() }, metadata)
}

/** Returns the offset at which the text of the nodes starts: without front matter if it is metadata. */
export function textStart(reader: FrontMatterReader | null, input: TextNode): number {
  const start = markdownStartOf(input)
  return reader || start === 0 ? start : input.text.charCodeAt(0) === 0xfeff ? 1 : 0
}
