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

/** Runs one step with a tool call, whose task a new agent then resumes from a store, or loads. */
function loaded(store: InstanceType<typeof MemoryTaskStore> | null) {
  return async () => {
    const made = () => FunctionCallingAgent.fromTools({ llm: native(), tools, taskStore: journal(store) })
    const [agent, another] = [made(), made()]
    const { taskId } = await agent.createTask('Umbrella?')
    await agent.runStep(taskId)
    const saved = agent.saveTask(taskId)
    return () => (store ? another.resumeTask(taskId) : another.loadTask(saved))
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

/** What is counted, how it is prepared, and its budgets: files, jumps and calls, or calls alone. */
type Scenario = [what: string, prepare: () => Promise<() => Promise<unknown>>, ...budgets: number[]]

const scenarios: Scenario[] = [
  ['ReActAgent: one step with a tool', () => stepOf(ReActAgent.fromTools({ llm: text(), tools })), 39, 114, 272],
  [
    'ReActAgent: made, tool call, answer',
    made(text, (llm) => ReActAgent.fromTools({ llm, tools }).chat('Umbrella?')),
    773,
  ],
  [
    'FunctionCallingAgent: one step with a tool',
    () => stepOf(FunctionCallingAgent.fromTools({ llm: native(), tools })),
    ...[37, 120, 267],
  ],
  [
    'FunctionCallingAgent: made, call, answer',
    made(native, (llm) => FunctionCallingAgent.fromTools({ llm, tools }).chat('Umbrella?')),
    693,
  ],
  ['toolLoop: one step with a tool', oneStep(() => toolLoop({ llm: native(), tools })), 23, 70, 157],
  ['reactLoop: one step with a tool', oneStep(() => reactLoop({ llm: text(), tools })), 28, 67, 168],
  [
    'chatHandler: a message, answer',
    chatRequest(() => FunctionCallingAgent.fromTools({ llm: new PreparedLLM(said('No.')), tools })),
    ...[70, 477, 1013],
  ],
  [
    'chatHandler: a message, call, answer',
    chatRequest(() => FunctionCallingAgent.fromTools({ llm: native(), tools })),
    ...[77, 929, 2032],
  ],
  ['saved task with one step: loaded', loaded(null), 25, 198, 676],
  ['journal with one step: task resumed', loaded(new MemoryTaskStore()), 36, 306, 1369],
  // With room for the moments in which it lets other work run.
  ['document with a table to nodes', tableToNodes, 42, 450, 1890],
]

function counted(): [files: number, jumps: number, calls: number] {
  const files = log.map((id) => names[id]!.split(' ')[0]!)
  return [new Set(files).size, files.filter((file, i) => file !== files[i - 1]).length, log.length]
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
for (const [what, prepare, ...budgets] of scenarios) {
  // The first run also fills caches.
  await (await prepare())()
  const run = await prepare()
  log = []
  isOn = true
  await run()
  isOn = false
  if (walk !== undefined && what.includes(walk)) printWalk()
  const counts = counted().slice(-budgets.length)
  const isOver = counts.some((count, i) => count > budgets[i]!)
  failed += Number(isOver)
  const kinds = ['files', 'jumps', 'calls'].slice(-budgets.length)
  const shown = kinds.map((kind, i) => `${kind} ${counts[i]} of ${budgets[i]}`).join(', ')
  console.log(`${what.padEnd(42)} ${shown}  ${isOver ? 'over budget' : 'ok'}`)
}
console.log(`visited: ${scenarios.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
