import { ChatMessage, type Dict } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFull, rounds } from '../../../../tools/extent.ts'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'
import { readJournal } from './read-journal.ts'
import { expandJournal } from './written-once.ts'

const send = FunctionTool.fromDefaults({
  name: 'send',
  schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  needsApproval: ({ to }) => to === 'boss',
  fn: ({ to }) => `sent to ${to}`,
})

/** An operation on a task. */
const operation = fc.constantFrom('step', 'step', 'step', 'undo', 'approve', 'reject', 'note', 'fail' as const)

/** An agent whose model always requests new calls of `send`. */
function agentOn(taskStore: MemoryTaskStore) {
  let turn = 0
  const whom = ['ann', 'boss', 'bob', 'boss']
  const answers = Array.from({ length: 40 }, () => [
    toolCall(`c${turn}`, 'send', { to: whom[turn++ % whom.length] }),
    toolCall(`d${turn}`, 'send', { to: 'ann' }),
  ])
  return FunctionCallingAgent.fromTools({
    llm: functionCallingLlm(answers),
    tools: [send],
    taskStore: journal(taskStore),
    maxFunctionCalls: 1000,
    maxIterations: 1000,
  })
}

async function apply(agent: FunctionCallingAgent, taskId: string, operation: string): Promise<void> {
  const [waiting] = agent.getPendingApprovals(taskId)
  const { extraState } = agent.getTask(taskId)
  if (operation === 'step' && !waiting) await agent.runStep(taskId)
  else if (operation === 'undo') await agent.undoStep(taskId).catch(() => {})
  else if (operation === 'approve' && waiting) await agent.approve(taskId, waiting.id, { by: 'ann', always: true })
  else if (operation === 'reject' && waiting) await agent.reject(taskId, waiting.id, 'no')
  else if (operation === 'note')
    extraState['notes'] = [...((extraState['notes'] as object[]) ?? []), { note: operation }]
  else if (operation === 'fail') await agent.runStep(taskId, { signal: AbortSignal.abort() }).catch(() => {})
}

describe('a journal', () => {
  it('restores the task after any sequence of operations', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 14 }), async (operations) => {
        const taskStore = new MemoryTaskStore()
        const agent = agentOn(taskStore)
        await agent.memory.put(new ChatMessage({ role: 'user', content: 'before' }))
        const { taskId } = await agent.createTask('Send!', { extraState: { mine: new Map([['a', [2n ** 70n]]]) } })
        for (const each of operations) await apply(agent, taskId, each)
        // Changes of the extra state are saved with the next step.
        for (const { id } of agent.getPendingApprovals(taskId)) await agent.reject(taskId, id)
        await agent.runStep(taskId)

        const again = agentOn(taskStore)
        await again.resumeTask(taskId)
        expect(visible(again, taskId)).toEqual(visible(agent, taskId))
        // A loaded journal can be continued.
        await apply(again, taskId, 'undo')
        await apply(again, taskId, 'step')
        const third = agentOn(taskStore)
        await third.resumeTask(taskId)
        expect(await undoneToTheEnd(third, taskId)).toEqual(await undoneToTheEnd(again, taskId))
      }),
      { numRuns: rounds(40, 150) },
    )
  })

  it('throws SavedTaskError for entries that contradict earlier ones', async () => {
    const taskStore = new MemoryTaskStore()
    const agent = agentOn(taskStore)
    const { taskId } = await agent.createTask('Send!')
    await agent.runStep(taskId)
    const entries = expandJournal(taskStore.load(taskId)!) as Record<string, unknown>[]
    expect(readJournal(entries).completed_steps).toHaveLength(1)
    const at = (type: string) => entries.findIndex((entry) => entry['type'] === type)
    const changed = (n: number, change: object) =>
      entries.map((entry, i) => (i === n ? { ...entry, ...change } : entry))
    const wrong: [readonly unknown[], string][] = [
      [[], 'The journal is empty.'],
      [entries.slice(1), 'Entry 0: Journal.n: expected 0, the position of the entry'],
      [[null], 'Entry 0: Journal: expected an object'],
      [changed(0, { type: 'undo' }), 'Entry 0: Journal.type: expected one of "task", received'],
      [changed(0, { task: null }), 'Entry 0: Journal.task: expected an object'],
      [entries.toSpliced(1, 1), 'Entry 1: Journal.n: expected 1, the position of the entry'],
      [changed(at('step_start'), { changes: null }), 'changes: expected a change'],
      [
        changed(at('step'), { changes: { no: { such: [1] } } }),
        'changes.no: expected the change of a part of the task',
      ],
      [
        changed(at('step'), { changes: { task: { extra_state: { usage: [0, [1]] } } } }),
        'usage: expected items of an array',
      ],
      [
        changed(at('step'), { changes: { step_queue: { 7: [1] } } }),
        'changes.step_queue.7: expected the change of an item',
      ],
      [changed(at('step'), { type: 'leap' }), 'Journal.type: expected one of'],
      [[...entries, ...[0, 1].map((i) => ({ n: entries.length + i, type: 'undo', changes: {} }))], 'a step before'],
      [
        [...entries, { n: entries.length, type: 'result', step: 9, name: 'x', value: 1 }],
        'changes.open_steps.step-9: expected the change of a part',
      ],
    ]
    for (const [data, message] of wrong) {
      expect(() => readJournal(data)).toThrow(
        expect.objectContaining({ code: 'saved_task', message: expect.stringContaining(message) }),
      )
    }
  })

  it('is refused or read completely when any part of it is replaced', async () => {
    const taskStore = new MemoryTaskStore()
    const agent = agentOn(taskStore)
    const { taskId } = await agent.createTask('Send!')
    for (const each of ['step', 'step', 'approve', 'step', 'undo']) await apply(agent, taskId, each)
    const entries = taskStore.load(taskId)!
    let refused = 0
    const values = [undefined, null, -1, 'other', [], {}]
    for (const [index, path] of pathsOf(entries).entries()) {
      // Each part once, if not with every value.
      for (const value of isFull ? values : [values[index % values.length]]) {
        const data = replaced(entries, path, value)
        try {
          await agentOn(new MemoryTaskStore()).loadTask(data)
        } catch (error) {
          // A changed id may be that of a conversation, or of anything else that is free text.
          expect(['saved_task', 'configuration'], `${path.join('.')} = ${value}: ${error}`).toContain(
            (error as { code?: string }).code,
          )
          refused++
        }
      }
    }
    expect(refused).toBeGreaterThan(rounds(80, 500))
  })
})

it('the saved results of an interrupted step are refused or used when any part of them is replaced', async () => {
  const broken = FunctionTool.fromDefaults({
    name: 'broken',
    schema: { type: 'object', properties: {} },
    fn: () => {
      throw Object.assign(new Error('power cut'), { fatal: true })
    },
  })
  const calls = [
    toolCall('a', 'send', { whom: 'ann' }),
    toolCall('b', 'send', { to: 'bob' }),
    toolCall('c', 'broken', {}),
  ]
  const agentFor = (taskStore: MemoryTaskStore, tools = [send, broken]) =>
    FunctionCallingAgent.fromTools({
      llm: functionCallingLlm([calls, 'The end.']),
      toolRetriever: { retrieve: async () => tools },
      taskStore: journal(taskStore),
      guards: { tool: () => null },
      repairToolCall: ({ call }) => ({ ...call, arguments: { to: 'ann' } }),
    })
  const first = new MemoryTaskStore()
  const agent = agentFor(first)
  const { taskId } = await agent.createTask('Send!')
  await expect(agent.runTask(taskId)).rejects.toThrow('power cut')
  const entries = first.load(taskId)! as Dict[]
  const names = entries.flatMap(({ type, name }) => (type === 'result' ? [name] : []))
  // The calls run at the same time.
  expect(names.sort()).toEqual([
    ...['guard-tool-0', 'guard-tool-1', 'guard-tool-2', 'judged-0', 'judged-1', 'model', 'repair-0'],
    ...['tool-0', 'tool-1', 'tools'],
  ])
  const working = FunctionTool.fromDefaults({
    name: 'broken',
    schema: { type: 'object', properties: {} },
    fn: () => 'ok',
  })
  let refused = 0
  for (const path of pathsOf(entries)) {
    const [n, key] = path
    if (key !== 'value' || entries[n as number]?.['type'] !== 'result') continue
    for (const value of [undefined, null, 'other', {}, { $error: { code: 'tool_input' } }]) {
      const taskStore = new MemoryTaskStore()
      taskStore.append(taskId, replaced(entries, path, value) as never, 0)
      const again = agentFor(taskStore, [send, working])
      await again.resumeTask(taskId)
      const error = await again.runTask(taskId).then(
        () => undefined,
        (thrown) => thrown,
      )
      if (!error) continue
      expect(String(error.code), `${path.join('.')} = ${JSON.stringify(value)}: ${error?.stack}`).toMatch(
        /^(?!undefined)[a-z_]+$/,
      )
      refused++
    }
  }
  expect(refused).toBeGreaterThan(50)
})

/** Returns the task after each undo, back to its beginning. */
async function undoneToTheEnd(agent: FunctionCallingAgent, taskId: string): Promise<unknown[]> {
  const seen = [visible(agent, taskId)]
  // The copy has its own store, so that other agents can read the same journal.
  const copy = agentOn(new MemoryTaskStore())
  await copy.loadTask(agent.saveTask(taskId))
  for (let left = agent.getCompletedSteps(taskId).length; left > 0; left--) {
    await copy.undoStep(taskId)
    seen.push(visible(copy, taskId))
  }
  return seen
}

function visible(agent: FunctionCallingAgent, taskId: string): unknown {
  const { undo, steps_started, open_steps } = agent.saveTask(taskId)
  const outputs = agent.getCompletedSteps(taskId).map((output) => output.toDict())
  const upcoming = agent.getUpcomingSteps(taskId).map((step) => step.toDict())
  const state = Object.entries(agent.getTask(taskId).extraState).filter(([, value]) => value !== undefined)
  return [Object.fromEntries(state), upcoming, outputs, undo.length, steps_started, open_steps]
}

/** The paths of everything in a value. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by
  if (rest.length === 0 && by === undefined) {
    if (Array.isArray(value)) return value.toSpliced(Number(key), 1)
    const { [key]: _, ...others } = value as Dict
    return others
  }
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) }
  copy[key] = replaced(copy[key], rest, by)
  return copy
}
