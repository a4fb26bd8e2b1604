/**
 * @module
 * The errors of tools and of tool calls.
 */
import type { CheckedArguments } from '@x/core/arguments'
import { isRetryable, isToolkitError, type ToolkitErrorOptions } from '@x/core-model'
import { AgentError, issuesText } from '../agent-error.ts'

/** Thrown when the model calls a tool that does not exist. */
export class ToolNotFoundError extends AgentError {
  readonly toolName: string
  /** The names of the tools that exist. */
  readonly available: readonly string[]

  constructor(toolName: string, available: readonly string[]) {
    const known = available.length > 0 ? `available are: ${available.join(', ')}` : 'no tools are available'
    super('tool_not_found', `There is no tool "${toolName}"; ${known}.`)
    this.toolName = toolName
    this.available = available
  }
}

/**
 * Thrown when the arguments of a tool call do not match the schema of the tool. An agent reports the issues to the model; in code, pass
 * arguments that match the schema.
 */
export class ToolInputError extends AgentError {
  readonly toolName: string
  /** One issue per invalid argument. */
  readonly issues: readonly { readonly path: string; readonly message: string }[]

  constructor(toolName: string, issues: readonly { path: string; message: string }[], options?: ToolkitErrorOptions) {
    super('tool_input', `Tool "${toolName}": ${issuesText(issues)}.`, options)
    this.toolName = toolName
    this.issues = issues
  }
}

/** Returns the arguments of a call, or the value that a schema makes of them. @throws {ToolInputError} if they do not match the schema. */
export function validArguments(toolName: string | null, { value, issues }: CheckedArguments): unknown {
  if (issues.length > 0) throw new ToolInputError(toolName ?? '', issues)
  return value
}

/** Thrown when a tool fails. `cause` is the tool's error. */
export class ToolExecutionError extends AgentError {
  readonly toolName: string
  /**
   * Whether the run ends although failures are reported to the model: true if the error of the tool has the property `fatal: true`, such as
   * one of an engine.
   */
  readonly fatal: boolean

  constructor(toolName: string, message: string, options?: ToolkitErrorOptions & { fatal?: boolean }) {
    super('tool_execution', `Tool "${toolName}" failed: ${message}`, options)
    this.toolName = toolName
    this.fatal = options?.fatal ?? false
  }

  /** Whether the error of the tool is retryable. */
  override get retryable(): boolean {
    return isRetryable(this.cause)
  }
}

/** Thrown when a tool exceeds its time limit. Raise `timeoutMs`, or make the tool faster; it receives a signal that ends its work. */
export class ToolTimeoutError extends AgentError {
  readonly toolName: string
  readonly milliseconds: number

  constructor(toolName: string, milliseconds: number) {
    super('tool_timeout', `Tool "${toolName}" took longer than ${milliseconds} ms.`)
    this.toolName = toolName
    this.milliseconds = milliseconds
  }

  override get retryable(): boolean {
    return true
  }
}

/** Thrown when the arguments of a tool call cannot be parsed. The model must act: send it the message. */
export class ToolArgumentsError extends AgentError {
  /** The text of the model. */
  readonly text: string

  constructor(message: string, text: string, code: 'tool_arguments' | 'react_parse' = 'tool_arguments') {
    super(code, message)
    this.text = text
  }
}

/**
 * Thrown when the text of a ReAct model contains neither a valid tool call nor an answer. Show the format in the system prompt, use a
 * stronger model, or use native tool calls.
 */
export class ReActParseError extends ToolArgumentsError {
  constructor(message: string, text: string) {
    super(message, text, 'react_parse')
  }
}

/**
 * Thrown for a tool that is offered to a model without a name, with a name that could be mistaken for other parts of a prompt, or with one
 * that providers of native tool calls refuse. Name the tool like `search_orders`.
 */
export class ToolNameError extends AgentError {
  /** @param nearest - a name that providers accept. */
  constructor(name?: string, nearest?: string) {
    const expected = nearest
      ? 'a name of 1 to 64 letters, digits, "_" and "-" for native tool calls'
      : 'a name of one line without words such as "Action:"'
    const advice = nearest ? `; use "${nearest}"` : ''
    super('tool_name', `ToolMetadata.name: expected ${expected}, received ${JSON.stringify(name)}${advice}.`)
  }
}

/** Thrown for a tool without a schema that is described to a model. Pass `schema`, or a JSON Schema as `parameters`. */
export class ToolSchemaError extends AgentError {
  constructor(message: string, options?: ToolkitErrorOptions) {
    super('tool_schema', message, options)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    react_parse: ReActParseError
    tool_arguments: ToolArgumentsError
    tool_execution: ToolExecutionError
    tool_input: ToolInputError
    tool_name: ToolNameError
    tool_not_found: ToolNotFoundError
    tool_schema: ToolSchemaError
    tool_timeout: ToolTimeoutError
  }
}

/** The maximum number of characters of a model's text in an error. */
const MAX_QUOTED = 300

/** Quotes the arguments that a model wrote, for an error: the requests that follow do not contain them. */
export function quoted(given: unknown): string {
  const text = JSON.stringify(given) ?? 'nothing'
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}

/** Codes of errors in the call itself, which the model or a repair function can correct. */
export const CALL_ERRORS: readonly string[] = ['tool_not_found', 'tool_input', 'tool_arguments', 'react_parse']

/** Whether an error is one of the call itself: no tool ran. */
export function isCallError(error: unknown): error is ToolNotFoundError | ToolInputError | ToolArgumentsError {
  return isToolkitError(error) && CALL_ERRORS.includes(error.code)
}
