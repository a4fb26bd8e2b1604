/// <reference types="node" />
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readJsonText, ToolOutput, writeJsonText } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { FileTaskStore } from '@x/storage/node'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent, type ReActAgentFromToolsOptions } from '../agent/react-agent.ts'
import { QueryResponse } from '../answer/query-response.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { readJournal } from '../task/read-journal.ts'
import type { SavedTask } from '../task/versions.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { QueryEngineTool } from '../tool/query-engine-tool.ts'
import type { AgentRunner } from './agent-runner.ts'

const echo = FunctionTool.fromDefaults({
  name: 'echo',
  schema: { type: 'object', properties: { value: {} }, required: ['value'] },
  fn: ({ value }) => value,
})
const fail = FunctionTool.fromDefaults({
  name: 'fail',
  schema: { type: 'object', properties: {} },
  fn: () => {
    throw new Error('broken')
  },
})
const ask = new QueryEngineTool({
  name: 'ask',
  queryEngine: { query: (q) => new QueryResponse({ response: `about ${q}` }) },
})
const tools = [echo, fail, ask]

/** One turn of a run: a tool call or a reply that cannot be parsed, perhaps after a new user input. */
const turn = fc.record({
  kind: fc.constantFrom('echo', 'fail', 'ask', 'nope', 'broken' as const),
  value: fc.jsonValue({ maxDepth: 2 }),
  say: fc.option(fc.string({ minLength: 1 }), { freq: 5 }),
})
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

function reactText({ kind, value }: Turn): string {
  if (kind === 'broken') return 'Thought: hm'
  const args = kind === 'echo' ? { value } : kind === 'ask' ? { input: 'it' } : {}
  return `Thought: go on\nAction: ${kind}\nAction Input: ${JSON.stringify(args)}`
}

const LIMITS = { maxIterations: 100, maxRepeatedFailures: null }

/** An agent of either kind, whose model replies with the remaining turns of a run. */
function agentFor(
  kind: 'react' | 'native',
  turns: readonly Turn[],
  options: Partial<ReActAgentFromToolsOptions> = {},
  from = 0,
): AgentRunner {
  if (kind === 'react') {
    const llm = new ScriptedLLM({ answers: [...turns.map(reactText), 'Thought: end\nAnswer: the end'] })
    return ReActAgent.fromTools({ llm, tools, taskStore: journal(), ...LIMITS, ...options })
  }
  const calls = turns.map(({ kind: name, value }, i) => [
    toolCall(`c${i + from}`, name, name === 'echo' ? { value } : name === 'broken' ? 'no json' : {}),
  ])
  const llm = functionCallingLlm([...calls, 'the end'])
  const { taskStore = journal() } = options
  return FunctionCallingAgent.fromTools({
    llm,
    tools,
    maxFunctionCalls: 100,
    maxRepeatedFailures: null,
    taskStore,
  })
}

const sayTo = (turns: readonly Turn[], i: number) => (i > 0 && turns[i]?.say ? { input: turns[i]!.say } : {})

/** Returns data as text, with integers of any size. */
const plainText = (data: unknown) =>
  JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))

/** The public state of a task, without the ids of its steps. */
function visible(agent: AgentRunner, taskId: string): unknown {
  const steps = agent.getCompletedSteps(taskId).map(({ output, taskStep, isLast, status }) => {
    const { response, sources } = output as { response: string; sources: { toDict(): unknown }[] }
    return [response, sources.map((source) => source.toDict()), taskStep.input, taskStep.stepState, isLast, status]
  })
  const upcoming = agent.getUpcomingSteps(taskId).map(({ input, stepState }) => [input, stepState])
  const { extraState, input } = agent.getTask(taskId)
  const state = { ...extraState, new_memory: String(extraState['new_memory']) }
  return JSON.parse(plainText([steps, upcoming, input, state]))
}

async function runSteps(
  agent: AgentRunner,
  taskId: string,
  turns: readonly Turn[],
  from: number,
  to: number,
): Promise<void> {
  for (let i = from; i < to; i++) await agent.runStep(taskId, sayTo(turns, i))
}

describe('saving and loading', () => {
  it.each(['react', 'native'] as const)('continues in the same way at every step of a %s run', async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 5 }), fc.nat(), async (turns, at) => {
        const stop = at % (turns.length + 1)
        const straight = agentFor(kind, turns)
        const { taskId } = await straight.createTask('question')
        await runSteps(straight, taskId, turns, 0, stop)
        const saved = readJsonText(writeJsonText(straight.saveTask(taskId)))

        const resumed = agentFor(kind, turns.slice(stop), {}, stop)
        await resumed.loadTask(saved)
        expect(visible(resumed, taskId)).toEqual(visible(straight, taskId))
        expect(resumed.saveTask(taskId)).toEqual(saved)

        for (const agent of [straight, resumed]) await runSteps(agent, taskId, turns, stop, turns.length + 1)
        expect(visible(resumed, taskId)).toEqual(visible(straight, taskId))
        const answers = [await straight.finalizeResponse(taskId), await resumed.finalizeResponse(taskId)]
        expect(plainText(answers[1])).toBe(plainText(answers[0]))
        expect(resumed.chatHistory.map(String)).toEqual(straight.chatHistory.map(String))
        for (const agent of [straight, resumed]) expect(agent.saveTask(taskId).finalized).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('loads the conversation only into an empty one', async () => {
    const llm = () => new ScriptedLLM({ answers: ['Answer: one', 'Answer: two'] })
    const agent = ReActAgent.fromTools({ llm: llm(), taskStore: journal() })
    await agent.chat('first')
    const task = await agent.createTask('second')
    const saved = agent.saveTask(task.taskId)
    const empty = ReActAgent.fromTools({ llm: llm(), taskStore: journal() })
    await empty.loadTask(saved)
    expect(empty.chatHistory.map(String)).toEqual(['user: first', 'assistant: one'])
    const busy = ReActAgent.fromTools({ llm: llm(), chatHistory: [{ content: 'other' }], taskStore: journal() })
    await busy.loadTask(saved)
    expect(busy.chatHistory.map(String)).toEqual(['user: other'])
    await expect(busy.loadTask(saved)).rejects.toMatchObject({ code: 'task_already_exists' })
  })

  it('rejects incomplete or invalid data', async () => {
    const agent = agentFor('react', [{ kind: 'echo', value: 1, say: null }])
    const { taskId } = await agent.createTask('x')
    await agent.runStep(taskId)
    const saved = agent.saveTask(taskId)
    const fresh = () => agentFor('react', [])
    const refused = { code: 'saved_task' }
    for (const version of [0, 4, '1', null, undefined]) {
      await expect(fresh().loadTask({ ...saved, version })).rejects.toMatchObject(refused)
    }
    for (const data of [null, undefined, 3, 'x', [], {}])
      await expect(fresh().loadTask(data)).rejects.toMatchObject(refused)
    for (const key of Object.keys(saved) as (keyof SavedTask)[]) {
      const { [key]: _, ...rest } = saved
      await expect(fresh().loadTask(rest)).rejects.toMatchObject(refused)
      // Any string is the id of a conversation.
      const wrong = { ...saved, [key]: key === 'conversation_id' ? 5 : 'wrong' }
      await expect(fresh().loadTask(wrong)).rejects.toMatchObject(refused)
    }
    const unknown = { ...saved, task: { ...saved.task, extra_state: { x: { $kind: 'Mystery', value: 1 } } } }
    await expect(fresh().loadTask(unknown)).rejects.toMatchObject(refused)
  })

  it('reports the path of a value without JSON form', async () => {
    const agent = agentFor('react', [])
    const { taskId } = await agent.createTask('x', { extraState: { mine: { deep: [() => 1] } } })
    expect(() => agent.saveTask(taskId)).toThrow(
      expect.objectContaining({ code: 'serialization', field: 'task.extraState.mine.deep[0]' }),
    )
  })

  it('reports a value that contains itself', async () => {
    const agent = agentFor('react', [])
    const loop: unknown[] = []
    loop.push({ loop })
    const { taskId } = await agent.createTask('question', { extraState: { loop } })
    expect(() => agent.saveTask(taskId)).toThrow(
      expect.objectContaining({ code: 'serialization', field: 'task.extraState.loop[0].loop' }),
    )
  })

  it('writes data that steps share once', async () => {
    const sizeAfter = async (steps: number) => {
      const turns = Array.from({ length: steps }, (): Turn => ({ kind: 'echo', value: 'x'.repeat(1000), say: null }))
      const agent = agentFor('react', turns)
      const { taskId } = await agent.createTask('question')
      await runSteps(agent, taskId, turns, 0, steps)
      return writeJsonText(agent.saveTask(taskId)).length
    }
    expect((await sizeAfter(40)) / (await sizeAfter(20))).toBeLessThan(2.1)
  })

  it('refuses values that do not match their kind', async () => {
    const agent = agentFor('react', [])
    const { taskId } = await agent.createTask('question', { extraState: { mine: 1 } })
    const saved = agent.saveTask(taskId)
    const answer = { response: 'x', sources: [], source_nodes: [] }
    const wrong = [
      ['Date', 'tomorrow'],
      ['Date', 5],
      ['Set', 'abc'],
      ['Map', { a: 1 }],
      ['AgentChatResponse', { ...answer, response: 5 }],
      ['AgentChatResponse', { ...answer, sources: 'abc' }],
      ['Answer', { ...answer, source_nodes: null }],
      ['ToolOutput', []],
    ]
    for (const [$kind, value] of wrong) {
      const broken = structuredClone(saved)
      Object.assign(broken.task.extra_state as object, { mine: { $kind, value } })
      await expect(agentFor('react', []).loadTask(broken)).rejects.toMatchObject({ code: 'saved_task' })
    }
  })

  it('refuses a state that the worker cannot continue with', async () => {
    const agent = agentFor('react', [])
    const { taskId } = await agent.createTask('question')
    const saved = agent.saveTask(taskId)
    await expect(agentFor('native', []).loadTask(saved)).rejects.toMatchObject({ code: 'saved_task' })
    const wrong = {
      sources: [null, 5, [1]],
      usage: [{ modelCalls: 1 }, { modelCalls: '1', toolCalls: 0, totalTokens: 0 }],
      protocol: ['native', 1],
      new_memory: [{}],
      current_reasoning: ['x'],
      n_iterations: ['1', null],
      pending_calls: [5, [1], [{ id: 'a', name: 'b', decision: 'maybe' }]],
    }
    for (const [key, values] of Object.entries(wrong)) {
      for (const value of values) {
        const broken = structuredClone(saved)
        Object.assign(broken.task.extra_state as object, { [key]: value })
        await expect(agentFor('react', []).loadTask(broken), key).rejects.toMatchObject({ code: 'saved_task' })
      }
    }
  })

  it('rejects a finalized task without an answer', async () => {
    const agent = agentFor('react', [])
    const { taskId } = await agent.createTask('question')
    await agent.runTask(taskId)
    const saved = agent.saveTask(taskId)
    await agentFor('react', []).loadTask(saved)
    saved.completed_steps[0]!.output = 'text'
    await expect(agentFor('react', []).loadTask(saved)).rejects.toMatchObject({ code: 'saved_task' })
  })

  it('keeps the text of an output whose value cannot be written', async () => {
    const rawOutput = {
      get broken(): never {
        throw new Error('no')
      },
    }
    const output = new ToolOutput({ content: 'words', toolName: 't', rawOutput: { rawOutput } })
    const agent = agentFor('react', [])
    const { taskId } = await agent.createTask('x', { extraState: { output } })
    const other = agentFor('react', [])
    await other.loadTask(agent.saveTask(taskId))
    expect(other.getTask(taskId).extraState['output']).toMatchObject({ content: 'words', rawOutput: 'words' })
    const { taskId: dated } = await agent.createTask('x', { extraState: { when: new Date(Number.NaN) } })
    expect(() => agent.saveTask(dated)).toThrow(expect.objectContaining({ code: 'serialization' }))
  })

  it('keeps dates, maps, sets and marked keys of the user', async () => {
    const extraState = {
      when: new Date(0),
      map: new Map([['a', new Set([1])]]),
      plain: { $kind: 'Date', value: 'mine' },
      __proto__x: Object.fromEntries([['__proto__', 1]]),
    }
    const agent = agentFor('react', [])
    const { taskId } = await agent.createTask('x', { extraState })
    const other = agentFor('react', [])
    await other.loadTask(readJsonText(writeJsonText(agent.saveTask(taskId))))
    expect(other.getTask(taskId).extraState).toMatchObject(extraState)
    expect(Object.keys(other.getTask(taskId).extraState['__proto__x'] as object)).toEqual(['__proto__'])
  })
})

describe('task stores', () => {
  it('receive every step; a step that cannot be saved is rolled back', async () => {
    const store = new MemoryTaskStore()
    const agent = agentFor('react', [{ kind: 'echo', value: 1, say: null }], { taskStore: journal(store) })
    const { taskId } = await agent.createTask('x')
    const completed = () => readJournal(store.load(taskId)!).completed_steps.length
    expect(completed()).toBe(0)
    await agent.runStep(taskId)
    expect(completed()).toBe(1)

    store.append = () => {
      throw new Error('disk full')
    }
    await expect(agent.runStep(taskId)).rejects.toThrow('disk full')
    expect(agent.getCompletedSteps(taskId)).toHaveLength(1)
    expect(agent.getUpcomingSteps(taskId)).toHaveLength(1)
  })

  it('are as the store has them when they are resumed, whoever continued them last', async () => {
    const taskStore = new MemoryTaskStore()
    const turns: Turn[] = [1, 2, 3].map((value) => ({ kind: 'echo', value, say: null }))
    const first = agentFor('react', turns, { taskStore: journal(taskStore) })
    const task = await first.createTask('x', { taskId: 'T' })
    await first.runStep('T')
    expect(await first.resumeTask('T')).toBe(task)

    const second = agentFor('react', turns, { taskStore: journal(taskStore) }, 1)
    await second.resumeTask('T')
    await second.runStep('T')
    expect(await first.resumeTask('T')).not.toBe(task)
    expect(first.getCompletedSteps('T')).toHaveLength(2)
    expect(await first.resumeTask('T')).toBe(first.getTask('T'))
    const running = second.runStep('T')
    expect(await second.resumeTask('T')).toBe(second.getTask('T'))
    await running
    expect(second.getCompletedSteps('T')).toHaveLength(3)

    const without = agentFor('react', [])
    const own = await without.createTask('x')
    expect(await without.resumeTask(own.taskId)).toBe(own)
    await expect(without.resumeTask('T')).rejects.toMatchObject({ code: 'configuration' })
  })

  it('return a task to another process', async () => {
    const taskStore = new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))
    const turns: Turn[] = [{ kind: 'echo', value: 1, say: null }]
    const first = agentFor('react', turns, { taskStore: journal(taskStore) })
    const { taskId } = await first.createTask('x', { taskId: '../a/b *.' })
    await first.runStep(taskId)

    const second = agentFor('react', [], { taskStore: journal(taskStore) })
    expect(await second.resumeTask('none')).toBeNull()
    await second.resumeTask(taskId)
    expect((await second.runTask(taskId)).response).toBe('the end')
    const files = await readdir(taskStore.folder)
    expect(files).toHaveLength(1)
    await writeFile(join(taskStore.folder, files[0]!), '{ torn')
    await expect(agentFor('react', [], { taskStore: journal(taskStore) }).resumeTask(taskId)).rejects.toMatchObject({
      code: 'store_read',
    })
    await second.deleteTask(taskId)
    expect(await readdir(taskStore.folder)).toEqual([])
  })
})

describe('forks', () => {
  it.each(['react', 'native'] as const)(
    'of a %s task start with its state and do not change the task',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { maxLength: 4 }), fc.nat(), fc.boolean(), async (turns, at, finalized) => {
          const atStep = at % (turns.length + 1)
          const agent = agentFor(kind, [...turns, ...turns])
          const { taskId } = await agent.createTask('question')
          const seen: unknown[] = []
          for (let i = 0; i < turns.length; i++) {
            seen.push(visible(agent, taskId))
            await agent.runStep(taskId, sayTo(turns, i))
          }
          seen.push(visible(agent, taskId))
          if (finalized) {
            // The model's remaining answers are not used: the fork ends here.
            await agent.finalizeResponse(taskId).catch(() => {})
          }
          const before = writeJsonText(agent.saveTask(taskId))
          const fork = await agent.forkTask(taskId, { atStep })
          expect(visible(agent, fork.taskId)).toEqual(seen[atStep])
          await runSteps(agent, fork.taskId, turns, atStep, turns.length)
          expect(writeJsonText(agent.saveTask(taskId))).toBe(before)
          await expect(agent.forkTask(taskId, { atStep: turns.length + 1 })).rejects.toMatchObject({
            code: 'invalid_step',
          })
        }),
        { numRuns: 40 },
      )
    },
  )

  it.each(['react', 'native'] as const)(
    'of a finished %s task contain its messages once, also after saving',
    async (kind) => {
      const turns: Turn[] = [{ kind: 'echo', value: 1, say: null }]
      const agent = agentFor(kind, turns)
      await agent.chat('x')
      const chat = agent.chatHistory.map(String)
      const taskId = agent.listTasks()[0]!.taskId
      const other = agentFor(kind, [])
      await other.loadTask(readJsonText(writeJsonText(agent.saveTask(taskId))))
      for (const runner of [agent, other]) {
        const fork = await runner.forkTask(taskId)
        expect((await runner.runTask(fork.taskId)).response).toBe('the end')
        expect((await fork.memory.getAll()).map(String)).toEqual(chat)
        expect(runner.chatHistory.map(String)).toEqual(chat)
      }
    },
  )

  it('do not contain the answer of a task that was finished', async () => {
    const llm = new ScriptedLLM({ answers: ['Answer: one', 'Answer: other'] })
    const agent = ReActAgent.fromTools({ llm, chatHistory: [{ content: 'before' }] })
    await agent.chat('x')
    const [task] = agent.listTasks()
    const fork = await agent.forkTask(task!.taskId, { atStep: 0, taskId: 'fork' })
    expect((await agent.runTask('fork')).response).toBe('other')
    expect(agent.chatHistory.map(String)).toEqual(['user: before', 'user: x', 'assistant: one'])
    expect((await fork.memory.getAll()).map(String)).toEqual(['user: before', 'user: x', 'assistant: other'])
  })
})

describe('undo', () => {
  it.each(['react', 'native'] as const)(
    'to the first step, followed by the same steps, repeats the %s run',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { maxLength: 4 }), async (turns) => {
          // Twice the same script: once forward, once more after the undo.
          const agent = agentFor(kind, turns)
          const { taskId } = await agent.createTask('question')
          const seen = [visible(agent, taskId)]
          for (let i = 0; i <= turns.length; i++) {
            await agent.runStep(taskId, sayTo(turns, i))
            seen.push(visible(agent, taskId))
          }
          for (let i = turns.length; i >= 0; i--) {
            await agent.undoStep(taskId)
            expect(visible(agent, taskId)).toEqual(seen[i])
          }
          await expect(agent.undoStep(taskId)).rejects.toMatchObject({ code: 'nothing_to_undo' })

          const again = agentFor(kind, turns)
          await again.loadTask(agent.saveTask(taskId))
          for (let i = 0; i <= turns.length; i++) {
            await again.runStep(taskId, sayTo(turns, i))
            expect(visible(again, taskId)).toEqual(seen[i + 1])
          }
          expect(String(await again.finalizeResponse(taskId))).toBe('the end')
        }),
        { numRuns: 40 },
      )
    },
  )
})
