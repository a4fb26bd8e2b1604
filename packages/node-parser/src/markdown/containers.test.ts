import { describe, expect, it } from 'vitest'
import { Containers, LineCursor } from './containers.ts'

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

/** Reads lines that are not blank, and an empty string as a blank one. Returns the containers open after each line and the text. */
function read(lines: string[], codeIndent = 4): [number, string][] {
  const cursor = new LineCursor()
  const containers = new Containers(cursor, codeIndent)
  return lines.map((line) => {
    cursor.begin(line, 0, line.length)
    if (cursor.isBlank()) containers.close(containers.matchBlank())
    else {
      let matched = containers.match()
      for (let mark = containers.takeMark(false); mark !== 0; mark = containers.takeMark(false)) {
        containers.close(matched++)
        containers.open(mark)
      }
      containers.close(matched)
    }
    return [containers.count, line.slice(cursor.position)]
  })
}

describe('Containers', () => {
  it.each<[string, string[], [number, string][]]>([
    [
      'quotes',
      ['> a', '>b', 'c'],
      [
        [1, 'a'],
        [1, 'b'],
        [0, 'c'],
      ],
    ],
    [
      'nested quotes',
      ['> > a', '> b'],
      [
        [2, 'a'],
        [1, 'b'],
      ],
    ],
    [
      'items by the column of their content',
      ['- a', '  b', ' c'],
      [
        [1, 'a'],
        [1, 'b'],
        [0, ' c'],
      ],
    ],
    [
      'numbered items',
      ['10) a', '    b', '1234567890. c'],
      [
        [1, 'a'],
        [1, 'b'],
        [0, '1234567890. c'],
      ],
    ],
    [
      'siblings of the same mark',
      ['- a', '- b', '+ c'],
      [
        [1, 'a'],
        [1, 'b'],
        [1, 'c'],
      ],
    ],
    [
      'items in quotes',
      ['> - a', '>   b', '> c'],
      [
        [2, 'a'],
        [2, 'b'],
        [1, 'c'],
      ],
    ],
    [
      'tabs after marks',
      ['-\ta', '\tb'],
      [
        [1, 'a'],
        [1, 'b'],
      ],
    ],
    [
      'code in items',
      ['-     code', '  b'],
      [
        [1, '    code'],
        [1, 'b'],
      ],
    ],
    [
      'no item without a blank after its mark',
      ['-a', '1.a'],
      [
        [0, '-a'],
        [0, '1.a'],
      ],
    ],
    ['no item in a thematic break', ['- - -'], [[0, '- - -']]],
  ])('reads %s', (_, lines, expected) => {
    expect(read(lines)).toEqual(expected)
  })

  it('ends quotes at a blank line, but not the items around them', () => {
    expect(read(['- > a', '', '  b'])).toEqual([
      [2, 'a'],
      [1, ''],
      [1, 'b'],
    ])
  })

  it('ends an item that begins with two blank lines', () => {
    expect(read(['-', '  a'])).toEqual([
      [1, ''],
      [1, 'a'],
    ])
    expect(read(['-', '', '  a'])).toEqual([
      [1, ''],
      [1, ''],
      [0, '  a'],
    ])
  })

  it('has no limit of indentation where there is no indented code', () => {
    expect(read(['        - a'], Number.POSITIVE_INFINITY)).toEqual([[1, 'a']])
    expect(read(['        - a'])).toEqual([[0, '        - a']])
  })
})
