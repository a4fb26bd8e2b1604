import { CallbackManager } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { QueryPipeline } from '@x/query-pipeline'
import { describe, expect, it } from 'vitest'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import * as main from './index.ts'
import * as pipelines from './pipeline.ts'
import * as protocols from './protocol.ts'

const agents = { ...main, ...pipelines, ...protocols }

describe('@x/agents', () => {
  it('has every method of a runner and a worker', () => {
    const runner = [
      'chat',
      'streamChat',
      'runStep',
      'streamStep',
      'finalizeResponse',
      'getCompletedStep',
      'getCompletedSteps',
      'getUpcomingSteps',
      'undoStep',
      'deleteTask',
      'reset',
      'chatRepl',
      'streamingChatRepl',
      'getPrompts',
      'updatePrompts',
      'asQueryComponent',
      'createTask',
      'listTasks',
      'getTask',
      'query',
    ]
    for (const maker of [
      agents.AgentRunner,
      agents.ParallelAgentRunner,
      agents.ReActAgent,
      agents.FunctionCallingAgent,
    ]) {
      for (const name of runner) expect(typeof Reflect.get(maker.prototype, name), name).toBe('function')
    }
    expect(typeof agents.ParallelAgentRunner.prototype.runStepsInQueue).toBe('function')
    const workers = [
      agents.ReActAgentWorker,
      agents.MultimodalReActAgentWorker,
      agents.CustomSimpleAgentWorker,
      agents.QueryPipelineAgentWorker,
      agents.FunctionCallingAgentWorker,
    ]
    for (const worker of workers) {
      for (const name of [
        'initializeStep',
        'runStep',
        'streamStep',
        'finalizeTask',
        'setCallbackManager',
        'getPrompts',
        'updatePrompts',
      ]) {
        expect(typeof Reflect.get(worker.prototype, name), name).toBe('function')
      }
    }
  })
})

const { AgentChatResponse, AgentFnComponent, AgentInputComponent, ChatMemoryBuffer } = agents

const first = new AgentInputComponent({ fn: ({ input }) => ({ text: input }) })
const last = new AgentFnComponent({
  fn: () => [new AgentChatResponse({ response: '' }), true],
  params: { required: ['text'] },
})

describeRoundTrips(agents, {
  '': {
    live: {
      callbackManager: new CallbackManager(),
      llm: new ScriptedLLM(),
      memory: ChatMemoryBuffer.fromDefaults(),
      tools: [],
      pipeline: new QueryPipeline({ chain: [first, last] }),
    },
  },
})
