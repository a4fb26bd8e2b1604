/// <reference types="node" />

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, ClassRegistry, Document, Model, NodeWithScore, TextNode, ToolOutput } from '@x/core-model'
import { fields, string } from '@x/core-model/fields'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { FileTaskStore } from '@x/storage/node'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { QueryResponse } from '../answer/query-response.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'
import { type SavableClass, SavedClasses, StateReader, StateWriter } from './state-codec.ts'
import { diff, plain, WrittenLists } from './versions.ts'

class Shelf extends fields(Model, 'Shelf', { label: string() }) {}

class Counter {
  readonly count: number
  readonly since: Date

  constructor(count: number, since: Date) {
    this.count = count
    this.since = since
  }

  static className(): string {
    return 'Counter'
  }

  static fromDict({ count, since }: { count: number; since: Date }): Counter {
    if (typeof count !== 'number') throw new TypeError('count is not a number')
    return new Counter(count, since)
  }

  toDict() {
    return { count: this.count, since: this.since }
  }
}

class Log {
  readonly entries: readonly object[]

  constructor(entries: readonly object[]) {
    this.entries = entries
  }

  static className(): string {
    return 'Log'
  }

  static fromDict({ entries }: { entries: object[] }): Log {
    return new Log(entries)
  }

  toDict() {
    return { entries: structuredClone(this.entries) }
  }

  toParts() {
    return { entries: this.entries }
  }
}

const own = new SavedClasses([Shelf, Counter, Log])
const builtIn = new SavedClasses()

/** Writes a value with a table of arrays and reads it back from JSON text. */
function roundTrip(value: unknown, classes = builtIn): unknown {
  const written = plain(new StateWriter(classes, new WrittenLists()).write(value, 'state'))
  return new StateReader(classes).read(JSON.parse(JSON.stringify(written)))
}

describe('StateWriter and StateReader', () => {
  it('keep JavaScript values: dates, maps, sets and others', () => {
    const state = {
      when: new Date(0),
      map: new Map<unknown, unknown>([[new Date(1), new Set([{ a: 1 }])]]),
      bytes: new Uint8Array([0, 127, 128, 255]),
      none: new Uint8Array(),
      marked: { $kind: 'Date', value: [1] },
    }
    expect(roundTrip(state)).toEqual(state)
  })

  it('keep messages, nodes and other objects of the @x packages', () => {
    const node = new NodeWithScore({ node: new TextNode({ id: 'n', text: 'text' }), score: 0.5 })
    const message = new ChatMessage({ content: 'Hello', additionalKwargs: { $kind: 'Date' } })
    const source = new ToolOutput({
      content: 'c',
      toolName: 't',
      rawInput: { $kind: 'Mystery' },
      rawOutput: { answer: new QueryResponse({ response: 'r', sourceNodes: [node] }) },
    })
    const state = {
      message,
      document: new Document({ id: 'd', text: 'page' }),
      memory: ChatMemoryBuffer.fromDefaults({ chatHistory: [message], tokenLimit: 9 }),
      answer: new AgentChatResponse({ response: 'a', sources: [source], sourceNodes: [node] }),
    }
    const read = roundTrip(state) as typeof state
    expect(read).toEqual(state)
    expect(read.document).toBeInstanceOf(Document)
    expect(read.answer.sources[0]?.rawOutput).toMatchObject({ answer: expect.any(QueryResponse) })
  })

  it('keep instances of registered classes: models, and classes with toDict and fromDict', () => {
    const state = {
      shelf: new Shelf({ label: 'A' }),
      deep: [{ counter: new Counter(2, new Date(3)) }],
      log: new Log([{}]),
    }
    const read = roundTrip(state, own) as typeof state
    expect(read).toEqual(state)
    expect([read.shelf, read.deep[0]?.counter]).toEqual([expect.any(Shelf), expect.any(Counter)])
    expect(roundTrip({ shelf: state.shelf }, new SavedClasses(new ClassRegistry([Shelf])))).toEqual({
      shelf: state.shelf,
    })
  })

  it('save an array that grows only once, for objects with toParts', () => {
    const writer = new StateWriter(own, new WrittenLists())
    const entries = Array.from({ length: 3 }, (_, n) => ({ n }))
    const written = [1, 2, 3].map((size) => writer.write(new Log(entries.slice(0, size)), 'log'))
    expect(diff(written[1], written[2])).toEqual({ value: { entries: [2, [{ n: 2 }]] } })
    expect(plain(written[1])).toEqual({ $kind: 'Log', value: { entries: entries.slice(0, 2) } })
  })
})

describe('StateWriter', () => {
  const write = (value: unknown) => () => new StateWriter(builtIn).write({ mine: [value] }, 'state')
  const refused = (message: string) =>
    expect.objectContaining({ code: 'serialization', field: 'state.mine[0]', message })

  it('names the path of a value of an unknown class, and the option to pass', () => {
    const advice = 'pass its class in the option registry of the runner'
    for (const value of [new Shelf({ label: 'A' }), new Counter(1, new Date()), new URL('https://example.org')]) {
      expect(write(value)).toThrow(
        refused(
          `state.mine[0]: expected a value that can be saved, received an instance of ${value.constructor.name}; ${advice}.`,
        ),
      )
    }
    expect(write(() => 1)).toThrow(refused('state.mine[0]: expected a value that can be saved, received a function.'))
  })

  it('names the path of an object whose toDict throws', () => {
    const broken = Object.assign(new Counter(1, new Date()), {
      toDict() {
        throw new Error('no')
      },
    })
    expect(() => new StateWriter(own).write({ mine: [broken] }, 'state')).toThrow(refused('state.mine[0]: no.'))
    expect(write(new Date(Number.NaN))).toThrow(
      expect.objectContaining({ code: 'serialization', field: 'state.mine[0]' }),
    )
  })
})

describe('StateReader', () => {
  const read =
    (value: unknown, classes: SavedClasses = own) =>
    () =>
      new StateReader(classes).read({ mine: [value] })
  const issue = (message: string) =>
    expect.objectContaining({ issues: [expect.objectContaining({ path: 'mine[0]', message })] })

  it('names an unknown class, and the option to pass', () => {
    for (const [kind, words] of [
      ['Shelf', '"Shelf"'],
      ['__proto__', '"__proto__"'],
      [['Date'], '["Date"]'],
    ]) {
      expect(read({ $kind: kind, value: {} }, builtIn)).toThrow(
        issue(
          `expected a value of a known class, received ${words}; pass its class in the option registry of the runner`,
        ),
      )
    }
  })

  it('names the path of invalid data', () => {
    expect(read({ $kind: 'Date', value: 5 })).toThrow(issue('expected a string, received 5'))
    expect(read({ $kind: 'Set', value: 'abc' })).toThrow(issue('expected an array, received a string'))
    expect(read({ $kind: 'Counter', value: { count: '1' } })).toThrow(issue('count is not a number'))
    expect(read({ $kind: 'Uint8Array', value: '?' })).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(read({ $kind: 'Shelf', value: { label: 5 } })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'mine[0].label' })] }),
    )
  })

  it('refuses an object that has only the name of the class that it extends', () => {
    class Unnamed extends ChatMemoryBuffer {}
    expect(() => roundTrip(new Unnamed({ tokenLimit: 1 }), new SavedClasses())).toThrow(
      expect.objectContaining({ code: 'serialization', message: expect.stringContaining('registry of the runner') }),
    )
    class Passage extends TextNode {}
    expect(() => roundTrip(new Passage(), new SavedClasses())).toThrow(
      expect.objectContaining({ code: 'serialization' }),
    )
  })

  it('prefers a registered class to a built-in class with the same name', () => {
    class Buffer extends ChatMemoryBuffer {
      static override fromDict(data: unknown): Buffer {
        return new Buffer(ChatMemoryBuffer.fromDict(data))
      }
    }
    const classes: readonly SavableClass[] = [Buffer]
    expect(roundTrip(new Buffer({ tokenLimit: 1 }), new SavedClasses(classes))).toBeInstanceOf(Buffer)
  })
})

describe('node classes of the caller', () => {
  class Passage extends TextNode {
    static override className() {
      return 'Passage'
    }
  }
  const output = () =>
    new ToolOutput({
      content: 'found',
      toolName: 'find',
      rawOutput: new QueryResponse({
        response: 'found',
        sourceNodes: [new NodeWithScore({ node: new Passage({ id: 'p', text: 'here' }), score: 1 })],
      }),
    })

  it('are restored in the nodes of an answer', () => {
    const classes = new SavedClasses([Passage])
    const read = new StateReader(classes).output(
      JSON.parse(JSON.stringify(new StateWriter(classes).output(output(), 'x'))),
    )
    const [found] = (read.rawOutput as QueryResponse).sourceNodes
    expect(found!.node).toBeInstanceOf(Passage)
    expect(found!.node.id).toBe('p')
  })

  it('cause an error instead of losing the node if they are not registered', () => {
    expect(() => new StateWriter(new SavedClasses()).output(output(), 'x')).toThrow(
      expect.objectContaining({
        code: 'serialization',
        message: expect.stringMatching(/Passage.*pass its class in the option registry/),
      }),
    )
    expect(() => new StateWriter(new SavedClasses()).write(output(), 'x')).toThrow(/Passage/)
    expect(() => new StateWriter(new SavedClasses()).write([new Passage({ text: 'a' })], 'x')).toThrow(/Passage/)
    // In the same process the output itself is used.
    expect(new StateWriter(new SavedClasses()).output(output(), 'x', false)).toMatchObject({
      raw_output: { response: 'found', source_nodes: [{ node: { text: 'here' } }] },
    })
  })

  it('are written as plain JSON in other raw outputs if they are not registered', () => {
    class Order {
      toDict() {
        return { id: 7, lines: [{ toDict: () => ({ n: 1 }) }] }
      }
    }
    const written = new StateWriter(new SavedClasses()).output(
      new ToolOutput({ content: 'order 7', toolName: 'order', rawOutput: new Order() }),
      'x',
    )
    expect(written).toMatchObject({ raw_output: { id: 7, lines: [{ n: 1 }] } })
  })
})

const tool = FunctionTool.fromDefaults({
  name: 'last',
  description: 'Returns the last message.',
  schema: { type: 'object', properties: {} },
  fn: () => ({ id: 1234567890123456789n, size: 1e17 }),
})
const answers = ['Thought: Look.\nAction: last\nAction Input: {}', 'Thought: Done.\nAnswer: 1']

it.each([
  ['memory', async () => new MemoryTaskStore()],
  ['a file', async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))],
])('a task saved in %s keeps integers beyond 2^53 and large floats', async (_, makeStore) => {
  const taskStore = await makeStore()
  const llm = new ScriptedLLM({ answers })
  const agent = ReActAgent.fromTools({ llm, tools: [tool], taskStore: journal(taskStore) })
  const { taskId } = await agent.createTask('Which?')
  await agent.runStep(taskId)

  const again = ReActAgent.fromTools({ llm, tools: [tool], taskStore: journal(taskStore) })
  await again.resumeTask(taskId)
  const answer = await again.runTask(taskId)
  expect(answer.sources[0]).toMatchObject({
    content: '{"id":1234567890123456789,"size":1e+17}',
    rawOutput: { id: 1234567890123456789n, size: 1e17 },
  })
})

it('the event of a call that waits is JSON, with the digits of an integer beyond 2^53 as a string', async () => {
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: { type: 'object', properties: { account: {} } },
    needsApproval: true,
    fn: ({ account }) => `paid to ${account}`,
  })
  const turn = 'Thought: Pay.\nAction: pay\nAction Input: {"account": 1234567890123456789}'
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [turn, 'Answer: Paid.'] }), tools: [pay] })
  const lines = async (input: string) => {
    const shown: string[] = []
    for await (const event of agent.runEvents(input, { taskId: 't' }))
      if (event.type === 'approval_required') shown.push(JSON.stringify(event.calls.map((call) => call.arguments)))
    return shown
  }
  expect(await lines('Pay!')).toEqual(['[{"account":"1234567890123456789"}]'])
  // A task that still waits reports it again.
  expect(await lines('')).toEqual(['[{"account":"1234567890123456789"}]'])
  await agent.approve('t', agent.getPendingApprovals('t')[0]!.id)
  expect((await agent.runTask('t')).sources.map(String)).toEqual(['paid to 1234567890123456789'])
})
