import { ChatMessage, type Dict } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, scriptedToolModel, toolCall, toolCalls } from '../../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../../agent/function-calling-agent.ts'
import { lenientArguments } from '../../layers/calls.ts'
import { toolLoop } from '../../small/tool-loop.ts'
import { FunctionTool } from '../../tool/function-tool.ts'

const ran: unknown[] = []
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema: { type: 'object', properties: { amount: { type: 'number' } } },
  fn: (args) => {
    ran.push(args)
    return 'ok'
  },
})

/** The calls and the tool messages of a request. */
function sentIn(messages: readonly Dict[] = []) {
  const kwargs = messages.map((message) => message['additional_kwargs'] as Dict)
  return {
    calls: kwargs.flatMap(({ tool_calls }) => (tool_calls as Dict[] | undefined) ?? []),
    outputs: kwargs.flatMap(({ name, tool_call_id }) => (tool_call_id ? [{ name, tool_call_id }] : [])),
    contents: messages.map(({ content }) => content),
  }
}

async function afterCall(call: unknown, tools = [pay]) {
  ran.length = 0
  const llm = functionCallingLlm([[call as never], 'done'])
  const answer = await FunctionCallingAgent.fromTools({ llm, tools }).chat('Pay!')
  return { ...sentIn(llm.calls[1]?.messages), output: answer.sources[0]!, ran: [...ran] }
}

describe('the arguments of a native call', () => {
  it.each([
    '{"amount":1}{"amount":2}',
    '{"amount":1} trailing',
    '{"amount":1}}',
    '{"amount":1},',
    '{"amount":1}\n{"amount":2}\n',
    'pay {"amount":1}',
    '```json\n{"amount":1}\n``` and {"amount":2}',
    "{'amount':1} {'amount':2}",
    '{"amount":1} // done',
  ])('%s do not run, and the model learns why', async (text) => {
    const { calls, contents, output, ran } = await afterCall({ id: 'c1', name: 'pay', arguments: text })
    expect(ran).toEqual([])
    expect(output).toMatchObject({ isError: true })
    expect(output.content).toMatch(/expected (one|a) JSON object/)
    expect(contents.at(-1)).toContain(JSON.stringify(text))
    expect(calls).toEqual([{ id: 'c1', name: 'pay', arguments: '{}' }])
  })

  it.each([
    [' {"amount": 1}\n', { amount: 1 }, ' {"amount": 1}\n'],
    ['```json\n{"amount": 1}\n```', { amount: 1 }, '{"amount":1}'],
    ['```\n{"amount": 1}```', { amount: 1 }, '{"amount":1}'],
    ["{'amount': 1,}", { amount: 1 }, '{"amount":1}'],
    ['', {}, '{}'],
    [' ', {}, '{}'],
    [undefined, {}, '{}'],
    [null, {}, '{}'],
    [{ amount: 1 }, { amount: 1 }, { amount: 1 }],
  ])('%j run, and go back as they were read', async (given, args, sent) => {
    const { calls, ran } = await afterCall({ id: 'c1', name: 'pay', arguments: given })
    expect(ran).toEqual([args])
    expect(calls).toEqual([{ id: 'c1', name: 'pay', arguments: sent }])
  })

  it.each([
    ['{"amount": 1', '{}'],
    [5, '{}'],
    ['[{"amount":1}]', '{}'],
    [[{ amount: 1 }], {}],
    ['"text"', '{}'],
  ])('%j are sent back as an empty object', async (given, sent) => {
    const { calls, ran } = await afterCall({ id: 'c1', function: { name: 'pay', arguments: given } })
    expect(ran).toEqual([])
    expect(calls).toEqual([{ id: 'c1', function: { name: 'pay', arguments: sent } }])
  })

  it('are strict JSON in a loop without the layer lenientArguments, which also sends them back repaired', async () => {
    for (const [layers, sent] of [
      [[], '{}'],
      [[lenientArguments()], '{"amount":1}'],
    ] as const) {
      const llm = functionCallingLlm([[toolCall('c1', 'pay', "{'amount': 1}" as never)], 'done'])
      const { messages } = await toolLoop({ llm, tools: [pay], layers: [...layers] }).run('Pay!')
      expect(sentIn(messages.map((message) => message.toDict())).calls).toMatchObject([{ arguments: sent }])
    }
  })

  it('are quoted in part if they are long', async () => {
    const { contents } = await afterCall({ id: 'c1', name: 'pay', arguments: `{"amount": ${'x'.repeat(5000)}` })
    expect(String(contents.at(-1)).length).toBeLessThan(600)
  })
})

describe('the name of a call', () => {
  it.each([
    ['search.evidence v2', 'search_evidence_v2'],
    ['a'.repeat(70), 'a'.repeat(64)],
    ['', 'unnamed'],
    ['日本', '__'],
  ])('%j that no tool has goes back as a name that providers accept', async (name, sent) => {
    const { calls, outputs, output } = await afterCall({
      id: 'c1',
      type: 'function',
      function: { name, arguments: '{}' },
    })
    expect(calls).toEqual([{ id: 'c1', type: 'function', function: { name: sent, arguments: '{}' } }])
    expect(outputs).toEqual([{ name: sent, tool_call_id: 'c1' }])
    expect(output.content).toContain(`There is no tool "${name}"`)
  })
})

describe('the ids of calls', () => {
  it.each(['functions.pay:0', 'a b', 'x'.repeat(41), 'ü', ''])('%j are replaced and kept beside', async (id) => {
    const { calls, outputs } = await afterCall({ id, name: 'pay', arguments: '{}' })
    expect(calls).toEqual([{ id: 'call_1_0', name: 'pay', arguments: '{}', ...(id !== '' && { provider_id: id }) }])
    expect(outputs).toEqual([{ name: 'pay', tool_call_id: 'call_1_0' }])
  })

  it('are unique in a conversation, whatever the provider sends', async () => {
    const turn = [toolCall('call_0', 'pay', {}), toolCall('call_0', 'pay', {}), toolCall('call_1_1', 'pay', {})]
    const llm = functionCallingLlm([turn, 'done', turn, 'done', turn, turn, 'done'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay] })
    for (const message of ['One', 'Two', 'Three']) await agent.chat(message)
    const ids = agent.chatHistory.flatMap(({ additionalKwargs }) =>
      ((additionalKwargs['tool_calls'] ?? []) as Dict[]).map(({ id }) => id),
    )
    expect(ids).toHaveLength(12)
    expect(new Set(ids).size).toBe(12)
    const { calls, outputs } = sentIn(llm.calls.at(-1)!.messages)
    expect(outputs.map((output) => output.tool_call_id)).toEqual(calls.map(({ id }) => id))
    expect(calls.filter(({ provider_id }) => provider_id === 'call_0')).toHaveLength(7)
  })

  it('are unique in a conversation of toolLoop', async () => {
    const llm = functionCallingLlm([[toolCall('', 'pay', {})], 'done', [toolCall('', 'pay', {})], 'done'])
    const loop = toolLoop({ llm, tools: [pay] })
    const { messages } = await loop.run('One')
    const next = await loop.run('Two', { messages })
    expect(sentIn(next.messages.map((each) => each.toDict())).calls.map(({ id }) => id)).toEqual([
      'call_1_0',
      'call_1_0_2',
    ])
  })

  it('are unique in a request if two runs of its conversation have used the same id', async () => {
    const history = ['One', 'Two', 'Three'].flatMap((text) => [
      new ChatMessage({ role: 'user', content: text }),
      toolCalls(toolCall('call_0', 'pay', {}), toolCall('b', 'pay', {})),
      new ChatMessage({ role: 'tool', content: 'ok', additionalKwargs: { name: 'pay', tool_call_id: 'call_0' } }),
      new ChatMessage({ role: 'tool', content: 'ok', additionalKwargs: { name: 'pay', tool_call_id: 'b' } }),
    ])
    const llm = functionCallingLlm(['done'])
    await FunctionCallingAgent.fromTools({ llm, tools: [pay] }).chat('Four', { chatHistory: history })
    const { calls, outputs } = sentIn(llm.calls[0]!.messages)
    expect(calls.map(({ id }) => id)).toEqual(['call_0', 'b', 'call_0_2', 'b_2', 'call_0_3', 'b_3'])
    expect(outputs.map((output) => output.tool_call_id)).toEqual(calls.map(({ id }) => id))
  })

  it('are those of a streamed call', async () => {
    const llm = functionCallingLlm([[toolCall('functions.pay:0', 'pay', {})], 'done'])
    const ids = new Set<string>()
    for await (const event of FunctionCallingAgent.fromTools({ llm, tools: [pay] }).runEvents('Pay!'))
      if ('callId' in event) ids.add(event.callId)
    expect([...ids]).toEqual(['call_1_0'])
  })
})

describe('a tool', () => {
  it.each([
    [{}, { type: 'object', properties: {} }],
    [{ type: 'object' }, { properties: {}, type: 'object' }],
    [{ properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [{ anyOf: [{ type: 'object' }] }, { type: 'object', anyOf: [{ type: 'object' }] }],
    [
      { title: 'T', description: 'D' },
      { type: 'object', properties: {} },
    ],
  ])('with the schema %j sends an object', async (schema, sent) => {
    const tool = FunctionTool.fromDefaults({ name: 'now', schema, fn: () => 'noon' })
    const llm = functionCallingLlm([[toolCall('c1', 'now', {})], 'done'])
    const { sources } = await FunctionCallingAgent.fromTools({ llm, tools: [tool] }).chat('When?')
    expect(String(sources)).toBe('noon')
    expect(JSON.stringify((llm.calls[0]!.options['tools'] as Dict[])[0])).toContain(
      JSON.stringify({ parameters: sent }).slice(1, -1),
    )
  })

  it.each(['Atlassian Rovo.get issue', 'a/b', 'x'.repeat(65), '日本'])(
    'of the name %j is refused for native tool calls, with a name that fits',
    async (name) => {
      const tool = FunctionTool.fromDefaults({ name, schema: {}, fn: () => '' })
      const error = expect.objectContaining({ code: 'tool_name', message: expect.stringMatching(/use "[\w-]{1,64}"/) })
      const llm = functionCallingLlm(['done'])
      expect(() => FunctionCallingAgent.fromTools({ llm, tools: [tool] })).toThrow(error)
      expect(() => toolLoop({ llm, tools: [tool] })).toThrow(error)
      const retrieving = FunctionCallingAgent.fromTools({ llm, toolRetriever: { retrieve: async () => [tool] } })
      await expect(retrieving.chat('x')).rejects.toEqual(error)
      expect(llm.calls).toEqual([])
    },
  )
})

it('a message whose calls fit goes back as the same object', async () => {
  const message = toolCalls(toolCall('c1', 'pay', { amount: 1 }))
  const llm = scriptedToolModel([message, 'done'])
  const { messages } = await toolLoop({ llm, tools: [pay] }).run(new ChatMessage({ role: 'user', content: 'Pay!' }))
  expect(messages[1]).toBe(message)
})
