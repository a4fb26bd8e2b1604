/**
 * @module
 * Content parts as one string, for models and readers that accept only text.
 */
import type { ContentPart } from './content-part.ts'
import { readDataUrl } from './data-url.ts'

/**
 * Returns parts as text, separated by line feeds. An image or a file becomes a line with its kind and its media type or address; reasoning
 * is omitted.
 * @example
 * partsText([{ type: 'text', text: 'Look:' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])
 * // => 'Look:\n[image https://example.com/a.png]'
 */
export function partsText(parts: readonly ContentPart[]): string {
  return parts.flatMap(linesOf).join('\n')
}

function linesOf(part: ContentPart): string[] {
  switch (part.type) {
    case 'text':
      return [part.text]
    case 'image_url':
      return [`[image ${shortAddress(part.image_url.url)}]`]
    case 'file': {
      const { filename, media_type: mediaType, url } = part.file
      const name = filename ?? (url.startsWith('data:') ? undefined : url)
      return [`[file ${name === undefined ? mediaType : `${name} ${mediaType}`}]`]
    }
    default:
      return []
  }
}

/** Returns an address, or the media type of a data URL. */
function shortAddress(url: string): string {
  const data = readDataUrl(url)
  return data ? data.mediaType || 'text/plain' : url
}
