import { ScriptedLLM } from '@x/core-model/testing'
import { expect, it } from 'vitest'
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
