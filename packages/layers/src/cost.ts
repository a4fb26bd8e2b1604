/**
 * @module
 * What a task costs, in money.
 */
import type { AgentTool } from '@x/agents'
import { BudgetExceededError } from '@x/agents/errors'
import type { Layer, Scope, TaskUsage } from '@x/agents/loop'
import { checkOptions, numberFrom, type OptionTable } from '@x/core/options'
import { ConfigurationError, chatTokens, type TokenUsage, usageOf } from '@x/core-model'
import { stateOf } from './layer-parts.ts'

/** The price of a model, per million tokens, in any currency. */
export interface ModelPrice {
  input: number
  output: number
  /** Of input tokens that the provider has cached. @defaultValue that of `input` */
  cachedInput?: number | undefined
}

/** Prices by the names of models, or a function that returns the price of one. */
export type Prices = Readonly<Record<string, ModelPrice>> | ((model: string) => ModelPrice | undefined)

/** Options of {@link cost}. */
interface CostOptions {
  /**
   * What a task may cost, its helpers included: the next step of a task that has cost as much throws `budget_exceeded`, and a call of a model
   * without a price `configuration`. @defaultValue no limit
   */
  limit?: number | undefined
}

/** What a task has cost, in the currency of the prices. */
export interface TaskCost {
  total: number
  /** By the number of the step. */
  steps: Readonly<Record<string, number>>
  /** Of the agents behind tools, by the name of the tool; part of the steps. */
  agents: Readonly<Record<string, number>>
  /** The models without a price, whose calls are not counted. */
  unpriced: readonly string[]
}

const OPTIONS: OptionTable<CostOptions> = { limit: numberFrom(0) }
const KEY = 'cost'
const CALLS = Symbol('cost')
const NOTHING: TaskCost = { total: 0, steps: {}, agents: {}, unpriced: [] }

/** Returns what a task has cost. */
export function costOf(task: { readonly extraState: object } | undefined): TaskCost {
  const known = stateOf<TaskCost>(task, KEY) ?? NOTHING
  // The usage also has what failed steps have cost.
  return { ...known, total: Math.max(known.total, stateOf<TaskUsage>(task, 'usage')?.cost ?? 0) }
}

/**
 * Counts what a task costs: each call of a model at the price of its model, and the agents behind tools. The usage of events and answers has
 * it as `cost`. Helpers with models of their own need this layer too; otherwise the price of their model is applied to all that they used.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function cost(prices: Prices, options: CostOptions = {}): Layer {
  checkOptions('cost', options, OPTIONS)
  const priceOf = (model: string) =>
    typeof prices === 'function' ? prices(model) : Object.hasOwn(prices, model) ? prices[model] : undefined
  return {
    name: 'cost',
    // Inside of the budget, whose events then have the cost.
    rank: 43,
    step: (next) => (input, scope) => {
      const { total } = costOf(scope.task)
      if (options.limit !== undefined && total >= options.limit)
        throw new BudgetExceededError(scope.task.taskId, `it has cost ${total}, and may cost ${options.limit}`)
      return next(input, scope)
    },
    model: (next) => (request, scope) => {
      const { modelName } = request.llm.metadata
      // Before a call that could not be counted.
      if (options.limit !== undefined && !priceOf(modelName))
        throw new ConfigurationError(
          `cost: there is no price for the model "${modelName}"; add it, or leave out the limit.`,
        )
      return next(request, scope)
    },
    reply: (reply, { llm, messages }, scope) => {
      const { notes } = scope.ids
      const number = ((notes[CALLS] as number | undefined) ?? 0) + 1
      notes[CALLS] = number
      const [inputTokens, outputTokens] = [chatTokens(messages), chatTokens([reply.message])]
      const reported = reply.usage ?? (reply.response && usageOf(reply.response))
      const used = reported ?? { inputTokens, outputTokens, cachedInputTokens: 0 }
      const price = priceOf(llm.metadata.modelName)
      if (price) count(scope, `${scope.stepNumber}/model-${number}/cost`, moneyFor(used, price))
      else noteUnpriced(scope, llm.metadata.modelName)
      return reply
    },
    tool: (next) => async (call, scope) => {
      const tool = scope.tools.find(({ metadata }) => metadata.name === call.name) as Partial<AgentTool> | undefined
      const { agentWorker } = (tool?.agent ?? {}) as { agentWorker?: { llm?: { metadata: { modelName: string } } } }
      const model = agentWorker?.llm?.metadata.modelName ?? ''
      const price = tool?.agent && priceOf(model)
      const withCost = (usage: TaskUsage): TaskUsage =>
        usage.cost !== undefined || !price ? usage : { ...usage, cost: moneyFor(usage, price) }
      const { onUsage } = scope.callContext ?? {}
      const counted = onUsage && { ...scope.callContext, onUsage: (usage: TaskUsage) => onUsage(withCost(usage)) }
      const made = await next(call, counted ? { ...scope, callContext: counted } : scope)
      const answer = made?.rawOutput as { usage?: TaskUsage } | null | undefined
      if (!tool?.agent || !answer?.usage) return made
      answer.usage = withCost(answer.usage)
      if (answer.usage.cost === undefined) noteUnpriced(scope, model)
      else note(scope, answer.usage.cost, call.name)
      return made
    },
  }
}

function moneyFor(
  used: Pick<TokenUsage, 'inputTokens' | 'outputTokens' | 'cachedInputTokens'>,
  price: ModelPrice,
): number {
  const { inputTokens, outputTokens, cachedInputTokens } = used
  const { input, output, cachedInput = input } = price
  return ((inputTokens - cachedInputTokens) * input + cachedInputTokens * cachedInput + outputTokens * output) / 1e6
}

/** Counts money in the usage of the task, unless an earlier attempt of the step has. */
function count(scope: Scope, name: string, money: number): void {
  const { state } = scope
  note(scope, money)
  if (!state.usage || state.counted?.[name]) return
  state.usage.cost = (state.usage.cost ?? 0) + money
  state.counted = { ...state.counted, [name]: { ...state.usage } }
}

function note({ task, stepNumber }: Scope, money: number, agent?: string): void {
  const { total, steps, agents, unpriced } = stateOf<TaskCost>(task, KEY) ?? NOTHING
  task.extraState[KEY] = {
    total: total + money,
    steps: { ...steps, [stepNumber]: (steps[stepNumber] ?? 0) + money },
    agents: agent === undefined ? agents : { ...agents, [agent]: (agents[agent] ?? 0) + money },
    unpriced,
  }
}

function noteUnpriced({ task }: Scope, model: string): void {
  const known = stateOf<TaskCost>(task, KEY) ?? NOTHING
  task.extraState[KEY] = { ...known, unpriced: [...new Set([...known.unpriced, model])] }
}
