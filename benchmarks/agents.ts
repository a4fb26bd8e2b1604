/**
 * Compares the speed of the ReAct loop with its peers: three tool calls and an answer, with a model that answers
 * immediately, with and without a handler for every event. Ours makes a new agent for every run. Each contestant runs in its own thread, because engines slow
 * down code that sees more kinds of objects, and promises with async hooks; the runs are interleaved. The bar compares
 * ours with events to AI SDK and OpenAI Agents: at least as fast as each of them, and the loop without a runner six times as fast as the
 * AI SDK. LlamaIndexTS is information: its loop checks no
 * arguments, keeps no snapshots and records no steps. Then it measures the memory of
 * 100,000 tasks, the speed with many finished tasks, and the speed after many requests that make their own agent, handler or task. Exits with 1 when a bar is missed or a contestant is missing.
 *
 * @example npm run bench -- agents
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import {
  AgentRunner,
  FunctionTool,
  MemoryTaskStore,
  ReActAgent,
  ReActAgentWorker,
} from '../packages/agents/src/index.ts'
import { toolLoop } from '../packages/agents/src/loop.ts'
import {
  type BaseLLM,
  CallbackManager,
  ChatMessage,
  ChatResponse,
  LLMMetadata,
} from '../packages/core-model/src/index.ts'
import { StoredTasks, type TaskRun } from '../packages/durable/src/index.ts'
import { type Figure, peerVersion, writeFigures } from '../tools/figures.ts'

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

let missed = 0
const print = (line: string) => process.stdout.write(`${line}\n`)

function bar(what: string, value: number, wanted: number, unit: string): void {
  const met = value >= wanted
  if (!met) missed++
  print(`${met ? 'ok  ' : 'MISS'} ${what}: ${value.toFixed(2)}${unit} (bar ${wanted}${unit})`)
}

// ---- contestants: each returns a function that executes one run

type Contestant = () => Promise<unknown>

function ours(events: boolean): Contestant {
  const responses = TEXTS.map(
    (content) => new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }) }),
  )
  let calls = 0
  const llm = { metadata: new LLMMetadata({ isChatModel: true }), chat: async () => responses[calls++ % 4]! } as never
  let heard = 0
  const handler = { onEventStart: () => void heard++, onEventEnd: () => void heard++ }
  const add = FunctionTool.fromDefaults({
    name: 'add',
    description: 'Adds two numbers.',
    schema,
    fn: ({ a, b }) => a + b,
  })
  return async () => {
    const callbackManager = new CallbackManager(events ? [handler] : [])
    const agent = ReActAgent.fromTools({ llm, tools: [add], callbackManager })
    const { response } = await agent.chat(QUESTION)
    if (response !== 'It is 3.') throw new Error(response)
  }
}

interface PeerCallbacks {
  on(event: string, handler: () => void): void
}

/** The loop without a runner, with native tool calls and an event for everything. */
function ourLoop(): Contestant {
  const call = (id: string) => {
    const tool_calls = [{ id, type: 'function', function: { name: 'add', arguments: '{"a": 1, "b": 2}' } }]
    return new ChatMessage({ role: 'assistant', content: '', additionalKwargs: { tool_calls } })
  }
  const messages = [call('c1'), call('c2'), call('c3'), new ChatMessage({ role: 'assistant', content: 'It is 3.' })]
  const responses = messages.map((message) => new ChatResponse({ message }))
  let calls = 0
  const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
  const llm = { metadata, chat: async () => responses[calls++ % 4]! } as never
  const add = FunctionTool.fromDefaults({
    name: 'add',
    description: 'Adds two numbers.',
    schema,
    fn: ({ a, b }) => a + b,
  })
  let heard = 0
  return async () => {
    const { text } = await toolLoop({ llm, tools: [add] }).run(QUESTION, { onEvent: () => void heard++ })
    if (text !== 'It is 3.') throw new Error(text)
  }
}

async function llamaIndexTs(events: boolean): Promise<Contestant> {
  const {
    ReActAgent: Peer,
    FunctionTool: PeerTool,
    CallbackManager: PeerCallbackManager,
    Settings,
  } = (await import('llamaindex')) as never as Record<string, never> as {
    ReActAgent: new (options: object) => { chat(options: object): Promise<{ message: { content: string } }> }
    FunctionTool: { from(fn: unknown, options: object): unknown }
    CallbackManager: new () => PeerCallbacks
    Settings: { callbackManager: PeerCallbacks }
  }
  const callbackManager = new PeerCallbackManager()
  let heard = 0
  if (events) {
    const kinds = ['agent-start', 'agent-end', 'llm-start', 'llm-end', 'llm-tool-call', 'llm-tool-result']
    for (const kind of kinds) callbackManager.on(kind, () => void heard++)
  }
  let calls = 0
  const llm = {
    metadata: { model: 'scripted', temperature: 0, topP: 1, contextWindow: 4096, tokenizer: undefined },
    chat: async () => ({ raw: null, message: { role: 'assistant', content: TEXTS[calls++ % 4] } }),
  }
  const add = PeerTool.from(({ a, b }: { a: number; b: number }) => String(a + b), {
    name: 'add',
    description: 'Adds two numbers.',
    parameters: schema,
  })
  const agent = new Peer({ llm, tools: [add], verbose: false })
  return async () => {
    Settings.callbackManager = callbackManager
    const { message } = await agent.chat({ message: QUESTION, chatHistory: [] })
    if (!message.content.includes('It is 3.')) throw new Error(message.content)
    if (events !== heard > 0) throw new Error(`heard ${heard} events`)
  }
}

async function aiSdk(): Promise<Contestant> {
  const { generateText, tool, jsonSchema, stepCountIs } = (await import('ai')) as never as Record<
    string,
    (...args: unknown[]) => never
  >
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
  const add = tool!({
    description: 'Adds two numbers.',
    inputSchema: jsonSchema!(schema),
    execute: async ({ a, b }: { a: number; b: number }) => a + b,
  })
  return async () => {
    const { text } = (await generateText!({ model, prompt: QUESTION, tools: { add }, stopWhen: stepCountIs!(10) })) as {
      text: string
    }
    if (text !== 'It is 3.') throw new Error(text)
  }
}

async function openAiAgents(): Promise<Contestant> {
  const { Agent, Runner, tool, setTracingDisabled } = (await import('@openai/agents')) as never as {
    Agent: new (options: object) => object
    Runner: new (options: object) => { run(agent: object, input: string): Promise<{ finalOutput: unknown }> }
    tool(options: object): object
    setTracingDisabled(disabled: boolean): void
  }
  setTracingDisabled(true)
  let calls = 0
  const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const model = {
    async getResponse() {
      const last = calls++ % 4 === 3
      const output = last
        ? [
            {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'It is 3.' }],
            },
          ]
        : [
            {
              type: 'function_call',
              callId: `c${calls}`,
              name: 'add',
              status: 'completed',
              arguments: '{"a":1,"b":2}',
            },
          ]
      return { usage, output }
    },
  }
  const add = tool({
    name: 'add',
    description: 'Adds two numbers.',
    parameters: { ...schema, additionalProperties: false },
    strict: true,
    execute: async (input: unknown) => {
      const { a, b } = input as { a: number; b: number }
      return String(a + b)
    },
  })
  const runner = new Runner({ tracingDisabled: true })
  return async () => {
    const { finalOutput } = await runner.run(new Agent({ name: 'adder', model, tools: [add] }), QUESTION)
    if (finalOutput !== 'It is 3.') throw new Error(String(finalOutput))
  }
}

// ---- measuring

async function runsPerSecond(run: Contestant, runs: number): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < runs; i++) await run()
  return (runs / (performance.now() - start)) * 1000
}

const contestants: Record<string, () => Contestant | Promise<Contestant>> = {
  'ours, with events': () => ours(true),
  'ours, without events': () => ours(false),
  'our toolLoop, with events': ourLoop,
  'LlamaIndexTS ReAct, with events': () => llamaIndexTs(true),
  'LlamaIndexTS ReAct, without': () => llamaIndexTs(false),
  'AI SDK tool loop': aiSdk,
  'OpenAI Agents': openAiAgents,
}

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

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1]!
}

const peers: Readonly<Record<string, string>> = {
  'AI SDK': 'ai',
  'OpenAI Agents': '@openai/agents',
  LlamaIndexTS: 'llamaindex',
}

function figureOf(name: string, value: number): Figure {
  const peer = Object.keys(peers).find((each) => name.startsWith(each))
  if (peer !== undefined)
    return { name: name.replace('without', 'without events'), value, version: peerVersion(peers[peer]!) }
  return { name: name.replace(/^ours/, '`ReActAgent`').replace(/^our toolLoop/, '`toolLoop`'), value, ours: true }
}

async function race(): Promise<void> {
  const threads: Record<string, Thread> = {}
  for (const name of Object.keys(contestants)) {
    const thread = new Thread(name)
    try {
      await thread.answer()
      await thread.answer(runsOf(name, WARM_UP))
      threads[name] = thread
    } catch (error) {
      missed++
      await thread.end()
      print(`MISS ${name} is not measured: ${(error as Error).message.split('\n', 1)[0]}`)
    }
  }
  const speeds: Record<string, number[]> = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, thread] of Object.entries(threads)) {
      ;(speeds[name] ??= []).push(await thread.answer<number>(runsOf(name, RUNS)))
    }
  }
  for (const thread of Object.values(threads)) await thread.end()

  const speedOf = Object.fromEntries(Object.entries(speeds).map(([name, list]) => [name, median(list)]))
  print('Three tool calls and an answer, runs per second (median of turns):')
  for (const [name, speed] of Object.entries(speedOf)) print(`  ${name.padEnd(32)} ${Math.round(speed)}`)
  /** Returns the median of the ratios of adjacent rounds. */
  const timesAsFast = (other: string, own = 'ours, with events') =>
    median(speeds[own]!.map((speed, i) => speed / speeds[other]![i]!))
  writeFigures('agents', [
    {
      title: 'three tool calls and an answer',
      measure: 'runs per second',
      unit: '',
      digits: 0,
      better: 'more',
      text: 'With a model that answers immediately, and an event for everything where the name says so. A new `ReActAgent` is made for every run. The loop of LlamaIndexTS checks no arguments, keeps no snapshots and records no steps.',
      rows: Object.entries(speedOf).map(([name, value]) => figureOf(name, value)),
    },
  ])
  if (!speeds['ours, with events']) return
  for (const name of Object.keys(speeds)) {
    if (name.startsWith('AI SDK') && speeds['our toolLoop, with events'])
      bar(`our toolLoop compared with ${name}`, timesAsFast(name, 'our toolLoop, with events'), 6, ' times')
    if (name.startsWith('AI SDK') || name.startsWith('OpenAI'))
      bar(`ours with events compared with ${name}`, timesAsFast(name), 1, ' times')
    else if (!name.startsWith('our')) print(`     beside ${name}: ${timesAsFast(name).toFixed(2)} times`)
  }
}

/** The slow contestants execute fewer runs. */
function runsOf(name: string, runs: number): number {
  return name.startsWith('AI') || name.startsWith('OpenAI') ? runs / 10 : runs
}

// ---- memory and growth

async function growth(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed / 1e6
  }

  const responses = TEXTS.map(
    (content) => new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }) }),
  )
  let asked = 0
  const llm = { metadata: new LLMMetadata({ isChatModel: true }), chat: async () => responses[asked++ % 4]! } as never
  const add = FunctionTool.fromDefaults({
    name: 'add',
    description: 'Adds two numbers.',
    schema,
    fn: ({ a, b }) => a + b,
  })
  const agent = new AgentRunner({ agentWorker: new ReActAgentWorker({ llm, tools: [add] }), maxFinishedTasks: 100 })
  const sizes: number[] = []
  for (let part = 0; part <= 10; part++) {
    for (let i = 0; i < (part === 0 ? 2000 : 10_000); i++) await agent.chat(QUESTION, { chatHistory: [] })
    sizes.push(heap())
  }
  print(`Heap over 100,000 tasks with at most 100 kept, MB: ${sizes.map((size) => size.toFixed(1)).join(' ')}`)
  bar('heap at the start for heap at the end', sizes[0]! / sizes.at(-1)!, 0.9, ' times')

  /** Runs an agent that keeps this many finished tasks and deletes one for each new task. */
  async function atItsBound(kept: number): Promise<Contestant> {
    const runner = new AgentRunner({ agentWorker: new ReActAgentWorker({ llm, tools: [add] }), maxFinishedTasks: kept })
    asked = 0
    const run = () => runner.chat(QUESTION, { chatHistory: [] })
    await runsPerSecond(run, kept + 1000)
    return run
  }
  const [few, many] = [await atItsBound(1000), await atItsBound(10_000)]
  const ratios: number[] = []
  for (let round = 0; round < 25; round++) {
    const speed = await runsPerSecond(few, 1000)
    ratios.push((await runsPerSecond(many, 1000)) / speed)
  }
  bar('speed with 10,000 finished tasks kept, compared with 1,000', median(ratios), 0.8, ' times')

  const { metadata, chat } = llm as BaseLLM
  const streamChat = async function* () {
    yield await chat([])
  }
  const streaming = { metadata, chat, streamChat } as never
  const agentOf = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm: streaming, tools: [add], taskStore })
  const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent: agentOf })
  await tasks.start()
  /** What a server makes for each request, and must not pay for later. */
  const perRequest: Record<string, Contestant> = {
    'agents with handlers of their own': ours(true),
    'durable tasks': async () => tasks.answer(await tasks.submit(QUESTION)),
  }
  for (const [what, run] of Object.entries(perRequest)) {
    await runsPerSecond(run, 1000)
    const early = await runsPerSecond(run, 1000)
    await runsPerSecond(run, 6000)
    const late = await runsPerSecond(run, 1000)
    bar(`speed after 8,000 ${what}, compared with that after 1,000`, late / early, 0.7, ' times')
  }
  await tasks.stop()
}

if (isMainThread) {
  await race()
  await growth()
  process.exitCode = missed === 0 ? 0 : 1
} else await compete(workerData)
