/**
 * @module
 * Reads documents that Docling has converted, such as PDF files, with their pages.
 */
export { doclingToMarkdown, readDocling } from './read-docling.ts'
