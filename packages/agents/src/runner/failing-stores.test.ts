/// <reference types="node" />
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BaseMemory, ChatMessage, ChatResponse, LLMMetadata, SimpleChatStore, type TaskStore } from '@x/core-model'
import { ChatMemoryBuffer, StoredChatMemory } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { FileTaskStore } from '@x/storage/node'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { readJournal } from '../task/read-journal.ts'
import type { JournalEntry } from '../task/saved-task.ts'
import type { ToolAgent } from '../tool/agent-calls.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

type EntryType = JournalEntry['type']

/** A store that cannot store the next entry of a type. */
class FailingStore extends MemoryTaskStore {
  failsAt: EntryType | undefined

  constructor(failsAt?: EntryType) {
    super()
    this.failsAt = failsAt
  }

  override append(taskId: string, entries: readonly JournalEntry[], revision: number): boolean {
    if (entries.some(({ type }) => type === this.failsAt)) {
      this.failsAt = undefined
      throw new Error('disk full')
    }
    return super.append(taskId, entries, revision)
  }
}

/** A store in which one type of entry waits for a promise. */
class SlowStore implements TaskStore {
  readonly inner = new MemoryTaskStore()
  readonly slow: EntryType
  readonly gate: Promise<void>
  isWaiting = false

  constructor(slow: EntryType, gate: Promise<void>) {
    this.slow = slow
    this.gate = gate
  }

  async append(taskId: string, entries: readonly JournalEntry[], revision: number): Promise<boolean> {
    if (entries.some(({ type }) => type === this.slow)) {
      this.isWaiting = true
      await this.gate
    }
    return this.inner.append(taskId, entries, revision)
  }

  load(taskId: string) {
    return this.inner.load(taskId)
  }

  list() {
    return this.inner.list()
  }

  delete(taskId: string) {
    this.inner.delete(taskId)
  }
}

/** The task that results from its journal. */
function savedIn(taskStore: MemoryTaskStore, taskId: string) {
  return readJournal(taskStore.load(taskId)!)
}

const send = FunctionTool.fromDefaults({
  name: 'send',
  schema: { type: 'object', properties: {} },
  needsApproval: true,
  fn: () => 'sent',
})

/** A model whose stream ends when the test says so. */
function gated() {
  let open!: () => void
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const piece = () =>
    new ChatResponse({ message: new ChatMessage({ content: 'Answer: Hello' }), delta: 'Answer: Hello' })
  const never = () => new Promise<never>(() => {})
  const llm = {
    metadata: new LLMMetadata({ isChatModel: true }),
    chat: () => gate.then(piece),
    complete: never,
    async *streamChat() {
      yield piece()
      await gate
    },
    async *streamComplete() {},
  }
  return { llm, open }
}

describe('a store that hangs', () => {
  const never = new Promise<never>(() => {})

  it.each([
    ['a signal', {}, 'abort'],
    ['a time limit', { totalMs: 5 }, 'deadline_exceeded'],
  ])('does not keep a run that it does not let begin, with %s', async (_, timeouts, code) => {
    const llm = new ScriptedLLM({ answers: [] })
    const controller = new AbortController()
    const signal = controller.signal
    const saved = ReActAgent.fromTools({ llm, taskStore: journal(new SlowStore('task', never)), timeouts })
    const talking = ReActAgent.fromTools({ llm, timeouts })
    const chatStore = Object.assign(new SimpleChatStore(), { getMessages: () => never })
    const memory = new StoredChatMemory({ chatStore: chatStore as never, conversationId: 'ann' })
    const runs = [saved.chat('x', { signal }), talking.chat('x', { memory, signal })]
    if (code === 'abort') setTimeout(() => controller.abort())
    for (const run of runs) await expect(run).rejects.toMatchObject({ code })
  })
})

describe('a store that fails', () => {
  // Saved are: the new task, the task after its step, the finished task.
  it.each(['chat', 'streamChat'] as const)(
    'does not damage the conversation of %s, whenever it fails',
    async (method) => {
      for (const failsAt of ['step', 'finalizing', 'finalized'] as const) {
        const taskStore = new FailingStore(failsAt)
        const agent = ReActAgent.fromTools({
          llm: new ScriptedLLM({ answers: ['one', 'two'] }),
          taskStore: journal(taskStore),
        })
        const failure = agent[method]('x').then((answer) => ('done' in answer ? answer.done : undefined))
        await expect(failure).rejects.toThrow('disk full')
        const [task] = agent.listTasks()
        // A step that could not be saved runs again, but the model is not called again for an answer that exists.
        expect(String(await agent.runTask(task!.taskId))).toBe('one')
        expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: one'])
        expect(savedIn(taskStore, task!.taskId)).toMatchObject({ finalized: true, memory_length: 0 })
      }
    },
  )

  it('leaves neither a fork nor an undone step', async () => {
    const taskStore = new FailingStore()
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['one'] }), taskStore: journal(taskStore) })
    const { taskId } = await agent.createTask('x')
    await agent.runStep(taskId)
    taskStore.failsAt = 'task'
    await expect(agent.forkTask(taskId)).rejects.toThrow('disk full')
    expect(agent.listTasks()).toHaveLength(1)
    taskStore.failsAt = 'undo'
    await expect(agent.undoStep(taskId)).rejects.toThrow('disk full')
    expect(agent.getCompletedSteps(taskId)).toHaveLength(1)
    expect(agent.getUpcomingSteps(taskId)).toEqual([])
    await agent.undoStep(taskId)
    expect(agent.getUpcomingSteps(taskId)).toHaveLength(1)
  })

  it('cannot undo a step whose messages are in the conversation', async () => {
    const taskStore = new FailingStore('finalized')
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['one', 'two'] }),
      taskStore: journal(taskStore),
    })
    const { taskId } = await agent.createTask('x')
    await expect(agent.runTask(taskId)).rejects.toThrow('disk full')
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: one'])
    await expect(agent.undoStep(taskId)).rejects.toMatchObject({ code: 'task_finalized' })
    await expect(agent.runStep(taskId)).rejects.toMatchObject({ code: 'no_upcoming_step' })
    expect(String(await agent.runTask(taskId))).toBe('one')
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: one'])
  })

  it('does not let a second run finalize a step that is still being saved', async () => {
    let fail!: (error: Error) => void
    const gate = new Promise<void>((_, reject) => {
      fail = reject
    })
    const taskStore = new SlowStore('step', gate)
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['one', 'two'] }),
      taskStore: journal(taskStore),
    })
    const { taskId } = await agent.createTask('x')
    const first = agent.runTask(taskId)
    await expect.poll(() => agent.getCompletedSteps(taskId)).toHaveLength(1)
    await expect(agent.runTask(taskId)).rejects.toMatchObject({ code: 'task_busy' })
    await expect(agent.finalizeResponse(taskId)).rejects.toMatchObject({ code: 'task_busy' })
    fail(new Error('disk full'))
    await expect(first).rejects.toThrow('disk full')
    expect(agent.getUpcomingSteps(taskId)).toHaveLength(1)
    Object.assign(taskStore, { gate: undefined })
    expect(String(await agent.runTask(taskId))).toBe('one')
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: one'])
  })

  it('rolls back only one decision', async () => {
    let fail!: (error: Error) => void
    const gate = new Promise<void>((_, reject) => {
      fail = reject
    })
    const taskStore = new SlowStore('decision', gate)
    const llm = functionCallingLlm([[toolCall('a', 'send', {}), toolCall('b', 'send', {})], 'ok'])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [send], taskStore: journal(taskStore) })
    const { taskId } = await agent.chat('x').catch((error) => error)
    const [a, b] = agent.getPendingApprovals(taskId).map(({ id }) => id)
    const first = agent.approve(taskId, a!)
    // Waits until the first decision is saved or taken back.
    const second = agent.approve(taskId, b!)
    await expect.poll(() => taskStore.isWaiting).toBe(true)
    Object.assign(taskStore, { gate: undefined })
    fail(new Error('disk full'))
    await expect(first).rejects.toThrow('disk full')
    await second
    expect(agent.getPendingApprovals(taskId).map(({ id }) => id)).toEqual([a])
  })
})

describe('a task store', () => {
  it('receives a step after its answer has streamed', async () => {
    const taskStore = new MemoryTaskStore()
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: [['Answer: fo', 'ur']] }),
      taskStore: journal(taskStore),
    })
    const { taskId } = await agent.createTask('x')
    const { output } = await agent.streamStep(taskId)
    await (output as { done: Promise<void> }).done
    expect(savedIn(taskStore, taskId)).toMatchObject({ completed_steps: [{ output: { value: { response: 'four' } } }] })
  })

  it('does not receive a task that was deleted while it ran', async () => {
    const taskStore = new MemoryTaskStore()
    const { llm, open } = gated()
    const agent = ReActAgent.fromTools({ llm, taskStore: journal(taskStore) })
    const answer = agent.chat('x')
    await new Promise((resolve) => setTimeout(resolve))
    await agent.deleteTask(agent.listTasks()[0]!.taskId)
    open()
    await expect(answer).rejects.toMatchObject({ code: 'task_not_found' })
    expect(taskStore.list()).toEqual([])
  })

  it('saves concurrent decisions in files', async () => {
    const taskStore = new FileTaskStore(await mkdtemp(join(tmpdir(), 'agents-')))
    const calls = ['a', 'b', 'c'].map((id) => toolCall(id, 'send', {}))
    const agent = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([calls, 'ok']),
      tools: [send],
      taskStore: journal(taskStore),
    })
    const { taskId } = await agent.chat('x').catch((error) => error)
    await Promise.all(agent.getPendingApprovals(taskId).map(({ id }) => agent.approve(taskId, id)))
    const entries = (await taskStore.load(taskId)) as JournalEntry[]
    expect(entries.filter(({ type }) => type === 'decision')).toHaveLength(3)
    await agent.deleteTask(taskId)
    expect(await taskStore.load(taskId)).toBeNull()
  })
})

describe('a slow store', () => {
  it('does not finish a new task when another task with the same id was deleted while being saved', async () => {
    let open!: () => void
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const taskStore = new SlowStore('finalized', gate)
    const llm = new ScriptedLLM({ answers: ['one', 'two'] })
    const agent = ReActAgent.fromTools({ llm, taskStore: journal(taskStore), maxFinishedTasks: 1 })
    await agent.createTask('x', { taskId: 'same' })
    const first = agent.runTask('same')
    await expect.poll(() => taskStore.isWaiting).toBe(true)
    const resetting = agent.reset()
    open()
    await Promise.all([first, resetting])
    await agent.createTask('y', { taskId: 'same' })
    await agent.chat('z')
    expect(agent.listTasks().map(({ input }) => input)).toEqual(['y', 'z'])
  })
})

describe('a conversation', () => {
  it('receives no message of a task that was deleted while its answer streamed', async () => {
    const { llm, open } = gated()
    const agent = ReActAgent.fromTools({ llm })
    const answer = await agent.streamChat('x')
    await agent.reset()
    open()
    await answer.done
    expect(answer.response).toBe('Hello')
    expect(agent.chatHistory).toEqual([])
  })

  it('is not shortened by a fork when its memory cannot be cloned', async () => {
    const inner = ChatMemoryBuffer.fromDefaults()
    const memory: BaseMemory = {
      get: () => inner.get(),
      getAll: () => inner.getAll(),
      put: (message) => inner.put(message),
      set: (messages) => inner.set(messages),
      reset: () => inner.reset(),
    }
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['one', 'two'] }), memory })
    const { taskId } = await agent.createTask('x')
    await agent.runTask(taskId)
    const fork = await agent.forkTask(taskId, { atStep: 0 })
    await agent.runTask(fork.taskId)
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: one'])
    expect((await fork.memory.getAll()).map(String)).toEqual(['user: x', 'assistant: two'])
  })

  it.each(['chat', 'streamChat'] as const)('receives each message once if adding one failed: %s', async (how) => {
    let calls = 0
    class FullOnce extends ChatMemoryBuffer {
      override put(message: ChatMessage): void {
        calls += 1
        if (calls === 2) throw new Error('full')
        super.put(message)
      }
    }
    const memory = new FullOnce({ tokenLimit: 3000 })
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: one'] }), memory })
    const run = async () => {
      const answer = await agent[how]('x')
      if ('done' in answer) await answer.done
    }
    await expect(run()).rejects.toThrow('full')
    await agent.finalizeResponse(agent.listTasks()[0]!.taskId)
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: one'])
  })
})

const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'seen' })

/** An agent whose expert asks its model once and calls a tool, and then fails: it has reached its limit. */
function world() {
  const llm = functionCallingLlm([[toolCall('a', 'ask', { input: 'Look!' })], 'Done.'])
  const expertLlm = functionCallingLlm([[toolCall('l', 'look', {})]])
  const store = new MemoryTaskStore()
  const process = (isSaving: (type: string) => boolean = () => true) => {
    const expert = FunctionCallingAgent.fromTools({ llm: expertLlm, tools: [look], maxIterations: 1 })
    return FunctionCallingAgent.fromTools({
      llm,
      tools: [new AgentTool({ agent: expert, name: 'ask' })],
      taskStore: journal({
        append: (id, entries, revision) => {
          if (entries.some((entry) => !isSaving((entry as { type: string }).type))) throw new Error('killed')
          return store.append(id, entries, revision)
        },
        load: (id) => store.load(id),
        list: (filter) => store.list(filter),
        delete: (id) => store.delete(id),
      }),
    })
  }
  return process
}

it('the usage of an agent that failed counts once, also if the step of its call is repeated', async () => {
  const expected = (await world()().chat('Go!')).usage
  expect(expected).toMatchObject({ modelCalls: 3, toolCalls: 2 })
  const process = world()
  let isAlive = true
  const mortal = process((type) => type !== 'step' || isAlive)
  await mortal.createTask('Go!', { taskId: 't' })
  isAlive = false
  await expect(mortal.runTask('t')).rejects.toThrow('killed')
  isAlive = true
  // Another process, and the same one.
  for (const agent of [process(), mortal]) {
    const { usage, sources } = await agent.chat('Go!', { taskId: 't' })
    expect(usage).toEqual(expected)
    expect(sources[0]).toMatchObject({ isError: true })
  }
})

it('the usage of an agent that failed counts in a repeated step of the same process', async () => {
  const process = world()
  let isAlive = true
  const agent = process((type) => type !== 'step' || isAlive)
  await agent.createTask('Go!', { taskId: 't' })
  isAlive = false
  await expect(agent.runTask('t')).rejects.toThrow('killed')
  isAlive = true
  expect((await agent.runTask('t')).usage).toMatchObject({ modelCalls: 3, toolCalls: 2 })
})

it('an agent of your own that fails need not return its task', async () => {
  const agent: ToolAgent = {
    memory: ChatMemoryBuffer.fromDefaults(),
    createTask: async (_input, { taskId }) => ({ taskId }),
    resumeTask: async () => null,
    getTask: () => undefined,
    runTask: async () => {
      throw new Error('no answer')
    },
    deleteTask: async () => {},
    getPendingApprovals: () => [],
    approve: async () => {},
    reject: async () => {},
    edit: async () => {},
  }
  const ask = new AgentTool({ agent })
  await expect(ask.call({ input: 'Go!' })).rejects.toMatchObject({ code: 'tool_execution' })
})
