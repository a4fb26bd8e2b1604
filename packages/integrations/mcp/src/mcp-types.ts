/**
 * @module
 * Structural types of the parts of the Model Context Protocol and of its TypeScript SDKs that are read or called here: clients of
 * `@modelcontextprotocol/sdk` 1 and of `@modelcontextprotocol/client` 2 satisfy them, and neither is imported.
 * @see https://modelcontextprotocol.io/specification
 */

/** A tool in the list of a server. */
export interface McpTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: McpToolAnnotations | undefined
}

/** Hints of a server about a tool. An untrusted server may send wrong hints. */
export interface McpToolAnnotations {
  readonly title?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
}

/** A connected client of either SDK. */
export interface McpClient {
  listTools(
    params?: { cursor: string },
    options?: object,
  ): Promise<{ tools: readonly McpTool[]; nextCursor?: string | undefined }>
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...options: never[]): Promise<unknown>
  close(): Promise<void>
}

/** A page of a list of a server. */
export interface McpPage {
  readonly nextCursor?: string | undefined
}

/** A resource in the list of a server. */
export interface McpResource {
  readonly uri: string
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly mimeType?: string | undefined
}

/** A connected client of either SDK, for the resources of its server. */
export interface McpResourceClient {
  listResources(params?: { cursor: string }, options?: object): Promise<McpPage & { resources: readonly McpResource[] }>
  readResource(
    params: { uri: string },
    options?: object,
  ): Promise<{ contents: readonly { uri: string; text?: string; blob?: string; mimeType?: string | undefined }[] }>
}

/** A prompt in the list of a server. */
export interface McpPromptDescription {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[]
}

/** A connected client of either SDK, for the prompts of its server. */
export interface McpPromptClient {
  listPrompts(
    params?: { cursor: string },
    options?: object,
  ): Promise<McpPage & { prompts: readonly McpPromptDescription[] }>
  getPrompt(
    params: { name: string; arguments?: Record<string, string> },
    options?: object,
  ): Promise<{ messages: readonly { role: string; content: unknown }[] }>
}

/** The result of a tool. */
export interface McpResult {
  readonly content?: readonly McpBlock[] | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

/** A block of content. */
export interface McpBlock {
  readonly type: string
  readonly text?: string | undefined
  readonly data?: string | undefined
  readonly mimeType?: string | undefined
  readonly uri?: string | undefined
  readonly name?: string | undefined
  readonly resource?: { uri: string; text?: string; blob?: string; mimeType?: string } | undefined
}

/** A server of either SDK on which handlers can be set: `Server`, or the `server` of an `McpServer`. */
export interface McpServer {
  setRequestHandler(request: never, handler: never): void
  sendToolListChanged(): Promise<void>
}
