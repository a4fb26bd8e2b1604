/**
 * @module
 * One unit of work of a task, and what came out of it.
 */

import { snapshotState } from './runner/snapshot.ts'

/** The fields of a step. */
export interface TaskStepOptions {
  taskId: string
  stepId: string
  /** What the user says in this step; null for nothing new. @defaultValue null */
  input?: string | null | undefined
  /** What the worker keeps from step to step. @defaultValue {} */
  stepState?: Record<string, unknown> | undefined
  /** The steps that follow, by id. @defaultValue none */
  nextSteps?: ReadonlyMap<string, TaskStep> | undefined
  /** The steps before, by id. @defaultValue none */
  prevSteps?: ReadonlyMap<string, TaskStep> | undefined
  /** Whether the step can run. @defaultValue true */
  isReady?: boolean | undefined
}

/** A step in JSON: links are written as references. */
export interface TaskStepDict {
  task_id: string
  step_id: string
  input: string | null
  step_state: Record<string, unknown>
  next_steps: Record<string, StepReference>
  prev_steps: Record<string, StepReference>
  is_ready: boolean
}

/** Where a linked step is. */
export interface StepReference {
  task_id: string
  step_id: string
}

/**
 * One unit of work of a task: for a ReAct agent a model call and at most one tool call.
 * @example
 * const step = new TaskStep({ taskId: 't', stepId: 's', stepState: { tries: 1 } })
 * step.getNextStep('s2').stepState // => { tries: 1 }
 */
export class TaskStep {
  readonly taskId: string
  readonly stepId: string
  input: string | null
  stepState: Record<string, unknown>
  isReady: boolean
  /** Most steps are never linked. */
  private next: Map<string, TaskStep> | undefined
  private prev: Map<string, TaskStep> | undefined

  constructor(options: TaskStepOptions) {
    this.taskId = options.taskId
    this.stepId = options.stepId
    this.input = options.input ?? null
    this.stepState = options.stepState ?? {}
    this.next = options.nextSteps && new Map(options.nextSteps)
    this.prev = options.prevSteps && new Map(options.prevSteps)
    this.isReady = options.isReady ?? true
  }

  /** The steps that follow, by id. */
  get nextSteps(): ReadonlyMap<string, TaskStep> {
    return this.next ?? NO_STEPS
  }

  /** The steps before, by id. */
  get prevSteps(): ReadonlyMap<string, TaskStep> {
    return this.prev ?? NO_STEPS
  }

  /** A step of the same task. Its state is a copy, of the given one or of this step's. */
  getNextStep(stepId: string, options: { input?: string | null; stepState?: Record<string, unknown> } = {}): TaskStep {
    return new TaskStep({
      taskId: this.taskId,
      stepId,
      input: options.input,
      stepState: { ...(options.stepState ?? this.stepState) },
    })
  }

  /**
   * The same step with a state of its own.
   * @param options.taskId - the step of another task has no links. @defaultValue the same task
   * @param options.input - replaces the input; null for the same one.
   */
  copy({ taskId = this.taskId, input }: { taskId?: string; input?: string | null | undefined } = {}): TaskStep {
    const { stepId, isReady } = this
    const isLinked = taskId === this.taskId
    return new TaskStep({
      taskId,
      stepId,
      input: input ?? this.input,
      stepState: snapshotState(this.stepState),
      isReady,
      nextSteps: isLinked ? this.next : undefined,
      prevSteps: isLinked ? this.prev : undefined,
    })
  }

  /** Makes `next` a follower of this step, and this step one of its predecessors. */
  linkStep(next: TaskStep): void {
    this.next = new Map(this.next).set(next.stepId, next)
    next.prev = new Map(next.prev).set(this.stepId, this)
  }

  /** The step as data. */
  toDict(): TaskStepDict {
    return {
      task_id: this.taskId,
      step_id: this.stepId,
      input: this.input,
      step_state: { ...this.stepState },
      next_steps: references(this.nextSteps),
      prev_steps: references(this.prevSteps),
      is_ready: this.isReady,
    }
  }
}

const NO_STEPS: ReadonlyMap<string, TaskStep> = new Map()

function references(steps: ReadonlyMap<string, TaskStep>): Record<string, StepReference> {
  return Object.fromEntries(Array.from(steps, ([id, { taskId, stepId }]) => [id, { task_id: taskId, step_id: stepId }]))
}

/** What came out of a step. */
export class TaskStepOutput<Output = unknown> {
  /** Usually a chat response. */
  readonly output: Output
  readonly taskStep: TaskStep
  /** The steps to run next. */
  readonly nextSteps: TaskStep[]
  /** Whether the task is finished. */
  readonly isLast: boolean
  /** `awaiting_approval`: tool calls wait for a decision before the next step can run. */
  readonly status: 'done' | 'awaiting_approval'

  constructor(options: {
    output: Output
    taskStep: TaskStep
    nextSteps: TaskStep[]
    isLast?: boolean
    status?: 'done' | 'awaiting_approval'
  }) {
    this.output = options.output
    this.taskStep = options.taskStep
    this.nextSteps = options.nextSteps
    this.isLast = options.isLast ?? false
    this.status = options.status ?? 'done'
  }

  toString(): string {
    return String(this.output)
  }
}
