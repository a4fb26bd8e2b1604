/**
 * @module
 * Counts the usage of a task and compares it with the budget.
 */
import { type OptionTable, wholeNumber } from '@x/core/options'
import { addUsage, type ChatMessage, chatTokens, type TokenUsage, type ToolOutput } from '@x/core-model'
import { isChatResponse } from '../answer/chat-answer.ts'
import { noUsage, type TaskUsage } from '../answer/task-usage.ts'
import type { CheckBudget } from '../task/step-context.ts'
import type { LoopCall, Scope } from './layer.ts'
import { placeOf } from './loop.ts'
import { BudgetExceededError } from './loop-errors.ts'
import type { LoopState } from './loop-state.ts'

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

/** Counts what a call of the step has used. What an earlier attempt of the step has counted for it is not counted again. */
export function countCall(state: LoopState, name: string, used: TaskUsage): void {
  state.usage ??= noUsage()
  addTo(state.usage, beyond(used, state.counted?.[name]))
  state.counted = { ...state.counted, [name]: used }
}

/** Returns what was used in addition to what is counted. Less than that is work that began anew. */
function beyond(used: TaskUsage, counted: TaskUsage | undefined): TaskUsage {
  if (!counted || used.modelCalls < counted.modelCalls) return used
  const left = { ...used }
  for (const kind of Object.keys(left) as (keyof TaskUsage)[])
    left[kind] = Math.max(0, (used[kind] ?? 0) - (counted[kind] ?? 0))
  return left
}

/** The name under which the usage of the agent behind a call is counted. */
export function agentName(call: LoopCall, scope: Scope): string {
  return `${placeOf(call, scope)}/agent`
}

/** The agents that are running as tools of a step, with their usage so far. */
export type RunningUsage = Set<AgentUsage>

/** Counts the usage of an agent that runs as a tool, including the agents among its own tools, while it runs and at its end. */
export class AgentUsage {
  /** The usage of the agent so far. */
  used: TaskUsage = noUsage()
  /** The calls that the agent may make next, until it reports them. */
  private reserved: { modelCalls: number; toolCalls: number } | undefined
  private readonly taskId: string
  private readonly state: LoopState
  private readonly name: string
  private readonly running: RunningUsage
  private readonly budget: TaskBudget | null | undefined

  /** @param options.state - of the calling task. @param options.name - of the call that runs the agent. */
  constructor(options: {
    taskId: string
    state: LoopState
    name: string
    running: RunningUsage
    budget: TaskBudget | null | undefined
  }) {
    this.taskId = options.taskId
    this.state = options.state
    this.name = options.name
    this.running = options.running
    this.budget = options.budget
  }

  /** Records the usage of the agent so far. Returns the usage of the calling task, including all running agents. */
  note(used: TaskUsage): TaskUsage {
    this.used = used
    this.reserved = undefined
    this.running.add(this)
    const { usage, counted } = this.state
    const total = { ...usage }
    for (const agent of this.running) addTo(total, beyond(agent.used, counted?.[agent.name]))
    return total
  }

  /**
   * Notes what the agent has used so far, before it calls its model or tools, and reserves that, so that other agents cannot use it.
   * @param outer - the check of the agents that called this task.
   * @throws {BudgetExceededError} if the budget does not allow that.
   */
  checkNext(used: TaskUsage, toolCalls: number | undefined, outer: CheckBudget | undefined): void {
    const total = this.note(used)
    for (const { reserved } of this.running) {
      total.modelCalls += reserved?.modelCalls ?? 0
      total.toolCalls += reserved?.toolCalls ?? 0
    }
    outer?.(total, toolCalls)
    if (toolCalls === undefined) checkBudget(this.taskId, total, this.budget)
    else checkToolBudget(this.taskId, total, this.budget, toolCalls)
    this.reserved = { modelCalls: toolCalls === undefined ? 1 : 0, toolCalls: toolCalls ?? 0 }
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

  /**
   * Adds the usage of the agent to that of the task: the usage in its output, otherwise the last one recorded, with the calls that were
   * running when it was stopped.
   */
  add({ rawOutput }: Partial<ToolOutput> = {}): void {
    this.running.delete(this)
    const { modelCalls, toolCalls } = this.used
    const { reserved } = this
    const stopped = reserved && {
      ...this.used,
      modelCalls: modelCalls + reserved.modelCalls,
      toolCalls: toolCalls + reserved.toolCalls,
    }
    const used = (isChatResponse(rawOutput) && rawOutput.usage) || (stopped ?? this.used)
    countCall(this.state, this.name, { ...used })
  }
}

function addTo(usage: TaskUsage, used: TaskUsage): void {
  countTokens(usage, used)
  usage.modelCalls += used.modelCalls
  usage.toolCalls += used.toolCalls
  if (used.cost) usage.cost = (usage.cost ?? 0) + used.cost
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
