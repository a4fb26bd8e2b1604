/**
 * Compares agents with their peers, each in a process of its own, with the same warm-up, in turns: runs of three tool calls and an answer,
 * the same with 50 tools, the pieces of a streamed answer, the memory of a stream and of runs that wait, and the time to the first answer
 * of a new process. Models answer immediately; a new agent is made for every run of ours. Measures builds. Exits with 1 when a bar is
 * missed.
 *
 * @example npm run bench -- agents
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type FigureTable, writeFigures } from '../tools/figures.ts'
import { bar, median, tableOf } from './contest.ts'

const ROUNDS = 30
/** Milliseconds: long enough for warm caches, short enough that other load affects all contestants equally. */
const ROUND = 100
const WARM_UP = 5000
const DELTAS = 10_000
const WAITING = 1000
const QUESTION = 'What is 1 + 2?'
const ANSWER = 'It is 3.'
const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
} as const
/** What a model writes as text that calls the tool, and that answers. */
const react = {
  call: 'Thought: I need to add.\nAction: add\nAction Input: {"a": 1, "b": 2}',
  answer: `Thought: I can answer.\nAnswer: ${ANSWER}`,
}
const described = (name: string) => ({ name, description: 'Adds two numbers.' })
const args = { a: 1, b: 2 }

/** Peers whose types do not matter here, and builds. */
// biome-ignore lint/suspicious/noExplicitAny: the results of the runs are compared
type Untyped = any
const built = (path: string): Promise<Untyped> => import(new URL(`../packages/${path}`, import.meta.url).href)

interface Contestant {
  /** Runs once and returns the answer. */
  run(): Promise<unknown>
  /** Yields an object for each piece of an answer of `DELTAS` pieces, and others. */
  stream?(): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>
}

type Numbers = typeof args

interface Setup {
  /** The names of the tools: the agent calls the first. */
  readonly names: readonly string[]
  readonly add: (numbers: Numbers) => unknown
  /** What ends the calls of tools that wait, if they do. */
  waiting?: ((sum: number) => void)[]
}

/** Counts the calls of a model: every fourth is the answer, but while tools wait. */
function turnsOf(setup: Setup) {
  let calls = 0
  return () => ({ id: `c${calls}`, isLast: setup.waiting === undefined && calls++ % 4 === 3 })
}

/** What the streaming models yield. */
const pieces = Array<string>(DELTAS).fill('word ')

async function ours(kind: (typeof own)[number], setup: Setup): Promise<Contestant> {
  const { AnswerBuilder, CallbackManager, ChatMessage, ChatResponse, LLMMetadata } =
    await built('core-model/dist/index.js')
  const loops = await built('agents/dist/loop.js')
  const agents = kind === 'toolLoop' ? {} : await built('agents/dist/index.js')
  const isReact = kind === 'ReActAgent'
  const next = turnsOf(setup)
  const reply = (content: string, additionalKwargs = {}) =>
    new ChatResponse({ message: new ChatMessage({ role: 'assistant', content, additionalKwargs }) })
  const last = reply(isReact ? react.answer : ANSWER)
  const llm = {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: !isReact }),
    async chat() {
      const { id, isLast } = next()
      const tool_calls = [{ id, type: 'function', function: { name: 'add', arguments: JSON.stringify(args) } }]
      return isLast ? last : isReact ? reply(react.call) : reply('', { tool_calls })
    },
    async *streamed() {
      const answer = new AnswerBuilder()
      for (const piece of pieces) {
        answer.addText(piece)
        yield answer.response({ stream: true })
      }
      answer.finish('stop')
      yield answer.response({ stream: true })
    },
    streamChat: async () => llm.streamed(),
  }
  const tools = setup.names.map((name) =>
    loops.FunctionTool.fromDefaults({ ...described(name), schema, fn: setup.add }),
  )
  if (kind === 'toolLoop') {
    const ignored = () => {}
    return {
      run: async () => (await loops.toolLoop({ llm, tools }).run(QUESTION, { onEvent: ignored })).text,
      stream: () => loops.eventsOf(loops.toolLoop({ llm, tools, layers: [loops.streaming()] }), QUESTION),
    }
  }
  const handler = { onEventStart() {}, onEventEnd() {} }
  const make = () => agents[kind].fromTools({ llm, tools, callbackManager: new CallbackManager([handler]) })
  return {
    run: async () => (await make().chat(QUESTION)).response,
    ...(!isReact && { stream: () => make().runEvents(QUESTION) }),
  }
}

/** A model of the AI SDK, which Mastra takes too. */
function modelOfAiSdk(setup: Setup) {
  const next = turnsOf(setup)
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const finished = (reason: string) => ({ finishReason: { unified: reason }, usage })
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate() {
      const { id, isLast } = next()
      const call = { type: 'tool-call', toolCallId: id, toolName: 'add', input: JSON.stringify(args) }
      const content = [isLast ? { type: 'text', text: ANSWER } : call]
      return { content, ...finished(isLast ? 'stop' : 'tool-calls'), warnings: [] }
    },
    async doStream() {
      async function* parts() {
        yield { type: 'stream-start', warnings: [] }
        yield { type: 'text-start', id: 't' }
        for (const delta of pieces) yield { type: 'text-delta', id: 't', delta }
        yield { type: 'text-end', id: 't' }
        yield { type: 'finish', ...finished('stop') }
      }
      return { stream: ReadableStream.from(parts()) }
    },
  }
}

async function aiSdk(setup: Setup): Promise<Contestant> {
  const { generateText, isStepCount, jsonSchema, streamText, tool }: Untyped = await import('ai')
  const inputSchema = jsonSchema(schema)
  const tools = Object.fromEntries(
    setup.names.map((name) => [name, tool({ ...described(name), inputSchema, execute: setup.add })]),
  )
  const options = { model: modelOfAiSdk(setup), prompt: QUESTION, tools, stopWhen: isStepCount(10) }
  return { run: async () => (await generateText(options)).text, stream: () => streamText(options).fullStream }
}

async function mastra(setup: Setup): Promise<Contestant> {
  const { Agent }: Untyped = await import('@mastra/core/agent')
  const { createTool }: Untyped = await import('@mastra/core/tools')
  const execute = async (numbers: Numbers) => setup.add(numbers)
  const made = setup.names.map((name) => [
    name,
    createTool({ id: name, ...described(name), inputSchema: schema, execute }),
  ])
  const id = { id: 'adder', name: 'adder', instructions: 'You add.' }
  const agent = new Agent({ ...id, model: modelOfAiSdk(setup), tools: Object.fromEntries(made) })
  return {
    run: async () => (await agent.generate(QUESTION, { maxSteps: 10 })).text,
    stream: async () => (await agent.stream(QUESTION)).fullStream,
  }
}

async function openAiAgents(setup: Setup): Promise<Contestant> {
  const { Agent, Runner, tool }: Untyped = await import('@openai/agents')
  const next = turnsOf(setup)
  const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  const message = (text: string) => ({
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  })
  const model = {
    async getResponse() {
      const { id, isLast } = next()
      const call = {
        type: 'function_call',
        callId: id,
        name: 'add',
        status: 'completed',
        arguments: JSON.stringify(args),
      }
      return { usage, output: [isLast ? message(ANSWER) : call] }
    },
    async *getStreamedResponse() {
      yield { type: 'response_started' }
      for (const delta of pieces) yield { type: 'output_text_delta', delta }
      yield { type: 'response_done', response: { id: 'r', usage, output: [message(pieces.join(''))] } }
    },
  }
  const execute = async (numbers: Numbers) => String(await setup.add(numbers))
  const tools = setup.names.map((name) => tool({ ...described(name), parameters: schema, strict: true, execute }))
  const runner = new Runner({ tracingDisabled: true })
  const agent = () => new Agent({ name: 'adder', model, tools })
  return {
    run: async () => (await runner.run(agent(), QUESTION)).finalOutput,
    stream: () => runner.run(agent(), QUESTION, { stream: true }),
  }
}

async function langChain(setup: Setup): Promise<Contestant> {
  const { AIMessage, AIMessageChunk, createAgent, tool }: Untyped = await import('langchain')
  const { BaseChatModel }: Untyped = await import('@langchain/core/language_models/chat_models')
  const { ChatGenerationChunk }: Untyped = await import('@langchain/core/outputs')
  const next = turnsOf(setup)
  class Scripted extends BaseChatModel {
    _llmType() {
      return 'scripted'
    }
    bindTools() {
      return this
    }
    async _generate() {
      const { id, isLast } = next()
      const message = new AIMessage(isLast ? ANSWER : { content: '', tool_calls: [{ id, name: 'add', args }] })
      return { generations: [{ text: message.content, message }] }
    }
    async *_streamResponseChunks(_: unknown, __: unknown, manager: Untyped) {
      for (const text of pieces) {
        yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) })
        await manager?.handleLLMNewToken(text)
      }
    }
  }
  const execute = async (numbers: Numbers) => String(await setup.add(numbers))
  const tools = setup.names.map((name) => tool(execute, { ...described(name), schema }))
  const agent = createAgent({ model: new Scripted({}), tools })
  const input = { messages: [{ role: 'user', content: QUESTION }] }
  return {
    run: async () => (await agent.invoke(input)).messages.at(-1).content,
    stream: () => agent.stream(input, { streamMode: 'messages' }),
  }
}

async function tanStack(setup: Setup): Promise<Contestant> {
  const { chat, maxIterations, toolDefinition }: Untyped = await import('@tanstack/ai')
  const next = turnsOf(setup)
  let calls = 0
  const adapterOf = (texts: () => readonly string[] | null) => ({
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    async *chatStream() {
      const ids = { runId: 'r', threadId: 't', messageId: 'm', timestamp: 1, model: 'scripted' }
      const found = texts()
      const call = { ...ids, toolCallId: `c${calls++}`, toolCallName: 'add', toolName: 'add', index: 0 }
      yield { ...ids, type: 'RUN_STARTED' }
      if (found === null) {
        yield { ...call, type: 'TOOL_CALL_START' }
        yield { ...call, type: 'TOOL_CALL_ARGS', delta: JSON.stringify(args) }
        yield { ...call, type: 'TOOL_CALL_END', input: args }
      } else {
        yield { ...ids, type: 'TEXT_MESSAGE_START', role: 'assistant' }
        for (const delta of found) yield { ...ids, type: 'TEXT_MESSAGE_CONTENT', delta }
        yield { ...ids, type: 'TEXT_MESSAGE_END' }
      }
      yield { ...ids, type: 'RUN_FINISHED', finishReason: found === null ? 'tool_calls' : 'stop' }
    },
  })
  const tools = setup.names.map((name) => toolDefinition({ ...described(name), inputSchema: schema }).server(setup.add))
  const messages = [{ role: 'user', content: QUESTION }]
  const options = { messages, tools, agentLoopStrategy: maxIterations(10), debug: false }
  const adapter = adapterOf(() => (next().isLast ? [ANSWER] : null))
  const streaming = adapterOf(() => pieces)
  return {
    run: () => chat({ ...options, adapter, stream: false }),
    stream: () => chat({ ...options, adapter: streaming }),
  }
}

async function llamaIndexTs(setup: Setup): Promise<Contestant> {
  const peer: Untyped = await import('llamaindex')
  const next = turnsOf(setup)
  const llm = {
    metadata: { model: 'scripted', temperature: 0, topP: 1, contextWindow: 4096, tokenizer: undefined },
    chat: async () => ({
      raw: null,
      message: { role: 'assistant', content: next().isLast ? react.answer : react.call },
    }),
  }
  const execute = async (numbers: Numbers) => String(await setup.add(numbers))
  const tools = setup.names.map((name) => peer.FunctionTool.from(execute, { ...described(name), parameters: schema }))
  const agent = new peer.ReActAgent({ llm, tools, verbose: false })
  return {
    run: async () =>
      (await agent.chat({ message: QUESTION, chatHistory: [] })).message.content.split('Answer: ').at(-1),
  }
}

const FLOOR = 'Node alone (floor)'
const own = ['toolLoop', 'FunctionCallingAgent', 'ReActAgent'] as const
/** Each peer with the package whose version it has. */
const peers: Record<string, readonly [string, (setup: Setup) => Promise<Contestant>]> = {
  'AI SDK': ['ai', aiSdk],
  'OpenAI Agents': ['@openai/agents', openAiAgents],
  'TanStack AI': ['@tanstack/ai', tanStack],
  LangChain: ['langchain', langChain],
  Mastra: ['@mastra/core', mastra],
  'LlamaIndexTS ReAct': ['llamaindex', llamaIndexTs],
}
const contestants: Record<string, (setup: Setup) => Contestant | Promise<Contestant>> = {
  [FLOOR]: () => ({ run: async () => ANSWER }),
  ...Object.fromEntries(own.map((kind) => [`\`${kind}\``, (setup: Setup) => ours(kind, setup)])),
  ...Object.fromEntries(Object.entries(peers).map(([name, [, make]]) => [name, make])),
}
const names = Object.keys(contestants).filter((name) => name !== FLOOR)
const packages = Object.fromEntries(Object.entries(peers).map(([name, [path]]) => [name, path]))

// ---- what a process measures

/** Bytes in use. */
function heap(): number {
  globalThis.gc!()
  return process.memoryUsage().heapUsed
}

async function runOnce({ run }: Contestant): Promise<void> {
  const answer = await run()
  if (answer !== ANSWER) throw new Error(`received ${JSON.stringify(answer)}`)
}

/** Reads a stream, and calls `at` after a tenth and nine tenths of its pieces. */
async function readStream({ stream }: Contestant, at: () => void = () => {}): Promise<void> {
  let count = 0
  for await (const _ of await stream!()) {
    count += 1
    if (count === DELTAS / 10 || count === (9 * DELTAS) / 10) at()
  }
  if (count < DELTAS) throw new Error(`${count} pieces of ${DELTAS}`)
}

async function runsPerSecond(contestant: Contestant, milliseconds: number): Promise<number> {
  const start = performance.now()
  let count = 0
  for (; performance.now() < start + milliseconds; count++) await runOnce(contestant)
  return (count / (performance.now() - start)) * 1000
}

const measures = {
  warmUp: (contestant: Contestant) => runsPerSecond(contestant, WARM_UP),
  runsPerSecond: (contestant: Contestant) => runsPerSecond(contestant, ROUND),
  async microsecondsPerDelta(contestant: Contestant) {
    const start = performance.now()
    await readStream(contestant)
    return ((performance.now() - start) * 1000) / DELTAS
  },
  async bytesPerDelta(contestant: Contestant) {
    const sizes: number[] = []
    await readStream(contestant, () => sizes.push(heap()))
    return Math.max(0, (sizes[1]! - sizes[0]!) / (0.8 * DELTAS))
  },
  async kilobytesPerRun(contestant: Contestant, setup: Setup) {
    setup.waiting = []
    const before = heap()
    const runs = Array.from({ length: WAITING }, () => contestant.run())
    while (setup.waiting.length < WAITING) await new Promise((resolve) => setTimeout(resolve, 10))
    return runs.length && (heap() - before) / WAITING / 1000
  },
}
type Measure = keyof typeof measures

/** Reports the milliseconds to its first answer, then what it is asked. */
async function compete(name: string, tools: number): Promise<void> {
  const setup: Setup = {
    names: ['add', ...Array.from({ length: tools - 1 }, (_, i) => `add${i}`)],
    add({ a, b }) {
      const { waiting } = setup
      return waiting === undefined ? a + b : new Promise((resolve) => waiting.push(resolve))
    },
  }
  const contestant = await contestants[name]!(setup)
  await runOnce(contestant)
  process.on('message', async (measure: Measure) => process.send!(await measures[measure](contestant, setup)))
  process.send!(performance.now())
}

// ---- the race

async function start(name: string, tools = 1): Promise<[process: ChildProcess, startMs: number]> {
  const child = fork(import.meta.filename, [name, `${tools}`], { execArgv: ['--expose-gc'] })
  child.once('exit', (code) => {
    if (!child.killed) throw new Error(`${name} ended with ${code}`)
  })
  return [child, (await once(child, 'message'))[0]]
}

async function ask(child: ChildProcess, measure: Measure): Promise<number> {
  child.send(measure)
  return (await once(child, 'message'))[0]
}

const tables: FigureTable[] = []

/** Takes the values of every contestant in turns, adds a table of their medians, and returns the values. */
async function race(
  table: Omit<FigureTable, 'rows' | 'unit'>,
  who: readonly string[],
  rounds: number,
  take: (name: string) => Promise<number>,
) {
  const found: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) for (const name of who) (found[name] ??= []).push(await take(name))
  const medians = Object.entries(found).map(([name, values]) => [name, median(values)] as const)
  tables.push(tableOf(table, medians, packages))
  return found
}

async function all(): Promise<void> {
  const streaming = names.filter((name) => !name.includes('ReAct'))
  const text =
    'Each runs in a new process, after a warm-up of 5 seconds, with a model that answers immediately. Ours makes a new agent for every run and reports an event for everything; LlamaIndexTS checks no arguments and records no steps.'
  const speed = { measure: 'runs per second', digits: 0, better: 'more', text } as const
  const less = { digits: 2, better: 'less' } as const
  const children = new Map<string, ChildProcess>()
  const asked = (measure: Measure) => (name: string) => ask(children.get(name)!, measure)
  /** New processes, each of which has run as often as the others. */
  const begin = async (who: readonly string[], tools = 1) => {
    for (const child of children.values()) child.kill()
    for (const name of who) {
      const [child] = await start(name, tools)
      children.set(name, child)
      await ask(child, 'warmUp')
    }
  }
  await begin(names)
  const title = 'three tool calls and an answer'
  const runs = await race({ title, ...speed }, names, ROUNDS, asked('runsPerSecond'))
  await race(
    { title: 'runs that wait for a tool', measure: 'kB for each of 1,000', ...less },
    names,
    1,
    asked('kilobytesPerRun'),
  )
  await begin(names, 50)
  await race({ title: `${title}, with 50 tools`, ...speed }, names, ROUNDS, asked('runsPerSecond'))
  await begin(streaming)
  for (const name of streaming) await asked('microsecondsPerDelta')(name)
  const answer = 'an answer of 10,000 pieces, read as events'
  await race({ title: answer, measure: 'microseconds for each', ...less }, streaming, 9, asked('microsecondsPerDelta'))
  const kept = {
    title: `${answer}, while it is read`,
    measure: 'bytes of memory kept for each',
    ...less,
    digits: 0,
    text: 'With the text itself: each piece has 5 characters.',
  }
  await race(kept, streaming, 3, asked('bytesPerDelta'))
  await begin([])
  const first = {
    title: 'the first answer of a new process',
    measure: 'milliseconds',
    ...less,
    digits: 0,
    text: 'Imports, an agent with one tool, and one run with three calls.',
  }
  await race(first, [FLOOR, ...names], 7, async (name) => {
    const [child, milliseconds] = await start(name)
    child.kill()
    return milliseconds
  })
  writeFigures('agents', tables)
  const bars = [
    ['`toolLoop`', 'AI SDK', 4.5],
    ['`FunctionCallingAgent`', 'AI SDK', 1.5],
    ['`ReActAgent`', 'AI SDK', 1],
  ] as const
  for (const [name, other, wanted] of bars) {
    const ratio = median(runs[name]!.map((speed, i) => speed / runs[other]![i]!))
    bar(ratio >= wanted, `${name}: ${ratio.toFixed(2)} times as fast as ${other} (bar ${wanted})`)
  }
}

const [name, tools] = process.argv.slice(2)
if (process.send && name !== undefined) await compete(name, Number(tools))
else await all()
