import { ChatMessage } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { CallIds, type LoopState } from './loop-state.ts'

const result = (id: string) => new ChatMessage({ role: 'tool', content: 'ok', additionalKwargs: { tool_call_id: id } })

/** The ids of step 3 of a task whose earlier results have these ids. */
function idsAfter(...earlier: readonly string[]): CallIds {
  const messages = earlier.map(result)
  return new CallIds({ new_memory: { getAll: () => messages } } as unknown as LoopState, 3)
}

describe('CallIds', () => {
  it.each(['a', 'call-1_B', 'x'.repeat(40)])('keeps the id %s of a provider', (id) => {
    expect(idsAfter('b').id(id, 0)).toBe(id)
  })

  it.each([null, '', 'x'.repeat(41), 'a b', 'ä', 'a.b'])('replaces the id %j, which some provider refuses', (id) => {
    expect(idsAfter().id(id, 2)).toBe('call_3_2')
  })

  it('returns the same id for a position each time', () => {
    const ids = idsAfter()
    expect([ids.id('a', 0), ids.id('b', 0), ids.id(null, 1), ids.id('c', 1)]).toEqual([
      'a',
      'a',
      'call_3_1',
      'call_3_1',
    ])
  })

  it('replaces an id of the same turn or of an earlier one', () => {
    const ids = idsAfter('old')
    expect(['a', 'a', 'old'].map((id, position) => ids.id(id, position))).toEqual(['a', 'call_3_1', 'call_3_2'])
  })

  it('adds a number to its own id if a provider has used that, in the turn or before', () => {
    expect(idsAfter('call_3_0').id(null, 0)).toBe('call_3_0_2')
    expect(idsAfter('call_3_0', 'call_3_0_2').id(null, 0)).toBe('call_3_0_3')
    const ids = idsAfter('call_3_1_3')
    expect(['call_3_1', null, 'call_3_1_2'].map((id, position) => ids.id(id, position))).toEqual([
      'call_3_1',
      'call_3_1_2',
      'call_3_2',
    ])
    const taken = idsAfter('call_3_2')
    expect(['call_3_2_2', 'b', null].map((id, position) => taken.id(id, position)).at(-1)).toBe('call_3_2_3')
  })

  it('looks at the messages of the request, once they are known', () => {
    const ids = idsAfter('old')
    ids.messages = [new ChatMessage({ content: 'Hi' }), result('sent')]
    expect(['old', 'sent'].map((id, position) => ids.id(id, position))).toEqual(['old', 'call_3_1'])
  })

  it('assigns ids and places, and names the id of a provider only if it has another one', () => {
    const ids = idsAfter('old')
    const call = (id: string) => ({ id, name: 'look', arguments: '{}' })
    const assigned = ids.assign([call('a'), call('old'), call('')])
    expect(assigned).toEqual([
      { ...call('a'), place: '3/0' },
      { ...call('call_3_1'), place: '3/1', providerId: 'old' },
      { ...call('call_3_2'), place: '3/2' },
    ])
    expect(assigned.map((one) => ids.positionOf(one))).toEqual([0, 1, 2])
    expect(ids.positionOf(call('old'))).toBe(-1)
  })
})
