/**
 * @module
 * The plain text of cells and captions, for what is embedded.
 */

/** Longer cells are cut before their markup is removed. */
const LONGEST = 500

/** Returns a cell without the marks of images, links, code, emphasis and HTML; its text is kept. */
export function plainCell(cell: string): string {
  return (
    cell
      .slice(0, LONGEST)
      .replace(/!?\[([^\][]{0,300})\](?:\([^()\s]{0,500}(?: {1,3}["'][^"']{0,200}["'])?\)|\[[^\][]{0,100}\])/g, '$1')
      // A link around an image.
      .replace(/\[([^\][]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
      .replace(/<\/?[a-zA-Z!][^<>]{0,500}>/g, ' ')
      .replace(/\*\*|__|`/g, '')
      .replace(/(?<![\p{L}\p{N}])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\p{L}\p{N}])/gu, '')
      .replace(/\\(?=[\\`*_{}[\]()#+.!|<>-])/g, '')
      .split(/\s+/)
      .join(' ')
      .trim()
  )
}
