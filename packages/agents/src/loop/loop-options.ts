/**
 * @module
 * The options of all agents with tools.
 */

import {
  callback,
  callbackManager,
  choice,
  dict,
  flag,
  group,
  having,
  list,
  milliseconds,
  type OptionCheck,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import type {
  BaseLLM,
  CallbackManager,
  CallOptions,
  ChatMessage,
  ObjectRetriever,
  RepeatOptions,
  ToolOutput,
} from '@x/core-model'
import { repeatOptions } from '@x/core-model/async'
import type { Task } from '../task/task.ts'
import type { TaskUsage } from '../task-usage.ts'
import type { Tool, ToolNames } from '../tool/base-tool.ts'
import type { FailurePolicy, RepairToolCall } from '../tool/tool-call-options.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import {
  type ApprovalBinding,
  type ContextWindowLayer,
  GUARD_OPTIONS,
  type Guards,
  type PrepareStep,
  type StructuredLayer,
} from './hooks.ts'
import { type Layers, layerList } from './layer.ts'
import { BUDGET_OPTIONS, type TaskBudget } from './usage.ts'

/** The input of a stop condition: the task after its tools ran. */
export interface StopContext<Context = unknown> {
  task: Task
  /** The outputs of this step. */
  outputs: readonly ToolOutput[]
  /** The outputs of all steps. */
  sources: readonly ToolOutput[]
  usage: Readonly<TaskUsage>
  /** The option `context` of the run. */
  context: Context
}

/**
 * Options of all agents with tools. `Context` is the run context that the hooks need, `Tools` the types of the tools, `Schema` that of
 * the answer.
 */
export interface ToolLoopOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> {
  /** The model. */
  llm: BaseLLM
  /** The tools. Cannot be combined with `toolRetriever`. @defaultValue [] */
  tools?: Tools | null | undefined
  /** Retrieves tools for the input of a task, and for the context of the run. Cannot be combined with `tools`. */
  toolRetriever?: ObjectRetriever<Tool, Context> | null | undefined
  callbackManager?: CallbackManager | null | undefined
  /** Whether `logger` receives the reasoning. @defaultValue false */
  verbose?: boolean | undefined
  /** Receives the reasoning as strings if `verbose` is true. */
  logger?: ((text: string) => void) | undefined
  /** How often the model is asked per task. @defaultValue 20 */
  maxIterations?: number | undefined
  /** Maximum number of tool calls per task. Calls above it are refused, and the model is asked for an answer. @defaultValue no limit */
  maxFunctionCalls?: number | null | undefined
  /** The action at the limit: throw, or ask the model once more for its best answer. @defaultValue 'raise' */
  onMaxIterations?: 'raise' | 'answer' | undefined
  /** Limits the usage of a task. A step that would start beyond the limit throws. @defaultValue no limit */
  budget?: TaskBudget | undefined
  /** Returns whether the task ends after a step. The last tool output is the answer then. */
  stopWhen?: ((context: StopContext<Context>) => boolean | Promise<boolean>) | undefined
  /** The action if a tool fails or its arguments are invalid. @defaultValue 'observe' */
  onToolError?: FailurePolicy | undefined
  /** The action if the model calls a tool that does not exist. @defaultValue 'observe' */
  onUnknownTool?: FailurePolicy | undefined
  /** Repairs an invalid tool call before the failure is reported to the model. */
  repairToolCall?: RepairToolCall<Context> | undefined
  /** Maximum number of consecutive failures of the same call; null for no limit. @defaultValue 5 */
  maxRepeatedFailures?: number | null | undefined
  /**
   * Maximum number of calls of a turn that run at the same time. Results, sources and events have the order of the calls. See `sequential`
   * of a tool. @defaultValue all of them; 1 in an engine, which compares the order of its calls
   */
  maxToolConcurrency?: number | undefined
  /** Time limit of tools without their own limit, in milliseconds. @defaultValue no limit */
  toolTimeoutMs?: number | null | undefined
  /**
   * How to handle a reply that was cut at a token limit: throw, ask the model to continue it, or use it as it is. A reply that was
   * stopped by a content filter throws unless it is accepted. @defaultValue 'raise'
   */
  onCutAnswer?: 'raise' | 'continue' | 'accept' | undefined
  /**
   * How calls of the model that fail with a retryable error are repeated: after the delay that the provider requires, and never after a
   * tool of the turn has run. An empty reply is repaired once. `false`: errors end the run. See `retries` of `@x/agents/loop`.
   * @defaultValue 3 attempts
   */
  retries?: RepeatOptions | false | undefined
  /** Options of every model call, such as `temperature` and `maxTokens`. @defaultValue {} */
  modelOptions?: CallOptions | undefined
  /**
   * The most tokens of a tool's output that the model receives, or null for no limit. Longer ones lose their middle, and say so; the
   * sources of the answer stay whole. @defaultValue 25000
   */
  maxToolOutputTokens?: number | null | undefined
  /**
   * How requests are kept within the context window of the model: `keepWithin()`, with options inside.
   * @defaultValue false: requests are sent as they are
   */
  contextWindow?: ContextWindowLayer<Context> | false | undefined
  /** Chooses the model, the tools, the tool choice and the messages of each step. */
  prepareStep?: PrepareStep<Context, ToolNames<Tools>> | undefined
  /** Check the input, the tool calls and the answer, and may block or replace them. */
  guards?: Guards<Context> | undefined
  /**
   * `boundApprovals({ user, lifetimeMs, secret })`: what approvals of calls are bound to, in addition to the tool's definition, the
   * arguments and the turn. @defaultValue nothing else
   */
  approvals?: ApprovalBinding<Context> | undefined
  /**
   * `structured(schema)`: the answer is a value that matches the schema, in `output` of the answer. Answers do not stream then.
   * @defaultValue any text
   */
  output?: StructuredLayer<Schema> | undefined
  /** Changes the messages before they are sent to the model. */
  prepareMessages?:
    | ((messages: ChatMessage[], task: Task, context: Context) => ChatMessage[] | Promise<ChatMessage[]>)
    | undefined
  /** Your own features, or those of `@x/agents/loop`. They keep nothing between steps outside of the task. @defaultValue [] */
  layers?: Layers | undefined
  /** Returns the ids of steps. @defaultValue UUIDs of an `idSeries` */
  newId?: (() => string) | undefined
}

const policy = choice('observe', 'raise')

/** A value that a function has made, which brings the code of the option. */
function madeBy(name: string, words: string): OptionCheck {
  return (value) => ((value as { name?: unknown } | null)?.name === name && !Array.isArray(value) ? undefined : words)
}

const retryOptions = group(repeatOptions)

/** What other libraries call the options of agents. */
const otherNames = {
  model: 'llm',
  modelName: 'llm',
  functions: 'tools',
  messages: 'chatHistory',
  handoffs: 'tools',
  instructions: 'systemPrompt',
  stateModifier: 'systemPrompt',
  messageModifier: 'systemPrompt',
  temperature: 'modelOptions',
  maxTokens: 'modelOptions',
  maxSteps: 'maxIterations',
  max_steps: 'maxIterations',
  maxTurns: 'maxIterations',
  recursionLimit: 'maxIterations',
  responseFormat: 'output',
  checkpointer: 'taskStore',
  middleware: 'layers',
  inputGuardrails: 'guards',
  outputGuardrails: 'guards',
  onStepFinish: 'callbackManager',
}

/** The checks of {@link ToolLoopOptions}. */
export const LOOP_OPTIONS: OptionTable<ToolLoopOptions> = {
  ...otherNames,
  llm: required('a model', 'metadata'),
  tools: list,
  toolRetriever: having('a retriever', 'retrieve'),
  callbackManager,
  verbose: flag,
  logger: callback,
  maxIterations: wholeNumber(1),
  maxFunctionCalls: wholeNumber(0, 'or null'),
  onMaxIterations: choice('raise', 'answer'),
  budget: group(BUDGET_OPTIONS),
  stopWhen: callback,
  onToolError: policy,
  onUnknownTool: policy,
  repairToolCall: callback,
  maxRepeatedFailures: wholeNumber(1, 'or null'),
  maxToolConcurrency: wholeNumber(1),
  toolTimeoutMs: milliseconds(0, 'or null'),
  onCutAnswer: choice('raise', 'continue', 'accept'),
  retries: (value) =>
    value === false ? undefined : typeof value === 'object' ? retryOptions(value) : 'options or false',
  // The model checks what is in them.
  modelOptions: dict,
  maxToolOutputTokens: wholeNumber(1, 'or null'),
  contextWindow: (value) => (value === false ? undefined : madeBy('keepWithin', 'keepWithin(options) or false')(value)),
  prepareStep: callback,
  guards: group(GUARD_OPTIONS),
  approvals: madeBy('boundApprovals', 'boundApprovals(options)'),
  output: madeBy('structured', 'structured(schema)'),
  prepareMessages: callback,
  layers: layerList,
  newId: callback,
}
