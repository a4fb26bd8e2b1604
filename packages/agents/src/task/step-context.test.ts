import { CallbackManager } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { expect, test } from 'vitest'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { journalPort } from '../journal.ts'
import type { AgentWorker, StepOptions } from '../loop/agent-worker.ts'
import { AgentRunner } from '../runner/agent-runner.ts'
import { type Json, passThrough } from './durable.ts'
import { stepContext } from './step-context.ts'
import { Task } from './task.ts'
import { TaskStep } from './task-step.ts'
import { TaskStepOutput } from './task-step-output.ts'

/** A worker that answers in its third step, and records the contexts of its steps. */
function watching(fails: () => boolean = () => false) {
  const received: StepOptions[] = []
  const run = async (step: TaskStep, _task: Task, options: StepOptions = {}): Promise<TaskStepOutput> => {
    received.push(options)
    if (fails()) throw new Error('no network')
    const isLast = (options.completedSteps ?? 0) >= 2
    const nextSteps = isLast ? [] : [step.getNextStep(`s${received.length}`)]
    return new TaskStepOutput({
      output: new AgentChatResponse({ response: 'done' }),
      taskStep: step,
      nextSteps,
      isLast,
    })
  }
  const worker: AgentWorker = {
    callbackManager: null,
    setCallbackManager() {},
    getPrompts: () => ({}),
    updatePrompts() {},
    initializeStep: ({ taskId, input }) => new TaskStep({ taskId, stepId: 's0', input }),
    runStep: run,
    streamStep: run,
    finalizeTask() {},
  }
  return { worker, received }
}

test('a step receives the context of the run, its event, its conversation, ids and the time', async () => {
  const starts: string[] = []
  const handler = { onEventStart: (type: string, _: unknown, id: string) => void starts.push(`${type} ${id}`) }
  let events = 0
  const callbackManager = new CallbackManager([handler], { newId: () => `e${++events}` })
  const { worker, received } = watching()
  const durable = journalPort(async <T extends Json>(_: string, fn: () => Promise<T>) => fn())
  const runner = new AgentRunner({ agentWorker: worker, callbackManager, newId: () => 'id', now: () => 7, durable })
  await runner.chat('Hello', { context: { user: 'ann' } })

  const [first] = received
  expect(first).toMatchObject({ context: { user: 'ann' }, parentId: 'e2', durable })
  expect([first!.newId!(), first!.now!(), first!.memory]).toEqual(['id', 7, runner.memory])
  expect(starts).toEqual(['agent_step e1', 'task_step e2', 'task_step e3', 'task_step e4'])
  expect(received.map(({ stepNumber, completedSteps }) => [stepNumber, completedSteps])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ])
})

test('a retried step keeps its number, a step after an undo has a new one', async () => {
  let fails = true
  const { worker, received } = watching(() => fails)
  const runner = new AgentRunner({ agentWorker: worker })
  const { taskId } = await runner.createTask('Hello')
  await expect(runner.runStep(taskId)).rejects.toThrow('no network')
  fails = false
  await runner.runStep(taskId)
  await runner.undoStep(taskId)
  await runner.runStep(taskId)
  expect(received.map(({ stepNumber }) => stepNumber)).toEqual([1, 1, 2])
})

test('stepContext fills in everything for a worker that is called without a runner', async () => {
  const memory = new ChatMemoryBuffer({ tokenLimit: 10 })
  const context = stepContext(new Task({ taskId: 't', input: '', memory }))
  expect(context).toMatchObject({ memory, durable: passThrough, stepNumber: 1, completedSteps: 0 })
  expect(await context.durable('name', async () => 'once')).toBe('once')
  expect(context.newId()).not.toBe(context.newId())
  expect(Math.abs(context.now() - Date.now())).toBeLessThan(60_000)
})
