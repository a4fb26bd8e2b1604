/**
 * @module
 * Whether a run of an agent did what a recorded one did, within a tolerance.
 */
import {
  callback,
  checkOption,
  checkOptions,
  flag,
  list,
  numberFrom,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import { deepEqual } from '@x/core/values'
import { tokenizeWords } from '@x/retrieval'
import type { AgentTrace, TracedCall } from './agent-trace.ts'

/** How far a run may differ from the recorded one. Without it, answers and calls are equal, and tokens at most a fifth more. */
export interface AgentTolerance {
  /** The least share of words that both answers have in common (F1), from 0 to 1. @defaultValue equal answers */
  answer?: number | undefined
  /** Decides instead whether an answer is as good as the recorded one. */
  isSameAnswer?: ((recorded: string, answer: string) => boolean | Promise<boolean>) | undefined
  /** Whether the tools may be called in another order. @defaultValue false */
  anyOrder?: boolean | undefined
  /** The names of arguments that are not compared, at any depth. @defaultValue all are compared */
  ignoredArguments?: readonly string[] | undefined
  /** The number of further calls of tools. @defaultValue 0 */
  moreCalls?: number | undefined
  /** The number of further calls of models. @defaultValue 0 */
  moreModelCalls?: number | undefined
  /** The share of further tokens: 0.2 for a fifth. Not compared if the recorded run has none. @defaultValue 0.2 */
  moreTokens?: number | undefined
}

export const toleranceTable: OptionTable<AgentTolerance> = {
  answer: numberFrom(0, 1),
  isSameAnswer: callback,
  anyOrder: flag,
  ignoredArguments: list,
  moreCalls: wholeNumber(0),
  moreModelCalls: wholeNumber(0),
  moreTokens: numberFrom(0),
}

/** A difference of two runs. */
export interface TraceDifference {
  what: 'answer' | 'missing_call' | 'further_calls' | 'model_calls' | 'tokens'
  expected: string
  received: string
}

/**
 * Returns how a run differs from a recorded one, beyond the tolerance; an empty array if it does not.
 * @throws {ModelValidationError} if the tolerance is not valid.
 * @example
 * const usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, totalTokens: 0 }
 * const recorded = { answer: 'It is 4.', calls: [{ name: 'add', arguments: { a: 2, b: 2 }, isError: false }], modelCalls: 2, usage }
 * await compareTraces(recorded, { ...recorded, calls: [] })
 * // => [{ what: 'missing_call', expected: 'add({"a":2,"b":2})', received: 'no such call' }]
 * await compareTraces(recorded, { ...recorded, answer: 'It is four.' }, { answer: 0.6 }) // => []
 */
export async function compareTraces(
  recorded: AgentTrace,
  trace: AgentTrace,
  tolerance: AgentTolerance = {},
): Promise<TraceDifference[]> {
  checkOption('compareTraces', 'recorded', recorded, required('a trace of an agent'))
  checkOption('compareTraces', 'trace', trace, required('a trace of an agent'))
  checkOptions('compareTraces', tolerance, toleranceTable)
  const { moreModelCalls = 0, moreTokens = 0.2 } = tolerance
  const differences = differentCalls(recorded.calls, trace.calls, tolerance)
  if (!(await isGoodAnswer(recorded.answer, trace.answer, tolerance)))
    differences.unshift({ what: 'answer', expected: recorded.answer, received: trace.answer })
  if (trace.modelCalls > recorded.modelCalls + moreModelCalls)
    differences.push({ what: 'model_calls', expected: `${recorded.modelCalls}`, received: `${trace.modelCalls}` })
  const [before, now] = [recorded.usage.totalTokens, trace.usage.totalTokens]
  if (before > 0 && now > before * (1 + moreTokens))
    differences.push({ what: 'tokens', expected: `${before}`, received: `${now}` })
  return differences
}

function isGoodAnswer(recorded: string, answer: string, tolerance: AgentTolerance): boolean | Promise<boolean> {
  if (tolerance.isSameAnswer) return tolerance.isSameAnswer(recorded, answer)
  return tolerance.answer === undefined ? recorded === answer : sharedWords(recorded, answer) >= tolerance.answer
}

/** Finds each recorded call among the calls, in order unless any order is right; each call counts once. */
function differentCalls(
  recorded: readonly TracedCall[],
  calls: readonly TracedCall[],
  { anyOrder = false, ignoredArguments = [], moreCalls = 0 }: AgentTolerance,
): TraceDifference[] {
  const compared = calls.map((call) => comparable(call, ignoredArguments))
  const used = new Set<number>()
  let next = 0
  const differences: TraceDifference[] = []
  for (const call of recorded) {
    const wanted = comparable(call, ignoredArguments)
    const at = compared.findIndex((other, i) => !used.has(i) && (anyOrder || i >= next) && deepEqual(other, wanted))
    if (at < 0) {
      differences.push({ what: 'missing_call', expected: callText(call), received: 'no such call' })
      continue
    }
    used.add(at)
    next = at + 1
  }
  const further = calls.filter((_, i) => !used.has(i))
  if (further.length > moreCalls)
    differences.push({
      what: 'further_calls',
      expected: `at most ${moreCalls} further calls`,
      received: further.map(callText).join(', '),
    })
  return differences
}

function comparable({ name, arguments: given, isError }: TracedCall, ignored: readonly string[]): unknown {
  return { name, isError, given: without(given, ignored) }
}

/** A value without the entries of these names. */
function without(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, names))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !names.includes(name))
  return Object.fromEntries(entries.map(([name, item]) => [name, without(item, names)]))
}

const callText = ({ name, arguments: given, isError }: TracedCall): string =>
  `${name}(${JSON.stringify(given)})${isError ? ', which failed' : ''}`

/** The F1 of the words of two strings, each as often as it occurs. */
function sharedWords(one: string, other: string): number {
  const [a, b] = [tokenizeWords(one), tokenizeWords(other)]
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0
  const counts = new Map<string, number>()
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of b) {
    const count = counts.get(word) ?? 0
    if (count > 0) shared++
    counts.set(word, count - 1)
  }
  return (2 * shared) / (a.length + b.length)
}
