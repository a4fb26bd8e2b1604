import { CallbackManager } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { QueryPipeline } from '@x/query-pipeline'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import * as main from './index.ts'
import * as pipelines from './pipeline.ts'
import * as protocols from './protocol.ts'

const agents = { ...main, ...pipelines, ...protocols }

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
