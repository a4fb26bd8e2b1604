/**
 * @module
 * The errors of the answers of a model, and of the limits of its work.
 */
import { AgentError, issuesText, TaskError } from '../agent-error.ts'

/** Thrown when the limit of model calls is reached without an answer. The task stays open and can continue with a higher limit. */
export class MaxIterationsError extends TaskError {
  /** The text of the last step output, or null. */
  readonly lastOutput: string | null

  constructor(taskId: string, limit: string, lastOutput: string | null) {
    super('max_iterations', taskId, `Task "${taskId}": no answer within ${limit}.`)
    this.lastOutput = lastOutput
  }
}

/** Thrown when a budget of the task is exhausted. The task stays open and can continue with a larger budget. */
export class BudgetExceededError extends TaskError {
  constructor(taskId: string, message: string) {
    super('budget_exceeded', taskId, `Task "${taskId}": ${message}.`)
  }
}

/**
 * Thrown when the model's reply was cut at a token limit, or stopped by a content filter. The step can run again, for example with a
 * higher `maxTokens` in the model options.
 */
export class CutAnswerError extends TaskError {
  readonly reason: 'length' | 'content_filter'
  /** The text that the model has written. */
  readonly text: string

  constructor(taskId: string, reason: 'length' | 'content_filter', text: string) {
    const what = reason === 'length' ? 'was cut at the token limit of the model' : 'was stopped by a content filter'
    super('cut_answer', taskId, `Task "${taskId}": the reply of the model ${what}.`)
    this.reason = reason
    this.text = text
  }
}

/** Thrown when a guard blocks the input or the answer of a task. The message contains its reason. */
export class GuardBlockedError extends TaskError {
  readonly stage: 'input' | 'answer'
  readonly reason: string

  constructor(taskId: string, stage: 'input' | 'answer', reason: string) {
    super('guard_blocked', taskId, `Task "${taskId}": the ${stage} was blocked: ${reason}`)
    this.stage = stage
    this.reason = reason
  }
}

/**
 * Thrown when the answer of the model still does not match the output schema after the error was reported to the model. Simplify the
 * schema, describe its fields, or use a stronger model; `text` is the answer.
 */
export class InvalidOutputError extends TaskError {
  /** The answer of the model. */
  readonly text: string
  /** One issue per invalid value. */
  readonly issues: readonly { readonly path: string; readonly message: string }[]

  constructor(taskId: string, issues: readonly { path: string; message: string }[], text: string) {
    super(
      'invalid_output',
      taskId,
      `Task "${taskId}": the answer does not match the output schema: ${issuesText(issues)}.`,
    )
    this.text = text
    this.issues = issues
  }
}

/** Thrown when the model repeats the same call and it fails every time. Mend the tool, or make its error say how to call it. */
export class RepeatedFailureError extends TaskError {
  readonly toolName: string

  constructor(taskId: string, toolName: string, times: number, output: string) {
    super(
      'repeated_failure',
      taskId,
      `Task "${taskId}": the same call of tool "${toolName}" failed ${times} times in a row: ${output}`,
    )
    this.toolName = toolName
  }
}

/**
 * Thrown when the output of a worker is not a chat response, or the model replies with neither text nor calls twice. Return what the
 * message expects from your worker; if the model sends empty replies, try another model or prompt.
 */
export class InvalidAgentOutputError extends AgentError {
  constructor(message: string) {
    super('invalid_agent_output', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    budget_exceeded: BudgetExceededError
    cut_answer: CutAnswerError
    guard_blocked: GuardBlockedError
    invalid_agent_output: InvalidAgentOutputError
    invalid_output: InvalidOutputError
    max_iterations: MaxIterationsError
    repeated_failure: RepeatedFailureError
  }
}
