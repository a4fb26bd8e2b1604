import type { ChatMessage } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { stopWhen } from '../layers/calls.ts'
import { approvals, budget, decide, FunctionTool, type LoopResult, reactLoop, toolLoop } from '../loop.ts'
import { readLoopTask, writeLoopTask } from './task-json.ts'

const native = (last: string) => scriptedToolModel([toolCalls(toolCall('a', 'pay', {})), last, last])
const text = (last: string) =>
  new ScriptedLLM({
    answers: ['Thought: pay\nAction: pay\nAction Input: {}', `Thought: done\nAnswer: ${last}`, 'Answer: again'],
  })
const kinds = [
  ['toolLoop', toolLoop, native],
  ['reactLoop', reactLoop, text],
] as const

/** A loop whose tool fails fatally until `works` is called, and which notes the keys of its calls. */
async function waiting(make: typeof toolLoop | typeof reactLoop, llm: ScriptedLLM) {
  const keys: string[] = []
  let isBroken = true
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: {},
    needsApproval: true,
    fn: async (_args, { idempotencyKey = '' }) => {
      keys.push(idempotencyKey)
      if (isBroken) throw Object.assign(new Error('no connection'), { fatal: true })
      return 'paid'
    },
  })
  const loop = make({ llm, tools: [pay], layers: [approvals(), budget()] })
  const { task, pending, messages } = await loop.run('Pay.', { taskId: 'T' })
  await decide(loop, task, pending[0]!.id, { decision: 'approve' })
  return { loop, task, keys, messages, works: () => void (isBroken = false) }
}

describe.each(kinds)('%s', (_name, make, llmOf) => {
  it('keeps approved calls if their step fails, and makes them with the same key when it continues', async () => {
    const llm = llmOf('Paid.')
    const { loop, task, keys, messages, works } = await waiting(make, llm)
    await expect(loop.resume(task)).rejects.toMatchObject({ code: 'tool_execution' })
    expect((await (task.extraState['new_memory'] as { getAll(): ChatMessage[] }).getAll()).length).toBe(messages.length)
    works()
    const done = await loop.resume(task)
    expect([done.status, done.text, keys]).toEqual(['done', 'Paid.', ['T/1/0', 'T/1/0']])
    expect([done.usage?.toolCalls, done.sources.map(String)]).toEqual([1, ['paid']])
    // The model was asked with the output of the call.
    expect(JSON.stringify(llm.calls.at(-1)!.messages)).toContain('paid')
  })

  it('keeps approved calls if the run is cancelled while they run', async () => {
    const controller = new AbortController()
    const { loop, task, keys, works } = await waiting(make, llmOf('Paid.'))
    works()
    const run = loop.resume(task, {
      signal: controller.signal,
      onEvent: ({ type }) => type === 'tool_call' && controller.abort(new Error('enough')),
    })
    await expect(run).rejects.toThrow('enough')
    expect(await loop.resume(task)).toMatchObject({ status: 'done', text: 'Paid.' })
    expect(new Set(keys)).toEqual(new Set(['T/1/0']))
  })

  it('continues a task once at a time', async () => {
    const { loop, task, keys, works } = await waiting(make, llmOf('Paid.'))
    works()
    const other = make({ llm: llmOf('Paid.') })
    const runs = await Promise.allSettled([loop.resume(task), loop.resume(task), other.resume(task)])
    expect(runs.map((run) => (run.status === 'fulfilled' ? run.value.text : run.reason.code))).toEqual([
      'Paid.',
      'task_busy',
      'task_busy',
    ])
    expect(keys).toEqual(['T/1/0'])
  })

  it('refuses what is not a task of such a loop', async () => {
    const { loop, task } = await waiting(make, llmOf('Paid.'))
    const other = make === toolLoop ? reactLoop({ llm: llmOf('') }) : toolLoop({ llm: native('') })
    for (const run of [
      other.resume(task),
      loop.resume(JSON.parse('{}')),
      loop.resume(null as never),
    ] as Promise<LoopResult>[])
      await expect(run).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringContaining('readLoopTask'),
      })
  })
})

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
