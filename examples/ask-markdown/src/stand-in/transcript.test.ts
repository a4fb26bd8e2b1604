import { FunctionTool, ReActChatFormatter } from '@x/agents'
import { ChatMessage } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextTurn } from './next-turn.ts'
import { readTranscript } from './transcript.ts'

const search = FunctionTool.fromDefaults({
  name: 'search_text',
  description: 'Searches.\nIn two lines.',
  schema: { type: 'object', properties: { query: { type: 'string' } } },
  fn: () => '',
})

describe('readTranscript', () => {
  it('parses tools, the last question and its tool calls', () => {
    const history = [
      new ChatMessage({ role: 'user', content: 'First?' }),
      new ChatMessage({ role: 'assistant', content: 'An answer.' }),
      new ChatMessage({ role: 'user', content: 'Second?' }),
    ]
    const messages = ReActChatFormatter.fromDefaults().format([search], history, [
      { kind: 'action', thought: 't', action: 'search_text', actionInput: { query: 'x' } },
      { kind: 'observation', observation: '[]' },
    ])
    expect(readTranscript(messages)).toEqual({
      tools: [{ name: 'search_text', arguments: ['query'] }],
      question: 'Second?',
      rounds: [{ tool: 'search_text', input: { query: 'x' }, observation: '[]' }],
    })
  })

  it('accepts an empty list of messages', () => {
    expect(readTranscript([])).toEqual({ tools: [], question: '', rounds: [] })
  })
})

describe('nextTurn', () => {
  const tools = [
    { name: 'search', arguments: ['query'] },
    { name: 'look', arguments: ['table', 'row', 'column'] },
  ]

  it('returns a turn for any question', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.lorem()), (question) => {
        expect(nextTurn({ tools, question, rounds: [] })).toMatchObject({ tool: 'search' })
      }),
    )
  })

  it('returns an answer for any observation', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.oneof(fc.string(), fc.json()),
        fc.oneof(fc.string(), fc.json()),
        (question, found, seen) => {
          fc.pre(!Array.isArray(tryToParse(found)))
          const rounds = [
            { tool: 'search', input: {}, observation: found },
            { tool: 'look', input: {}, observation: seen },
          ]
          expect(nextTurn({ tools, question, rounds })).toHaveProperty('answer')
        },
      ),
    )
  })

  it('answers that the search failed', () => {
    const rounds = [{ tool: 'search', input: {}, observation: 'Error: no disk' }]
    expect(nextTurn({ tools, question: 'Who?', rounds })).toMatchObject({ answer: 'The search failed: Error: no disk' })
  })

  it('answers from the text when the table lookup failed', () => {
    const passage = { place: 'a.md:3', heading: '', text: 'A fig is a fruit.', score: 1 }
    const rounds = [
      { tool: 'search', input: {}, observation: JSON.stringify([passage]) },
      { tool: 'look', input: {}, observation: 'Error: no such table' },
    ]
    expect(nextTurn({ tools, question: 'What is a fig?', rounds })).toMatchObject({
      answer: '“A fig is a fruit.” (a.md:3)',
    })
  })
})

function tryToParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
