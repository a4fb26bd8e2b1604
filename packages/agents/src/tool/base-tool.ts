/**
 * @module
 * The contract between an agent and its tools.
 */
import type { CheckedArguments } from '@x/core/arguments'
import { checkOption, type OptionCheck, required } from '@x/core/options'
import { ToolOutput } from '@x/core-model'
import type { Receive } from '@x/core-model/async'
import { INTERRUPTED } from '@x/core-model/memory'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { JournalPort } from '../task/durable.ts'
import type { Journal } from '../task/journal.ts'
import type { CheckBudget } from '../task/step-context.ts'
import type { Task } from '../task/task.ts'
import type { TaskUsage } from '../task-usage.ts'
import type { PlainToolMetadata } from './plain-tool-metadata.ts'
import type { ToolCheck } from './standard-check.ts'
import { validArguments } from './tool-errors.ts'

/** The context of a tool call, in addition to its arguments. `Context` is the type of the run's context. */
export interface ToolCallContext<Context = unknown> {
  /** Aborts when the caller cancels, or when the tool exceeds its time limit. */
  signal?: AbortSignal | undefined
  /** The id of the call, unique within the task. */
  toolCallId?: string | undefined
  /**
   * The same for every attempt of this call, also after a crash, and different for every other call. Pass it to services with effects, so
   * that a repeated call has its effect once.
   */
  idempotencyKey?: string | undefined
  /** The task of the call. */
  task?: Task | undefined
  /** The value of the option `context` of the run, such as the user and the database. */
  context: Context
  /** Reports progress as an event of the run. Await it in a tool that reports often, so that it does not outrun the reader. */
  onProgress?: Receive<unknown> | undefined
  /**
   * Reports the usage of an agent behind the tool so far, which counts as usage of the task. Throws if it exceeds the budget of the
   * task.
   */
  onUsage?: ((usage: TaskUsage) => void) | undefined
  /** Asks whether an agent behind the tool may call its model or tools. Pass it to `runTask` of the agent. */
  checkBudget?: CheckBudget | undefined
  /** The decisions on the calls for which an earlier attempt of this call waited; see {@link AsyncBaseTool.canWait}. */
  decisions?: readonly PendingToolCall[] | undefined
  /** The saved task of the agent behind the tool, for whose calls an earlier attempt of this call waited. */
  agentTask?: unknown
  /** Whether the calling task is saved, so that an agent behind the tool must be savable when it waits. */
  mustSave?: boolean | undefined
  /** The port for durable calls of the tool; only for tools that are {@link AsyncBaseTool.isDurable}, in an engine. */
  durable?: JournalPort | undefined
  /** The store for the task of an agent behind the tool: its part of the journal of the calling task, if that task has a store. */
  taskStore?: Journal | undefined
  /** Whether a failure of the tool ends the run, which may call it again later, instead of being reported to the model. */
  raisesFailure?: boolean | undefined
  /** The id of the event of this call, for callbacks where the platform has no async context. */
  parentId?: string | undefined
}

/** The simplest tool. It receives one string and returns an output. */
export interface BaseTool {
  readonly metadata: PlainToolMetadata
  call(input: string, context?: Partial<ToolCallContext>): ToolOutput | Promise<ToolOutput>
}

/** A tool that receives an object of arguments. Agents use tools of this kind. */
export interface AsyncBaseTool {
  readonly metadata: PlainToolMetadata
  /** Marks a tool that receives an object of arguments. */
  readonly takesArguments: true
  /** Whether a call needs approval before the tool runs. */
  readonly needsApproval?: NeedsApproval | undefined
  /** Time limit of a call, in milliseconds. */
  readonly timeoutMs?: number | null | undefined
  /**
   * Whether the tool may reject with an {@link ApprovalRequiredError} because of its own calls. They become pending calls of the calling
   * task; after the decisions, the tool is called again. @defaultValue false
   */
  readonly canWait?: boolean | undefined
  /**
   * Whether the tool makes its own calls through `context.durable`, if an engine saves the calls of the run. A call of any other tool is
   * one durable call. @defaultValue false
   */
  readonly isDurable?: boolean | undefined
  /** Whether each call runs alone: after the calls before it in its turn, and before those behind it. @defaultValue false */
  readonly sequential?: boolean | undefined
  /** Whether outputs, and messages of failures, are text from outside: see `untrusted` of `@x/agents/loop`. @defaultValue false */
  readonly untrusted?: boolean | undefined
  /** Whether the result comes from outside: the task waits for it instead of calling the tool. @defaultValue false */
  readonly isExternal?: boolean | undefined
  /**
   * Checks the arguments of a call before somebody is asked about it, and those that somebody has edited. @defaultValue only `call` checks
   * them
   */
  readonly '~check'?: ToolCheck | undefined
  call(args: Record<string, unknown>, context?: Partial<ToolCallContext>): ToolOutput | Promise<ToolOutput>
}

/**
 * Whether a call needs approval: always, never, depending on its arguments and its context, or once text from outside is in the context:
 * an output of a tool that is `untrusted`, in this task or in the conversation before.
 */
export type NeedsApproval =
  | boolean
  | 'after-untrusted'
  | ((args: never, context: Partial<ToolCallContext>) => boolean | Promise<boolean>)

/** The check of {@link NeedsApproval}. */
export const approvalOption: OptionCheck = (value) =>
  typeof value === 'boolean' || typeof value === 'function' || value === 'after-untrusted'
    ? undefined
    : 'a boolean, a function or "after-untrusted"'

/** Any tool. */
export type Tool = BaseTool | AsyncBaseTool

/** The part of a tool that all kinds of tools have. */
export interface TypedTool {
  readonly metadata: { readonly name: string | null }
}

/** The names of tools; any string if one of them is not known to the compiler. */
export type ToolNames<Tools extends readonly TypedTool[]> = Exclude<Tools[number]['metadata']['name'], null>

/**
 * Returns a tool in the form that agents use: unchanged, or, if it receives one string, as a tool with the argument `input`.
 */
export function adaptToAsyncTool(tool: Tool): AsyncBaseTool {
  checkOption('tool', '', tool, required('a tool', 'metadata', 'call'))
  return 'takesArguments' in tool ? tool : new TextToolAdapter(tool)
}

class TextToolAdapter implements AsyncBaseTool {
  readonly takesArguments = true
  readonly metadata: PlainToolMetadata
  private readonly tool: BaseTool

  constructor(tool: BaseTool) {
    this.tool = tool
    this.metadata = tool.metadata
  }

  readonly '~check' = (args: unknown): CheckedArguments => {
    const { input, ...others } = args as Record<string, unknown>
    const issues = Object.keys(others).map((path) => ({ path, message: 'unknown argument; expected only: input' }))
    if (typeof input !== 'string') issues.push({ path: 'input', message: 'expected a string' })
    return { value: { input }, issues }
  }

  call(args: Record<string, unknown>, context?: Partial<ToolCallContext>): ToolOutput | Promise<ToolOutput> {
    const { input } = validArguments(this.metadata.name, this['~check'](args)) as { input: string }
    return this.tool.call(input, context)
  }
}

/** Whether an error must stop the run. */
export function isFatal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { fatal?: unknown }).fatal === true
}

/** Returns the output of a failed call, with the text for the model. */
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

/** Returns the output of a call that an interrupted run may have made, and that is not made again. @param why - behind a space */
export function interruptedOutput(
  { name, arguments: args }: { name: string; arguments: unknown },
  why = '',
): ToolOutput {
  const output = errorOutput(name, '', args)
  output.content = INTERRUPTED + why
  return output
}

/** What tools need of a loop, by the layer that serves it: whether a tool needs it. */
export const TOOL_NEEDS = {
  approvals: ({ needsApproval, isExternal }: AsyncBaseTool): unknown => needsApproval || isExternal,
  agentTools: ({ canWait, isDurable }: AsyncBaseTool): unknown => canWait || isDurable,
  timeLimit: ({ timeoutMs }: AsyncBaseTool): unknown => typeof timeoutMs === 'number',
}

/** Returns what some of these tools need. */
export function toolNeeds(tools: readonly AsyncBaseTool[]): Record<keyof typeof TOOL_NEEDS, boolean> {
  const { approvals, agentTools, timeLimit } = TOOL_NEEDS
  return { approvals: tools.some(approvals), agentTools: tools.some(agentTools), timeLimit: tools.some(timeLimit) }
}
