/**
 * @module
 * What layers have in common: arguments of tools, state in the task, lists in the system message, and messages that come while a task runs.
 */
import type { AsyncBaseTool, Task } from '@x/agents'
import type { Layer, Scope } from '@x/agents/loop'
import { ChatMessage, type Dict, messageText, type ToolOutput } from '@x/core-model'

export const text = { type: 'string' } as const
export const word = { type: 'string', minLength: 1 } as const
const count = { type: 'integer', minimum: 1 } as const
/** The arguments of tools that return some lines of a file. */
export const range = { from: count, lines: count }

/**
 * Returns a layer with tools. A tool reads the state of the task but does not change it, because its saved output is used when a step is
 * repeated. `note` changes the state, from the raw output of a call.
 */
export function withTools(
  name: string,
  tools: readonly AsyncBaseTool[],
  note?: (rawOutput: unknown, scope: Scope) => void,
): Layer {
  const isOwn = (called: string) => tools.some(({ metadata }) => metadata.name === called)
  const noted = (called: string, output: ToolOutput | undefined, scope: Scope) => {
    if (output && !output.isError && isOwn(called)) note?.(output.rawOutput, scope)
    return output
  }
  return {
    name,
    tools,
    calls: (next) => (calls, scope) => {
      // The calls of a turn that continues have their outputs already.
      for (const call of calls) if ('output' in call) noted(call.name, call.output, scope)
      return next(calls, scope)
    },
    tool: (next) => async (call, scope) => {
      if (!isOwn(call.name)) return next(call, scope)
      const callContext = { ...scope.callContext, task: scope.task as Task }
      return noted(call.name, await next(call, { ...scope, callContext }), scope)
    },
  }
}

/** Returns a part of the state of a task. */
export function stateOf<T>(task: { readonly extraState: object } | null | undefined, key: string, none: T): T {
  return (task?.extraState as Record<string, T> | undefined)?.[key] ?? none
}

/** Adds a message to the conversation while the task runs, and reports it. */
export async function join(given: Dict, scope: Scope): Promise<void> {
  const message = ChatMessage.fromDict(given)
  await scope.loop.acceptInput(message, scope)
  scope.emit?.({ type: 'message', text: messageText(message) })
}

/** Resolves when a message waits for the task, which a layer adds at the next step. */
const ARRIVAL = Symbol('arrival')
type Arrival = (signal: AbortSignal) => Promise<void>

/** Returns a scope in which a layer that waits knows of a message that comes. */
export const withArrival = (scope: Scope, arrival: Arrival): Scope =>
  Object.assign({ ...scope }, { [ARRIVAL]: arrival })

/** Resolves when a message comes; undefined if no layer receives messages. */
export const arrivalIn = (scope: Scope): Arrival | undefined => (scope as { [ARRIVAL]?: Arrival })[ARRIVAL]

/** Loads a list once per task, and puts it at the end of the system message of each request. @param shown - returns '' for no text. */
export function listed<T>(
  key: string,
  load: (scope: Scope) => Promise<readonly T[]>,
  shown: (list: readonly T[], scope: Scope) => string,
): Layer['request'] {
  return (next) => async (plan, scope) => {
    const list = (scope.task.extraState[key] ??= await load(scope)) as readonly T[]
    const request = await next(plan, scope)
    const content = list.length > 0 ? shown(list, scope) : ''
    if (content === '') return request
    const [first, ...others] = request.messages
    const messages =
      first?.role === 'system' && typeof first.content === 'string'
        ? [first.copy({ update: { content: `${first.content}\n\n${content}` } }), ...others]
        : [new ChatMessage({ role: 'system', content }), ...request.messages]
    return { ...request, messages }
  }
}

/**
 * Adds what comes in while a task runs to its messages: before each step, and behind an answer, with which the task continues. It is read
 * once per step, so that a step that is repeated has the same.
 */
export function incoming<T>(
  name: string,
  before: (scope: Scope, isFirst: boolean) => Promise<T[]>,
  accept: (items: readonly T[], scope: Scope) => Promise<void>,
  behind = before,
): Pick<Layer, 'step' | 'record'> {
  const once = (place: string, scope: Scope, read: () => Promise<T[]>) =>
    scope.remember?.(place, read, Array.isArray) ?? read()
  return {
    step: (next) => async (input, scope) => {
      await accept(await once(name, scope, () => before(scope, input !== null)), scope)
      return next(input, scope)
    },
    record: (next) => async (turn, outputs, scope) => {
      const { mustAnswer, state, loop, tools, defer } = scope
      // Other text that streams was passed on as the answer already.
      const isOpen = !defer || (loop.protocol.name === 'native' && tools.length > 0)
      const mayContinue = turn.kind === 'answer' && !mustAnswer && !state.last_call && isOpen
      const items = mayContinue ? await once(`${name}-end`, scope, () => behind(scope, false)) : []
      // The answer is part of the conversation now, not at the end of the task.
      const outcome = await next(turn, outputs, items.length > 0 ? { ...scope, defer: undefined } : scope)
      if (items.length === 0 || outcome.kind !== 'answer') return outcome
      await accept(items, scope)
      return { kind: 'next', text: outcome.text }
    },
  }
}
