/**
 * Compares the speed of creating models, three classes in turn as in a real program, with zod (a development dependency of agents),
 * with and without its generated functions, and with plain object literals, which check nothing.
 * Exits with 1 when creating models takes longer than zod without generated functions.
 *
 * @example npm run bench -- core-model
 */
import { createRequire } from 'node:module'
import { ChatMessage, messageRoles, NodeWithScore, TextNode } from '../packages/core-model/src/index.ts'
import { writeFigures } from '../tools/figures.ts'
import { bar, interleaved, tableOf } from './contest.ts'

const COUNT = 5000
const ROUNDS = 25

type Make = () => unknown
type Contestant = Record<string, Make>

const node = new TextNode({ id: 'a', text: 'Paris is in France.' })
const inputs = {
  ChatMessage: () => ({ role: 'user' as const, content: 'What is 1 + 2?' }),
  TextNode: () => ({ id: 'a', text: 'Paris is in France.', metadata: { page: 3 } }),
  NodeWithScore: () => ({ node, score: 0.5 }),
}
const classes = { ChatMessage, TextNode, NodeWithScore }
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
  const shapes: Record<Name, object> = {
    ChatMessage: {
      role: z.enum(messageRoles).default('user'),
      content: z.any().default(''),
      additionalKwargs: object().default(() => ({})),
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
    NodeWithScore: {
      node: z.custom((value: unknown) => value instanceof Object),
      score: z.number().nullable().default(null),
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

const OURS = '`@x/core-model`'
const contestants: Record<string, Contestant> = {
  [OURS]: ours,
  zod: zodOf(false),
  'zod without generated functions': zodOf(true),
  'object literals (floor)': literals,
}

let last: unknown
const rounds = Object.entries(contestants).map(([name, makes]) => {
  const list = Object.values(makes)
  const run = () => {
    for (let i = 0; i < COUNT; i++) for (const make of list) last = make()
  }
  return [name, run] as const
})
const times = await interleaved(Object.fromEntries(rounds), ROUNDS)
if (last === undefined) throw new Error('Nothing was made.')
const version: string = ofAgents('zod/package.json').version
const table = tableOf(
  {
    title: 'making and checking an object',
    measure: 'nanoseconds',
    digits: 0,
    better: 'less',
    text: 'Messages, nodes, and nodes with a score by turns. Object literals check nothing.',
  },
  Array.from(times, ([name, time]) => [name, (time * 1e6) / COUNT / names.length]),
)
const rows = table.rows.map((row) => (row.name.startsWith('zod') ? { ...row, version } : row))
writeFigures('core-model', [{ ...table, rows }])
const ratio = times.get(OURS)! / times.get('zod without generated functions')!
bar(ratio <= 1, `${ratio.toFixed(2)} times as long as zod without generated functions (bar 1)`)
