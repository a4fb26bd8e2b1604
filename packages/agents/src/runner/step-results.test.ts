import { ChatMemoryBuffer } from '@x/core-model/memory'
import { describe, expect, it } from 'vitest'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { journal } from '../journal.ts'
import type { AgentWorker, StepOptions } from '../loop/agent-worker.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import type { JournalEntry } from '../task/saved-task.ts'
import type { Task } from '../task/task.ts'
import { TaskStep } from '../task/task-step.ts'
import { TaskStepOutput } from '../task/task-step-output.ts'
import { ToolNotFoundError } from '../tool/tool-errors.ts'
import { AgentRunner, type AgentRunnerOptions } from './agent-runner.ts'
import { ParallelAgentRunner } from './parallel-agent-runner.ts'

/** The outcome of a call of a model or a tool. */
type Effect = (name: string) => void | Promise<void>

/** A worker whose step calls a model, with a different answer each time, and then two tools with the answer. */
function asking(effects: string[], effect: Effect = () => {}): AgentWorker {
  let answers = 0
  const run = async (
    step: TaskStep,
    task: Task,
    { durable, stepNumber }: StepOptions = {},
  ): Promise<TaskStepOutput> => {
    const call = (name: string, value: string) =>
      durable!(`step-${stepNumber}/${name}`, async () => {
        await effect(`step-${stepNumber}/${name}`)
        effects.push(`${stepNumber}/${name} ${value}`)
        return value
      })
    const answer = await call('model', `answer ${++answers}`)
    const sent = [await call('tool-1', `${answer} to ann`), await call('tool-2', `${answer} to bob`)]
    const before = (task.extraState['sent'] as string[] | undefined) ?? []
    task.extraState['sent'] = [...before, ...sent]
    const isLast = before.length > 0
    const output = new AgentChatResponse({ response: answer })
    const nextSteps = isLast ? [] : [step.getNextStep(`${step.stepId}+`)]
    return new TaskStepOutput({ output, taskStep: step, nextSteps, isLast })
  }
  return {
    callbackManager: null,
    setCallbackManager() {},
    getPrompts: () => ({}),
    updatePrompts() {},
    initializeStep: ({ taskId, input }) => new TaskStep({ taskId, stepId: 's', input }),
    runStep: run,
    streamStep: run,
    finalizeTask: (task) => task.memory.put({ role: 'user', content: String(task.extraState['sent']) } as never),
  }
}

/** Throws once, in one call. */
function failingIn(name: string, error: unknown = new Error('crash')): Effect {
  let hasFailed = false
  return (called) => {
    if (called !== name || hasFailed) return
    hasFailed = true
    throw error
  }
}

function runnerOn(effects: string[], effect?: Effect, options: Partial<AgentRunnerOptions> = {}): AgentRunner {
  return new AgentRunner({ agentWorker: asking(effects, effect), ...options })
}

describe('a step that failed', () => {
  it.each([undefined, new MemoryTaskStore()])('repeats neither the model nor a tool: store %o', async (taskStore) => {
    const effects: string[] = []
    const runner = runnerOn(effects, failingIn('step-1/tool-2'), { taskStore: journal(taskStore) })
    await expect(runner.chat('Send!')).rejects.toThrow('crash')
    const [task] = runner.listTasks()
    await runner.runTask(task!.taskId)
    expect(effects).toEqual([
      '1/model answer 1',
      '1/tool-1 answer 1 to ann',
      '1/tool-2 answer 1 to bob',
      '2/model answer 3',
      '2/tool-1 answer 3 to ann',
      '2/tool-2 answer 3 to bob',
    ])
  })

  it('continues in another process', async () => {
    const taskStore = new MemoryTaskStore()
    const effects: string[] = []
    // The process hangs in a tool.
    let reached!: () => void
    const standsStill = new Promise<void>((resolve) => {
      reached = resolve
    })
    const stop: Effect = (name) => (name === 'step-2/tool-2' ? new Promise(() => reached()) : undefined)
    void runnerOn(effects, stop, { taskStore: journal(taskStore) }).chat('Send!')
    await standsStill

    const { taskId } = taskStore.list({ unfinished: true })[0]!
    const second = runnerOn(effects, undefined, { taskStore: journal(taskStore) })
    await second.resumeTask(taskId)
    expect(
      Object.entries(second.saveTask(taskId).open_steps).map(([number, step]) => ({
        number: Number(number.slice(5)),
        ...step,
      })),
    ).toMatchObject([{ number: 2, results: { 'step-2/model': 'answer 2', 'step-2/tool-1': 'answer 2 to ann' } }])
    await second.runTask(taskId)
    expect(effects.slice(3)).toEqual(['2/model answer 2', '2/tool-1 answer 2 to ann', '2/tool-2 answer 2 to bob'])
    expect(taskStore.list({ unfinished: true })).toEqual([])
  })

  it.each([
    ['does not ask', 'in a tool', 'step-1/tool-1', 1],
    ['asks', 'behind the reply, which cannot be used', 'step-1/model', 2],
  ])(
    '%s the model again if an attempt fails early behind one whose process has ended %s',
    async (_, __, last, asked) => {
      const taskStore = new MemoryTaskStore()
      const effects: string[] = []
      const reached = Promise.withResolvers<void>()
      const hangs: Effect = (name) => (name === 'step-1/tool-1' ? new Promise(() => reached.resolve()) : undefined)
      void runnerOn(effects, hangs, { taskStore: journal(taskStore) }).chat('Send!')
      await reached.promise
      const { taskId } = taskStore.list({ unfinished: true })[0]!
      const runStep: AgentWorker['runStep'] = async (_step, _task, { durable } = {}) => {
        if (last === 'step-1/model') await durable!(last, async () => 'another answer')
        throw new Error('no list of tools')
      }
      const early = { ...asking(effects), runStep }
      for (const agentWorker of [early, asking(effects)]) {
        const runner = new AgentRunner({ agentWorker, taskStore: journal(taskStore) })
        await runner.resumeTask(taskId)
        await runner.runStep(taskId).catch(() => {})
      }
      const model = Array.from({ length: asked }, () => '1/model answer 1')
      expect(effects).toEqual([...model, '1/tool-1 answer 1 to ann', '1/tool-2 answer 1 to bob'])
    },
  )

  it('calls the model again if no tool was called, or the tool call was invalid', async () => {
    for (const [name, error] of [
      ['step-1/tool-1', new ToolNotFoundError('nope', [])],
      ['step-2/model', new Error('no network')],
    ] as const) {
      const taskStore = new MemoryTaskStore()
      const effects: string[] = []
      const runner = runnerOn(effects, failingIn(name, error), { taskStore: journal(taskStore) })
      const { taskId } = await runner.createTask('Send!')
      await runner.runTask(taskId).catch(() => {})
      await runner.runTask(taskId)
      const models = effects.filter((effect) => effect.includes('model')).map((effect) => effect.split(' ')[0])
      expect(models).toEqual(name === 'step-1/tool-1' ? ['1/model', '1/model', '2/model'] : ['1/model', '2/model'])
      const dropped = (taskStore.load(taskId) as JournalEntry[]).filter(({ type }) => type === 'drop')
      expect(dropped).toHaveLength(name === 'step-1/tool-1' ? 1 : 0)
    }
  })

  it('has a new number after an undo, so that its results are not reused', async () => {
    const effects: string[] = []
    const runner = runnerOn(effects, undefined, { taskStore: journal(new MemoryTaskStore()) })
    const { taskId } = await runner.createTask('Send!')
    await runner.runStep(taskId)
    await runner.undoStep(taskId)
    await runner.runStep(taskId)
    expect(effects.filter((effect) => effect.includes('tool-1'))).toEqual([
      '1/tool-1 answer 1 to ann',
      '2/tool-1 answer 2 to ann',
    ])
  })

  it('uses the first result of a call, even if its attempt was abandoned', async () => {
    let open!: () => void
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const effects: string[] = []
    let isFirst = true
    const effect: Effect = (name) => {
      if (name !== 'step-1/tool-1' || !isFirst) return
      isFirst = false
      return gate
    }
    const runner = runnerOn(effects, effect, { taskStore: journal(new MemoryTaskStore()) })
    const { taskId } = await runner.createTask('Send!')
    const controller = new AbortController()
    const given = runner.runStep(taskId, { signal: controller.signal })
    await new Promise((resolve) => setTimeout(resolve))
    controller.abort()
    await expect(given).rejects.toMatchObject({ code: 'abort' })
    await runner.runStep(taskId)
    open()
    await new Promise((resolve) => setTimeout(resolve))
    expect(runner.getTask(taskId).extraState['sent']).toEqual(['answer 1 to ann', 'answer 1 to bob'])
    expect(runner.saveTask(taskId).open_steps).toEqual({})
  })
})

describe('a batch of steps', () => {
  /** A worker whose first step queues three others, one of which fails at first. */
  function branching(effects: string[], isBroken: () => boolean): AgentWorker {
    const run = async (step: TaskStep, _task: Task, { durable, stepNumber }: StepOptions = {}) => {
      const { stepId } = step
      const text = await durable!(`step-${stepNumber}/tool-1`, async () => {
        effects.push(`${stepId} ${stepNumber}`)
        return `did ${stepId}`
      })
      if (stepId === 'b' && isBroken()) throw new Error('broken')
      const nextSteps = stepId === 's' ? ['a', 'b', 'c'].map((id) => step.getNextStep(id)) : []
      return new TaskStepOutput({ output: new AgentChatResponse({ response: text }), taskStep: step, nextSteps })
    }
    return { ...asking([]), runStep: run, streamStep: run }
  }

  it('continues in another process with the step that failed, and repeats no other', async () => {
    const taskStore = new MemoryTaskStore()
    const effects: string[] = []
    let isBroken = true
    const agentWorker = branching(effects, () => isBroken)
    const first = new ParallelAgentRunner({ agentWorker, taskStore: journal(taskStore) })
    const { taskId } = await first.createTask('Go!')
    await first.runStepsInQueue(taskId)
    await expect(first.runStepsInQueue(taskId)).rejects.toThrow('broken')

    const second = new ParallelAgentRunner({ agentWorker, taskStore: journal(taskStore) })
    await second.resumeTask(taskId)
    const visible = (runner: ParallelAgentRunner) => [
      runner.getUpcomingSteps(taskId).map(({ stepId }) => stepId),
      runner.getCompletedSteps(taskId).map(String),
      Object.entries(runner.saveTask(taskId).open_steps).map(([number, step]) => ({
        number: Number(number.slice(5)),
        ...step,
      })),
    ]
    expect(visible(second)).toEqual(visible(first))
    expect(visible(second)[2]).toMatchObject([{ step_id: 'b', number: 3 }])
    isBroken = false
    await second.runStepsInQueue(taskId)
    expect(second.getCompletedSteps(taskId).map(String)).toEqual(['did s', 'did a', 'did c', 'did b'])
    expect(effects).toEqual(['s 1', 'a 2', 'b 3', 'c 4'])
    await second.undoStep(taskId)
    await second.undoStep(taskId)
    const third = new ParallelAgentRunner({ agentWorker, taskStore: journal(taskStore) })
    await third.resumeTask(taskId)
    expect(visible(third)).toEqual([['a', 'b', 'c'], ['did s'], []])
  })
})

describe('two runners of the same task', () => {
  it('make no call twice: the second one throws TaskClaimedError', async () => {
    const taskStore = new MemoryTaskStore()
    const effects: string[] = []
    const first = runnerOn(effects, undefined, { taskStore: journal(taskStore) })
    const { taskId } = await first.createTask('Send!')
    const second = runnerOn(effects, undefined, { taskStore: journal(taskStore) })
    await second.resumeTask(taskId)
    const results = await Promise.allSettled([first.runTask(taskId), second.runTask(taskId)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(results[1]).toMatchObject({ reason: { code: 'task_claimed', taskId } })
    expect(effects).toHaveLength(6)
    // The second runner can load the current state of the task.
    await second.resumeTask(taskId)
    expect(String(await second.runTask(taskId))).toBe(String(await first.runTask(taskId)))
    expect(effects).toHaveLength(6)
  })

  it('throw TaskClaimedError for a task that was taken over while it ran', async () => {
    const taskStore = new MemoryTaskStore()
    const effects: string[] = []
    const second = runnerOn(effects, undefined, { taskStore: journal(taskStore) })
    let taskId = ''
    const first = runnerOn(
      effects,
      async (name) => {
        if (name !== 'step-1/tool-1') return
        taskId = taskStore.list()[0]!.taskId
        await second.resumeTask(taskId)
        await second.runTask(taskId)
      },
      { taskStore: journal(taskStore) },
    )
    await expect(first.chat('Send!')).rejects.toMatchObject({ code: 'task_claimed' })
    await expect(first.runTask(taskId)).rejects.toMatchObject({ code: 'task_claimed' })
    expect(taskStore.list({ unfinished: true })).toEqual([])
  })
})

describe('a task whose end was interrupted', () => {
  it.each([0, 1])('adds each message once after %d were added', async (added) => {
    const taskStore = new MemoryTaskStore()
    const memory = ChatMemoryBuffer.fromDefaults()
    const worker = {
      ...asking([]),
      finalizeTask: async (task: Task) => {
        await task.memory.put({ role: 'user', content: 'Send!' } as never)
        await task.memory.put({ role: 'assistant', content: 'Sent.' } as never)
      },
    }
    const dying: AgentWorker = {
      ...worker,
      finalizeTask: async (task) => {
        if (added > 0) await task.memory.put({ role: 'user', content: 'Send!' } as never)
        throw new Error('power cut')
      },
    }
    const first = new AgentRunner({ agentWorker: dying, taskStore: journal(taskStore), memory })
    await expect(first.chat('Send!')).rejects.toThrow('power cut')
    const { taskId } = taskStore.list()[0]!
    const second = new AgentRunner({ agentWorker: worker, taskStore: journal(taskStore), memory })
    await second.resumeTask(taskId)
    await expect(second.undoStep(taskId)).rejects.toMatchObject({ code: 'task_finalized' })
    await second.runTask(taskId)
    expect(memory.getAll().map(String)).toEqual(['user: Send!', 'assistant: Sent.'])
  })
})

describe('the conversation of a task', () => {
  /** A memory whose messages are stored elsewhere. */
  class Stored extends ChatMemoryBuffer {
    readonly conversationId = 'ann'
  }

  it('is saved as a reference if it has an id', async () => {
    const taskStore = new MemoryTaskStore()
    const memory = new Stored({ tokenLimit: 1000 })
    memory.put({ role: 'user', content: 'a secret' })
    const { taskId } = await runnerOn([], undefined, { taskStore: journal(taskStore), memory }).createTask('Send!')
    expect(JSON.stringify(taskStore.load(taskId))).not.toContain('a secret')
    expect(taskStore.list({ conversationId: 'ann' })).toHaveLength(1)

    await expect(runnerOn([], undefined, { taskStore: journal(taskStore) }).resumeTask(taskId)).rejects.toThrow(
      'conversation "ann"',
    )
    const opened: string[] = []
    const openConversation = async (id: string) => {
      opened.push(id)
      return memory
    }
    const other = await runnerOn([], undefined, { taskStore: journal(taskStore, { openConversation }) }).resumeTask(
      taskId,
    )
    expect([other!.memory, opened]).toEqual([memory, ['ann']])
    const same = await runnerOn([], undefined, { taskStore: journal(taskStore), memory }).resumeTask(taskId)
    expect(same!.memory).toBe(memory)
  })

  it('contains the messages of a finished task after loading', async () => {
    const taskStore = new MemoryTaskStore()
    const first = runnerOn([], undefined, {
      taskStore: journal(taskStore),
      chatHistory: [{ role: 'user', content: 'before' }],
    })
    await first.chat('Send!')
    const second = runnerOn([], undefined, { taskStore: journal(taskStore) })
    await second.resumeTask(taskStore.list()[0]!.taskId)
    expect(second.chatHistory.map(String)).toEqual(first.chatHistory.map(String))
    expect(second.chatHistory).toHaveLength(2)
  })

  it('is never the memory of the runner if the task had its own', async () => {
    const taskStore = new MemoryTaskStore()
    const runner = runnerOn([], undefined, { taskStore: journal(taskStore) })
    const own = runner.conversation({ chatHistory: [{ role: 'user', content: 'I am Ann.' }] })
    const { taskId } = await runner.createTask('Send!', { memory: own.memory })
    const empty = runnerOn([], undefined, { taskStore: journal(taskStore) })
    const task = await empty.resumeTask(taskId)
    expect((await task!.memory.getAll()).map(String)).toEqual(['user: I am Ann.'])
    expect(empty.chatHistory).toEqual([])
    const bob = runnerOn([], undefined, {
      taskStore: journal(taskStore),
      chatHistory: [{ role: 'user', content: 'I am Bob.' }],
    })
    const plain = await runner.createTask('Send!')
    const loaded = await bob.resumeTask(plain.taskId)
    expect(loaded!.memory.getAll()).toEqual([])
    expect(bob.chatHistory.map(String)).toEqual(['user: I am Bob.'])
  })
})
