/**
 * @module
 * One tool call from the wish of a model to an output: looked up, read, checked, repaired, timed, and either told to
 * the model or raised when it fails.
 */
import { type CallbackManager, isToolkitError, type ToolOutput } from '@x/core-model'
import { errorMessage, raceAbort, withDeadline } from '@x/core-model/internal'
import { isPromise } from '../after.ts'
import type { ToolCall } from '../agent-event.ts'
import {
  type ToolArgumentsError,
  ToolExecutionError,
  ToolInputError,
  ToolNotFoundError,
  ToolTimeoutError,
} from '../errors.ts'
import { readArguments } from '../read-arguments.ts'
import type { Task } from '../task.ts'
import { type AsyncBaseTool, errorOutput, isFatal } from '../tool/base-tool.ts'

/** Whether a failure is told to the model, which may try something else, or ends the run. */
export type FailurePolicy = 'observe' | 'raise'

/** A call that cannot be made as it is, and why. */
export interface FailedToolCall {
  call: ToolCall
  error: ToolNotFoundError | ToolInputError | ToolArgumentsError
  tools: readonly AsyncBaseTool[]
}

/** Gives a better call, or null to leave the failure as it is. */
export type RepairToolCall = (failed: FailedToolCall) => ToolCall | null | Promise<ToolCall | null>

/** How tool calls are made. */
export interface ToolCallOptions {
  callbackManager: CallbackManager
  /** A tool fails or gets wrong arguments. @defaultValue 'observe' */
  onToolError?: FailurePolicy | undefined
  /** There is no tool of that name. @defaultValue 'observe' */
  onUnknownTool?: FailurePolicy | undefined
  repairToolCall?: RepairToolCall | undefined
  /** For tools that have no limit of their own. */
  toolTimeoutMs?: number | null | undefined
  signal?: AbortSignal | undefined
  task: Task
  /** Gets the output, also of a failure, before the caller does. */
  onOutput?: ((output: ToolOutput) => void) | undefined
}

/**
 * Makes a call; a failure becomes an output with `isError`, unless the policy says to raise it.
 * @returns the output itself of a tool that did not have to be waited for.
 */
export function runToolCall(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
): ToolOutput | Promise<ToolOutput> {
  const tool = findTool(tools, call.name)
  const payload: Record<string, unknown> = { function_call: call.arguments }
  if (tool) payload['tool'] = tool.metadata
  const event = options.callbackManager.startEvent('function_call', payload)
  const check = (output: Partial<ToolOutput> | null | undefined): ToolOutput => {
    if (typeof output?.content !== 'string') throw new ToolExecutionError(call.name, 'it gave no output')
    return output as ToolOutput
  }
  const end = (output: ToolOutput): ToolOutput => {
    event.end({ function_call_response: output.content })
    options.onOutput?.(output)
    return output
  }
  let isRepairing = false
  const repair: RepairToolCall | undefined =
    options.repairToolCall &&
    (async (failed) => {
      isRepairing = true
      const better = await options.repairToolCall!(failed)
      isRepairing = false
      return better
    })
  const fail = (error: unknown): ToolOutput => {
    // The repair is no tool: its errors are for the caller.
    if (!isRepairing && !mustRaise(error, options)) {
      return end(errorOutput(call.name, failureText(error), call.arguments))
    }
    const raised = isRepairing ? error : asToolError(call.name, error, options.signal)
    // The event tells what the tool itself said, the caller gets which tool it was. Of an agent that is the tool, an event
    // inside has told what its own tool said.
    event.fail(isToolkitError(error, 'tool_execution') && error.toolName === call.name ? (error.cause ?? error) : error)
    event.fail(raised)
    throw raised
  }
  let output: ToolOutput
  try {
    const given = event.run(() => (repair ? attempt(call, tools, options, repair) : make(call, tools, options)))
    if (isPromise(given)) return Promise.resolve(given).then(check).then(end, fail)
    output = check(given)
  } catch (error) {
    return fail(error)
  }
  return end(output)
}

/** The tool of a name. */
export function findTool(tools: readonly AsyncBaseTool[], name: string): AsyncBaseTool | undefined {
  return tools.find(({ metadata }) => metadata.name === name)
}

/** Makes a call, or a better one that the repair gives. */
async function attempt(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
  repair: RepairToolCall,
): Promise<ToolOutput> {
  try {
    return await make(call, tools, options)
  } catch (error) {
    if (!isRepairable(error)) throw error
    const better = await repair({ call, error, tools })
    // A person agreed to what was asked at most, never to what a repair makes of it.
    if (!better || (await needsApproval(better, findTool(tools, better.name)))) throw error
    return await make(better, tools, options)
  }
}

function make(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
): ToolOutput | Promise<ToolOutput> {
  const tool = findTool(tools, call.name)
  if (!tool) {
    throw new ToolNotFoundError(
      call.name,
      tools.map(({ metadata }) => metadata.getName()),
    )
  }
  const args = readCallArguments(call)
  const milliseconds = tool.timeoutMs ?? options.toolTimeoutMs
  const context = { toolCallId: call.id, task: options.task }
  if (milliseconds === undefined && !options.signal) return tool.call(args, context)
  const error = () => new ToolTimeoutError(call.name, milliseconds ?? 0)
  return withDeadline({ milliseconds, signal: options.signal, error }, (signal) =>
    raceAbort(tool.call(args, { ...context, signal }), signal),
  )
}

/** Whether a person must agree to a call. */
export async function needsApproval(call: ToolCall, tool: AsyncBaseTool | undefined): Promise<boolean> {
  const needed = tool?.needsApproval ?? false
  if (typeof needed !== 'function') return needed
  try {
    return Boolean(await needed(readCallArguments(call) as never))
  } catch {
    // Arguments that cannot be judged are for a person to look at.
    return true
  }
}

/** The arguments as an object. Some models write nothing when there are none. */
function readCallArguments(call: ToolCall): Record<string, unknown> {
  const given: unknown = call.arguments
  // Of a list, the reader would find the first object.
  if (typeof given === 'string' && !/^\s*\[/.test(given)) return given.trim() === '' ? {} : readArguments(given).value
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>
  throw new ToolInputError(call.name, [{ path: '', message: `expected an object, got ${JSON.stringify(given)}` }])
}

function isRepairable(error: unknown): error is FailedToolCall['error'] {
  return isToolkitError(error) && CALL_ERRORS.includes(error.code)
}

function mustRaise(error: unknown, options: ToolCallOptions): boolean {
  if (options.signal?.aborted || isToolkitError(error, 'abort')) return true
  if (isToolkitError(error, 'tool_not_found')) return options.onUnknownTool === 'raise'
  return options.onToolError === 'raise' || isFatal(error)
}

/** An error of a tool that does not name the tool is wrapped in one that does. */
function asToolError(toolName: string, error: unknown, signal: AbortSignal | undefined): unknown {
  const isCancelled = signal?.aborted && error === signal.reason
  const isKnown =
    isCancelled || (isToolkitError(error) && (isFatal(error) || [...CALL_ERRORS, ...RUN_ERRORS].includes(error.code)))
  return isKnown
    ? error
    : new ToolExecutionError(toolName, errorMessage(error), { cause: error, fatal: isFatal(error) })
}

/** Codes of errors in the call itself, which the model or a repair can correct. */
const CALL_ERRORS: readonly string[] = ['tool_not_found', 'tool_input', 'tool_arguments', 'react_parse']
/** Codes of errors that say already what happened to the tool or to the run. */
const RUN_ERRORS: readonly string[] = ['tool_execution', 'tool_timeout', 'abort']

function failureText(error: unknown): string {
  return errorMessage(isToolkitError(error, 'tool_execution') && error.cause !== undefined ? error.cause : error)
}
