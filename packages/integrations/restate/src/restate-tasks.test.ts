import * as restate from '@restatedev/restate-sdk'
import { MemoryEventLog } from '@x/agents/durable'
import { durableTasksChecks } from '@x/agents/testing'
import { describe, it } from 'vitest'
import { useRestate } from '../test/deployment.ts'
import { agentSteps, agentWorkflow } from './index.ts'
import { RestateTasks, reportTo } from './restate-tasks.ts'

const use = useRestate()

describe('tasks of workflows', () => {
  const checks = durableTasksChecks(
    async (agent) => {
      const events = new MemoryEventLog()
      const app = await use((name) => [agentWorkflow({ restate, name, agent, onEvent: reportTo(events) })], undefined)
      const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, events, pollingIntervalMs: 20 })
      const restart = async () => {
        app.endpoint.disconnect()
        return tasks
      }
      return { tasks, restart }
    },
    { without: ['fork', 'retry'] },
  )
  for (const { name, run } of checks) it(name, run)
})

describe('tasks of steps', () => {
  const checks = durableTasksChecks(async (agent) => {
    const events = new MemoryEventLog()
    const app = await use((name) => [agentSteps({ restate, name, agent, onEvent: reportTo(events) })], undefined)
    const mode = 'steps'
    const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, mode, events, pollingIntervalMs: 20 })
    const restart = async () => {
      app.endpoint.disconnect()
      return tasks
    }
    return { tasks, restart }
  })
  for (const { name, run } of checks) it(name, run)
})
