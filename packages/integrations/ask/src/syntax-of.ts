import { type MarkdownSyntax, mdx } from '@x/node-parser'

/** Returns the syntax of a document by its name. */
export function syntaxOf(path: string): MarkdownSyntax | undefined {
  return /\.mdx$/i.test(path) ? mdx : undefined
}
