/**
 * The process that is killed: `kill-worker.ts PORT EFFECTS_FILE`. Serves agents in every mode, and prints its port.
 */
import * as restate from '@restatedev/restate-sdk'
import { FunctionCallingAgent } from '@x/agents'
import { sixSteps } from '../../../../tools/kill-rounds/six-steps.ts'
import { type AgentRun, agentConversation, agentSteps, agentWorkflow } from '../src/index.ts'

const [port, file = ''] = process.argv.slice(2)

const agentOf =
  (approvals: boolean) =>
  ({ durable, newId, now }: AgentRun) =>
    FunctionCallingAgent.fromTools({ ...sixSteps(file, { slowMs: 20, approvals }), durable, newId, now })

const message = agentWorkflow({ restate, name: 'message', agent: agentOf(false) })
const services = [
  agentWorkflow({ restate, name: 'errand', agent: agentOf(false) }),
  agentWorkflow({ restate, name: 'payment', agent: agentOf(true) }),
  agentSteps({ restate, name: 'steps', agent: agentOf(true) }),
  message,
  agentConversation({ restate, name: 'conversation', workflow: message }),
]
console.log(await restate.serve({ services, port: Number(port) }))
process.stdin.on('close', () => process.exit()).resume()
