/**
 * @module
 * What a task uses: calls, tokens and money. Counts it, and reads it.
 */
import { invalidRecord, type RecordReader, readRecord } from '@x/core/reading'
import type { TokenUsage, TurnUsage } from '@x/core-model'

/** The usage of a task, as the turn of a conversation has it. */
export interface TaskUsage extends TurnUsage {}

/** Returns the usage of a new task. */
export function noUsage(): TaskUsage {
  return {
    modelCalls: 0,
    toolCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    totalTokens: 0,
  }
}

/** Whether a value is the usage of a task. */
export function isUsage(value: unknown): value is TaskUsage {
  return typeof (value as Partial<TaskUsage> | null | undefined)?.modelCalls === 'number'
}

/** The part of a task's state that counts. */
interface CountedState {
  usage: TaskUsage
  counted?: Record<string, TaskUsage> | undefined
}

/** Adds what was used. */
export function addTo(usage: TaskUsage, used: Partial<TaskUsage>): void {
  for (const kind of Object.keys(used) as (keyof TaskUsage)[]) usage[kind] = (usage[kind] ?? 0) + used[kind]!
}

/** Counts what a call of the step has used. What an earlier attempt of the step has counted for it is not counted again. */
export function countCall(state: CountedState, name: string, used: TaskUsage): void {
  state.usage ??= noUsage()
  const known = state.counted?.[name]
  addTo(state.usage, known ? beyond(used, known) : used)
  state.counted = { ...state.counted, [name]: used }
}

/** Returns what was used in addition to what is counted. Less than that is work that began anew. */
export function beyond(used: TaskUsage, counted: TaskUsage | undefined): TaskUsage {
  if (!counted || used.modelCalls < counted.modelCalls) return used
  const left = { ...used }
  for (const kind of Object.keys(left) as (keyof TaskUsage)[])
    left[kind] = Math.max(0, (used[kind] ?? 0) - (counted[kind] ?? 0))
  return left
}

/** Reads what a task has used. */
export function readUsage(data: unknown): TaskUsage {
  return readRecord('TaskUsage', data, (fields) => {
    const { cost } = fields.data
    if (cost !== undefined && !Number.isFinite(cost)) throw invalidRecord('TaskUsage', 'cost', 'a number', cost)
    return { ...countsOf(noUsage(), fields), ...(cost !== undefined && { cost: cost as number }) }
  })
}

/** Reads the tokens of a call of the model. */
export function readTokens(data: unknown): TokenUsage {
  const { modelCalls: _, toolCalls: _c, ...tokens } = noUsage()
  return readRecord('TokenUsage', data, (fields) => countsOf(tokens, fields))
}

/** Reads the counts that an object names. */
function countsOf<Counts extends TokenUsage>(none: Counts, fields: RecordReader): Counts {
  return Object.fromEntries(Object.keys(none).map((key) => [key, fields.integer(key, 0)])) as unknown as Counts
}
