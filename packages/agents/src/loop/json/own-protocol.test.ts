import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { journal } from '../../journal.ts'
import { AgentRunner } from '../../runner/agent-runner.ts'
import { ToolLoopWorker } from '../../worker/tool-loop-worker.ts'
import { JsonProtocol } from './json-protocol.ts'

it('a protocol with an initial state of its own keeps its `this`', async () => {
  class Counting extends JsonProtocol {
    readonly start = { turns: 0 }

    override initialState() {
      return { ...this.start }
    }
  }
  const llm = new ScriptedLLM({ answers: ['{"answer": "noon"}'] })
  const runner = new AgentRunner({
    agentWorker: new ToolLoopWorker({ llm, protocol: new Counting() }),
    taskStore: journal(),
  })
  const task = await runner.createTask('Time?')
  expect(task.extraState['turns']).toBe(0)
  const other = new AgentRunner({
    agentWorker: new ToolLoopWorker({ llm, protocol: new Counting() }),
    taskStore: journal(),
  })
  await other.loadTask(runner.saveTask(task.taskId))
  expect(String(await other.runTask(task.taskId))).toBe('noon')
})
