/**
 * @module
 * The base class of custom workers.
 */
import { callback, checkOptions, list, type OptionTable, unchecked } from '@x/core/options'
import { CallbackManager, ConfigurationError, type ObjectRetrieveOptions, withTrace } from '@x/core-model'
import { raceAbort } from '@x/core-model/async'
import type { PromptDict } from '@x/prompts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { StreamingAgentChatResponse } from '../answer/chat-answer.ts'
import {
  CustomSimpleAgentWorkerModel,
  type CustomSimpleAgentWorkerOptions,
} from '../generated/custom-simple-agent-worker.ts'
import { refusePrompts } from '../no-prompts.ts'
import type { Durable } from '../task/durable.ts'
import { stepContext } from '../task/step-context.ts'
import type { Task } from '../task/task.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import { type AsyncBaseTool, adaptToAsyncTool } from '../tool/base-tool.ts'
import type { AgentWorker, StepOptions } from './agent-worker.ts'
import { checkRetriever, checkTools } from './check-tools.ts'
import type { ToolLoopOptions } from './loop-options.ts'
import { appendToMemory, checkLimits, checkSteps, firstStep, outputOf } from './simple-steps.ts'

const CUSTOM_OPTIONS: OptionTable<CustomSimpleAgentWorkerOptions> = {
  tools: list,
  // The model checks these itself.
  toolRetriever: unchecked,
  llm: unchecked,
  callbackManager: unchecked,
  verbose: unchecked,
  maxSteps: unchecked,
  stopWhen: callback,
}

/** The context of a custom step, in addition to its state and task. */
export interface CustomStepOptions<Context = unknown> {
  /** The user input for this step: the input of the task in the first step, null in most others. */
  input: string | null
  signal: AbortSignal | undefined
  /** The option `context` of the run. */
  context: Context
  /** Runs a call of a model or a tool once: `durable(\`step-${stepNumber}/model\`, () => …)`. See the option `durable` of runners. */
  durable: Durable
  /** The number of the step in its task, from 1. */
  stepNumber: number
  /** The id of the callback event of the step. */
  parentId: string | undefined
}

/** The answer of a custom step, and whether it is the last step. */
export type CustomStepResult = readonly [AgentChatResponse | StreamingAgentChatResponse, boolean]

/**
 * A worker whose steps you implement: the initial state, a step, and the end of a task.
 *
 * In addition to your own keys, the state of a step contains `sources` and `memory`. Add messages for the conversation to
 * `state.memory`. Nothing else is recorded.
 * @throws {ConfigurationError} if tools and a tool retriever are passed.
 * @example
 * class Countdown extends CustomSimpleAgentWorker {
 *   protected override _initializeState() { return { left: 2 } }
 *   protected override async _runStep(state: Record<string, number>): Promise<[AgentChatResponse, boolean]> {
 *     state.left -= 1
 *     return [new AgentChatResponse({ response: `${state.left} left` }), state.left === 0]
 *   }
 * }
 * const agentWorker = Countdown.fromTools({ llm: new ScriptedLLM() })
 * String(await new AgentRunner({ agentWorker }).chat('Count!')) // => '0 left'
 */
export abstract class CustomSimpleAgentWorker extends CustomSimpleAgentWorkerModel implements AgentWorker {
  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  constructor(options: CustomSimpleAgentWorkerOptions) {
    super(options)
    checkRetriever('CustomSimpleAgentWorker', this.tools, this.toolRetriever)
    checkTools('CustomSimpleAgentWorker', this.tools)
    checkLimits('CustomSimpleAgentWorker', this)
  }

  /** Creates a worker of this class. Unknown options throw. */
  static fromTools<T extends CustomSimpleAgentWorker>(
    this: new (
      options: never,
    ) => T,
    options: Omit<CustomSimpleAgentWorkerOptions, 'tools'> & Pick<ToolLoopOptions, 'tools'>,
  ): T {
    checkOptions('CustomSimpleAgentWorker', options, CUSTOM_OPTIONS)
    return new this({ ...options, tools: options.tools ?? [] } as never)
  }

  /** Returns the initial state of a task. `sources` and `memory` are added. */
  protected abstract _initializeState(task: Task): object | Promise<object>

  /** Runs one step. It may change the state; the next step receives a copy. */
  protected abstract _runStep(
    state: object,
    task: Task,
    options: CustomStepOptions,
  ): CustomStepResult | Promise<CustomStepResult>

  /** Runs one step with a streaming answer. @defaultValue the answer of `_runStep`, as one piece */
  protected _streamStep(
    state: object,
    task: Task,
    options: CustomStepOptions,
  ): CustomStepResult | Promise<CustomStepResult> {
    return this._runStep(state, task, options)
  }

  /** Called after the messages of the task were added to the conversation. */
  protected _finalizeTask(_state: object): void | Promise<void> {}

  setCallbackManager(callbackManager: CallbackManager): void {
    this.callbackManager = callbackManager
  }

  getPrompts(): PromptDict {
    return {}
  }

  updatePrompts(prompts: Readonly<PromptDict>): void {
    refusePrompts(prompts)
  }

  /** Returns the tools for an input: those in the options, or the retrieved ones. */
  async getTools(input: string, options: ObjectRetrieveOptions = {}): Promise<AsyncBaseTool[]> {
    const tools = this.toolRetriever
      ? await raceAbort(this.toolRetriever.retrieve(input, options), options.signal)
      : this.tools
    if (this.toolRetriever) checkTools('toolRetriever', tools)
    return tools.map(adaptToAsyncTool)
  }

  async initializeStep(task: Task): Promise<TaskStep> {
    const state = await this._initializeState(task)
    for (const key of ['sources', 'memory']) {
      if (Object.hasOwn(state, key))
        throw new ConfigurationError(`CustomSimpleAgentWorker: the state key "${key}" is reserved.`)
    }
    return firstStep(task, state)
  }

  runStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.traced(step, task, options, false)
  }

  streamStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.traced(step, task, options, true)
  }

  private traced(step: TaskStep, task: Task, options: StepOptions, streaming: boolean): Promise<TaskStepOutput> {
    const { parentId } = options
    return withTrace(this.callbackManager, 'run_step', () => this.step(step, task, options, streaming), { parentId })
  }

  private async step(step: TaskStep, task: Task, options: StepOptions, streaming: boolean): Promise<TaskStepOutput> {
    checkSteps(task, options, this)
    const { durable, stepNumber, signal, context, parentId } = stepContext(task, options)
    const own = { input: step.input, signal, context, durable, stepNumber, parentId }
    const result = await (streaming
      ? this._streamStep(step.stepState, task, own)
      : this._runStep(step.stepState, task, own))
    return outputOf('CustomSimpleAgentWorker', result, { step, task, options, limits: this, streaming })
  }

  addMessagesOnLoad(task: Task): Promise<void> {
    return appendToMemory(task)
  }

  async finalizeTask(task: Task): Promise<void> {
    await appendToMemory(task)
    await this._finalizeTask(task.extraState)
  }
}
