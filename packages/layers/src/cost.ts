/**
 * @module
 * What a task costs, in money.
 */
import { BudgetExceededError } from '@x/agents/errors'
import { type Layer, type Scope, type TaskUsage, watchStop } from '@x/agents/loop'
import { checkOption, checkOptions, numberFrom, type OptionCheck, type OptionTable, required } from '@x/core/options'
import { type ChatMessage, ConfigurationError, chatTokens, type TokenUsage, usageOf } from '@x/core-model'
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
   * What a task may cost, its helpers included. When it has cost as much, the next call of a model throws `budget_exceeded`, so that the
   * call before, and calls of helpers that run at the same time, may exceed it. A call of a model without a price throws `configuration`.
   * @defaultValue no limit
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
const PRICE: OptionTable<ModelPrice> = {
  input: required(numberFrom(0)),
  output: required(numberFrom(0)),
  cachedInput: numberFrom(0),
}
const thePrices: OptionCheck = (value) =>
  typeof value === 'function' || Object(value) === value ? undefined : 'prices by the names of models, or a function'
const KEY = 'cost'
const CALLS = Symbol('cost')
const NOTHING: TaskCost = { total: 0, steps: {}, agents: {}, unpriced: [] }

/** Returns what a task has cost, with the steps that a fork has from its original; of a saved task that runs, until its last step. */
export function costOf(task: { readonly extraState: object } | null | undefined): TaskCost {
  const known = stateOf(task, KEY, NOTHING)
  // The usage also has what failed steps have cost.
  const { cost = 0 } = stateOf<Partial<TaskUsage>>(task, 'usage', {})
  return { ...known, total: Math.max(known.total, cost) }
}

/**
 * Counts what a task costs: each call of a model at the price of its model, and the agents behind tools. The usage of events and answers
 * has it as `cost`. Helpers with models of their own need this layer too; otherwise the price of their model is applied to all that they
 * used.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function cost(prices: Prices, options: CostOptions = {}): Layer {
  checkOptions('cost', options, OPTIONS)
  const { limit = Number.POSITIVE_INFINITY } = options
  const priceOf = checkedPrices(prices)
  return {
    name: 'cost',
    // Inside of the budget, whose events then have the cost.
    rank: 43,
    ...withinLimit(limit),
    model: (next) => (request, scope) => {
      const { modelName } = request.llm.metadata
      // Before a call that could not be counted.
      if (Number.isFinite(limit) && !priceOf(modelName))
        throw new ConfigurationError(`cost: there is no price for "${modelName}"; add it, or leave out the limit.`)
      // Also a call that fails has a cost.
      const { usage: own } = scope.state
      if (own && priceOf(modelName)) own.cost ??= 0
      const watch = watchStop(scope, (written) => {
        const money = moneyFor(estimated(request.messages, written), priceOf(modelName))
        const { usage } = scope.state
        if (money !== undefined && usage) usage.cost = (usage.cost ?? 0) + money
      })
      return Promise.resolve(next(request, watch.scope)).finally(watch.end)
    },
    reply: (reply, { llm, messages }, scope) => {
      const { state, ids, stepNumber } = scope
      const number = (ids.counts[CALLS] ?? 0) + 1
      ids.counts[CALLS] = number
      const used = reply.usage ?? (reply.response && usageOf(reply.response)) ?? estimated(messages, reply.message)
      // Of `withFallback`, another model may have answered.
      const { model: modelName = llm.metadata.modelName } = (reply.response?.additionalKwargs ?? {}) as {
        model?: string
      }
      const money = moneyFor(used, priceOf(modelName))
      note(scope, money, modelName)
      const name = `${stepNumber}/model-${number}/cost`
      // An earlier attempt of the step may have counted it.
      if (money === undefined || !state.usage || state.counted?.[name]) return reply
      state.usage.cost = (state.usage.cost ?? 0) + money
      state.counted = { ...state.counted, [name]: { ...state.usage } }
      return reply
    },
    tool: (next) => async (call, scope) => {
      const tool = scope.tools.find(({ metadata }) => metadata.name === call.name)
      // The model may call a tool that does not exist.
      const { agent } = Object(tool) as { agent?: { agentWorker?: { llm?: { metadata: { modelName: string } } } } }
      if (!agent) return next(call, scope)
      const model = agent.agentWorker?.llm?.metadata.modelName ?? ''
      const withCost = (usage: TaskUsage): TaskUsage => {
        const money = usage.cost ?? moneyFor(usage, priceOf(model))
        return money === undefined ? usage : { ...usage, cost: money }
      }
      const { onUsage, checkBudget } = scope.callContext ?? {}
      const counted: Scope['callContext'] = {
        ...scope.callContext,
        onUsage: onUsage && ((usage) => onUsage(withCost(usage))),
        checkBudget: checkBudget && ((usage, toolCalls) => checkBudget(withCost(usage), toolCalls)),
      }
      const made = await next(call, { ...scope, callContext: counted })
      const answer = made?.rawOutput as { usage?: TaskUsage } | null | undefined
      if (!answer?.usage) return made
      answer.usage = withCost(answer.usage)
      note(scope, answer.usage.cost, model, call.name)
      return made
    },
  }
}

/** Ends a task that has cost as much as it may, before its next call of a model, or that of a helper. */
function withinLimit(limit: number): Pick<Layer, 'step' | 'calls'> {
  const check = ({ task }: Scope, withHelpers = 0) => {
    // Without the layer `budget`, the usage is that of the helpers alone.
    const total = Math.max(withHelpers, costOf(task).total)
    if (total >= limit) throw new BudgetExceededError(task.taskId, `it has cost ${total}, and may cost ${limit}`)
  }
  return {
    step: (next) => (input, scope) => {
      check(scope)
      return next(input, scope)
    },
    calls: (next) => (calls, scope) => {
      const checkBudget: Scope['checkBudget'] = (used, toolCalls) => {
        if (toolCalls === undefined) check(scope, used.cost)
        scope.checkBudget?.(used, toolCalls)
      }
      return next(calls, { ...scope, checkBudget })
    },
  }
}

/** Returns the function that returns the price of a model, which is checked. */
function checkedPrices(prices: Prices): (model: string) => ModelPrice | undefined {
  checkOption('cost', 'prices', prices, thePrices)
  const priceOf = (model: string) => {
    const price =
      typeof prices === 'function' ? prices(model) : Object.hasOwn(prices, model) ? prices[model] : undefined
    if (!price) return undefined
    const { input, output, cachedInput } = price
    checkOptions(`cost.prices.${model}`, { input, output, cachedInput }, PRICE)
    return price
  }
  if (typeof prices !== 'function') for (const model in prices) priceOf(model)
  return priceOf
}

const estimated = (messages: readonly ChatMessage[], reply: ChatMessage) => ({
  inputTokens: chatTokens(messages),
  outputTokens: chatTokens([reply]),
})

function moneyFor(
  used: Pick<TokenUsage, 'inputTokens' | 'outputTokens'> & Partial<TokenUsage>,
  price: ModelPrice | undefined,
): number | undefined {
  if (!price) return undefined
  const { inputTokens, outputTokens, cachedInputTokens = 0 } = used
  const { input, output, cachedInput = input } = price
  return ((inputTokens - cachedInputTokens) * input + cachedInputTokens * cachedInput + outputTokens * output) / 1e6
}

/** Adds money to the cost of a task; undefined if the model has no price. */
function note({ task, stepNumber }: Scope, money: number | undefined, model: string, agent?: string): void {
  const known = stateOf(task, KEY, NOTHING)
  const plus = (sums: Readonly<Record<string, number>>, name: string | number) => ({
    ...sums,
    [name]: (sums[name] ?? 0) + money!,
  })
  task.extraState[KEY] =
    money === undefined
      ? { ...known, unpriced: [...new Set([...known.unpriced, model])] }
      : {
          ...known,
          total: known.total + money,
          steps: plus(known.steps, stepNumber),
          ...(agent && { agents: plus(known.agents, agent) }),
        }
}
