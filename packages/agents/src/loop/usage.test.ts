import { ChatMessage } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import type { StepEvent } from '../task/agent-event.ts'
import { noUsage, type TaskUsage } from '../task-usage.ts'
import type { Scope } from './layer.ts'
import type { LoopState } from './loop-state.ts'
import { AgentUsage, budgetChecks, estimatedUsage, limitsTokens, watchStop } from './usage.ts'

const used = (some: Partial<TaskUsage>): TaskUsage => ({ ...noUsage(), ...some })

describe('budgetChecks', () => {
  const code = (check: () => void) => {
    try {
      check()
    } catch (error) {
      return (error as Error).message
    }
    return null
  }

  it('allow a next call below the limit, and what was used up to the limit', () => {
    const { checkNext, checkUsed } = budgetChecks('t', { maxModelCalls: 2, maxToolCalls: 2 })
    const calls = [0, 1, 2, 3]
    expect(calls.map((modelCalls) => code(() => checkNext(used({ modelCalls }), undefined)) === null)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(calls.map((modelCalls) => code(() => checkUsed(used({ modelCalls }))) === null)).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(calls.map((toolCalls) => code(() => checkNext(used({ toolCalls }), 1)) === null)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(calls.map((toolCalls) => code(() => checkUsed(used({ toolCalls }))) === null)).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(code(() => checkUsed(used({ toolCalls: 3 })))).toContain('the budget of 2 tool calls is exceeded (3 used)')
  })

  it('allow everything without limits, and nothing with limits of 0', () => {
    const all = used({ modelCalls: 9, toolCalls: 9, totalTokens: 9, inputTokens: 9, outputTokens: 9 })
    const { checkNext, checkUsed } = budgetChecks('t', { maxModelCalls: null })
    expect([code(() => checkNext(all, 9)), code(() => checkNext(all, undefined)), code(() => checkUsed(all))]).toEqual([
      null,
      null,
      null,
    ])
    for (const name of ['maxModelCalls', 'maxTokens', 'maxInputTokens', 'maxOutputTokens'])
      expect(code(() => budgetChecks('t', { [name]: 0 }).checkNext(noUsage(), undefined))).toContain('the budget of 0')
    expect(limitsTokens({ maxModelCalls: 1, maxToolCalls: 1, maxTokens: null })).toBe(false)
    for (const name of ['maxTokens', 'maxInputTokens', 'maxOutputTokens'])
      expect(limitsTokens({ [name]: 0 })).toBe(true)
  })
})

describe('AgentUsage', () => {
  it('adds the usage of all agents that run, and reserves their next calls', () => {
    const state = { usage: used({ modelCalls: 1 }) } as LoopState
    const totals: TaskUsage[] = []
    const scope = {
      state,
      ids: { notes: {} },
      checkBudget: (usage: TaskUsage) => void totals.push({ ...usage }),
    } as unknown as Scope
    const [one, two] = [new AgentUsage(scope, 'one'), new AgentUsage(scope, 'two')]
    one.checkNext(used({}), undefined)
    two.checkNext(used({ modelCalls: 1 }), 2)
    two.checkNext(used({ modelCalls: 1, toolCalls: 2 }), undefined)
    expect(totals.map(({ modelCalls, toolCalls }) => [modelCalls, toolCalls])).toEqual([
      [1, 0],
      // The next call of the first agent.
      [3, 0],
      [3, 2],
    ])
    expect(two.note(used({ modelCalls: 2, toolCalls: 2 }))).toMatchObject({ modelCalls: 3, toolCalls: 2 })
    // The call that was running when an agent ended counts once, and is no longer reserved.
    one.add()
    two.checkNext(used({ modelCalls: 2, toolCalls: 2 }), undefined)
    expect(totals.at(-1)).toMatchObject({ modelCalls: 4, toolCalls: 2 })
    two.add({ response: '', usage: used({ modelCalls: 3, toolCalls: 2 }) })
    expect(state.usage).toMatchObject({ modelCalls: 5, toolCalls: 2 })
  })
})

describe('watchStop', () => {
  it('receives once what was written until the stop', () => {
    const controller = new AbortController()
    const stopped: unknown[] = []
    const text: string[] = []
    const events: StepEvent[] = []
    const scope = {
      signal: controller.signal,
      onText: (delta: string) => text.push(delta),
      emit: (event: StepEvent) => void events.push(event),
    } as unknown as Scope
    const watch = watchStop(scope, ({ content }) => void stopped.push(content))
    watch.scope.emit!({ type: 'reasoning_delta', delta: 'Hm. ' } as StepEvent)
    watch.scope.emit!({ type: 'text_delta', delta: 'not counted twice' } as StepEvent)
    watch.scope.onText!('It is ')
    watch.scope.emit!({ type: 'tool_input_delta', delta: '{' } as StepEvent)
    controller.abort()
    controller.abort()
    expect(stopped).toEqual(['Hm. It is {'])
    expect([text, events.length]).toEqual([['It is '], 3])
  })

  it('receives nothing after its end, or without a signal', () => {
    const controller = new AbortController()
    const stopped = () => {
      throw new Error('it was called')
    }
    watchStop({ signal: controller.signal } as Scope, stopped).end()
    controller.abort()
    const scope = {} as Scope
    const watch = watchStop(scope, stopped)
    expect(watch.scope).toBe(scope)
    watch.end()
  })
})

it('estimates the tokens of a request and its reply, and no others', () => {
  const [asked, reply] = ['A question of six words is this.', 'Yes.'].map((content) => new ChatMessage({ content }))
  const usage = estimatedUsage([asked!], reply!)
  expect(usage.inputTokens).toBeGreaterThan(usage.outputTokens)
  expect(usage.outputTokens).toBeGreaterThan(0)
  expect(usage).toEqual({
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    totalTokens: usage.inputTokens + usage.outputTokens,
  })
})
