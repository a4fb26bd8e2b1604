/**
 * @module
 * Runs the calls of a step through its durable port, so that what they returned is saved before the step goes on.
 */
import {
  ChatMessage,
  type Dict,
  type FinishReason,
  isToolkitError,
  type TokenUsage,
  type ToolOutput,
} from '@x/core-model'
import { lazy } from '@x/core-model/internal'
import type { ToolCall } from '../task/agent-event.ts'
import type { Json } from '../task/durable.ts'
import { passThrough } from '../task/durable.ts'
import { SavedClasses } from '../task/saved-classes.ts'
import { StateReader, StateWriter } from '../task/state-codec.ts'
import { throwHandledError, writeHandledError } from './handled-errors.ts'
import { type Round, stepNumber } from './round.ts'

/** A complete reply of the model. */
export interface ModelReply {
  message: ChatMessage
  /** Null if the model reports none. */
  usage: TokenUsage | null
  /** Null if the model does not say. */
  finishReason: FinishReason | null
}

/** How a result is written as JSON and read back. */
export interface ResultCodec<T> {
  /** @param isStrict - whether nothing may be lost. */
  write(value: T, classes: SavedClasses, isStrict: boolean): Json
  read(data: Json, classes: SavedClasses): T
  /** Whether the step handles an error itself, so that it is a result. @defaultValue none */
  handles?(error: unknown): boolean
}

/**
 * Calls `fn` once under a name of the step; a saved result is returned instead. A result that was not read from a journal is returned
 * as it is, with everything that JSON has no form for. Errors that the step handles are saved like results.
 */
export async function once<T>(round: Round, name: string, fn: () => Promise<T>, codec: ResultCodec<T>): Promise<T> {
  const { durable, saving } = round.context
  if (!durable || durable === passThrough) return fn()
  const classes = saving?.classes ?? builtIn()
  const live = saving?.live ?? new Map<string, () => unknown>()
  const fullName = `step-${stepNumber(round)}/${name}`
  const saved = await durable(fullName, async () => {
    let value: T
    try {
      value = await fn()
    } catch (error) {
      const handled = codec.handles?.(error) ? writeHandledError(error) : undefined
      if (handled === undefined) throw error
      live.set(fullName, () => {
        throw error
      })
      return handled
    }
    live.set(fullName, () => value)
    return codec.write(value, classes, saving?.isStrict ?? true)
  })
  const made = live.get(fullName)
  if (made) return made() as T
  if (codec.handles) throwHandledError(saved)
  return codec.read(saved, classes)
}

const builtIn = lazy(() => new SavedClasses())

/** A reply without the raw answer of the provider. */
export const replyCodec: ResultCodec<ModelReply> = {
  write: ({ message, usage, finishReason }) =>
    ({ message: message.toDict(), usage: usage && { ...usage }, finish_reason: finishReason }) as Json,
  read: (data) => {
    const {
      message,
      usage,
      finish_reason: finishReason,
    } = data as unknown as {
      message: Dict
      usage: TokenUsage | null
      finish_reason: FinishReason | null
    }
    return { message: ChatMessage.fromDict(message), usage, finishReason }
  },
  // The next attempt of the step asks again; see StepResults.
  handles: (error) => isToolkitError(error, 'model_call') && !error.retryable,
}

/** Whether the provider refused a request because it is too long. */
export function isTooLong(error: unknown): boolean {
  return isToolkitError(error, 'model_call') && error.kind === 'context_length'
}

/** The output of a tool. See {@link StateWriter.output} for raw outputs that cannot be saved. */
export const outputCodec: ResultCodec<ToolOutput> = {
  write: (output, classes, isStrict) =>
    new StateWriter(classes).output(output, `output of ${output.toolName}`, isStrict) as Json,
  read: (data, classes) => new StateReader(classes).output(data as Dict),
}

/** Data that is JSON already. */
export function jsonCodec<T>(): ResultCodec<T> {
  return { write: (value) => value as Json, read: (data) => data as T }
}

/** A repaired call, or null. */
export const callCodec = jsonCodec<ToolCall | null>()
