/**
 * The page of all events, each with a sample of a real run: an agent of these packages, connected to a scripted server on this machine by
 * the same requests as to a provider.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentEvent, FunctionCallingAgent, FunctionTool, RetrieverTool, structured } from '@x/agents'
import { partialOutput } from '@x/agents/loop'
import { CallbackManager, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { steer } from '@x/layers'
import { OpenAI } from '@x/openai'
import { Bm25Retriever } from '@x/retrieval'
import { InMemoryKeyValueStore } from '@x/storage'
import { chunk, eventText, json, LoopbackServer, pieces } from '../loopback-model-server.ts'
import { root } from './pages.ts'

const usage = { usage: { prompt_tokens: 92, completion_tokens: 17, total_tokens: 109 } }

/** The stream of a call of a tool, whose arguments arrive in two pieces. */
function callOf(id: string, name: string, args: object, before: readonly object[] = []): string {
  const text = JSON.stringify(args)
  const start = { index: 0, id, type: 'function', function: { name, arguments: text.slice(0, 9) } }
  const end = { index: 0, function: { arguments: text.slice(9) } }
  const deltas = [...before, { tool_calls: [start] }, { tool_calls: [end] }]
  return eventText([...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls', usage)])
}

/** A page that the provider's own search found. */
const found = { url: 'https://fruit.example/pears', title: 'Prices of pears' }

/**
 * The answers of the server: an overloaded moment, a search, a payment, and an answer with a source; a structured answer; then an error for
 * the third question.
 */
const answers = [
  json({ error: { message: 'Overloaded.', code: 'overloaded' } }, 503),
  pieces([
    callOf('call_1', 'search', { input: 'price of pears' }, [
      { reasoning_content: 'I look' },
      { reasoning_content: ' it up.' },
    ]),
  ]),
  pieces([callOf('call_2', 'pay', { to: 'Ann', euros: 4 })]),
  pieces([
    eventText([
      chunk({ content: 'Ann has her' }),
      chunk({ content: ' 4 EUR.', annotations: [{ type: 'url_citation', url_citation: found }] }),
      chunk({}, 'stop', usage),
    ]),
  ]),
  pieces([callOf('call_3', 'final_answer', { fruit: 'pears', euros: 4 })]),
  json({ error: { message: 'Incorrect API key provided.', code: 'invalid_api_key' } }, 401),
]

interface Recording {
  readonly events: readonly AgentEvent[]
  readonly callbacks: RecordingCallbackHandler['events']
}

/** Runs the agent, and returns what it reported. */
export async function recordEvents(): Promise<Recording> {
  const server = new LoopbackServer().willAnswer(...answers)
  const handler = new RecordingCallbackHandler()
  const callbackManager = new CallbackManager([handler])
  const events: AgentEvent[] = []
  const nodes = [new TextNode({ id: 'fruit.md:7', text: 'Pears: 4 EUR per kg.', metadata: { file: 'fruit.md' } })]
  const retriever = new Bm25Retriever({ nodes, similarityTopK: 1, callbackManager })
  const search = new RetrieverTool({ retriever, name: 'search', description: 'Finds passages.' })
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    description: 'Pays a person.',
    schema: {
      type: 'object',
      properties: { to: { type: 'string' }, euros: { type: 'number' } },
      required: ['to', 'euros'],
    },
    needsApproval: true,
    fn: async ({ to, euros }, { onProgress }) => {
      await onProgress?.('sent to the bank')
      return { paid: euros, to }
    },
  })
  try {
    const llm = new OpenAI({ baseUrl: await server.start(), model: 'gpt-5-mini', apiKey: 'none', callbackManager })
    const steering = steer(new InMemoryKeyValueStore())
    await steering.send('task-1', 'At most 5 EUR.')
    let ids = 0
    const agent = FunctionCallingAgent.fromTools({
      llm,
      tools: [search, pay],
      callbackManager,
      layers: [steering],
      retries: { baseDelayMs: 1 },
      newId: () => `id-${++ids}`,
    })
    const question = 'Pay Ann the price of a kg of pears.'
    for await (const event of agent.runEvents(question, { taskId: 'task-1' })) events.push(event)
    await agent.approve('task-1', 'call_2')
    for await (const event of agent.runEvents(question, { taskId: 'task-1' })) events.push(event)
    const schema = { type: 'object', properties: { fruit: { type: 'string' }, euros: { type: 'number' } } } as const
    const cheap = FunctionCallingAgent.fromTools({ llm, output: structured(schema), layers: [partialOutput()] })
    for await (const event of cheap.runEvents('What do pears cost?', { taskId: 'task-2' })) events.push(event)
    for await (const event of agent.runEvents('And apples?', { taskId: 'task-3' })) events.push(event)
  } catch {
    // The last question fails; its error is an event.
  } finally {
    await server.stop()
  }
  return { events, callbacks: handler.events }
}

/** The types of the events of an agent, with the comments of their declaration. */
export function declaredEvents(): Map<string, string> {
  const source = readFileSync(join(root, 'packages/agents/src/task/agent-event.ts'), 'utf8')
  const found = new Map<string, string>()
  // A member of the union, or an interface of its own.
  const declared = /(?:\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*)?(?:\||export interface [^{}]*)\s*\{\s*type: '(\w+)'/g
  for (const [, comment = '', type] of source.matchAll(declared))
    found.set(
      type!,
      comment
        .replaceAll(/^\s*\*/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
  return found
}

/** What the declaration leaves to the name. */
const obvious: Readonly<Record<string, string>> = {
  step_start: 'A step starts. `input` is the question in the first step of a task, otherwise null.',
  approval_required: 'Calls wait for a decision. Approve, edit or reject them, then continue the task.',
  task_end: 'The task is done. `answer` contains the text, the outputs of the tools, the nodes and the usage.',
}

const callbackTexts: Readonly<Record<string, string>> = {
  agent_step: 'One question to an agent, with its stream.',
  task_step: 'One step of a task.',
  llm: 'One call of a model.',
  function_call: 'One call of a tool.',
  retrieve: 'One search.',
}

/** A sample as a block of code, without what differs from run to run: the address of the server, and digits that say nothing. */
function fence(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (typeof inner === 'number' ? Number(inner.toFixed(3)) : inner), 2)
  return `\`\`\`json\n${text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://models.example')}\n\`\`\``
}

const isResult = (payload: object | null): boolean => payload !== null && !('exception' in payload)

export async function eventsPage(): Promise<string> {
  const { events, callbacks } = await recordEvents()
  const declared = declaredEvents()
  const sections = [...declared].map(([type, comment]) => {
    const sample = events.find((event) => event.type === type)
    if (sample === undefined) throw new Error(`The recorded run has no event ${type}.`)
    return `### ${type}\n\n${obvious[type] ?? comment}\n\n${fence(sample)}`
  })
  const kinds = [...new Set(callbacks.flatMap((event) => ('type' in event ? [event.type] : [])))]
  const reports = kinds.map((kind) => {
    const [start, end] = (['start', 'end'] as const).map((phase) =>
      callbacks.find((event) => event.phase === phase && event.type === kind && isResult(event.payload)),
    )
    const parts = [start, end].flatMap((event) =>
      event !== undefined && 'payload' in event ? [`At the ${event.phase}:\n\n${fence(event.payload)}`] : [],
    )
    return `### ${kind}\n\n${callbackTexts[kind] ?? ''}\n\n${parts.join('\n\n')}`
  })
  return `# Events

Every sample on this page was recorded when the page was made: an agent that searches, pays after an approval, gives a structured answer, and meets an overloaded and a refusing server.

## Events of a run

\`agent.runEvents(question)\` yields them, and \`runTask(taskId, { onEvent })\` reports them. They are plain JSON: send them to a page unchanged. In this order:

${events.map(({ type }) => `\`${type}\``).join(' · ')}

${sections.join('\n\n')}

## Events of a callback manager

All components report the start and the end of their operations to the handlers of a \`CallbackManager\`, with the names of LlamaIndex for Python. [Trace](/guides/trace) turns them into spans of OpenTelemetry. Messages, models and nodes are objects there; the samples show their JSON.

${reports.join('\n\n')}
`
}
