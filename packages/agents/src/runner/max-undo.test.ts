import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const look = FunctionTool.fromDefaults({ name: 'look', schema: { type: 'object' }, fn: () => 'green' })
const turn = 'Thought: look\nAction: look\nAction Input: {}'

describe('maxUndo', () => {
  it('limits the steps that can be undone or forked at, also after the task was loaded', async () => {
    const store = new MemoryTaskStore()
    const agentOf = () =>
      ReActAgent.fromTools({
        llm: new ScriptedLLM({ answers: Array(9).fill(turn) }),
        tools: [look],
        taskStore: journal(store),
        maxUndo: 2,
      })
    const first = agentOf()
    const { taskId } = await first.createTask('Which colour?')
    for (let i = 0; i < 5; i++) await first.runStep(taskId)
    await first.undoStep(taskId)
    const agent = agentOf()
    await agent.resumeTask(taskId)
    await agent.runStep(taskId)
    expect(agent.getCompletedSteps(taskId)).toHaveLength(5)

    const fork = await agent.forkTask(taskId, { atStep: 3 })
    expect(agent.getCompletedSteps(fork.taskId)).toHaveLength(3)
    expect((await agent.runStep(fork.taskId)).isLast).toBe(false)
    await expect(agent.forkTask(taskId, { atStep: 2 })).rejects.toMatchObject({
      code: 'invalid_step',
      message: expect.stringContaining('maxUndo keeps the states since step 3'),
    })

    for (let i = 0; i < 2; i++) await agent.undoStep(taskId)
    await expect(agent.undoStep(taskId)).rejects.toMatchObject({ code: 'nothing_to_undo' })
    expect(agent.getTask(taskId).extraState['sources']).toHaveLength(3)
    await agent.runStep(taskId)
    expect(agent.getCompletedSteps(taskId)).toHaveLength(4)
  })

  it('keeps no state if it is 0, and 100 by default', async () => {
    for (const [maxUndo, code] of [
      [0, 'nothing_to_undo'],
      [undefined, undefined],
    ] as const) {
      const llm = new ScriptedLLM({ answers: [turn, turn] })
      const agent = ReActAgent.fromTools({ llm, tools: [look], maxUndo })
      const { taskId } = await agent.createTask('Which colour?')
      for (let i = 0; i < 2; i++) await agent.runStep(taskId)
      const undone = await agent.undoStep(taskId).catch((error) => error.code)
      expect(undone).toBe(code)
    }
    expect(() => ReActAgent.fromTools({ llm: new ScriptedLLM(), maxUndo: -1 })).toThrow('an integer of at least 0')
  })

  it('needs memory in proportion to the steps', async () => {
    const steps = 300
    const llm = new ScriptedLLM({ answers: Array(steps).fill(turn) })
    const taskStore = journal(new MemoryTaskStore())
    const agent = ReActAgent.fromTools({ llm, tools: [look], maxIterations: steps + 1, taskStore })
    const { taskId } = await agent.createTask('Which colour?')
    for (let i = 0; i < steps; i++) await agent.runStep(taskId)
    const sources = agent.getTask(taskId).extraState['sources'] as object[]
    const arrays = arraysWith(sources[0], (agent as unknown as { tasks: object }).tasks)
    // The outputs in the state, those that the steps and the states before share, and their JSON.
    expect(arrays.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(5 * steps)
    expect(agent.getCompletedSteps(taskId)[6]!.output).toMatchObject({ sources: sources.slice(0, 7) })
    await expect(agent.forkTask(taskId, { atStep: steps - 101 })).rejects.toMatchObject({ code: 'invalid_step' })
    const { taskId: fork } = await agent.forkTask(taskId, { atStep: steps - 100 })
    expect(agent.getTask(fork).extraState['sources']).toEqual(sources.slice(0, steps - 100))
  })
})

/** Returns the arrays that can be reached and begin with an object. */
function arraysWith(first: unknown, from: object): unknown[][] {
  const seen = new Set<unknown>([from])
  for (const value of seen) {
    if (value instanceof Map) for (const pair of value) for (const one of pair) add(one)
    else if (Array.isArray(value) || value instanceof Set) for (const item of value) add(item)
    else for (const { value: own } of Object.values(Object.getOwnPropertyDescriptors(value))) add(own)
    if (typeof value === 'object')
      for (const key of Object.getOwnPropertySymbols(value)) add(Reflect.get(value as object, key))
  }
  return [...seen].filter((value): value is unknown[] => Array.isArray(value) && value[0] === first)

  function add(value: unknown): void {
    if (typeof value === 'object' && value !== null) seen.add(value)
  }
}
