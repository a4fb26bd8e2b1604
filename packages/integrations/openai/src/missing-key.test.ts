import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OpenAI } from './openai.ts'
import { OpenAIEmbedding } from './openai-embedding.ts'
import { OpenAIResponses } from './openai-responses.ts'

/** The models, and a call of each. */
const models = {
  OpenAI: {
    make: (options: object) => new OpenAI({ model: 'm', ...options }),
    call: (options: object) => new OpenAI({ model: 'm', ...options }).complete('x'),
  },
  OpenAIResponses: {
    make: (options: object) => new OpenAIResponses({ model: 'm', ...options }),
    call: (options: object) => new OpenAIResponses({ model: 'm', ...options }).complete('x'),
  },
  OpenAIEmbedding: {
    make: (options: object) => new OpenAIEmbedding({ modelName: 'm', ...options }),
    call: (options: object) => new OpenAIEmbedding({ modelName: 'm', ...options }).getTextEmbedding('x'),
  },
}

describe.each(Object.entries(models))('a missing key of %s', (name, { make, call }) => {
  const platform = globalThis.fetch
  let requests = 0
  beforeEach(() => {
    requests = 0
    globalThis.fetch = async () => {
      requests++
      return new Response('{}', { status: 401 })
    }
  })
  afterEach(() => {
    globalThis.fetch = platform
  })

  it.each([
    [undefined, 'undefined'],
    ['', 'an empty string'],
  ])('that is passed is refused at once, at the public address: %j', (apiKey, received) => {
    expect(() => make({ apiKey })).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        message: `${name}.apiKey: expected a key for https://api.openai.com/v1, received ${received}; is its environment variable set?.`,
      }),
    )
    make({ apiKey, baseUrl: 'http://localhost:11434/v1' })
    make({ apiKey, headers: { authorization: 'Bearer own' } })
    make({ apiKey, fetch: platform })
  })

  it.each([{}, { apiKey: () => '' }, { apiKey: async () => undefined as never }])(
    'is refused before the request otherwise: %o',
    async (options) => {
      await expect(call(options)).rejects.toMatchObject({
        code: 'model_call',
        kind: 'auth',
        message: expect.stringContaining('https://api.openai.com/v1: no apiKey'),
      })
      expect(requests).toBe(0)
    },
  )

  it('is the business of another server', async () => {
    await expect(call({ baseUrl: 'https://other.example/v1' })).rejects.toMatchObject({ status: 401 })
    expect(requests).toBe(1)
  })
})

describe('what other libraries call an option', () => {
  it.each([
    ['timeout', 'idleMs'],
    ['host', 'baseUrl'],
    ['maxRetries', 'withRetry'],
    ['additionalKwargs', 'body'],
  ])('leads to the right one: %s', (word, right) => {
    const create = () => new OpenAI({ model: 'm', [word]: 1 })
    expect(create).toThrow(`OpenAI.${word}: unknown option; did you mean ${right}?`)
  })
})
