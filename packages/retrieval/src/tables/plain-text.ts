/**
 * @module
 * Removes Markdown syntax.
 */

/**
 * Returns the text of links, images, emphasis and code spans, without HTML tags.
 * @example
 * plainText('**Use** [`npm`](https://npmjs.com)') // => 'Use npm'
 */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]*>/g, ' ')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])/gu, '')
    .trim()
}
