import { live } from '@x/core-model/schemas'
import type { FrontMatterReader } from './front-matter-metadata.ts'

/** The field of the reader of front matter. */
export const frontMatter = live<FrontMatterReader>({
  holds: 'function',
  description: 'Reads front matter into metadata, such as `readFrontMatter`.',
})
