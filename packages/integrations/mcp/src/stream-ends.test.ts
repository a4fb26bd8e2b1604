import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport as LowestHttpV2, Client as LowestV2 } from '@modelcontextprotocol/client-lowest'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mcpDocuments } from './mcp-documents.ts'
import { mcpPrompts } from './mcp-prompts.ts'
import { mcpTools } from './mcp-toolset.ts'
import type { McpClient, McpPromptClient, McpResourceClient } from './mcp-types.ts'

type Message = { id: number; method: string; params: { _meta?: { progressToken: number } } }
type Stream = (send: (event: object | string) => void, response: ServerResponse, message: Message) => void

const ended = /The server ended the stream of the request without a result/
const ok = { content: [{ type: 'text', text: 'ok' }] }
// The shortest times that the transports accept: nothing waits for the tests.
const reconnectionOptions = {
  initialReconnectionDelay: 1,
  maxReconnectionDelay: 1,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 2,
}

describe.each([
  ['client 1', ClientV1, HttpV1],
  ['client 2', ClientV2, HttpV2],
  ['the lowest client 2', LowestV2, LowestHttpV2],
] as const)('a stream that ends: %s', (_, Client, Transport) => {
  /** The stream that answers requests of a method, and the answer of the server to a client that wants to continue a stream. */
  let streams: Record<string, Stream> = {}
  let resume: (response: ServerResponse, eventId: string) => void
  let resumes: string[] = []
  let connections = 0
  const errors: Error[] = []
  const lists: Record<string, object> = {
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
    'resources/list': { resources: [{ uri: 'notes://1', name: 'one' }] },
  }

  const eventsOf = (response: ServerResponse) => (event: object | string) =>
    response.write(typeof event === 'string' ? event : `data: ${JSON.stringify({ jsonrpc: '2.0', ...event })}\n\n`)
  const server = createServer((request: IncomingMessage, response) => {
    const eventId = request.headers['last-event-id'] as string | undefined
    if (request.method !== 'POST') {
      if (eventId === undefined) return response.writeHead(405).end()
      resumes.push(eventId)
      return resume(response, eventId)
    }
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const message = JSON.parse(body) as Message
      const { id, method } = message
      const send = (result: object) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      if (id === undefined) return response.writeHead(202).end()
      if (method === 'initialize') {
        connections++
        const capabilities = { tools: {}, resources: {}, prompts: {} }
        return send({ protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 's', version: '1' } })
      }
      const stream = streams[method]
      if (!stream) return send(lists[method] ?? ok)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return stream(eventsOf(response), response, message)
    })
  })
  const clients: McpClient[] = []
  const connect = async () => {
    const client = new (Client as typeof ClientV1)({ name: 'c', version: '1' })
    client.onerror = (error: Error) => errors.push(error)
    const { port } = server.address() as AddressInfo
    const url = new URL(`http://127.0.0.1:${port}/mcp`)
    await client.connect(new Transport(url, { reconnectionOptions }) as never)
    clients.push(client as unknown as McpClient)
    return client as unknown as McpClient
  }
  const call = async () => {
    const { tools } = await mcpTools(await connect())
    return tools[0]!.call({})
  }

  beforeEach(async () => {
    streams = {}
    resume = (response) => response.writeHead(405).end()
    resumes = []
    connections = 0
    errors.length = 0
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => {})
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it.each<[string, Stream]>([
    [
      'a comment',
      (send, response) => {
        send(': bye\n\n')
        response.end()
      },
    ],
    ['nothing', (_send, response) => response.end()],
    [
      'progress',
      (send, response) => {
        send({ method: 'notifications/message', params: { level: 'info', data: 'half' } })
        response.end()
      },
    ],
    ['half an event', (_send, response) => response.end('data: {"jsonrpc":"2.0","id":')],
    [
      'the result of another request',
      (send, response) => {
        send({ id: 999, result: ok })
        response.end()
      },
    ],
    [
      'a connection that breaks',
      (send, response) => {
        send(': working\n\n')
        setTimeout(() => response.destroy(), 5)
      },
    ],
    [
      'an event that cannot be continued',
      (send, response) => {
        send('id: e1\ndata: \n\n')
        response.end()
      },
    ],
  ])('fails a call at once behind %s', async (_what, stream) => {
    streams = { 'tools/call': stream }
    await expect(call()).rejects.toMatchObject({ code: 'tool_execution', message: expect.stringMatching(ended) })
  })

  it('fails a call when the server is asked in vain to continue its stream', async () => {
    streams = {
      'tools/call': (send, response) => {
        send('id: e1\ndata: \n\n')
        response.end()
      },
    }
    resume = (response) => response.writeHead(500).end()
    await expect(call()).rejects.toThrow(ended)
    expect(resumes).toEqual(['e1', 'e1'])
  })

  it('waits for a stream that is continued', async () => {
    let id = 0
    streams = {
      'tools/call': (send, response, message) => {
        id = message.id
        send('id: e1\ndata: \n\n')
        response.end()
      },
    }
    resume = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      eventsOf(response)({ id, result: ok })
    }
    expect((await call()).content).toBe('ok')
    expect(resumes).toEqual(['e1'])
  })

  it('keeps a result whose stream ends or breaks behind it', async () => {
    for (const end of [
      (response: ServerResponse) => response.end(),
      (response: ServerResponse) => response.destroy(),
    ]) {
      streams = {
        'tools/call': (send, response, { id }) => {
          send({ id, result: ok })
          setTimeout(() => end(response), 5)
        },
      }
      expect((await call()).content).toBe('ok')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(errors.filter(({ message }) => /unknown message/.test(message))).toEqual([])
  })

  it('repeats a call that changes nothing on a new connection', async () => {
    let calls = 0
    streams = {
      'tools/call': (send, response, { id }) => {
        if (calls++ > 0) send({ id, result: ok })
        response.end()
      },
    }
    const { tools } = await mcpTools(connect)
    expect((await tools[0]!.call({})).content).toBe('ok')
    expect([calls, connections]).toEqual([2, 2])
  })

  it('fails lists, resources and prompts', async () => {
    const stream: Stream = (_send, response) => response.end()
    const client = await connect()
    streams = { 'prompts/list': stream, 'resources/read': stream }
    await expect(mcpPrompts(client as unknown as McpPromptClient)).rejects.toThrow(ended)
    await expect(mcpDocuments(client as unknown as McpResourceClient)).rejects.toThrow(ended)
    streams = { 'tools/list': stream }
    await expect(mcpTools(client)).rejects.toThrow(ended)
  })
})
