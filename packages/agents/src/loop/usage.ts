/**
 * @module
 * Compares the usage of a task with its budget, and counts the agents behind its tools.
 */
import { type OptionTable, wholeNumber } from '@x/core/options'
import { ChatMessage, chatTokens, type TokenUsage } from '@x/core-model'
import { isChatResponse } from '../answer/chat-answer.ts'
import type { BudgetChecks } from '../task/step-context.ts'
import { addTo, beyond, countCall, noUsage, type TaskUsage } from '../task-usage.ts'
import type { LoopCall, Scope } from './layer.ts'
import { placeOf } from './loop.ts'
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

const limit = /* @__PURE__ */ wholeNumber(0, 'or null')

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

/** Returns the checks of a budget. */
export function budgetChecks(taskId: string, budget: TaskBudget): BudgetChecks {
  const { maxToolCalls } = budget
  return {
    checkNext: (usage, wanted) => {
      if (wanted === undefined) {
        for (const [used, most, what] of limitsOf(usage, budget))
          if (typeof most === 'number' && used >= most)
            throw new BudgetExceededError(taskId, `the budget of ${most} ${what} is used up (${used} used)`)
      } else if (typeof maxToolCalls === 'number' && usage.toolCalls + wanted > maxToolCalls)
        throw new BudgetExceededError(taskId, `the budget of ${maxToolCalls} tool calls does not allow ${wanted} more`)
    },
    checkUsed: (usage) => {
      const toolCalls: Limit = [usage.toolCalls, maxToolCalls, 'tool calls']
      for (const [used, most, what] of [toolCalls, ...limitsOf(usage, budget)])
        if (typeof most === 'number' && used > most)
          throw new BudgetExceededError(taskId, `the budget of ${most} ${what} is exceeded (${used} used)`)
    },
  }
}

/** The name under which the usage of the agent behind a call is counted. */
export function agentName(call: LoopCall, scope: Scope): string {
  return `${placeOf(call, scope)}/agent`
}

/** An agent that runs as a tool of a step: its usage so far, and the calls that it may make next, until it reports them. */
interface RunningAgent {
  name: string
  used: TaskUsage
  next: Partial<TaskUsage>
}

/** Counts the usage of an agent that runs as a tool, including the agents among its own tools, while it runs and at its end. */
export class AgentUsage {
  /** What the agent has used so far. */
  readonly own: RunningAgent
  private readonly scope: Scope
  private readonly running: Set<RunningAgent>

  /** @param scope - of the calling task. @param name - of the call that runs the agent. */
  constructor(scope: Scope, name: string) {
    const { notes } = scope.ids
    this.own = { name, used: noUsage(), next: {} }
    this.scope = scope
    this.running = (notes[RUNNING] ??= new Set()) as Set<RunningAgent>
  }

  /** Records the usage of the agent so far. Returns the usage of the calling task, including all running agents. */
  note(used: TaskUsage): TaskUsage {
    const { usage, counted } = this.scope.state
    Object.assign(this.own, { used, next: {} })
    this.running.add(this.own)
    const total = { ...noUsage(), ...usage }
    for (const one of this.running) addTo(total, beyond(one.used, counted?.[one.name]))
    return total
  }

  /**
   * Notes what the agent has used so far, before it calls its model or tools, and reserves that, so that other agents cannot use it.
   * @throws {BudgetExceededError} if the budget of the task, or of an agent that called it, does not allow that.
   */
  checkNext(used: TaskUsage, toolCalls: number | undefined): void {
    const { checkBudget, budget } = this.scope
    const total = this.note(used)
    for (const { next } of this.running) addTo(total, next)
    checkBudget?.(total, toolCalls)
    budget?.checkNext(total, toolCalls)
    this.own.next = toolCalls === undefined ? { modelCalls: 1 } : { toolCalls }
  }

  /**
   * Adds the usage of the agent to that of the task: the usage in its output, otherwise the last one recorded, with the calls that were
   * running when it was stopped.
   */
  add(answer?: unknown): void {
    const { name, used, next } = this.own
    this.running.delete(this.own)
    const last = { ...used }
    addTo(last, next)
    countCall(this.scope.state, name, { ...((isChatResponse(answer) && answer.usage) || last) })
  }
}

const RUNNING = Symbol('toolUsage')

/**
 * Calls `onStop` at once when a call of the model is stopped, with what it has written until then.
 * @returns the scope of the call, and a function that is called when it ends.
 */
export function watchStop(scope: Scope, onStop: (written: ChatMessage) => void): { scope: Scope; end: () => void } {
  const { signal, emit, onText } = scope
  if (!signal) return { scope, end: () => {} }
  let written = ''
  const stop = () => onStop(new ChatMessage({ role: 'assistant', content: written }))
  signal.addEventListener('abort', stop)
  const noted: Scope = {
    ...scope,
    onText: (delta) => {
      written += delta
      onText?.(delta)
    },
    emit:
      emit &&
      ((event) => {
        if (event.type === 'reasoning_delta' || event.type === 'tool_input_delta') written += event.delta
        return emit(event)
      }),
  }
  return { scope: noted, end: () => signal.removeEventListener('abort', stop) }
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
