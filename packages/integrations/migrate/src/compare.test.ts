import { ChatMessage, TextNode } from '@x/core-model'
import { expect, it } from 'vitest'
import { compare } from './compare.ts'
import type { Content, SourceInfo } from './content.ts'

interface Parts {
  nodes?: TextNode[]
  hashes?: [string, string][]
  sources?: [string, SourceInfo][]
  chats?: [string, ChatMessage[]][]
}

/** Content in memory. */
function contentOf({ nodes = [], hashes = [], sources = [], chats = [] }: Parts): Content {
  return {
    name: 'memory',
    line: '0.10',
    facts: [],
    leftOut: [],
    found: { nodes: 0, vectors: 0, messages: 0, indexes: 0 },
    indexes: async () => [],
    nodes: () => nodes,
    hashes: () => hashes,
    vectorPlace: String,
    hashOf: async (id) =>
      hashes.find(([known]) => known === id)?.[1] ?? nodes.find((node) => node.id === id)?.hash ?? null,
    sources: () => sources,
    async *chats() {
      yield* chats
    },
    close: async () => {},
  }
}

const node = (options: object = {}) =>
  new TextNode({ id: 'a', text: 'x', metadata: { page: 1 }, embedding: [1, 0.1], ...options })
const info = (...nodeIds: string[]): [string, SourceInfo] => ['d', { nodeIds, metadata: {} }]

const whole: Parts = {
  nodes: [node(), node({ id: 'b' })],
  hashes: [['elsewhere', 'h']],
  sources: [info('a', 'b')],
  chats: [['ann', [new ChatMessage({ content: 'Hello' })]]],
}

it.each<[string, Parts, string[]]>([
  ['nothing', {}, []],
  ['a missing node', { nodes: [node()] }, ['node b: the target has the node (none) at its place']],
  [
    'another order',
    { nodes: whole.nodes!.toReversed() },
    ['node a: the target has the node b', 'node b: the target has'],
  ],
  ['a field', { nodes: [node({ startCharIdx: 1 }), node({ id: 'b' })] }, ['node a: the fields']],
  [
    'the last digit of a vector',
    { nodes: [node({ embedding: [1, 0.1 + 2 ** -55] }), node({ id: 'b' })] },
    ['node a: the vector'],
  ],
  ['a vector that is missing', { nodes: [node({ embedding: null }), node({ id: 'b' })] }, ['node a: the vector']],
  [
    'the hash of a node',
    {
      hashes: [
        ['a', 'other'],
        ['elsewhere', 'h'],
      ],
    },
    ['node a: the hash'],
  ],
  ['the hash of a document', { hashes: [['elsewhere', 'other']] }, ['document elsewhere: the hash']],
  ['the nodes of a document', { sources: [info('a')] }, ['document d: the node b']],
  ['a message', { chats: [['ann', [new ChatMessage({ content: 'Hi' })]]] }, ['conversation ann: the messages']],
  ['a conversation', { chats: [] }, ['conversation ann: the messages']],
])('finds %s', async (_, parts, expected) => {
  const target = contentOf({ ...whole, ...parts, ...(parts.nodes?.length === 1 && { sources: [info('a')] }) })
  const { differences, count } = await compare(contentOf(whole), target)
  expect(count).toBe(expected.length)
  for (const [at, text] of expected.entries()) expect(differences[at]).toContain(text)
})

it('finds the content in every mode', async () => {
  const changed = node({ text: 'y' })
  const { differences } = await compare(
    contentOf({ nodes: [node()] }),
    contentOf({ nodes: [changed], hashes: [['a', node().hash]] }),
  )
  const modes = ['all', 'embed', 'llm', 'none'].map((mode) => `node a: the content in the mode ${mode}`)
  expect(differences).toEqual(['node a: the fields', ...modes])
})

it('names the first differences and counts all', async () => {
  const many = Array.from({ length: 50 }, (_, i) => node({ id: `n${i}` }))
  const { differences, count } = await compare(contentOf({ nodes: many }), contentOf({}))
  expect([differences.length, count]).toEqual([20, 50])
})
