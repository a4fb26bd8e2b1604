// @module-tag system
import { Client as ClientV2, InMemoryTransport as MemoryV2 } from '@modelcontextprotocol/client-lowest'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client-lowest/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk-lowest/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk-lowest/client/stdio.js'
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk-lowest/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk-lowest/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk-lowest/types.js'
import { Server as ServerV2 } from '@modelcontextprotocol/server-lowest'
import { describe, it, onTestFinished } from 'vitest'
import { serveTools } from '../src/serve-tools.ts'
import { fruitTools } from './fruit-tools.ts'
import { useFruitTools } from './use-fruit-tools.ts'

const info = { name: 'test', version: '1.0.0' }
const capabilities = { capabilities: { tools: { listChanged: true } } }
/** A server of the pinned version. */
const server = {
  command: process.execPath,
  args: ['--conditions=@x/source', `${import.meta.dirname}/stdio-server.ts`],
  stderr: 'ignore' as const,
}

describe('the lowest supported SDK 1', () => {
  const newClient = () => {
    const client = new ClientV1(info)
    onTestFinished(() => client.close())
    return client
  }

  it('calls tools of a newer server', async () => {
    const client = newClient()
    await client.connect(new StdioV1(server))
    await useFruitTools(client)
  })

  it('serves tools', async () => {
    const [near, far] = MemoryV1.createLinkedPair()
    const own = new ServerV1(info, capabilities)
    serveTools(own, fruitTools(), { requests: { list: ListToolsRequestSchema, call: CallToolRequestSchema } })
    await own.connect(far)
    const client = newClient()
    await client.connect(near)
    await useFruitTools(client)
  })
})

describe('the lowest supported SDK 2', () => {
  const newClient = () => {
    const client = new ClientV2(info)
    onTestFinished(() => client.close())
    return client
  }

  it('calls tools of a newer server', async () => {
    const client = newClient()
    await client.connect(new StdioV2(server))
    await useFruitTools(client)
  })

  it('serves tools', async () => {
    const [near, far] = MemoryV2.createLinkedPair()
    const own = new ServerV2(info, capabilities)
    serveTools(own, fruitTools())
    await own.connect(far)
    const client = newClient()
    await client.connect(near)
    await useFruitTools(client)
  })
})
