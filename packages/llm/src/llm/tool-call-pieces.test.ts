import { AnswerBuilder, toolCallsOf } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { type SentCallPiece, ToolCallPieces } from './tool-call-pieces.ts'

function callsOf(pieces: readonly SentCallPiece[]): (string | null)[][] {
  const answer = new AnswerBuilder()
  const calls = new ToolCallPieces(answer)
  for (const piece of pieces) calls.add(piece)
  return toolCallsOf(answer.response().message).map(({ id, name, arguments: args }) => [id, name, String(args)])
}

const pay = (args: unknown, more: SentCallPiece = {}): SentCallPiece => ({ name: 'pay', arguments: args, ...more })
const one = [['a', 'pay', '{"a":5}']]
const two = [
  ['a', 'pay', '{"a":1}'],
  ['b', 'look', '{"a":2}'],
]
const look = (args: unknown, more: SentCallPiece = {}): SentCallPiece => ({ name: 'look', arguments: args, ...more })

describe('ToolCallPieces', () => {
  it.each<[string, SentCallPiece[]]>([
    [
      'as documented',
      [pay('', { index: 0, id: 'a' }), { index: 0, arguments: '{"a"' }, { index: 0, arguments: ':5}' }],
    ],
    [
      'with another id in later pieces',
      [pay('', { index: 0, id: 'a' }), { index: 0, id: 'b', name: '', arguments: '{"a":5}' }],
    ],
    [
      'with id and name in every piece',
      [pay('', { index: 0, id: 'a' }), pay('{"a"', { index: 0, id: 'a' }), pay(':5}', { index: 0, id: 'a' })],
    ],
    [
      'with another id and the name in every piece',
      [pay('', { index: 0, id: 'a' }), pay('{"a"', { index: 0, id: 'b' }), pay(':5}', { index: 0, id: 'c' })],
    ],
    [
      'with a summary',
      [pay('{"a":', { index: 0, id: 'a' }), { index: 0, arguments: '5}' }, pay('{"a":5}', { index: 0, id: 'a' })],
    ],
    [
      'with a summary that is written differently',
      [pay('{"a":5}', { index: 0, id: 'a' }), pay('{ "a": 5 }', { index: 0, id: 'a' })],
    ],
    ['with a summary without name', [pay('{"a":5}', { index: 0, id: 'a' }), { index: 0, arguments: '{"a":5}' }]],
    ['with an empty last piece', [pay('{"a":5}', { index: 0, id: 'a' }), { index: 0, arguments: '' }]],
    [
      'with the name again in an empty last piece',
      [pay('{"a":5}', { index: 0, id: 'a' }), pay('', { index: 0, id: 'a' })],
    ],
    ['without index', [pay('{"a"', { id: 'a' }), { id: 'a', arguments: ':' }, { arguments: '5}' }]],
    ['with the index null', [pay('{"a"', { index: null, id: 'a' }), { index: null, arguments: ':5}' }]],
    ['with empty strings', [pay('{"a":', { index: 0, id: 'a' }), { index: 0, id: '', name: '', arguments: '5}' }]],
    ['with an object', [pay({ a: 5 }, { index: 0, id: 'a' })]],
    [
      'with the name last',
      [
        { index: 0, id: 'a', arguments: '{"a":5}' },
        { index: 0, name: 'pay' },
      ],
    ],
    [
      'with another index in later pieces',
      [pay('', { index: 0, id: 'a' }), { index: 1, id: 'a', arguments: '{"a":5}' }],
    ],
    [
      'with another index and no id in later pieces',
      [pay('', { index: 0, id: 'a' }), { index: 1, arguments: '{"a":5}' }],
    ],
    ['with the index as a string', [pay('{"a"', { index: 'x', id: 'a' }), { index: 'x', arguments: ':5}' }]],
    [
      'as a whole behind its pieces',
      [pay('{"a":', { index: 0, id: 'a' }), { index: 0, arguments: '{"a":5}', isWhole: true }],
    ],
    [
      'as a whole without arguments behind its pieces',
      [pay('{"a":5}', { index: 0, id: 'a' }), { index: 0, arguments: '', isWhole: true }],
    ],
    ['with braces in strings', [pay('{"', { index: 0, id: 'a' }), { index: 0, arguments: 'a":5}' }]],
  ])('reads one call %s', (_, pieces) => {
    expect(callsOf(pieces)).toEqual(one)
  })

  it.each<[string, SentCallPiece[]]>([
    [
      'alternate',
      [
        pay('', { index: 0, id: 'a' }),
        look('', { index: 1, id: 'b' }),
        { index: 1, arguments: '{"a"' },
        { index: 0, arguments: '{"a":1}' },
        { index: 1, arguments: ':2}' },
      ],
    ],
    ['have indices that jump', [pay('{"a":1}', { index: 1, id: 'a' }), look('{"a":2}', { index: 5, id: 'b' })]],
    ['have no index', [pay('{"a":1}', { id: 'a' }), look('{"a":2}', { id: 'b' })]],
    ['all have the index 0', [pay('{"a":1}', { index: 0, id: 'a' }), look('{"a":2}', { index: 0, id: 'b' })]],
    [
      'all have the index 0, in pieces',
      [
        pay('{"a":', { index: 0, id: 'a' }),
        { index: 0, arguments: '1}' },
        look('', { index: 0, id: 'b' }),
        { index: 0, arguments: '{"a":2}' },
      ],
    ],
    [
      'all have the index 0, alternately',
      [
        pay('{"a"', { index: 0, id: 'a' }),
        look('{"a"', { index: 0, id: 'b' }),
        { index: 0, id: 'a', arguments: ':1}' },
        { index: 0, id: 'b', arguments: ':2}' },
      ],
    ],
  ])('reads calls that %s', (_, pieces) => {
    expect(callsOf(pieces)).toEqual(two)
  })

  it('reads a quotation mark in a string', () => {
    const pieces = ['{"a":"\\"}', '"}', '{"a":"\\"}"}'].map((text) => pay(text, { index: 0, id: 'a' }))
    expect(callsOf(pieces)).toEqual([['a', 'pay', '{"a":"\\"}"}']])
  })

  it('splits calls without ids, and with the same id, at the end of an object', () => {
    const ids = (id: string | undefined) => [pay('{"a":1}', { index: 0, id }), pay('{"a":2}', { index: 0, id })]
    for (const id of [undefined, 'x'])
      expect(callsOf(ids(id)).map(([, name, args]) => [name, args])).toEqual([
        ['pay', '{"a":1}'],
        ['pay', '{"a":2}'],
      ])
    const sameId = [pay('{"a":1}', { index: 0, id: 'x' }), look('{"a":2}', { index: 1, id: 'x' })]
    expect(callsOf(sameId)).toHaveLength(2)
  })

  it('keeps equal calls without ids, and calls without arguments', () => {
    expect(callsOf([pay('{}', { index: 0 }), pay('{}', { index: 0 })])).toHaveLength(2)
    expect(callsOf([look('', { index: 0, id: 'a' }), look('', { index: 0, id: 'b' })])).toHaveLength(2)
    expect(callsOf([look(''), look('')])).toHaveLength(2)
  })

  it('keeps whole calls with the same id, but not a repetition', () => {
    const whole = (name: string, args: string) => ({ index: 'x', id: 'x', name, arguments: args, isWhole: true })
    const calls = [whole('pay', '{"a":1}'), whole('pay', '{"a":1}'), whole('pay', '{"a":2}'), whole('look', '{"a":2}')]
    expect(callsOf(calls).map(([, name, args]) => [name, args])).toEqual([
      ['pay', '{"a":1}'],
      ['pay', '{"a":2}'],
      ['look', '{"a":2}'],
    ])
  })

  it('never starts a call for a piece without a name, nor loses what follows an object', () => {
    expect(callsOf([{ index: 0, id: 'a', arguments: '{}' }])).toEqual([])
    expect(callsOf([pay('{"a":1}', { index: 0 }), { index: 0, arguments: '{"a":2}' }])).toEqual([
      [null, 'pay', '{"a":1}{"a":2}'],
    ])
    const whole = pay('{"a":1}', { index: 0, id: 'a' })
    expect(callsOf([whole, whole, { index: 0, arguments: '{"a":2}' }, whole]).map(([, , args]) => args)).toEqual([
      '{"a":1}{"a":2}',
      '{"a":1}',
    ])
  })

  it('takes time in proportion to the text, also of pieces behind an object', { tags: 'growth' }, async () => {
    const run = (size: number) => {
      const big = `{"a":"${'x'.repeat(size)}"}`
      const rest = Array.from({ length: size / 4 }, () => ({ index: 0, arguments: '{}' }))
      return callsOf([pay(big, { index: 0, id: 'a' }), ...rest])
    }
    expect(await growthOf(run, 1000)).toBeLessThan(1.75)
  })
})
