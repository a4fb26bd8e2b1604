import type { CallbackManager } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { AgentWorker } from '../loop/agent-worker.ts'
import type { Task } from '../task/task.ts'
import { TaskStep } from '../task/task-step.ts'
import { TaskStepOutput } from '../task/task-step-output.ts'
import { ParallelAgentRunner } from './parallel-agent-runner.ts'

/** A worker whose first step queues the steps `next`. Each of them is a last step unless it fails. */
class Branches implements AgentWorker {
  readonly callbackManager: CallbackManager | null = null
  readonly ran: string[] = []
  readonly next: readonly string[]

  constructor(...next: string[]) {
    this.next = next
  }

  initializeStep(task: Task): TaskStep {
    return new TaskStep({ taskId: task.taskId, stepId: 'root', input: task.input })
  }

  async runStep(taskStep: TaskStep, task: Task): Promise<TaskStepOutput> {
    const { stepId } = taskStep
    if (stepId.startsWith('slow')) await new Promise((resolve) => setTimeout(resolve, 5))
    this.ran.push(stepId)
    task.extraState[stepId] = true
    if (stepId.endsWith('fails')) throw new Error(`${stepId}!`)
    const isRoot = stepId === 'root'
    const nextSteps = isRoot ? this.next.map((id) => taskStep.getNextStep(id, { input: 'go on' })) : []
    const output = new AgentChatResponse({ response: stepId })
    return new TaskStepOutput({ output, taskStep, nextSteps, isLast: !isRoot && stepId.endsWith('last') })
  }

  streamStep(step: TaskStep, task: Task): Promise<TaskStepOutput> {
    return this.runStep(step, task)
  }

  finalizeTask(): void {}
  setCallbackManager(): void {}
  getPrompts() {
    return {}
  }
  updatePrompts(): void {}
}

async function started(...next: string[]) {
  const worker = new Branches(...next)
  const runner = new ParallelAgentRunner({ agentWorker: worker })
  const { taskId } = await runner.createTask('x')
  await runner.runStepsInQueue(taskId)
  return { worker, runner, taskId }
}
const ids = (steps: readonly TaskStep[]) => steps.map(({ stepId }) => stepId)

describe('ParallelAgentRunner', () => {
  it('runs the queued steps concurrently and returns outputs in the order of the queue', async () => {
    const { worker, runner, taskId } = await started('slow', 'quick')
    const outputs = await runner.runStepsInQueue(taskId)
    expect(worker.ran).toEqual(['root', 'quick', 'slow'])
    expect(outputs.map(({ output }) => String(output))).toEqual(['slow', 'quick'])
    expect(await runner.runStepsInQueue(taskId)).toEqual([])
  })

  it('keeps successful steps, and returns failed steps to the front of the queue', async () => {
    const { runner, taskId } = await started('quick', 'a fails')
    await expect(runner.runStepsInQueue(taskId)).rejects.toThrow('a fails!')
    expect(ids(runner.getUpcomingSteps(taskId))).toEqual(['a fails'])
    expect(ids(runner.getCompletedSteps(taskId).map(({ taskStep }) => taskStep))).toEqual(['root', 'quick'])
  })

  it('keeps nothing of a step that goes on after it was cancelled', async () => {
    const { worker, runner, taskId } = await started('slow', 'quick')
    const controller = new AbortController()
    const batch = runner.runStepsInQueue(taskId, { signal: controller.signal })
    await new Promise((resolve) => setTimeout(resolve))
    controller.abort()
    await expect(batch).rejects.toMatchObject({ code: 'abort' })
    await expect.poll(() => worker.ran).toContain('slow')
    expect(runner.getTask(taskId).extraState).toEqual({ root: true, quick: true })
  })

  it('runs one step: the first one, or the one in the options', async () => {
    const { worker, runner, taskId } = await started('a', 'b', 'c')
    await runner.runStep(taskId, { step: runner.getUpcomingSteps(taskId)[1]! })
    await runner.streamStep(taskId)
    expect(worker.ran).toEqual(['root', 'b', 'a'])
    await runner.runStep(taskId)
    await expect(runner.runStep(taskId)).rejects.toMatchObject({ code: 'no_upcoming_step' })
  })

  it('throws MultipleFinalStepsError if the final step is not the only one of its batch', async () => {
    const runner = new ParallelAgentRunner({ agentWorker: new Branches('quick', 'slow last') })
    await expect(runner.chat('x')).rejects.toMatchObject({ code: 'multiple_final_steps' })
  })

  it('returns the output of the final step as the answer', async () => {
    const runner = new ParallelAgentRunner({ agentWorker: new Branches('the last') })
    expect(String(await runner.chat('x'))).toBe('the last')
  })
})
