import { expect, it } from 'vitest'
import { scoreParser } from '../../../test/react-outputs/score-parser.ts'
import { ReActOutputParser } from './react-output-parser.ts'

it('ReActOutputParser parses all malformed outputs of the corpus', async () => {
  const parser = new ReActOutputParser()
  const { right, total, wrong } = await scoreParser((text) => parser.parse(text))
  expect(wrong).toEqual([])
  expect(total).toBeGreaterThanOrEqual(200)
  expect(right).toBe(total)
})
