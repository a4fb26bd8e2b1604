import { SimpleChatStore } from '@x/core-model'
import { StoredChatMemory } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

/** A tool that waits until it is released. */
function gate() {
  let release = () => {}
  let calls = 0
  const opened = new Promise<void>((resolve) => {
    release = resolve
  })
  let started = () => {}
  const running = new Promise<void>((resolve) => {
    started = resolve
  })
  const tool = FunctionTool.fromDefaults({
    name: 'wait',
    schema: { type: 'object', properties: {} },
    fn: async () => {
      calls++
      started()
      await opened
      return 'waited'
    },
  })
  return { tool, running, release: () => release(), calls: () => calls }
}

const waits = 'Thought: wait\nAction: wait\nAction Input: {}'
const taskId = 'order-1'

describe('a message with the id of a task', () => {
  it('starts the task only once', async () => {
    const llm = new ScriptedLLM({ answers: ['Answer: one'] })
    const agent = ReActAgent.fromTools({ llm })
    expect(String(await agent.chat('Count!', { taskId }))).toBe('one')
    expect(agent.getTask(taskId).input).toBe('Count!')
    const streamed: string[] = []
    for await (const piece of await agent.streamChat('Count!', { taskId, text: 'all' })) streamed.push(piece)
    expect(streamed).toEqual(['one'])
    // The message is ignored if the task exists.
    expect(String(await agent.chat('Count!', { taskId }))).toBe('one')
    expect(String(await agent.chat('Something else', { taskId }))).toBe('one')
    expect(llm.calls).toHaveLength(1)
    expect(agent.chatHistory).toHaveLength(2)
  })

  it('returns the answer of a finished task while the conversation is in use', async () => {
    const { tool, running, release } = gate()
    const answers = ['Answer: one', waits, 'Answer: two']
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [tool] })
    await agent.chat('Count!', { taskId })
    const other = agent.chat('Wait!')
    await running
    expect(String(await agent.chat('Count!', { taskId }))).toBe('one')
    release()
    expect(String(await other)).toBe('two')
  })

  it('joins the run in progress', async () => {
    const { tool, running, release, calls } = gate()
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [waits, 'Answer: done'] }), tools: [tool] })
    const first = agent.chat('Wait!', { taskId })
    await running
    const events: AgentEvent[] = []
    const second = (async () => {
      for await (const event of agent.runEvents('Wait!', { taskId })) events.push(event)
    })()
    const third = agent.streamChat('Wait!', { taskId })
    const leaving = new AbortController()
    const fourth = agent.conversation().chat('Wait!', { taskId, signal: leaving.signal })
    leaving.abort()
    await expect(fourth).rejects.toMatchObject({ code: 'abort' })
    release()
    expect(await first).toMatchObject({ response: 'done' })
    await second
    expect(events.map(({ type }) => type)).toContain('tool_result')
    expect(events.at(-1)).toMatchObject({ type: 'task_end', taskId, answer: { text: 'done' } })
    const pieces: string[] = []
    for await (const piece of await third) pieces.push(piece)
    expect(pieces.join('')).toBe('done')
    expect(calls()).toBe(1)
  })

  it.each(['runTask', 'streamTask'] as const)('joins a run of %s', async (method) => {
    const { tool, running, release, calls } = gate()
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [waits, 'Answer: done'] }), tools: [tool] })
    await agent.createTask('Wait!', { taskId })
    const types: string[] = []
    const first = agent[method](taskId, { onEvent: ({ type }) => types.push(type) })
    await running
    const second = agent.chat('Wait!', { taskId })
    const third = (async () => {
      const seen: string[] = []
      for await (const { type } of agent.runEvents('Wait!', { taskId })) seen.push(type)
      return seen
    })()
    const refused = await agent.runTask(taskId).catch(({ code }) => code)
    release()
    expect(await second).toMatchObject({ response: 'done' })
    const answer = await first
    if ('done' in answer) await answer.done
    expect([answer.response, refused, calls()]).toEqual(['done', 'task_busy', 1])
    expect((await third).at(-1)).toBe('task_end')
    expect(types).toContain('tool_result')
    expect(String(await agent.chat('Wait!', { taskId }))).toBe('done')
  })

  it('continues a task whose run has failed after it joined', async () => {
    const { tool, running, release } = gate()
    const llm = new ScriptedLLM({ answers: [waits, new Error('overloaded'), 'Answer: done'] })
    const agent = ReActAgent.fromTools({ llm, tools: [tool] })
    await agent.createTask('Wait!', { taskId })
    const first = agent.runTask(taskId)
    await running
    const second = agent.chat('Wait!', { taskId })
    release()
    for (const run of [first, second]) await expect(run).rejects.toThrow('overloaded')
    expect(String(await agent.chat('Wait!', { taskId }))).toBe('done')
  })

  it('is refused while a single step runs', async () => {
    const { tool, running, release } = gate()
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [waits, 'Answer: done'] }), tools: [tool] })
    await agent.createTask('Wait!', { taskId })
    const step = agent.runStep(taskId)
    await running
    await expect(agent.chat('Wait!', { taskId })).rejects.toMatchObject({ code: 'task_busy' })
    release()
    await step
    expect(String(await agent.chat('Wait!', { taskId }))).toBe('done')
  })

  it('joins an answer that is streaming', async () => {
    let goOn = (_: string) => {}
    const rest = new Promise<string>((resolve) => {
      goOn = resolve
    })
    const llm = new ScriptedLLM({ answers: [['Answer: ', 'one ', rest]] })
    const agent = ReActAgent.fromTools({ llm })
    const first = await agent.streamChat('Count!', { taskId })
    const second = agent.chat('Count!', { taskId }).then(String)
    const deltas: string[] = []
    const third = (async () => {
      for await (const event of agent.runEvents('Count!', { taskId }))
        if (event.type === 'text_delta') deltas.push(event.delta)
    })()
    await new Promise((resolve) => setImmediate(resolve))
    goOn('two')
    expect(await second).toBe('one two')
    await third
    expect(deltas).toEqual(['two'])
    await first.done
    expect(llm.calls).toHaveLength(1)
  })

  it('continues a task that failed', async () => {
    const llm = new ScriptedLLM({ answers: [new Error('overloaded'), 'Answer: one'] })
    const agent = ReActAgent.fromTools({ llm })
    await expect(agent.chat('Count!', { taskId })).rejects.toThrow('overloaded')
    expect(String(await agent.chat('Count!', { taskId }))).toBe('one')
    expect(agent.chatHistory).toHaveLength(2)
  })

  it.each(['wait', 'stream'])(
    'continues an unfinished task in the store, and returns the answer of a finished one (%s)',
    async (mode) => {
      const taskStore = new MemoryTaskStore()
      const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
      const agentWith = (...turns: Parameters<typeof functionCallingLlm>[0]) =>
        FunctionCallingAgent.fromTools({ llm: functionCallingLlm(turns), tools: [pay], taskStore: journal(taskStore) })
      const ask = async (agent: ReturnType<typeof agentWith>) => {
        if (mode === 'wait') return agent.chat('Pay!', { taskId })
        const answer = await agent.streamChat('Pay!', { taskId })
        await answer.done
        return answer
      }
      const first = agentWith([toolCall('c', 'pay', {})])
      await expect(ask(first)).rejects.toMatchObject({ code: 'approval_required', taskId })
      await first.approve(taskId, 'c')

      const second = agentWith('It is paid.')
      const answer = await ask(second)
      expect(answer.response).toBe('It is paid.')
      expect(answer.sources.map(String)).toEqual(['paid'])
      // The model of the third agent has nothing to say.
      const third = await ask(agentWith())
      expect(third.response).toBe('It is paid.')
      expect(third.sources.map(String)).toEqual(['paid'])
      const events: AgentEvent[] = []
      for await (const event of agentWith().runEvents('Pay!', { taskId })) events.push(event)
      expect(events).toMatchObject([{ type: 'task_end', taskId, answer: { text: 'It is paid.' } }])
    },
  )

  it('continues a task from the store after another agent took it over', async () => {
    const taskStore = new MemoryTaskStore()
    const agentWith = (...answers: (string | Error)[]) =>
      ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), taskStore: journal(taskStore) })
    const first = agentWith(new Error('overloaded'), 'Answer: never')
    await expect(first.chat('Count!', { taskId })).rejects.toThrow('overloaded')
    expect(String(await agentWith('Answer: one').chat('Count!', { taskId }))).toBe('one')
    // The first agent notices it when it continues, and reads the entries of the other one.
    expect(String(await first.chat('Count!', { taskId }))).toBe('one')
    const third = agentWith(new Error('overloaded'), 'Answer: never')
    await expect(third.chat('Count!', { taskId: 'order-2' })).rejects.toThrow('overloaded')
    await expect(agentWith(new Error('down')).chat('Count!', { taskId: 'order-2' })).rejects.toThrow('down')
    await expect(third.chat('Count!', { taskId: 'order-2' })).rejects.toMatchObject({ code: 'task_claimed' })
  })

  it('shares one task between two concurrent callers, also from the store', async () => {
    const taskStore = new MemoryTaskStore()
    const llm = new ScriptedLLM({ answers: ['Answer: one'] })
    const agent = ReActAgent.fromTools({ llm, taskStore: journal(taskStore) })
    const answers = await Promise.all([agent.chat('Count!', { taskId }), agent.chat('Count!', { taskId })])
    expect(answers.map(String)).toEqual(['one', 'one'])
    expect(llm.calls).toHaveLength(1)
    const next = ReActAgent.fromTools({ llm: new ScriptedLLM(), taskStore: journal(taskStore) })
    const again = await Promise.all([next.chat('Count!', { taskId }), next.chat('Count!', { taskId })])
    expect(again.map(String)).toEqual(['one', 'one'])
  })

  it('uses the conversation that is passed, also for a task from the store', async () => {
    const taskStore = new MemoryTaskStore()
    const first = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: [new Error('overloaded')] }),
      taskStore: journal(taskStore),
    })
    await first
      .conversation()
      .chat('Count!', { taskId })
      .catch(() => {})
    const second = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['Answer: one'] }),
      taskStore: journal(taskStore),
    })
    const conversation = second.conversation()
    await conversation.chat('Count!', { taskId })
    expect(conversation.chatHistory.map(String)).toEqual(['user: Count!', 'assistant: one'])
    expect(second.chatHistory).toEqual([])
  })

  it.each(['in memory', 'in a store', 'that runs'])(
    'is refused in another conversation than that of a task %s',
    async (where) => {
      const chatStore = new SimpleChatStore()
      const memory = (conversationId: string) => new StoredChatMemory({ chatStore, conversationId })
      const taskStore = new MemoryTaskStore()
      const { tool, running, release } = gate()
      const agentWith = (...answers: string[]) =>
        ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [tool], taskStore: journal(taskStore) })
      const own = agentWith(waits, 'Answer: secret')
      const first = own.chat('Wait!', { taskId, memory: memory('private') })
      await running
      if (where !== 'that runs') {
        release()
        await first
      }
      const agent = where === 'in a store' ? agentWith() : own
      const refused = {
        code: 'task_already_exists',
        taskId,
        message: `Task "${taskId}" already exists in another conversation; use an id that is unique in all of them.`,
      }
      const events: AgentEvent[] = []
      const options = { taskId, memory: memory('general'), onEvent: (event: AgentEvent) => void events.push(event) }
      await expect(agent.chat('Hello!', options)).rejects.toMatchObject(refused)
      await expect(agent.streamChat('Hello!', options)).rejects.toMatchObject(refused)
      await expect(agent.conversation({ chatStore, id: 'general' }).chat('Hello!', { taskId })).rejects.toMatchObject(
        refused,
      )
      release()
      expect(String(await agent.chat('Hello!', { taskId, memory: memory('private') }))).toBe('secret')
      expect(String(await first)).toBe('secret')
      expect([events, chatStore.getMessages('general')]).toEqual([[], []])
    },
  )

  it('is refused in another conversation than that of a task that begins', async () => {
    const chatStore = new SimpleChatStore()
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: secret'] }) })
    const chat = (conversationId: string) =>
      agent.chat('Hello!', { taskId, memory: new StoredChatMemory({ chatStore, conversationId }) })
    const [first, second] = await Promise.allSettled([chat('private'), chat('general')])
    expect(first).toMatchObject({ value: { response: 'secret' } })
    expect(second).toMatchObject({ reason: { code: 'task_already_exists' } })
  })

  it('throws TaskNotFoundError for an empty message if the task does not exist', async () => {
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM() })
    await expect(agent.chat('', { taskId })).rejects.toMatchObject({ code: 'task_not_found' })
  })
})

describe('a caller that joins a run', () => {
  /** A run that waits in its tool, and a second caller with this receiver of events. */
  async function joined(onEvent: () => unknown, signal?: AbortSignal) {
    const { tool, running, release } = gate()
    const llm = new ScriptedLLM({ answers: [waits, 'Answer: one'] })
    const agent = ReActAgent.fromTools({ llm, tools: [tool] })
    const first = agent.chat('Wait!', { taskId })
    await running
    const second = agent.chat('', { taskId, onEvent, signal })
    release()
    return Promise.allSettled([first, second])
  }
  const outcomes = (runs: readonly PromiseSettledResult<unknown>[]) =>
    runs.map((run) => (run.status === 'fulfilled' ? String(run.value) : run.reason.message))

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no listener')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no listener'))],
  ])('alone fails if its receiver of events %s', async (_how, onEvent) => {
    expect(outcomes(await joined(onEvent))).toEqual(['one', 'no listener'])
  })

  it('does not hold the run up any more when it has left', { timeout: 5_000 }, async () => {
    const controller = new AbortController()
    const onEvent = () => {
      setTimeout(() => controller.abort(new Error('gone')), 5)
      return new Promise(() => {})
    }
    expect(outcomes(await joined(onEvent, controller.signal))[0]).toBe('one')
  })
})
