// @module-tag system
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  InMemoryTransport as MemoryV2,
} from '@modelcontextprotocol/client-lowest'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client-lowest/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk-lowest/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk-lowest/client/stdio.js'
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk-lowest/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk-lowest/server/index.js'
import {
  CallToolRequestSchema,
  ElicitRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk-lowest/types.js'
import { createMcpHandler, Server as ServerV2 } from '@modelcontextprotocol/server-lowest'
import { FunctionTool, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askUser } from '../src/ask-user.ts'
import { mcpTools } from '../src/mcp-toolset.ts'
import type { McpClient } from '../src/mcp-types.ts'
import { serveTools } from '../src/serve-tools.ts'
import { waitForUser } from '../src/wait-for-user.ts'
import { fruitTools, useFruitTools } from './fruit-tools.ts'

const info = { name: 'test', version: '1.0.0' }
const capabilities = { capabilities: { tools: { listChanged: true } } }
/** A server of the pinned version. */
const server = {
  command: process.execPath,
  args: ['--conditions=@x/source', `${import.meta.dirname}/stdio-server.ts`],
  stderr: 'ignore' as const,
}

const form = { capabilities: { elicitation: { form: {} } } }
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  description: 'Pays.',
  schema: { type: 'object', properties: {} },
  needsApproval: true,
  fn: () => 'Paid.',
})

/** Lets an agent call a tool of a server that asks the user first. */
async function payByAgent(client: McpClient, request?: unknown): Promise<void> {
  const elicitation = waitForUser(request === undefined ? {} : { request })
  const { tools } = await mcpTools(client, { elicitation })
  const answers = ['Thought: I pay.\nAction: pay\nAction Input: {}', 'Thought: I know.\nAnswer: Done.']
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [...tools] })
  await agent.createTask('Pay!', { taskId: 't' })
  await expect(agent.runTask('t')).rejects.toMatchObject({ code: 'approval_required' })
  const [question] = agent.getPendingApprovals('t')
  await agent.provideResult('t', question!.id, { action: 'accept', content: { approve: true } })
  expect((await agent.runTask('t')).sources[0]!.content).toBe('Paid.')
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

  it('asks the user, and waits for the answer', async () => {
    const [near, far] = MemoryV1.createLinkedPair()
    const own = new ServerV1(info, capabilities)
    const requests = { list: ListToolsRequestSchema, call: CallToolRequestSchema }
    serveTools(own, [pay], { requests, approvals: askUser() })
    await own.connect(far)
    const client = new ClientV1(info, form)
    onTestFinished(() => client.close())
    await client.connect(near)
    await payByAgent(client, ElicitRequestSchema)
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

  it('asks the user, and waits for the answer', async () => {
    const [near, far] = MemoryV2.createLinkedPair()
    const own = new ServerV2(info, capabilities)
    serveTools(own, [pay], { approvals: askUser() })
    await own.connect(far)
    const client = new ClientV2(info, form)
    onTestFinished(() => client.close())
    await client.connect(near)
    await payByAgent(client)
  })

  it('asks in its results in the newest revision', async () => {
    const handler = createMcpHandler(() => {
      const own = new ServerV2(info, capabilities)
      serveTools(own, [pay], { approvals: askUser() })
      return own
    })
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init))
    const client = new ClientV2(info, { ...form, versionNegotiation: { mode: 'auto' } })
    onTestFinished(() => client.close())
    await client.connect(new HttpV2(new URL('http://127.0.0.1/mcp'), { fetch }))
    expect(client.getProtocolEra()).toBe('modern')
    await payByAgent(client)
  })
})
