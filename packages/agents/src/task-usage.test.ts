import { describe, expect, it } from 'vitest'
import type { LoopState } from './loop/loop-state.ts'
import { addTo, countCall, noUsage, type TaskUsage } from './task-usage.ts'

const used = (some: Partial<TaskUsage>): TaskUsage => ({ ...noUsage(), ...some })

describe('countCall', () => {
  it('counts what is more than the same call has counted before', () => {
    const state = {} as LoopState
    countCall(state, 'a', used({ modelCalls: 1, inputTokens: 5 }))
    countCall(state, 'a', used({ modelCalls: 2, inputTokens: 3, outputTokens: 4 }))
    countCall(state, 'b', used({ modelCalls: 1 }))
    expect(state.usage).toEqual(used({ modelCalls: 3, inputTokens: 5, outputTokens: 4 }))
    // Fewer calls of the model: the work began anew.
    countCall(state, 'a', used({ modelCalls: 1, inputTokens: 2 }))
    expect(state.usage).toEqual(used({ modelCalls: 4, inputTokens: 7, outputTokens: 4 }))
    expect(Object.keys(state.counted!)).toEqual(['a', 'b'])
  })

  it('adds costs, which only some usages have', () => {
    const usage = used({ toolCalls: 1 })
    addTo(usage, { cost: 2, toolCalls: 1 })
    addTo(usage, { cost: 3 })
    expect(usage).toEqual({ ...used({ toolCalls: 2 }), cost: 5 })
  })
})
