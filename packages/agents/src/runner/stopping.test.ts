import { getEventListeners } from 'node:events'
import { CallbackManager, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM } from '@x/llm/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import type { JournalEntry } from '../task/saved-task.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const never = () => new Promise<never>(() => {})
const pause = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const chunk = (text: string) =>
  new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: text }), delta: text })

/** A model that never answers, and whose stream hangs after its first piece. */
const stuck = {
  metadata: new LLMMetadata({ isChatModel: true }),
  chat: never,
  complete: never,
  async *streamChat() {
    yield chunk('Answer: Hello')
    await never()
  },
  async *streamComplete() {},
}

describe('a cancelled run', () => {
  it('leaves a task that can be continued immediately', async () => {
    const controller = new AbortController()
    const agent = ReActAgent.fromTools({ llm: stuck, taskStore: journal() })
    // Saving throws while the task is busy.
    const saved = agent
      .chat('x', { signal: controller.signal })
      .catch(({ code }) => [code, agent.saveTask(agent.listTasks()[0]!.taskId).step_queue.length])
    await pause()
    controller.abort()
    expect(await saved).toEqual(['abort', 1])
  })

  it.each([{ totalMs: 10_000 }, { stepMs: 10_000 }, {}])(
    'stops the stream of its answer, with %o',
    async (timeouts) => {
      const controller = new AbortController()
      const agent = ReActAgent.fromTools({ llm: stuck, timeouts })
      const answer = await agent.streamChat('x', { signal: controller.signal })
      controller.abort()
      await expect(answer.done).rejects.toMatchObject({ code: 'abort', cause: controller.signal.reason })
      expect(agent.chatHistory).toEqual([])
    },
  )

  it('stops if the reader of its events stops during the answer', async () => {
    const agent = ReActAgent.fromTools({ llm: stuck, timeouts: { totalMs: 10_000 } })
    for await (const { type } of agent.runEvents('x')) if (type === 'text_delta') break
    await expect(agent.runTask(agent.listTasks()[0]!.taskId, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'abort',
    })
  })

  it('adds nothing to the conversation if it was cancelled during saving', async () => {
    const controller = new AbortController()
    class SlowStore extends MemoryTaskStore {
      override append(taskId: string, entries: readonly JournalEntry[], revision: number): boolean {
        if (entries.some(({ type }) => type === 'step')) controller.abort()
        return super.append(taskId, entries, revision)
      }
    }
    const slow = new SlowStore()
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['Answer: four'] }),
      taskStore: journal(slow),
    })
    await expect(agent.chat('x', { signal: controller.signal })).rejects.toMatchObject({ code: 'abort' })
    expect(agent.chatHistory).toEqual([])
    expect(String(await agent.runTask(agent.listTasks()[0]!.taskId))).toBe('four')
  })
})

it.each([{}, { stepMs: 10_000 }, { totalMs: 10_000 }])(
  'reports a cancelled tool to handlers once, with %o',
  async (timeouts) => {
    const controller = new AbortController()
    const handler = new RecordingCallbackHandler()
    const hang = FunctionTool.fromDefaults({
      name: 'hang',
      schema: { type: 'object', properties: {} },
      fn: () => {
        setTimeout(() => controller.abort())
        return never()
      },
    })
    const llm = new ScriptedLLM({ answers: ['Thought: t\nAction: hang\nAction Input: {}'] })
    const callbackManager = new CallbackManager([handler])
    const agent = ReActAgent.fromTools({ llm, tools: [hang], callbackManager, timeouts })
    const error = await agent.chat('x', { signal: controller.signal }).catch((thrown) => thrown)
    const { reason } = controller.signal
    expect([error.code, error.cause]).toEqual(['abort', reason])
    await pause(5)
    const ends = handler.events.flatMap((event) => (event.phase === 'end' ? [[event.type, event.payload]] : []))
    expect(ends).toEqual([
      ['function_call', { exception: reason }],
      ['task_step', null],
      ['agent_step', null],
    ])
  },
)

describe('a time limit', () => {
  it.each([{ totalMs: 20 }, { stepMs: 20 }])('includes the stream of an answer: %o', async (timeouts) => {
    const answer = await ReActAgent.fromTools({ llm: stuck, timeouts }).streamChat('x')
    await expect(answer.done).rejects.toMatchObject({ code: 'deadline_exceeded' })
  })

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])('has no effect if it is %d milliseconds', async (timeoutMs) => {
    const wait = FunctionTool.fromDefaults({
      name: 'wait',
      schema: { type: 'object', properties: {} },
      fn: () => pause(5).then(() => 'done'),
      timeoutMs,
    })
    const llm = new ScriptedLLM({ answers: ['Thought: t\nAction: wait\nAction Input: {}', 'Answer: ok'] })
    const { sources } = await ReActAgent.fromTools({ llm, tools: [wait], timeouts: { totalMs: timeoutMs } }).chat('x')
    expect(sources.map(String)).toEqual(['done'])
  })

  it('has no effect if it is null, like a budget of null', async () => {
    const wait = FunctionTool.fromDefaults({
      name: 'wait',
      schema: { type: 'object', properties: {} },
      fn: () => pause(5).then(() => 'done'),
      timeoutMs: null,
    })
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['Thought: t\nAction: wait\nAction Input: {}', 'Answer: ok'] }),
      tools: [wait],
      toolTimeoutMs: null,
      timeouts: { totalMs: null, stepMs: null },
      budget: { maxModelCalls: null, maxToolCalls: null, maxTokens: null },
    })
    expect((await agent.chat('x')).sources.map(String)).toEqual(['done'])
  })
})

it('everything inside a run rejects with the reason of its signal, and the run with an AbortError', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  let inside: unknown
  const rerank = FunctionTool.fromDefaults({
    name: 'rerank',
    schema: { type: 'object', properties: {} },
    fn: (_, { signal }) => {
      setTimeout(() => controller.abort(reason))
      return untilAborted(signal, never).catch((error) => {
        inside = error
        throw error
      })
    },
  })
  const llm = new ScriptedLLM({ answers: ['Action: rerank\nAction Input: {}'] })
  const running = ReActAgent.fromTools({ llm, tools: [rerank] }).chat('x', { signal: controller.signal })
  await expect(running).rejects.toMatchObject({ code: 'abort', cause: reason })
  expect(inside).toBe(reason)
})

it('readers of a cancelled stream and `done` receive the same AbortError', async () => {
  const controller = new AbortController()
  const answer = await ReActAgent.fromTools({ llm: stuck }).streamChat('x', { signal: controller.signal })
  controller.abort()
  const read = async () => {
    for await (const _ of answer) {
    }
  }
  const error = await read().catch((thrown) => thrown)
  expect(error.code).toBe('abort')
  await expect(answer.done).rejects.toBe(error)
})

it('a run of a task that was deleted does not end another task with its id', async () => {
  const answers = [new Promise<string>((resolve) => setTimeout(resolve, 50, 'Answer: old')), 'Answer: new']
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }) })
  const run = agent.chat('old?', { taskId: 't' })
  await pause()
  await agent.deleteTask('t')
  await agent.createTask('new?', { taskId: 't' })
  await expect(run).rejects.toMatchObject({ code: 'task_not_found' })
  expect(String(await agent.runTask('t'))).toBe('new')
  expect(agent.chatHistory.map(String)).toEqual(['user: new?', 'assistant: new'])
})

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
