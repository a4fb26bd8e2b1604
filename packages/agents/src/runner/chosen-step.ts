/**
 * @module
 * The step that a caller wants to run.
 */
import { ConfigurationError } from '@x/core-model'
import { InvalidStepError } from '../task/task-errors.ts'
import { isTaskStep, type TaskStep } from '../task/task-step.ts'

/** @throws if the value is not a step of the task, or is passed together with an input. */
export function chosenStep(taskId: string, step: TaskStep, input: string | null | undefined): TaskStep {
  if (input !== null && input !== undefined) {
    throw new ConfigurationError('runStep: input and step cannot be combined; put the input into the step.')
  }
  if (!isTaskStep(step)) throw new InvalidStepError(`runStep: expected a TaskStep, received ${typeof step}.`)
  if (step.taskId !== taskId)
    throw new InvalidStepError(`runStep: step "${step.stepId}" belongs to task "${step.taskId}".`)
  return step
}
