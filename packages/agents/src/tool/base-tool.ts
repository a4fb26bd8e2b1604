/**
 * @module
 * What a tool is to an agent.
 */
import { ToolOutput } from '@x/core-model'
import { ToolInputError } from '../errors.ts'
import type { Task } from '../task.ts'
import type { ToolMetadata } from './tool-metadata.ts'

/** What a tool may know about the call besides its arguments. */
export interface ToolCallContext {
  /** Aborts when the caller cancels, or when the time of the tool is over. */
  signal?: AbortSignal | undefined
  /** The id of the call, unique within the task. */
  toolCallId?: string | undefined
  /** The task the call belongs to. */
  task?: Task | undefined
}

/** The simplest tool: one text in, an output out. */
export interface BaseTool {
  readonly metadata: ToolMetadata
  call(input: string, context?: ToolCallContext): ToolOutput | Promise<ToolOutput>
}

/** A tool that takes an object of arguments: what agents work with. */
export interface AsyncBaseTool {
  readonly metadata: ToolMetadata
  /** Marks the tool as one that takes an object of arguments. */
  readonly takesArguments: true
  /** Whether a person must agree before the tool runs. */
  readonly needsApproval?: NeedsApproval | undefined
  /** How long a call may take, in milliseconds. */
  readonly timeoutMs?: number | null | undefined
  call(args: Record<string, unknown>, context?: ToolCallContext): ToolOutput | Promise<ToolOutput>
}

/** Whether a call needs a person's approval: always, never, or depending on its arguments. */
export type NeedsApproval = boolean | ((args: never) => boolean | Promise<boolean>)

/** Any tool. */
export type Tool = BaseTool | AsyncBaseTool

/**
 * The tool in the form that agents work with: as it is, or, when it takes one text, as a tool with the argument `input`.
 */
export function adaptToAsyncTool(tool: Tool): AsyncBaseTool {
  return 'takesArguments' in tool ? tool : new TextToolAdapter(tool)
}

class TextToolAdapter implements AsyncBaseTool {
  readonly takesArguments = true
  readonly metadata: ToolMetadata
  private readonly tool: BaseTool

  constructor(tool: BaseTool) {
    this.tool = tool
    this.metadata = tool.metadata
  }

  call(args: Record<string, unknown>, context?: ToolCallContext): ToolOutput | Promise<ToolOutput> {
    const others = Object.keys(args).filter((key) => key !== 'input')
    if (others.length > 0 || typeof args['input'] !== 'string') {
      const issues = others.map((path) => ({ path, message: 'no such argument; known is: input' }))
      if (typeof args['input'] !== 'string') issues.push({ path: 'input', message: 'expected a string' })
      throw new ToolInputError(this.metadata.name ?? '', issues)
    }
    return this.tool.call(args['input'], context)
  }
}

/** Whether an error says that the run must stop. */
export function isFatal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { fatal?: unknown }).fatal === true
}

/** The output of a call that failed, in the words the model is told. */
export function errorOutput(toolName: string, message: string, rawInput: unknown): ToolOutput {
  return new ToolOutput({
    content: `Error: ${message}`,
    toolName,
    rawInput: (typeof rawInput === 'object' && rawInput !== null ? rawInput : { arguments: rawInput }) as Record<
      string,
      unknown
    >,
    rawOutput: null,
    isError: true,
  })
}
