/**
 * @module
 * The port through which a step calls models, tools and retrievers, so that their results are saved before the step continues.
 *
 * Names are stable: `step-2/model`, `step-2/tool-1`. The same code makes its calls in the same order, and the number of a step is never
 * reused, not even after an undo. Errors that the step handles itself are saved as results.
 */
import type { Durable, Json } from '@x/core-model'

export type { Durable, Json }

/** The key that marks a result as an error that the step handles. */
export const HANDLED_ERROR = '$error'

/**
 * Whether a result of a durable call is an error that the step handles, such as a refusal of the model. A run that ended with it
 * ends with it again in a replay, unless the engine drops the call.
 * @example
 * isHandledError({ content: '4' }) // => false
 */
export function isHandledError(result: unknown): result is { readonly $error: Json } {
  return typeof result === 'object' && result !== null && Object.hasOwn(result, HANDLED_ERROR)
}

/** What a result of a durable call is. */
export interface ResultKind<T> {
  readonly kind: 'reply' | 'output' | 'data'
  /** For data: whether saved data has the right form. */
  fits?(data: unknown): boolean
  /** Whether the step handles an error itself, so that it is a result. @defaultValue none */
  readonly handles?: ((error: unknown) => boolean) | undefined
  /** Returns the result for a saved error that the step does not handle, because the agent has changed; undefined throws the error. */
  unhandled?(error: unknown): T | undefined
  /** The type of the result. */
  readonly value?: T
}

/** Makes a call unless an earlier attempt of its step has the result, which is named in the step. */
export type Once = <T>(name: string, make: () => Promise<T>, kind: ResultKind<T>) => Promise<T>

/** A call whose result is saved. */
export interface SavedCall<T> {
  readonly durable: Durable
  /** The name of the call in its task. */
  readonly name: string
  readonly make: () => Promise<T>
  readonly kind: ResultKind<T>
  /** The results in this process, by the names of their calls. */
  readonly live: Map<string, () => unknown> | undefined
  /** Whether to throw if data would be lost. */
  readonly isStrict: boolean
  /** The result of an aborted attempt is ignored. */
  readonly signal: AbortSignal | undefined
}

/** Writes results of durable calls as JSON, and reads them back. */
export interface ResultCodec {
  /**
   * Makes a call, or returns its saved result. A new result is returned unchanged, including values without a JSON form. Errors that the
   * step handles are saved like results. @internal
   */
  savedCall<T>(call: SavedCall<T>): Promise<T>
}

/** How an engine saves calls, with the code that writes their results. Made by `journalPort(port)`. */
export type JournalPort = Durable & { readonly journal: ResultCodec | undefined }

/** Calls `fn` every time and saves nothing. */
export const passThrough: JournalPort = Object.assign(((_name, fn) => fn()) as Durable, { journal: undefined })
