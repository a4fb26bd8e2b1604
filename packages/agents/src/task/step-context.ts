/**
 * @module
 * The data that a runner passes to its worker for one step, in addition to the step and its task.
 */
import type { BaseMemory } from '@x/core-model'
import { newId } from '@x/core-model/internal'
import type { StepEvent } from './agent-event.ts'
import { type Durable, passThrough } from './durable.ts'
import type { Receive } from './event-flow.ts'
import type { SavedClasses } from './saved-classes.ts'
import type { Task } from './task.ts'

/** How the results of the calls of a step are saved. */
export interface ResultSaving {
  /** The classes whose instances the results may contain. */
  readonly classes: SavedClasses
  /** Whether somebody reads the results elsewhere, so that nothing may be lost. */
  readonly isStrict: boolean
  /** The results in this process, by the name of the call. */
  readonly live: Map<string, () => unknown>
}

/** The surroundings of one step. Tools and hooks receive those that concern them. */
export interface StepContext<Context = unknown> {
  /** Cancels the step. Passed to the model, the tools and the retrievers. */
  readonly signal?: AbortSignal | undefined
  /** Receives the events of the step. */
  readonly onEvent?: Receive<StepEvent> | undefined
  /**
   * Resolves when the receiver of the events is ready for more; undefined if it is. Awaited where a step can wait: before a tool runs, and
   * between the pieces of a reply.
   */
  readonly ready?: (() => Promise<void> | undefined) | undefined
  /** Every call of a model, a tool or a retriever goes through it. */
  readonly durable: Durable
  /** The option `durable` of the run: set if an engine saves the calls. Agents that are tools make their calls through it too. */
  readonly engine?: Durable | undefined
  /** How the results of calls are saved. @internal */
  readonly saving?: ResultSaving | undefined
  /** The option `context` of the run: the user, a connection, whatever tools and hooks need. It is not saved. */
  readonly context: Context
  /** The id of the callback event that the step belongs to. */
  readonly parentId: string | undefined
  /** The conversation of the run. */
  readonly memory: BaseMemory
  /**
   * The number of the step in its task, from 1. A step that is retried keeps its number. After an undo, the next step has a new one.
   */
  readonly stepNumber: number
  /** The number of completed steps of the task. */
  readonly completedSteps: number
  /** Returns a new id. */
  readonly newId: () => string
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Completes the options of a step: whoever calls a worker without a runner may leave out everything.
 * @returns the options, with a pass-through `durable`, the memory of the task, random ids and the clock of the platform where they
 * have none.
 * @example
 * const task = new Task({ input: 'Hello', memory: ChatMemoryBuffer.fromDefaults() })
 * stepContext(task, { stepNumber: 2 }).memory === task.memory // => true
 */
export function stepContext(task: Task, options: Partial<StepContext> = {}): StepContext {
  return {
    signal: options.signal,
    onEvent: options.onEvent,
    ready: options.ready,
    durable: options.durable ?? passThrough,
    engine: options.engine,
    saving: options.saving,
    context: options.context,
    parentId: options.parentId,
    memory: options.memory ?? task.memory,
    stepNumber: options.stepNumber ?? 1,
    completedSteps: options.completedSteps ?? 0,
    newId: options.newId ?? newId,
    now: options.now ?? Date.now,
  }
}
