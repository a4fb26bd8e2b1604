import { live } from '@x/core-model/schemas'
import type { MarkdownSyntax } from './markdown/mdx.ts'

/** The field of the syntax. */
export const syntax = live<MarkdownSyntax>({
  holds: ['reader'],
  description: 'The syntax, such as `mdx`; null is Markdown.',
})
