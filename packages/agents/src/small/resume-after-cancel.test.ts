import { expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { stopWhen } from '../layers/after-calls.ts'
import { approvals } from '../layers/approvals.ts'
import { budget } from '../layers/budget.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { decide } from './decide.ts'
import { readLoopTask, writeLoopTask } from './task-json.ts'
import { toolLoop } from './tool-loop.ts'

/** A loop that waits for `pay`, then calls `mail` with other arguments each time it is asked, beside a tool that fails `failures` times. */
async function failing({ fail, failures = 1, hook }: { fail: () => unknown; failures?: number; hook?: () => void }) {
  const effects: string[] = []
  let asked = 0
  let left = failures
  const answers = [toolCalls(toolCall('p', 'pay', { q: 'x' }))]
  for (let i = 0; i < 6; i++)
    answers.push(toolCalls(toolCall(`m${i}`, 'mail', { q: `mail ${i}` }), toolCall(`f${i}`, 'flaky', { q: 'x' })))
  const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } as const
  const loop = toolLoop({
    llm: scriptedToolModel([...answers.slice(0, 2), ...answers.slice(2)]),
    layers: [
      approvals(),
      budget(),
      stopWhen(() => {
        if (asked > 0) hook?.()
        return asked > 0
      }),
    ],
    tools: [
      FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn: ({ q }) => q }),
      FunctionTool.fromDefaults({
        name: 'mail',
        schema,
        fn: ({ q }, { idempotencyKey }) => {
          asked++
          effects.push(`${idempotencyKey!.split('/').slice(1).join('/')} ${q}`)
          return q
        },
      }),
      FunctionTool.fromDefaults({
        name: 'flaky',
        schema,
        sequential: true,
        fn: async ({ q }) => {
          if (left-- > 0) await fail()
          return q
        },
      }),
    ],
  })
  const waiting = await loop.run('Go!')
  await decide(loop, waiting.task, 'p', { decision: 'approve' })
  return { loop, task: waiting.task, effects }
}

const powerCut = () => {
  throw Object.assign(new Error('power cut'), { fatal: true })
}

it('keeps the reply and the outputs of a step that was cancelled', async () => {
  const controller = new AbortController()
  const { loop, task, effects } = await failing({
    fail: () => {
      controller.abort()
      return new Promise((resolve) => setTimeout(resolve, 1))
    },
  })
  await expect(loop.resume(task, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
  const { sources, usage, status } = await loop.resume(task)
  expect(effects).toEqual(['2/0 mail 0'])
  expect(status).toBe('done')
  expect(sources.map(String)).toEqual(['x', 'mail 0', 'x'])
  expect(usage).toMatchObject({ modelCalls: 2 })
})

it('keeps them after several failures, and as JSON', async () => {
  const { loop, task, effects } = await failing({ fail: powerCut, failures: 3 })
  let current = task
  for (let i = 0; i < 3; i++) {
    await expect(loop.resume(current)).rejects.toMatchObject({ code: 'tool_execution', usage: { modelCalls: 2 } })
    current = readLoopTask(loop, JSON.parse(JSON.stringify(writeLoopTask(current))))
  }
  const { sources } = await loop.resume(current)
  expect(effects).toEqual(['2/0 mail 0'])
  expect(sources.map(String)).toEqual(['x', 'mail 0', 'x'])
})

it('keeps them if what follows the calls fails', async () => {
  let left = 1
  const { loop, task, effects } = await failing({
    fail: () => {},
    hook: () => {
      if (left-- > 0) throw new Error('hook')
    },
  })
  await expect(loop.resume(task)).rejects.toThrow('hook')
  const { sources } = await loop.resume(task)
  expect(effects).toEqual(['2/0 mail 0'])
  expect(sources.map(String)).toEqual(['x', 'mail 0', 'x'])
})
