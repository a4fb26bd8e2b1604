import * as restate from '@restatedev/restate-sdk'
import { MemoryEventLog } from '@x/durable'
import { durableTasksChecks } from '@x/testing/durable'
import { describe, expect, it } from 'vitest'
import { useRestate } from '../test/deployment.ts'
import { agentSteps, agentWorkflow } from './index.ts'
import { RestateTasks, reportTo } from './restate-tasks.ts'

const use = useRestate()

describe('tasks of workflows', () => {
  const checks = durableTasksChecks(
    async (agent) => {
      const events = new MemoryEventLog()
      // By default the server waits twice as long after each end of the process, up to a minute.
      const options = { retryPolicy: { initialInterval: 20, maxInterval: 100 } }
      const serve = (name: string) => [agentWorkflow({ restate, name, agent, onEvent: reportTo(events), options })]
      const app = await use(serve, undefined)
      const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, events, pollingIntervalMs: 20 })
      const restart = async () => {
        app.endpoint.disconnect()
        return tasks
      }
      return { tasks, restart }
    },
    { without: ['fork', 'retry', 'delete', 'list'] },
  )
  for (const { name, run } of checks) it(name, run)
})

describe('tasks of steps', () => {
  const checks = durableTasksChecks(
    async (agent) => {
      const events = new MemoryEventLog()
      const app = await use((name) => [agentSteps({ restate, name, agent, onEvent: reportTo(events) })], undefined)
      const mode = 'steps'
      const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, mode, events, pollingIntervalMs: 20 })
      const restart = async () => {
        app.endpoint.disconnect()
        return tasks
      }
      return { tasks, restart }
    },
    { without: ['list'] },
  )
  for (const { name, run } of checks) it(name, run)
})

describe('a task that was cancelled', () => {
  const json = (data: unknown, status = 200) => new Response(JSON.stringify(data), { status })
  const cancelled = { code: 409, message: 'Cancelled', source: 'invocation' }
  const tasksOf = (mode: 'workflow' | 'steps', answer: object) => {
    const state = { state: 'running', step: 1, calls: [] }
    const fetch = async (url: URL | RequestInfo) => (String(url).endsWith('/status') ? json(state) : json(answer, 409))
    return new RestateTasks({ ingress: 'http://localhost', service: 'agent', mode, fetch })
  }

  it('is cancelled although its run could not say so', async () => {
    const tasks = tasksOf('workflow', cancelled)
    expect(await tasks.status('t')).toBe('cancelled')
    await expect(tasks.answer('t')).rejects.toMatchObject({ code: 'task_cancelled' })
  })

  it('is cancelled when `cancel` resolves, also if its run had not started', async () => {
    const sent: string[] = []
    const answers = {
      cancel: [false, true],
      status: [{ state: 'unknown' }, { state: 'running' }, { state: 'cancelled' }].map((state) => ({
        ...state,
        step: 1,
        calls: [],
      })),
      output: [{ message: 'not ready' }, { message: 'not ready' }],
    }
    const fetch = async (url: URL | RequestInfo) => {
      const handler = String(url).split('/').at(-1) as keyof typeof answers
      sent.push(handler)
      return json(answers[handler].shift()!, handler === 'output' ? 470 : 200)
    }
    const tasks = new RestateTasks({ ingress: 'http://localhost', service: 'agent', fetch })
    await tasks.cancel('t')
    expect(sent).toEqual(['cancel', 'status', 'output', 'cancel', 'status', 'output', 'status'])
  })

  it('has no answer for those who waited for it, although another client has retried it', async () => {
    const tasks = tasksOf('steps', { ...cancelled, metadata: { code: 'error', name: 'CancelledError' } })
    await expect(tasks.answer('t')).rejects.toMatchObject({ code: 'task_cancelled' })
  })
})
