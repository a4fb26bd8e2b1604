import { inspect } from 'node:util'
import { CallbackManager, ChatMessage } from '@x/core-model'
import { withRetry } from '@x/llm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { OpenAI, type OpenAIOptions } from './openai.ts'
import { OpenAIEmbedding } from './openai-embedding.ts'
import { OpenAIResponses } from './openai-responses.ts'

const KEY = 'SECRETKEY-0123'
const question = [new ChatMessage({ content: 'Hi' })]

let server: LoopbackServer
let baseUrl: string
beforeEach(async () => {
  server = new LoopbackServer()
  baseUrl = await server.start()
})
afterEach(() => server.stop())

/** Returns all that an error shows, whole and streamed, and what the events of the call contain. */
async function shown(options: Partial<OpenAIOptions>, answer: Answer, callOptions = {}): Promise<string> {
  const events: unknown[] = []
  const handler = {
    eventStartsToIgnore: [],
    eventEndsToIgnore: [],
    startTrace: () => {},
    endTrace: () => {},
    onEventStart: (...given: unknown[]) => void events.push(given),
    onEventEnd: (...given: unknown[]) => void events.push(given),
  }
  const callbackManager = new CallbackManager([handler as never])
  const llm = new OpenAI({ baseUrl, model: 'm', callbackManager, ...options })
  server.willAnswer(answer, answer)
  const errors: unknown[] = []
  await llm.chat(question, callOptions).catch((error) => errors.push(error))
  try {
    for await (const _ of llm.streamChat(question, callOptions));
  } catch (error) {
    errors.push(error)
  }
  expect(errors).toHaveLength(2)
  for (const error of errors) expect(error).toMatchObject({ code: 'model_call' })
  return (
    inspect({ errors, events, llm }, { depth: 20, showHidden: true }) + errors.map((error) => (error as Error).stack)
  )
}

const echo: Answer = (response, { url, headers }) =>
  json({ error: { message: `bad ${JSON.stringify(headers)} ${url} ${KEY}` } }, 401)(response, {} as never)

describe('secrets of a request', () => {
  const address = (change: (url: URL) => void) => {
    const url = new URL(baseUrl)
    change(url)
    return url.href
  }
  const credentials: Record<string, () => { options: Partial<OpenAIOptions>; call?: object }> = {
    'the key': () => ({ options: { apiKey: KEY } }),
    'a key that a function returns': () => ({ options: { apiKey: async () => KEY } }),
    'a header': () => ({ options: { headers: { 'api-key': KEY } } }),
    'a header of the call': () => ({ options: {}, call: { headers: { 'x-gateway': KEY } } }),
    'a key in the address': () => ({ options: { baseUrl: address((url) => url.searchParams.set('key', KEY)) } }),
    'a password in the address': () => ({
      options: {
        baseUrl: address((url) => {
          url.username = 'me'
          url.password = KEY
        }),
      },
    }),
  }
  const answers: Record<string, Answer> = {
    'a refusal that repeats it': echo,
    'a body that is not JSON': (response) => void response.writeHead(500).end(`${'x'.repeat(390)} ${KEY}`),
    'an answer that is not JSON': (response) => void response.end(`${KEY} is no JSON`),
    'an error in the answer': json({ error: { message: `bad ${KEY}`, code: 'invalid_request' } }),
    'a broken connection': (response) => void response.destroy(),
  }
  for (const [where, given] of Object.entries(credentials))
    it.each(Object.entries(answers))(`are in no error or event: ${where}, %s`, async (_, answer) => {
      const { options, call } = given()
      expect(await shown(options, answer, call)).not.toMatch(/SECRETKEY/)
    })

  it('reach the server as a header when they are in the address', async () => {
    server.willAnswer(json({ choices: [{ message: { content: 'ok' } }] }))
    const url = baseUrl.replace('http://', 'http://me:p%40ss@')
    await new OpenAI({ baseUrl: url, model: 'm' }).chat(question)
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${btoa('me:p@ss')}`)
  })

  it('are not in the error of an invalid address', () => {
    const create = () => new OpenAI({ baseUrl: `${KEY}@host`, model: 'm' })
    expect(create).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(create).not.toThrow(KEY)
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('is not followed: %i', async (status) => {
    const other = new LoopbackServer()
    const location = await other.start()
    const answer: Answer = (response) => void response.writeHead(status, { location }).end()
    const text = await shown({ apiKey: KEY }, answer)
    expect(text).toContain('redirects to another address')
    expect(text).toContain("kind: 'bad_request'")
    expect(other.requests).toEqual([])
    await other.stop()
  })
})

describe('the limit of an answer', () => {
  /** Sends a piece again and again until the client leaves, at most 2,000 times. */
  const endless =
    (piece: string, status = 200): Answer =>
    async (response) => {
      response.on('error', () => {})
      response.writeHead(status, { 'content-type': 'text/event-stream' })
      for (let count = 0; count < 2000 && !response.destroyed; count++) {
        response.write(piece)
        await new Promise(setImmediate)
      }
      response.end()
    }
  const delta = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(1000) } }] })}\n\n`

  it('ends an answer and a stream that are longer, and is not repeated', async () => {
    const llm = withRetry(new OpenAI({ baseUrl, model: 'm', maxAnswerBytes: 50_000 }), { maxAttempts: 3 })
    server.willAnswer(endless(delta))
    await expect(llm.chat(question)).rejects.toMatchObject({ kind: 'bad_response' })
    server.willAnswer(endless(delta))
    await expect(
      (async () => {
        for await (const _ of llm.streamChat(question));
      })(),
    ).rejects.toThrow('more than 50000 bytes')
    server.willAnswer(endless(delta))
    const embedding = new OpenAIEmbedding({ baseUrl, modelName: 'm', maxAnswerBytes: 50_000 })
    await expect(embedding.getTextEmbedding('x')).rejects.toMatchObject({ kind: 'bad_response' })
    expect(server.requests).toHaveLength(3)
  })

  it('reads only the beginning of an error', async () => {
    server.willAnswer(endless('y'.repeat(1000), 503))
    await expect(new OpenAI({ baseUrl, model: 'm' }).chat(question)).rejects.toMatchObject({ status: 503 })
    await expect.poll(() => server.left).toBe(1)
  })

  it('does not concern answers of exactly this length', async () => {
    const text = JSON.stringify({ choices: [{ message: { content: 'ok' } }] })
    server.willAnswer(pieces([text], { type: 'application/json' }))
    const llm = new OpenAI({ baseUrl, model: 'm', maxAnswerBytes: text.length })
    expect(String(await llm.chat(question))).toBe('ok')
  })

  it('is an integer of at least 1', () => {
    expect(() => new OpenAI({ model: 'm', maxAnswerBytes: 0 })).toThrow('maxAnswerBytes')
  })
})

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
        message: `${name}.apiKey: expected a key for https://api.openai.com/v1, received ${received}; check its environment variable.`,
      }),
    )
    for (const baseUrl of ['https://api.openai.com/v1', 'https://api.openai.com/v1/'])
      expect(() => make({ apiKey, baseUrl })).toThrow(expect.objectContaining({ code: 'model_validation' }))
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
    ['top_p', 'body'],
    ['reasoningEffort', 'body'],
    ['modelKwargs', 'body'],
    ['organization', 'headers'],
  ])('leads to the right one: %s', (word, right) => {
    const create = () => new OpenAI({ model: 'm', [word]: 1 })
    expect(create).toThrow(`OpenAI.${word}: unknown option; did you mean ${right}?`)
  })
})
