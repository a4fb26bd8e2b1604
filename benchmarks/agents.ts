/**
 * Compares the speed of the ReAct loop with its peers: three tool calls and an answer, with a model that answers immediately, with and
 * without a handler for every event. Ours makes a new agent for every run. Each contestant runs in its own thread, because engines slow
 * down code that sees more kinds of objects, and promises with async hooks; the runs are interleaved. The bar compares ours with events to
 * AI SDK and OpenAI Agents: at least as fast as each of them, and the loop without a runner six times as fast as the AI SDK. Exits with 1
 * when a bar is missed.
 *
 * @example npm run bench -- agents
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { FunctionTool, ReActAgent } from '../packages/agents/src/index.ts'
import { toolLoop } from '../packages/agents/src/loop.ts'
import { CallbackManager, ChatMessage, ChatResponse, LLMMetadata } from '../packages/core-model/src/index.ts'
import { writeFigures } from '../tools/figures.ts'
import { bar, median, tableOf } from './contest.ts'

/** Rounds of about 20 ms: long enough for warm caches, short enough that other load affects all contestants equally. */
const RUNS = 1000
const ROUNDS = 30
const WARM_UP = 4000
const TEXTS = [
  ...Array<string>(3).fill('Thought: I need to add.\nAction: add\nAction Input: {"a": 1, "b": 2}'),
  'Thought: I can answer.\nAnswer: It is 3.',
]
const QUESTION = 'What is 1 + 2?'
const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
} as const

// ---- contestants: each returns a function that executes one run and returns its answer

type Contestant = () => Promise<unknown>

/** A model that repeats the messages of a run. */
function scripted(messages: readonly ChatMessage[], isFunctionCallingModel: boolean) {
  const responses = messages.map((message) => new ChatResponse({ message }))
  let calls = 0
  const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel })
  return { metadata, chat: async () => responses[calls++ % 4]! } as never
}

const ownTool = () =>
  FunctionTool.fromDefaults({ name: 'add', description: 'Adds two numbers.', schema, fn: ({ a, b }) => a + b })

function ours(events: boolean): Contestant {
  const llm = scripted(
    TEXTS.map((content) => new ChatMessage({ role: 'assistant', content })),
    false,
  )
  let heard = 0
  const handler = { onEventStart: () => void heard++, onEventEnd: () => void heard++ }
  const add = ownTool()
  return async () => {
    const callbackManager = new CallbackManager(events ? [handler] : [])
    const { response } = await ReActAgent.fromTools({ llm, tools: [add], callbackManager }).chat(QUESTION)
    return response
  }
}

/** The loop without a runner, with native tool calls and an event for everything. */
function ourLoop(): Contestant {
  const messages = ['c1', 'c2', 'c3', ''].map((id) => {
    const tool_calls = [{ id, type: 'function', function: { name: 'add', arguments: '{"a": 1, "b": 2}' } }]
    return new ChatMessage({
      role: 'assistant',
      content: id ? '' : 'It is 3.',
      ...(id && { additionalKwargs: { tool_calls } }),
    })
  })
  const llm = scripted(messages, true)
  const add = ownTool()
  let heard = 0
  return async () => (await toolLoop({ llm, tools: [add] }).run(QUESTION, { onEvent: () => void heard++ })).text
}

/** Peers whose types do not matter here. */
// biome-ignore lint/suspicious/noExplicitAny: the results of the runs are compared
type Untyped = any

async function llamaIndexTs(events: boolean): Promise<Contestant> {
  const peer: Untyped = await import('llamaindex')
  const callbackManager = new peer.CallbackManager()
  let heard = 0
  const kinds = ['agent-start', 'agent-end', 'llm-start', 'llm-end', 'llm-tool-call', 'llm-tool-result']
  if (events) for (const kind of kinds) callbackManager.on(kind, () => void heard++)
  let calls = 0
  const llm = {
    metadata: { model: 'scripted', temperature: 0, topP: 1, contextWindow: 4096, tokenizer: undefined },
    chat: async () => ({ raw: null, message: { role: 'assistant', content: TEXTS[calls++ % 4] } }),
  }
  const described = { name: 'add', description: 'Adds two numbers.', parameters: schema }
  const add = peer.FunctionTool.from(({ a, b }: { a: number; b: number }) => String(a + b), described)
  const agent = new peer.ReActAgent({ llm, tools: [add], verbose: false })
  return async () => {
    peer.Settings.callbackManager = callbackManager
    const { message } = await agent.chat({ message: QUESTION, chatHistory: [] })
    if (events !== heard > 0) throw new Error(`heard ${heard} events`)
    return /It is 3\.$/.exec(message.content)?.[0]
  }
}

async function aiSdk(): Promise<Contestant> {
  const { generateText, tool, jsonSchema, stepCountIs }: Untyped = await import('ai')
  let calls = 0
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const model = {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate() {
      const last = calls++ % 4 === 3
      const content = last
        ? [{ type: 'text', text: 'It is 3.' }]
        : [{ type: 'tool-call', toolCallId: `c${calls}`, toolName: 'add', input: '{"a":1,"b":2}' }]
      return { content, finishReason: { unified: last ? 'stop' : 'tool-calls' }, usage, warnings: [] }
    },
  }
  const add = tool({
    description: 'Adds two numbers.',
    inputSchema: jsonSchema(schema),
    execute: async ({ a, b }: { a: number; b: number }) => a + b,
  })
  return async () => (await generateText({ model, prompt: QUESTION, tools: { add }, stopWhen: stepCountIs(10) })).text
}

async function openAiAgents(): Promise<Contestant> {
  const { Agent, Runner, tool, setTracingDisabled }: Untyped = await import('@openai/agents')
  setTracingDisabled(true)
  let calls = 0
  const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const model = {
    async getResponse() {
      const last = calls++ % 4 === 3
      const content = [{ type: 'output_text', text: 'It is 3.' }]
      const call = { type: 'function_call', callId: `c${calls}`, name: 'add', arguments: '{"a":1,"b":2}' }
      return {
        usage,
        output: [{ status: 'completed', ...(last ? { type: 'message', role: 'assistant', content } : call) }],
      }
    },
  }
  const add = tool({
    name: 'add',
    description: 'Adds two numbers.',
    parameters: { ...schema, additionalProperties: false },
    strict: true,
    execute: async ({ a, b }: { a: number; b: number }) => String(a + b),
  })
  const runner = new Runner({ tracingDisabled: true })
  return async () => (await runner.run(new Agent({ name: 'adder', model, tools: [add] }), QUESTION)).finalOutput
}

// ---- measuring

async function runsPerSecond(run: Contestant, runs: number): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < runs; i++) {
    const answer = await run()
    if (answer !== 'It is 3.') throw new Error(String(answer))
  }
  return (runs / (performance.now() - start)) * 1000
}

const contestants: Record<string, () => Contestant | Promise<Contestant>> = {
  'ReActAgent, with events': () => ours(true),
  'ReActAgent, without events': () => ours(false),
  'toolLoop, with events': ourLoop,
  'LlamaIndexTS ReAct, with events': () => llamaIndexTs(true),
  'LlamaIndexTS ReAct, without events': () => llamaIndexTs(false),
  'AI SDK tool loop': aiSdk,
  'OpenAI Agents': openAiAgents,
}
const own = Object.fromEntries(
  Object.keys(contestants).map((name) => [name, name.replace(/^(ReActAgent|toolLoop),/, '`$1`,')]),
)
const peers = { 'AI SDK': 'ai', 'OpenAI Agents': '@openai/agents', LlamaIndexTS: 'llamaindex' }

/** Runs in a thread: executes the requested number of runs and reports the runs per second. */
async function compete(name: string): Promise<void> {
  const port = parentPort!
  try {
    const run = await contestants[name]!()
    await run()
    port.on('message', async (runs: number) => port.postMessage(await runsPerSecond(run, runs)))
    port.postMessage('ready')
  } catch (error) {
    port.postMessage(error)
  }
}

class Thread {
  private readonly worker: Worker

  constructor(name: string) {
    this.worker = new Worker(new URL(import.meta.url), { workerData: name })
  }

  answer<T>(question?: number): Promise<T> {
    const answered = new Promise<T>((resolve, reject) => {
      this.worker.once('message', (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))
      this.worker.once('error', reject)
    })
    if (question !== undefined) this.worker.postMessage(question)
    return answered.finally(() => this.worker.removeAllListeners('error'))
  }

  end(): Promise<number> {
    return this.worker.terminate()
  }
}

async function race(): Promise<void> {
  const threads: Record<string, Thread> = {}
  for (const name of Object.keys(contestants)) {
    const thread = new Thread(name)
    await thread.answer()
    await thread.answer(runsOf(name, WARM_UP))
    threads[name] = thread
  }
  const speeds: Record<string, number[]> = {}
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, thread] of Object.entries(threads))
      (speeds[name] ??= []).push(await thread.answer<number>(runsOf(name, RUNS)))
  for (const thread of Object.values(threads)) await thread.end()
  const table = {
    title: 'three tool calls and an answer',
    measure: 'runs per second',
    digits: 0,
    better: 'more',
    text: 'With a model that answers immediately, and an event for everything where the name says so. A new `ReActAgent` is made for every run. The loop of LlamaIndexTS checks no arguments, keeps no snapshots and records no steps.',
  } as const
  const medians = Object.entries(speeds).map(([name, list]) => [name, median(list)] as const)
  writeFigures('agents', [tableOf(table, medians, { ours: own, peers })])
  for (const [name, other, wanted] of bars) {
    const ratio = median(speeds[name]!.map((speed, i) => speed / speeds[other]![i]!))
    bar(ratio >= wanted, `${name}: ${ratio.toFixed(2)} times as fast as ${other} (bar ${wanted})`)
  }
}

const bars: [name: string, other: string, wanted: number][] = [
  ['toolLoop, with events', 'AI SDK tool loop', 6],
  ['ReActAgent, with events', 'AI SDK tool loop', 1],
  ['ReActAgent, with events', 'OpenAI Agents', 1],
]

/** The slow contestants execute fewer runs. */
function runsOf(name: string, runs: number): number {
  return name.startsWith('AI') || name.startsWith('OpenAI') ? runs / 10 : runs
}

if (isMainThread) await race()
else await compete(workerData)
