import { describe, expect, it } from 'vitest'
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
