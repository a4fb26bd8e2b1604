import { describe, expect, it } from 'vitest'
import { type ReasoningStep, reasoningFromDict, reasoningToDict } from './reasoning-step.ts'

const answer = { kind: 'response', thought: 'Done.', response: '4', isStreaming: false, implicit: false } as const
const records: [ReasoningStep, unknown][] = [
  [
    { kind: 'action', thought: 'Add.', action: 'add', actionInput: { firstNumber: 1 } },
    { thought: 'Add.', action: 'add', action_input: { firstNumber: 1 } },
  ],
  [{ kind: 'observation', observation: '3' }, { observation: '3' }],
  [answer, { thought: 'Done.', response: '4', is_streaming: false }],
  [
    { ...answer, isStreaming: true, implicit: true },
    { thought: 'Done.', response: '4', is_streaming: true, implicit: true },
  ],
  [{ kind: 'unparsed', text: 'Action: ?' }, { text: 'Action: ?' }],
]

describe('reasoning records in wire form', () => {
  it.each(records)('are the same after writing and reading: %j', (step, dict) => {
    expect(reasoningToDict(step)).toEqual(dict)
    expect(reasoningFromDict(dict)).toEqual(step)
  })

  it('may lack is_streaming, as LlamaIndex for Python writes answers', () => {
    expect(reasoningFromDict({ thought: 'Done.', response: '4' })).toEqual(answer)
  })

  it('contain an observation that is not a string as the text for the model', () => {
    expect(reasoningToDict({ kind: 'observation', observation: 3 })).toEqual({ observation: '3' })
  })

  it('share no objects with the record', () => {
    const actionInput = { list: [1] }
    const dict = reasoningToDict({ kind: 'action', thought: '', action: 'a', actionInput })
    actionInput.list.push(2)
    expect(dict).toHaveProperty('action_input.list', [1])
  })

  it.each([
    [{ action: 'add', action_input: 'a' }, ['thought', 'actionInput']],
    [{ response: 4 }, ['thought', 'response']],
    [{ thought: 'x' }, ['observation']],
    [{ observation: null }, ['observation']],
  ])('are rejected with an issue for every invalid field: %j', (data, paths) => {
    expect(() => reasoningFromDict(data)).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        issues: paths.map((path) => expect.objectContaining({ path })),
      }),
    )
  })
})
