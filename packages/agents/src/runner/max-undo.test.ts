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
    await expect(agent.forkTask(taskId, { atStep: 2 })).rejects.toMatchObject({ code: 'invalid_step' })

    for (let i = 0; i < 2; i++) await agent.undoStep(taskId)
    await expect(agent.undoStep(taskId)).rejects.toMatchObject({ code: 'nothing_to_undo' })
    expect(agent.getTask(taskId).extraState['sources']).toHaveLength(3)
    await agent.runStep(taskId)
    expect(agent.getCompletedSteps(taskId)).toHaveLength(4)
  })

  it('keeps no state if it is 0, and all by default', async () => {
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
})
