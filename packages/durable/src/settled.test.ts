import { FunctionTool, MemoryTaskStore, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, expect, it } from 'vitest'
import type { TaskRun } from './durable-tasks.ts'
import { settled } from './settled.ts'
import { StoredTasks } from './stored-tasks.ts'

const started: StoredTasks[] = []
afterEach(async () => {
  for (const tasks of started.splice(0)) await tasks.stop()
})

const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })

it('resolves when a task waits, and when it has ended', async () => {
  const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}', 'Answer: Paid.'] })
  const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [pay], taskStore })
  const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
  started.push(tasks)
  await tasks.start()
  await tasks.submit('Pay!', { taskId: 't' })
  expect(await settled(tasks, 't')).toBe('waiting')
  const [call] = await tasks.waiting('t')
  await tasks.decide('t', { callId: call!.id, type: 'approve' })
  expect(await settled(tasks, 't')).toBe('finished')
})

it('polls an engine that reports no changes, until its signal ends it', async () => {
  const states = ['queued', 'running', 'failed'] as const
  let reads = 0
  const engine = { status: async () => states[Math.min(reads++, 2)]! }
  expect(await settled(engine, 't', { pollMs: 1 })).toBe('failed')
  expect(reads).toBe(3)
  const running = { status: async () => 'running' as const }
  const reason = new Error('enough')
  const controller = new AbortController()
  const waiting = settled(running, 't', { pollMs: 3_600_000, signal: controller.signal })
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(settled(running, 't', { pollMs: -1 })).rejects.toMatchObject({ code: 'model_validation' })
})

it('throws for a task that does not exist', async () => {
  await expect(settled(new StoredTasks({ store: new MemoryTaskStore() }), 'none')).rejects.toMatchObject({
    code: 'task_not_found',
  })
})
