/**
 * @module
 * Structural types of the parts of the Model Context Protocol and of its TypeScript SDKs that are read or called here: clients of
 * `@modelcontextprotocol/sdk` 1 and of `@modelcontextprotocol/client` 2 satisfy them, and neither is imported.
 * @see https://modelcontextprotocol.io/specification
 */
import type { ToolCallContext } from '@x/agents'

/** A tool in the list of a server. */
export interface McpTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: object
  readonly outputSchema?: object | undefined
  readonly annotations?: McpToolAnnotations | undefined
  /** Whether a call may be, or must be, a task of the server. */
  readonly execution?: { readonly taskSupport?: 'forbidden' | 'optional' | 'required' | undefined } | undefined
}

/** Hints of a server about a tool. An untrusted server may send wrong hints. */
interface McpToolAnnotations {
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

/** A question of a server to the user. */
export interface McpQuestion {
  readonly message: string
  /** `form`: the user fills in `requestedSchema`. `url`: the user visits `url`. @defaultValue 'form' */
  readonly mode?: 'form' | 'url' | undefined
  /** An object of strings, numbers, booleans and choices. */
  readonly requestedSchema?:
    | {
        readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>
        readonly required?: readonly string[]
      }
    | undefined
  readonly url?: string | undefined
  readonly elicitationId?: string | undefined
}

/** The answer of the user. */
export interface McpAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** What the user filled in. */
  readonly content?: Record<string, unknown> | undefined
}

/** A call of a tool of a server. */
export interface McpCall {
  /** The name of the tool at the server. */
  readonly tool: string
  readonly context: Partial<ToolCallContext>
  /** Sends the call, with further parameters and options of the request. Returns the result. */
  sendCall(signal: AbortSignal | undefined, params?: object, options?: object): Promise<unknown>
  /** Calls `work` within the time limit of a call. */
  inTime<T>(work: (signal: AbortSignal | undefined) => Promise<T>): Promise<T>
}

/** Makes the calls of a client, and returns their results. */
export type McpCaller = (call: McpCall) => Promise<unknown>

/** A server of either SDK on which handlers can be set: `Server`, or the `server` of an `McpServer`. */
export interface McpServer {
  setRequestHandler(request: never, handler: never): void
  sendToolListChanged(): Promise<void>
  /** To ask the user of the client. */
  elicitInput?(params: never, options?: object): Promise<unknown>
  getClientCapabilities?(): object | undefined
}
