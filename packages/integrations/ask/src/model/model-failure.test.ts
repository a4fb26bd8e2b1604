import { ModelCallError, type ModelCallErrorKind } from '@x/llm'
import { expect, it } from 'vitest'
import { explainedFailure } from './model-failure.ts'

const options = {
  provider: { kind: 'server' as const, baseUrl: 'http://models/v1' },
  model: 'tiny',
  timeoutMs: 2000,
  textTools: false,
}

it.each<[ModelCallErrorKind, number | undefined, string]>([
  ['auth', 401, 'rejects the key (HTTP 401): it fails. Is OPENAI_API_KEY set and correct?'],
  ['rate_limit', 429, 'is rate limited (HTTP 429): it fails. Continue later with --resume.'],
  ['timeout', undefined, 'sent no data for 2 s. --timeout sets this limit.'],
  ['connection', undefined, 'cannot be reached, or closed the connection: it fails. Continue later with --resume.'],
  ['context_length', 400, 'says that the request is too long for the model (HTTP 400): it fails.'],
  ['content_filter', 400, 'refuses the request (HTTP 400): it fails.'],
  ['bad_request', 404, 'does not know this address or model (HTTP 404): it fails. Are --base-url and --model correct?'],
  ['bad_request', 400, 'refuses the request (HTTP 400): it fails. If the model has no tool calls, pass --text-tools.'],
  ['overloaded', 500, 'failed (HTTP 500): it fails. Continue later with --resume.'],
])('explains a failure of the kind %s with the status %j', (kind, status, message) => {
  const failure = new ModelCallError('http://models/v1: it fails.', { kind, ...(status !== undefined && { status }) })
  expect(explainedFailure(new Error('outer', { cause: failure }), options)).toMatchObject({
    exitCode: 4,
    message: `The model server http://models/v1 ${message}`,
  })
})

it('returns an error that is not about the model', () => {
  const error = new TypeError('x')
  expect(explainedFailure(error, options)).toBe(error)
})
