/**
 * Compares the speed of creating models, eight classes in turn as in a real program, with zod (a development dependency of agents),
 * with and without its generated functions, and with plain object literals, which check nothing.
 * Then it measures each class separately, and the retained memory of a message.
 * Exits with 1 when creating models takes longer than zod without generated functions.
 *
 * @example npm run bench -- core-model
 */
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  messageRoles,
  NodeWithScore,
  QueryBundle,
  RelatedNodeInfo,
  TextNode,
  ToolOutput,
} from '../packages/core-model/src/index.ts'
import { writeFigures } from '../tools/figures.ts'

const COUNT = 20_000
const ROUNDS = 25

type Make = () => unknown
type Contestant = Record<string, Make>

const message = new ChatMessage({ role: 'user', content: 'What is 1 + 2?' })
const node = new TextNode({ id: 'a', text: 'Paris is in France.' })
const inputs = {
  ChatMessage: () => ({ role: 'user' as const, content: 'What is 1 + 2?' }),
  ChatResponse: () => ({ message }),
  CompletionResponse: () => ({ text: 'It is 3.' }),
  ToolOutput: () => ({ content: '3', toolName: 'add', rawInput: { a: 1, b: 2 }, rawOutput: 3, isError: false }),
  TextNode: () => ({ id: 'a', text: 'Paris is in France.', metadata: { page: 3 } }),
  RelatedNodeInfo: () => ({ nodeId: 'a', hash: 'f00' }),
  NodeWithScore: () => ({ node, score: 0.5 }),
  QueryBundle: () => ({ queryStr: 'Where is Paris?' }),
}
const classes = {
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  ToolOutput,
  TextNode,
  RelatedNodeInfo,
  NodeWithScore,
  QueryBundle,
}
type Name = keyof typeof inputs
const names = Object.keys(inputs) as Name[]
const each = (make: (name: Name) => Make): Contestant => Object.fromEntries(names.map((name) => [name, make(name)]))

const ours = each((name) => {
  const modelClass = classes[name] as new (options: object) => unknown
  const input = inputs[name]
  return () => new modelClass(input())
})

const ofAgents = createRequire(new URL('../packages/agents/package.json', import.meta.url))
const { z } = await import(ofAgents.resolve('zod'))

/** The same fields and defaults in zod. Nested models are accepted unchanged, as by our classes. */
function zodOf(jitless: boolean): Contestant {
  z.config({ jitless })
  const object = () => z.record(z.string(), z.unknown())
  const instance = z.custom((value: unknown) => value instanceof Object)
  const answer = { additionalKwargs: object().default(() => ({})), raw: z.any().default(null) }
  const delta = z.string().nullable().default(null)
  const shapes: Record<Name, object> = {
    ChatMessage: {
      role: z.enum(messageRoles).default('user'),
      content: z.any().default(''),
      additionalKwargs: answer.additionalKwargs,
    },
    ChatResponse: { message: instance, ...answer, delta },
    CompletionResponse: { text: z.string(), ...answer, delta },
    ToolOutput: {
      content: z.string(),
      toolName: z.string(),
      rawInput: object(),
      rawOutput: z.any(),
      isError: z.boolean().default(false),
    },
    TextNode: {
      id: z.string(),
      embedding: z.array(z.number()).nullable().default(null),
      metadata: object().default(() => ({})),
      excludedEmbedMetadataKeys: z.array(z.string()).default(() => []),
      excludedLlmMetadataKeys: z.array(z.string()).default(() => []),
      relationships: object().default(() => ({})),
      text: z.string().default(''),
      startCharIdx: z.int().nullable().default(null),
      endCharIdx: z.int().nullable().default(null),
      textTemplate: z.string().default('{metadata_str}\n\n{content}'),
      metadataTemplate: z.string().default('{key}: {value}'),
      metadataSeparator: z.string().default('\n'),
    },
    RelatedNodeInfo: {
      nodeId: z.string(),
      nodeType: z.enum(['1', '2', '3', '4']).nullable().default(null),
      metadata: object().default(() => ({})),
      hash: z.string().nullable().default(null),
    },
    NodeWithScore: { node: instance, score: z.number().nullable().default(null) },
    QueryBundle: {
      queryStr: z.string(),
      customEmbeddingStrs: z.array(z.string()).nullable().default(null),
      embedding: z.array(z.number()).nullable().default(null),
    },
  }
  return each((name) => {
    const schema = z.object(shapes[name])
    const input = inputs[name]
    const parse = () => schema.parse(input())
    parse() // zod prepares a schema at its first use
    return parse
  })
}

const literals = each((name) => {
  const defaults = { ...new (classes[name] as new (options: object) => object)(inputs[name]()) }
  const input = inputs[name]
  return () => ({ ...defaults, ...input() })
})

const contestants: Record<string, Contestant> = {
  '@x/core-model': ours,
  zod: zodOf(false),
  'zod without generated functions': zodOf(true),
  'object literals (floor)': literals,
}

let last: unknown
/** Nanoseconds per object. */
function measure(makes: readonly Make[], count: number): number {
  const start = performance.now()
  for (let i = 0; i < count; i++) for (const make of makes) last = make()
  return ((performance.now() - start) * 1e6) / count / makes.length
}

const best = new Map<string, number>()
const keep = (what: string, time: number) => best.set(what, Math.min(time, best.get(what) ?? Number.POSITIVE_INFINITY))
for (let round = 0; round < ROUNDS; round++)
  for (const [contestant, makes] of Object.entries(contestants)) {
    keep(contestant, measure(Object.values(makes), COUNT / 8))
    for (const name of names) keep(`${contestant} ${name}`, measure([makes[name]!], COUNT / 8))
  }

console.log(`nanoseconds per object, best of ${ROUNDS} interleaved rounds`)
const columns = ['by turns', ...names]
console.log(['', ...columns].map((column, i) => (i ? column.padStart(19) : column.padEnd(28))).join(''))
for (const contestant of Object.keys(contestants)) {
  const times = columns.map((column) => best.get(column === 'by turns' ? contestant : `${contestant} ${column}`)!)
  console.log(`${contestant.padEnd(28)}${times.map((time) => time.toFixed(0).padStart(19)).join('')}`)
}
const time = best.get('@x/core-model')!
for (const contestant of Object.keys(contestants).slice(1))
  console.log(`@x/core-model takes ${(time / best.get(contestant)!).toFixed(2)} times as long as ${contestant}`)

writeFigures('core-model', [
  {
    title: 'making and checking an object',
    measure: 'nanoseconds',
    unit: '',
    digits: 0,
    better: 'less',
    text: 'Eight classes by turns, such as messages and nodes. Object literals check nothing.',
    rows: Object.keys(contestants).map((name) => ({
      name: name.replace('@x/core-model', '`@x/core-model`'),
      value: best.get(name)!,
      ...(name.startsWith('@x/') && { ours: true }),
      ...(name.startsWith('zod') && { version: ofAgents('zod/package.json').version }),
    })),
  },
])
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
collect()
const before = process.memoryUsage().heapUsed
const kept = Array.from({ length: 100_000 }, () => new ChatMessage({ role: 'user', content: 'What is 1 + 2?' }))
collect()
console.log(`a ChatMessage keeps ${Math.round((process.memoryUsage().heapUsed - before) / kept.length)} bytes`)

if (last === undefined || time > best.get('zod without generated functions')!) process.exitCode = 1
