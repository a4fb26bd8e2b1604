/**
 * @module
 * The runner of agents.
 */
import { checkOptions, flag, type OptionTable, unchecked } from '@x/core/options'
import type { ToolChoice } from '../loop/agent-worker.ts'
import { AgentState, newTaskState, type TaskState } from '../task/agent-state.ts'
import type { TypedTool } from '../tool/base-tool.ts'
import { BaseAgentRunner } from './base-agent-runner.ts'
import { BASE_RUNNER_OPTIONS, type BaseAgentRunnerOptions } from './runner-options.ts'

/** Options of `AgentRunner`. */
export interface AgentRunnerOptions<ToolName extends string = string> extends BaseAgentRunnerOptions<AgentState> {
  /** Whether all queued steps of a task run together, as in a {@link ParallelAgentRunner}. @defaultValue false */
  batches?: boolean | undefined
  /** The tool choice of the first step of messages without their own. @defaultValue 'auto' */
  defaultToolChoice?: ToolChoice<ToolName> | undefined
  /** Whether the worker reports its reasoning. @defaultValue false */
  verbose?: boolean | undefined
}

/** The options that agents pass to their runner unchanged. */
export type RunnerOptionsOfAgent<ToolName extends string = string> = Omit<
  AgentRunnerOptions<ToolName>,
  'agentWorker' | 'batches' | 'chatHistory' | 'state' | 'memory' | 'llm' | 'callbackManager' | 'newId' | 'verbose'
>

const RUNNER_OPTIONS: OptionTable<AgentRunnerOptions> = {
  ...BASE_RUNNER_OPTIONS,
  batches: flag,
  defaultToolChoice: unchecked,
  verbose: flag,
}

/** The checks of the options that agents pass to their runner; what their workers check too is checked by these. */
export const AGENT_RUNNER_OPTIONS = agentRunnerOptions()

function agentRunnerOptions() {
  const { agentWorker, batches, chatHistory, state, ...others } = RUNNER_OPTIONS
  return others
}

/**
 * Owns a conversation and its tasks: creates tasks, runs their steps one by one, and returns the answers.
 *
 * If a step fails, the task has the state that it had before the step, so the step can run again.
 * @throws {ConfigurationError} if a memory and a chat history are passed.
 * @example
 * const agentWorker = new ReActAgentWorker({ llm: new ScriptedLLM({ answers: ['Answer: four'] }) })
 * const runner = new AgentRunner({ agentWorker })
 * const { taskId } = await runner.createTask('How much is 2 + 2?')
 * const output = await runner.runStep(taskId)
 * output.isLast // => true
 * String(await runner.finalizeResponse(taskId)) // => 'four'
 */
export class AgentRunner<
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  ExtraState extends object = Record<string, unknown>,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> extends BaseAgentRunner<TaskState, Context, Output, ToolName, ExtraState, Tools> {
  defaultToolChoice: ToolChoice
  readonly verbose: boolean

  constructor(options: AgentRunnerOptions) {
    checkOptions('AgentRunner', options, RUNNER_OPTIONS)
    super(options, { emptyState: () => new AgentState(), makeState: newTaskState, batches: options.batches ?? false })
    if (options.callbackManager) options.agentWorker.setCallbackManager(options.callbackManager)
    this.defaultToolChoice = options.defaultToolChoice ?? 'auto'
    this.verbose = options.verbose ?? false
  }
}
