/**
 * @module
 * What workers share that keep their state in the steps.
 */
import { newId } from '@x/core-model/internal'
import { InvalidAgentOutputError } from '../errors.ts'
import { ChatMemoryBuffer, moveMessages } from '../memory/chat-memory-buffer.ts'
import { snapshotState } from '../snapshot.ts'
import type { Task } from '../task.ts'
import { TaskStep, TaskStepOutput } from '../task-step.ts'

/** The first step of a task, whose state holds `sources` and `memory` besides the given one. */
export function firstStep(task: Task, state: Readonly<Record<string, unknown>> = {}): TaskStep {
  // Messages of the running task are never cut.
  const memory = new ChatMemoryBuffer({ tokenLimit: Number.MAX_SAFE_INTEGER })
  return new TaskStep({
    taskId: task.taskId,
    stepId: newId(),
    input: task.input,
    stepState: { ...state, sources: [], memory },
  })
}

/**
 * What came out of a step that gave the response and whether the task is done. The next step gets a copy of the state as
 * it is now.
 * @throws {InvalidAgentOutputError} when the step gave anything else.
 */
export function outputOf(className: string, result: unknown, step: TaskStep, task: Task): TaskStepOutput {
  if (!Array.isArray(result) || result.length !== 2 || typeof result[1] !== 'boolean') {
    throw new InvalidAgentOutputError(
      `${className}: a step gives a pair, the response and whether the task is done (true or false).`,
    )
  }
  const [output, isLast] = result
  Object.assign(task.extraState, step.stepState)
  const next = () => step.getNextStep(newId(), { stepState: snapshotState(step.stepState) })
  return new TaskStepOutput({ output, taskStep: step, nextSteps: isLast ? [] : [next()], isLast })
}

/** Moves the messages that a task has collected into the conversation. */
export function appendToMemory(task: Task): void {
  const memory = task.extraState['memory'] as ChatMemoryBuffer | undefined
  if (memory) moveMessages(memory, task.memory)
}
