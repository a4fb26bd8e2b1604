/**
 * @module
 * The tools over the documents of a folder.
 */
import type { FunctionTool } from '@x/agents'
import type { Docs } from '../docs.ts'
import { listDocumentsTool, outlineTool } from './list-tools.ts'
import { readTool } from './read-tool.ts'
import { searchTool } from './search-tool.ts'
import { findTablesTool, readTableTool } from './table-tools.ts'

/**
 * Returns the tools over the documents of a folder: `search`, `find_tables`, `read_table`, `read`, `outline` and `list_documents`. An agent
 * of `@x/agents` can use them without a server.
 */
export function docsTools(docs: Docs): FunctionTool[] {
  return [
    searchTool(docs),
    findTablesTool(docs),
    readTableTool(docs),
    readTool(docs),
    outlineTool(docs),
    listDocumentsTool(docs),
  ]
}
