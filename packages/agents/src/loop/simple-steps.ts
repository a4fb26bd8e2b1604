/**
 * @module
 * Functions for workers that keep their state in the steps.
 */
import { ConfigurationError } from '@x/core-model'
import { newId } from '@x/core-model/data'
import { ChatMemoryBuffer, moveMessages } from '@x/core-model/memory'
import { asStream, isChatResponse } from '../answer/chat-answer.ts'
import type { Task } from '../task/task.ts'
import { StepOutput, snapshotState, TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import type { StepOptions } from './agent-worker.ts'
import { InvalidAgentOutputError, MaxIterationsError } from './loop-errors.ts'

/** The input of a stop condition: the task and the response of the step that has just run. */
export interface StepStopContext {
  task: Task
  response: unknown
  /** The number of steps that have run, including this one. */
  steps: number
}

/** Returns whether the task ends after a step. */
export type StopWhen = (context: StepStopContext) => boolean | Promise<boolean>

/** The limits of a worker. */
export interface StepLimits {
  maxSteps: number | null
  stopWhen: StopWhen | null
}

/** The default of `maxSteps`. */
const MAX_STEPS = 20

/** @throws {ConfigurationError} if the limit is not an integer of at least 1. */
export function checkLimits(className: string, { maxSteps }: StepLimits): void {
  if (maxSteps === null || (Number.isInteger(maxSteps) && maxSteps >= 1)) return
  throw new ConfigurationError(`${className}.maxSteps: expected an integer of at least 1, received ${maxSteps}.`)
}

/** @throws {MaxIterationsError} if the task may have no more steps. */
export function checkSteps(task: Task, { completedSteps = 0 }: StepOptions, { maxSteps }: StepLimits): void {
  const most = maxSteps ?? MAX_STEPS
  if (completedSteps >= most) throw new MaxIterationsError(task.taskId, `${most} steps`, null)
}

/** Creates the first step of a task. Its state contains `state`, `sources` and `memory`. */
export function firstStep(task: Task, state: object = {}): TaskStep {
  // The memory of the running task has no token limit.
  const memory = new ChatMemoryBuffer({ tokenLimit: Number.MAX_SAFE_INTEGER })
  return new TaskStep({
    taskId: task.taskId,
    stepId: newId(),
    input: task.input,
    stepState: { ...state, sources: [], memory },
  })
}

/** What the output of a step depends on, in addition to its result. */
export interface StepRun {
  step: TaskStep
  task: Task
  options: StepOptions
  limits: StepLimits
  /** Whether the output of the last step is a streaming response. */
  streaming: boolean
}

/**
 * Creates the output of a step from a pair of the response and whether the task is done. The next step receives a copy of the current
 * state. Where a stream is expected, a response that does not stream becomes one piece.
 * @throws {InvalidAgentOutputError} if the step returned anything else.
 */
export async function outputOf(
  className: string,
  result: unknown,
  { step, task, options, limits, streaming }: StepRun,
): Promise<TaskStepOutput> {
  if (!Array.isArray(result) || result.length !== 2 || typeof result[1] !== 'boolean') {
    throw new InvalidAgentOutputError(
      `${className}: expected a pair of the response and a boolean (whether the task is done) from a step.`,
    )
  }
  const [response, isDone] = result
  Object.assign(task.extraState, step.stepState)
  const { newId: nextId = newId, completedSteps = 0 } = options
  const isLast = isDone || ((await limits.stopWhen?.({ task, response, steps: completedSteps + 1 })) ?? false)
  const output = streaming && isLast && isChatResponse(response) ? asStream(response) : response
  const next = () => step.getNextStep(nextId(), { stepState: snapshotState(step.stepState) })
  return new StepOutput({ output, taskStep: step, nextSteps: isLast ? [] : [next()], isLast })
}

/** Moves the messages of a task to the conversation. */
export async function appendToMemory(task: Task): Promise<void> {
  const memory = task.extraState['memory'] as ChatMemoryBuffer | undefined
  if (memory) await moveMessages(memory, task.memory)
}
