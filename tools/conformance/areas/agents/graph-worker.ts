/** A worker whose steps are the nodes of a graph. */
import { AgentChatResponse, type Task, TaskStep, TaskStepOutput } from '@x/agents'
import { ToolExecutionError } from '@x/agents/errors'
import type { AgentWorker, StepOptions } from '@x/agents/protocol'
import type { CallbackManager, Dict } from '@x/core-model'
import { CaseError } from '../../given.ts'

type NextStep = string | { name: string; input?: string | null; is_ready?: boolean }

interface GraphNode {
  output?: unknown
  /** Whether the output is a bare value. */
  raw?: boolean
  next?: NextStep[]
  is_last?: boolean
  set?: Dict
  throws?: string
  /** The number of runs of the step that throw. */
  times?: number
  delay_ms?: number
}

/** The steps of a worker by id. */
export interface GraphRecord {
  steps: Readonly<Record<string, GraphNode>>
}

/** Logs every step that runs and every task that is finalized. */
export class GraphWorker implements AgentWorker {
  callbackManager: CallbackManager | null = null
  readonly order: Dict[] = []
  readonly finalized: string[] = []
  private readonly steps: Readonly<Record<string, GraphNode>>
  private readonly runs = new Map<string, number>()

  constructor({ steps }: GraphRecord) {
    this.steps = steps
  }

  setCallbackManager(manager: CallbackManager): void {
    this.callbackManager = manager
  }

  getPrompts() {
    return {}
  }

  updatePrompts() {}

  initializeStep({ taskId, input }: Task): TaskStep {
    return new TaskStep({ taskId, stepId: 'root', input, stepState: { name: 'root' } })
  }

  async runStep(step: TaskStep, task: Task, _options?: StepOptions): Promise<TaskStepOutput> {
    const node = this.steps[step.stepId]
    if (node === undefined) throw new CaseError(`given.worker.steps: there is no step ${step.stepId}`)
    if (node.delay_ms) await new Promise((resolve) => setTimeout(resolve, node.delay_ms))
    this.order.push({ step: step.stepId, input: step.input })
    this.throwIfPlanned(step.stepId, node)
    Object.assign(task.extraState, node.set)
    return new TaskStepOutput({
      output: node.raw ? node.output : new AgentChatResponse({ response: String(node.output ?? '') }),
      taskStep: step,
      nextSteps: (node.next ?? []).map((next) => stepOf(next, task.taskId)),
      isLast: node.is_last ?? false,
    })
  }

  private throwIfPlanned(stepId: string, { throws, times = Number.POSITIVE_INFINITY }: GraphNode): void {
    const run = (this.runs.get(stepId) ?? 0) + 1
    this.runs.set(stepId, run)
    if (throws !== undefined && run <= times) throw new ToolExecutionError('graph', throws)
  }

  streamStep(step: TaskStep, task: Task, options?: StepOptions): Promise<TaskStepOutput> {
    return this.runStep(step, task, options)
  }

  finalizeTask({ input }: Task): void {
    this.finalized.push(input)
  }
}

function stepOf(next: NextStep, taskId: string): TaskStep {
  if (typeof next === 'string') return new TaskStep({ taskId, stepId: next, input: null, stepState: { name: next } })
  const { name, input = null, is_ready: isReady = true } = next
  return new TaskStep({ taskId, stepId: name, input, stepState: { name }, isReady })
}
