import { describe, expect, it } from 'vitest'
import { addUsage, finishReasonFrom, finishReasonOf, usageOf, usageRecord } from './response-metadata.ts'

const usage = (
  inputTokens: number,
  outputTokens: number,
  cachedInputTokens = 0,
  reasoningTokens = 0,
  total?: number,
) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  reasoningTokens,
  totalTokens: total ?? inputTokens + outputTokens,
})

describe('usageOf', () => {
  it.each([
    [
      'OpenAI chat',
      {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          total_tokens: 120,
          prompt_tokens_details: { cached_tokens: 80 },
          completion_tokens_details: { reasoning_tokens: 12 },
        },
      },
      usage(100, 20, 80, 12),
    ],
    [
      'OpenAI responses',
      {
        usage: {
          input_tokens: 10,
          output_tokens: 5,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens_details: { reasoning_tokens: 3 },
        },
      },
      usage(10, 5, 4, 3),
    ],
    [
      'Anthropic with a cache',
      {
        usage: { input_tokens: 10, cache_creation_input_tokens: 500, cache_read_input_tokens: 9000, output_tokens: 5 },
      },
      usage(9510, 5, 9000),
    ],
    [
      'Gemini',
      {
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 7,
          cachedContentTokenCount: 4,
          totalTokenCount: 22,
        },
      },
      usage(10, 12, 4, 7, 22),
    ],
    [
      'Gemini with outputs of its own tools',
      { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, toolUsePromptTokenCount: 3 } },
      usage(13, 5),
    ],
    ['Ollama', { message: {}, prompt_eval_count: 26, eval_count: 298 }, usage(26, 298)],
    ['DeepSeek', { usage: { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 6 } }, usage(9, 1, 6)],
    [
      'AI SDK, nested',
      { usage: { inputTokens: { total: 8, cacheRead: 2 }, outputTokens: { total: 4, reasoning: 1 } } },
      usage(8, 4, 2, 1),
    ],
    [
      'AI SDK, flat',
      { usage: { inputTokens: 8, outputTokens: 4, totalTokens: 12, cachedInputTokens: 2, reasoningTokens: 1 } },
      usage(8, 4, 2, 1),
    ],
    [
      'LangChain',
      {
        usage_metadata: {
          input_tokens: 8,
          output_tokens: 4,
          total_tokens: 12,
          input_token_details: { cache_read: 3 },
          output_token_details: { reasoning: 2 },
        },
      },
      usage(8, 4, 3, 2),
    ],
    ['a total alone', { usage: { total_tokens: 7 } }, usage(0, 0, 0, 0, 7)],
    ['a request alone', { usage: { prompt_tokens: 7 } }, usage(7, 0)],
    ['an answer alone', { usage: { completion_tokens: 7 } }, usage(0, 7)],
    [
      'nothing used',
      { usage: { prompt_tokens: 0, inputTokens: 5, completion_tokens: 0, total_tokens: 0 } },
      usage(0, 0),
    ],
  ])('reads the form of %s', (_, raw, expected) => {
    expect(usageOf({ raw, additionalKwargs: {} })).toEqual(expected)
  })

  it('prefers additionalKwargs over the raw answer', () => {
    const additionalKwargs = { usage: usageRecord(usage(3, 2, 1, 1)) }
    expect(usageOf({ raw: { usage: { prompt_tokens: 99 } }, additionalKwargs })).toEqual(usage(3, 2, 1, 1))
  })

  it('returns null if nothing was reported, and ignores values that are not numbers', () => {
    for (const raw of [null, undefined, 'text', {}, { usage: null }, { usage: { prompt_tokens: '5' } }])
      expect(usageOf({ raw, additionalKwargs: {} })).toBeNull()
    for (const prompt_tokens of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(usageOf({ raw: { usage: { prompt_tokens } }, additionalKwargs: {} })).toBeNull()
  })

  it('refuses what is not a response', () => {
    for (const response of [undefined, null, { raw: {} }])
      expect(() => usageOf(response as never)).toThrow('usageOf.response: expected a response of a model')
    expect(() => usageRecord(null as never)).toThrow('usageRecord.usage: expected usage of tokens, received null')
  })

  it('reads own properties only', () => {
    const raw = { usage: Object.create({ prompt_tokens: 5 }) }
    expect(usageOf({ raw, additionalKwargs: {} })).toBeNull()
  })
})

describe('addUsage', () => {
  it('adds each kind', () => {
    expect(addUsage(usage(1, 2, 3, 4), usage(10, 20, 30, 40))).toEqual(usage(11, 22, 33, 44))
  })
})

describe('finishReasonOf', () => {
  it.each([
    [{ choices: [{ finish_reason: 'length' }] }, 'length'],
    [{ stop_reason: 'end_turn' }, 'stop'],
    [{ stop_reason: 'tool_use' }, 'tool_calls'],
    [{ stop_reason: 'refusal' }, 'content_filter'],
    [{ candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'length'],
    [{ candidates: [{ finishReason: 'SAFETY' }] }, 'content_filter'],
    [{ done_reason: 'stop' }, 'stop'],
    [{ incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    [{ finishReason: 'content-filter' }, 'content_filter'],
    [{ finishReason: { unified: 'tool-calls', raw: 'x' } }, 'tool_calls'],
    [{ finish_reason: 'pause_turn' }, 'pause'],
    [{ finish_reason: 'COMPLETE' }, 'stop'],
    [{ finish_reason: 'eos_token' }, 'stop'],
    [{ finish_reason: 'TOOL_CALL' }, 'tool_calls'],
    [{ stopReason: 'x', stop_reason: 'guardrail_intervened' }, 'content_filter'],
    [{ choices: [{ finish_reason: 'sensitive' }] }, 'content_filter'],
    [{ choices: [{ finish_reason: 'network_error' }] }, 'error'],
    [{ candidates: [{ finishReason: 'UNEXPECTED_TOOL_CALL' }] }, 'error'],
    [{ finish_reason: 'cancelled' }, 'error'],
    [{ finish_reason: 'USER_CANCEL' }, 'error'],
    [{ finish_reason: 'engine_error' }, 'error'],
    [{ candidates: [{ finishReason: 'MALFORMED_RESPONSE' }] }, 'error'],
    [{ candidates: [{ finishReason: 'IMAGE_PROHIBITED_CONTENT' }] }, 'content_filter'],
    [{ finish_reason: 'ERROR_TOXIC' }, 'content_filter'],
    [{ finish_reason: 'odd' }, 'other'],
  ])('reads %j as %s', (raw, expected) => {
    expect(finishReasonOf({ raw, additionalKwargs: {} })).toBe(expected)
  })

  it('prefers additionalKwargs.finish_reason', () => {
    const response = { raw: { stop_reason: 'end_turn' }, additionalKwargs: { finish_reason: 'length' } }
    expect(finishReasonOf(response)).toBe('length')
  })

  it('returns null if the response contains no reason', () => {
    for (const raw of [
      null,
      'stop',
      {},
      { choices: [] },
      { choices: [null] },
      { finish_reason: '' },
      { stop_reason: 5 },
    ])
      expect(finishReasonOf({ raw, additionalKwargs: {} })).toBeNull()
  })

  it('returns other for an unknown value, even for the name of an inherited property', () => {
    expect(finishReasonFrom('constructor')).toBe('other')
  })
})
