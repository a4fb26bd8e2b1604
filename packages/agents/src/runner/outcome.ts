/**
 * @module
 * The outcome of a run: an answer, or calls that wait.
 */
import { isToolkitError } from '@x/core-model'
import type { PendingToolCall } from '../task/agent-event.ts'

/** The outcome of a run: its answer, or the calls that wait for a decision or a result. */
export type RunOutcome<Answer> =
  | { status: 'done'; answer: Answer }
  | { status: 'waiting'; taskId: string; calls: readonly PendingToolCall[] }

/**
 * Returns the answer of a run, or the calls that it waits for, which `chat` and `runTask` throw as `approval_required`. Other errors are
 * thrown.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}'] })
 * const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
 * const outcome = await outcomeOf(ReActAgent.fromTools({ llm, tools: [pay] }).chat('Pay!'))
 * outcome.status // => 'waiting'
 */
export async function outcomeOf<Answer>(run: Promise<Answer>): Promise<RunOutcome<Answer>> {
  try {
    return { status: 'done', answer: await run }
  } catch (error) {
    if (!isToolkitError(error, 'approval_required')) throw error
    const { taskId, calls } = error
    return { status: 'waiting', taskId, calls }
  }
}
