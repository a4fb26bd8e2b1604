/**
 * @module
 * The steps of a task in its journal: only what is not known from earlier entries.
 */
import type { Dict } from '@x/core-model'
import { ChatAnswer } from '../answer/chat-answer.ts'
import type { TaskStepDict } from './task-step.ts'

/** A step without the fields that have their default. */
export type LeanStep = Pick<TaskStepDict, 'step_id'> & Partial<TaskStepDict>

/** The output of a step in a journal. */
export interface LeanOutput {
  /** The output, unless it is the answer so far: its text, with the sources and the usage of the state. */
  output?: unknown
  turn?: string
  /** The step, if it changed while it ran. */
  task_step?: LeanStep
  /** The steps that follow, if they are not the queue. An id is that of a step in the queue. */
  next_steps?: (LeanStep | string)[]
  is_last?: true
  status?: 'awaiting_approval'
}

export function leanStep(step: TaskStepDict, taskId: string): LeanStep {
  const { task_id, step_id, input, step_state, next_steps, prev_steps, is_ready } = step
  return {
    step_id,
    ...(task_id !== taskId && { task_id }),
    ...(input !== null && { input }),
    ...(!isEmpty(step_state) && { step_state }),
    ...(!isEmpty(next_steps) && { next_steps }),
    ...(!isEmpty(prev_steps) && { prev_steps }),
    ...(!is_ready && { is_ready }),
  }
}

/** Returns a step like one that ran. */
export function nextStep<Step extends LeanStep>(
  { input: _, next_steps: _n, prev_steps: _p, ...like }: Step,
  id: string,
): LeanStep {
  return { ...like, step_id: id }
}

export function wholeStep(step: Dict, taskId: string): TaskStepDict {
  const defaults = { task_id: taskId, input: null, step_state: {}, next_steps: {}, prev_steps: {}, is_ready: true }
  return { ...defaults, ...step } as TaskStepDict
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}

/** Returns the answer so far as it is in a saved task. @param state - the extra state after the step. */
export function turnOutput(response: string, { sources, usage }: Dict): Dict {
  return { $kind: ChatAnswer.className(), value: { response, sources, source_nodes: [], usage } }
}
