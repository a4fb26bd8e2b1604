import { isToolkitError } from '@x/core'
import { describe, expect, it } from 'vitest'
import { readTestSet, type TestQuestion, writeTestSet } from './test-set.ts'

/** The message for a wrong line, which is the third one. */
function refusal(line: string): string {
  try {
    readTestSet(`{"question":"a","places":[]}\n\n${line}\n`)
  } catch (error) {
    if (isToolkitError(error, 'test_set')) return error.message
    throw error
  }
  return 'accepted'
}

describe('a test set', () => {
  it('is the same after writing and reading', () => {
    const questions: TestQuestion[] = [
      { id: 'a', question: 'Wo?\nHier.', places: [{ source: 'a.md', lines: [1, 1], grade: 2 }], answer: 'Da.' },
      {
        id: 'b',
        question: '"é" 🎉',
        places: [{ source: 'b', offsets: [0, 1] }, { source: 'c' }, { source: 'd', quote: 'in d' }],
        origin: 'text',
      },
      { id: 'c', question: 'none', places: [] },
    ]
    expect(readTestSet(writeTestSet(questions))).toEqual(questions)
  })

  it('is read with a byte-order mark, Windows lines and blank lines, and numbers questions by their lines', () => {
    const read = readTestSet('\uFEFF{"question":"a","places":[]}\r\n\r\n{"question":"b","places":[]}')
    expect(read.map(({ id }) => id)).toEqual(['1', '3'])
  })

  it.each([
    ['{', /^line 3: expected JSON, received another string/],
    ['[]', 'line 3: the line: expected an object, received [].'],
    ['null', 'line 3: the line: expected an object, received null.'],
    ['{"places":[]}', 'line 3: question: expected a string that is not empty, received nothing.'],
    ['{"question":" ","places":[]}', 'line 3: question: expected a string that is not empty, received " ".'],
    [
      '{"question":"a"}',
      'line 3: places: expected an array, empty for a question without an answer, received nothing.',
    ],
    [
      '{"question":"a","place":[]}',
      'line 3: the line: unknown field "place"; there are id, question, places, answer, origin.',
    ],
    ['{"question":"a","places":[{}]}', 'line 3: places[0].source: expected the name of a file, received nothing.'],
    [
      '{"question":"a","places":[{"source":"a","lines":[0,1]}]}',
      'line 3: places[0].lines: expected [first, last], two line numbers of at least 1, received [0,1].',
    ],
    ['{"question":"a","places":[{"source":"a","lines":[3,2]}]}', /places\[0\]\.lines/],
    ['{"question":"a","places":[{"source":"a","lines":[1.5,2]}]}', /places\[0\]\.lines/],
    ['{"question":"a","places":[{"source":"a","offsets":[2,2]}]}', /places\[0\]\.offsets/],
    [
      '{"question":"a","places":[{"source":"a","offsets":[1,2],"lines":[1,2]}]}',
      'line 3: places[0]: expected one of lines, offsets and quote, received several.',
    ],
    [
      '{"question":"a","places":[{"source":"a","grade":0}]}',
      'line 3: places[0].grade: expected a number above 0, received 0.',
    ],
    [
      '{"question":"a","places":[{"source":"a","page":1}]}',
      /unknown field "page"; there are source, lines, offsets, quote, grade/,
    ],
    ['{"question":"a","places":[],"id":1}', 'line 3: id: expected a string that is not empty, received 1.'],
    ['{"question":"a","places":[],"id":"1"}', 'line 3: id: "1" is the id of line 1 too; ids must be unique.'],
    [
      '{"question":"a","places":[],"origin":"me"}',
      'line 3: origin: expected "person", "text" or "model", received "me".',
    ],
    ['{"question":"a","places":[],"answer":null}', 'line 3: answer: expected a string, received null.'],
  ])('refuses %s', (line, message) => {
    expect(refusal(line)).toMatch(message)
  })

  it('names the line of a mistake', () => {
    expect(() => readTestSet('\n\n{}')).toThrow(expect.objectContaining({ code: 'test_set', line: 3 }))
  })
})
