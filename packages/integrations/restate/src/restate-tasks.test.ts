import * as restate from '@restatedev/restate-sdk'
import { FunctionTool } from '@x/agents'
import { pause } from '@x/core-model/async'
import { durableAgent, MemoryEventLog, type TaskEvents, validEvents } from '@x/durable'
import { durableTasksChecks } from '@x/testing/durable'
import { describe, expect, it } from 'vitest'
import { useRestate } from '../test/deployment.ts'
import { calls, scripted } from '../test/scripted.ts'
import { type AgentRun, agentSteps, agentWorkflow } from './index.ts'
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

describe.each(['workflow', 'steps'] as const)('a task of mode %s', (mode) => {
  it('is cancelled with the task that has started it, whatever its id is', async () => {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    // A new model for each run: all of them call the tool.
    const agent = durableAgent<AgentRun>(() => ({ llm: scripted(calls(['a', 'pay', {}])), tools: [pay] }))
    const make = mode === 'workflow' ? agentWorkflow : agentSteps
    const app = await use((name) => [make({ restate, name, agent })], undefined)
    const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, mode })
    const started = { 'its child': 'starter', second: 'starter', grandchild: 'its child', helped: 'starter/2/0' }
    const others = { 'starter/7/8': undefined, 'starter/7/8/1/0/background': 'starter/7/8' }
    for (const [taskId, startedBy] of Object.entries({ starter: undefined, ...others, ...started })) {
      await tasks.submit('Go!', { taskId, startedBy })
      await expect.poll(() => tasks.status(taskId)).toBe('waiting')
    }
    await tasks.cancel('starter')
    for (const taskId of Object.keys(started)) await expect.poll(() => tasks.status(taskId)).toBe('cancelled')
    await tasks.submit('Go!', { taskId: 'late child', startedBy: 'starter' })
    await expect.poll(() => tasks.status('late child')).toBe('cancelled')
    for (const taskId of Object.keys(others)) expect(await tasks.status(taskId)).toBe('waiting')
  })
})

describe.each(['workflow', 'steps'] as const)('the events of a task of mode %s', (mode) => {
  it('are in order, also in a log on several connections, and whole when it has ended', async () => {
    class SlowLog extends MemoryEventLog {
      private last = 0
      override async addEvents(taskId: string, record: TaskEvents): Promise<void> {
        // Each second call takes longer than the next one.
        await pause(++this.last % 2 === 0 ? 1 : 30)
        super.addEvents(taskId, record)
      }
    }
    const events = new SlowLog()
    const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'green' })
    const agent = durableAgent<AgentRun>(() => ({
      llm: scripted(calls(['a', 'look', {}]), 'It is green.'),
      tools: [look],
    }))
    const make = mode === 'workflow' ? agentWorkflow : agentSteps
    const app = await use((name) => [make({ restate, name, agent, onEvent: reportTo(events) })], undefined)
    const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, mode, events, pollingIntervalMs: 20 })
    await tasks.submit('Look!', { taskId: 'look' })
    await tasks.answer('look')
    const types = validEvents(events.readEvents('look', 0)).map(({ type }) => type)
    const called = ['step_start', 'usage', 'tool_call', 'tool_result', 'step_end']
    expect(types).toEqual([...called, 'step_start', 'text_delta', 'usage', 'step_end', 'task_end'])
  })

  it('do not keep a task whose receiver never ends', async () => {
    const agent = durableAgent<AgentRun>(() => ({ llm: scripted('It is green.') }))
    const make = mode === 'workflow' ? agentWorkflow : agentSteps
    const app = await use((name) => [make({ restate, name, agent, onEvent: () => new Promise(() => {}) })], undefined)
    const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, mode })
    await tasks.submit('Look!', { taskId: 'look' })
    expect((await tasks.answer('look')).response).toBe('It is green.')
  })
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

it('has the messages of causes in the cause of its error, not in the message', async () => {
  const metadata = { code: 'error', name: 'TypeError', causes: 'connect ECONNREFUSED 10.0.0.1:443' }
  const fetch = async () => Response.json({ message: 'fetch failed', metadata }, { status: 500 })
  const tasks = new RestateTasks({ ingress: 'http://localhost', service: 'agent', mode: 'steps', fetch })
  const error = { name: 'TypeError', message: 'fetch failed', cause: { message: metadata.causes } }
  await expect(tasks.answer('t')).rejects.toMatchObject(error)
})
