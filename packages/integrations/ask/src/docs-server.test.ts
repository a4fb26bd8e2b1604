import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterEach, expect, it } from 'vitest'
import { notificationsOf } from '../test/clients.ts'
import { deleteFolders, folderOf, write } from '../test/folder.ts'
import { Docs } from './docs.ts'
import { docsServer } from './docs-server.ts'
import { serveDocs } from './serve-mcp.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await deleteFolders()
})

async function connected(folder: string): Promise<{ client: Client; docs: Docs }> {
  const docs = await Docs.open(folder, { quietMs: 20 })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await docsServer(docs).connect(far)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(near)
  ends.push(
    () => docs.close(),
    () => client.close(),
  )
  return { client, docs }
}

it('lists resources by page', async () => {
  const folder = await folderOf(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`${1000 + at}.md`, ''])))
  const { client } = await connected(folder)
  const list = async (cursor?: string) => {
    const { resources, nextCursor } = await client.request({ method: 'resources/list', params: { cursor } })
    return [resources.length, resources[0]?.uri, nextCursor]
  }
  expect(await list()).toEqual([500, 'docs:///1000.md', '500'])
  expect(await list('500')).toEqual([1, 'docs:///1500.md', undefined])
  await expect(list('-1')).rejects.toThrow('expected a cursor of resources/list, received -1')
  expect((await client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate).toBe('docs:///{+path}')
})

it('notifies of a document as long as the client has subscribed to it', async () => {
  const folder = await folderOf({ 'a.md': 'a', 'b.md': 'b' })
  const { client, docs } = await connected(folder)
  await docs.upToDate()
  const received = notificationsOf(client)
  const change = async (content: string) => {
    const isIndexed = new Promise<void>((resolve) => {
      const end = docs.onChange(() => {
        end()
        resolve()
      })
    })
    await write(folder, { 'a.md': content })
    await isIndexed
    await client.ping()
  }
  await client.subscribeResource({ uri: 'docs:///a.md' })
  await change('changed')
  expect(received).toEqual(['resources/updated docs:///a.md'])
  await client.unsubscribeResource({ uri: 'docs:///a.md' })
  await change('changed again')
  expect(received.length).toBe(1)
})

it('sends nothing after its client has disconnected', async () => {
  const folder = await folderOf({ 'a.md': 'a' })
  const docs = await Docs.open(folder, { quietMs: 20 })
  ends.push(() => docs.close())
  await docs.upToDate()
  const server = docsServer(docs)
  let sent = 0
  server.sendResourceListChanged = async () => void sent++
  await server.connect(InMemoryTransport.createLinkedPair()[0])
  for (const name of ['b.md', 'c.md']) {
    const isIndexed = new Promise<unknown>((resolve) => docs.onChange(resolve))
    await write(folder, { [name]: '' })
    await isIndexed
    await server.close()
  }
  expect(sent).toBe(1)
})

it('has the description that is passed, and serves until the input ends', async () => {
  const docs = await Docs.open(await folderOf({ 'a.md': 'a' }))
  ends.push(() => docs.close())
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const info = { name: 'handbook', title: 'Handbook', version: '7.0.0', instructions: 'Ask about pears.' }
  const served = serveDocs(docs, { stdin, stdout, signal: new AbortController().signal, log: () => {} }, info)
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const [line] = await once(stdout, 'data')
  const { result } = JSON.parse(String(line))
  expect(result.serverInfo).toEqual({ name: 'handbook', title: 'Handbook', version: '7.0.0' })
  expect(result.instructions).toMatch(/Cite it[\s\S]*\nAsk about pears\.$/)
  stdin.end()
  await served
})
