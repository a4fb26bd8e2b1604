/**
 * @module
 * The data that a runner passes to its worker for one step, in addition to the step and its task.
 */
import { checkGiven } from '@x/core/options'
import type { BaseMemory, ChatMessage } from '@x/core-model'
import type { Receive } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import type { TaskUsage } from '../task-usage.ts'
import type { StepEvent } from './agent-event.ts'
import { type Durable, type Once, passThrough } from './durable.ts'
import type { Journal, JournalPart } from './journal.ts'
import type { Task } from './task.ts'

/** Settings for saving the results of the calls of a step. */
export interface ResultSaving {
  /** The code that writes results; without it they are only kept in memory. */
  readonly journal: Journal | undefined
  /** Makes a call of the step unless an earlier attempt has its result, for tasks that are not saved. */
  readonly recall: Once
  /** Whether the results may be read in another process, so that no data may be lost. */
  readonly isStrict: boolean
  /** The results in this process, by the name of the call. */
  readonly live: Map<string, () => unknown>
  /** Whether an earlier attempt of the step has saved the result of a call. An engine does not say that. */
  readonly isKnown: (name: string) => boolean
  /** Whether an engine makes the calls, and repeats those that fail. */
  readonly isRepeated: boolean
}

/**
 * Called by an agent before it calls its model, or before it runs `toolCalls` tool calls.
 * @param used - the usage of its task so far.
 * @throws {BudgetExceededError} if the budget of a task that called the agent does not allow that.
 */
export type CheckBudget = (used: TaskUsage, toolCalls?: number) => void

/** The checks of a budget, for a task together with the agents behind its tools. */
export interface BudgetChecks {
  /**
   * @param toolCalls - the number of tool calls that follow. @defaultValue a call of the model follows
   * @throws {BudgetExceededError} if the budget does not allow what follows.
   */
  checkNext(usage: Readonly<TaskUsage>, toolCalls?: number): void
  /** @throws {BudgetExceededError} if more is used than the budget allows. */
  checkUsed(usage: Readonly<TaskUsage>): void
}

/** The context of one step. Tools and hooks receive parts of it. */
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
  /** Wraps every call of a model, a tool or a retriever. */
  readonly durable: Durable
  /**
   * Returns the part of the journal for the agent behind a tool call, by the place of the call; undefined if nothing is saved. @internal
   */
  readonly part?: ((place: string) => JournalPart | undefined) | undefined
  /** Receives the message of the user when it is accepted: one that a guard has replaced, for example, as the model receives it. */
  readonly onInput?: ((message: ChatMessage) => void) | undefined
  /** Receives the ids of calls when their tools begin, and the errors with which calls end the run. @internal */
  readonly begun?: Map<string, unknown> | undefined
  /** The budgets of the agents that called this one. */
  readonly checkBudget?: CheckBudget | undefined
  /** How the results of calls are saved. @internal */
  readonly saving?: ResultSaving | undefined
  /** The option `context` of the run: data for tools and hooks, such as the user or a connection. It is not saved. */
  readonly context: Context
  /** The id of the callback event that the step belongs to. */
  readonly parentId: string | undefined
  /** The conversation of the run. */
  readonly memory: BaseMemory
  /**
   * The number of the step in its task, from 1. A retried step keeps its number. After an undo, the next step has a new one.
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
 * Fills in missing options of a step, for workers that are called without a runner: a `durable` that saves nothing, the memory of the
 * task, random ids and the clock of the platform.
 */
export function stepContext(task: Task, options: Partial<StepContext> = {}): StepContext {
  checkGiven('stepContext', { task }, 'a task')
  return {
    ...options,
    durable: options.durable ?? passThrough,
    context: options.context,
    parentId: options.parentId,
    memory: options.memory ?? task.memory,
    stepNumber: options.stepNumber ?? 1,
    completedSteps: options.completedSteps ?? 0,
    newId: options.newId ?? newId,
    now: options.now ?? Date.now,
  }
}
