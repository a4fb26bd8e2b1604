/**
 * @module
 * The messages that a task adds to its conversation.
 */
import { ChatMessage, type Turn } from '@x/core-model'
import { attemptsOf, ChatMemoryBuffer } from '@x/core-model/memory'
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

/** Returns the messages of a turn behind those of its earlier attempts, with the marks that say where they begin. */
export function withAttempts(turn: Turn | undefined, own: readonly ChatMessage[], kept?: number) {
  const attempts = attemptsOf(turn)
  return {
    messages: [...attempts, ...own],
    ...(attempts.length > 0 && { attempts: attempts.length }),
    ...(kept !== undefined && { kept: kept + attempts.length }),
  }
}

/** Returns messages with text behind them, unless it is empty. */
export function withText(messages: ChatMessage[], content: string): ChatMessage[] {
  return content === '' ? messages : [...messages, new ChatMessage({ role: 'assistant', content })]
}

/** Returns steps with the answer, which is part of the last one if that has no calls. */
export function withAnswer(steps: readonly ChatMessage[], answer: ChatMessage | undefined): readonly ChatMessage[] {
  if (answer?.role !== 'assistant') return steps
  const last = steps.at(-1)
  if (last?.role !== 'assistant') return [...steps, answer]
  return steps.with(-1, last.copy({ update: { content: answer.content } }))
}
