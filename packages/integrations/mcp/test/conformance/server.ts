/**
 * The server of the public conformance suite, whose tools are served by `serveTools`. Arguments: the protocol revision. Prints its address.
 */
import {
  createMcpHandler,
  createRequestStateCodec,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type AsyncBaseTool, FunctionTool, ToolMetadata } from '@x/agents'
import { ApprovalRequiredError } from '@x/agents/errors'
import { type ContentPart, ToolOutput } from '@x/core-model'
import { askUser } from '../../src/ask-user.ts'
import { serveTools } from '../../src/serve-tools.ts'
import { listen } from '../listen.ts'

const nothing = { type: 'object', properties: {} } as const
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const image: ContentPart = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
const file = (type: string, text: string): ContentPart => ({
  type: 'file',
  file: { url: `data:${type};base64,${btoa(text)}`, media_type: type, filename: 'file' },
})
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

function returning(name: string, ...parts: ContentPart[]) {
  const fn = () => ToolOutput.fromParts({ toolName: name, parts })
  return FunctionTool.fromDefaults({ name, description: 'Returns content.', schema: nothing, fn })
}

/** A tool that asks the user, as an agent does that uses another server. */
function asking(name: string, properties: object, required: string[] = []): AsyncBaseTool {
  return {
    metadata: new ToolMetadata({
      name,
      description: 'Asks.',
      fnSchema: { type: 'object', properties: { message: { type: 'string' } } },
    }),
    takesArguments: true,
    canWait: true,
    async call({ message = 'Please answer.' }, { decisions = [], idempotencyKey = '' } = {}) {
      const [decision] = decisions
      if (decision?.decision !== 'result') {
        const question = { message: String(message), requestedSchema: { type: 'object', properties, required } }
        const call = {
          id: 'q',
          name: 'elicitation',
          arguments: question,
          awaits: 'result',
          needsApproval: false,
        } as const
        throw new ApprovalRequiredError(idempotencyKey, [{ ...call, decision: null }])
      }
      return new ToolOutput({ content: `User response: ${JSON.stringify(decision.result)}`, toolName: name })
    },
  }
}

const text = { type: 'string' }
const titled = ['First', 'Second', 'Third'].map((title, i) => ({ const: `value${i + 1}`, title: `${title} Option` }))
const options = ['option1', 'option2', 'option3']
/** Keywords of JSON Schema 2020-12 that a list must keep. */
const keywords = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: text, city: text } } },
  properties: {
    name: text,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: text,
    email: text,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const tools = [
  returning('test_simple_text', { type: 'text', text: 'This is a simple text response for testing.' }),
  returning('test_image_content', image),
  returning('test_audio_content', file('audio/wav', 'RIFF')),
  returning('test_embedded_resource', file('text/plain', 'This is an embedded resource content.')),
  returning(
    'test_multiple_content_types',
    { type: 'text', text: 'Multiple content types test:' },
    image,
    file('application/json', '{}'),
  ),
  FunctionTool.fromDefaults({
    name: 'test_error_handling',
    description: 'Fails.',
    schema: nothing,
    fn: () => Promise.reject(new Error('This tool intentionally returns an error for testing')),
  }),
  FunctionTool.fromDefaults({
    name: 'test_tool_with_progress',
    description: 'Reports progress.',
    schema: nothing,
    fn: async (_, { onProgress }) => {
      for (const progress of [0, 50, 100]) {
        await onProgress?.({ progress, total: 100 })
        await pause()
      }
      return 'done'
    },
  }),
  FunctionTool.fromDefaults({
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    schema: keywords as never,
    fn: () => 'done',
  }),
  asking('test_elicitation', { username: text, email: text }, ['username', 'email']),
  asking('test_input_required_result_elicitation', { name: text }, ['name']),
  asking('test_input_required_result_request_state', { ok: { type: 'boolean' } }, ['ok']),
  asking('test_input_required_result_tampered_state', { ok: { type: 'boolean' } }, ['ok']),
  asking('test_missing_capability', { name: text }),
  asking('test_elicitation_sep1034_defaults', {
    name: { ...text, default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { ...text, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  asking('test_elicitation_sep1330_enums', {
    untitledSingle: { ...text, enum: options },
    titledSingle: { ...text, oneOf: titled },
    legacyEnum: { ...text, enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
    untitledMulti: { type: 'array', items: { ...text, enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }),
]

const codec = createRequestStateCodec<string>({ key: crypto.getRandomValues(new Uint8Array(32)) })

function newServer(): Server {
  const info = { name: 'conformance', version: '1.0.0' }
  const server = new Server(info, {
    capabilities: { tools: { listChanged: true } },
    requestState: { verify: codec.verify },
  })
  serveTools(server, tools, { approvals: askUser({ mint: codec.mint }) })
  return server
}

const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
/** Streamable HTTP with sessions, for the revisions that have them. */
async function withSessions(request: Request): Promise<Response> {
  const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
  if (known) return known.handleRequest(request)
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await newServer().connect(transport)
  return transport.handleRequest(request)
}

const handler = process.argv[2] === '2025-11-25' ? withSessions : createMcpHandler(newServer).fetch

const url = await listen(
  async (request) => hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? handler(request),
)
url.hostname = 'localhost'
console.log(url.href)
