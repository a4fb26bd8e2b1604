/**
 * @module
 * Runs one tool call of a model: finds the tool, parses and validates the arguments, repairs the call, limits its time, and reports a
 * failure to the model or throws it.
 */
import { type CallbackManager, isToolkitError, type TaskStore, type ToolOutput } from '@x/core-model'
import { compactJson, errorMessage, raceAbort, withDeadline } from '@x/core-model/internal'
import type { TaskUsage } from '../answer/task-usage.ts'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import type { Durable } from '../task/durable.ts'
import type { Receive } from '../task/event-flow.ts'
import type { CheckBudget } from '../task/step-context.ts'
import type { Task } from '../task/task.ts'
import { type AsyncBaseTool, errorOutput, isFatal, type ToolCallContext } from './base-tool.ts'
import { readArguments } from './read-arguments.ts'
import {
  type ToolArgumentsError,
  ToolExecutionError,
  ToolInputError,
  ToolNotFoundError,
  ToolTimeoutError,
} from './tool-errors.ts'

/** Whether a failure is reported to the model (`observe`), which can try again, or ends the run (`raise`). */
export type FailurePolicy = 'observe' | 'raise'

/** An invalid call and its error. */
export interface FailedToolCall<Context = unknown> {
  call: ToolCall
  error: ToolNotFoundError | ToolInputError | ToolArgumentsError
  tools: readonly AsyncBaseTool[]
  /** The option `context` of the run. */
  context: Context
}

/** Returns a corrected call, or null to keep the failure. */
export type RepairToolCall<Context = unknown> = (
  failed: FailedToolCall<Context>,
) => ToolCall | null | Promise<ToolCall | null>

/** Describes a call for the option `once`. */
export interface OnceCall {
  /** Whether it is the repaired call. */
  isRepaired: boolean
  /** Whether the step handles an error of the call itself. */
  handles: (error: unknown) => boolean
}

/** Options for tool calls. */
export interface ToolCallOptions {
  callbackManager: CallbackManager
  /** The action if a tool fails or its arguments are invalid. @defaultValue 'observe' */
  onToolError?: FailurePolicy | undefined
  /** The action if the tool does not exist. @defaultValue 'observe' */
  onUnknownTool?: FailurePolicy | undefined
  repairToolCall?: RepairToolCall | undefined
  /** The time limit, in milliseconds, of tools without their own limit. */
  toolTimeoutMs?: number | null | undefined
  signal?: AbortSignal | undefined
  task: Task
  /** The key by which services recognize a repeated attempt of this call. */
  idempotencyKey?: string | undefined
  /** The context of the run, for the tool. */
  context?: unknown
  /** Receives the progress that the tool reports. */
  onProgress?: Receive<unknown> | undefined
  /** Receives the usage so far of an agent behind the tool. */
  onUsage?: ((usage: TaskUsage) => void) | undefined
  /** Asks whether an agent behind the tool may call its model or tools. */
  checkBudget?: CheckBudget | undefined
  /** The decisions for a tool that can wait. */
  decisions?: readonly PendingToolCall[] | undefined
  /** The saved task of the agent behind the tool; see {@link ToolCallContext}. */
  agentTask?: unknown
  mustSave?: boolean | undefined
  /** The id of the step, for callbacks. */
  stepId?: string | undefined
  /** The id of the callback event of the step. */
  parentId?: string | undefined
  /** Runs the tool, or the tool of the repaired call; may return a saved output instead. @defaultValue calls the function */
  once?: ((fn: () => Promise<ToolOutput>, call: OnceCall) => Promise<ToolOutput>) | undefined
  /** The port for the calls of tools that are durable themselves, if an engine saves them. */
  durable?: Durable | undefined
  /** The store of the agent behind the tool; see {@link ToolCallContext}. */
  taskStore?: TaskStore | undefined
  /** Receives the output, also of a failure, before the caller. */
  onOutput?: ((output: ToolOutput) => void) | undefined
}

/** Runs a call. A failure becomes an output with `isError`, unless the policy is `raise`. */
export async function runToolCall(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
): Promise<ToolOutput> {
  const tool = findTool(tools, call.name)
  const { callbackManager, repairToolCall } = options
  const payload: Record<string, unknown> = {
    function_call: call.arguments,
    ...(tool && { tool: tool.metadata }),
    task_id: options.task.taskId,
    ...(options.stepId !== undefined && { step_id: options.stepId }),
    call_id: call.id,
  }
  const event = callbackManager.startEvent('function_call', payload, { parentId: options.parentId })
  let isRepairing = false
  const repair: RepairToolCall | undefined =
    repairToolCall &&
    (async (failed) => {
      isRepairing = true
      const better = await repairToolCall(failed)
      isRepairing = false
      return better
    })
  // Ends immediately: the run rejects at the same moment, and its event must end after this one.
  const { signal } = options
  const abandon = () => event.fail(signal!.reason)
  signal?.addEventListener('abort', abandon)
  let output: ToolOutput
  try {
    output = await event.run(() => attempt(call, tools, { ...options, parentId: event.id }, repair))
  } catch (error) {
    if (tool?.canWait && isToolkitError(error, 'approval_required')) {
      event.end({ function_call_response: 'Waiting for approval.', is_error: false })
      throw error
    }
    const mustThrow = mustRaise(error, options)
    if (isRepairing || mustThrow || !isRepairable(error)) {
      // Errors of the repair function and of `once` are thrown to the caller; they are not failures of the tool.
      const raised = mustThrow && !isRepairing ? asToolError(call.name, error, options.signal) : error
      // The event reports the tool's own error; the caller receives it wrapped with the name of the tool. If the tool is an agent,
      // an inner event has already reported the error.
      event.fail(
        isToolkitError(error, 'tool_execution') && error.toolName === call.name ? (error.cause ?? error) : error,
      )
      event.fail(raised)
      throw raised
    }
    output = errorOutput(call.name, failureText(error), call.arguments)
  } finally {
    signal?.removeEventListener('abort', abandon)
  }
  event.end({ function_call_response: output.content, is_error: output.isError })
  options.onOutput?.(output)
  return output
}

/** Refuses values that are not outputs, for tools that are written without types. */
function checked(call: ToolCall, output: Partial<ToolOutput> | null | undefined): ToolOutput {
  if (typeof output?.content !== 'string') throw new ToolExecutionError(call.name, 'it returned no output')
  return output as ToolOutput
}

/** Finds a tool by name. */
export function findTool(tools: readonly AsyncBaseTool[], name: string): AsyncBaseTool | undefined {
  return tools.find(({ metadata }) => metadata.name === name)
}

/** Runs a call, or the corrected call of the repair function. */
async function attempt(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
  repair: RepairToolCall | undefined,
): Promise<ToolOutput> {
  // Without a repair function, every failure for the model is an output, so that it is saved like one.
  if (!repair) return makeOnce(call, tools, options, { canRepair: false, isRepaired: false })
  try {
    return await makeOnce(call, tools, options, { canRepair: true, isRepaired: false })
  } catch (error) {
    if (!isRepairable(error)) throw error
    const better = await repair({ call, error, tools, context: options.context })
    // An approval is for the original call, never for the repaired one.
    if (!better || (await needsApproval(better, findTool(tools, better.name), contextOf(better, options)))) throw error
    return await makeOnce(better, tools, options, { canRepair: false, isRepaired: true })
  }
}

/** Makes a call as one durable call, unless the tool makes its own durable calls. */
async function makeOnce(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
  { canRepair, isRepaired }: { canRepair: boolean; isRepaired: boolean },
): Promise<ToolOutput> {
  const tool = findTool(tools, call.name)
  const handles = (error: unknown) =>
    (tool?.canWait === true && isToolkitError(error, 'approval_required')) || (canRepair && isRepairable(error))
  const make = () => observe(call, tools, options, handles)
  if (!options.once || (options.durable && tool?.isDurable)) return make()
  return options.once(make, { isRepaired, handles })
}

/** Makes a call. A failure for the model becomes an output, unless the step handles it. */
async function observe(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
  handles: (error: unknown) => boolean,
): Promise<ToolOutput> {
  try {
    return checked(call, await make(call, tools, options))
  } catch (error) {
    if (handles(error) || mustRaise(error, options)) throw error
    return errorOutput(call.name, failureText(error), call.arguments)
  }
}

async function make(call: ToolCall, tools: readonly AsyncBaseTool[], options: ToolCallOptions): Promise<ToolOutput> {
  const tool = findTool(tools, call.name)
  if (!tool) {
    throw new ToolNotFoundError(
      call.name,
      tools.map(({ metadata }) => metadata.getName()),
    )
  }
  const args = readCallArguments(call)
  const milliseconds = tool.timeoutMs ?? options.toolTimeoutMs
  const { durable, taskStore } = options
  const context = { ...contextOf(call, options), ...(tool.isDurable && { durable, taskStore }) }
  if (milliseconds === undefined && !options.signal) return tool.call(args, context)
  const error = () => new ToolTimeoutError(call.name, milliseconds ?? 0)
  return withDeadline({ milliseconds, signal: options.signal, error }, (signal) =>
    raceAbort(tool.call(args, { ...context, signal }), signal),
  )
}

function contextOf({ id }: ToolCall, options: ToolCallOptions): ToolCallContext {
  const { task, idempotencyKey, context, onProgress, onUsage, checkBudget, decisions, parentId } = options
  const { agentTask, mustSave } = options
  const raisesFailure = options.onToolError === 'raise'
  const reports = { onProgress, onUsage, checkBudget }
  return {
    toolCallId: id,
    task,
    idempotencyKey,
    context,
    ...reports,
    decisions,
    agentTask,
    mustSave,
    raisesFailure,
    parentId,
  }
}

/** Whether a call needs approval. */
export async function needsApproval(
  call: ToolCall,
  tool: AsyncBaseTool | undefined,
  context: Partial<ToolCallContext>,
): Promise<boolean> {
  const needed = tool?.needsApproval ?? false
  if (typeof needed !== 'function') return needed
  try {
    return Boolean(await needed(readCallArguments(call) as never, context))
  } catch {
    // If `needsApproval` throws, the call needs approval.
    return true
  }
}

/** Returns the arguments as an object. Some models write an empty string for no arguments. */
export function readCallArguments(call: ToolCall): Record<string, unknown> {
  const given: unknown = call.arguments
  // In an array, the parser would find the first object.
  if (typeof given === 'string' && !/^\s*\[/.test(given)) return given.trim() === '' ? {} : readArguments(given).value
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
  throw new ToolInputError(call.name, [{ path: '', message: `expected an object, received ${compactJson(given)}` }])
}

function isRepairable(error: unknown): error is FailedToolCall['error'] {
  return isToolkitError(error) && CALL_ERRORS.includes(error.code)
}

function mustRaise(error: unknown, options: ToolCallOptions): boolean {
  if (options.signal?.aborted || isToolkitError(error, 'abort')) return true
  // An agent among the tools has used up the budget of the task itself.
  if (isToolkitError(error, 'budget_exceeded') && error.taskId === options.task.taskId) return true
  if (isToolkitError(error, 'tool_not_found')) return options.onUnknownTool === 'raise'
  return options.onToolError === 'raise' || isFatal(error)
}

/** Wraps an error of a tool in one that contains the name of the tool, unless it already does. */
function asToolError(toolName: string, error: unknown, signal: AbortSignal | undefined): unknown {
  const isCancelled = signal?.aborted && error === signal.reason
  const isKnown =
    isCancelled || (isToolkitError(error) && (isFatal(error) || [...CALL_ERRORS, ...RUN_ERRORS].includes(error.code)))
  return isKnown
    ? error
    : new ToolExecutionError(toolName, errorMessage(error), { cause: error, fatal: isFatal(error) })
}

/** Codes of errors in the call itself, which the model or a repair function can correct. */
const CALL_ERRORS: readonly string[] = ['tool_not_found', 'tool_input', 'tool_arguments', 'react_parse']
/** Codes of errors that already describe the failure of the tool or the run. */
const RUN_ERRORS: readonly string[] = ['tool_execution', 'tool_timeout', 'abort', 'budget_exceeded']

function failureText(error: unknown): string {
  return errorMessage(isToolkitError(error, 'tool_execution') && error.cause !== undefined ? error.cause : error)
}
