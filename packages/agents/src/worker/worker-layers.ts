/**
 * @module
 * The layers of the worker of agents: the options of an agent as layers of its loop.
 */
import type { BaseLLM, CallbackManager, ObjectRetrieveOptions } from '@x/core-model'
import { approvals } from '../layers/approvals.ts'
import { budget, callLimit, modelLimit, toolUsage } from '../layers/budget.ts'
import { clipOutputs, durableCalls, lenientArguments, repeatedFailures, stopWhen } from '../layers/calls.ts'
import { failures } from '../layers/failures.ts'
import { guards } from '../layers/guards.ts'
import { logs } from '../layers/logs.ts'
import { modelOptions, preparedTools, prepareMessages, prepareStep } from '../layers/prepare-step.ts'
import { repairs } from '../layers/repairs.ts'
import { cutAnswers, pausedTurns, reasoning, retries } from '../layers/replies.ts'
import { retrievedTools } from '../layers/retrieved-tools.ts'
import { streaming } from '../layers/streaming.ts'
import { timeLimit } from '../layers/time-limit.ts'
import { traced } from '../layers/traced.ts'
import type { ApprovalBinding } from '../loop/hooks.ts'
import type { Layer, Scope } from '../loop/layer.ts'
import { findTool } from '../loop/loop.ts'
import type { ToolLoopOptions } from '../loop/loop-options.ts'
import type { ToolCallingProtocol } from '../loop/tool-calling-protocol.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import { ApprovalError } from '../task/task-errors.ts'
import { type AsyncBaseTool, toolNeeds } from '../tool/base-tool.ts'

/** What layers need of a worker. */
interface Worker {
  readonly llm: BaseLLM
  readonly options: ToolLoopOptions
  readonly protocol: ToolCallingProtocol
  readonly tools: readonly AsyncBaseTool[]
  readonly callbackManager: CallbackManager
  /** Limits can be raised between steps. */
  readonly maxIterations: number
  readonly maxFunctionCalls: number | null
  getTools(input: string, options: ObjectRetrieveOptions): Promise<readonly AsyncBaseTool[]>
  log(text: string): void
}

/** What depends on the step or may change between steps, in addition to the options. */
export interface LayersNow {
  /** Whether the model streams. */
  readonly streams: boolean
  /** Whether the manager has handlers. */
  readonly isTraced: boolean
  /** Whether somebody receives the events. */
  readonly isHeard: boolean
  /** Whether calls wait. */
  readonly isWaiting: boolean
  /** Whether the turn is in a chat store. */
  readonly isStored: boolean
  /** Whether the budgets of agents that called this one limit it. */
  readonly isInner: boolean
}

/** What tools need that are not known yet. */
const ANYTHING = { approvals: true, agentTools: true, timeLimit: true }

/** Returns the layers that the options of a worker ask for. What is off does not exist. */
export function workerLayers(worker: Worker, now: LayersNow): Layer[] {
  const { options, tools } = worker
  const { onMaxIterations, maxRepeatedFailures = 5, onCutAnswer = 'raise', maxToolOutputTokens = 25_000 } = options
  const own = (options.layers ?? []).flat() as Layer[]
  // A step may have other tools than the agent.
  const hasOthers = options.toolRetriever || options.prepareStep || own.length > 0
  const mayNeed = hasOthers || now.isWaiting ? ANYTHING : toolNeeds(tools)
  const retrieved = retrievedLayer(worker)
  const log = options.logger && ((text: string) => worker.log(text))
  const layers: readonly (Layer | readonly Layer[] | null | undefined | false)[] = [
    log && logs(log),
    (mayNeed.approvals || mayNeed.agentTools) &&
      approvals({
        bound: options.approvals as ApprovalBinding | undefined,
        toolsOf: (calls, scope) => toolsOfWaiting(calls, scope, worker, retrieved),
      }),
    now.isStored && (worker.protocol.shownSteps as Layer | undefined),
    toolUsage,
    modelLimit(worker, onMaxIterations),
    (worker.maxFunctionCalls !== null || onMaxIterations === 'answer') && callLimit(worker),
    (now.isHeard || log) && reasoning(log),
    onCutAnswer !== 'accept' && cutAnswers(onCutAnswer),
    retrieved,
    options.contextWindow as Layer | undefined,
    options.prepareMessages && prepareMessages(options.prepareMessages),
    options.prepareStep && prepareStep(options.prepareStep),
    options.output as Layer | undefined,
    // The budgets of callers are checked where limits are.
    budget(options.budget ?? (now.isInner ? {} : null)),
    options.guards && guards(options.guards),
    maxRepeatedFailures !== null && repeatedFailures(maxRepeatedFailures, onMaxIterations),
    options.stopWhen && stopWhen(options.stopWhen),
    typeof maxToolOutputTokens === 'number' && clipOutputs(maxToolOutputTokens),
    durableCalls,
    toolLayers(
      options,
      now.isTraced ? () => worker.callbackManager : undefined,
      options.toolTimeoutMs != null || mayNeed.timeLimit,
    ),
    own,
    options.retries === false ? pausedTurns : own.every(({ name }) => name !== 'retries') && retries(options.retries),
    options.modelOptions && modelOptions(options.modelOptions),
    now.streams && streaming(),
  ]
  const on: Layer[] = []
  for (const layer of layers.flat()) if (layer) on.push(layer)
  return on
}

/**
 * Returns the layers of single tool calls.
 * @param manager - undefined if nobody listens
 */
export function toolLayers(
  options: Pick<ToolLoopOptions, 'onToolError' | 'onUnknownTool' | 'repairToolCall' | 'toolTimeoutMs'>,
  manager: (() => CallbackManager) | undefined,
  hasTimeLimit: unknown,
): Layer[] {
  const { onToolError, onUnknownTool, repairToolCall, toolTimeoutMs } = options
  const policies = { onToolError, onUnknownTool }
  return [
    ...(manager ? [traced(manager)] : []),
    ...(repairToolCall ? repairs(repairToolCall, policies) : []),
    ...(onToolError === 'raise' || onUnknownTool === 'raise' ? [failures(policies)] : []),
    ...(hasTimeLimit ? [timeLimit(toolTimeoutMs)] : []),
    lenientArguments(),
  ]
}

function retrievedLayer(worker: Worker) {
  if (!worker.options.toolRetriever) return undefined
  return retrievedTools(({ task, signal, parentId, context }) =>
    worker.getTools(task.input, { signal, parentId, context }),
  )
}

/**
 * Returns the tools for calls that waited. If the agent does not have all of them, `prepareStep` is asked again for the step that
 * requested the calls.
 * @throws {ApprovalError} if a tool of an approved call does not exist any more.
 */
async function toolsOfWaiting(
  calls: readonly PendingToolCall[],
  scope: Scope,
  { options }: Worker,
  retrieved: ReturnType<typeof retrievedLayer>,
): Promise<readonly AsyncBaseTool[]> {
  const own = retrieved ? await retrieved.toolsOf(scope) : scope.loop.tools
  const needed = calls.filter(({ decision, output, parent }) => decision === 'approve' && !output && !parent)
  const isMissing = (tools: readonly AsyncBaseTool[]) => needed.find(({ name }) => !findTool(tools, name))
  const first = isMissing(own)
  if (!first) return own
  const stepNumber = Number(first.place?.split('/')[0])
  const hook = options.prepareStep
  const prepared = hook ? await preparedTools(hook, own, calls, { ...scope, stepNumber }) : own
  const tools = [...prepared, ...own.filter(({ metadata }) => !findTool(prepared, metadata.name ?? ''))]
  const gone = needed.find(({ name, awaits }) => awaits && !findTool(tools, name))
  if (!gone) return tools
  throw new ApprovalError(
    `Task "${scope.task.taskId}": call "${gone.id}" was approved, but its tool "${gone.name}" does not exist any more; pass it to the agent, or return it from prepareStep for step ${stepNumber}.`,
    gone.name,
  )
}
