import { ModelCallError, type ModelCallErrorKind } from '@x/llm'
import { describe, expect, it } from 'vitest'
import { explainedFailure } from './model-failure.ts'
import { readModel } from './model-options.ts'

const common = { timeoutMs: 1000, textTools: false }
const read = (model?: string, baseUrl?: string) => readModel({ model, baseUrl, ...common })
const server = (model: string, baseUrl: string) => ({ provider: { kind: 'server', baseUrl }, model, ...common })

describe('readModel', () => {
  it.each([
    ['openai:gpt-5-mini', undefined, server('gpt-5-mini', 'https://api.openai.com/v1')],
    ['openai:gpt-5-mini', 'http://proxy/v1', server('gpt-5-mini', 'http://proxy/v1')],
    ['ollama:llama3.2:3b', undefined, server('llama3.2:3b', 'http://localhost:11434/v1')],
    ['qwen:7b', 'http://localhost:8080/v1', server('qwen:7b', 'http://localhost:8080/v1')],
    [
      'ai-sdk:@ai-sdk/anthropic:claude:1',
      undefined,
      { provider: { kind: 'ai-sdk', package: '@ai-sdk/anthropic' }, model: 'claude:1', ...common },
    ],
    [undefined, undefined, null],
  ])('reads %j on the server %j', (model, baseUrl, expected) => {
    expect(read(model, baseUrl)).toEqual(expected)
  })

  it.each([
    [undefined, 'http://localhost', '--base-url needs --model'],
    ['qwen', undefined, '--model needs openai:, ollama: or ai-sdk:'],
    ['openai:', undefined, 'expected openai:NAME, received "openai:"'],
    ['ai-sdk:@ai-sdk/anthropic', undefined, 'expected ai-sdk:PACKAGE:NAME'],
    ['qwen', 'ftp://x', 'expected an http or https address, received "ftp://x"'],
  ])('says why %j on the server %j is not a model', (model, baseUrl, message) => {
    expect(read(model, baseUrl)).toContain(message)
  })
})

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
