import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { readPiiAnswer } from './read-pii-answer.ts'

const read = (answer: string) => readPiiAnswer(answer, 'PIINodePostprocessor')

describe('readPiiAnswer', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['Hi [N]\nOutput Mapping:\n{"N": "Bob"}', 'Hi [N]', { N: 'Bob' }],
    ['Hi\nOutput Mapping:\n```json\n{"N": "Bob"}\n```\nDone.', 'Hi', { N: 'Bob' }],
    ['a Output Mapping: {"A": "1"} Output Mapping: {"B": "2"}', 'a', { A: '1' }],
    ['a Output Mapping: as {asked}: {"A": "}{\\""}', 'a', { A: '}{"' }],
    ['Output Mapping: {}', '', {}],
    ['Card 5Output Mapping:\n{}', 'Card 5', {}],
    ['a\n### output mapping\n{"A": "1",}', 'a', { A: '1' }],
    ["a Output Mapping: {'A': \"O'Neil\", 'B': 'say \"x\"'}", 'a', { A: "O'Neil", B: 'say "x"' }],
    ['a Output Mapping: {"A": {"b": [1]}}', 'a', { A: { b: [1] } }],
  ])('reads %j', (answer, text, mapping) => {
    expect(read(answer)).toEqual({ text, mapping })
  })

  it.each([
    '',
    'Hi [N]',
    'x Output Mapping: [1, 2]',
    'x Output Mapping: null',
    'x Output Mapping: {N: "Bob"}',
    'x Output Mapping: {"N": "Bob"',
  ])('rejects %j and stores it in the error', (answer) => {
    expect(() => read(answer)).toThrow(expect.objectContaining({ code: 'pii_parse', answer }))
  })

  it.each(someOf(['{', '{}', '{"', '"', '{a} ', 'Output Mapping:', "{'", '# ', '<think>', '`'], 4))(
    'takes linear time on many %j',
    { tags: 'growth' },
    async (unit) => {
      expect(await growthOf((size) => read(`Output Mapping:${unit.repeat(size)}`), 5000)).toBeLessThan(1.75)
    },
  )
})
