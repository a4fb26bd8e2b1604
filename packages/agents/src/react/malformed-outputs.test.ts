/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
// @ts-expect-error plain JavaScript, so that it runs without a build
import { scoreParser } from '../../corpus/score-parser.mjs'
import { ReActOutputParser } from './react-output-parser.ts'

it('reads the whole collection of malformed outputs', async () => {
  const file = new URL('../../corpus/malformed-react-outputs.json', import.meta.url)
  const { cases } = JSON.parse(readFileSync(file, 'utf8'))
  const parser = new ReActOutputParser()
  const { right, total, wrong } = await scoreParser((text: string) => parser.parse(text), cases)
  expect(wrong).toEqual([])
  expect(total).toBeGreaterThanOrEqual(200)
  expect(right).toBe(total)
})
