/**
 * @module
 * Sends a request that fits into the context window of the model, and a smaller one if the provider refuses it as too long.
 */
import { passThrough } from '../task/durable.ts'
import { isTooLong } from './durable-calls.ts'
import { type Round, stepNumber } from './round.ts'
import type { ModelRequest } from './tool-calling-protocol.ts'
import { countTokens } from './usage.ts'

/**
 * Calls `send` with a request that fits. If the provider refuses it as too long, calls it once more with a smaller one.
 * @param part - the number of the request in its turn, from 1.
 */
export async function sendFitted<T>(
  round: Round,
  request: ModelRequest,
  part: number,
  send: (request: ModelRequest) => Promise<T>,
): Promise<T> {
  const fitted = await fit(round, request, part, false)
  try {
    return await send(fitted)
  } catch (error) {
    if (!isTooLong(error)) throw error
    const smaller = await fit(round, request, part, true)
    if (!isSmaller(smaller, fitted)) throw error
    return send(smaller)
  }
}

async function fit(round: Round, request: ModelRequest, part: number, smaller: boolean): Promise<ModelRequest> {
  const { worker, state, task, context, llm } = round
  const { contextWindow } = worker
  if (!contextWindow) return request
  const place = `step-${stepNumber(round)}/fit${part > 1 ? `-${part}` : ''}`
  const { messages, leftOut, summaryUsage } = await contextWindow.fit({
    llm,
    messages: request.messages,
    first: state.new_memory.getAll()[0],
    tools: request.options.tools,
    leftOut: state.left_out,
    smaller,
    task,
    context: context.context,
    durable: context.durable ?? passThrough,
    name: smaller ? `${place}-smaller` : place,
    signal: context.signal,
    parentId: context.parentId,
  })
  state.left_out = leftOut
  if (summaryUsage !== undefined) state.usage.modelCalls++
  if (summaryUsage) countTokens(state.usage, summaryUsage)
  return { ...request, messages }
}

function isSmaller({ messages: one }: ModelRequest, { messages: other }: ModelRequest): boolean {
  return one.length < other.length || one.some((message, i) => message !== other[i])
}
