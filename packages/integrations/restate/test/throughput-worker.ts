/** `throughput-worker.ts PORT`: serves agents whose model and tool take no time, and prints its port. */
import * as restate from '@restatedev/restate-sdk'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { type AgentRun, agentSteps, agentWorkflow } from '../src/index.ts'

/** Calls the tool five times, then answers. */
function replyTo(messages: readonly ChatMessage[]): ChatMessage {
  const turn = messages.filter(({ additionalKwargs }) => additionalKwargs['tool_calls']).length
  if (turn === 5) return new ChatMessage({ role: 'assistant', content: 'Done.' })
  const call = { id: `call-${turn}`, name: 'look', arguments: '{"at": "it"}' }
  return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
}

const llm: Pick<BaseLLM, 'metadata' | 'chat'> = {
  metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  chat: async (messages) => new ChatResponse({ message: replyTo(messages as readonly ChatMessage[]) }),
}
const look = FunctionTool.fromDefaults({
  name: 'look',
  schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  fn: () => 'It is there.',
})
const agent = ({ durable, newId, now }: AgentRun) =>
  FunctionCallingAgent.fromTools({ llm: llm as BaseLLM, tools: [look], durable, newId, now })

const services = [agentWorkflow({ restate, name: 'workflow', agent }), agentSteps({ restate, name: 'steps', agent })]
console.log(await restate.serve({ services, port: Number(process.argv[2]) }))
process.stdin.on('close', () => process.exit()).resume()
