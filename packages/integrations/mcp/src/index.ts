/**
 * @module
 * Tools, resources and prompts of MCP servers, and tools, retrievers and agents as MCP servers.
 */

export { type AskUserOptions, askUser, type ServedCall, type ServedCaller } from './ask-user.ts'
export type { McpTaskIds } from './call-as-task.ts'
export { type McpDocumentsOptions, mcpDocuments } from './mcp-documents.ts'
export { type McpPrompt, type McpPromptsOptions, mcpPrompts } from './mcp-prompts.ts'
export { McpToolset, type McpToolsOptions, mcpTools } from './mcp-toolset.ts'
export type {
  McpAnswer,
  McpBlock,
  McpCall,
  McpCaller,
  McpClient,
  McpPage,
  McpPromptClient,
  McpPromptDescription,
  McpQuestion,
  McpResource,
  McpResourceClient,
  McpResult,
  McpServer,
  McpTool,
  McpToolAnnotations,
} from './mcp-types.ts'
export { type ServedTools, type ServeToolsOptions, serveTools } from './serve-tools.ts'
export { type McpTask, TaskTool, type TaskToolOptions } from './task-tool.ts'
export { type McpLimits, McpListError, type McpToolsDifference } from './tool-list.ts'
export { type WaitForUserOptions, waitForUser } from './wait-for-user.ts'
