/**
 * @module
 * Counts what a task uses, and compares it with its budget.
 */
import { addUsage, type ChatMessage, chatTokens, type TokenUsage, type ToolOutput } from '@x/core-model'
import { isChatResponse } from '../answer/agent-chat-response.ts'
import type { TaskUsage } from '../answer/task-usage.ts'
import { BudgetExceededError } from '../errors.ts'
import { integer, type OptionTable } from '../options.ts'

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

const limit = integer(0, 'or null')

/** The checks of {@link TaskBudget}. */
export const BUDGET_OPTIONS: OptionTable<TaskBudget> = {
  maxModelCalls: limit,
  maxToolCalls: limit,
  maxTokens: limit,
  maxInputTokens: limit,
  maxOutputTokens: limit,
}

/** @throws {BudgetExceededError} if the budget allows no further model call. */
export function checkBudget(taskId: string, usage: Readonly<TaskUsage>, budget: TaskBudget | null | undefined): void {
  if (!budget) return
  const used: [number, number | null | undefined, string][] = [
    [usage.modelCalls, budget.maxModelCalls, 'model calls'],
    [usage.totalTokens, budget.maxTokens, 'tokens'],
    [usage.inputTokens, budget.maxInputTokens, 'input tokens'],
    [usage.outputTokens, budget.maxOutputTokens, 'output tokens'],
  ]
  for (const [amount, most, what] of used) {
    if (typeof most === 'number' && amount >= most) {
      throw new BudgetExceededError(taskId, `the budget of ${most} ${what} is used up (${amount} used)`)
    }
  }
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

/** Counts what an agent behind a tool uses, while it runs and at its end. */
export class AgentUsage {
  private used: TaskUsage | undefined
  private readonly taskId: string
  private readonly usage: TaskUsage
  private readonly budget: TaskBudget | null | undefined

  /** @param usage - that of the calling task. */
  constructor(taskId: string, usage: TaskUsage, budget: TaskBudget | null | undefined) {
    this.taskId = taskId
    this.usage = usage
    this.budget = budget
  }

  /** @throws {BudgetExceededError} if the task and the agent have used more than the budget allows. */
  report(used: TaskUsage): void {
    this.used = used
    const { maxModelCalls, maxTokens, maxInputTokens, maxOutputTokens } = this.budget ?? {}
    const limits: [keyof TaskUsage, number | null | undefined, string][] = [
      ['modelCalls', maxModelCalls, 'model calls'],
      ['totalTokens', maxTokens, 'tokens'],
      ['inputTokens', maxInputTokens, 'input tokens'],
      ['outputTokens', maxOutputTokens, 'output tokens'],
    ]
    for (const [key, most, what] of limits) {
      const amount = this.usage[key] + used[key]
      if (typeof most === 'number' && amount > most)
        throw new BudgetExceededError(this.taskId, `the budget of ${most} ${what} is exceeded (${amount} used)`)
    }
  }

  /** Adds to the usage of the task what the output states, or what was reported last. */
  add({ rawOutput }: Partial<ToolOutput>): void {
    const used = isChatResponse(rawOutput) ? rawOutput.usage : this.used
    if (!used) return
    countTokens(this.usage, used)
    this.usage.modelCalls += used.modelCalls
    this.usage.toolCalls += used.toolCalls
  }
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
