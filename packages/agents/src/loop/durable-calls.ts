/**
 * @module
 * Runs the calls of a step through its durable port, so that the results are saved before the step continues.
 */
import {
  type ChatMessage,
  ConfigurationError,
  type FinishReason,
  isToolkitError,
  type TokenUsage,
  type ToolOutput,
} from '@x/core-model'
import type { Durable, Once, ResultCodec, ResultKind } from '../task/durable.ts'
import { journalOf } from '../task/journal.ts'
import type { StepOptions } from './agent-worker.ts'

/** A complete reply of the model. */
export interface SavedReply {
  message: ChatMessage
  /** Null if the model reports none. */
  usage: TokenUsage | null
  /** Null if the model does not report it. */
  finishReason: FinishReason | null
}

/**
 * Returns how the calls of a step are saved. A new result is returned unchanged, including values without a JSON form. Errors that the
 * step handles are saved like results.
 * @throws {ConfigurationError} for a port that does not say how results are written.
 */
export function onceIn(durable: Durable, context: StepOptions, stepNumber: number): Once {
  const journal = context.saving?.journal ?? journalOf(durable)
  if (!journal) throw new ConfigurationError('durable: expected journalPort(port), received a plain function.')
  return (name, fn, kind) => saved(context, { durable, journal, name: `step-${stepNumber}/${name}`, fn, kind })
}

async function saved<T>(
  { saving, signal }: StepOptions,
  call: { durable: Durable; journal: ResultCodec; name: string; fn: () => Promise<T>; kind: ResultKind<T> },
): Promise<T> {
  const { durable, journal, name, fn, kind } = call
  let made: (() => T) | undefined
  const result = await durable(name, async () => {
    try {
      const value = await fn()
      made = () => value
    } catch (error) {
      const handled = kind.handles?.(error) ? journal.writeError(error) : undefined
      if (handled === undefined) throw error
      made = () => {
        throw error
      }
      return handled
    }
    return journal.writeResult(kind, made(), saving?.isStrict ?? true)
  })
  // The result of an aborted attempt is ignored.
  if (made && !signal?.aborted) saving?.live.set(name, made)
  const known = made ?? (saving?.live.get(name) as typeof made)
  return known ? known() : journal.readResult(kind, name, result)
}

/** A reply of the model. The next attempt of a step asks again after an error that may pass; see StepResults. */
export const REPLY: ResultKind<SavedReply> = {
  kind: 'reply',
  handles: (error) => isToolkitError(error, 'model_call') && !error.retryable,
}

/** The output of a tool. */
export const OUTPUT: ResultKind<ToolOutput> = { kind: 'output' }
