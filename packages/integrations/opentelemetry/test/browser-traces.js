/**
 * Traces in a browser: no async context carries the active span through promises. Plain JavaScript that uses the packages and the SDK of
 * OpenTelemetry for the web as an application does.
 */
import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, WebTracerProvider } from '@opentelemetry/sdk-trace-web'
import { AgentTool, FunctionTool, ReActAgent, RetrieverTool } from '@x/agents'
import { CallbackManager, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { OpenTelemetryHandler } from '@x/opentelemetry'
import { Bm25Retriever } from '@x/retrieval'

const exporter = new InMemorySpanExporter()
// The registered context manager of the web knows the active span of synchronous code alone.
new WebTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
const tracer = trace.getTracer('app')

const act = (tool, input) => `Thought: I look.\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`
const answer = (text) => `Thought: I know.\nAnswer: ${text}`

const handler = new OpenTelemetryHandler()

/** An agent with two tools and more. Its name is in its spans. */
function agentOf(agentName, answers, more = []) {
  const callbackManager = new CallbackManager([handler.forAgent(agentName)])
  const nodes = ['Pears are green.', 'Plums are blue.'].map((text) => new TextNode({ text }))
  const retriever = new Bm25Retriever({ nodes, callbackManager })
  const search = new RetrieverTool({ retriever, name: 'search', description: 'Finds passages.' })
  const price = FunctionTool.fromDefaults({
    name: 'price',
    schema: { type: 'object', properties: { fruit: { type: 'string' } } },
    fn: async ({ fruit }) => {
      await new Promise((resolve) => setTimeout(resolve))
      return `${fruit}: 2`
    },
  })
  const llm = new ScriptedLLM({ answers, callbackManager })
  return ReActAgent.fromTools({ llm, tools: [search, price, ...more], callbackManager })
}

/** The number of traces since the last call, and their spans as lines, indented below their parents. */
function takeTraces() {
  const spans = exporter.getFinishedSpans()
  exporter.reset()
  const order = ({ startTime: [seconds, nanos] }) => seconds * 1e9 + nanos
  const below = (id) =>
    spans
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === id)
      .sort((one, other) => order(one) - order(other))
      .flatMap((span) => [span.name, ...below(span.spanContext().spanId).map((line) => `  ${line}`)])
  return [new Set(spans.map((span) => span.spanContext().traceId)).size, ...below(undefined)]
}

export const traceChecks = {
  async 'a run below the span of the page'() {
    const agent = agentOf('clerk', [act('price', { fruit: 'pear' }), answer('2')])
    await tracer.startActiveSpan('click', async (span) => {
      await agent.chat('What is a pear?')
      span.end()
    })
    return takeTraces()
  },
  async 'two runs at the same time'() {
    const agents = ['one', 'two'].map((name) => agentOf(name, [act('price', { fruit: name }), answer(name)]))
    await Promise.all(agents.map((agent) => agent.chat('What is it?')))
    return takeTraces()
  },
  async 'an agent as the tool of an agent'() {
    const inner = agentOf('expert', [act('search', { input: 'plum' }), answer('blue')])
    const ask = new AgentTool({ agent: inner, name: 'ask', description: 'Knows fruit.' })
    await agentOf('chief', [act('ask', { input: 'Which?' }), answer('blue')], [ask]).chat('Which colour?')
    return takeTraces()
  },
  async 'a stream that is left'() {
    const agent = agentOf('clerk', [['Thought: I know.\nAnswer: ', 'a ', 'b ', 'c']])
    for await (const event of agent.runEvents('What is a pear?')) if (event.type === 'answer_delta') break
    return takeTraces()
  },
  async 'a tool that passes its parentId on'() {
    const plums = new Bm25Retriever({
      nodes: [new TextNode({ text: 'plum' })],
      callbackManager: new CallbackManager([handler]),
    })
    const look = FunctionTool.fromDefaults({
      name: 'look',
      schema: { type: 'object', properties: {} },
      fn: async (_, { parentId }) => {
        await new Promise((resolve) => setTimeout(resolve))
        return (await plums.retrieve('plum', { parentId })).length
      },
    })
    await agentOf('clerk', [act('look', {}), answer('1')], [look]).chat('How many?')
    return takeTraces()
  },
}

const step = (...calls) => ['  task_step', '    chat scripted', ...calls]
const priced = [...step('    execute_tool price'), ...step()]
const below = (lines, indent = '  ') => lines.map((line) => indent + line)

/** The expected results of the checks. */
export const expectedTraces = {
  'a run below the span of the page': [1, 'click', ...below(['invoke_agent clerk', ...priced])],
  'two runs at the same time': [2, 'invoke_agent one', ...priced, 'invoke_agent two', ...priced],
  'an agent as the tool of an agent': [
    1,
    'invoke_agent chief',
    ...step('    execute_tool ask'),
    ...below(['invoke_agent expert', ...step('    execute_tool search', '      retrieval'), ...step()], '      '),
    ...step(),
  ],
  'a stream that is left': [1, 'invoke_agent clerk', ...step()],
  'a tool that passes its parentId on': [
    1,
    'invoke_agent clerk',
    ...step('    execute_tool look', '      retrieval'),
    ...step(),
  ],
}
