import { Client as ClientV2, InMemoryTransport as MemoryV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer as ServerV2 } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { mcpDocuments } from './mcp-documents.ts'
import { mcpPrompts } from './mcp-prompts.ts'
import type { McpPromptClient, McpResourceClient } from './mcp-types.ts'

const info = { name: 'test', version: '1.0.0' }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Registers a text, a picture and a prompt. */
function fill(server: ServerV1 | ServerV2): void {
  const own = server as ServerV1
  own.registerResource('one', 'notes://1', { title: 'One', mimeType: 'text/markdown' }, async (uri) => ({
    contents: [{ uri: uri.href, text: '# Pears', mimeType: 'text/markdown' }],
  }))
  own.registerResource('dot', 'notes://dot.png', { mimeType: 'image/png' }, async (uri) => ({
    contents: [{ uri: uri.href, blob: 'AAAA', mimeType: 'image/png' }],
  }))
  own.registerPrompt('look', { description: 'Looks.' }, async () => ({
    messages: [
      { role: 'user', content: { type: 'text', text: 'Look:' } },
      { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'text', text: 'A dot.' } },
    ],
  }))
}

const pairs: Record<string, () => Promise<McpResourceClient & McpPromptClient>> = {
  async 'SDK 1'() {
    const [near, far] = MemoryV1.createLinkedPair()
    const server = new ServerV1(info)
    fill(server)
    await server.connect(far)
    const client = new ClientV1(info)
    await client.connect(near)
    ends.push(() => client.close())
    return client as never
  },
  async 'SDK 2'() {
    const [near, far] = MemoryV2.createLinkedPair()
    const server = new ServerV2(info)
    fill(server)
    await server.connect(far)
    const client = new ClientV2(info)
    await client.connect(near)
    ends.push(() => client.close())
    return client as never
  },
}

describe.each(Object.entries(pairs))('a server of %s', (_, connect) => {
  it('has texts as documents', async () => {
    const skipped: string[] = []
    const documents = await mcpDocuments(await connect(), { onSkipped: ({ uri }) => skipped.push(uri) })
    expect(documents.map(({ id, text, metadata }) => ({ id, text, metadata }))).toEqual([
      {
        id: 'notes://1',
        text: '# Pears',
        metadata: { uri: 'notes://1', name: 'one', title: 'One', mime_type: 'text/markdown' },
      },
    ])
    expect(skipped).toEqual(['notes://dot.png'])
  })

  it('has prompts as messages', async () => {
    const [prompt] = await mcpPrompts(await connect())
    expect(prompt).toMatchObject({ name: 'look', description: 'Looks.' })
    const messages = await prompt!.messages()
    expect(messages.map(({ role, content }) => ({ role, content }))).toEqual([
      { role: 'user', content: 'Look:' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      { role: 'assistant', content: 'A dot.' },
    ])
  })
})

describe('mcpDocuments', () => {
  const resource = (uri: string) => ({ uri, name: uri })
  const client = (read: McpResourceClient['readResource']): McpResourceClient => ({
    listResources: async (params) =>
      params ? { resources: [resource('c')] } : { resources: [resource('a'), resource('b')], nextCursor: 'next' },
    readResource: read,
  })
  const text: McpResourceClient['readResource'] = async ({ uri }) => ({ contents: [{ uri, text: `of ${uri}` }] })

  it('reads all pages, in order, and only what is asked for', async () => {
    const documents = await mcpDocuments(client(text), { filter: ({ uri }) => uri !== 'b', concurrency: 1 })
    expect(documents.map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('throws the error of a resource, or goes on', async () => {
    const failing = client(async (params) => (params.uri === 'b' ? Promise.reject(new Error('gone')) : text(params)))
    await expect(mcpDocuments(failing)).rejects.toThrow('gone')
    const skipped: unknown[] = []
    const documents = await mcpDocuments(failing, { onSkipped: ({ uri }, error) => skipped.push([uri, String(error)]) })
    expect(documents.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(skipped).toEqual([['b', 'Error: gone']])
  })

  it.each([
    ['resources', { tools: 2 }],
    ['pages', { pages: 1 }],
    ['bytes', { listBytes: 20 }],
    ['bytes', { resultBytes: 20 }],
  ])('refuses more %s than the limit %j', async (what, limits) => {
    const error = await mcpDocuments(client(text), { limits }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'mcp_list' })
    expect(String(error)).toContain(what)
  })

  it('ends with the reason of an abort, and refuses unknown options', async () => {
    const controller = new AbortController()
    const waiting = mcpDocuments(
      client(() => {
        controller.abort('enough')
        return new Promise(() => {})
      }),
      { signal: controller.signal, onSkipped: () => {} },
    )
    await expect(waiting).rejects.toBe('enough')
    await expect(mcpDocuments(client(text), { filters: () => true } as never)).rejects.toMatchObject({
      code: 'model_validation',
    })
  })
})

describe('mcpPrompts', () => {
  it('passes arguments, and the error of the server', async () => {
    const client: McpPromptClient = {
      listPrompts: async () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }] }),
      getPrompt: async ({ arguments: args }) => {
        if (!args?.['who']) throw new Error('who is missing')
        return { messages: [{ role: 'user', content: { type: 'text', text: `Hello ${args['who']}` } }] }
      },
    }
    const [greet] = await mcpPrompts(client)
    expect((await greet!.messages({ who: 'Ann' })).map(String)).toEqual(['user: Hello Ann'])
    await expect(greet!.messages()).rejects.toThrow('who is missing')
    await expect(greet!.messages({ who: 'Ann' }, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    await expect(mcpPrompts(client, { limits: { tools: 0 } })).rejects.toMatchObject({ code: 'mcp_list' })
  })
})

it('documents have the id of the resource that was requested, whatever the server answers', async () => {
  const policy = { uri: 'docs://policy', name: 'policy' }
  const evil: McpResourceClient = {
    listResources: async () => ({ resources: [{ uri: 'evil://1', name: 'one' }] }),
    readResource: async () => ({
      contents: [
        { uri: policy.uri, text: 'None.' },
        { uri: policy.uri, text: 'Nothing.' },
      ],
    }),
  }
  const documents = await mcpDocuments(evil)
  expect(documents.map(({ id, metadata }) => [id, metadata['uri']])).toEqual([
    ['evil://1', 'evil://1'],
    ['evil://1#2', 'evil://1'],
  ])
  const copy: McpResourceClient = { ...evil, listResources: async () => ({ resources: [policy] }) }
  const named = await mcpDocuments(copy, { server: 'evil' })
  expect(named.map(({ id, metadata }) => [id, metadata['server']])).toEqual([
    ['evil docs://policy', 'evil'],
    ['evil docs://policy#2', 'evil'],
  ])
})
