/**
 * @module
 * Reads results of calls that were saved.
 */

import { readRecord } from '@x/core/reading'
import { errorMessage } from '@x/core/values'
import type { TokenUsage } from '@x/core-model'
import { SavedTaskError } from '../task/task-errors.ts'
import { HandledError } from './handled-errors.ts'

/** Calls `read` and returns its result. @throws {SavedTaskError} naming the result that cannot be read. */
export function readSaved<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof HandledError) throw error.error
    throw new SavedTaskError(`The result "${name}": ${errorMessage(error)}`, { cause: error })
  }
}

/** Reads the tokens of a call. */
export function readTokens(data: unknown): TokenUsage {
  return readRecord('TokenUsage', data, (fields) => ({
    inputTokens: fields.integer('inputTokens', 0),
    outputTokens: fields.integer('outputTokens', 0),
    cachedInputTokens: fields.integer('cachedInputTokens', 0),
    reasoningTokens: fields.integer('reasoningTokens', 0),
    totalTokens: fields.integer('totalTokens', 0),
  }))
}

/** Reads a summary of messages. */
export function readSummary(data: unknown): { text: string; usage: TokenUsage | null } {
  return readRecord('Summary', data, (fields) => ({
    text: fields.string('text'),
    usage: fields.record('usage', (usage) => (usage === null ? null : readTokens(usage))),
  }))
}
