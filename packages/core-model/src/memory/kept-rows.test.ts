import { expect, it } from 'vitest'
import { KeptRows } from './kept-rows.ts'

const rowsOf = (room?: number) => {
  const parsed: string[] = []
  const parse = (text: string) => {
    parsed.push(text)
    return { text }
  }
  return { rows: new KeptRows<{ text: string }>(parse, ['text'], room), parsed }
}

it('reads a row again if its text, its place or the value has changed', () => {
  const { rows, parsed } = rowsOf()
  const first = rows.read('ann', 0, 'Hello')
  expect(rows.read('ann', 0, 'Hello')).toBe(first)
  expect(rows.read('ann', 1, 'Hello')).not.toBe(first)
  expect(rows.read('bob', 0, 'Hello')).not.toBe(first)
  expect(rows.read('ann', 0, 'Bye')).toEqual({ text: 'Bye' })
  const value = rows.read('ann', 1, 'Hello')
  value.text = 'changed by the caller'
  expect(rows.read('ann', 1, 'Hello')).toEqual({ text: 'Hello' })
  expect(parsed).toEqual(['Hello', 'Hello', 'Hello', 'Bye', 'Hello'])
})

it('knows a row without its text, unless the value has changed', () => {
  const { rows } = rowsOf()
  expect(rows.known('ann', 0)).toBe(undefined)
  const value = rows.read('ann', 0, 'Hello')
  expect(rows.known('ann', 0)).toBe(value)
  expect(rows.known('bob', 0)).toBe(undefined)
  value.text = 'changed by the caller'
  expect(rows.known('ann', 0)).toBe(undefined)
})

it('forgets the conversations that were not read for the longest time', () => {
  const { rows, parsed } = rowsOf(10)
  rows.read('ann', 0, '1234')
  rows.read('bob', 0, '1234')
  rows.read('ann', 0, '1234')
  rows.read('cyd', 0, '1234')
  expect(parsed).toHaveLength(3)
  rows.read('ann', 0, '1234')
  expect(parsed).toHaveLength(3)
  rows.read('bob', 0, '1234')
  expect(parsed).toHaveLength(4)
})

it('reads rows that are larger than its room', () => {
  const { rows, parsed } = rowsOf(3)
  for (const text of ['12345', '12345']) expect(rows.read('ann', 0, text)).toEqual({ text })
  expect(parsed).toHaveLength(2)
})
