import { live } from '@x/core-model/schemas'
import type { MarkdownSyntax } from './markdown/mdx.ts'

/** The field of the syntax. */
export const syntax = live<MarkdownSyntax>({
  holds: ['reader'],
  description: 'A syntax other than Markdown alone, such as `mdx`.',
})
