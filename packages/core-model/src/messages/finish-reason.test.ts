import { describe, expect, it } from 'vitest'
import { finishReasonFrom, finishReasonOf } from './finish-reason.ts'

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
