import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata, type TaskStore, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from '../agent/function-calling-agent.ts'
import { journal, journalPort } from '../journal.ts'
import type { AgentRunner } from '../runner/agent-runner.ts'
import type { Durable, JournalPort, Json } from '../task/durable.ts'
import type { Journal } from '../task/journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import type { AgentToolConversation } from './agent-calls.ts'
import { AgentTool } from './agent-tool.ts'
import { FunctionTool } from './function-tool.ts'

type Turn = string | ReturnType<typeof toolCall>[]

/** The effects of all tools. */
const effects: string[] = []
let asked = 0

beforeEach(() => {
  effects.length = 0
  asked = 0
})

/** An agent whose model plays its turns by the number of its messages, with new arguments each time it is asked. */
function agent(
  turns: readonly ((time: number) => Turn)[],
  options: Partial<FunctionCallingAgentOptions>,
): FunctionCallingAgent {
  const chat = async (messages: readonly ChatMessage[]) => {
    const since = messages.findLastIndex(({ role }) => role === 'user')
    const turn = turns[messages.slice(since).filter(({ role }) => role === 'assistant').length]!(++asked)
    const message = typeof turn === 'string' ? toolCalls().copy({ update: { content: turn } }) : toolCalls(...turn)
    return new ChatResponse({
      message: typeof turn === 'string' ? message.copy({ update: { additionalKwargs: {} } }) : message,
    })
  }
  const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
  return FunctionCallingAgent.fromTools({ llm: { metadata, chat } as unknown as BaseLLM, ...options })
}

function tool(name: string, needsApproval = false): FunctionTool {
  return FunctionTool.fromDefaults({
    name,
    needsApproval,
    schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    fn: ({ to }, { idempotencyKey }) => {
      effects.push(`${name} ${idempotencyKey} ${to}`)
      return 'done'
    },
  })
}

/** Mails, and then pays twice, each after an approval. */
const TURNS = [
  (time: number) => [toolCall('m', 'mail', { to: `${time}` })],
  (time: number) => [toolCall('p', 'pay', { to: `${time}` })],
  (time: number) => [toolCall('q', 'pay', { to: `${time}` })],
  () => 'Paid.',
]
const asking = [() => [toolCall('s', 'sub', { input: 'Pay!' })], () => 'Done.']

/** Agents behind tools, of which only the outermost one may have a store. */
function nested(
  depth: number,
  options: Partial<FunctionCallingAgentOptions>,
  conversation: AgentToolConversation = 'fresh',
): FunctionCallingAgent {
  const tools =
    depth === 0
      ? [tool('mail'), tool('pay', true)]
      : [new AgentTool({ agent: nested(depth - 1, {}, conversation), name: 'sub', conversation })]
  return agent(depth === 0 ? TURNS : asking, { tools, ...options })
}

const outcome = (run: Promise<unknown>) => run.then(String, ({ code }) => code as string)

/** The same effects as in one process: one mail and two payments, each under its own key. */
function expectEffects(depth: number): void {
  const path = `T${'/1/0'.repeat(depth)}`
  expect(effects.map((effect) => effect.split(' ').slice(0, 2).join(' '))).toEqual([
    `mail ${path}/1/0`,
    `pay ${path}/2/0`,
    `pay ${path}/4/0`,
  ])
}

describe('agents behind tools, without a store of their own', () => {
  describe.each([1, 2, 4])('%i deep', (depth) => {
    it.each(['fresh', 'lasting'] as const)(
      'continue in other processes with the store of the outermost agent (%s)',
      async (conversation) => {
        const taskStore = new MemoryTaskStore()
        expect(
          await outcome(nested(depth, { taskStore: journal(taskStore) }, conversation).chat('Go', { taskId: 'T' })),
        ).toBe('approval_required')
        const outcomes = []
        for (let i = 0; i < 2; i++) {
          const process = nested(depth, { taskStore: journal(taskStore) }, conversation)
          await process.resumeTask('T')
          const [call] = process.getPendingApprovals('T')
          await process.approve('T', call!.id)
          outcomes.push(
            await outcome(nested(depth, { taskStore: journal(taskStore) }, conversation).chat('', { taskId: 'T' })),
          )
        }
        expect(outcomes).toEqual(['approval_required', 'Done.'])
        expectEffects(depth)
        const end = nested(depth, { taskStore: journal(taskStore) })
        await end.resumeTask('T')
        expect((await end.chat('', { taskId: 'T' })).usage).toMatchObject({ toolCalls: depth + 3 })
      },
    )

    it.each(['an engine', 'no engine'])('are contained in a saved task, with %s', async (kind) => {
      // The journal of an invocation contains no results of earlier ones.
      const invocation = (): { durable?: JournalPort; taskStore?: Journal } => {
        const known = new Map<string, Json>()
        const durable: Durable = async (name, fn) => {
          if (!known.has(name)) known.set(name, await fn())
          return known.get(name) as never
        }
        return kind === 'an engine' ? { durable: journalPort(durable) } : { taskStore: journal() }
      }
      let process: AgentRunner = nested(depth, invocation())
      await process.createTask('Go', { taskId: 'T' })
      const outcomes = [await outcome(process.runTask('T'))]
      for (let i = 0; i < 2; i++) {
        const saved = JSON.parse(JSON.stringify(process.saveTask('T')))
        process = nested(depth, invocation())
        await process.loadTask(saved)
        await process.approve('T', process.getPendingApprovals('T')[0]!.id)
        outcomes.push(await outcome(process.runTask('T')))
      }
      expect(outcomes).toEqual(['approval_required', 'approval_required', 'Done.'])
      expectEffects(depth)
    })
  })

  it.each([1, 4])('are contained in a task of a store that is saved as JSON, %i deep', async (depth) => {
    const process = nested(depth, { taskStore: journal(new MemoryTaskStore()) })
    await outcome(process.chat('Go', { taskId: 'T' }))
    const saved = JSON.parse(JSON.stringify(process.saveTask('T')))
    const elsewhere = [
      () => nested(depth, { taskStore: journal() }),
      () => nested(depth, { taskStore: journal(new MemoryTaskStore()) }),
    ]
    for (const make of elsewhere) {
      effects.length = 1
      const next = make()
      await next.loadTask(saved)
      for (const expected of ['approval_required', 'Done.']) {
        await next.approve('T', next.getPendingApprovals('T')[0]!.id)
        expect(await outcome(next.runTask('T'))).toBe(expected)
      }
      expectEffects(depth)
    }
  })

  it('are contained in a journal that is loaded without a store', async () => {
    const taskStore = new MemoryTaskStore()
    await outcome(nested(2, { taskStore: journal(taskStore) }).chat('Go', { taskId: 'T' }))
    const next = nested(2, { taskStore: journal() })
    await next.loadTask(taskStore.load('T'))
    for (const expected of ['approval_required', 'Done.']) {
      await next.approve('T', next.getPendingApprovals('T')[0]!.id)
      expect(await outcome(next.runTask('T'))).toBe(expected)
    }
    expectEffects(2)
  })

  it('have no effect again after an undo, in this process or another one', async () => {
    const taskStore = new MemoryTaskStore()
    const process = nested(2, { taskStore: journal(taskStore) })
    await outcome(process.chat('Go', { taskId: 'T' }))
    await process.approve('T', process.getPendingApprovals('T')[0]!.id)
    await outcome(process.runTask('T'))
    await process.approve('T', process.getPendingApprovals('T')[0]!.id)
    await process.runStep('T')
    expectEffects(2)
    for (const next of [
      process,
      process,
      nested(2, { taskStore: journal(taskStore) }),
      nested(2, { taskStore: journal(taskStore) }),
    ]) {
      await next.resumeTask('T')
      await next.undoStep('T')
      // The decision is undone too, for the calling task.
      for (const { id } of next.getPendingApprovals('T')) await next.approve('T', id)
      await next.runStep('T')
    }
    expect(await outcome(nested(2, { taskStore: journal(taskStore) }).chat('', { taskId: 'T' }))).toBe('Done.')
    expectEffects(2)
  })

  it('start again in a fork, under the keys of the fork', async () => {
    const taskStore = new MemoryTaskStore()
    const process = nested(1, { taskStore: journal(taskStore) })
    await outcome(process.chat('Go', { taskId: 'T' }))
    await process.forkTask('T', { taskId: 'F' })
    for (const taskId of ['F', 'T']) {
      await outcome(process.runTask(taskId))
      for (let i = 0; i < 2; i++) {
        await process.approve(taskId, process.getPendingApprovals(taskId)[0]!.id)
        await outcome(process.runTask(taskId))
      }
    }
    expect(effects.map((effect) => effect.split(' ')[1]!.slice(0, 5)).sort()).toEqual([
      'F/1/0',
      'F/1/0',
      'F/1/0',
      'T/1/0',
      'T/1/0',
      'T/1/0',
    ])
    expect(new Set(effects.map((effect) => effect.split(' ')[1])).size).toBe(6)
  })

  it('receive edits, rejections and results that other processes decide', async () => {
    const decisions = {
      edit: (process: AgentRunner, id: string) => process.edit('T', id, { to: 'EDITED' }),
      reject: (process: AgentRunner, id: string) => process.reject('T', id, 'no'),
      result: (process: AgentRunner, id: string) => process.provideResult('T', id, 'paid elsewhere'),
    }
    for (const [name, decide] of Object.entries(decisions)) {
      effects.length = 0
      const taskStore = new MemoryTaskStore()
      await outcome(nested(2, { taskStore: journal(taskStore) }).chat('Go', { taskId: 'T' }))
      for (const expected of ['approval_required', 'Done.']) {
        const process = nested(2, { taskStore: journal(taskStore) })
        await process.resumeTask('T')
        await decide(process, process.getPendingApprovals('T')[0]!.id)
        expect(await outcome(nested(2, { taskStore: journal(taskStore) }).chat('', { taskId: 'T' })), name).toBe(
          expected,
        )
      }
      const paid = effects.filter((effect) => effect.startsWith('pay')).map((effect) => effect.split(' ')[2])
      expect(paid, name).toEqual(name === 'edit' ? ['EDITED', 'EDITED'] : [])
      expect(effects.filter((effect) => effect.startsWith('mail'))).toHaveLength(1)
    }
  })

  it('are refused when another process has taken over the calling task', async () => {
    const taskStore = new MemoryTaskStore()
    const [first, second] = [nested(2, { taskStore: journal(taskStore) }), nested(2, { taskStore: journal(taskStore) })]
    await outcome(first.chat('Go', { taskId: 'T' }))
    await second.resumeTask('T')
    const [call] = second.getPendingApprovals('T')
    await second.approve('T', call!.id)
    expect(await outcome(second.runTask('T'))).toBe('approval_required')
    await expect(first.approve('T', call!.id)).rejects.toMatchObject({ code: 'task_claimed' })
    await first.resumeTask('T')
    await first.approve('T', first.getPendingApprovals('T')[0]!.id)
    expect(await outcome(first.runTask('T'))).toBe('Done.')
    expectEffects(2)
  })

  it('continue after a crash between the result of the call and the end of its step', async () => {
    const own = new MemoryTaskStore()
    const taskStore = killedAt(own, 'step')
    expect(await outcome(nested(1, { taskStore: journal(taskStore) }).chat('Go', { taskId: 'T' }))).toBe(undefined)
    const second = nested(1, { taskStore: journal(own) })
    expect(await outcome(second.chat('', { taskId: 'T' }))).toBe('approval_required')
    for (const expected of ['approval_required', 'Done.']) {
      const third = nested(1, { taskStore: journal(own) })
      await third.resumeTask('T')
      await third.approve('T', third.getPendingApprovals('T')[0]!.id)
      expect(await outcome(third.runTask('T'))).toBe(expected)
    }
    expectEffects(1)
  })

  it('keep the earlier messages of a lasting conversation', async () => {
    const taskStore = new MemoryTaskStore()
    const seen: number[] = []
    const process = () => {
      const inner = agent([() => (asked < 4 ? 'Hello.' : [toolCall('p', 'pay', { to: 'ann' })]), () => 'Paid.'], {
        tools: [tool('pay', true)],
        prepareMessages: (messages) => {
          seen.push(messages.length)
          return messages
        },
      })
      const sub = new AgentTool({ agent: inner, name: 'sub', conversation: 'lasting' })
      const turns = [asking[0]!, () => [toolCall('t', 'sub', { input: 'Pay!' })], () => 'Done.']
      return agent(turns, { tools: [sub], taskStore: journal(taskStore) })
    }
    expect(await outcome(process().chat('Go', { taskId: 'T' }))).toBe('approval_required')
    const second = process()
    await second.resumeTask('T')
    await second.approve('T', 't/p')
    expect(await outcome(second.runTask('T'))).toBe('Done.')
    // The last request contains the first question with its answer, the second question, the call and its result.
    expect(seen).toEqual([1, 3, 5])
  })

  it('end the run with an error if a decided call belongs to a task that is lost', async () => {
    const taskStore = new MemoryTaskStore()
    const inner = () =>
      agent(TURNS, { tools: [tool('mail'), tool('pay', true)], taskStore: journal(new MemoryTaskStore()) })
    const outer = () =>
      agent(asking, { tools: [new AgentTool({ agent: inner(), name: 'sub' })], taskStore: journal(taskStore) })
    await outcome(outer().chat('Go', { taskId: 'T' }))
    const second = outer()
    await second.resumeTask('T')
    await second.approve('T', 's/p')
    const error = await second.chat('', { taskId: 'T' }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'task_not_found', taskId: 'T/1/0' })
    expect(error.message).toBe(
      'Task "T/1/0" does not exist. Tool "sub" cannot continue it: pass the store in which its agent saved it.',
    )
    expect(effects).toHaveLength(1)
    // Nothing was lost: the decision still stands.
    expect(await outcome(outer().chat('', { taskId: 'T' }))).toBe('task_not_found')
  })

  it('end the run with an error if their saved task cannot be read', async () => {
    const first = nested(1, { taskStore: journal() })
    await outcome(first.chat('Go', { taskId: 'T' }))
    const text = JSON.stringify(first.saveTask('T')).replace('"steps_started":2', '"steps_started":"two"')
    const second = nested(1, { taskStore: journal() })
    await second.loadTask(JSON.parse(text))
    await second.approve('T', 's/p')
    const error = await second.runTask('T').catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'tool_execution', cause: { code: 'saved_task' } })
    expect(effects).toHaveLength(1)
  })

  it('wait in memory although their state cannot be saved', async () => {
    class OwnNode extends TextNode {
      static override className() {
        return 'OwnNode'
      }
    }
    const find = FunctionTool.fromDefaults({
      name: 'mail',
      schema: { type: 'object', properties: { to: { type: 'string' } } },
      fn: () => ({ sourceNodes: [{ node: new OwnNode({ text: 'a' }), score: 1 }] }),
    })
    const outer = (options: Partial<FunctionCallingAgentOptions> = {}) => {
      const inner = agent([TURNS[0]!, TURNS[1]!, () => 'Paid.'], { tools: [find, tool('pay', true)] })
      return agent(asking, { tools: [new AgentTool({ agent: inner, name: 'sub' })], ...options })
    }
    const process = outer()
    expect(await outcome(process.chat('Go', { taskId: 'T' }))).toBe('approval_required')
    await process.approve('T', 's/p')
    expect(await outcome(process.runTask('T'))).toBe('Done.')
    const error = await outer({ taskStore: journal(new MemoryTaskStore()) })
      .chat('Go')
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'tool_execution', cause: { code: 'serialization' } })
  })
})

describe('a call whose result is saved', () => {
  const both = [
    (time: number) => [toolCall('m', 'mail', { to: `${time}` }), toolCall('p', 'pay', { to: `${time}` })],
    () => 'Done.',
  ]
  const version = (taskStore: TaskStore, approvals: string[]) =>
    agent(both, {
      tools: ['mail', 'pay'].map((name) => tool(name, approvals.includes(name))),
      taskStore: journal(taskStore),
    })

  it.each([
    // Both calls ran.
    ['step', ['mail', 'pay'], ['mail', 'pay'], ['Done.']],
    // Only the first call ran.
    ['pay', ['mail', 'pay'], ['mail', 'pay'], ['approval_required', 'Done.']],
    ['pay', ['mail'], ['mail', 'pay'], ['Done.']],
  ])(
    'neither waits nor runs again in a version that wants approval (killed at %s, approval of %j)',
    async (point, approvals, ran, expected) => {
      const own = new MemoryTaskStore()
      await outcome(version(killedAt(own, point), []).chat('Go', { taskId: 'T' }))
      // The process is killed while it runs the second call, or after it.
      effects.length = point === 'pay' ? 1 : 2
      const outcomes = []
      for (const _ of expected) {
        const next = version(own, approvals)
        await next.resumeTask('T')
        for (const { id, name } of next.getPendingApprovals('T')) {
          expect(name).toBe('pay')
          await next.approve('T', id)
        }
        outcomes.push(await outcome(next.runTask('T')))
      }
      expect(outcomes).toEqual(expected)
      const end = version(own, approvals)
      await end.resumeTask('T')
      expect((await end.chat('', { taskId: 'T' })).usage).toMatchObject({ toolCalls: 2 })
      expect(effects.map((effect) => effect.split(' ')[0])).toEqual(ran)
      expect(new Set(effects.map((effect) => effect.split(' ')[2])).size).toBe(1)
    },
  )
})

/** A store of a process that is killed before it stores the first entry of a type, or the result of the second call. */
function killedAt(own: MemoryTaskStore, point: string): TaskStore {
  class Killed extends Error {
    readonly fatal = true
  }
  const isPoint = (entry: { type?: string; name?: string }) =>
    point === 'pay' ? entry.name === 'tool-1' : entry.type === point
  let isDead = false
  return {
    append: (id, entries, revision) => {
      isDead ||= entries.some(isPoint)
      if (isDead) throw new Killed()
      return own.append(id, entries, revision)
    },
    load: (id) => own.load(id),
    list: (filter) => own.list(filter),
    delete: (id) => own.delete(id),
  }
}

it('keeps the decisions about other calls of the turn when an agent waits in the same round', async () => {
  const turn = (...calls: [id: string, name: string][]) =>
    new ChatMessage({
      role: 'assistant',
      content: null,
      additionalKwargs: { tool_calls: calls.map(([id, name]) => ({ id, name, arguments: '{"input":"x"}' })) },
    })
  const llm = (...answers: (ChatMessage | string)[]) =>
    new ScriptedLLM({ answers, metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }) })
  const effects: string[] = []
  const asking = (name: string) =>
    FunctionTool.fromDefaults({ name, schema: {}, needsApproval: true, fn: () => `done ${effects.push(name)}` })
  const inner = FunctionCallingAgent.fromTools({ llm: llm(turn(['i', 'log']), 'logged'), tools: [asking('log')] })
  const agent = FunctionCallingAgent.fromTools({
    llm: llm(turn(['a', 'remove'], ['h', 'human'], ['b', 'inner']), 'done'),
    tools: [
      asking('remove'),
      FunctionTool.external({ name: 'human', schema: {} }),
      new AgentTool({ agent: inner, name: 'inner' }),
    ],
  })
  await expect(agent.chat('Go!', { taskId: 't' })).rejects.toMatchObject({ code: 'approval_required' })
  await agent.reject('t', 'a', 'never')
  await agent.provideResult('t', 'h', 'yes')
  await expect(agent.runTask('t')).rejects.toMatchObject({ code: 'approval_required' })
  await agent.approve('t', 'b/i')
  const { sources } = await agent.runTask('t')
  expect(effects).toEqual(['log'])
  expect(sources.map(String)).toEqual([expect.stringContaining('never'), 'yes', 'logged'])
})
