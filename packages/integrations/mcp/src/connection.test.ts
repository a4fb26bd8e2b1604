import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lossOf } from './connection.ts'
import { mcpTools } from './mcp-toolset.ts'
import type { McpClient } from './mcp-types.ts'

type Message = { id?: number; method: string; params: { name: string; arguments: unknown; _meta?: object } }
type Answer = (message: Message, response: ServerResponse) => object | undefined

const empty = { type: 'object', properties: {} }
const text = (of: string) => ({ content: [{ type: 'text', text: of }] })

describe.each([
  ['client 1', ClientV1, HttpV1],
  ['client 2', ClientV2, HttpV2],
] as const)('a server that behaves oddly: %s', (_, Client, Transport) => {
  /** The sessions that the server knows, the calls that it received, and its tools and answers. */
  const sessions = new Set<string>()
  let calls: Message[] = []
  let tools: unknown[] = []
  let answer: Answer = () => text('ok')
  let connections = 0

  const server = createServer((request: IncomingMessage, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const message = JSON.parse(body) as Message
      const session = request.headers['mcp-session-id'] as string | undefined
      const send = (result: object, headers = {}) =>
        response
          .writeHead(200, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      if (message.method === 'initialize') {
        const id = `s${++connections}`
        sessions.add(id)
        const capabilities = { tools: {} }
        return send(
          { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 's', version: '1' } },
          { 'mcp-session-id': id },
        )
      }
      if (session && !sessions.has(session)) return response.writeHead(404).end('no session')
      if (message.id === undefined) return response.writeHead(202).end()
      if (message.method === 'tools/list') return send({ tools })
      if (message.method !== 'tools/call') return send({})
      calls.push(message)
      const result = answer(message, response)
      return result && send(result)
    })
  })
  const clients: McpClient[] = []
  const connect = async () => {
    const client = new Client({ name: 'c', version: '1' })
    const { port } = server.address() as AddressInfo
    await client.connect(new Transport(new URL(`http://127.0.0.1:${port}/mcp`)) as never)
    clients.push(client as unknown as McpClient)
    return client as unknown as McpClient
  }

  beforeEach(async () => {
    Object.assign(server, { keepAliveTimeout: 1 })
    calls = []
    connections = 0
    tools = [{ name: 't', inputSchema: empty }]
    answer = () => text('ok')
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close().catch(() => {})
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('is connected again after it forgot the session, and gets the call under its key', async () => {
    const set = await mcpTools(connect)
    const call = () => set.tools[0]!.call({}, { idempotencyKey: 'k' })
    await call()
    sessions.clear()
    expect((await call()).content).toBe('ok')
    expect(calls.map(({ params }) => params._meta)).toEqual([calls[0]!.params._meta, calls[0]!.params._meta])
    expect(connections).toBe(2)
    sessions.clear()
    const together = await Promise.all([call(), call()])
    expect(together.map(({ content }) => content)).toEqual(['ok', 'ok'])
    expect(connections).toBe(3)
    await set.close()
  })

  it('fails as before without a function that connects', async () => {
    const { tools: own } = await mcpTools(await connect())
    sessions.clear()
    await expect(own[0]!.call({})).rejects.toMatchObject({ code: 'tool_execution' })
    expect(connections).toBe(1)
  })

  it('is connected again after its client was closed', async () => {
    const set = await mcpTools(connect)
    await clients[0]!.close()
    expect((await set.tools[0]!.call({})).content).toBe('ok')
    await set.close()
    await expect(set.tools[0]!.call({})).rejects.toMatchObject({ code: 'tool_execution' })
    expect(connections).toBe(2)
  })

  it('is not called again if it has changed or removed the tool', async () => {
    const changes: unknown[] = []
    const set = await mcpTools(connect, { onToolsChanged: (_tools, difference) => changes.push(difference) })
    const [before] = set.tools
    sessions.clear()
    tools = [{ name: 't', description: 'Deletes everything.', inputSchema: empty }]
    await expect(before!.call({})).rejects.toThrow(/has changed the tool "t"; the call was not repeated/)
    expect(calls).toEqual([])
    expect(changes).toMatchObject([{ changed: [{ after: { description: 'Deletes everything.' } }] }])
    sessions.clear()
    tools = []
    await expect(set.tools[0]!.call({})).rejects.toThrow(/has removed the tool "t"/)
    await set.close()
  })

  it('shows the own text of a failure whose structured content does not fit', async () => {
    const outputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
    tools = [{ name: 't', inputSchema: empty, outputSchema }]
    answer = () => ({ isError: true, ...text('disk is full'), structuredContent: { error: 'disk is full' } })
    const { tools: own } = await mcpTools(await connect())
    expect(await own[0]!.call({})).toMatchObject({ isError: true, content: 'Error: disk is full' })
  })

  it('keeps its tools beside an odd entry', async () => {
    const odd = [
      { name: '', inputSchema: empty },
      { name: 'list', inputSchema: { type: 'array' } },
    ]
    tools = [{ name: 5 }, null, { name: 'bad', inputSchema: 'x' }, ...odd, ...tools]
    const { tools: own } = await mcpTools(await connect())
    expect(own.map(({ metadata }) => metadata.name)).toEqual(['t'])
  })
})

describe('lossOf', () => {
  it.each([
    [{ code: 404 }, 'refused'],
    [{ data: { status: 404 } }, 'refused'],
    [new Error('Not connected'), 'refused'],
    [{ code: 'NOT_CONNECTED' }, 'refused'],
    [{ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } }, 'refused'],
    [{ code: -32000 }, 'closed'],
    [{ code: 'CONNECTION_CLOSED' }, 'closed'],
    [{ code: -32602 }, null],
    [{ code: 500 }, null],
    [new Error('Timeout'), null],
    [undefined, null],
  ])('of %o is %j', (error, loss) => {
    expect(lossOf(error)).toBe(loss)
  })
})

it('a call that may have run is repeated if the tool is idempotent', async () => {
  for (const idempotentHint of [true, false]) {
    let calls = 0
    const connect = (): McpClient => ({
      listTools: async () => ({ tools: [{ name: 't', inputSchema: empty, annotations: { idempotentHint } }] }),
      callTool: async () => {
        if (calls++ === 0) throw Object.assign(new Error('Connection closed'), { code: -32000 })
        return text('ok')
      },
      close: async () => {},
    })
    const { tools } = await mcpTools(connect)
    const result = await Promise.resolve(tools[0]!.call({})).catch((error: { code: string }) => error.code)
    expect(idempotentHint ? String(result) : result).toBe(idempotentHint ? 'ok' : 'tool_execution')
    expect(calls).toBe(idempotentHint ? 2 : 1)
    // The next call uses the new connection.
    expect(String(await tools[0]!.call({}))).toBe('ok')
  }
})

describe('a server that does not answer when the connection is made again', () => {
  let hangs = false
  let connections = 0
  const connect = async (): Promise<McpClient> => {
    connections++
    if (hangs) await new Promise(() => {})
    return {
      listTools: async () => ({ tools: [{ name: 't', inputSchema: empty }] }),
      callTool: async () => {
        if (connections === 1) throw new Error('Not connected')
        return text('ok')
      },
      close: async () => {},
    }
  }
  beforeEach(() => {
    hangs = false
    connections = 0
  })

  it('fails the call after its time, and is connected by the next call', async () => {
    const { tools: own } = await mcpTools(connect, { totalTimeoutMs: 30 })
    hangs = true
    await expect(own[0]!.call({})).rejects.toMatchObject({
      code: 'tool_execution',
      message: expect.stringContaining('took more than 30 ms'),
    })
    hangs = false
    expect(String(await own[0]!.call({}))).toBe('ok')
  })

  it('rejects with the reason of the signal at once', async () => {
    const { tools: own } = await mcpTools(connect)
    hangs = true
    const controller = new AbortController()
    const call = own[0]!.call({}, { signal: controller.signal })
    await expect.poll(() => connections).toBe(2)
    controller.abort(new Error('left'))
    await expect(call).rejects.toThrow('left')
    await expect(mcpTools(connect, { signal: AbortSignal.timeout(5) })).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
