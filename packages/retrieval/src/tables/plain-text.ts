/**
 * @module
 * Removes Markdown syntax.
 */

import { invalidOption } from '@x/core/options'

/**
 * Returns the text of links, images, emphasis and code spans, without HTML tags.
 * @example
 * plainText('**Use** [`npm`](https://npmjs.com)') // => 'Use npm'
 */
export function plainText(markdown: string): string {
  if (typeof markdown !== 'string') throw invalidOption('plainText', 'markdown', 'a string', markdown)
  return markdown
    .replace(/!?\[([^[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]*>/g, ' ')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])/gu, '')
    .trim()
}
