/**
 * @module
 * Removes Markdown syntax.
 */

import { invalidOption } from '@x/core/options'

/**
 * A link or an image, with its address or the name of its definition. Brackets behind a word, and short names, are the indexes of code:
 * `x[0][1]`.
 */
const LINK = /!?\[([^[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)|(?<![\p{L}\p{N}_)\]])!?\[([^[\]]*)\]\[(?:[^[\]]{3,})?\]/gu

/**
 * Returns the text of links, images, emphasis and code spans, without HTML tags.
 * @example
 * plainText('**Use** [`npm`](https://npmjs.com)') // => 'Use npm'
 */
export function plainText(markdown: string): string {
  if (typeof markdown !== 'string') throw invalidOption('plainText', 'markdown', 'a string', markdown)
  return markdown
    .replace(LINK, '$1$2')
    .replace(LINK, '$1$2')
    .replace(/<\/?[a-zA-Z][^<>]*>/g, ' ')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])/gu, '')
    .trim()
}
