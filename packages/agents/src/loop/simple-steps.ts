/**
 * @module
 * Functions for workers that keep their state in the steps.
 */
import { newId } from '@x/core-model/internal'
import { InvalidAgentOutputError } from '../errors.ts'
import { ChatMemoryBuffer, moveMessages } from '../memory/chat-memory-buffer.ts'
import { snapshotState } from '../task/snapshot.ts'
import type { Task } from '../task/task.ts'
import { TaskStep, TaskStepOutput } from '../task/task-step.ts'

/** Creates the first step of a task. Its state contains `state`, `sources` and `memory`. */
export function firstStep(task: Task, state: Readonly<Record<string, unknown>> = {}): TaskStep {
  // The memory of the running task has no token limit.
  const memory = new ChatMemoryBuffer({ tokenLimit: Number.MAX_SAFE_INTEGER })
  return new TaskStep({
    taskId: task.taskId,
    stepId: newId(),
    input: task.input,
    stepState: { ...state, sources: [], memory },
  })
}

/**
 * Creates the output of a step from a pair of the response and whether the task is done. The next step receives a copy of the current
 * state.
 * @throws {InvalidAgentOutputError} if the step returned anything else.
 */
export function outputOf(className: string, result: unknown, step: TaskStep, task: Task): TaskStepOutput {
  if (!Array.isArray(result) || result.length !== 2 || typeof result[1] !== 'boolean') {
    throw new InvalidAgentOutputError(
      `${className}: expected a pair of the response and a boolean (whether the task is done) from a step.`,
    )
  }
  const [output, isLast] = result
  Object.assign(task.extraState, step.stepState)
  const next = () => step.getNextStep(newId(), { stepState: snapshotState(step.stepState) })
  return new TaskStepOutput({ output, taskStep: step, nextSteps: isLast ? [] : [next()], isLast })
}

/** Moves the messages of a task to the conversation. */
export function appendToMemory(task: Task): void {
  const memory = task.extraState['memory'] as ChatMemoryBuffer | undefined
  if (memory) moveMessages(memory, task.memory)
}
