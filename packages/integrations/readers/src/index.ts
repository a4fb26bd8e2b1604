/**
 * @module
 * Reads HTML pages as Markdown with tables, for the parsers of `@x/node-parser`. Documents of Docling: entry `@x/readers/docling`.
 */
export { htmlToMarkdown, readHtml } from './read-html.ts'
