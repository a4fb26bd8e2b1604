import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { collected } from '../../test/collected.ts'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { AgentRunner } from '../runner/agent-runner.ts'
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
