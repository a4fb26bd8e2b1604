import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import type { Layer } from '../loop/layer.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'

/** Tools that record their effects with their keys. */
function recordingTools() {
  const effects: string[] = []
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      needsApproval,
      schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      fn: ({ to }, { idempotencyKey }) => {
        effects.push(`${idempotencyKey} ${to}`)
        return 'done'
      },
    })
  return { tools: [tool('note', false), tool('pay', true)], effects }
}

function world(turns: Parameters<typeof functionCallingLlm>[0]) {
  const { tools, effects } = recordingTools()
  const llm = functionCallingLlm(turns)
  return { agent: FunctionCallingAgent.fromTools({ llm, tools, taskStore: journal(new MemoryTaskStore()) }), effects }
}

const note = (to: string) => [toolCall('n', 'note', { to })]
const pay = (to: string) => [toolCall('p', 'pay', { to })]

describe('a fork', () => {
  it('uses no key twice if steps before a waiting call were undone', async () => {
    const { agent, effects } = world([note('a'), note('b'), note('c'), pay('d'), note('e'), note('f'), 'Done.'])
    await agent.createTask('Go!', { taskId: 't' })
    for (let i = 0; i < 2; i++) {
      await agent.runStep('t')
      await agent.undoStep('t')
    }
    await agent.runStep('t')
    await agent.runStep('t')
    await agent.forkTask('t', { taskId: 'fork' })
    const [call] = agent.getPendingApprovals('fork')
    await agent.approve('fork', call!.id)
    await agent.runTask('fork')
    const own = effects.filter((effect) => effect.startsWith('fork/'))
    expect(own).toHaveLength(3)
    expect(new Set(own.map((effect) => effect.split(' ')[0])).size).toBe(3)
  })

  it('does not allow a tool that was allowed after its last step', async () => {
    const { agent, effects } = world([pay('a'), pay('b'), 'Done.', pay('c')])
    await agent.createTask('Go!', { taskId: 't' })
    await agent.runStep('t')
    const [call] = agent.getPendingApprovals('t')
    await agent.approve('t', call!.id, { always: true })
    await agent.runTask('t')
    expect(effects).toHaveLength(2)
    await agent.forkTask('t', { taskId: 'fork', atStep: 1 })
    await agent.approve('fork', call!.id)
    await expect(agent.runTask('fork')).rejects.toMatchObject({ code: 'approval_required' })
    expect(effects).toHaveLength(3)
  })

  it('asks again with what the model has asked for, after its arguments were edited', async () => {
    const { agent, effects } = world([pay('a'), note('b'), 'Done.', 'Done.', 'Done.', 'Done.'])
    await agent.createTask('Go!', { taskId: 't' })
    await agent.runStep('t')
    const [asked] = agent.getPendingApprovals('t')
    await agent.edit('t', asked!.id, { to: 'bob' })
    await agent.forkTask('t', { taskId: 'at once' })
    await agent.runTask('t')
    await agent.forkTask('t', { taskId: 'later', atStep: 1 })
    await agent.forkTask('t', { taskId: 'behind', atStep: 2 })
    await agent.undoStep('behind')
    for (const fork of ['at once', 'later', 'behind']) {
      const [call] = agent.getPendingApprovals(fork)
      expect(call).toEqual(asked)
      await agent.approve(fork, call!.id, { approvalId: asked!.approval!.id })
      await agent.runTask(fork)
      const sent = JSON.stringify(agent.getTask(fork).extraState)
      expect(sent).not.toContain('bob')
    }
    expect(effects.filter((effect) => effect.endsWith(' a'))).toHaveLength(3)
  })

  it('allows a tool that was allowed before its last step', async () => {
    const { agent, effects } = world([pay('a'), note('b'), 'Done.', pay('c'), 'Done.'])
    await agent.createTask('Go!', { taskId: 't' })
    await agent.runStep('t')
    const [call] = agent.getPendingApprovals('t')
    await agent.approve('t', call!.id, { always: true })
    await agent.runTask('t')
    await agent.forkTask('t', { taskId: 'fork', atStep: 2 })
    await agent.runTask('fork')
    expect(effects.at(-1)).toMatch(/^fork.* c$/)
  })
})

it('an undone call of an agent that failed after a decision fails again, without its effects', async () => {
  const { tools, effects } = recordingTools()
  const expert = FunctionCallingAgent.fromTools({ llm: functionCallingLlm([pay('a')]), tools, maxIterations: 1 })
  const agent = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm([[toolCall('a', 'ask', { input: 'Pay!' })], 'Done.']),
    tools: [new AgentTool({ agent: expert, name: 'ask' })],
    taskStore: journal(new MemoryTaskStore()),
  })
  const { taskId, calls } = await agent.chat('Go!').catch((error) => error)
  await agent.approve(taskId, calls[0].id)
  await agent.runStep(taskId)
  await agent.undoStep(taskId)
  const { response, sources } = await agent.runTask(taskId)
  expect(response).toBe('Done.')
  expect(sources).toMatchObject([{ isError: true }])
  expect(effects).toHaveLength(1)
  expect(expert.listTasks()).toEqual([])
})

it('refuses an undo while a step runs', async () => {
  const { agent } = world([note('a'), note('b')])
  await agent.createTask('Go!', { taskId: 't' })
  for (const steps of [1, 2]) {
    const step = agent.runStep('t')
    await expect(agent.undoStep('t')).rejects.toMatchObject({ code: 'task_busy' })
    await step
    expect(agent.getCompletedSteps('t')).toHaveLength(steps)
  }
})

it('layers follow a task that is undone, and a fork before it begins', async () => {
  const seen: unknown[] = []
  const layer: Layer = {
    restored: async ({ taskId, extraState }, origin) => {
      await Promise.resolve()
      seen.push([taskId, origin, extraState['n_iterations'], extraState['mark']])
    },
    step: (next) => (input, scope) => {
      scope.task.extraState['mark'] = scope.stepNumber
      return next(input, scope)
    },
  }
  const { tools } = recordingTools()
  const taskStore = journal(new MemoryTaskStore())
  const layers = [[layer]]
  const llm = functionCallingLlm([note('a'), note('b'), 'Done.'])
  const agent = FunctionCallingAgent.fromTools({ llm, tools, layers, taskStore })
  await agent.createTask('Go!', { taskId: 't' })
  await agent.runStep('t')
  await agent.runStep('t')
  await agent.undoStep('t')
  await agent.forkTask('t', { atStep: 0, taskId: 'copy' })
  await expect(agent.forkTask('t', { taskId: 'copy' })).rejects.toMatchObject({ code: 'task_already_exists' })
  expect(seen).toEqual([
    ['t', undefined, 1, 1],
    ['copy', 't', 0, undefined],
  ])
})
