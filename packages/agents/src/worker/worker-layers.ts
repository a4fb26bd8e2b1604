/**
 * @module
 * The layers of the worker of agents: the options of an agent as layers of its loop.
 */
import type { BaseLLM, CallbackManager } from '@x/core-model'
import { clipOutputs, repeatedFailures, stopWhen } from '../layers/after-calls.ts'
import { agentTools } from '../layers/agent-tools.ts'
import { approvals } from '../layers/approvals.ts'
import { budget } from '../layers/budget.ts'
import { cutAnswers } from '../layers/cut-answers.ts'
import { durableCalls } from '../layers/durable-calls.ts'
import { guards } from '../layers/guards.ts'
import { limits } from '../layers/limits.ts'
import { logs } from '../layers/logs.ts'
import { modelOptions, preparedTools, prepareMessages, prepareStep } from '../layers/prepare-step.ts'
import { reasoning } from '../layers/reasoning.ts'
import { retries } from '../layers/retries.ts'
import { retrievedTools } from '../layers/retrieved-tools.ts'
import type { StepOptions } from '../loop/agent-worker.ts'
import { findTool, type Layer, type Scope } from '../loop/loop.ts'
import type { ToolLoopOptions } from '../loop/loop-options.ts'
import type { Round } from '../loop/round.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import { ApprovalError } from '../task/task-errors.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { toolLayers } from './run-tool-call.ts'

/** The options of a step that are passed to a retriever of tools. */
export type RetrieveOptions = Pick<StepOptions, 'signal' | 'parentId' | 'context'>

/** The scope of a step of a runner. */
export interface RunnerScope extends Scope {
  readonly step: TaskStep
  readonly round: Round
}

/** What layers need of a worker. */
interface Worker {
  readonly llm: BaseLLM
  readonly options: ToolLoopOptions
  readonly callbackManager: CallbackManager
  /** Limits can be raised between steps. */
  readonly maxIterations: number
  readonly maxFunctionCalls: number | null
  getTools(input: string, options: RetrieveOptions): Promise<readonly AsyncBaseTool[]>
  log(text: string): void
}

const stepOf = (scope: Scope): StepOptions => (scope as RunnerScope).round.context

/** Whether the result of a call is saved. Such a call does not wait, even if a new version of the program would ask for approval. */
const isSaved = (place: string, scope: Scope): boolean =>
  stepOf(scope).saving?.isKnown(`step-${scope.stepNumber}/tool-${place.split('/')[1]}`) ?? false

/** Returns the layers that the options of a worker ask for. What is off does not exist. */
export function workerLayers(worker: Worker): Layer[] {
  const { options } = worker
  const {
    onMaxIterations,
    maxRepeatedFailures = 5,
    onCutAnswer = 'raise',
    maxToolOutputTokens,
    contextWindow,
  } = options
  const checkBudget = (scope: Scope) => stepOf(scope).checkBudget
  const retrieved = retrievedLayer(worker)
  const agents = agentTools({
    budget: options.budget,
    checkBudget,
    part: (place, scope) => stepOf(scope).part?.(place),
    mustSave: (scope) => stepOf(scope).saving?.isStrict,
  })
  const own = (options.layers ?? []).flat() as Layer[]
  const log = options.logger && ((text: string) => worker.log(text))
  return [
    ...(log ? [logs(log)] : []),
    approvals({
      toolsOf: (calls, scope) => toolsOfWaiting(calls, scope, worker, retrieved),
      isSaved,
      complete: (calls, scope) => agents.complete(calls, scope, isSaved),
    }),
    agents,
    ...limits(worker, onMaxIterations),
    reasoning(log),
    ...(onCutAnswer === 'accept' ? [] : [cutAnswers(onCutAnswer)]),
    ...(retrieved ? [retrieved] : []),
    ...(contextWindow ? [contextWindow as Layer] : []),
    ...(options.prepareMessages ? [prepareMessages(options.prepareMessages)] : []),
    ...(options.prepareStep ? [prepareStep(options.prepareStep)] : []),
    ...(options.output ? [options.output as Layer] : []),
    budget(options.budget, checkBudget),
    ...(options.guards ? [guards(options.guards)] : []),
    ...(maxRepeatedFailures === null ? [] : [repeatedFailures(maxRepeatedFailures, onMaxIterations)]),
    ...(options.stopWhen ? [stopWhen(options.stopWhen)] : []),
    ...(typeof maxToolOutputTokens === 'number' ? [clipOutputs(maxToolOutputTokens)] : []),
    durableCalls((scope) => (scope as RunnerScope).round),
    ...toolLayers(options, () => worker.callbackManager),
    ...own,
    ...(options.retries === false || own.some(({ name }) => name === 'retries') ? [] : retries(options.retries)),
    ...(options.modelOptions ? [modelOptions(options.modelOptions)] : []),
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
  )
}
