/**
 * @module
 * Tools, resources and prompts of MCP servers, and tools, retrievers and agents as MCP servers.
 */

export { askUser, type ServedCaller } from './ask-user.ts'
export { mcpDocuments } from './mcp-documents.ts'
export { type McpPrompt, mcpPrompts } from './mcp-prompts.ts'
export { McpToolset, mcpTools } from './mcp-toolset.ts'
export type { McpCaller, McpClient, McpPromptClient, McpResourceClient } from './mcp-types.ts'
export { type ServedTools, serveTools } from './serve-tools.ts'
export { type McpTask, TaskTool } from './task-tool.ts'
export { McpListError, type McpToolsDifference } from './tool-list.ts'
export { waitForUser } from './wait-for-user.ts'
