/**
 * The client of the public conformance suite: connects with the sign-in of the guide, and calls all tools, by an agent unless the server
 * wants a sign-in. The suite passes the address of the server, and the scenario in the environment.
 */
import { Client, UnauthorizedError } from '@modelcontextprotocol/client'
import { FunctionCallingAgent } from '@x/agents'
import { ChatMessage, LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { mcpTools } from '../../src/mcp-toolset.ts'
import type { McpQuestion } from '../../src/mcp-types.ts'
import { waitForUser } from '../../src/wait-for-user.ts'
import { connect, finishSignIn, SignIn, type SignInData } from '../sign-in.ts'

interface ScenarioContext {
  client_id?: string
  client_secret?: string
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
}

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_PROTOCOL_VERSION: version } = process.env
const context: ScenarioContext = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')
const server = new URL(process.argv.at(-1)!)
const client = new Client(
  { name: 'conformance', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: {}, url: {} } },
    ...(version === '2026-07-28' && { versionNegotiation: { mode: { pin: version } } }),
  },
)

/** A sign-in whose program is known by an address, or registered already. */
class KnownProgram extends SignIn {
  readonly clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
}
const { client_id, client_secret } = context
const registered = client_id === undefined ? {} : { client: { client_id, client_secret } }
const signIn = new KnownProgram('http://localhost:3000/callback', registered as SignInData, async () => {})

/** Visits the address of the sign-in, as a user who agrees at once. */
async function visit(): Promise<void> {
  const response = await fetch(signIn.address!, { redirect: 'manual' })
  await finishSignIn(server, signIn, new URL(response.headers.get('location')!))
}

/** Calls `work`, and repeats it after a sign-in that the server wants. */
async function signedIn<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const isUnauthorized = [error, (error as Error).cause].some((one) => UnauthorizedError.isInstance(one))
      if (attempt === 3 || !isUnauthorized) throw error
      await visit()
    }
}

/** Fills in what has no default. */
function contentFor({ requestedSchema }: McpQuestion): Record<string, unknown> {
  return sampleOf(requestedSchema)
}

/** Returns what a schema requires. */
function sampleOf(schema: { properties?: unknown; required?: readonly string[] } | undefined): Record<string, unknown> {
  const samples: Record<string, unknown> = { string: 'text', number: 1, integer: 1, boolean: true }
  const properties = (schema?.properties ?? {}) as Record<string, { type: string }>
  const required = schema?.required ?? []
  return Object.fromEntries(required.map((name) => [name, samples[properties[name]!.type]]))
}

for (let attempt = 1; !(await connect(client, server, signIn)); attempt++) {
  if (attempt === 3) throw new Error('The server wants a sign-in again and again.')
  await visit()
}
const { tools } = await signedIn(() => mcpTools(client, { elicitation: waitForUser() }))
const toolNamed = (wanted: string) => tools.find(({ metadata }) => metadata.name === wanted)
const known: Record<string, Record<string, unknown>> = {
  add_numbers: { a: 2, b: 3 },
  json_schema_echo: { schema: toolNamed('json_schema_2020_12_tool')?.metadata.jsonSchema },
}
const calls =
  context.toolCalls ??
  tools.map(({ metadata }) => ({
    name: metadata.getName(),
    arguments: known[metadata.getName()] ?? sampleOf(metadata.jsonSchema),
  }))

if (scenario.startsWith('auth/')) {
  for (const { name, arguments: args } of calls) await signedIn(async () => toolNamed(name)!.call(args))
} else if (calls.length > 0) {
  const toolCalls = calls.map(({ name, arguments: args }, i) => ({
    id: `call-${i}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  const answer = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: toolCalls } })
  const metadata = new LLMMetadata({ modelName: 'any', isChatModel: true, isFunctionCallingModel: true })
  const agent = FunctionCallingAgent.fromTools({
    llm: new ScriptedLLM({ answers: [answer, 'Done.'], metadata }),
    tools: [...tools],
  })
  await agent.createTask('Call all tools!', { taskId: 't' })
  for (;;)
    try {
      await agent.runTask('t')
      break
    } catch (error) {
      const waiting = agent.getPendingApprovals('t')
      if (waiting.length === 0) throw error
      for (const { id, arguments: question } of waiting)
        await agent.provideResult('t', id, {
          action: 'accept',
          content: contentFor(question as unknown as McpQuestion),
        } as never)
    }
}
await client.close()
