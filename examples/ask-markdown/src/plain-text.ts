/**
 * @module
 * Markdown without its marks.
 */

/** The text of a link or an image, what emphasis and code spans hold, and nothing of HTML tags. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]*>/g, ' ')
    .replace(/\*\*|__|~~|`/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])/gu, '')
    .trim()
}
