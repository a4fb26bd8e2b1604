/** The tasks of an agent on a new server, with the worker in this process. */
import * as restate from '@restatedev/restate-sdk'
import { registerServices, startRestate } from '../../../../tools/restate-server.ts'
import { type AgentRun, agentSteps, agentWorkflow, type DurableAgent } from '../src/index.ts'
import { RestateTasks } from '../src/restate-tasks.ts'
import { serve } from './endpoint.ts'

/** Runs something with the tasks, and stops the server. */
export async function useRestateTasks(
  mode: 'workflow' | 'steps',
  agent: (run: AgentRun) => DurableAgent,
  use: (tasks: RestateTasks) => Promise<void>,
): Promise<void> {
  const server = await startRestate()
  const make = mode === 'workflow' ? agentWorkflow : agentSteps
  const endpoint = await serve([make({ restate, name: 'orders', agent })])
  try {
    await registerServices(server, endpoint.uri)
    await use(new RestateTasks({ ingress: server.ingress, service: 'orders', mode }))
  } finally {
    endpoint.close()
    await server.stop()
  }
}
