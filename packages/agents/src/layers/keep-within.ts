/**
 * @module
 * Keeps requests within the context window of the model, and sends smaller ones while the provider refuses them as too long.
 */
import { checkOptions } from '@x/core/options'
import { isToolkitError } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { CONTEXT_WINDOW_OPTIONS, ContextWindow, type ContextWindowOptions, SMALLER } from '../loop/context-window.ts'
import type { ContextWindowLayer } from '../loop/hooks.ts'
import type { Layer, Scope, StepRequest } from '../loop/layer.ts'
import { passThrough } from '../task/durable.ts'
import type { Task } from '../task/task.ts'
import { addTo } from '../task-usage.ts'

/** The number of requests of a turn: more than one if an answer was cut. */
const REQUESTS = Symbol('keepWithin')

/** How often a request is sent. The last one has only what must stay. */
const MAX_SENT = 5

/**
 * Keeps requests within the context window of the model. The option `contextWindow` of an agent, or a layer of a loop. A request that the
 * provider refuses as too long is sent up to four times more, each time smaller: by what the refusal says, if it states the tokens of the
 * request and of the window. Later steps of the task keep the lower limit.
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
      const place = `step-${scope.stepNumber}/fit${part > 1 ? `-${part}` : ''}`
      const { tools } = request.options
      let fitted = await fit(window, request, scope, place)
      const sizes: number[] = []
      for (;;) {
        try {
          return await next(fitted, scope)
        } catch (error) {
          if (!isToolkitError(error, 'model_call') || error.kind !== 'context_length') throw error
          scope.signal?.throwIfAborted()
          const size = window.count(fitted.messages, tools)
          const sent = sizes.push(size)
          if (sent === MAX_SENT) throw refused(error, sizes)
          const maxTokens = sent === MAX_SENT - 1 ? 0 : Math.floor(size * (statedSize(error.message) ?? SMALLER))
          fitted = await fit(window, request, scope, `${place}-smaller${sent > 1 ? `-${sent}` : ''}`, maxTokens)
          if (window.count(fitted.messages, tools) >= size) throw refused(error, sizes)
        }
      }
    },
  }
}

async function fit(
  window: ContextWindow,
  request: StepRequest,
  scope: Scope,
  name: string,
  maxTokens?: number,
): Promise<StepRequest> {
  const { state, task, context, durable = passThrough, signal, parentId } = scope
  const { messages, leftOut, summaryUsage } = await window.fit({
    llm: request.llm,
    messages: request.messages,
    first: state.new_memory.getAll()[0],
    tools: request.options.tools,
    leftOut: state.left_out,
    maxTokens,
    task: task as Task,
    context,
    durable,
    name,
    signal,
    parentId,
  })
  state.left_out = leftOut
  if (summaryUsage !== undefined && state.usage) state.usage.modelCalls++
  if (summaryUsage && state.usage) addTo(state.usage, summaryUsage)
  return { ...request, messages }
}

/** A number of tokens: not a part of a name, of a version or of a status. */
const NUMBER = /(?<![\w./-]|HTTP )\d{3,}(?![\w/-]|\.\d)/g

/**
 * Returns the size of a request that fits, relative to the refused one, if the refusal states the tokens of the request and of the window:
 *
 *     maximum context length is 4097 tokens. However, you requested 4222 tokens (1222 in the messages, 3000 in the completion)
 *     prompt is too long: 202128 tokens > 200000 maximum
 */
function statedSize(message: string): number | undefined {
  const text = message.replace(/(\d),(?=\d{3})/g, '$1')
  const answer = Number(/(\d{1,9}) (?:in the (?:completion|output)|output tokens)/.exec(text)?.[1] ?? 0)
  // Not the parts of the sum.
  const outside = text.replace(/\([^()]*\)/g, (part) => (part.includes(' in the ') ? '' : part))
  const stated = new Set((outside.match(NUMBER) ?? []).map(Number))
  const [most = 0, limit = 0] = [...stated].filter((count) => count !== answer).sort((a, b) => b - a)
  const size = (limit - answer) / (most - answer)
  // Less is no pair of such numbers; as much may be a few tokens too many, because the messages are not all alike.
  return size > 0.05 ? size * 0.95 : undefined
}

/** @param sizes - the tokens of the requests that were refused. */
function refused(error: ModelCallError, sizes: readonly number[]): ModelCallError {
  const remaining = `of about ${sizes[0]} tokens (estimated), ${sizes.at(-1)} remain in request ${sizes.length}`
  const advice = 'Shorten the system messages, the tools or the input, or choose a model with a larger context window.'
  return new ModelCallError(`${error.message}; nothing more can be left out: ${remaining}. ${advice}`, {
    kind: 'context_length',
    status: error.status,
    cause: error,
  })
}
