/**
 * @module
 * A folder of Markdown as a search of sections, as tools and as an MCP server, for your own programs. The command is `ask`.
 */
export { Docs, type DocsChange } from './docs.ts'
export { type DocsServerInfo, docsServer } from './docs-server.ts'
export type { DocumentInfo } from './document-list.ts'
export type { Excerpt } from './search/excerpt.ts'
export type { FoundSection } from './search/found-section.ts'
export type { IndexPart, IndexTotals, OtherLanguage } from './search/index-part.ts'
export type { Mark } from './search/marks.ts'
export { SectionIndex, type SectionIndexData } from './search/section-index.ts'
export { type DocsStreams, serveDocs } from './serve-mcp.ts'
export { docsTools } from './tools/docs-tools.ts'
