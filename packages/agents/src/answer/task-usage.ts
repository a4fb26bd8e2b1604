/**
 * @module
 * The usage of a task.
 */
import type { TokenUsage } from '@x/core-model'

/** The usage of a task. Token counts are those that the model reports. */
export interface TaskUsage extends TokenUsage {
  /** Calls of the model, except those to which it did not begin to reply because the provider refused them or failed. */
  modelCalls: number
  /** Tool calls that ran. */
  toolCalls: number
  /** Money, in the currency of the prices of the layer `cost` of `@x/layers`; missing without it. */
  cost?: number
}

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
