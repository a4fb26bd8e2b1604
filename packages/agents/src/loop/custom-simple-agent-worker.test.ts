import type { ChatMemoryBuffer } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { collected } from '../../test/function-calling-llm.ts'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { journal } from '../journal.ts'
import { AgentRunner } from '../runner/agent-runner.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import type { Task } from '../task/task.ts'
import { CustomSimpleAgentWorker, type CustomStepResult } from './custom-simple-agent-worker.ts'

const response = new AgentChatResponse({ response: 'x' })

it.each([undefined, [], [response], [response, 'yes'], [response, true, 1]])(
  'CustomSimpleAgentWorker rejects the result %j of a step',
  async (result) => {
    class Worker extends CustomSimpleAgentWorker {
      protected override _initializeState() {
        return {}
      }
      protected override _runStep() {
        return result as never
      }
    }
    const runner = new AgentRunner({ agentWorker: Worker.fromTools({ llm: new ScriptedLLM() }) })
    await expect(runner.chat('x')).rejects.toMatchObject({ code: 'invalid_agent_output' })
    expect(runner.getUpcomingSteps(runner.listTasks()[0]!.taskId)).toHaveLength(1)
  },
)

it.each([undefined, null])('CustomSimpleAgentWorker has no tools if they are %j', async (tools) => {
  class Worker extends CustomSimpleAgentWorker {
    protected override _initializeState() {
      return {}
    }
    protected override _runStep(): CustomStepResult {
      return [response, true]
    }
  }
  expect(await Worker.fromTools({ llm: new ScriptedLLM(), tools }).getTools('x')).toEqual([])
})

class Countdown extends CustomSimpleAgentWorker {
  protected override _initializeState() {
    return { left: 2 }
  }
  protected override _runStep(state: Record<string, unknown>): CustomStepResult {
    const left = Number(state['left']) - 1
    state['left'] = left
    return [new AgentChatResponse({ response: `${left} left` }), left === 0]
  }
}

it('a CustomSimpleAgentWorker without _streamStep streams its answer as one piece', async () => {
  const runner = new AgentRunner({ agentWorker: Countdown.fromTools({ llm: new ScriptedLLM() }) })
  expect(await collected(await runner.streamChat('x'))).toEqual(['0 left'])
  const { taskId } = await runner.createTask('x')
  const first = await runner.streamStep(taskId)
  expect([first.isLast, String(first.output)]).toEqual([false, '1 left'])
  const last = await runner.streamStep(taskId)
  expect(await collected(last.output as AsyncIterable<string>)).toEqual(['0 left'])
  expect(String(await runner.finalizeResponse(taskId))).toBe('0 left')
  const deltas = await collected(runner.runEvents('x'))
  expect(deltas.flatMap((event) => (event.type === 'text_delta' ? [event.delta] : []))).toEqual(['0 left'])
})

it('calls _finalizeTask once, not again when the finished task is loaded', async () => {
  let times = 0
  class Worker extends CustomSimpleAgentWorker {
    protected override _initializeState() {
      return {}
    }
    protected override _runStep(state: Record<string, unknown>, task: Task): CustomStepResult {
      ;(state['memory'] as ChatMemoryBuffer).put({ role: 'user', content: task.input })
      return [response, true]
    }
    protected override _finalizeTask() {
      times++
    }
  }
  const store = new MemoryTaskStore()
  const runner = () =>
    new AgentRunner({ agentWorker: Worker.fromTools({ llm: new ScriptedLLM() }), taskStore: journal(store) })
  await runner().chat('x', { taskId: 't' })
  const again = runner()
  expect(String(await again.chat('', { taskId: 't' }))).toBe('x')
  expect([again.chatHistory.map(String), times]).toEqual([['user: x'], 1])
})
