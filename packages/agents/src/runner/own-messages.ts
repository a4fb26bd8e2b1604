/**
 * @module
 * The messages that a task adds to its conversation.
 */
import type { ChatMessage } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import type { AgentWorker } from '../loop/agent-worker.ts'
import type { Task } from '../task/task.ts'
import { snapshotState } from '../task/task-step.ts'

/** Returns the messages that a task adds to its conversation, and its extra state afterwards. The task does not change. */
export async function ownMessages(
  task: Task,
  worker: AgentWorker,
  add = worker.finalizeTask,
): Promise<{ own: ChatMessage[]; extraState: Record<string, unknown> }> {
  const memory = ChatMemoryBuffer.fromDefaults()
  const copy = task.copy({ update: { memory, extraState: snapshotState(task.extraState) } })
  await add.call(worker, copy)
  return { own: memory.getAll(), extraState: copy.extraState }
}
