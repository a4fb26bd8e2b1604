/**
 * @module
 * What workers share that keep their state in the steps.
 */
import { newId } from '@x/core-model'
import type { ChatMemoryBuffer } from '../memory/chat-memory-buffer.ts'
import { snapshotState } from '../runner/snapshot.ts'
import type { Task } from '../task.ts'
import type { TaskStep } from '../task-step.ts'

/** Messages of the running task are never cut. */
export const WORKING_MEMORY_LIMIT = Number.MAX_SAFE_INTEGER

export function newStepId(): string {
  return newId()
}

/** The next step, with a copy of the state as it is now. */
export function nextStepOf(step: TaskStep): TaskStep {
  return step.getNextStep(newId(), { stepState: snapshotState(step.stepState) })
}

/** Moves the messages that a task has collected into the conversation. */
export async function appendToMemory(task: Task): Promise<void> {
  const memory = task.extraState['memory'] as ChatMemoryBuffer | undefined
  if (!memory) return
  for (const message of memory.getAll()) await task.memory.put(message)
  memory.reset()
}
