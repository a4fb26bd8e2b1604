/**
 * @module
 * Runs one tool call of a model outside of a loop.
 */
import { checkGiven } from '@x/core/options'
import type { CallbackManager, ToolOutput } from '@x/core-model'
import type { Receive } from '@x/core-model/async'
import type { Scope } from '../loop/layer.ts'
import { LayeredLoop } from '../loop/loop.ts'
import { CallIds, loopState } from '../loop/loop-state.ts'
import { NativeProtocol } from '../loop/native/native-protocol.ts'
import type { ToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import type { FailurePolicy, RepairToolCall } from '../tool/tool-call-options.ts'
import { toolLayers } from './worker-layers.ts'

/** Options for tool calls. */
interface ToolCallOptions {
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
  /** The id of the step, for callbacks. */
  stepId?: string | undefined
  /** The id of the callback event of the step. */
  parentId?: string | undefined
  /** Receives the output, also of a failure, before the caller. */
  onOutput?: ((output: ToolOutput) => void) | undefined
}

/** Runs a call. A failure becomes an output with `isError`, unless the policy is `raise`. */
export async function runToolCall(
  call: ToolCall,
  tools: readonly AsyncBaseTool[],
  options: ToolCallOptions,
): Promise<ToolOutput> {
  checkGiven('runToolCall', { options }, 'an object of options', 'task')
  const { task, signal, parentId, context, idempotencyKey, onProgress, stepId } = options
  const loop = new LayeredLoop({
    // Neither is used: a call alone asks no model.
    llm: undefined as never,
    protocol: new NativeProtocol(),
    layers: toolLayers(options, () => options.callbackManager, true),
  })
  const state = loopState(task)
  const scope: Scope = {
    loop,
    task,
    state,
    step: { stepState: {}, ...(stepId !== undefined && { stepId }) },
    stepNumber: 1,
    ids: new CallIds(state, 1),
    tools,
    toolChoice: 'auto',
    context,
    emit: undefined,
    signal,
    parentId,
    callContext: { task, idempotencyKey, onProgress },
  }
  const output = (await loop.callTool(call, scope)) as ToolOutput
  options.onOutput?.(output)
  return output
}
