import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { defaultParseChoiceSelectAnswerFn as parse, readChoices } from './parse-choices.ts'

describe('defaultParseChoiceSelectAnswerFn', () => {
  it.each<[string, [number, number][]]>([
    [
      'Doc: 1, Relevance: 8\r\nDoc: 3, Relevance: 5',
      [
        [1, 8],
        [3, 5],
      ],
    ],
    ['Doc: #2., Score: about 7.25 of 10', [[2, 7.25]]],
    ['Doc: “2”, Relevance: -3', [[2, -3]]],
    ['Doc: +2, Relevance: 1e3', [[2, 1000]]],
    ['Doc: 2: x, Relevance: 4: 9', [[2, 4]]],
    ['Doc: 2, it is about: 3, 4', [[2, 3]]],
    ['Doc: 2.5, Relevance: 3', []],
    ['Doc: -2, Relevance: -3', []],
    ['Doc: ２, Relevance: 3', [[2, 3]]],
    ['Doc: two, Relevance: 3\nDoc: 1, Relevance: 4', [[1, 4]]],
    ['Doc: 9, Relevance: 3\nDoc: 0, Relevance: 1\nDoc: -1, Relevance: 1', []],
    [
      'Doc: 1, Relevance: 3\nDoc: 1, Relevance: 0',
      [
        [1, 3],
        [1, 0],
      ],
    ],
    [`Doc: 1, Relevance: ${'9'.repeat(400)}`, []],
    ['Therefore, none are relevant.', []],
  ])('reads %j', (answer, expected) => {
    const { choices, relevances } = parse(answer, 5)
    expect(choices.map((choice, index) => [choice, relevances[index]])).toEqual(expected)
  })

  it('throws an error for an answer that is not a string', () => {
    expect(() => parse(5 as never, 5)).toThrow(
      'defaultParseChoiceSelectAnswerFn.answer: expected a string, received 5.',
    )
  })

  it('throws an error with the first line of a different form in strict mode', () => {
    expect(() => parse('Doc: 1, Relevance: 8\n\nhello', 5, true)).toThrow(
      expect.objectContaining({ code: 'choice_parse', line: 'hello' }),
    )
    expect(parse('Doc: 1-2, Relevance: -1,5', 5, true)).toEqual({ choices: [1, 2], relevances: [-1.5, -1.5] })
    expect(parse('\nDoc: 1, Relevance: 8\nDoc: 9, Relevance: 8\n', 5, true)).toEqual({ choices: [1], relevances: [8] })
  })

  it.each([
    ['Doc: 23', 'the line has no comma'],
    ['Doc 2, Relevance: 7', 'the line has no colon before or after the comma'],
    ['Doc: 2, Relevance 7', 'the line has no colon before or after the comma'],
    ['Doc: two, Relevance: 7', 'the document number is not a number'],
    ['Doc: 2, Relevance: seven', 'the relevance is not a number, or the range of documents is empty'],
    ['Doc: 3-2, Relevance: 7', 'the relevance is not a number, or the range of documents is empty'],
  ])('says in strict mode why %j is refused', (line, reason) => {
    expect(() => parse(line, 5, true)).toThrow(reason)
  })

  it.each<[string, [number, number][]]>([
    [':2,:7', [[2, 7]]],
    ['Doc: 2: x, Relevance: 4: 9', [[2, 4]]],
    ['Doc: 2, of these: 4, 5', [[2, 4]]],
    ['文書：２、関連度：７。', [[2, 7]]],
    ['Doc: 2, Relevance: 7。5', [[2, 7.5]]],
    ['Doc:\u00a02\u200b, Relevance: \u22127', [[2, -7]]],
    ['Doc: 5-9, Relevance: 4', [[5, 4]]],
    ['Doc: -1, Relevance: 4', []],
    ['Doc: 0-1, Relevance: 4', [[1, 4]]],
  ])('reads the line %j in strict mode', (line, expected) => {
    const { choices, relevances } = parse(line, 5, true)
    expect(choices.map((choice, index) => [choice, relevances[index]])).toEqual(expected)
  })

  it.each([
    ['', false],
    ['No relevant documents.', false],
    ['[]', false],
    ['I like them all.', true],
    ['Doc: 9, Relevance: 1', false],
    ['Doc: 1, Relevance: 1', false],
  ])('says of %j whether it is unreadable', (answer, unreadable) => {
    expect(readChoices(answer, 5).unreadable).toBe(unreadable)
  })

  it('never throws in tolerant mode, and returns arrays of equal length', () => {
    const part = fc.constantFrom('Doc', ':', ',', ' ', '1', '2', '.', '\n', '*', '-', 'Relevance', '[', '(', '٣')
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join('')),
        (answer) => {
          const { choices, relevances } = parse(answer, 3)
          expect(choices.length).toBe(relevances.length)
          expect(choices.every((choice) => choice >= 1 && choice <= 3) && relevances.every(Number.isFinite)).toBe(true)
        },
      ),
    )
  })

  it.each([
    ['Doc:', ' ', 'x, a: 1'],
    ['Doc:', '#', ', a: 1'],
    ['', ',', ''],
    ['', ':', ''],
    ['a:1', '*', '!, b: 2'],
  ])('takes linear time on %j, many %j, %j', { tags: 'growth' }, async (start, unit, end) => {
    expect(await growthOf((size) => parse(start + unit.repeat(size) + end, 5), 20_000)).toBeLessThan(1.75)
  })
})
