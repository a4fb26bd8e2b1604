import { describe, expect, it } from 'vitest'
import { unknownName } from './unknown-name.ts'

const agent = [
  'llm',
  'tools',
  'systemPrompt',
  'maxIterations',
  'maxToolConcurrency',
  'outputSchema',
  'apiKey',
  'timeoutMs',
]

describe('unknownName', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['maxIteration', agent, 'maxIterations'],
    ['maxItratoins', agent, 'maxIterations'],
    ['MAXITERATIONS', agent, 'maxIterations'],
    ['max_iterations', agent, 'maxIterations'],
    ['system', agent, 'systemPrompt'],
    ['prompt', agent, 'systemPrompt'],
    ['systemMessage', agent, 'systemPrompt'],
    ['output', agent, 'outputSchema'],
    ['maxSteps', agent, 'maxIterations'],
    ['openAIApiKey', agent, 'apiKey'],
    ['api_key', agent, 'apiKey'],
    ['timeout', agent, 'timeoutMs'],
    ['requestTimeout', agent, 'timeoutMs'],
    ['inputSchema', ['schema', 'outputSchema', 'fn'], 'schema'],
    ['modelName', ['model', 'mode', 'baseUrl'], 'model'],
    ['model', ['modelName', 'baseUrl'], 'modelName'],
    ['baseURL', ['model', 'baseUrl'], 'baseUrl'],
    ['k', ['tokenizer', 'similarityTopK', 'apiKey'], 'similarityTopK'],
    ['topK', ['similarityTopK', 'topN'], 'similarityTopK'],
    ['embeddings', ['embedModel', 'embedBatchSize'], 'embedModel'],
    ['top', ['tokenizer'], undefined],
    ['elsewhere', agent, undefined],
    ['', agent, undefined],
    ['$', agent, undefined],
  ])('finds the option for %s among %j', (name, known, right) => {
    const advice = right ? `; did you mean ${right}?` : ''
    expect(unknownName(name, known)).toEqual({ path: name, message: `unknown option${advice}`, code: 'unknown' })
  })

  it('prefers the option that other libraries call so', () => {
    expect(unknownName('parameters', ['parameter', 'fn'], 'fn').message).toBe('unknown option; did you mean fn?')
  })
})
