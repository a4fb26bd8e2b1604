/**
 * @module
 * A folder of Markdown as tools and as an MCP server, for your own programs. The command is `docs-mcp`.
 */
export { Docs, type DocsChange, type DocsOptions, type DocsSearchOptions } from './docs.ts'
export type { SkippedFile } from './docs-folder.ts'
export { docsServer } from './docs-server.ts'
export type { DocumentInfo } from './document-list.ts'
export { DocsFolderError, DocsPathError, DocsStoreError } from './errors.ts'
export { docsTools } from './tools/docs-tools.ts'
