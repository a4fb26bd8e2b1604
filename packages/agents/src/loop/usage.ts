/**
 * @module
 * Counts the usage of a task and compares it with the budget.
 */
import { type OptionTable, wholeNumber } from '@x/core/options'
import { addUsage, type ChatMessage, chatTokens, type TokenUsage, type ToolOutput } from '@x/core-model'
import { isChatResponse } from '../answer/chat-answer.ts'
import { noUsage, type TaskUsage } from '../answer/task-usage.ts'
import type { CheckBudget } from '../task/step-context.ts'
import { BudgetExceededError } from './loop-errors.ts'

/** The limits of a task's usage. */
export interface TaskBudget {
  /** Calls of the model. @defaultValue no limit */
  maxModelCalls?: number | null | undefined
  /** Tool calls. If the model requests more, none of the calls of that turn runs. @defaultValue no limit */
  maxToolCalls?: number | null | undefined
  /** All tokens, as the model reports them, or estimated if it reports none. @defaultValue no limit */
  maxTokens?: number | null | undefined
  /** Tokens of the requests, cached ones included. @defaultValue no limit */
  maxInputTokens?: number | null | undefined
  /** Tokens of the answers, reasoning included. @defaultValue no limit */
  maxOutputTokens?: number | null | undefined
}

const limit = wholeNumber(0, 'or null')

/** The checks of {@link TaskBudget}. */
export const BUDGET_OPTIONS: OptionTable<TaskBudget> = {
  maxModelCalls: limit,
  maxToolCalls: limit,
  maxTokens: limit,
  maxInputTokens: limit,
  maxOutputTokens: limit,
}

type Limit = [used: number, most: number | null | undefined, what: string]

/** Returns the limits of a budget, except that of tool calls. */
function limitsOf(usage: Readonly<TaskUsage>, budget: TaskBudget): Limit[] {
  return [
    [usage.modelCalls, budget.maxModelCalls, 'model calls'],
    [usage.totalTokens, budget.maxTokens, 'tokens'],
    [usage.inputTokens, budget.maxInputTokens, 'input tokens'],
    [usage.outputTokens, budget.maxOutputTokens, 'output tokens'],
  ]
}

/** @throws {BudgetExceededError} if the budget allows no further model call. */
export function checkBudget(taskId: string, usage: Readonly<TaskUsage>, budget: TaskBudget | null | undefined): void {
  for (const [used, most, what] of budget ? limitsOf(usage, budget) : [])
    if (typeof most === 'number' && used >= most)
      throw new BudgetExceededError(taskId, `the budget of ${most} ${what} is used up (${used} used)`)
}

/** @throws {BudgetExceededError} if the budget does not allow this many tool calls. */
export function checkToolBudget(
  taskId: string,
  usage: Readonly<TaskUsage>,
  budget: TaskBudget | null | undefined,
  wanted: number,
): void {
  const most = budget?.maxToolCalls
  if (typeof most === 'number' && usage.toolCalls + wanted > most)
    throw new BudgetExceededError(taskId, `the budget of ${most} tool calls does not allow ${wanted} more`)
}

/** Adds the tokens of a call. */
export function countTokens(usage: TaskUsage, used: TokenUsage): void {
  Object.assign(usage, addUsage(usage, used))
}

/** The agents that are running as tools of a step, with their usage so far. */
export type RunningUsage = Set<AgentUsage>

/** Counts the usage of an agent that runs as a tool, including the agents among its own tools, while it runs and at its end. */
export class AgentUsage {
  /** The usage of the agent so far. */
  used: TaskUsage = noUsage()
  private readonly taskId: string
  private readonly usage: TaskUsage
  private readonly running: RunningUsage
  private readonly budget: TaskBudget | null | undefined

  /** @param options.usage - the usage of the calling task. */
  constructor(options: {
    taskId: string
    usage: TaskUsage
    running: RunningUsage
    budget: TaskBudget | null | undefined
  }) {
    this.taskId = options.taskId
    this.usage = options.usage
    this.running = options.running
    this.budget = options.budget
  }

  /** Records the usage of the agent so far. Returns the usage of the calling task, including all running agents. */
  note(used: TaskUsage): TaskUsage {
    this.used = used
    this.running.add(this)
    const total = { ...this.usage }
    for (const agent of this.running) addTo(total, agent.used)
    return total
  }

  /**
   * Notes what the agent has used so far, before it calls its model or tools.
   * @param outer - the check of the agents that called this task.
   * @throws {BudgetExceededError} if the budget does not allow that.
   */
  checkNext(used: TaskUsage, toolCalls: number | undefined, outer: CheckBudget | undefined): void {
    const total = this.note(used)
    outer?.(total, toolCalls)
    if (toolCalls === undefined) checkBudget(this.taskId, total, this.budget)
    else checkToolBudget(this.taskId, total, this.budget, toolCalls)
  }

  /** @throws {BudgetExceededError} if the task and its agents have used more than the budget allows. */
  check(total: TaskUsage): void {
    const { taskId, budget } = this
    if (!budget) return
    const toolCalls: Limit = [total.toolCalls, budget.maxToolCalls, 'tool calls']
    for (const [used, most, what] of [toolCalls, ...limitsOf(total, budget)])
      if (typeof most === 'number' && used > most)
        throw new BudgetExceededError(taskId, `the budget of ${most} ${what} is exceeded (${used} used)`)
  }

  /** Adds the usage of the finished agent to that of the task: the usage in its output, otherwise the last one recorded. */
  add({ rawOutput }: Partial<ToolOutput>): void {
    this.running.delete(this)
    addTo(this.usage, (isChatResponse(rawOutput) && rawOutput.usage) || this.used)
  }
}

function addTo(usage: TaskUsage, used: TaskUsage): void {
  countTokens(usage, used)
  usage.modelCalls += used.modelCalls
  usage.toolCalls += used.toolCalls
}

/** Estimates the tokens of a call whose model reports none. */
export function estimatedUsage(messages: readonly ChatMessage[], reply: ChatMessage): TokenUsage {
  const inputTokens = chatTokens(messages)
  const outputTokens = chatTokens([reply])
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    totalTokens: inputTokens + outputTokens,
  }
}

/** Whether a budget limits tokens, so that they must be known. */
export function limitsTokens(budget: TaskBudget | null | undefined): boolean {
  return [budget?.maxTokens, budget?.maxInputTokens, budget?.maxOutputTokens].some((most) => typeof most === 'number')
}
