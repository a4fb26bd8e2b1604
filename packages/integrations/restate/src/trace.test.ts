import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import * as restate from '@restatedev/restate-sdk'
import { FunctionTool } from '@x/agents'
import { CallbackManager } from '@x/core-model'
import { OpenTelemetryHandler, withTraceCarrier } from '@x/opentelemetry'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useRestate } from '../test/deployment.ts'
import { agentOf, calls, schema, scripted } from '../test/scripted.ts'
import { type AgentServiceOptions, agentWorkflow, reportOnce } from './index.ts'

const use = useRestate()

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
afterAll(() => {
  context.disable()
  propagation.disable()
})

it('reports each span once and in the trace of the caller, with those of HTTP clients below their tools', async () => {
  const exporter = new InMemorySpanExporter()
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('test')
  const look = (name: string, needsApproval = false) =>
    FunctionTool.fromDefaults({
      name,
      schema,
      needsApproval,
      fn: ({ to }) =>
        tracer.startActiveSpan(`GET ${to}`, async (span) => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          span.end()
          return to
        }),
    })
  const llm = () =>
    scripted(
      calls(['a', 'look', { to: 'one' }], ['b', 'look', { to: 'two' }]),
      calls(['c', 'ask', { to: 'three' }]),
      'Done.',
    )
  const model = llm()
  const app = await use<Pick<AgentServiceOptions, 'agent'>>(
    (name, { agent }) => [
      agentWorkflow({
        restate,
        name,
        agent,
        options: {
          hooks: [
            ({ request }) => ({
              interceptor: { handler: (next) => withTraceCarrier(Object.fromEntries(request.headers), next) },
            }),
          ],
        },
      }),
    ],
    {
      agent: (run) => {
        const callbackManager = new CallbackManager([reportOnce(run, new OpenTelemetryHandler({ tracer }))])
        return agentOf(model, [look('look'), look('ask', true)], { maxToolConcurrency: 2, callbackManager })(run)
      },
    },
  )
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  await app.handler('run/send', 'Go!', 'task', undefined, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
  await app.reaches('waiting')
  app.endpoint.disconnect()
  await app.decide({ callId: 'c', type: 'approve' })
  await app.attach()

  const spans = exporter.getFinishedSpans()
  const parentOf = (name: string) => {
    const { parentSpanContext } = spans.find((span) => span.name === name)!
    return spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId)?.name
  }
  expect(['one', 'two', 'three'].map((to) => parentOf(`GET ${to}`))).toEqual([
    'execute_tool look',
    'execute_tool look',
    'execute_tool ask',
  ])
  const count = (kind: string) => spans.filter(({ name }) => name.startsWith(kind)).length
  expect(['GET', 'execute_tool'].map(count)).toEqual([3, 3])
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]))
  expect(trace.getSpan(context.active())).toBeUndefined()
})
