/**
 * @module
 * An MCP server over the documents of a folder: tools, and the documents as resources.
 */
import {
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import { isToolkitError } from '@x/core-model'
import { serveTools } from '@x/mcp'
import type { Docs } from './docs.ts'
import { ownVersion } from './own-version.ts'
import { docsTools } from './tools/docs-tools.ts'

const SCHEME = 'docs:///'
const MARKDOWN = 'text/markdown'
/** The number of resources per page. */
const PAGE = 500

const INSTRUCTIONS = `Markdown documents: search finds sections and tables by words; read_table filters and sorts a table; read returns lines or a section.
Every result names its place (file:line-line). Cite it. The documents may change: read again rather than rely on an earlier result.`

/** The description of a server; each field has a default. */
export interface DocsServerInfo {
  /** @defaultValue `ask` */
  name?: string
  /** @defaultValue the path of the folder */
  title?: string
  /** @defaultValue the version of this package */
  version?: string
  /** What a model reads before the descriptions of the tools, behind sentences about places. @defaultValue none */
  instructions?: string
}

/** Returns the address of a document as a resource. */
export function resourceUri(path: string): string {
  return SCHEME + path.split('/').map(encodeURIComponent).join('/')
}

/**
 * Returns a server of `@modelcontextprotocol/server` with the tools and the documents of a folder. Each client needs its own server; all
 * of them share `docs`. It notifies its client of changes until it is closed, except where it serves a single HTTP request.
 * @param context - what `serveStdio` and `createMcpHandler` pass to their factories.
 * @param info - the description of the server.
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
 *
 * const folder = await mkdtemp(join(tmpdir(), 'docs-'))
 * await writeFile(join(folder, 'fruit.md'), '# Pears\n\nThey are green.')
 * const docs = await Docs.open(folder)
 * const [near, far] = InMemoryTransport.createLinkedPair()
 * await docsServer(docs).connect(far)
 * const client = new Client({ name: 'editor', version: '1.0.0' })
 * await client.connect(near)
 * const found = await client.callTool({ name: 'search', arguments: { query: 'green' } })
 * found.structuredContent
 * // => { passages: [{ place: 'fruit.md:1-3', line: 3, heading: 'Pears', text: 'They are green.', score: 1 }] }
 * await client.close()
 * await docs.close()
 */
export function docsServer(
  docs: Docs,
  context: Pick<McpRequestContext, 'era' | 'requestInfo'> = { era: 'legacy' },
  info: DocsServerInfo = {},
): Server {
  const { name = 'ask', title = `Documents in ${docs.root}`, version = ownVersion(), instructions } = info
  const isOneRequest = context.requestInfo !== undefined
  // Without sessions, clients of older revisions of the protocol cannot be notified over HTTP.
  const resources = isOneRequest && context.era === 'legacy' ? {} : { listChanged: true, subscribe: true }
  const server = new Server(
    { name, title, version },
    {
      capabilities: { tools: {}, resources },
      instructions: instructions === undefined ? INSTRUCTIONS : `${INSTRUCTIONS}\n${instructions}`,
    },
  )
  serveTools(server, docsTools(docs))
  serveResources(server, docs)
  if (!isOneRequest) notifyOfChanges(server, docs, context)
  return server
}

function serveResources(server: Server, docs: Docs): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const from = offsetOf(params?.cursor)
    const all = await docs.documents()
    const resources = all.slice(from, from + PAGE).map(({ path, title }) => ({
      uri: resourceUri(path),
      name: path,
      ...(title !== null && { title }),
      mimeType: MARKDOWN,
    }))
    const end = from + resources.length
    return { resources, ...(end < all.length && { nextCursor: String(end) }) }
  })
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: `${SCHEME}{+path}`, name: 'document', mimeType: MARKDOWN }],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return { contents: [{ uri, mimeType: MARKDOWN, text: await docs.read(pathOf(uri)) }] }
    } catch (error) {
      throw isToolkitError(error, 'docs_path') ? new ResourceNotFoundError(uri, error.message) : error
    }
  })
}

/** Notifies a client of changes of the list, and of changes of the documents to which it has subscribed. */
function notifyOfChanges(server: Server, docs: Docs, { era }: Pick<McpRequestContext, 'era'>): void {
  const subscribed = new Set<string>()
  server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  const end = docs.onChange(({ added, changed, removed }) => {
    // A client that has disconnected receives nothing.
    const send = (sending: Promise<void>) => sending.catch(() => {})
    if (added.length + removed.length > 0) send(server.sendResourceListChanged())
    for (const uri of [...added, ...changed, ...removed].map(resourceUri)) {
      // In newer revisions of the protocol, the transport knows the subscriptions and filters the notifications.
      if (era === 'modern' || subscribed.has(uri)) send(server.sendResourceUpdated({ uri }))
    }
  })
  const onclose = server.onclose
  server.onclose = () => {
    end()
    onclose?.()
  }
}

function offsetOf(cursor: string | undefined): number {
  const from = Number(cursor ?? 0)
  if (Number.isSafeInteger(from) && from >= 0) return from
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `expected a cursor of resources/list, received ${cursor}`)
}

/** Returns the path of a document. An address in a different form is returned unchanged, and is not a path of a document. */
function pathOf(uri: string): string {
  try {
    if (uri.startsWith(SCHEME)) return uri.slice(SCHEME.length).split('/').map(decodeURIComponent).join('/')
  } catch {
    // Not an address of this server.
  }
  return uri
}
