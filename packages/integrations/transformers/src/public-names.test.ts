import { expect, it } from 'vitest'
import * as transformers from './index.ts'

it('exports these names', () => {
  expect(Object.keys(transformers).sort().join(' ')).toMatchInlineSnapshot(
    `"TransformersCrossEncoder TransformersEmbedding TransformersNer"`,
  )
})
