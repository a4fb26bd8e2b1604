/**
 * The process that is killed: `kill-worker.ts PORT EFFECTS_FILE MODE NAME`. Serves the agent of a mode under a name, and prints its port.
 */
import * as restate from '@restatedev/restate-sdk'
import { durableAgent } from '@x/durable'
import { sixSteps } from '../../../durable/test/kill-rounds/six-steps.ts'
import { type AgentRun, agentConversation, agentSteps, agentWorkflow } from '../src/index.ts'

const [port, file = '', mode, name = ''] = process.argv.slice(2)
const approvals = mode === 'approval' || mode === 'steps'
const agent = durableAgent<AgentRun>(() => sixSteps(file, { approvals }))

const services = () => {
  if (mode === 'steps') return [agentSteps({ restate, name, agent })]
  if (mode !== 'conversation') return [agentWorkflow({ restate, name, agent })]
  const message = agentWorkflow({ restate, name: `${name}-message`, agent })
  return [message, agentConversation({ restate, name, workflow: message })]
}
// The log would say for each restart of the server that the connection is lost.
console.log(await restate.serve({ services: services(), port: Number(port), logger: () => {} }))
process.stdin.on('close', () => process.exit()).resume()
