/** What happens to tasks around Restate: the server restarts, clocks change, calls take long, and tasks end their workers. */
import * as restate from '@restatedev/restate-sdk'
import { FunctionTool } from '@x/agents'
import { type ChatMessage, LLMMetadata } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { MemoryEventLog } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { clockGoesBack } from '../../../../tools/clock.ts'
import { useRestate } from '../test/deployment.ts'
import { agentOf, calls, schema } from '../test/scripted.ts'
import { type AgentWorkflowOptions, agentSteps, agentWorkflow } from './index.ts'
import { RestateTasks } from './restate-tasks.ts'

const use = useRestate()

/** The reply to a conversation, also if it is asked for again. */
function next(messages: readonly ChatMessage[]): ChatMessage | string {
  const results = messages.filter(({ role }) => role === 'tool').length
  return [calls(['a', 'note', { to: 'Ann' }]), calls(['b', 'pay', { to: 'Bob' }])][results] ?? 'Done.'
}

/** Serves an agent whose tool `note` does something, and whose tool `pay` needs an approval. */
async function start(
  mode: 'workflow' | 'steps',
  during: (attempt: number, cut: () => void) => Promise<unknown>,
  options: AgentWorkflowOptions['options'] = {},
) {
  const ran: string[] = []
  const tool = (name: string) =>
    FunctionTool.fromDefaults({
      name,
      schema,
      needsApproval: name === 'pay',
      fn: async (_, { idempotencyKey }) => {
        ran.push(`${name} ${idempotencyKey}`)
        if (name === 'note') await during(ran.length, () => app.endpoint.disconnect())
        return name
      },
    })
  const llm = new ScriptedLLM({
    answers: next,
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
  })
  const agent = agentOf(llm, [tool('note'), tool('pay')])
  const make = mode === 'workflow' ? agentWorkflow : agentSteps
  const app = await use((name) => [make({ restate, name, agent, options })], undefined)
  const events = new MemoryEventLog()
  const tasks = new RestateTasks({ ingress: app.ingress, service: app.name, mode, events, pollingIntervalMs: 20 })
  await tasks.submit('Go!', { taskId: 'task' })
  const waits = async () => {
    while ((await tasks.status('task').catch(() => null)) !== 'waiting') await pause(20)
  }
  const approved = async () => {
    await waits()
    await tasks.decide('task', { callId: 'b', type: 'approve' })
    return (await tasks.answer('task')).response
  }
  return { app, ran, tasks, waits, approved }
}

/** Cuts the connection of the worker, as its death does, in the first attempts of the call. */
const dies = (times: number) => async (attempt: number, cut: () => void) => {
  if (attempt > times) return
  cut()
  await pause(60_000)
}

const once = ['note task/1/0', 'pay task/2/0']

describe.each(['workflow', 'steps'] as const)('a task of Restate, as %s,', (mode) => {
  it('goes on when the server restarts, while it runs and while it waits', async () => {
    let restart = async () => {}
    const { app, ran, waits, approved } = await start(mode, async (attempt) => attempt === 1 && restart())
    restart = () => app.restartServer()
    await waits()
    await app.restartServer()
    expect(await approved()).toBe('Done.')
    // The result of the call was not recorded: the server was gone.
    expect(ran.length).toBeGreaterThan(2)
    expect(new Set(ran)).toEqual(new Set(once))
  })

  it('goes on when the clock of its worker goes back', async () => {
    let restore = () => {}
    const { ran, approved } = await start(mode, async () => {
      restore = clockGoesBack(3_600_000)
    })
    try {
      expect(await approved()).toBe('Done.')
    } finally {
      restore()
    }
    expect(ran).toEqual(once)
  })

  it('repeats a call that takes longer than its limit', async () => {
    const limits = { inactivityTimeout: 200, abortTimeout: 200, retryPolicy: { initialInterval: 10 } }
    const { ran, approved } = await start(mode, (attempt) => pause(attempt === 1 ? 2500 : 0), limits)
    expect(await approved()).toBe('Done.')
    expect(ran.length).toBeGreaterThan(2)
    expect(new Set(ran)).toEqual(new Set(once))
  })

  it('is paused when it ends its workers as often as the retry policy allows, and goes on when it is resumed', async () => {
    const retryPolicy = { maxAttempts: 3, onMaxAttempts: 'pause', initialInterval: 10 } as const
    const { app, ran, tasks, approved } = await start(mode, dies(3), { retryPolicy })
    const handler = mode === 'workflow' ? 'run' : 'step'
    while ((await app.invocation(handler))?.status !== 'paused') await pause(20)
    expect(await tasks.status('task')).toBe('running')
    await app.operate('resume', handler)
    expect(await approved()).toBe('Done.')
    expect(ran).toEqual([once[0], once[0], once[0], ...once])
  })
})

it('a workflow whose run is ended by the retry policy has failed', async () => {
  const retryPolicy = { maxAttempts: 3, onMaxAttempts: 'kill', initialInterval: 10 } as const
  const { ran, tasks } = await start('workflow', dies(Number.POSITIVE_INFINITY), { retryPolicy })
  while ((await tasks.status('task')) !== 'failed') await pause(20)
  await expect(tasks.answer('task')).rejects.toMatchObject({
    code: 'task_abandoned',
    message: expect.stringMatching(/^Restate has ended task "task": /),
  })
  for await (const _ of tasks.events('task'));
  expect(await tasks.waiting('task')).toEqual([])
  expect(ran).toEqual([once[0], once[0], once[0]])
})
