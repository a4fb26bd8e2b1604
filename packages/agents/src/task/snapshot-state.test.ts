import { ChatMemoryBuffer } from '@x/core-model/memory'
import { expect, it } from 'vitest'
import { snapshotState } from './task-step.ts'

/** A log whose entries only its methods can read. */
function logOf(entries: string[]) {
  return { entries: () => entries, add: (entry: string) => entries.push(entry), clone: () => logOf([...entries]) }
}

it('a snapshot does not change with the state', () => {
  const state = {
    list: ['a'],
    object: { a: 1 } as Record<string, number>,
    map: new Map([['a', 1]]),
    set: new Set(['a']),
    memory: ChatMemoryBuffer.fromDefaults({ chatHistory: [{ content: 'a' }] }),
    log: logOf(['a']),
  }
  const before = snapshotState(state) as typeof state
  state.list.push('b')
  state.object['b'] = 2
  state.map.set('b', 2)
  state.set.add('b')
  state.memory.reset()
  state.log.add('b')
  expect([before.list, before.object, [...before.map.keys()], [...before.set]]).toEqual([['a'], { a: 1 }, ['a'], ['a']])
  expect(before.memory.getAll().map(String)).toEqual(['user: a'])
  expect(before.log.entries()).toEqual(['a'])
})

it('a snapshot shares immutable values', () => {
  const output = Object.freeze(new Date(0))
  const copy = snapshotState({ output, text: 'a', none: null })
  expect(copy).toEqual({ output, text: 'a', none: null })
  expect(copy['output']).toBe(output)
})
