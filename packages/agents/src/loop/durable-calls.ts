/**
 * @module
 * Runs the calls of a step through its durable port, so that the results are saved before the step continues.
 */
import { ChatMessage, type FinishReason, isToolkitError, type TokenUsage, type ToolOutput } from '@x/core-model'
import { lazy } from '@x/core-model/internal'
import { invalidRecord, modelReader, readRecord } from '../record-reader.ts'
import type { Json } from '../task/durable.ts'
import { passThrough } from '../task/durable.ts'
import { SavedClasses } from '../task/saved-classes.ts'
import { StateReader, StateWriter } from '../task/state-codec.ts'
import { throwHandledError, writeHandledError } from './handled-errors.ts'
import type { Round } from './round.ts'
import { readSaved, readTokens } from './saved-results.ts'

/** A complete reply of the model. */
export interface ModelReply {
  message: ChatMessage
  /** Null if the model reports none. */
  usage: TokenUsage | null
  /** Null if the model does not report it. */
  finishReason: FinishReason | null
}

/** How a result is written as JSON and read back. */
export interface ResultCodec<T> {
  /** @param isStrict - whether to throw if data would be lost. */
  write(value: T, classes: SavedClasses, isStrict: boolean): Json
  read(data: Json, classes: SavedClasses): T
  /** Whether the step handles an error itself, so that it is a result. @defaultValue none */
  handles?(error: unknown): boolean
}

/**
 * Calls `fn` unless the journal contains a result under this name of the step. A new result is returned unchanged, including values
 * without a JSON form. Errors that the step handles are saved like results.
 */
export async function once<T>(round: Round, name: string, fn: () => Promise<T>, codec: ResultCodec<T>): Promise<T> {
  const { durable, saving, signal } = round.context
  if (!durable || durable === passThrough) return fn()
  const classes = saving?.classes ?? builtIn()
  const fullName = `step-${round.stepNumber}/${name}`
  let made: (() => T) | undefined
  const saved = await durable(fullName, async () => {
    try {
      const value = await fn()
      made = () => value
    } catch (error) {
      const handled = codec.handles?.(error) ? writeHandledError(error) : undefined
      if (handled === undefined) throw error
      made = () => {
        throw error
      }
      return handled
    }
    return codec.write(made(), classes, saving?.isStrict ?? true)
  })
  // The result of an aborted attempt is ignored.
  if (made && !signal?.aborted) saving?.live.set(fullName, made)
  const known = made ?? (saving?.live.get(fullName) as typeof made)
  return known ? known() : readSaved(fullName, () => readResult(saved, codec, classes))
}

function readResult<T>(saved: Json, codec: ResultCodec<T>, classes: SavedClasses): T {
  if (codec.handles) throwHandledError(saved)
  return codec.read(saved, classes)
}

const builtIn = lazy(() => new SavedClasses())

/** A reply without the raw answer of the provider. */
export const replyCodec: ResultCodec<ModelReply> = {
  write: ({ message, usage, finishReason }) =>
    ({
      message: message.toDict(),
      ...(usage && { usage: { ...usage } }),
      ...(finishReason !== null && { finish_reason: finishReason }),
    }) as Json,
  read: (data) =>
    readRecord('Reply', data, (fields) => ({
      message: fields.record('message', modelReader(ChatMessage)),
      usage: fields.has('usage')
        ? fields.record('usage', (usage) => (usage === null ? null : readTokens(usage)))
        : null,
      finishReason: fields.nullableString('finish_reason') as FinishReason | null,
    })),
  // The next attempt of the step asks again; see StepResults.
  handles: (error) => isToolkitError(error, 'model_call') && !error.retryable,
}

/** The output of a tool. See {@link StateWriter.output} for raw outputs that cannot be saved. */
export const outputCodec: ResultCodec<ToolOutput> = {
  write: (output, classes, isStrict) =>
    new StateWriter(classes).output(output, `output of ${output.toolName}`, isStrict) as Json,
  read: (data, classes) => new StateReader(classes).output(readRecord('ToolOutput', data, ({ data: dict }) => dict)),
}

/** Data that is JSON already. @param fits - whether saved data has the right form. */
export function jsonCodec<T>(fits: (data: unknown) => boolean): ResultCodec<T> {
  return {
    write: (value) => value as Json,
    read: (data) => {
      if (!fits(data)) throw invalidRecord('Journal', 'value', 'a result of this call', data)
      return data as T
    },
  }
}
