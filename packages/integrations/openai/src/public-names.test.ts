import { expect, it } from 'vitest'
import * as openai from './index.ts'

it('exports these names', () => {
  expect(Object.keys(openai).sort().join(' ')).toMatchInlineSnapshot(`"OpenAI OpenAIEmbedding"`)
})
