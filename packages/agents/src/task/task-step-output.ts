/**
 * @module
 * The output of a step, with the code that reads it.
 */
import { checkGiven } from '@x/core/options'
import type { ReadOptions } from '@x/core-model'
import { AgentChatResponse, isAnswerDict } from '../answer/agent-chat-response.ts'
import { readStepOutput, StepOutput, TaskStep } from './task-step.ts'

/** The output of a step. */
export class TaskStepOutput<Output = unknown> extends StepOutput<Output> {
  constructor(options: ConstructorParameters<typeof StepOutput<Output>>[0]) {
    checkGiven('TaskStepOutput', { options }, 'an object of options', 'taskStep')
    super(options)
  }

  /** Whether a value is the output of a step, also one that a worker of this package has made. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === TaskStepOutput ? value instanceof StepOutput : super[Symbol.hasInstance](value)
  }

  /**
   * Reads an output from its wire form. An `output` that has the keys of an answer is read as an {@link AgentChatResponse}.
   * @param options.registry - classes of nodes that are not built in.
   * @throws {ModelValidationError} naming every field that does not fit.
   */
  static fromDict(data: unknown, options: ReadOptions = {}): TaskStepOutput {
    const readAnswer = (value: unknown) => (isAnswerDict(value) ? AgentChatResponse.fromDict(value, options) : value)
    return new TaskStepOutput(readStepOutput(data, (fields) => fields.record('output', readAnswer), TaskStep.fromDict))
  }
}
