import { FunctionCallingAgent, MemoryTaskStore, ReActAgent } from '@x/agents'
import { LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { durableAgent, StoredTasks, type TaskRun } from './index.ts'

const native = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const run = { taskId: 't', signal: new AbortController().signal, context: { user: 'Ann' } } as TaskRun

describe('durableAgent', () => {
  it('makes an agent that fits the model, or of the class that is given', () => {
    const calling = new ScriptedLLM({ answers: [], metadata: native })
    expect(durableAgent(() => ({ llm: calling }))(run)).toBeInstanceOf(FunctionCallingAgent)
    expect(durableAgent(() => ({ llm: new ScriptedLLM({ answers: [] }) }))(run)).toBeInstanceOf(ReActAgent)
    expect(durableAgent(() => ({ llm: calling }), ReActAgent)(run)).toBeInstanceOf(ReActAgent)
  })

  it('refuses an asynchronous function, and says what to write instead', () => {
    const agent = durableAgent((async () => ({ llm: new ScriptedLLM({ answers: [] }) })) as never)
    expect(() => agent(run)).toThrow('agent: async (run) => { …; return durableAgent(() => options)(run) }')
  })

  it('passes what the engine needs, and the run to the options', async () => {
    const ids: string[] = []
    const newId = () => {
      ids.push(`id-${ids.length}`)
      return ids.at(-1)!
    }
    const asked: unknown[] = []
    const agent = durableAgent(({ taskId, context }) => {
      asked.push([taskId, context])
      return { llm: new ScriptedLLM({ answers: ['Answer: Paris'] }) }
    })({ ...run, newId, now: () => 0 })
    expect((await agent.chat('Capital of France?')).response).toBe('Paris')
    expect(asked).toEqual([['t', { user: 'Ann' }]])
    expect(ids).not.toEqual([])
  })

  it('has the context with the type that is named', async () => {
    const seen: string[] = []
    const agent = durableAgent(({ context }: TaskRun<{ user: string; maxTokens?: number }>) => {
      seen.push(context.user)
      return { llm: new ScriptedLLM({ answers: ['Answer: Paris'] }), budget: { maxTokens: context.maxTokens ?? 100 } }
    })
    const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
    await tasks.start()
    await tasks.answer(await tasks.submit('Capital of France?', { context: { user: 'Ann' } }))
    await tasks.stop()
    expect(seen).toEqual(['Ann'])
  })

  it('continues a task in another process', async () => {
    const store = new MemoryTaskStore()
    const first = new StoredTasks({
      store,
      agent: durableAgent(() => ({ llm: new ScriptedLLM({ answers: [new Error('down')] }) })),
    })
    await first.start()
    await first.submit('Capital of France?', { taskId: 'q' })
    await expect(first.answer('q')).rejects.toThrow('down')
    await first.stop()
    const second = new StoredTasks({
      store,
      agent: durableAgent(() => ({ llm: new ScriptedLLM({ answers: ['Answer: Paris'] }) })),
    })
    await second.start()
    await second.retry('q')
    expect((await second.answer('q')).response).toBe('Paris')
    await second.stop()
  })
})
