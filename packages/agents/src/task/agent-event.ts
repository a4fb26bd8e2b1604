/**
 * @module
 * The events that `runEvents` yields while an agent works. They are plain JSON data with camelCase keys.
 */
import { errorMessage } from '@x/core/values'
import {
  isToolkitError,
  type JsonSchema,
  type SourcePart,
  type TokenUsage,
  type ToolOutput,
  writeJsonText,
} from '@x/core-model'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { isChatResponse } from '../answer/chat-answer.ts'
import type { TaskUsage } from '../task-usage.ts'
import { isUsage } from '../task-usage.ts'
import type { ApprovalRecord } from './approval-record.ts'
import type { Json } from './durable.ts'
import type { TaskStepOutput } from './task-step-output.ts'

/** A tool call as the model requested it. */
export interface ToolCall {
  /** Unique within the task. */
  id: string
  /** The id that the provider sent, if it is a different one. */
  providerId?: string | undefined
  name: string
  /** The arguments, or their JSON string from models with native tool calls. */
  arguments: Record<string, unknown> | string
}

/** Returns a call with its arguments as JSON. */
export function withJson({ id, name, arguments: given }: ToolCall): { id: string; name: string; arguments: string } {
  return { id, name, arguments: typeof given === 'string' ? given : writeJsonText(given as never) }
}

/** A tool call that waits for approval, with the decision once it is made. */
export type PendingToolCall = TurnCall & CallDecision

/** The decision about a call that waits. */
export type CallDecision =
  /** Not decided yet. */
  | { decision: null }
  /**
   * `always`: later calls of the tool need no approval in the task of the agent behind a tool that made the call. `exact`: it runs with the
   * arguments of the edit or waits again.
   */
  | { decision: 'approve'; always?: boolean | undefined; exact?: boolean | undefined }
  /** The model receives the reason. */
  | { decision: 'reject'; reason?: string | undefined }
  /** The tool does not run, because its result was provided. `isError`: it is the message of a failure. */
  | { decision: 'result'; result: Json; isError?: boolean | undefined }

/** A tool call of a turn that waits. */
export interface TurnCall extends ToolCall {
  /** Whether the call waits for approval or for an external result; missing if it waits for neither. */
  awaits?: 'approval' | 'result'
  /**
   * What the tool receives, if its schema makes something else of the arguments, such as a transform: as JSON. Default values and
   * conversions are in the arguments.
   */
  runsWith?: Json | undefined
  /** Whether this call needs approval. The other calls of the same turn run meanwhile. */
  needsApproval: boolean
  /** The output of a call that ran while other calls of the turn wait. */
  output?: ToolOutput
  /** Set for calls made inside an agent used as a tool: the id of the outer call, which is also the prefix of `id`. */
  parent?: string
  /** Set for calls made inside an agent used as a tool: the id of that agent's task. */
  taskId?: string
  /** The JSON Schema of the arguments, for a tool that is not one of the options of the agent. */
  schema?: JsonSchema
  /** What the person was shown: an approval counts for it alone. */
  approval?: ApprovalRecord | undefined
  /** What the model asked for, and what the person was shown of it, if a decision has replaced the arguments. */
  original?: Pick<TurnCall, 'arguments' | 'runsWith' | 'approval'>
  /**
   * Why the call waits again after an approval: what is different from what was shown; or that `needsApproval` failed; and that the call
   * may have run already.
   */
  problem?: string
  /** Whether the `problem` belongs to the first question about the call, such as that `needsApproval` failed. */
  firstQuestion?: true | undefined
  /** Whether an interrupted run may have made the call. It takes no other arguments, and a rejection says that its effect is unknown. */
  begun?: true | undefined
  /** `<step>/<position>` of the turn that requested the call. */
  place?: string
  /** For a call that nobody was asked about: the seal of that it was free to run; empty if it is not known yet whether it is. */
  free?: string | undefined
  /** For a call that runs an agent which waits: what the agent has used so far, which is part of the usage of the task. */
  usage?: TaskUsage
  /** For a call that runs an agent which waits: the saved task of that agent, if the agent has no task store. */
  agentTask?: unknown
}

/**
 * A tool is about to run. `arguments` is empty, and `invalidArguments` the text of the model, if it is not a JSON object. Integers beyond
 * 2^53 are strings. `Args` is the type that the schema of the tool states: the arguments are checked when the tool runs, so that those of a
 * call whose `tool_result` has `isError` may be different.
 */
export interface ToolCallEvent<Name extends string = string, Args = Record<string, unknown>> {
  type: 'tool_call'
  callId: string
  toolName: Name
  arguments: Args
  invalidArguments?: string
}

/** An event that a worker reports while it runs a step. `Call` is the event of a call. */
export type StepEvent<Call = ToolCallEvent> =
  /** The next piece of the text of this step: an answer, or text before tool calls. */
  | { type: 'text_delta'; delta: string }
  /** The next piece of the model's reasoning. */
  | { type: 'reasoning_delta'; delta: string }
  /** The whole reasoning of a turn. */
  | { type: 'reasoning'; text: string }
  /** A source that the model cites, of a search that the provider made. Reported at the end of the reply that cites it. */
  | { type: 'source'; source: SourcePart['source'] }
  /** The structured answer so far, incomplete and not checked: see the layer `partialOutput`. */
  | { type: 'partial_output'; output: unknown }
  /** The next characters of the JSON arguments of a call that the model is still writing. */
  | { type: 'tool_input_delta'; callId: string; toolName: string; delta: string }
  | Call
  /** A running tool reports its progress. */
  | { type: 'tool_progress'; callId: string; toolName: string; progress: unknown }
  /**
   * A tool has run. `content` is the text for the model; `output` is the value that the tool returned, null unless it is JSON. Integers
   * beyond 2^53 are strings. `isRejected`: it has not run, because the user has rejected the call. `isProvided`: who provides the result
   * has reported this error. `[TOOL_FAILURE]`: what a tool of this process has thrown, for logs; JSON does not contain it.
   */
  | {
      type: 'tool_result'
      callId: string
      toolName: string
      content: string
      isError: boolean
      output: unknown
      isRejected?: true
      isProvided?: true
      [TOOL_FAILURE]?: unknown
    }
  /** Integers beyond 2^53 are strings. */
  | { type: 'approval_required'; calls: PendingToolCall[] }
  /**
   * `call`: the tokens of one model call; null if the model does not report them, or if an agent behind a tool made the call. `total`:
   * the usage of the task so far, including agents behind its tools.
   */
  | { type: 'usage'; call: TokenUsage | null; total: TaskUsage }
  /** A message has joined the conversation while the task runs, such as one of its user, or the end of a task in the background. */
  | { type: 'message'; text: string }
  /**
   * A call of the model failed, for the `attempt`-th time, and is repeated after a delay. The text, the reasoning and the arguments of
   * calls that were reported of this turn are void: they start again. No tool of the turn has run.
   */
  | { type: 'turn_restarted'; attempt: number; delayMs: number; error: ErrorData }

/** An answer in an event. */
interface AnswerData {
  /** The text of the answer. */
  text: string
  /** The outputs of all tools, in order. */
  sources: { toolName: string; content: string; isError: boolean }[]
  /** The nodes that the answer is based on. */
  nodes: { nodeId: string; score: number | null; text: string }[]
  /** The usage of the task; null if the worker does not count it. */
  usage: TaskUsage | null
  /** The structured answer, if the agent has an output schema; otherwise null. */
  output: unknown
}

/** An event that a runner reports while it answers a message. `Call` is the event of a call. */
export type AgentEvent<Call = ToolCallEvent> =
  | { type: 'step_start'; taskId: string; stepId: string; input: string | null }
  | (StepEvent<Call> & { taskId: string; stepId: string })
  /** A step is done; `text` is its output. */
  | {
      type: 'step_end'
      taskId: string
      stepId: string
      text: string
      isLast: boolean
      status: TaskStepOutput['status']
    }
  | { type: 'task_end'; taskId: string; answer: AnswerData }
  /** The run fails, and throws the error. `usage`: of the task until then; null if it is not counted. */
  | { type: 'error'; taskId: string | null; error: ErrorData; usage: TaskUsage | null }

/** An error in an event. */
export interface ErrorData {
  name: string
  /** The code of an error of the `@x` packages; null for other errors. */
  code: string | null
  message: string
  /** Whether the same run may succeed later. */
  retryable: boolean
}

/** Returns the event at the end of a step. */
export function stepEndEvent(taskId: string, stepId: string, output: TaskStepOutput): AgentEvent {
  const { isLast, status } = output
  return { type: 'step_end', taskId, stepId, text: String(output), isLast, status }
}

/** Returns the event at the end of a task. */
export function taskEndEvent(taskId: string, response: AgentChatResponse): AgentEvent {
  return { type: 'task_end', taskId, answer: answerData(response) }
}

/** Returns the event of a run that fails. */
export function errorEvent(taskId: string | null, error: unknown): AgentEvent {
  const { usage } = (error ?? {}) as { usage?: unknown }
  return { type: 'error', taskId, error: errorData(error), usage: isUsage(usage) ? usage : null }
}

/** Returns an error as data of an event. */
export function errorData(error: unknown): ErrorData {
  const name = error instanceof Error ? error.name : 'Error'
  const own = isToolkitError(error)
    ? { code: error.code, retryable: error.retryable }
    : { code: null, retryable: false }
  return { name, message: errorMessage(error), ...own }
}

/** The key of the error of a tool that failed in its event. A symbol, so that events that are stored or sent do not contain it. */
export const TOOL_FAILURE: unique symbol = Symbol('toolFailure')

/** Returns the event of a tool that has run, or whose call was rejected. @param failure - what the tool has thrown */
export function toolResultEvent(
  call: ToolCall & { decision?: unknown; begun?: unknown; isError?: unknown },
  output: ToolOutput,
  failure?: unknown,
): StepEvent {
  const { id: callId, name: toolName, decision, begun, isError: isProvided } = call
  const { content, isError, rawOutput } = output
  const failed = failure !== undefined && { [TOOL_FAILURE]: failure }
  const result = { callId, toolName, content, isError: isError === true, output: jsonOf(rawOutput), ...failed }
  if (decision === 'reject' && !begun) return { type: 'tool_result', ...result, isRejected: true }
  return { type: 'tool_result', ...result, ...(decision === 'result' && isProvided === true && { isProvided }) }
}

function answerData(response: AgentChatResponse): AnswerData {
  return {
    text: response.response,
    sources: response.sources.map(({ toolName, content, isError }) => ({
      toolName,
      content,
      isError: isError === true,
    })),
    nodes: response.sourceNodes.map(({ node, score }) => ({ nodeId: node.id, score, text: node.getContent('none') })),
    usage: response.usage ?? null,
    output: jsonOf(response.output),
  }
}

/** Returns a copy of a value if it can be written as JSON, otherwise null. */
function jsonOf(value: unknown): unknown {
  if (isChatResponse(value)) return value.response
  try {
    return outputJson(value)
  } catch {
    return null
  }
}

/** Returns a copy of data as JSON for readers in other processes. Integers beyond 2^53 are strings, so that they keep their digits. */
export function eventJson<T>(data: T): T {
  return jsonWith(data, plainOf)
}

/** Returns a copy of an output as JSON for pages: as `eventJson`, and nodes have what models see of them. */
export function outputJson<T>(output: T): T {
  return jsonWith(output, (value) => visibleNode(plainOf(value)))
}

function jsonWith<T>(data: T, replaced: (value: unknown) => unknown): T {
  if (typeof data === 'string') return data
  return JSON.parse(JSON.stringify(data ?? null, (_key, value) => replaced(value)))
}

/** Returns data in place of a value that JSON cannot write, or would write as an empty object: as `resultText` does for models. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`
  if (value instanceof Set) return [...value]
  if (!(value instanceof Map)) return value
  const entries = [...value]
  return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries
}

/** Returns the JSON of a node without the metadata that models do not see, its own and that of related nodes; other values as they are. */
function visibleNode(value: unknown): unknown {
  const { excluded_llm_metadata_keys: hidden, metadata } = Object(value)
  if (!Array.isArray(hidden)) return value
  const visible = Object.entries(Object(metadata)).filter(([key]) => !hidden.includes(key))
  return { ...Object(value), metadata: Object.fromEntries(visible), relationships: {}, embedding: null }
}
