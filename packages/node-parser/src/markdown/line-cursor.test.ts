import { describe, expect, it } from 'vitest'
import { LineCursor } from './line-cursor.ts'

function at(line: string, start = 0): LineCursor {
  const cursor = new LineCursor()
  cursor.begin(line, start, line.length)
  return cursor
}

describe('LineCursor', () => {
  it.each<[string, number, number, number, number]>([
    ['    x', 3, 3, 3, 0],
    ['  x', 3, 2, 2, 0],
    ['\tx', 1, 1, 0, 3],
    ['\tx', 4, 4, 1, 0],
    [' \tx', 2, 2, 1, 2],
    ['x', 3, 0, 0, 0],
    ['', 3, 0, 0, 0],
  ])('consumes columns of %j', (line, limit, taken, position, rest) => {
    const cursor = at(line)
    expect([cursor.take(limit), cursor.position, cursor.rest]).toEqual([taken, position, rest])
  })

  it('goes back, also into a tab', () => {
    const cursor = at('\t\tx')
    cursor.take(1)
    const { position, column, rest } = cursor
    cursor.take(5)
    expect(cursor.restore(position, column, rest)).toBe(false)
    expect(cursor.take(9)).toBe(7)
  })

  it('knows whether the rest of the line is blank, and where its text starts', () => {
    const cursor = at('  a \t ')
    expect([cursor.isBlank(), cursor.next]).toEqual([false, 2])
    cursor.position = 3
    expect(cursor.isBlank()).toBe(true)
    cursor.begin('b', 0, 1)
    expect(cursor.isBlank()).toBe(false)
  })

  it.each([
    ['***', true],
    ['* * *', true],
    ['*\t*\t*  ', true],
    ['**', false],
    ['* * x', false],
    ['* * -', false],
  ])('%j is a thematic break: %s', (line, isBreak) => {
    const cursor = at(line)
    expect(cursor.isBreak(0, '*'.charCodeAt(0))).toBe(isBreak)
    // The second answer is cached.
    expect(cursor.isBreak(2, '*'.charCodeAt(0))).toBe(false)
  })
})
