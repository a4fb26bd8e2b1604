import { ScriptedLLM } from '@x/llm/testing'
import { QueryPipeline } from '@x/query-pipeline'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { AgentFnComponent, AgentInputComponent } from '../pipeline/agent-components.ts'
import { QueryPipelineAgentWorker } from '../pipeline/query-pipeline-agent-worker.ts'
import { AgentRunner } from '../runner/agent-runner.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { CustomSimpleAgentWorker } from './custom-simple-agent-worker.ts'
import type { StepStopContext } from './simple-steps.ts'

const again = FunctionTool.fromDefaults({ name: 'again', schema: { type: 'object', properties: {} }, fn: () => 'ok' })
const CALL = 'Thought: again\nAction: again\nAction Input: {}'

class Endless extends CustomSimpleAgentWorker {
  protected override _initializeState() {
    return { n: 0 }
  }
  protected override async _runStep(state: Record<string, number>): Promise<[AgentChatResponse, boolean]> {
    state['n']! += 1
    return [new AgentChatResponse({ response: `${state['n']}` }), false]
  }
}

function endlessPipeline(options = {}) {
  const pipeline = new QueryPipeline({
    chain: [
      new AgentInputComponent({ fn: () => ({ text: 'x' }) }),
      new AgentFnComponent({
        fn: (_task, state) => {
          state['n'] = Number(state['n'] ?? 0) + 1
          return [new AgentChatResponse({ response: `${state['n']}` }), false]
        },
        params: { required: ['text'] },
      }),
    ],
  })
  return new QueryPipelineAgentWorker({ pipeline, ...options })
}

describe('a task has at most 20 turns by default', () => {
  it.each([
    ['text', () => ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: Array(30).fill(CALL) }), tools: [again] })],
    [
      'native calls',
      () => {
        const turns = Array.from({ length: 30 }, (_, i) => [toolCall(`${i}`, 'again', {})])
        return FunctionCallingAgent.fromTools({ llm: functionCallingLlm(turns), tools: [again] })
      },
    ],
    ['custom steps', () => new AgentRunner({ agentWorker: Endless.fromTools({ llm: new ScriptedLLM() }) })],
    ['pipelines', () => new AgentRunner({ agentWorker: endlessPipeline() })],
  ])('with %s', async (_, make) => {
    const agent = make()
    await expect(agent.chat('x')).rejects.toMatchObject({ code: 'max_iterations' })
    expect(agent.getCompletedSteps(agent.listTasks()[0]!.taskId)).toHaveLength(20)
  })
})

describe('custom steps', () => {
  const stopWhen = ({ response, steps }: StepStopContext) => steps === 3 && String(response) === '3'

  it.each([
    ['custom', (options: object) => Endless.fromTools({ llm: new ScriptedLLM(), ...options })],
    ['pipeline', (options: object) => endlessPipeline(options)],
  ])('of a %s worker end at the step limit or at a stop condition', async (_, make) => {
    const limited = new AgentRunner({ agentWorker: make({ maxSteps: 2 }) })
    await expect(limited.chat('x')).rejects.toThrow('no answer within 2 steps')
    expect(String(await new AgentRunner({ agentWorker: make({ stopWhen }) }).chat('x'))).toBe('3')
    expect(() => make({ maxSteps: Number.NaN })).toThrow(expect.objectContaining({ code: 'configuration' }))
  })
})
