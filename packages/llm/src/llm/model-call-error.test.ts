import { inspect } from 'node:util'
import { EmptyInputError, isToolkitError } from '@x/core'
import { describe, expect, it } from 'vitest'
import { ModelCallError, modelCallErrorFrom } from './model-call-error.ts'
import { type ModelErrorFacts, modelCallErrorOf } from './model-call-error-of.ts'

describe('ModelCallError', () => {
  it('is retryable depending on its kind, unless the adapter sets it', () => {
    for (const kind of ['rate_limit', 'overloaded', 'connection', 'timeout'] as const)
      expect(new ModelCallError('m', { kind }).retryable).toBe(true)
    for (const kind of ['auth', 'bad_request', 'context_length', 'content_filter', 'bad_response'] as const)
      expect(new ModelCallError('m', { kind }).retryable).toBe(false)
    expect(new ModelCallError('m', { kind: 'bad_response', retryable: true }).retryable).toBe(true)
    expect(new EmptyInputError('nothing').retryable).toBe(false)
  })

  it('has the status, the delay and the cause', () => {
    const cause = new Error('socket')
    const error = new ModelCallError('m', { kind: 'connection', status: 502, retryAfterMs: 5, cause })
    expect(error).toMatchObject({ code: 'model_call', kind: 'connection', status: 502, retryAfterMs: 5, cause })
    expect(isToolkitError(error, 'model_call')).toBe(true)
  })
})

describe('modelCallErrorFrom', () => {
  it.each([
    [401, 'bad key', null, 'auth', false],
    [403, 'no', null, 'auth', false],
    [404, 'no such model', null, 'bad_request', false],
    [400, 'unknown parameter', null, 'bad_request', false],
    [400, 'x', 'context_length_exceeded', 'context_length', false],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', null, 'context_length', false],
    [413, 'too large', null, 'context_length', false],
    [
      400,
      'The input token count (1200293) exceeds the maximum (1048576).',
      'INVALID_ARGUMENT',
      'context_length',
      false,
    ],
    [
      400,
      "This model's maximum prompt length is 131072 but the request contains 537812.",
      null,
      'context_length',
      false,
    ],
    [400, 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000', null, 'context_length', false],
    [400, 'Input is too large to process.', null, 'context_length', false],
    [500, 'Context size has been exceeded.', 'server_error', 'context_length', false],
    [400, 'x', 'content_filter', 'content_filter', false],
    [
      400,
      'The response was filtered by the content management policy: content_policy_violation',
      null,
      'content_filter',
      false,
    ],
    [408, 'slow', null, 'timeout', true],
    [429, 'slow down', null, 'rate_limit', true],
    [429, 'You exceeded your quota', 'insufficient_quota', 'rate_limit', false],
    [500, 'oops', null, 'overloaded', true],
    [503, 'busy', null, 'overloaded', true],
    [529, 'overloaded', 'overloaded_error', 'overloaded', true],
    [302, 'moved', null, 'bad_response', false],
  ] as const)('reads %i %j (%s) as %s', (status, message, code, kind, retryable) => {
    expect(modelCallErrorFrom('m', { status, message, code })).toMatchObject({ kind, status, retryable })
  })

  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after-ms': '250', 'retry-after': '2' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' }, 30_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '5, 10' }, 10_000],
    [{ 'retry-after': '5 10' }, null],
    [{ 'retry-after': '' }, null],
    [{ 'retry-after-ms': '500, 250' }, 500],
    [{}, null],
  ])('reads the delay from %j', (headers, expected) => {
    const error = modelCallErrorFrom('m', { status: 429, message: 'x', headers: new Headers(headers), now: 30_000 })
    expect(error.retryAfterMs).toBe(expected)
  })
})

describe('the error of a model call', () => {
  const secrets = ['SECRETKEY']

  it('contains no secret in its message, stack and causes', () => {
    const deep = Object.assign(new Error('echo SECRETKEY'), { headers: { authorization: 'SECRETKEY' } })
    const cause = new TypeError('outer', { cause: deep })
    const error = modelCallErrorFrom('http://u:pw@h', { status: 401, message: 'bad SECRETKEY', cause, secrets })
    expect(error.message).toBe('http://h: bad [secret] (HTTP 401)')
    expect(inspect(error, { depth: 9 })).not.toMatch(/SECRETKEY|u:pw/)
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'outer', cause: { message: 'echo [secret]' } })
  })

  it.each([
    ['a property', Object.assign(new Error('x'), { url: 'https://h/?key=SECRETKEY' })],
    ['a property of a property', Object.assign(new Error('x'), { request: { header: ['SECRETKEY'] } })],
    ['an object', { message: 'SECRETKEY' }],
    ['a string', 'SECRETKEY'],
  ])('has a cause without secrets: %s', (_, cause) => {
    const error = new ModelCallError('x', { kind: 'auth', cause, secrets })
    expect(inspect(error, { depth: 9 })).not.toContain('SECRETKEY')
  })

  it('keeps a cause without secrets, and ends at a cause that is its own cause', () => {
    const cause = Object.assign(new Error('x'), { circle: {} as object })
    expect(new ModelCallError('x', { kind: 'auth', cause, secrets }).cause).toBe(cause)
    cause.circle = cause
    cause.cause = cause
    expect(new ModelCallError('x', { kind: 'auth', cause, secrets }).cause).toMatchObject({ message: 'x' })
  })
})

describe('modelCallErrorOf', () => {
  const made = (error: unknown, facts?: ModelErrorFacts) => modelCallErrorOf('m', error, facts) as ModelCallError
  const of = (properties: object, message = 'own') => Object.assign(new Error(message), properties)
  const long = 'x'.repeat(2000)
  const within = (objects: number, error: unknown): unknown =>
    objects === 0 ? error : { error: within(objects - 1, error) }

  it.each<[string, unknown, Partial<ModelCallError>]>([
    [
      'a status and headers',
      of({ status: 429, headers: { 'retry-after': '2' } }),
      { kind: 'rate_limit', retryAfterMs: 2000 },
    ],
    [
      'a body that is JSON text',
      of({ statusCode: 400, responseBody: '[{"error":{"message":"bad"}}]' }),
      { kind: 'bad_request', message: 'm: bad (HTTP 400)' },
    ],
    [
      'a code alone',
      of({ statusCode: 400, responseBody: '{"error":{"code":"context_length_exceeded"}}' }),
      { kind: 'context_length' },
    ],
    [
      'an error of a stream',
      of({ error: { message: 'busy', code: 502 } }),
      { kind: 'overloaded', message: 'm: busy (HTTP 502)' },
    ],
    [
      'a chunk that reports an error',
      of({ value: { error: 'stopped' } }),
      { kind: 'overloaded', message: 'm: stopped (HTTP 500)' },
    ],
    [
      'a response that failed',
      of({ value: { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'slow' } } } }),
      { kind: 'rate_limit' },
    ],
    [
      'a chunk that reports none',
      of({ value: { choices: [], message: 'x' } }),
      { kind: 'bad_response', message: 'm: own' },
    ],
    ['the lowest status', of({ error: { message: 'x', code: 400 } }), { kind: 'bad_request', status: 400 }],
    ['the highest status', of({ error: { message: 'x', code: 599 } }), { kind: 'overloaded', status: 599 }],
    [
      'no status below',
      of({ error: { message: 'x', code: 399, type: 'bad_request' } }),
      { kind: 'bad_request', status: 400 },
    ],
    [
      'a detail beside a blank message',
      of({ status: 500, body: { message: ' ', detail: 'x' } }),
      { message: 'm: x (HTTP 500)' },
    ],
    ['an empty message', of({}, ''), { kind: 'bad_response', message: 'm: Error' }],
    [
      'a name of an authentication',
      of({ error: { message: 'x', type: 'authentication_error' } }),
      { kind: 'auth', status: 401 },
    ],
    [
      'a name of a time limit',
      of({ error: { message: 'x', type: 'deadline_exceeded' } }),
      { kind: 'timeout', status: 408 },
    ],
    [
      'a code in an array',
      of({ statusCode: 400, responseBody: '[{"error":{"code":"context_length_exceeded"}}]' }),
      { kind: 'context_length' },
    ],
    ['no page', of({ status: 500, body: '<html>' }), { message: 'm: own (HTTP 500)' }],
    [
      'headers with a property get',
      of({ status: 429, headers: { get: 'x', 'retry-after': '2' } }),
      { retryAfterMs: 2000 },
    ],
    ['a bill that another status names', of({ status: 503 }, 'billing'), { kind: 'overloaded', retryable: true }],
    ...[
      { error: 'x' },
      { success: false, message: 'x' },
      { type: 'error', message: 'x' },
      { object: 'error', message: 'x' },
    ].map((value): [string, unknown, Partial<ModelCallError>] => [
      `a chunk ${JSON.stringify(value)}`,
      of({ value: { id: 'i', ...value } }),
      { message: 'm: x (HTTP 500)' },
    ]),
    ['a chunk that is a message alone', of({ value: { message: 'x' } }), { message: 'm: x (HTTP 500)' }],
    [
      'the first eight of several texts',
      of({ status: 422, body: { detail: Array.from('abcdefghi', (msg) => ({ msg })) } }),
      { message: 'm: a; b; c; d; e; f; g; h (HTTP 422)' },
    ],
    ['a number above every status', of({ error: { message: 'x', code: 600 } }), { kind: 'overloaded', status: 500 }],
    ['a text in five objects', of({ status: 500, body: within(5, 'x') }), { message: 'm: x (HTTP 500)' }],
    ['no text in six objects', of({ status: 500, body: within(6, 'x') }), { message: 'm: own (HTTP 500)' }],
    ['a text of 2,000 characters', of({ status: 500, body: long }), { message: `m: ${long} (HTTP 500)` }],
    ['no longer text', of({ status: 500, body: `${long}x` }), { message: 'm: own (HTTP 500)' }],
    ['a time limit', of({ name: 'TimeoutError' }), { kind: 'timeout' }],
    ['a connection', new TypeError('fetch failed', { cause: of({ code: 'ECONNRESET' }) }), { kind: 'connection' }],
    ['nothing that is known', of({}), { kind: 'bad_response', retryable: false }],
    ['a string', 'gone', { kind: 'overloaded', message: 'm: gone (HTTP 500)' }],
    ['an object', { message: 'slow', type: 'rate_limit_error' }, { kind: 'rate_limit' }],
    ['nothing at all', undefined, { kind: 'overloaded' }],
  ])('reads %s', (_, error, expected) => {
    expect(made(error)).toMatchObject({ code: 'model_call', ...expected })
  })

  it('uses the facts of the adapter where the error says nothing', () => {
    expect(made(of({}), { kind: 'auth' }).kind).toBe('auth')
    expect(made(of({ status: 429 }), { kind: 'auth' }).kind).toBe('rate_limit')
    expect(made(of({ status: 400 }), { kind: 'context_length' }).kind).toBe('context_length')
    expect(made(of({}, 'key K-1234'), { secrets: ['K-1234'] }).message).toBe('m: key [secret]')
  })

  it('returns errors of this family unchanged', () => {
    const error = new ModelCallError('x', { kind: 'auth' })
    expect(made(error)).toBe(error)
  })
})
