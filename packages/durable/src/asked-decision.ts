/**
 * @module
 * A decision about a call that waits, as an application judges it.
 */
import type { ToolDecision } from '@x/agents'
import { checkGiven } from '@x/core/options'
import { isPlainObject, jsonOr } from '@x/core/values'
import { ConfigurationError } from '@x/core-model'
import type { WaitingCall } from './durable-tasks.ts'

/** A decision about a call that waits, and the call. */
export interface AskedDecision {
  /** In a chat, an approval of other arguments than those of the question is an `edit`. */
  readonly decision: ToolDecision
  readonly taskId: string
  readonly toolName: string
  /**
   * What the tool would receive, with default values and conversions of its schema, as JSON. An edit runs with these arguments alone: it is
   * refused if the schema makes others of them. Integers beyond 2^53 are strings.
   */
  readonly arguments: Readonly<Record<string, unknown>>
  /** The arguments of the question. */
  readonly asked: Readonly<Record<string, unknown>>
}

/**
 * Returns a decision as `mayDecide` judges it, for your own route. Pass its `decision` on: an edit counts only if the tool runs with
 * exactly these arguments.
 * @throws {ConfigurationError} if it is an approval with `always`: nobody would judge the arguments of the later calls.
 * @example
 * const call = { name: 'pay', arguments: '{"euros":5}' }
 * const { decision, arguments: args, asked } = askedDecision('rent', call, { callId: 'c', type: 'edit', arguments: { euros: 7 } })
 * args // => { euros: 7 }
 * asked // => { euros: 5 }
 * decision // => { callId: 'c', type: 'edit', arguments: { euros: 7 }, exact: true }
 */
export function askedDecision(
  taskId: string,
  call: Pick<WaitingCall, 'name' | 'arguments' | 'runsWith'>,
  decision: ToolDecision,
): AskedDecision {
  checkGiven('askedDecision', { call }, 'a call that waits', 'name')
  checkGiven('askedDecision', { decision }, 'a decision', 'type')
  if (decision.type === 'approve' && decision.always)
    throw new ConfigurationError('ToolDecision.always: later calls would not be judged; approve this one alone.')
  const { name: toolName, arguments: shown, runsWith } = call
  const asked = argumentsOf(shown)
  return decision.type === 'edit'
    ? { decision: { ...decision, exact: true }, taskId, toolName, arguments: decision.arguments, asked }
    : { decision, taskId, toolName, arguments: argumentsOf(runsWith ?? asked), asked }
}

/**
 * Returns the arguments of a call as a page receives them: an object, with integers beyond 2^53 as strings; empty if they are no JSON
 * object.
 */
export function argumentsOf(given: unknown): Record<string, unknown> {
  if (typeof given !== 'string')
    return JSON.parse(JSON.stringify(given, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
  const read = jsonOr(given)
  return isPlainObject(read) ? read : {}
}
