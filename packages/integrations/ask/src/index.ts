/**
 * @module
 * A folder of Markdown as a search of sections, as tools and as an MCP server, for your own programs. The command is `ask`.
 */
export { Docs } from './docs.ts'
export { docsServer } from './docs-server.ts'
export type { FoundSection } from './search/found-section.ts'
export type { OtherLanguage } from './search/index-part.ts'
export { SectionIndex, type SectionIndexData } from './search/section-index.ts'
export { serveDocs } from './serve-mcp.ts'
export { docsTools } from './tools/docs-tools.ts'
