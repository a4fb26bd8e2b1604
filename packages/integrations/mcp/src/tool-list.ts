/**
 * @module
 * The list of the tools of an MCP server: reading it within limits, its differences, and the hashes of definitions.
 */
import { group, type OptionTable, wholeNumber } from '@x/core/options'
import { ToolkitError, writeJsonText } from '@x/core-model'
import { raceAbort } from '@x/core-model/async'
import { sha256 } from '@x/core-model/data'
import { keptResult } from './connection.ts'
import type { McpClient, McpPage, McpTool } from './mcp-types.ts'

/** Limits for what a server sends. */
export interface McpLimits {
  /** Maximum number of tools. @defaultValue 1000 */
  tools?: number | undefined
  /** Maximum number of pages of the list. @defaultValue 100 */
  pages?: number | undefined
  /** Maximum size of all definitions together, in bytes of JSON. @defaultValue 4,000,000 */
  listBytes?: number | undefined
  /** Maximum size of the result of a call, with its images and files, in bytes of JSON. @defaultValue 16,000,000 */
  resultBytes?: number | undefined
}

/** Checks {@link McpLimits}. */
export const mcpLimits = group({
  tools: wholeNumber(0, 'or infinity'),
  pages: wholeNumber(0, 'or infinity'),
  listBytes: wholeNumber(0, 'or infinity'),
  resultBytes: wholeNumber(0, 'or infinity'),
} satisfies OptionTable<McpLimits>)

/** The difference between two lists of tools. */
export interface McpToolsDifference {
  readonly added: readonly McpTool[]
  readonly removed: readonly McpTool[]
  /** The tools whose title, description, schemas or annotations changed. */
  readonly changed: readonly { readonly before: McpTool; readonly after: McpTool }[]
}

/**
 * Thrown when a list exceeds a limit, or contains a tool that differs from its pinned definition. Raise the limit that the message names
 * if you trust the server; review a changed tool before you pin it again.
 */
export class McpListError extends ToolkitError {
  constructor(message: string) {
    super('McpListError', 'mcp_list', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    mcp_list: McpListError
  }
}

/** Returns the size of a value, in bytes of JSON. */
export const bytesOf = (value: unknown): number => new TextEncoder().encode(writeJsonText(value)).byteLength

/**
 * Reads all pages of a list.
 * @param what - the items, for errors.
 * @param page - requests a page.
 * @throws {McpListError} if the list exceeds a limit.
 */
export async function listAll<Item>(
  what: string,
  { maxItems, pages: maxPages = 100, listBytes: maxBytes = 4_000_000 }: McpLimits & { maxItems: number },
  page: (params: { cursor: string } | undefined) => Promise<McpPage & { items: readonly Item[] }>,
): Promise<Item[]> {
  const found: Item[] = []
  const refuse = (limit: string) => {
    throw new McpListError(`The list of ${what} has more than ${limit}; see \`limits\`.`)
  }
  let cursor: string | undefined
  let bytes = 0
  for (let count = 1; ; count++) {
    if (count > maxPages) refuse(`${maxPages} pages`)
    const { items, nextCursor } = await page(cursor === undefined ? undefined : { cursor })
    bytes += bytesOf(items)
    if (bytes > maxBytes) refuse(`${maxBytes} bytes`)
    found.push(...items)
    if (found.length > maxItems) refuse(`${maxItems} ${what}`)
    // Some servers repeat their last cursor.
    if (!nextCursor || nextCursor === cursor) return found
    cursor = nextCursor
  }
}

/**
 * Lists the tools. Of tools with the same name, only the first can be called.
 * @throws {McpListError} if the list exceeds a limit.
 */
export async function listTools(
  client: McpClient,
  { tools: maxItems = 1000, ...limits }: McpLimits,
  signal: AbortSignal | undefined,
): Promise<McpTool[]> {
  const tools = await listAll('tools', { ...limits, maxItems }, async (params) => {
    const options = signal ? { signal } : {}
    try {
      return itemsOf(await raceAbort(client.listTools(params, options), signal))
    } catch (error) {
      // Both SDKs refuse a page for one odd entry.
      const { request } = client as { request?(message: object, schema: object, options: object): Promise<ToolPage> }
      if (signal?.aborted || !request || !isSchemaError(error)) throw error
      return itemsOf(
        await raceAbort(request.call(client, { method: 'tools/list', params }, keptResult(), options), signal),
      )
    }
  })
  const names = new Set<string>()
  return tools.filter(({ name }) => !names.has(name) && names.add(name))
}

type ToolPage = McpPage & { tools: readonly McpTool[] }

const itemsOf = (page: ToolPage) => ({ ...page, items: page.tools.filter(isTool) })

/** Whether an SDK found that a result does not match the schema of the protocol. */
function isSchemaError(error: unknown): boolean {
  const { name, code, issues } = Object(error) as Record<string, unknown>
  return Array.isArray(issues) || name === 'ZodError' || code === 'INVALID_RESULT'
}

/** Whether an entry of a list is a tool: one odd entry does not cost the others. */
function isTool(entry: McpTool | null): boolean {
  const { name, inputSchema } = (entry ?? {}) as { name?: unknown; inputSchema?: { type?: unknown } | null }
  if (typeof name !== 'string' || name.trim() === '' || typeof inputSchema !== 'object' || inputSchema === null)
    return false
  return [inputSchema.type ?? 'object'].flat().includes('object')
}

/** Returns the SHA-256 of what a model or a user can see of a tool. The order of keys does not matter. */
export function hashOf({ name, title, description, inputSchema, outputSchema, annotations }: McpTool): string {
  return sha256(writeJsonText({ name, title, description, inputSchema, outputSchema, annotations }, { sortKeys: true }))
}

/** Returns the difference between two lists. */
export function differenceOf(before: readonly McpTool[], after: readonly McpTool[]): McpToolsDifference {
  const [old, now] = [byName(before), byName(after)]
  return {
    added: after.filter(({ name }) => !old.has(name)),
    removed: before.filter(({ name }) => !now.has(name)),
    changed: after.flatMap((tool) => {
      const known = old.get(tool.name)
      return known && hashOf(known) !== hashOf(tool) ? [{ before: known, after: tool }] : []
    }),
  }
}

const byName = (tools: readonly McpTool[]) => new Map(tools.map((tool) => [tool.name, tool]))

/**
 * Returns the tools that have pinned hashes.
 * @throws {McpListError} naming the tools whose definitions differ.
 */
export function pinnedTools(tools: readonly McpTool[], pins: Readonly<Record<string, string>>): McpTool[] {
  const known = tools.filter(({ name }) => Object.hasOwn(pins, name))
  const changed = known.filter((tool) => hashOf(tool) !== pins[tool.name]).map(({ name }) => JSON.stringify(name))
  if (changed.length === 0) return known
  throw new McpListError(
    `The server has changed the definition of ${changed.join(', ')} since it was pinned: review it.`,
  )
}

/**
 * Returns names that providers accept: at most 64 letters, digits, `_` and `-`. A tool keeps the name that it has.
 * @param known - the names of the last list, by the names of the server.
 */
export function offeredNames(
  tools: readonly McpTool[],
  prefix: string,
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>()
  const used = new Set<string>()
  for (const { name } of tools) {
    const kept = known.get(name)
    if (kept === undefined) continue
    names.set(name, kept)
    used.add(kept)
  }
  for (const { name } of tools) if (!names.has(name)) names.set(name, uniqueName(prefix + name, used))
  return names
}

function uniqueName(name: string, used: Set<string>): string {
  const base = name.replace(/[^\w-]/g, '_').slice(0, 64)
  let unique = base
  for (let count = 2; used.has(unique); count++) unique = `${base.slice(0, 63 - String(count).length)}_${count}`
  used.add(unique)
  return unique
}
