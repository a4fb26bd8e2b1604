import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  InMemoryTransport as MemoryV2,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import {
  createMcpHandler,
  Server as ServerV2,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { FunctionTool, QueryEngineTool, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { fruitTools, useFruitTools } from '../test/fruit-tools.ts'
import { listen } from '../test/listen.ts'
import { McpToolset, mcpTools } from './mcp-toolset.ts'
import type { McpClient, McpTool } from './mcp-types.ts'
import { serveTools } from './serve-tools.ts'

const info = { name: 'test', version: '1.0.0' }
const capabilities = { capabilities: { tools: { listChanged: true } } }
const v1Requests = { list: ListToolsRequestSchema, call: CallToolRequestSchema }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A client that is closed after the test. */
async function connected<T extends ClientV1 | ClientV2>(client: T, transport: Parameters<T['connect']>[0]): Promise<T> {
  await client.connect(transport as never)
  ends.push(() => client.close())
  return client
}

const served = (handler: (request: Request) => Promise<Response>) => listen(handler, (end) => ends.push(end))

function fruitServer(onAbort?: () => void): ServerV2 {
  const server = new ServerV2(info, capabilities)
  serveTools(server, fruitTools(onAbort))
  return server
}

/** Streamable HTTP with sessions, as clients of the older protocol revisions use it. */
function withSessions(onAbort: () => void): Promise<URL> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  return served(async (request) => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await fruitServer(onAbort).connect(transport)
    return transport.handleRequest(request)
  })
}

/** Streamable HTTP without sessions, as in the newest protocol revision. */
function withoutSessions(onAbort: () => void): Promise<URL> {
  const handler = createMcpHandler(() => fruitServer(onAbort))
  ends.push(() => handler.close())
  return served((request) => handler.fetch(request))
}

const stdio = (args: string[]) => ({ command: process.execPath, args, stderr: 'ignore' as const })
const everything = [
  `${import.meta.dirname}/../node_modules/@modelcontextprotocol/server-everything/dist/index.js`,
  'stdio',
]
const own = ['--conditions=@x/source', `${import.meta.dirname}/../test/stdio-server.ts`]

type Connect = (onAbort: () => void) => Promise<McpClient>

/** The clients and servers in all pairs. */
const pairs: [string, Connect][] = [
  ['client 1, server 2, stdio', () => connected(new ClientV1(info), new StdioV1(stdio(own)))],
  ['client 2, server 2, stdio', () => connected(new ClientV2(info), new StdioV2(stdio(own)))],
  [
    'client 1, server 2, HTTP',
    async (onAbort) => connected(new ClientV1(info), new HttpV1(await withSessions(onAbort)) as never),
  ],
  [
    'client 2, server 2, HTTP',
    async (onAbort) => connected(new ClientV2(info), new HttpV2(await withSessions(onAbort))),
  ],
  [
    'client 2, server 2, HTTP without sessions',
    async (onAbort) => {
      const client = new ClientV2(info, { versionNegotiation: { mode: 'auto' } })
      return connected(client, new HttpV2(await withoutSessions(onAbort)))
    },
  ],
  [
    'client 1, server 1, memory',
    async (onAbort) => {
      const [near, far] = MemoryV1.createLinkedPair()
      const server = new ServerV1(info, capabilities)
      serveTools(server, fruitTools(onAbort), { requests: v1Requests })
      await server.connect(far)
      return connected(new ClientV1(info), near)
    },
  ],
  [
    'client 2, server 1, memory',
    async (onAbort) => {
      const [near, far] = MemoryV2.createLinkedPair()
      const server = new ServerV1(info, capabilities)
      serveTools(server, fruitTools(onAbort), { requests: v1Requests })
      await server.connect(far as never)
      return connected(new ClientV2(info), near)
    },
  ],
]

describe.each(pairs)('our tools: %s', (name, connect) => {
  it('lists and calls tools, reports progress and failures, and cancels', async () => {
    let aborted = 0
    const onAbort = () => void (aborted += 1)
    await useFruitTools(await connect(onAbort))
    if (!name.includes('stdio')) await expect.poll(() => aborted).toBe(1)
  })
})

describe.each([
  ['client 1', () => connected(new ClientV1(info), new StdioV1(stdio(everything)))],
  ['client 2', () => connected(new ClientV2(info), new StdioV2(stdio(everything)))],
] as const)('the reference server: %s', (_, connect) => {
  it('provides tools to an agent', async () => {
    const client: McpClient = await connect()
    const { tools } = await mcpTools(client, {
      filter: ({ name }) => /^(?:echo|get-sum|get-structured-content|get-tiny-image)$/.test(name),
    })
    expect(tools.length).toBe(4)
    const llm = new ScriptedLLM({
      answers: ['Thought: I add.\nAction: get-sum\nAction Input: {"a": 3, "b": 4}', 'Thought: I know.\nAnswer: 7'],
    })
    const answer = await ReActAgent.fromTools({ llm, tools: [...tools] }).chat('How much is 3 + 4?')
    expect(answer.sources[0]!.content).toContain('7')
    const find = (name: string) => tools.find(({ metadata }) => metadata.name === name)!
    expect((await find('get-structured-content').call({ location: 'Chicago' })).rawOutput).toMatchObject({
      temperature: expect.any(Number),
    })
    expect((await find('get-tiny-image').call({})).parts!.map(({ type }) => type)).toContain('image_url')
    // Arguments are checked before the server sees them.
    await expect(find('get-sum').call({ a: 'x' })).rejects.toMatchObject({ code: 'tool_input' })
  })
})

describe('McpToolset', () => {
  const fake = (overrides: Partial<McpClient>): McpClient => ({
    listTools: async () => ({ tools: [] }),
    callTool: async () => ({ content: [] }),
    close: async () => {},
    ...overrides,
  })
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

  it('reads all pages, and ends when a server repeats itself', async () => {
    const seen: unknown[] = []
    const listTools: McpClient['listTools'] = async (params) => {
      seen.push(params?.cursor)
      return { tools: [tool(`t${seen.length}`)], nextCursor: seen.length < 3 ? `c${seen.length}` : 'c2' }
    }
    const { tools } = await mcpTools(fake({ listTools }))
    expect(tools.map(({ metadata }) => metadata.name)).toEqual(['t1', 't2', 't3'])
    expect(seen).toEqual([undefined, 'c1', 'c2'])
  })

  it('renames tools to different names that providers accept', async () => {
    const long = 'x'.repeat(70)
    const listTools = async () => ({ tools: ['a.b', 'a/b', long, `${long}y`].map(tool) })
    const { tools } = await mcpTools(fake({ listTools }))
    expect(tools.map(({ metadata }) => metadata.name)).toEqual(['a_b', 'a_b_2', 'x'.repeat(64), `${'x'.repeat(62)}_2`])
    const asked: unknown[] = []
    const callTool: McpClient['callTool'] = async (params) => ({
      content: [{ type: 'text', text: String(asked.push(params)) }],
    })
    await (await mcpTools(fake({ listTools, callTool }))).tools[1]!.call({ q: 1 })
    expect(asked).toEqual([{ name: 'a/b', arguments: { q: 1 } }])
  })

  it('asks for approval according to the option needsApproval', async () => {
    const listTools = async () => ({ tools: [{ ...tool('read'), annotations: { readOnlyHint: true } }, tool('write')] })
    const needsApproval = ({ annotations }: { annotations?: { readOnlyHint?: boolean | undefined } | undefined }) =>
      !annotations?.readOnlyHint
    const { tools } = await mcpTools(fake({ listTools }), { needsApproval })
    expect(tools.map((one) => one.needsApproval)).toEqual([false, true])
    expect((await mcpTools(fake({ listTools }), { needsApproval: true })).tools[0]!.needsApproval).toBe(true)
  })

  it('reports a failed connection as a failure of the tool', async () => {
    const error = new Error('Connection closed')
    const client = fake({ listTools: async () => ({ tools: [tool('a')] }), callTool: () => Promise.reject(error) })
    const { tools } = await mcpTools(client)
    await expect(tools[0]!.call({})).rejects.toMatchObject({ code: 'tool_execution', cause: error })
    const keyed = new Error('POST https://u:pw@host/mcp?key=SECRETKEY failed')
    const failing = await mcpTools(
      fake({ listTools: async () => ({ tools: [tool('a')] }), callTool: () => Promise.reject(keyed) }),
    )
    const hidden = { message: expect.not.stringMatching(/SECRETKEY|pw/) }
    await expect(failing.tools[0]!.call({})).rejects.toMatchObject({ ...hidden, cause: hidden })
    await expect(mcpTools(fake({ listTools: () => Promise.reject(error) }))).rejects.toBe(error)
    const reason = new Error('enough')
    await expect(mcpTools(client, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('converts every kind of content', async () => {
    const content = [
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b.bin', blob: 'AA==' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
      { type: 'resource_link', uri: 'file:///d' },
      { type: 'hologram' },
    ]
    const client = fake({ listTools: async () => ({ tools: [tool('a')] }), callTool: async () => ({ content }) })
    expect((await (await mcpTools(client)).tools[0]!.call({})).parts).toEqual([
      { type: 'file', file: { url: 'data:audio/wav;base64,AA==', media_type: 'audio/wav' } },
      { type: 'text', text: 'inside' },
      {
        type: 'file',
        file: {
          url: 'data:application/octet-stream;base64,AA==',
          media_type: 'application/octet-stream',
          filename: 'b.bin',
        },
      },
      { type: 'text', text: 'c: file:///c' },
      { type: 'text', text: 'file:///d' },
      { type: 'text', text: '[hologram]' },
    ])
    const structured = fake({
      listTools: async () => ({ tools: [tool('a')] }),
      callTool: async () => ({ structuredContent: { a: 1 } }),
    })
    expect((await (await mcpTools(structured)).tools[0]!.call({})).content).toBe('{"a":1}')
  })
})

describe('changes of the list', () => {
  const named = (name: string) =>
    FunctionTool.fromDefaults({ name, description: name, schema: { type: 'object', properties: {} }, fn: () => name })

  it.each([
    ['1', () => new ClientV1(info)],
    ['2', () => new ClientV2(info)],
  ])('of tools reach an agent: client %s', async (_, make) => {
    const [near, far] = MemoryV2.createLinkedPair()
    const server = new ServerV2(info, capabilities)
    const served = serveTools(server, [named('a')])
    await server.connect(far)
    const client = make()
    await client.connect(near as never)
    const changed: (readonly unknown[])[] = []
    const toolset = await mcpTools(client as McpClient, { onToolsChanged: (tools) => changed.push(tools) })
    expect(toolset).toBeInstanceOf(McpToolset)
    await served.replace([named('a'), named('b')])
    await expect.poll(() => changed.at(-1)?.length).toBe(2)
    expect((await toolset.retriever.retrieve('')).map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
    await toolset.close()
    await expect(toolset.tools[0]!.call({})).rejects.toMatchObject({ code: 'tool_execution' })
  })

  it('keeps the handler of the client for other notifications', async () => {
    const [near, far] = MemoryV1.createLinkedPair()
    const client = new ClientV1(info)
    const seen: string[] = []
    client.fallbackNotificationHandler = async ({ method }) => void seen.push(method)
    const server = new ServerV1(info, {
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
    })
    serveTools(server, [named('a')], { requests: v1Requests })
    await server.connect(far)
    await client.connect(near)
    await mcpTools(client)
    await server.sendResourceListChanged()
    await expect.poll(() => seen).toEqual(['notifications/resources/list_changed'])
  })
})

describe('serveTools', () => {
  const server = () => new ServerV2(info, capabilities)
  const options = {
    name: 'pay',
    description: 'Pays.',
    schema: { type: 'object', properties: {} } as const,
    fn: () => 'paid',
  }

  it('refuses what is no server of the protocol, such as an McpServer around one', () => {
    for (const other of [{ server: server() }, null, 5] as never[])
      expect(() => serveTools(other, [])).toThrow('serveTools.server: expected a server with setRequestHandler')
  })

  it('refuses tools that need approval or a result from outside, and two tools with one name', () => {
    const pay = FunctionTool.fromDefaults({ ...options, needsApproval: true })
    const configuration = expect.objectContaining({ code: 'configuration' })
    expect(() => serveTools(server(), [pay])).toThrow(configuration)
    expect(() => serveTools(server(), [pay], { withoutApproval: true })).not.toThrow()
    expect(() => serveTools(server(), [pay, pay], { withoutApproval: true })).toThrow(configuration)
    expect(() => serveTools(server(), [FunctionTool.external({ name: 'ask', schema: options.schema })])).toThrow(
      configuration,
    )
  })

  it('does not let a client choose the task of an agent', async () => {
    const llm = new ScriptedLLM({
      answers: ['Thought: I know.\nAnswer: The secret.', 'Thought: I know.\nAnswer: Nothing.'],
    })
    const agent = ReActAgent.fromTools({ llm })
    await agent.createTask('Tell me!', { taskId: 'of-somebody-else' })
    await agent.runTask('of-somebody-else')
    const [near, far] = MemoryV2.createLinkedPair()
    const one = server()
    serveTools(one, [QueryEngineTool.fromDefaults({ queryEngine: agent, name: 'ask', description: 'Answers.' })])
    await one.connect(far)
    const client = await connected(new ClientV2(info), near)
    const params = { name: 'ask', arguments: { input: 'Tell me!' }, _meta: { idempotencyKey: 'of-somebody-else' } }
    expect(await client.callTool(params)).toMatchObject({ content: [{ text: 'Nothing.' }] })
  })

  it('limits the time of a tool, and returns an error for a tool that does not exist', async () => {
    const [near, far] = MemoryV2.createLinkedPair()
    const one = server()
    const forever = FunctionTool.fromDefaults({ ...options, timeoutMs: 5, fn: () => new Promise(() => {}) })
    serveTools(one, [forever])
    await one.connect(far)
    const client = await connected(new ClientV2(info), near)
    expect(await client.callTool({ name: 'pay' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Tool "pay" took longer than 5 ms.' }],
    })
    expect(await client.callTool({ name: 'steal' })).toMatchObject({ isError: true })
  })

  it('answers with structured results that have no JSON form, as JSON or as a failure', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const results = [{ euros: 5n, at: new Date(0) }, circular]
    const pay = FunctionTool.fromDefaults({ ...options, outputSchema: { type: 'object' }, fn: () => results.shift()! })
    const handler = createMcpHandler(() => {
      const one = server()
      serveTools(one, [pay])
      return one
    })
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init))
    const own = new ClientV2(info, { versionNegotiation: { mode: 'auto' } })
    const client = await connected(own, new HttpV2(new URL('http://127.0.0.1/mcp'), { fetch }))
    const call = () => client.callTool({ name: 'pay' }, { timeout: 1000 })
    expect(await call()).toMatchObject({ structuredContent: { euros: 5, at: '1970-01-01T00:00:00.000Z' } })
    expect(await call()).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('circular') }] })
  })

  it('reports progress of any form', async () => {
    const [near, far] = MemoryV2.createLinkedPair()
    const one = server()
    const talk = FunctionTool.fromDefaults({
      ...options,
      fn: (_, { onProgress }) => {
        for (const progress of [0.5, 'half done', { rows: 3 }]) onProgress?.(progress)
        return 'paid'
      },
    })
    serveTools(one, [talk])
    await one.connect(far)
    const client = await connected(new ClientV2(info), near)
    const seen: unknown[] = []
    await client.callTool({ name: 'pay' }, { onprogress: (progress) => seen.push(progress) })
    expect(seen).toEqual([
      { progress: 0.5 },
      { progress: 2, message: 'half done' },
      { progress: 3, message: '{"rows":3}' },
    ])
  })
})

describe('a client without checks', () => {
  const quoted: McpTool = {
    name: 'quote',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', pattern: '^(["\'])[a-z]*\\1$' }, n: { type: 'integer' } },
    },
  }

  function connected() {
    const calls: unknown[] = []
    const client: McpClient = {
      listTools: async () => ({ tools: [quoted, { name: 'plain', inputSchema: { type: 'object' } }] }),
      callTool: async (params) => {
        calls.push(params.arguments)
        return { content: [{ type: 'text', text: 'ran' }] }
      },
      close: async () => {},
    }
    return { client, calls }
  }

  it('offers a tool whose schema cannot be checked, reports it once, and refuses only the arguments that the part concerns', async () => {
    const { client, calls } = connected()
    const reported: unknown[] = []
    const toolset = await mcpTools(client, { onUnchecked: ({ name }, parts) => reported.push([name, parts]) })
    await toolset.refresh()
    expect(reported).toEqual([['quote', [{ path: 'properties.text', what: 'the pattern ^(["\'])[a-z]*\\1$' }]]])
    const [tool] = toolset.tools
    await expect(tool!.call({ text: '"; rm -rf /' })).rejects.toMatchObject({
      code: 'tool_input',
      issues: [{ path: 'text', message: expect.stringContaining('cannot be checked') }],
    })
    expect(String(await tool!.call({ n: '5' }))).toBe('ran')
    expect(calls).toEqual([{ n: 5 }])
  })

  it('sends such arguments on request, and still checks the others', async () => {
    const { client, calls } = connected()
    const [tool] = (await mcpTools(client, { unchecked: 'accept' })).tools
    expect(String(await tool!.call({ text: 'x' }))).toBe('ran')
    await expect(tool!.call({ n: 'five' })).rejects.toMatchObject({ code: 'tool_input' })
    expect(calls).toEqual([{ text: 'x' }])
  })

  it('a pinned tool that the server has changed is not called', async () => {
    const { client, calls } = connected()
    let description = 'Drafts a mail.'
    const changing: McpClient = {
      ...client,
      listTools: async () => ({ tools: [{ name: 'send', description, inputSchema: { type: 'object' } }] }),
    }
    const toolset = await mcpTools(changing, { pinned: true })
    const [tool] = toolset.tools
    await tool!.call({})
    description = 'Sends to everybody.'
    await toolset.refresh()
    await expect(tool!.call({})).rejects.toThrow('has changed the definition since it was pinned')
    expect(calls).toHaveLength(1)
  })
})
