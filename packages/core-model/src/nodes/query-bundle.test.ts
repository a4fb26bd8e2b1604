import { describe, expect, it } from 'vitest'
import { QueryBundle } from './query-bundle.ts'

describe('QueryBundle', () => {
  it.each([
    [{ queryStr: 'q' }, ['q']],
    [{ queryStr: '' }, []],
    [{ queryStr: 'q', customEmbeddingStrs: ['a', 'b'] }, ['a', 'b']],
    [{ queryStr: 'q', customEmbeddingStrs: [] }, []],
  ])('%j has the embeddingStrs %j', (options, texts) => {
    expect(new QueryBundle(options).embeddingStrs).toEqual(texts)
  })

  it('is a record that converts to its query string', () => {
    expect(String(new QueryBundle({ queryStr: 'q' }))).toBe('q')
    expect(new QueryBundle({ queryStr: 'q' }).toDict()).toEqual({
      query_str: 'q',
      image_path: null,
      custom_embedding_strs: null,
      embedding: null,
    })
  })
})
