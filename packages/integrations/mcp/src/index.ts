/**
 * @module
 * Tools of MCP servers for agents, and tools, retrievers and agents as MCP servers.
 */
export { McpToolset, type McpToolsOptions, mcpTools } from './mcp-toolset.ts'
export type { McpBlock, McpClient, McpResult, McpServer, McpTool, McpToolAnnotations } from './mcp-types.ts'
export { type ServedTools, type ServeToolsOptions, serveTools } from './serve-tools.ts'
export { type McpLimits, McpListError, type McpToolsDifference } from './tool-list.ts'
