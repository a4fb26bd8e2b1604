/**
 * @module
 * Keeps requests within the context window of the model, and sends a smaller one if the provider refuses it as too long.
 */
import { checkOptions } from '@x/core/options'
import { isToolkitError } from '@x/core-model'
import { CONTEXT_WINDOW_OPTIONS, ContextWindow, type ContextWindowOptions } from '../loop/context-window.ts'
import type { ContextWindowLayer } from '../loop/hooks.ts'
import type { Layer, Scope, StepRequest } from '../loop/layer.ts'
import { passThrough } from '../task/durable.ts'
import type { Task } from '../task/task.ts'
import { addTo } from '../task-usage.ts'

/** The number of requests of a turn: more than one if an answer was cut. */
const REQUESTS = Symbol('keepWithin')

/**
 * Keeps requests within the context window of the model. The option `contextWindow` of an agent, or a layer of a loop.
 * @throws {ModelValidationError} if options are unknown or out of range.
 */
export function keepWithin<Context = unknown>(
  options: ContextWindowOptions<Context> = {},
): Layer & ContextWindowLayer<Context> {
  checkOptions('keepWithin', options, CONTEXT_WINDOW_OPTIONS)
  const window = new ContextWindow(options as ContextWindowOptions)
  return {
    name: 'keepWithin',
    rank: 36,
    model: (next) => async (request, scope) => {
      const { counts } = scope.ids
      const part = (counts[REQUESTS] ?? 0) + 1
      counts[REQUESTS] = part
      const fitted = await fit(window, request, scope, part, false)
      try {
        return await next(fitted, scope)
      } catch (error) {
        if (!isToolkitError(error, 'model_call') || error.kind !== 'context_length') throw error
        const smaller = await fit(window, request, scope, part, true)
        if (!isSmaller(smaller, fitted)) throw error
        return next(smaller, scope)
      }
    },
  }
}

async function fit(
  window: ContextWindow,
  request: StepRequest,
  scope: Scope,
  part: number,
  smaller: boolean,
): Promise<StepRequest> {
  const { state, task, context, stepNumber, durable = passThrough, signal, parentId } = scope
  const place = `step-${stepNumber}/fit${part > 1 ? `-${part}` : ''}`
  const { messages, leftOut, summaryUsage } = await window.fit({
    llm: request.llm,
    messages: request.messages,
    first: state.new_memory.getAll()[0],
    tools: request.options.tools,
    leftOut: state.left_out,
    smaller,
    task: task as Task,
    context,
    durable,
    name: smaller ? `${place}-smaller` : place,
    signal,
    parentId,
  })
  state.left_out = leftOut
  if (summaryUsage !== undefined && state.usage) state.usage.modelCalls++
  if (summaryUsage && state.usage) addTo(state.usage, summaryUsage)
  return { ...request, messages }
}

function isSmaller({ messages: one }: StepRequest, { messages: other }: StepRequest): boolean {
  return one.length < other.length || one.some((message, i) => message !== other[i])
}
