/**
 * @module
 * Markdown as people read it.
 */

/** Returns Markdown without addresses of links, images, anchors, comments and tags of HTML that only format. Code is kept as written. */
export function plainText(source: string): string {
  return withoutTags(source).replace(
    /!?\[([^\][]{0,300})\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+["'][^"'\n]*["'])?\)|\[[^\][\n]{0,300}\])/g,
    '$1',
  )
}

/** Returns Markdown without comments and tags of HTML that only format. */
export function withoutTags(source: string): string {
  return source
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(
      /<\/?(?:a|b|i|em|strong|p|div|span|sub|sup|kbd|code|td|tr|th|details|summary|center|img|ul|ol|li)(?:\s[^<>]*)?\/?>/gi,
      '',
    )
}
