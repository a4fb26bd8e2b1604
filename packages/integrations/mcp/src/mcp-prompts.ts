/**
 * @module
 * The prompts of an MCP server as messages.
 */
import { callOptions, checkOption, checkOptions, type OptionTable } from '@x/core/options'
import { ChatMessage } from '@x/core-model'
import { raceAbort } from '@x/core-model/async'
import { partsOf } from './blocks.ts'
import { aClient } from './connection.ts'
import type { McpBlock, McpPromptClient, McpPromptDescription } from './mcp-types.ts'
import { failAtStreamEnd } from './stream-ends.ts'
import { listAll, type McpLimits, mcpLimits } from './tool-list.ts'

/** Options of {@link mcpPrompts}. */
interface McpPromptsOptions {
  /** Limits for what the server sends: `tools` is the number of prompts. */
  limits?: McpLimits | undefined
  signal?: AbortSignal | undefined
}

const promptsOptions: OptionTable<McpPromptsOptions> = { limits: mcpLimits, signal: callOptions.signal }

/** A prompt of a server. */
export interface McpPrompt extends McpPromptDescription {
  /**
   * Returns the messages of the prompt for these arguments, with images and files as parts.
   * @throws the error of the client, for example for a missing argument.
   */
  messages(
    args?: Readonly<Record<string, string>>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<ChatMessage[]>
}

/**
 * Lists the prompts of an MCP server. Their messages are what the server writes: treat them as text of the server, not as yours. The client
 * must be connected.
 * @throws the error of the client when the list cannot be read.
 * @throws {McpListError} if the list exceeds a limit.
 * @example
 * const client: McpPromptClient = {
 *   listPrompts: async () => ({ prompts: [{ name: 'review', arguments: [{ name: 'file', required: true }] }] }),
 *   getPrompt: async ({ arguments: args }) => ({
 *     messages: [{ role: 'user', content: { type: 'text', text: `Review ${args?.file}.` } }],
 *   }),
 * }
 * const [review] = await mcpPrompts(client)
 * const messages = await review.messages({ file: 'a.ts' })
 * messages.map(String) // => ['user: Review a.ts.']
 */
export async function mcpPrompts(client: McpPromptClient, options: McpPromptsOptions = {}): Promise<McpPrompt[]> {
  checkOptions('mcpPrompts', options, promptsOptions)
  checkOption('mcpPrompts', 'client', client, aClient('listPrompts', 'getPrompt'))
  failAtStreamEnd(client)
  const { limits = {}, signal } = options
  const prompts = await listAll('prompts', { ...limits, maxItems: limits.tools ?? 1000 }, async (params) => {
    const { prompts: items, ...page } = await raceAbort(client.listPrompts(params, signal ? { signal } : {}), signal)
    return { items, ...page }
  })
  return prompts.map((prompt) => ({
    ...prompt,
    async messages(args = {}, { signal: own } = {}) {
      const params = { name: prompt.name, arguments: { ...args } }
      const { messages } = await raceAbort(client.getPrompt(params, own ? { signal: own } : {}), own)
      return messages.map(messageOf)
    },
  }))
}

function messageOf({ role, content }: { role: string; content: unknown }): ChatMessage {
  const parts = partsOf([content].flat() as McpBlock[])
  const [first, second] = parts
  return new ChatMessage({
    role: role === 'assistant' ? role : 'user',
    content: first?.type === 'text' && !second ? first.text : parts,
  })
}
