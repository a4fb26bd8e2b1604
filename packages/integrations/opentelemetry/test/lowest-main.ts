/** Spans, metrics and one trace over two processes. Prints the version of `@opentelemetry/api`. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { context, metrics, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { FunctionTool, ReActAgent } from '@x/agents'
import { CallbackManager } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { OpenTelemetryHandler, traceCarrier, withTraceCarrier } from '../src/index.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const meterProvider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 100_000 })],
})
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(provider)
metrics.setGlobalMeterProvider(meterProvider)

const callbackManager = new CallbackManager([new OpenTelemetryHandler()])
const look = FunctionTool.fromDefaults({
  name: 'look',
  description: 'Looks.',
  schema: { type: 'object', properties: {} },
  // The span of a request inside of a tool is a child of the tool's span.
  fn: () => trace.getTracer('http').startSpan('GET').end(),
})
const llm = new ScriptedLLM({
  answers: ['Thought: I look.\nAction: look\nAction Input: {}', 'Thought: ok\nAnswer: green'],
  callbackManager,
})
const agent = ReActAgent.fromTools({ llm, tools: [look], callbackManager })
const carrier: Record<string, string> = {}
await trace.getTracer('host').startActiveSpan('request', async (span) => {
  Object.assign(carrier, traceCarrier())
  await agent.chat('Which color?')
  span.end()
})
withTraceCarrier(carrier, () => trace.getTracer('host').startSpan('later').end())

const spans = exporter.getFinishedSpans()
const named = (name: string) => spans.find((span) => span.name === name)
const parentOf = (name: string) =>
  spans.find((span) => span.spanContext().spanId === named(name)?.parentSpanContext?.spanId)?.name
assert.equal(new Set(spans.map((span) => span.spanContext().traceId)).size, 1)
assert.equal(parentOf('GET'), 'execute_tool look')
assert.equal(parentOf('later'), 'request')
assert.ok(named('chat scripted'))
await meterProvider.forceFlush()
const instruments = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
assert.ok(instruments.some(({ descriptor }) => descriptor.name === 'gen_ai.client.operation.duration'))

const api = createRequire(import.meta.url).resolve('@opentelemetry/api')
console.log(JSON.parse(readFileSync(join(api, '../../../package.json'), 'utf8')).version)
process.exit()
