/**
 * @module
 * The worker that runs a query pipeline in each step.
 */
import { CallbackManager, ConfigurationError, type QueryComponent, withTrace } from '@x/core-model'
import type { PromptDict } from '@x/prompts'
import { subQueryComponents } from '@x/query-pipeline'
import {
  QueryPipelineAgentWorkerModel,
  type QueryPipelineAgentWorkerOptions,
} from '../generated/query-pipeline-agent-worker.ts'
import type { AgentWorker, StepOptions } from '../loop/agent-worker.ts'
import { appendToMemory, checkLimits, checkSteps, firstStep, outputOf } from '../loop/simple-steps.ts'
import { refusePrompts } from '../no-prompts.ts'
import type { Task } from '../task/task.ts'
import type { TaskStep } from '../task/task-step.ts'
import type { TaskStepOutput } from '../task/task-step-output.ts'
import {
  type AgentFnComponent,
  type AgentInputComponent,
  agentComponentKind,
  type CustomAgentComponent,
} from './agent-components.ts'

/**
 * Each step runs a pipeline. Its first component is an {@link AgentInputComponent}; its last one returns a pair of the response and
 * whether the task is done. The components share the state of the step and may change it. Messages in `state.memory` are added to the
 * conversation.
 * @throws {ConfigurationError} unless the pipeline has exactly one root, an AgentInputComponent.
 * @example
 * import { QueryPipeline } from '@x/query-pipeline'
 * const first = new AgentInputComponent({ fn: (task) => ({ text: task.input }) })
 * const last = new AgentFnComponent({
 *   fn: (_task, _state, { text }: { text: string }) => [new AgentChatResponse({ response: `${text}!` }), true],
 *   params: { required: ['text'] },
 * })
 * const agentWorker = new QueryPipelineAgentWorker({ pipeline: new QueryPipeline({ chain: [first, last] }) })
 * String(await new AgentRunner({ agentWorker }).chat('Hello')) // => 'Hello!'
 */
export class QueryPipelineAgentWorker extends QueryPipelineAgentWorkerModel implements AgentWorker {
  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  constructor(options: QueryPipelineAgentWorkerOptions) {
    super(options)
    checkLimits('QueryPipelineAgentWorker', this)
    const { agentInputComponent } = this
    if (!agentInputComponent) throw new ConfigurationError('QueryPipelineAgentWorker: the pipeline has no component.')
    if (options.callbackManager) this.pipeline.setCallbackManager(options.callbackManager)
    else this.callbackManager = this.pipeline.callbackManager
  }

  /** The first component of the pipeline. */
  get agentInputComponent(): AgentInputComponent {
    const roots = this.pipeline.getRootKeys()
    const first = roots.length === 1 ? this.pipeline.modules.get(roots[0]!) : undefined
    if (first && agentComponentKind(first) === 'input') return first as AgentInputComponent
    throw new ConfigurationError(
      'QueryPipelineAgentWorker: the pipeline needs exactly one root, an AgentInputComponent.',
    )
  }

  /** Returns all components for agents, including those in nested pipelines and routers, depth first. */
  get agentComponents(): (AgentFnComponent | CustomAgentComponent)[] {
    return agentComponentsOf(this.pipeline)
  }

  setCallbackManager(callbackManager: CallbackManager): void {
    this.callbackManager = callbackManager
    this.pipeline.setCallbackManager(callbackManager)
  }

  getPrompts(): PromptDict {
    return {}
  }

  updatePrompts(prompts: Readonly<PromptDict>): void {
    refusePrompts(prompts)
  }

  initializeStep(task: Task): TaskStep {
    return firstStep(task)
  }

  runStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.step(step, task, options, false)
  }

  /** Like `runStep`. The answer is a streaming response of one piece, unless the last component returns a streaming one. */
  streamStep(step: TaskStep, task: Task, options: StepOptions = {}): Promise<TaskStepOutput> {
    return this.step(step, task, options, true)
  }

  private step(step: TaskStep, task: Task, options: StepOptions, streaming: boolean): Promise<TaskStepOutput> {
    const { parentId } = options
    const run = async () => {
      checkSteps(task, options, this)
      const context = { task, state: step.stepState }
      const result = await this.pipeline.run(
        { inputs: context },
        { context, signal: options.signal, callbackManager: this.callbackManager, parentId },
      )
      return outputOf('QueryPipelineAgentWorker', result, { step, task, options, limits: this, streaming })
    }
    return withTrace(this.callbackManager, 'run_step', run, { parentId })
  }

  finalizeTask(task: Task): Promise<void> {
    return appendToMemory(task)
  }
}

function agentComponentsOf(component: QueryComponent): (AgentFnComponent | CustomAgentComponent)[] {
  return subQueryComponents(component).flatMap((inner) =>
    agentComponentKind(inner) === 'function'
      ? [inner as AgentFnComponent | CustomAgentComponent]
      : agentComponentsOf(inner),
  )
}
