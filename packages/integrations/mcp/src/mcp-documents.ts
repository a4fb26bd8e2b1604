/**
 * @module
 * The resources of an MCP server as documents.
 */
import {
  callback,
  callOptions,
  checkOption,
  checkOptions,
  flag,
  type OptionTable,
  text,
  wholeNumber,
} from '@x/core/options'
import { Document } from '@x/core-model'
import { mapConcurrently, raceAbort } from '@x/core-model/async'
import { aClient } from './connection.ts'
import type { McpResource, McpResourceClient } from './mcp-types.ts'
import { failAtStreamEnd } from './stream-ends.ts'
import { bytesOf, listAll, type McpLimits, McpListError, mcpLimits } from './tool-list.ts'

/** Options of {@link mcpDocuments}. */
interface McpDocumentsOptions {
  /**
   * A name of the server, which is written before the ids and into the metadata `server`. Pass one where documents of several servers are
   * ingested into one store: servers choose their addresses. @defaultValue none
   */
  server?: string | undefined
  /** Whether the server is not trusted: its documents get the metadata `untrusted: true`, which models do not see. @defaultValue false */
  untrusted?: boolean | undefined
  /** Whether a resource is read. @defaultValue all resources */
  filter?: ((resource: McpResource) => boolean) | undefined
  /** Number of resources that are read at the same time, at least 1. @defaultValue 4 */
  concurrency?: number | undefined
  /** Receives a resource that has no text, and the error of one that cannot be read. @defaultValue errors are thrown */
  onSkipped?: ((resource: McpResource, error: unknown) => void) | undefined
  /** Limits for what the server sends: `tools` is the number of resources, `resultBytes` the size of one. */
  limits?: McpLimits | undefined
  signal?: AbortSignal | undefined
}

const documentsOptions: OptionTable<McpDocumentsOptions> = {
  server: text,
  untrusted: flag,
  filter: callback,
  concurrency: wholeNumber(1),
  onSkipped: callback,
  limits: mcpLimits,
  signal: callOptions.signal,
}

/**
 * Reads the resources of an MCP server as documents for ingestion, in the order of its list. The id of a document is the address of the
 * resource as it was requested, with a number behind it for further parts, so that the next ingestion finds what changed. Resources that
 * are not text are left out. The client must be connected.
 * @throws the error of the client when the list or a resource cannot be read.
 * @throws {McpListError} if the list or a resource exceeds a limit.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 * @example
 * const client: McpResourceClient = {
 *   listResources: async () => ({ resources: [{ uri: 'notes://1', name: 'one', mimeType: 'text/markdown' }] }),
 *   readResource: async ({ uri }) => ({ contents: [{ uri, text: '# Pears', mimeType: 'text/markdown' }] }),
 * }
 * const [first] = await mcpDocuments(client)
 * first.id // => 'notes://1'
 * first.metadata // => { uri: 'notes://1', name: 'one', mime_type: 'text/markdown' }
 */
export async function mcpDocuments(client: McpResourceClient, options: McpDocumentsOptions = {}): Promise<Document[]> {
  checkOptions('mcpDocuments', options, documentsOptions)
  checkOption('mcpDocuments', 'client', client, aClient('listResources', 'readResource'))
  failAtStreamEnd(client)
  const { filter = () => true, concurrency = 4, onSkipped, limits = {}, signal } = options
  const { tools: maxItems = 1000, resultBytes = 16_000_000 } = limits
  const request = signal ? { signal } : {}
  const listed = await listAll('resources', { ...limits, maxItems }, async (params) => {
    const { resources: items, ...page } = await raceAbort(client.listResources(params, request), signal)
    return { items, ...page }
  })
  const read = async (resource: McpResource): Promise<Document[]> => {
    try {
      const result = await raceAbort(client.readResource({ uri: resource.uri }, request), signal)
      if (bytesOf(result) > resultBytes)
        throw new McpListError(`The resource ${resource.uri} has more than ${resultBytes} bytes.`)
      const documents = documentsOf(resource, result, options)
      if (documents.length === 0) onSkipped?.(resource, null)
      return documents
    } catch (error) {
      signal?.throwIfAborted()
      if (!onSkipped) throw error
      onSkipped(resource, error)
      return []
    }
  }
  return (await mapConcurrently(listed.filter(filter), concurrency, read)).flat()
}

/** Returns a document for each text of a resource, which may consist of several. */
function documentsOf(
  resource: McpResource,
  { contents }: Awaited<ReturnType<McpResourceClient['readResource']>>,
  { server, untrusted = false }: McpDocumentsOptions,
): Document[] {
  const { uri, name, title, description } = resource
  // The id is the address that was asked for: what the server writes into its answer cannot be the id of another document.
  return contents.flatMap(({ text, mimeType = resource.mimeType }, i) => {
    if (text === undefined) return []
    const about = { uri, name, title, description, mime_type: mimeType, server, untrusted: untrusted || undefined }
    const metadata = Object.entries(about)
    const part = i === 0 ? uri : `${uri}#${i + 1}`
    return [
      new Document({
        id: server === undefined ? part : `${server} ${part}`,
        text,
        metadata: Object.fromEntries(metadata.filter(([, value]) => value !== undefined)),
        ...(untrusted && { excludedLlmMetadataKeys: ['untrusted'], excludedEmbedMetadataKeys: ['untrusted'] }),
      }),
    ]
  })
}
