/**
 * @module
 * Front matter as metadata.
 */
import type { TextNode } from '@x/core-model'
import { markdownStart } from './markdown/front-matter.ts'

/** Returns metadata from the text between the two `---` lines: {@link readFrontMatter}, or `parse` of a YAML library. */
export type FrontMatterReader = (source: string) => Record<string, unknown>

/** Returns the metadata of an input and its front matter. Keys of the input have priority. */
export function metadataWith(reader: FrontMatterReader | null, { text, metadata }: TextNode): Record<string, unknown> {
  const source = reader && /---.*\r?\s([\s\S]*)---/.exec(text.slice(0, markdownStart(text)))
  return source ? { ...reader(source[1] as string), ...metadata } : metadata
}

/** Returns the offset at which the text of the nodes starts: without front matter if it is metadata. */
export function textStart(reader: FrontMatterReader | null, text: string): number {
  return reader ? markdownStart(text) : text.charCodeAt(0) === 0xfeff ? 1 : 0
}
