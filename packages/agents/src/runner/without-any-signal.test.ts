import { getEventListeners } from 'node:events'
import { ScriptedLLM } from '@x/llm/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { AgentTool } from '../tool/agent-tool.ts'

/** A platform such as the edge runtime of Next.js, where the static method does not exist. */
const { any } = AbortSignal
beforeAll(() => {
  Reflect.deleteProperty(AbortSignal, 'any')
})
afterAll(() => {
  Object.defineProperty(AbortSignal, 'any', { value: any, configurable: true, writable: true })
})

const make = () => {
  const inner = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }) })
  const llm = new ScriptedLLM({
    answers: [
      'Thought: ask\nAction: ask\nAction Input: {"input": "2 + 2?"}',
      ['Thought: done\nAnswer: ', 'It is four.'],
    ],
  })
  return ReActAgent.fromTools({ llm, tools: [new AgentTool({ agent: inner, name: 'ask' })] })
}

it.each([true, false])(
  'agents run and stream without AbortSignal.any, and leave no listeners, with signal: %s',
  async (isGiven) => {
    expect('any' in AbortSignal).toBe(false)
    const controller = new AbortController()
    const options = isGiven ? { signal: controller.signal } : {}
    expect(String(await make().chat('x', options))).toBe('It is four.')
    const answer = await make().streamChat('x', { ...options, text: 'all' })
    await answer.done
    expect(answer.response).toContain('It is four.')
    const last = await make().streamChat('x', options)
    await last.done
    expect(last.response).toBe('It is four.')
    const types: string[] = []
    for await (const { type } of make().runEvents('x', options)) types.push(type)
    expect(types.at(-1)).toBe('task_end')
    await new Promise((resolve) => setTimeout(resolve))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  },
)
