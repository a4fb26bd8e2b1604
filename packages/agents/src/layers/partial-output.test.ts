import { ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { eventsOf, partialOutput, retries, streaming, structured, toolLoop } from '../loop.ts'

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    stops: { type: 'array', items: { type: 'string' } },
  },
  required: ['city'],
} as const

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })

/** A model that streams a call of the answer tool, piece by piece. */
function writing(pieces: readonly string[]) {
  const llm = new ScriptedLLM({ metadata })
  llm.streamChat = () =>
    (async function* () {
      for (const [i] of pieces.entries()) {
        const args = pieces.slice(0, i + 1).join('')
        const tool_calls = [{ id: 'a', type: 'function', function: { name: 'final_answer', arguments: args } }]
        const message = new ChatMessage({ role: 'assistant', content: '', additionalKwargs: { tool_calls } })
        const tool_call_deltas = [{ index: 0, id: 'a', name: 'final_answer', arguments: pieces[i]! }]
        yield new ChatResponse({ message, delta: '', additionalKwargs: { tool_call_deltas } })
      }
    })()
  return llm
}

async function partsOf(pieces: readonly string[]) {
  const parts: unknown[] = []
  const layers = [structured(schema), streaming(), partialOutput((value) => parts.push(value))]
  const { output } = await toolLoop({ llm: writing(pieces), layers }).run('Where?')
  return { parts, output }
}

it('a structured answer is passed on while it is written', async () => {
  const { parts, output } = await partsOf([
    '{"ci',
    'ty": "Li',
    'ma", "days"',
    ': 3',
    ', "stops": ["a',
    '\\',
    'n", "b"',
    ']}',
  ])
  expect(parts).toEqual([
    {},
    { city: 'Li' },
    { city: 'Lima' },
    { city: 'Lima', days: 3, stops: ['a'] },
    { city: 'Lima', days: 3, stops: ['a\n', 'b'] },
  ])
  expect(output).toEqual({ city: 'Lima', days: 3, stops: ['a\n', 'b'] })
})

it('escapes, braces and commas in strings do not confuse it, at any cut', async () => {
  const value = { city: 'a "b" {c}, [d] \\ \u00e9', stops: ['x,y', '}'] }
  const text = JSON.stringify(value)
  for (let cut = 1; cut < text.length; cut++) {
    const { parts, output } = await partsOf([text.slice(0, cut), text.slice(cut)])
    expect(output).toEqual(value)
    expect(parts.at(-1)).toEqual(value)
  }
})

it('also in the mode response_format, whose text is held back', async () => {
  const parts: unknown[] = []
  const llm = new ScriptedLLM({ metadata, answers: [['{"ci', 'ty": "Li', 'ma"}']] })
  const layers = [structured(schema, { mode: 'response_format' }), streaming(), partialOutput((it) => parts.push(it))]
  const { output } = await toolLoop({ llm, layers }).run('Where?')
  expect(parts).toEqual([{}, { city: 'Li' }, { city: 'Lima' }])
  expect(output).toEqual({ city: 'Lima' })
})

it('it adds its own events to a run, and no others', async () => {
  const run = async (layers: Parameters<typeof toolLoop>[0]['layers']) => {
    const events = []
    for await (const event of eventsOf(toolLoop({ llm: writing(['{"city":', '"Lima"}']), layers }), 'x'))
      events.push(event)
    return events
  }
  const types = (events: readonly { type: string }[]) => events.map(({ type }) => type)
  const without = types(await run([structured(schema), streaming()]))
  const found = await run([structured(schema), streaming(), partialOutput()])
  expect(types(found).filter((type) => type !== 'partial_output')).toEqual(without)
  expect(found.filter(({ type }) => type === 'partial_output')).toMatchObject([
    { output: {} },
    { output: { city: 'Lima' } },
  ])
})

it('it starts again when the stream broke', async () => {
  const parts: unknown[] = []
  const broken = new ModelCallError('broken', { kind: 'connection' })
  const llm = new ScriptedLLM({
    metadata,
    answers: [
      ['{"city": "Qui', broken],
      ['{"city": ', '"Lima"}'],
    ],
  })
  const layers = [
    structured(schema, { mode: 'response_format' }),
    streaming(),
    retries({ baseDelayMs: 0 }),
    partialOutput((it) => parts.push(it)),
  ]
  await toolLoop({ llm, layers }).run('Where?')
  expect(parts).toEqual([{ city: 'Qui' }, {}, { city: 'Lima' }])
})
