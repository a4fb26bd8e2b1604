/**
 * Refuses a step of an agent, a load of a task, a request of a chat, and a document to nodes, that visits more than its budget: files,
 * jumps between files, and calls of functions, counted in the sources of all packages. A reader who follows a step opens these files in
 * this order.
 *
 * Budgets are the counts. Like sizes, they are raised only for a reason that docs/decisions/0055-one-loop.md states.
 *
 * @example node --conditions=@x/source tools/visited.ts
 * @example node --conditions=@x/source tools/visited.ts --walk toolLoop
 */
import { registerHooks } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'

interface Node {
  type: string
  start: number
  end: number
  body?: Node | Node[] | null
  id?: { name?: string } | null
  key?: { name?: string }
  [more: string]: unknown
}

const root = join(import.meta.dirname, '..')
/** The functions, as `file name`. */
const names: string[] = []
/** The functions that were entered, in order. */
let log: number[] = []
let isOn = false
const enter = (id: number): void => {
  if (isOn) log.push(id)
}
Object.assign(globalThis, { enteredFunction: enter })
let ids = 0
// A random id may contain what looks like a large number in JSON, which is then searched.
crypto.randomUUID = () => `aaaaaaaa-aaaa-4aaa-8aaa-${String(++ids).padStart(12, 'a')}`

const isFunction = ({ type }: Node): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'

/** Returns a source whose functions report that they are entered. */
function instrumented(source: string, path: string): string {
  const edits: [at: number, text: string][] = []
  const visit = (node: Node, outer: string): void => {
    const name = node.id?.name ?? node.key?.name ?? outer
    const { body } = node
    if (isFunction(node) && body && !Array.isArray(body)) {
      const call = `globalThis.enteredFunction(${names.push(`${path} ${name}`) - 1})`
      if (body.type === 'BlockStatement') edits.push([body.start + 1, `${call};`])
      else edits.push([body.start, `(${call},`], [body.end, ')'])
    }
    for (const child of Object.values(node).flat())
      if (typeof (child as Node | null)?.type === 'string') visit(child as Node, name)
  }
  visit(parseAst(source, { lang: 'ts', sourceType: 'module' }) as unknown as Node, '')
  let text = source
  for (const [at, insertion] of edits.sort(([a], [b]) => b - a)) text = text.slice(0, at) + insertion + text.slice(at)
  return text
}

registerHooks({
  load(url, context, next) {
    const result = next(url, context)
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : ''
    if (!/^packages\/.*\/src\//.test(path) || result.source === null || result.source === undefined) return result
    return { ...result, source: instrumented(String(result.source), path) }
  },
})

const { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore, ReActAgent } = await import('@x/agents')
const { reactLoop, toolLoop } = await import('@x/agents/loop')
const { chatHandler } = await import('@x/ai-sdk')
const { ChatMessage, ChatResponse, Document, LLMMetadata, SimpleChatStore } = await import('@x/core-model')
const { LLM } = await import('@x/llm')
const { MarkdownElementNodeParser } = await import('@x/node-parser')

const weather = FunctionTool.fromDefaults({
  name: 'weather',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  fn: ({ city }) => `${city}: dry`,
})
const tools = [weather]
const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })

/** A model with prepared replies. It records nothing, because what is counted is the agent. */
class PreparedLLM extends LLM {
  readonly metadata = metadata
  private readonly replies: InstanceType<typeof ChatResponse>[]

  constructor(...messages: InstanceType<typeof ChatMessage>[]) {
    super()
    this.replies = messages.map((message) => new ChatResponse({ message }))
  }

  protected override async chatRequest() {
    return this.replies.shift()!
  }

  protected override completeRequest(): never {
    throw new Error('PreparedLLM: only chats.')
  }

  protected override async *streamChatRequest() {
    yield this.replies.shift()!
  }

  protected override streamCompleteRequest(): never {
    throw new Error('PreparedLLM: only chats.')
  }
}

const said = (content: string) => new ChatMessage({ role: 'assistant', content })
const text = () =>
  new PreparedLLM(
    said('Thought: ask\nAction: weather\nAction Input: {"city": "Lima"}'),
    said('Thought: dry\nAnswer: No.'),
  )
function native() {
  const tool_calls = [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{"city": "Lima"}' } }]
  const call = new ChatMessage({ role: 'assistant', content: '', additionalKwargs: { tool_calls } })
  return new PreparedLLM(call, said('No.'))
}

/** Returns a function that runs one step with a tool call. */
async function stepOf(agent: InstanceType<typeof ReActAgent> | InstanceType<typeof FunctionCallingAgent>) {
  const { taskId } = await agent.createTask('Umbrella?')
  return () => agent.runStep(taskId)
}

/** Runs one step with a tool call, whose task a new agent then loads with `load`. */
function loaded<Saved>(
  store: InstanceType<typeof MemoryTaskStore> | null,
  save: (agent: InstanceType<typeof FunctionCallingAgent>, taskId: string) => Saved,
  load: (agent: InstanceType<typeof FunctionCallingAgent>, saved: Saved) => Promise<unknown>,
) {
  return async () => {
    const made = () => FunctionCallingAgent.fromTools({ llm: native(), tools, taskStore: journal(store) })
    const agent = made()
    const { taskId } = await agent.createTask('Umbrella?')
    await agent.runStep(taskId)
    const [saved, another] = [save(agent, taskId), made()]
    return () => load(another, saved)
  }
}

/** Returns a function that runs a loop until it asks its model a second time. */
function oneStep(make: () => { run(input: string, options: { maxSteps: number }): Promise<unknown> }) {
  return async () => {
    const loop = make()
    return () => loop.run('Umbrella?', { maxSteps: 1 }).catch(() => {})
  }
}

/** Prepares a model, and runs what is made with it. */
const made =
  (prepare: () => InstanceType<typeof LLM>, run: (llm: InstanceType<typeof LLM>) => Promise<unknown>) => async () => {
    const llm = prepare()
    return () => run(llm)
  }

/** Returns a function that sends the first message of a chat, and reads the answer until its end, when the turn is written. */
function chatRequest(agent: () => InstanceType<typeof FunctionCallingAgent>) {
  return async () => {
    const handle = chatHandler({ agent: agent(), user: () => 'ann', chatStore: new SimpleChatStore() })
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Umbrella?' }] }]
    const body = JSON.stringify({ id: 'c1', messages })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('https://a.example/chat', { method: 'POST', headers, body })
    return async () => (await handle(request)).text()
  }
}

/** Returns a function that parses a document with one table, which a model summarizes. */
async function tableToNodes() {
  const llm = new PreparedLLM(said('{"summary": "s", "table_title": "t", "columns": []}'))
  const parser = new MarkdownElementNodeParser({ llm })
  const table = '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |'
  const document = new Document({ text: `# Title\n\nSome text here.\n\n${table}\n\nMore text.\n` })
  return () => parser.getNodesFromDocuments([document])
}

interface Counts {
  files: number
  jumps: number
  calls: number
  /** Jumps between files of agents alone. */
  inAgents: number
}

interface Scenario {
  what: string
  /** Prepares what is not counted. Returns what is counted. */
  prepare: () => Promise<() => Promise<unknown>>
  budget: Partial<Counts>
}

const scenarios: Scenario[] = [
  {
    what: 'ReActAgent: one step with a tool',
    prepare: () => stepOf(ReActAgent.fromTools({ llm: text(), tools })),
    budget: { files: 39, jumps: 114, calls: 272, inAgents: 73 },
  },
  {
    what: 'ReActAgent: made, tool call, answer',
    prepare: made(text, (llm) => ReActAgent.fromTools({ llm, tools }).chat('Umbrella?')),
    budget: { calls: 773 },
  },
  {
    what: 'FunctionCallingAgent: one step with a tool',
    prepare: () => stepOf(FunctionCallingAgent.fromTools({ llm: native(), tools })),
    budget: { files: 36, jumps: 119, calls: 264, inAgents: 72 },
  },
  {
    what: 'FunctionCallingAgent: made, call, answer',
    prepare: made(native, (llm) => FunctionCallingAgent.fromTools({ llm, tools }).chat('Umbrella?')),
    budget: { calls: 690 },
  },
  {
    what: 'toolLoop: one step with a tool',
    prepare: oneStep(() => toolLoop({ llm: native(), tools })),
    budget: { files: 22, jumps: 68, calls: 154, inAgents: 39 },
  },
  {
    what: 'toolLoop: made, tool call, answer',
    prepare: made(native, (llm) => toolLoop({ llm, tools }).run('Umbrella?')),
    budget: { calls: 210 },
  },
  {
    what: 'reactLoop: one step with a tool',
    prepare: oneStep(() => reactLoop({ llm: text(), tools })),
    budget: { files: 27, jumps: 66, calls: 168, inAgents: 39 },
  },
  {
    what: 'reactLoop: made, tool call, answer',
    prepare: made(text, (llm) => reactLoop({ llm, tools }).run('Umbrella?')),
    budget: { calls: 288 },
  },
  {
    what: 'chatHandler: a message, answer',
    prepare: chatRequest(() => FunctionCallingAgent.fromTools({ llm: new PreparedLLM(said('No.')), tools })),
    budget: { files: 70, jumps: 474, calls: 1010 },
  },
  {
    what: 'chatHandler: a message, call, answer',
    prepare: chatRequest(() => FunctionCallingAgent.fromTools({ llm: native(), tools })),
    budget: { files: 76, jumps: 924, calls: 2025 },
  },
  {
    what: 'saved task with one step: loaded',
    prepare: loaded(
      null,
      (agent, taskId) => agent.saveTask(taskId),
      (agent, saved) => agent.loadTask(saved),
    ),
    budget: { files: 25, jumps: 198, calls: 676 },
  },
  {
    what: 'journal with one step: task resumed',
    prepare: loaded(
      new MemoryTaskStore(),
      (_, taskId) => taskId,
      (agent, taskId) => agent.resumeTask(taskId),
    ),
    budget: { files: 36, jumps: 306, calls: 1369 },
  },
  {
    what: 'document with a table to nodes',
    prepare: tableToNodes,
    budget: { files: 42, jumps: 447, calls: 1877 },
  },
]

function counted(): Counts {
  const files = log.map((id) => names[id]!.split(' ')[0]!)
  const jumpsOf = (walk: readonly string[]) => walk.filter((file, i) => file !== walk[i - 1]).length
  const inAgents = files.filter((file) => file.startsWith('packages/agents/'))
  return { files: new Set(files).size, jumps: jumpsOf(files), calls: log.length, inAgents: jumpsOf(inAgents) }
}

/** Prints the files of the last run in the order of their visits, each with its functions. */
function printWalk(): void {
  let last = ''
  for (const id of log) {
    const [file, name] = names[id]!.split(' ') as [string, string]
    process.stdout.write(file === last ? ` ${name}` : `\n${file}: ${name}`)
    last = file
  }
  process.stdout.write('\n')
}

const walk = process.argv.includes('--walk') ? process.argv.at(-1)! : undefined
let failed = 0
for (const { what, prepare, budget } of scenarios) {
  // The first run also fills caches.
  await (await prepare())()
  const run = await prepare()
  log = []
  isOn = true
  await run()
  isOn = false
  if (walk !== undefined && what.includes(walk)) printWalk()
  const counts = counted()
  const over = Object.entries(budget).filter(([key, most]) => counts[key as keyof Counts] > most)
  if (over.length > 0) failed++
  const shown = Object.entries(counts).map(([key, count]) => {
    const most = budget[key as keyof Counts]
    return `${key} ${count}${most === undefined ? '' : ` of ${most}`}`
  })
  console.log(`${what.padEnd(42)} ${shown.join(', ')}  ${over.length === 0 ? 'ok' : 'over budget'}`)
}
console.log(`visited: ${scenarios.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
