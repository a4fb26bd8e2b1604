/**
 * @module
 * One unit of work of a task, its output, and copies of the state that it changes.
 */
import { checkGiven } from '@x/core/options'
import { invalidRecord, type LineOptions, plainData, type RecordReader, readRecord } from '@x/core/reading'
import { isPlainObject } from '@x/core/values'

/** The fields of a step. */
interface TaskStepOptions {
  taskId: string
  stepId: string
  /** The input of the user in this step; null if there is no new input. @defaultValue null */
  input?: string | null | undefined
  /** The state that the worker keeps from step to step. @defaultValue {} */
  stepState?: Record<string, unknown> | undefined
  /** The steps that follow, by id. @defaultValue empty */
  nextSteps?: ReadonlyMap<string, TaskStep> | undefined
  /** The steps before, by id. @defaultValue empty */
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
interface StepReference {
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
    // Every step makes one.
    if (!options?.taskId) checkGiven('TaskStep', { options }, 'an object of options', 'taskId')
    this.taskId = options.taskId
    this.stepId = options.stepId
    this.input = options.input ?? null
    this.stepState = options.stepState ?? {}
    this.next = options.nextSteps && new Map(options.nextSteps)
    this.prev = options.prevSteps && new Map(options.prevSteps)
    this.isReady = options.isReady ?? true
  }

  /** Recognizes task steps of another copy of this package. */
  protected get '~x-task-step'(): true {
    return true
  }

  /** The steps that follow, by id. */
  get nextSteps(): ReadonlyMap<string, TaskStep> {
    return this.next ?? NO_STEPS
  }

  /** The steps before, by id. */
  get prevSteps(): ReadonlyMap<string, TaskStep> {
    return this.prev ?? NO_STEPS
  }

  /** Returns a step of the same task. Its state is a copy of `stepState`, or of the state of this step. */
  getNextStep(stepId: string, options: { input?: string | null; stepState?: Record<string, unknown> } = {}): TaskStep {
    return new TaskStep({
      taskId: this.taskId,
      stepId,
      input: options.input,
      stepState: { ...(options.stepState ?? this.stepState) },
    })
  }

  /**
   * Returns the same step with a copy of its state.
   * @param options.taskId - the step of another task has no links. @defaultValue the same task
   * @param options.input - replaces the input; null keeps it.
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

  /** Links `next` as a step after this one, and this one as a step before it. */
  linkStep(next: TaskStep): void {
    this.next = new Map(this.next).set(next.stepId, next)
    next.prev = new Map(next.prev).set(this.stepId, this)
  }

  /** The step in wire form. Models and records in the state are written as their dicts. */
  toDict(options?: LineOptions): TaskStepDict {
    return { ...this.toParts(), step_state: plainData(this.stepState, options) as Record<string, unknown> }
  }

  /** The step in wire form, with the state itself instead of its dict. */
  toParts(): TaskStepDict {
    return {
      task_id: this.taskId,
      step_id: this.stepId,
      input: this.input,
      step_state: this.stepState,
      next_steps: references(this.nextSteps),
      prev_steps: references(this.prevSteps),
      is_ready: this.isReady,
    }
  }

  /** Lets `JSON.stringify` write the wire form. */
  toJSON(): TaskStepDict {
    return this.toDict()
  }

  /**
   * Reads a step from its wire form. Only the ids are required. A linked step that is a reference becomes a step without
   * state.
   * @throws {ModelValidationError} naming every field that does not fit.
   * @example
   * TaskStep.fromDict({ task_id: 't', step_id: 's', next_steps: { s2: { task_id: 't', step_id: 's2' } } }).nextSteps.size // => 1
   */
  static fromDict(data: unknown): TaskStep {
    const read = (fields: RecordReader) => ({
      ...readOwn(fields),
      stepState: { ...fields.object('step_state', {}) },
      nextSteps: fields.entries('next_steps', TaskStep.fromDict),
      prevSteps: fields.entries('prev_steps', TaskStep.fromDict),
      isReady: fields.boolean('is_ready', true),
    })
    return new TaskStep(readRecord('TaskStep', data, read))
  }
}

/** Whether a value is a task step, also one of another copy of this package. */
export function isTaskStep(value: unknown): value is TaskStep {
  return typeof value === 'object' && value !== null && '~x-task-step' in value
}

/**
 * Reads a step of a saved task, in which keys with their default are left out. Links are dropped, because linked steps may no longer exist.
 * @param byDefault - its task, and its state if it has none of its own.
 * @param states - reads its state.
 */
export function readSavedStep(
  data: unknown,
  byDefault: Pick<TaskStep, 'taskId' | 'stepState'>,
  states: { read(value: unknown): unknown },
): TaskStep {
  const read = (fields: RecordReader) => ({
    ...readOwn(fields, byDefault.taskId),
    stepState: fields.has('step_state') ? fields.record('step_state', readState) : { ...byDefault.stepState },
    isReady: fields.boolean('is_ready', true),
  })
  const readState = (value: unknown) => {
    const state = states.read(value)
    if (!isPlainObject(state)) throw invalidRecord('TaskStep', '', 'an object', state)
    return state
  }
  return new TaskStep(readRecord('TaskStep', data, read))
}

/** Reads the ids and the input of a step. */
function readOwn(fields: RecordReader, taskId?: string) {
  return {
    taskId: fields.string('task_id', taskId),
    stepId: fields.string('step_id'),
    input: fields.nullableString('input'),
  }
}

const NO_STEPS: ReadonlyMap<string, TaskStep> = new Map()

function references(steps: ReadonlyMap<string, TaskStep>): Record<string, StepReference> {
  if (steps.size === 0) return {}
  return Object.fromEntries(Array.from(steps, ([id, { taskId, stepId }]) => [id, { task_id: taskId, step_id: stepId }]))
}

/** An object that can be copied and changed independently, such as a memory. */
interface Cloneable {
  clone(): unknown
}

/**
 * Returns a copy of the state that later steps do not change: arrays, maps, sets and plain objects are copied one level deep,
 * memories are cloned. Everything else (tool outputs, reasoning records) never changes and is shared.
 */
export function snapshotState(state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...state }
  // Without an array of keys, because this runs at every step.
  for (const key in copy) {
    const value = copy[key]
    if (typeof value === 'object' && value !== null) copy[key] = oneLevel(value)
  }
  return copy
}

function oneLevel(value: object): unknown {
  if (Array.isArray(value)) return value.slice()
  if (typeof (value as Cloneable).clone === 'function') return (value as Cloneable).clone()
  if (isPlainObject(value)) return { ...value }
  if (value instanceof Map) return new Map(value)
  return value instanceof Set ? new Set(value) : value
}

/** The output of a step in JSON. */
interface TaskStepOutputDict {
  output: unknown
  task_step: TaskStepDict
  next_steps: TaskStepDict[]
  is_last: boolean
  /** Written only when it is not `done`; LlamaIndex for Python has no such field. */
  status?: 'awaiting_approval'
}

/** The output of a step, as workers make it; a {@link TaskStepOutput} without `fromDict`, which needs the classes of all nodes. */
export class StepOutput<Output = unknown> {
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

  /** The output in wire form. Models and records in it are written as their dicts. */
  toDict(options?: LineOptions): TaskStepOutputDict {
    return {
      output: plainData(this.output, options),
      task_step: this.taskStep.toDict(options),
      next_steps: this.nextSteps.map((step) => step.toDict(options)),
      is_last: this.isLast,
      ...(this.status !== 'done' && { status: this.status }),
    }
  }

  /** Lets `JSON.stringify` write the wire form. */
  toJSON(): TaskStepOutputDict {
    return this.toDict()
  }
}

/**
 * Reads the output of a step.
 * @param readOutput - reads the output itself.
 * @param readStep - reads a step; of the next ones, with the step before.
 */
export function readStepOutput(
  data: unknown,
  readOutput: (fields: RecordReader) => unknown,
  readStep: (value: unknown, before?: TaskStep) => TaskStep,
): StepOutput {
  const read = (fields: RecordReader) => {
    const output = readOutput(fields)
    const taskStep = fields.record('task_step', (value) => readStep(value))
    return {
      output,
      taskStep,
      nextSteps: fields.list('next_steps', (value) => readStep(value, taskStep)),
      isLast: fields.boolean('is_last', false),
      status: fields.oneOf('status', ['done', 'awaiting_approval'], 'done'),
    }
  }
  return new StepOutput(readRecord('TaskStepOutput', data, read))
}
